"""Known, not yet playable: what the language can say and the machines cannot do yet.

Comes in: a game. Goes out: a problem (E449) at every place that uses such a form, so that nothing is
played half. The list below is the whole of it. It may only become shorter; a test compares it with the
one that it remembers, and it is empty when the three rulebooks are whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from rulewright.dsl import nodes as n
from rulewright.dsl.model import Game
from rulewright.dsl.nodes_walk import walk
from rulewright.dsl.problems import Problems, Span

NOT_YET: dict[str, str] = {
    "teams": "teams",
    "custom boards": "boards from tables of spaces and links",
    "edges and corners": "edges and corners of a board as places (`places:`)",
    "hex grids": "boards of hexagons that are no rhombus (`hex grid`)",
    "ring boards": "rings",
    "owned spaces": "spaces that belong to players (`owned:`)",
    "several boards": "`going`, neighbours and distances where a game has several boards",
    "chosen order": "rules whose order a player chooses (`order chosen by:`)",
    "once per": "events and rules `once per` phase, and `depth:`",
    "seen kinds": "`seen by:` on kinds of pieces and their attributes",
    "this turn": "`has happened this turn`",
    "repeats": "`repeats` and `turn_number`",
    "shown properties": "`show` of a single property",
    "counting phases": "rules that forbid or replace entering, leaving and skipping",
    "built-in events": "rules on `turn_begins` and `turn_ends`, and what is not `after:` of `ran_out`",
    "can of an action": "`can` of an action (of an event it can be played)",
    "at once": "anything but events, moves, `let`, `if` and `for each` under `at once`",
    "numbers of another": "`part of:` types whose words do not stand side by side in the whole",
}


ON_A_BOARD = (
    "adjacent", "surrounding", "diagonal", "row_number", "column_number", "first_edge", "last_edge",
)  # fmt: skip


def check_not_yet(game: Game, problems: Problems) -> None:
    """Report every use of what cannot be played yet."""
    for form, span in _uses(game):
        problems.error(
            "E449",
            span,
            f"This is known, but cannot be played yet: {NOT_YET[form]}.",
            "Leave it out for now, or say it in another way.",
        )


def _uses(game: Game) -> Iterator[tuple[str, Span]]:
    yield from _uses_in_things(game)
    yield from _uses_in_play(game)
    several = len(game.boards) > 1 or any(b.per for b in game.boards.values())
    for node in nodes_of(game):
        match node:
            case n.Can(event=event) if event in game.actions:
                yield "can of an action", node.span
            case n.ForEach(at_once=True, body=body):
                yield from (("at once", x.span) for x in _not_at_once(body))
            case n.Of(name="team" | "partner"):
                yield "teams", node.span
            case n.Name(text="repeats" | "turn_number"):
                yield "repeats", node.span
            case n.HasHappened(phase="turn"):
                yield "this turn", node.span
            case n.Show(things=n.Of(name="face" | "kind")):
                yield "shown properties", node.span
            case n.Going() | n.Linked() if several:
                yield "several boards", node.span
            case n.Of(name=name) if several and name in ON_A_BOARD:
                yield "several boards", node.span


def _not_at_once(block: n.Block) -> Iterator[n.Effect]:
    for effect in block:
        match effect:
            case n.Do() | n.Move() | n.Let():
                continue
            case n.If(branches=branches, otherwise=otherwise):
                for _, body in branches:
                    yield from _not_at_once(body)
                yield from _not_at_once(otherwise or ())
            case n.ForEach(at_once=False, body=body):
                yield from _not_at_once(body)
            case _:
                yield effect


def _uses_in_things(game: Game) -> Iterator[tuple[str, Span]]:
    if game.teams:
        yield "teams", game.span
    for board in game.boards.values():
        if not board.size and not board.shape.startswith("ring"):
            yield "custom boards", board.span
        if board.shape == "hex grid":
            yield "hex grids", board.span
        if board.shape.startswith("ring"):
            yield "ring boards", board.span
        for key, form in (
            ("owned", "owned spaces"),
            ("places", "edges and corners"),
        ):
            if key in board.other_keys:
                yield form, board.span
    for kind in game.kinds.values():
        if kind.seen_by is not None:
            yield "seen kinds", kind.span
    for enum in game.enums.values():
        whole = game.enums.get(enum.part_of)
        if whole is not None and " ".join(enum.words) not in " ".join(whole.words):
            yield "numbers of another", enum.span


def _uses_in_play(game: Game) -> Iterator[tuple[str, Span]]:
    for event in game.events.values():
        if event.once_per or event.depth:
            yield "once per", event.span
    for rule in game.rules:
        if rule.once_per:
            yield "once per", rule.span
        if rule.order_chosen_by is not None:
            yield "chosen order", rule.span
        for happening in rule.happenings:
            built_in = happening.word == "event" and happening.name not in game.events
            if built_in and (
                happening.name in ("turn_begins", "turn_ends")
                or (happening.name == "ran_out" and rule.form != "after")
            ):
                yield "built-in events", happening.span
            if happening.word in ("entering", "leaving", "skipping") and rule.form in ("forbid", "instead"):
                yield "counting phases", happening.span


def nodes_of(game: Game) -> Iterator[n.Node]:
    """Every node of logic in a game."""

    def inside(value: object) -> Iterator[n.Node]:
        if isinstance(value, n.Node):
            yield from walk(value)
        elif isinstance(value, tuple | list):
            for item in value:
                yield from inside(item)
        elif isinstance(value, dict):
            for item in value.values():
                yield from inside(item)
        elif is_dataclass(value) and not isinstance(value, Span | type):
            for field in fields(value):
                yield from inside(getattr(value, field.name))

    yield from inside(
        (game.actions, game.events, game.rules, game.flow, game.setup, game.ends, game.defines, game.always)
    )
