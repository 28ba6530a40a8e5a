/* Connect Four by hand: boards of bits, no list of moves, nothing general. Random playouts for some seconds of
 * processor time; prints how many a second, their mean length, and the shares of first, nobody and second.
 *
 *     gcc -O3 -march=native -o playouts playouts.c && ./playouts 1.0
 *
 * A column takes seven bits, the seventh of which stays empty, so that no line runs from one into the next.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { COLUMNS = 7, ROWS = 6, HIGH = ROWS + 1, SPACES = COLUMNS * ROWS };

static uint64_t luck = 0x9E3779B97F4A7C15u;

static inline uint32_t below(uint32_t n) {
    luck ^= luck << 13;
    luck ^= luck >> 7;
    luck ^= luck << 17;
    return (uint32_t)(((luck >> 32) * n) >> 32);
}

static inline int four(uint64_t discs) {
    static const int steps[4] = {1, HIGH - 1, HIGH, HIGH + 1};
    for (int i = 0; i < 4; i++) {
        uint64_t pairs = discs & (discs >> steps[i]);
        if (pairs & (pairs >> (2 * steps[i])))
            return 1;
    }
    return 0;
}

/* Who has won: 0, 1, or -1 for nobody; adds the moves. */
static int playout(long *moves) {
    uint64_t discs[2] = {0, 0};
    int height[COLUMNS] = {0}, open[COLUMNS], count = COLUMNS;
    for (int i = 0; i < COLUMNS; i++)
        open[i] = i;
    for (int n = 0; n < SPACES; n++) {
        int player = n & 1, i = (int)below((uint32_t)count), column = open[i];
        discs[player] |= (uint64_t)1 << (column * HIGH + height[column]);
        ++*moves;
        if (four(discs[player]))
            return player;
        if (++height[column] == ROWS) {
            /* The order of open columns does not matter to luck. */
            open[i] = open[--count];
        }
    }
    return -1;
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 1.0;
    long games = 0, moves = 0, won[2] = {0, 0};
    clock_t begun = clock(), now;
    do {
        for (int i = 0; i < 10000; i++) {
            int winner = playout(&moves);
            if (winner >= 0)
                won[winner]++;
        }
        games += 10000;
        now = clock();
    } while ((double)(now - begun) / CLOCKS_PER_SEC < seconds);
    printf("%.0f %.3f %.4f %.4f %.4f\n", games / ((double)(now - begun) / CLOCKS_PER_SEC), (double)moves / games,
           (double)won[0] / games, (double)(games - won[0] - won[1]) / games, (double)won[1] / games);
    return 0;
}
