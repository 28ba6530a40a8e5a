"""A session: people and bots at one table, on a terminal or through a pipe.

Comes in: a match and who sits where. Goes out: an exit code when the game is over or left. Between two
people who must not see the same things the screen is cleared and handed over. What never happens:
anything shown that the one who sits there may not know, or a refused choice without its reason.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulewright.cli import screen
from rulewright.cli.arranging import Arranging
from rulewright.cli.drawing import draw_view
from rulewright.cli.exit_codes import OK, PROBLEMS
from rulewright.cli.menu import Entry, Menu, menu_of, next_menu
from rulewright.cli.saves import write_save
from rulewright.cli.story import since_choice_of, told
from rulewright.cli.table_view import View, result_lines, table_text
from rulewright.dsl.spelling import closest
from rulewright.interpreter.decisions import Decision
from rulewright.interpreter.faults import Refusal
from rulewright.interpreter.match import Match
from rulewright.interpreter.trace import render
from rulewright.playtest.bots import Bot
from rulewright.playtest.settings import Settings

TOLD = 12  # lines of what the others did that are shown without being asked for
CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen and what can be scrolled back to
COUNTS = {
    "agreement": "you choose in secret, as one. It counts if all choose the same.",
    "majority": "you choose in secret, as one. It counts what more than half choose.",
}
HELP = """\
  NUMBER     take that line of the list
  TEXT       an option by its id, or a value in the list
  back       go back in the list
  table      show the table again
  draw FILE  write what you see as a picture (table.svg without a FILE; .png where a program can)
  options    all options by their ids
  why        what happened since your last choice, and because of which rules
  undo       take the last choice back
  save FILE  keep the game, to go on later with --load FILE
  quit       leave the game
