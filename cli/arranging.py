"""Arranging: a person lays things out and takes them back freely, until they close it.

Comes in: a session whose open decision is a part of an arrangement. Goes out: the answers, made in the match
one by one when the person closes the arrangement; until then they are tried out on a copy that goes no
further than the arrangement. What never happens: something taken back by which the person has learnt
something: an answer that reveals something is made in the match at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulewright.cli import screen
from rulewright.cli.drawing import draw_view
from rulewright.cli.exit_codes import OK
from rulewright.cli.menu import Menu, menu_of
from rulewright.cli.table_view import table_lines
from rulewright.interpreter.decisions import Decision
from rulewright.interpreter.match import Match

if TYPE_CHECKING:
    from rulewright.cli.session import Session

HOW = "Lay things out: `back` takes the last answer back, `again` starts over, in the end `close` keeps it."
OWN = ("back", "again", "undo", "close", "table", "draw", "options")


class Arranging:
    """One arrangement of one person. `path` are the answers that only the copy knows."""

    def __init__(self, session: Session, decision: Decision) -> None:
        self.session = session
        self.player = decision.player
        self.name = screen.plain(decision.player_name)
        self.path: list[str] = []
        self.draft = session.match.aside()
        self.done = False

    def run(self) -> None:
        """Ask until the arrangement is closed, or the game is left."""
        screen.say(HOW, "dim")
        while not self.done and self.session.code is None:
            decision = self.draft.decision
            if decision is not None:
                self.ask(decision)
            else:
                self.confirm()

    # ---------------------------------------------------------------- asking

    def ask(self, decision: Decision) -> None:
        """One question; a refused answer says why."""
        self.show_changes()
        menu = menu_of(decision.options)
        by_number = decision.laying is not None and bool(decision.laying.goal)
        if by_number:
            first, last = (o.values[0][1] for o in (decision.options[0], decision.options[-1]))
            screen.say(f"{self.name}: {screen.plain(decision.prompt)}  {first} to {last}", "bold")
        else:
            self.session.show_menu(decision, menu)
        typed = self.read(f"{self.name}> ")
        if not typed:
            return
        entry = menu.entry(typed) if not by_number else None
        if entry is not None and len(entry.options) == 1:
            typed = entry.options[0].id
        index = decision.find(typed)
        if index >= 0:
            self.answer(decision, index)
        elif not self.command(typed, decision, menu):
            reason = self.draft.explain_refusal(typed).reason
            screen.say(f"Not possible: {screen.plain(reason)}", "yellow")

    def answer(self, decision: Decision, index: int) -> None:
        """Try an answer out; one by which the person learns something counts at once."""
        name, before = decision.id_of(index), self.known(self.draft)
        refused = self.draft.choose(index)
        if refused is not None:
            screen.say(f"Not possible: {screen.plain(refused.reason)}", "yellow")
            return
        self.path.append(name)
        if self.known(self.draft) != before:
            screen.say("You have learnt something by this: what has been laid stays.", "yellow")
            self.close()

    def known(self, match: Match) -> list[int]:
        """Which pieces the person knows."""
        code, s = match.state.code, match.state
        return [p for p in range(len(match.program.pieces)) if code.knowers(s, p) >> self.player & 1]

    def confirm(self) -> None:
        """All is laid: the lay-out is shown, and may still be taken back."""
        self.show_changes()
        typed = self.read(f"{self.name} (close, back or again)> ")
        decision = self.session.match.decision
        if typed and decision is not None and not self.command(typed, decision, menu_of(decision.options)):
            screen.say("Type `close` to keep this, `back` or `again` to change it.", "yellow")

    # -------------------------------------------------------------- commands

    def command(self, typed: str, decision: Decision, menu: Menu) -> bool:
        """Do what a command says; False if it is none."""
        word, _, rest = typed.removeprefix("/").partition(" ")
        if word in OWN:
            self.own_command(word, rest.strip())
        elif self.session.is_command(word):
            self.session.command(decision, [menu], word, rest.strip())
        else:
            return False
        return True

    def own_command(self, word: str, rest: str = "") -> None:
        """A command that means something else while things are laid out."""
        decision = self.draft.decision
        match word:
            case "close" if decision is None:
                self.close()
            case "close":
                screen.say("Something is left to lay; `stay` leaves it where it is.", "yellow")
            case "again" if self.path:
                self.go_back_to(0)
            case "back" | "undo" if self.path:
                self.go_back_to(len(self.path) - 1)
            case "undo":
                self.session.undo()
                self.done = True
            case "table":
                self.session.show(table_lines(self.draft.view(self.player)))
            case "draw":
                self.draw(rest)
            case "options" if decision is not None:
                self.session.show([f"  {screen.plain(o.id)}" for o in decision.options])
            case _:
                screen.say("Nothing has been laid yet." if not self.path else "All is laid.", "yellow")

    def go_back_to(self, count: int) -> None:
        """Stand where the arrangement stood after so many answers."""
        del self.path[count:]
        self.draft = self.session.match.aside()
        for option in self.path:
            self.draft.choose(option)

    def close(self) -> None:
        """Make all the answers in the match."""
        self.done = True
        for option in self.path:
            self.session.choose(option)

    # ---------------------------------------------------------------- screen

    def show_changes(self) -> None:
        """The places where something else lies than before the arrangement."""
        before, now = self.session.match.view(self.player), self.draft.view(self.player)
        changed: dict[str, Any] = {**now, "state": {}}
        for part in ("zones", "boards"):
            changed[part] = {k: v for k, v in now[part].items() if v != before[part].get(k)}
        if changed["zones"] or changed["boards"]:
            self.session.show(table_lines(changed)[1:])
            screen.say()

    def draw(self, name: str) -> None:
        """Write a picture of the lay-out as it stands; what has been laid stands out."""
        draw_view(self.draft.view(self.player), self.session.match.view(self.player), name)

    def read(self, prompt: str) -> str | None:
        """A typed line; None at the end of the input, where the game is left."""
        typed = self.session.read(prompt)
        if typed is None:
            screen.say("\nNothing more to read; the game is left here.")
            self.session.code = OK
        return typed
