"""Declare a game: from the merged tree of its files to the `Game` model.

Comes in: a tree that has been checked against the schema. Goes out: a `Game` with all logic parsed, or None
when there is too little to go on with. What never happens: a name is looked up here (that is
`dsl/check_*`).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from rulewright.dsl import nodes as n
from rulewright.dsl.declare_play import (
    declare_actions,
    declare_defines,
    declare_ends,
    declare_events,
    declare_flow,
    declare_rules,
    phases_by_name,
)
from rulewright.dsl.declare_things import (
    declare_boards,
    declare_kinds,
    declare_layouts,
    declare_options,
    declare_states,
    declare_types,
    declare_word_tables,
    declare_zones,
)
from rulewright.dsl.model import Game
from rulewright.dsl.problems import Problems, Span
from rulewright.dsl.slots import Slots, read_logic, scalars
from rulewright.dsl.source import Mapping, Scalar, Sequence, Tree
from rulewright.dsl.tables import Tables

TEXT_KEYS = ("title", "text", "because", "game")  # sentences for people: no part of the rules hash
PIECE_SECTIONS = ("cards", "tokens", "dice")  # the `icon:` of a kind there is for people, too


def declare(
    tree: Mapping,
    name: str,
    folder: Path,
    tables: Tables,
    problems: Problems,
    variants: tuple[str, ...] = (),
    variant_options: tuple[tuple[str, Tree], ...] = (),
    files: tuple[str, ...] = (),
) -> Game:
    """The model of the game whose merged tree this is. `name` is the folder's or file's name."""
    root = Slots(tree, problems)
    actions = declare_actions(root)
    flow = declare_flow(root, actions)
    kinds = declare_kinds(root, tables)
    low, high, seats = _players(tree, problems)
    setup_block: n.Block = ()
    pictures: list[tuple[str, Scalar]] = []
    for entry in root.entries("setup"):
        if not isinstance(entry.value, Scalar):
            continue
        if entry.key.text == "do":
            setup_block = read_logic(entry.value, "effect", problems) or ()
        else:
            pictures.append((entry.key.text, entry.value))
    return Game(
        name=name,
        title=root.text("game") or name,
        text=root.text("text"),
        players_low=low,
        players_high=high,
        players_span=_where(tree, "players"),
        seats=seats,
        seat_type=root.text("seats"),
        teams=tuple((e.key.text, tuple(x.text for x in scalars(e.value))) for e in root.entries("teams")),
        order=root.logic("order", "turns"),
        options=declare_options(root),
        word_tables=declare_word_tables(root),
        layouts=declare_layouts(root),
        enums=declare_types(root, tables),
        kinds=kinds,
        zones=declare_zones(root),
        boards=declare_boards(root),
        states={**declare_states(root), **declare_states(root, "tracks")},
        defines=declare_defines(root),
        setup_pictures=tuple(pictures),
        setup=setup_block,
        flow=flow,
        phases=phases_by_name(flow, problems),
        actions=actions,
        events=declare_events(root),
        rules=declare_rules(root, kinds),
        ends=declare_ends(root),
        notation={e.key.text: e.value for e in root.entries("notation") if isinstance(e.value, Scalar)},
        always=_always(root),
        files=files,
        folder=str(folder),
        variants=variants,
        variant_options=variant_options,
        rules_hash=hash_of(tree, tables),
        span=tree.span,
    )


def _always(root: Slots) -> dict[str, tuple[n.Expr, Span]]:
    found = {}
    for entry in root.entries("always"):
        node = read_logic(entry.value, "expr", root.problems)
        if node is not None:
            found[entry.key.text] = (node, entry.key.span)
    return found


def _where(tree: Mapping, key: str) -> Span:
    """Where the value of a key stands; where the whole begins, if it is not there."""
    value = tree.get(key)
    return tree.span if value is None else value.span


def _players(tree: Mapping, problems: Problems) -> tuple[int, int, tuple[str, ...]]:
    players = tree.get("players")
    if isinstance(players, Sequence):
        seats = tuple(x.text for x in scalars(players))
        return len(seats), len(seats), seats
    node = read_logic(players, "range", problems)
    if isinstance(node, n.NumberRange) and isinstance(node.low, n.Number) and isinstance(node.high, n.Number):
        low, high = node.low.value, node.high.value
        if 1 <= low <= high <= 20:
            return low, high, ()
        problems.error(
            "E314",
            node.span,
            "A game is for 1 to 20 players.",
            "Write the least number first, as in `2 to 5`.",
        )
    elif node is not None:
        problems.error(
            "E314", node.span, "The number of players must be figures.", "Write it as in `2 to 5`."
        )
    return 2, 2, ()


def hash_of(tree: Mapping, tables: Tables) -> str:
    """The rules hash: a digest of the rules without their sentences and without their layout."""
    digest = hashlib.blake2b(digest_size=16)
    _feed(tree, digest)
    for name in sorted(set(tables.names)):
        digest.update(name.encode())
        path = tables.folder / name
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") if path.is_file() else b"")
    for change in tables.changes:
        digest.update(f"{change.of}.{change.row}.{change.column}={change.value.text}".encode())
    return digest.hexdigest()


def _feed(tree: Tree | None, digest: hashlib.blake2b, path: tuple[str, ...] = ()) -> None:
    if isinstance(tree, Mapping):
        digest.update(b"{")
        of_a_kind = len(path) == 2 and path[0] in PIECE_SECTIONS
        for entry in tree.entries:
            if entry.key.text in TEXT_KEYS or entry.key.text in ("scenarios", "include"):
                continue
            if of_a_kind and entry.key.text == "icon":
                continue
            digest.update(entry.key.text.encode() + b":")
            _feed(entry.value, digest, (*path, entry.key.text))
        digest.update(b"}")
    elif isinstance(tree, Sequence):
        digest.update(b"[")
        for item in tree.items:
            _feed(item, digest, path)
            digest.update(b",")
        digest.update(b"]")
    elif isinstance(tree, Scalar):
        lines = [line.rstrip() for line in tree.text.split("\n")]
        text = "\n".join(x for x in lines if x) if tree.style == "literal" else " ".join(tree.text.split())
        digest.update(text.encode("utf-8", "surrogatepass"))