While things are laid out: `back` takes the last answer back, `again` starts over, `close` keeps the lay-out.
A word that is also an option means the option; /undo always means the command."""
COMMANDS = ("help", "?", "back", "table", "draw", "options", "why", "undo", "save", "quit", "exit")


class Session:
    """One game at one table. `seats` holds a bot for each player, or None for a person."""

    def __init__(
        self, match: Match, seats: Sequence[Bot | None], names: tuple[str, ...], settings: Settings
    ) -> None:
        self.match = match
        self.seats = list(seats)
        self.names = names
        self.settings = settings
        self.humans = [p for p, bot in enumerate(seats) if bot is None]
        self.looking: int | None = None  # the person the screen belongs to
        self.left: dict[int, View] = {}  # what each person saw when they had chosen
        self.code: int | None = None  # set to leave

    def run(self) -> int:
        """Play until the game is over or left."""
        while self.code is None:
            decision = self.match.decision
            if decision is None:
                return self.finish()
            bot = self.seats[decision.player]
            if bot is not None:
                refused = self.match.choose(bot.choose(self.match))
                if refused is not None:
                    return self.failed(refused)
            else:
                self.turn(decision)
        return self.code

    def finish(self) -> int:
        """The last look at the table."""
        if self.match.fault is not None:
            return self.failed(self.match.fault)
        only = self.humans[0] if len(self.humans) == 1 else None
        view = self.match.view(only)
        screen.say()
        self.tell(only)
        self.show_table(view)
        screen.say()
        self.show(result_lines(view["result"]), "bold")
        return OK

    def failed(self, refused: Refusal) -> int:
        """A rule could not be carried out, and nobody is there to choose something else."""
        screen.complain(f"rulewright: the rules stop here. {refused.reason}")
        return PROBLEMS

    # ------------------------------------------------------------------- a turn

    def turn(self, decision: Decision) -> None:
        """One decision of a person."""
        player = decision.player
        self.hand_over(player, secret=bool(decision.together))
        screen.say()
        self.tell(player)
        self.show_table(self.match.view(player))
        screen.say()
        if decision.kind == "lay":
            Arranging(self, decision).run()
            return
        if decision.joint:
            screen.say(f"{screen.plain(', '.join(decision.together))}: {COUNTS[decision.joint]}")
        menus = [menu_of(decision.options)]
        self.show_menu(decision, menus[-1])
        while self.code is None and self.match.decision is decision:
            typed = self.read(f"{screen.plain(decision.player_name)}> ")
            if typed is None:
                screen.say("\nNothing more to read; the game is left here.")
                self.code = OK
            elif typed:
                self.take(decision, menus, typed)
            else:
                self.show_menu(decision, menus[-1])

    def take(self, decision: Decision, menus: list[Menu], typed: str) -> None:
        """Do what was typed: a line of the menu, an option, or a command."""
        entry = menus[-1].entry(typed)
        word, _, rest = typed.removeprefix("/").partition(" ")
        if entry is None and decision.find(typed) >= 0:
            self.choose(typed)
        elif entry is not None and not typed.startswith("/"):
            if len(entry.options) == 1:
                self.choose(entry.options[0].id)
            else:
                menus.append(next_menu(entry))
                self.show_menu(decision, menus[-1])
        elif word in COMMANDS:
            self.command(decision, menus, word, rest.strip())
        elif typed.isdecimal():
            screen.say(
                f"There is no line {typed}; the list goes from 1 to {len(menus[-1].entries)}.", "yellow"
            )
        else:
            self.choose(self.completed(decision, menus[-1], typed))

    def completed(self, decision: Decision, menu: Menu, typed: str) -> str:
        """What was typed, with the beginning that the menu stands for where it lacks an action."""
        first, actions = typed.split()[0], {o.action for o in decision.options}
        meant = first in actions or closest(first, sorted(actions)) is not None  # perhaps misspelt
        return typed if meant or not menu.prefix else f"{menu.prefix} {typed}"

    def choose(self, option: str) -> None:
        """Choose, and say why not if it is refused."""
        player = self.looking
        refused = self.match.choose(option)
        if refused is None and player is not None:
            self.left[player] = self.match.view(player)
        if refused is not None:
            place = f"  [{refused.span}]" if refused.form in ("rule", "budget") and refused.span.file else ""
            screen.say(f"Not possible: {screen.plain(refused.reason)}{place}", "yellow")

    def command(self, decision: Decision, menus: list[Menu], word: str, rest: str) -> None:
        """One of the words that are no options."""
        match word:
            case "help" | "?":
                screen.say(HELP)
            case "back":
                if len(menus) > 1:
                    menus.pop()
                self.show_menu(decision, menus[-1])
            case "table":
                self.show_table(self.match.view(decision.player))
            case "draw":
                self.draw(decision.player, rest)
            case "options":
                self.show([f"  {screen.plain(o.id)}" for o in decision.options])
            case "why":
                self.why(decision)
            case "undo":
                self.undo()
            case "save":
                self.save(rest)
            case _:
                self.code = OK

    def is_command(self, word: str) -> bool:
        """Whether a typed word is a command."""
        return word in COMMANDS

    def why(self, decision: Decision) -> None:
        """What happened since the player's last choice, down to the rules."""
        tree = self.match.trace_for(decision.player)
        lines = render(since_choice_of(tree, decision.player_name)) if tree is not None else []
        self.show([f"  {screen.plain(line)}" for line in lines] or ["  Nothing has happened yet."])

    def undo(self) -> None:
        """Take back the last choice of a person, with what the bots did since."""
        self.left.clear()
        chosen = [c.player for c in self.match.choices if c.player in self.humans]
        if not chosen:
            screen.say("There is nothing to take back.", "yellow")
        elif self.match.undo(chosen[-1], humans=self.humans):
            screen.say(
                f"Taken back: the last choice of {screen.plain(self.match.program.players[chosen[-1]])}."
            )
        else:
            screen.say(
                "That cannot be taken back: chance has decided since, somebody has learnt something, "
                "or the game was loaded later.",
                "yellow",
            )

    def draw(self, player: int, name: str) -> None:
        """Write a picture of what this player may see; what changed since their last choice stands out."""
        draw_view(self.match.view(player), self.left.get(player), name)

    def save(self, name: str) -> None:
        """Keep the game in a file."""
        if not name:
            screen.say("Write `save` and the name of a file.", "yellow")
            return
        wrong = write_save(Path(name).expanduser(), self.settings, self.names, self.match.save())
        screen.say(wrong or f"Saved. Go on with: rulewright play --load {name}", "yellow" if wrong else "")

    # --------------------------------------------------------------- the screen

    def hand_over(self, player: int, secret: bool) -> None:
        """Give the screen to another person, if they must not see what the last one saw, or chose
        (`secret`)."""
        before, self.looking = self.looking, player
        if before == player or len(self.humans) < 2 or not (secret or self.secrets()):
            return
        name = screen.plain(self.match.program.players[player])
        self.clear()
        screen.say(f"Hand the screen over to {name}.", "bold")
        if screen.is_terminal():
            self.read(f"{name}: press Enter when you alone look at it. ")
        self.clear()

    def secrets(self) -> bool:
        """Whether the people at the table see different things."""
        seen = [_without_decision(self.match.view(p)) for p in self.humans]
        return any(s != seen[0] for s in seen[1:])

    def clear(self) -> None:
        """Empty the screen; through a pipe there is none."""
        if sys.stdout.isatty():
            sys.stdout.write(CLEAR)
            sys.stdout.flush()

    def tell(self, player: int | None) -> None:
        """What the others did since this player chose."""
        tree = self.match.trace_for(player)
        if tree is None:
            return
        if player is not None:
            tree = since_choice_of(tree, self.match.program.players[player])
        lines = told(tree)
        if len(lines) > TOLD:
            lines = ["…", *lines[-TOLD:]]
        if lines:
            self.show([f"  {screen.plain(line)}" for line in lines], "dim")
            screen.say()

    def show_table(self, view: View) -> None:
        """The table, with colours where they can be seen."""
        screen.say(table_text(view))

    def show(self, lines: list[str], style: str = "") -> None:
        """Lines as they are."""
        screen.say("\n".join(lines), style)

    def show_menu(self, decision: Decision, menu: Menu) -> None:
        """The question and the numbered list."""
        asked = f"{screen.plain(decision.player_name)}: {screen.plain(decision.prompt)}"
        screen.say(asked + (f": {screen.plain(menu.heading)}" if menu.heading else ""), "bold")
        width = max(len(_said(e)) for e in menu.entries)
        for number, entry in enumerate(menu.entries, 1):
            typed = screen.plain(entry.value) if len(entry.options) == 1 else ""
            screen.say(f"  {number:>3}  {_said(entry).ljust(width)}  {typed}".rstrip())

    def read(self, prompt: str) -> str | None:
        """A typed line, or None at the end of the input."""
        try:
            typed = input(prompt).strip()
        except EOFError:
            return None
        if not sys.stdin.isatty():
            screen.say(screen.plain(typed))  # so that what was piped in can be followed
        return typed


def _said(entry: Entry) -> str:
    return screen.plain(entry.text)


def _without_decision(view: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in view.items() if k not in ("viewer", "decision")}
