"""Seeding: where the luck of each game of a batch begins, worked out inside the module.

Comes in: the number of a seed. Goes out: for each stream, each bot and each consent of a game the number that
`chance.start_of` gives. What never happens: another number.

It is BLAKE2b (Saarinen and Aumasson, RFC 7693, 2015) of one block, of which 8 bytes are asked for. A seed
whose text would not fit into one block is left to the host.
"""

from __future__ import annotations

from rulewright.interpreter.wasm.body import Body
from rulewright.interpreter.wasm.emit import Shared
from rulewright.interpreter.wasm.encoder import I32, I64

IV = (
    0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
    0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
)  # fmt: skip
SIGMA = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)  # fmt: skip
ROUNDS = 12
BLOCK = 128
MIXED = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
         (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))  # fmt: skip
LONGEST_NUMBER = 22  # the kind, a sign, 19 digits, the byte between


def fits(names: list[str]) -> bool:
    """Whether the texts of all seeds fit into one block."""
    return all(len(name.encode()) + LONGEST_NUMBER <= BLOCK for name in names)


def sow(shared: Shared, names: list[str], seeds: int) -> None:
    """`sow` (the first seed, how many): write what begins the luck of so many games, one after the other."""
    m = shared.memory
    block = m.room(BLOCK)
    b = Body("sow", (I64, I32), ())
    game, out, end, digits, size = (b.fresh() for _ in range(5))
    left, copy = b.fresh(I64), b.fresh(I64)
    texts = [
        (m.constant_bytes(n.encode("utf-8", "surrogatepass")), len(n.encode("utf-8", "surrogatepass")))
        for n in names
    ]
    b.const(seeds)
    b.set(out)
    with b.block() as done, b.loop() as more:
        b.get(game)
        b.get(1)
        b.op("i32.ge_u")
        b.to_if(done)
        b.const(block)
        b.const(0)
        b.const(BLOCK)
        b.memory_fill()
        b.const(block)
        b.const(ord("i"))
        b.memory("i32.store8")
        b.const(block + 1)
        b.set(end)
        b.get(0)
        b.set(left)
        b.get(left)
        b.const64(0)
        b.op("i64.lt_s")
        with b.when():
            b.get(end)
            b.const(ord("-"))
            b.memory("i32.store8")
            b.get(end)
            b.const(1)
            b.op("i32.add")
            b.set(end)
            b.const64(0)
            b.get(left)
            b.op("i64.sub")
            b.set(left)
        # How many digits there are; then they are written from the last one.
        b.get(left)
        b.set(copy)
        b.const(0)
        b.set(digits)
        with b.loop() as again:
            b.get(digits)
            b.const(1)
            b.op("i32.add")
            b.set(digits)
            b.get(copy)
            b.const64(10)
            b.op("i64.div_u")
            b.set(copy)
            b.get(copy)
            b.op("i64.eqz", "i32.eqz")
            b.to_if(again)
        b.get(end)
        b.get(digits)
        b.op("i32.add")
        b.set(end)
        b.const(0)
        b.set(size)
        with b.loop() as again:
            b.get(end)
            b.get(size)
            b.op("i32.sub")
            b.const(1)
            b.op("i32.sub")
            b.get(left)
            b.const64(10)
            b.op("i64.rem_u", "i32.wrap_i64")
            b.const(ord("0"))
            b.op("i32.add")
            b.memory("i32.store8")
            b.get(left)
            b.const64(10)
            b.op("i64.div_u")
            b.set(left)
            b.get(size)
            b.const(1)
            b.op("i32.add")
            b.tee(size)
            b.get(digits)
            b.op("i32.lt_u")
            b.to_if(again)
        b.get(end)
        b.const(1)
        b.op("i32.add")
        b.set(end)  # behind the byte between, which is 0
        for at, length in texts:
            b.get(end)
            b.const(0)
            b.const(block + BLOCK)
            b.get(end)
            b.op("i32.sub")
            b.memory_fill()
            b.get(end)
            b.const(at)
            b.const(length)
            b.memory_copy()
            b.get(out)
            b.get(end)
            b.const(length - block)
            b.op("i32.add", "i64.extend_i32_u")
            b.call(shared.declare("blake2b", (I64,), (I64,)))
            b.memory("i64.store")
            b.get(out)
            b.const(8)
            b.op("i32.add")
            b.set(out)
        b.get(0)
        b.const64(1)
        b.op("i64.add")
        b.set(0)
        b.get(game)
        b.const(1)
        b.op("i32.add")
        b.set(game)
        b.to(more)
    shared.define(b)
    _blake2b(shared, block)


def _blake2b(shared: Shared, block: int) -> None:
    """The first 8 bytes of the hash of the block, of which so many bytes (0) count."""
    sigma = shared.memory.constant_bytes(bytes(8 * n for r in range(ROUNDS) for n in SIGMA[r % 10]))
    b = Body("blake2b", (I64,), (I64,))
    v = [b.fresh(I64) for _ in range(16)]
    at = b.fresh()
    first = IV[0] ^ 0x01010008
    for local, value in zip(v, (first, *IV[1:], *IV), strict=True):
        b.const64(value)
        b.set(local)
    b.get(v[12])
    b.get(0)
    b.op("i64.xor")
    b.set(v[12])
    b.get(v[14])
    b.const64((1 << 64) - 1)
    b.op("i64.xor")
    b.set(v[14])
    b.const(sigma)
    b.set(at)

    def rotated(x: int, by: int, n: int) -> None:
        b.get(v[x])
        b.get(v[by])
        b.op("i64.xor")
        b.const64(n)
        b.op("i64.rotr")
        b.set(v[x])

    def added(x: int, y: int, word: int | None = None) -> None:
        b.get(v[x])
        b.get(v[y])
        b.op("i64.add")
        if word is not None:
            b.get(at)
            b.memory("i32.load8_u", word)
            b.memory("i64.load", block)
            b.op("i64.add")
        b.set(v[x])

    with b.loop() as more:
        for i, (p, q, r, s) in enumerate(MIXED):
            added(p, q, 2 * i)
            rotated(s, p, 32)
            added(r, s)
            rotated(q, r, 24)
            added(p, q, 2 * i + 1)
            rotated(s, p, 16)
            added(r, s)
            rotated(q, r, 63)
        b.get(at)
        b.const(16)
        b.op("i32.add")
        b.tee(at)
        b.const(sigma + 16 * ROUNDS)
        b.op("i32.lt_u")
        b.to_if(more)
    b.const64(first)
    b.get(v[0])
    b.op("i64.xor")
    b.get(v[8])
    b.op("i64.xor")
    shared.define(b)
