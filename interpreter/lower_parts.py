"""Parts: the components of one game, numbered: kinds, words, pieces, places, boards, lines and state.

Comes in: a checked game and its `Setting`. Goes out: `Parts`, from which the lowering takes every index.
The order is that of the declarations. What never happens: a number of pieces or places that play could
change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from rulewright.dsl import nodes as n
from rulewright.dsl.check_world import World, make_world
from rulewright.dsl.model import Attribute, Board, Checked, Design, Kind, State, Zone
from rulewright.dsl.problems import Problems
from rulewright.interpreter import ir
from rulewright.interpreter.layout import moves_of, space_name
from rulewright.interpreter.setting import Setting, Settler, refuse

MAX_PIECES = 2000


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece with what the lowering needs to know: its kind, owner, design row and the words it was
    copied for.
    """

    kind: str
    owner: int
    design: Design | None
    words: dict[str, int]  # attribute → value, for those that copies run through
    look: int
    name: str
    code: str


@dataclass(slots=True)
class Parts:
    """The numbered components of one game. See the module."""

    checked: Checked
    setting: Setting
    settler: Settler
    world: World
    kinds: list[str] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    stand_ins: list[ir.StandIn] = field(default_factory=list)
    places: list[ir.PlaceInfo] = field(default_factory=list)
    zone_first: dict[str, int] = field(
        default_factory=dict
    )  # zone → its first place (one for each of its type)
    supply_first: int = 1
    mark_first: dict[str, int] = field(default_factory=dict)  # mark → its first place, owner by owner
    boards: list[ir.BoardInfo] = field(default_factory=list)
    board_index: dict[str, int] = field(default_factory=dict)
    first_piece_place: int = 0
    lines: list[str] = field(default_factory=list)
    line_spaces: list[tuple[int, ...]] = field(default_factory=list)
    line_sets: dict[tuple[str, str, int], tuple[int, ...]] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()

    @property
    def player_count(self) -> int:
        """How many play."""
        return len(self.setting.players)

    # ------------------------------------------------------------------- words

    def words(self, enum: str) -> tuple[str, ...]:
        """The words of an enumeration by their numbers: of a part of another one, all of that one."""
        whole = self.checked.game.enums[enum].part_of if enum in self.checked.game.enums else ""
        if whole:
            return self.words(whole)
        if enum in self.world.enums:
            return self.world.enums[enum]
        return self.checked.game.enums[enum].words

    def numbers_of(self, enum: str) -> range:
        """The numbers of the words of an enumeration; those of a part stand side by side in the whole."""
        own = self.world.enums[enum] if enum in self.world.enums else self.checked.game.enums[enum].words
        low = self.words(enum).index(own[0]) if own else 0
        return range(low, low + len(own))

    def range_of(self, enum: str) -> tuple[int, int]:
        """The bounds of a number type in this game."""
        node = self.checked.game.enums[enum].numeric
        assert node is not None
        return self.settler.number(node.low, 0), self.settler.number(node.high, 0)

    def size_of(self, per: str) -> int:
        """How many cells a `per:` of this type has."""
        if per == "player":
            return self.player_count
        if per in self.world.enums:
            return len(self.numbers_of(per))
        if per in self.checked.game.enums:
            low, high = self.range_of(per)
            return high - low + 1
        if per in self.world.parents:
            return len(self.pieces) + len(self.stand_ins)
        return 1

    def lowest_of(self, per: str) -> int:
        """The value that stands in the first cell of a `per:` of this type."""
        if per in self.world.enums:
            return self.numbers_of(per).start
        return self.range_of(per)[0] if per in self.checked.game.enums else 0

    # ------------------------------------------------------------------ pieces

    def pieces_of(self, kind: str) -> tuple[int, ...]:
        """The pieces of a kind, in order."""
        return tuple(i for i, p in enumerate(self.pieces) if self.world.isa(p.kind, kind))

    def kind_of(self, index: int) -> str:
        """The kind of a piece or stand-in."""
        if index < len(self.pieces):
            return self.pieces[index].kind
        return self.kinds[self.stand_ins[index - len(self.pieces)].kind]

    def kinds_there(self) -> set[str]:
        """The kinds of which there is a piece or stand-in."""
        return {p.kind for p in self.pieces} | {self.kinds[s.kind] for s in self.stand_ins}

    def owner_of(self, index: int) -> int:
        """The own owner of a piece or stand-in, or -1."""
        if index < len(self.pieces):
            return self.pieces[index].owner
        return self.stand_ins[index - len(self.pieces)].owner

    @property
    def zones_end(self) -> int:
        """The first place behind the box, the supplies and the zones, which come before all others."""
        return sum(p.kind in ("box", "supply", "zone") for p in self.places)

    @property
    def piece_values(self) -> range:
        """All numbers that can stand for a piece."""
        return range(len(self.pieces) + len(self.stand_ins))


def make_parts(checked: Checked, setting: Setting, settler: Settler) -> Parts:
    """Number the components of a game."""
    parts = Parts(checked, setting, settler, make_world(checked.game, Problems()))
    parts.removed = _removed(parts)
    parts.kinds = list(dict.fromkeys([*checked.game.kinds, "card", "token", "die"]))
    for kind in checked.game.kinds.values():
        if kind.made and path_of(kind) not in parts.removed:
            _make_pieces(parts, kind)
    _make_stand_ins(parts)
    _make_places(parts)
    return parts


def path_of(kind: Kind) -> str:
    """Where a kind is declared, as variants and `without:` call it: `cards.storm`."""
    section = {"card": "cards", "token": "tokens", "die": "dice"}[kind.base]
    return f"{section}.{kind.name}"


def _removed(parts: Parts) -> frozenset[str]:
    """The paths that options switched off with `without:` take out."""
    found: set[str] = set()
    for option in parts.checked.game.options.values():
        if option.without and parts.setting.values.get(option.name) == 0:
            found.update(x.text for x in option.without)
    return frozenset(found)


def inherited(parts: Parts, kind: Kind, what: str) -> object:
    """A key of a kind, or of the nearest kind that it is."""
    value = getattr(kind, what)
    if value:
        return value
    for parent in kind.parents:
        if parent in parts.checked.game.kinds:
            found = inherited(parts, parts.checked.game.kinds[parent], what)
            if found:
                return found
    return value


def icon_of(parts: Parts, kind: Kind, design: Design | None) -> str:
    """The icon of pieces: of their row if its table has such a column, which no attribute is called
    like, else of their kind or the nearest kind that it is. "" if nothing says one."""
    cell = design.cells.get("icon") if design is not None else None
    if cell is not None and cell.text and all(a.name != "icon" for a in attributes_of(parts, kind)):
        return cell.text
    return str(inherited(parts, kind, "icon") or "")


def attributes_of(parts: Parts, kind: Kind) -> list[Attribute]:
    """The attributes of a kind and of all kinds that it is, its own first."""
    found: dict[str, Attribute] = {}
    todo = [kind.name]
    while todo:
        decl = parts.checked.game.kinds.get(todo.pop(0))
        if decl is not None:
            for attribute in decl.attributes:
                found.setdefault(attribute.name, attribute)
            todo += decl.parents
    return list(found.values())


def kind_used(parts: Parts, kind: Kind) -> bool:
    """Whether the options want pieces of a kind."""
    used = inherited(parts, kind, "used_when")
    if not isinstance(used, n.Expr):
        return True
    parts.settler.subject = kind.name
    return bool(parts.settler.fixed(used))


def _make_pieces(parts: Parts, kind: Kind) -> None:
    if not kind_used(parts, kind):
        return
    copies = inherited(parts, kind, "copies")
    per_player = bool(inherited(parts, kind, "per_player"))
    number, per = 1, []
    if isinstance(copies, n.Copies):
        number = parts.settler.number(copies.number, 1)
        per = [name for name, _ in copies.per]
    elif kind.base == "token":
        number = _spaces_of_all_boards(parts)
    if "player" in per:
        per_player = True
        per = [x for x in per if x != "player"]
    attributes = {a.per: a.name for a in attributes_of(parts, kind) if a.per}
    combinations: list[dict[str, int]] = [{}]
    for word_type in per:
        low = parts.lowest_of(word_type)
        values = [low + i for i in range(parts.size_of(word_type))]
        combinations = [{**c, attributes[word_type]: v} for c in combinations for v in values]
    designs: list[Design | None] = list(kind.designs) or [None]
    owners = list(range(parts.player_count)) if per_player else [-1]
    if len(owners) * len(designs) * len(combinations) * number + len(parts.pieces) > MAX_PIECES:
        raise refuse(
            "E506", f"There would be more than {MAX_PIECES} pieces.", "Make fewer copies.", kind.span
        )
    for owner in owners:
        for design in designs:
            for words in combinations:
                copies_here = number
                if design is not None and "copies" in design.cells and design.cells["copies"].text.isdigit():
                    copies_here = int(design.cells["copies"].text)
                look = len(parts.pieces)
                name, code = _names(parts, kind, design, words, owner)
                for _ in range(copies_here):
                    parts.pieces.append(Piece(kind.name, owner, design, words, look, name, code))


def _spaces_of_all_boards(parts: Parts) -> int:
    count = 0
    for board in parts.checked.game.boards.values():
        if board.size != "unbounded":
            width, height = board_size(parts, board)
            count += width * height
    return count or 30


def _names(
    parts: Parts, kind: Kind, design: Design | None, words: dict[str, int], owner: int
) -> tuple[str, str]:
    """The name of a piece for people, and its code for pictures, ids and records."""
    spoken = [_spoken(parts, kind, a, v) for a, v in words.items()]
    base = kind.title or kind.name
    if design is not None:
        base = next(
            (design.cells[c].text for c in ("title", *design.cells) if c in design.cells and c != "code"),
            base,
        )
    name = " ".join([base, *(f"({x})" for x in spoken)]) if spoken else base
    if len(words) == 1 and design is None and kind.base == "card":
        name = spoken[0] if parts.checked.game.kinds[kind.name].attributes else name
    template = str(inherited(parts, kind, "code") or "")
    if not template:
        first = "_".join([kind.name, *(str(x).lower().replace(" ", "_") for x in spoken)])
        if design is not None and "code" in design.cells:
            first = design.cells["code"].text
        return name, first
    return name, re.sub(r"\{([^{}]*)\}", lambda m: _filled(parts, kind, design, words, m[1]), template)


def _spoken(parts: Parts, kind: Kind, attribute: str, value: int) -> str:
    for a in attributes_of(parts, kind):
        if a.name == attribute and a.per in parts.world.enums:
            enum = parts.checked.game.enums.get(a.per)
            return enum.titles[value - parts.lowest_of(a.per)] if enum else parts.words(a.per)[value]
    return str(value)


def _filled(parts: Parts, kind: Kind, design: Design | None, words: dict[str, int], blank: str) -> str:
    """What a blank of a code template becomes: `x`, `initial of x`, `code of x`."""
    how, _, name = blank.rpartition(" of ")
    name = name.strip()
    if name == "kind":
        text = kind.name
    elif name in words:
        per = next((a.per for a in attributes_of(parts, kind) if a.name == name), "")
        enum = parts.checked.game.enums.get(per)
        if how.strip() == "code" and enum is not None and enum.codes:
            return enum.codes[words[name] - parts.lowest_of(per)]
        text = parts.words(per)[words[name]] if per in parts.world.enums else str(words[name])
    elif design is not None and name in design.cells:
        text = design.cells[name].text
        attribute = next((a for a in attributes_of(parts, kind) if a.name == name), None)
        if how.strip() == "code" and attribute is not None and isinstance(attribute.type, n.KindType):
            enum = parts.checked.game.enums.get(attribute.type.kind)
            if enum is not None and text in enum.words:
                return enum.codes[enum.words.index(text)]
    else:
        text = name
    return text[:1].upper() if how.strip() == "initial" else text


def _make_stand_ins(parts: Parts) -> None:
    seen: set[tuple[str, int]] = set()
    for piece in parts.pieces:
        if parts.checked.game.kinds[piece.kind].base == "token" and (piece.kind, piece.owner) not in seen:
            seen.add((piece.kind, piece.owner))
            parts.stand_ins.append(
                ir.StandIn(parts.kinds.index(piece.kind), piece.owner, parts.supply_first + 1 + piece.owner)
            )


# -------------------------------------------------------------------- places


def everybody(parts: Parts) -> ir.SetConst:
    """The set of all players."""
    return ir.SetConst(tuple(range(parts.player_count)))


def _make_places(parts: Parts) -> None:
    game = parts.checked.game
    everyone = everybody(parts)
    parts.places.append(ir.PlaceInfo("box", "box", "box", -1, "set", everyone))
    for owner in range(-1, parts.player_count):
        name = "supply" if owner < 0 else f"supply of {parts.setting.players[owner]}"
        parts.places.append(ir.PlaceInfo(name, "supply", "supply", owner, "set", everyone))
    for zone in game.zones.values():
        parts.zone_first[zone.name] = len(parts.places)
        held = parts.world.kind_called(zone.holds) or zone.holds
        holds = tuple(i for i, kind in enumerate(parts.kinds) if parts.world.isa(kind, held))
        for i in range(parts.size_of(zone.per) if zone.per else 1):
            owner = i if zone.per == "player" else -1
            name = zone.name
            if zone.per == "player":
                name = f"{zone.name} of {parts.setting.players[i]}"
            elif zone.per in parts.world.enums:
                name = f"{zone.name} of {parts.words(zone.per)[parts.lowest_of(zone.per) + i]}"
            faces = None if zone.faces != "hidden" else (owner,) if owner >= 0 else ()
            room = room_of(parts, zone)
            parts.places.append(
                ir.PlaceInfo(name, "zone", zone.name, owner, zone.order, everyone, 0, 0, room, faces, holds)
            )
    for state in game.states.values():
        for mark, levels in state.marks:
            if len(levels) > 1:
                _make_mark(parts, state, mark, levels, everyone)
    for board in game.boards.values():
        for owner in range(parts.player_count) if board.per == "player" else [-1]:
            _make_board(parts, board, owner, everyone)
    parts.first_piece_place = max([len(parts.places), *(b.first + b.width * b.height for b in parts.boards)])


def _make_mark(parts: Parts, state: State, mark: str, levels: tuple[int, ...], everyone: ir.SetConst) -> None:
    """The places of a mark: one for each of its numbers, on the track of each owner."""
    parts.mark_first[mark] = len(parts.places)
    owners: list[tuple[str, ...]] = [()]
    for per in state.per:
        owners = [(*before, name) for before in owners for name in _names_of(parts, per)]
    for owner in owners:
        player = parts.setting.players.index(owner[0]) if state.per[:1] == ("player",) else -1
        for level in levels:
            name = " of ".join([f"{mark} {level}", *owner])
            parts.places.append(ir.PlaceInfo(name, "mark", mark, player, "set", everyone))


def _names_of(parts: Parts, per: str) -> tuple[str, ...]:
    """The names of the values for which something is kept."""
    if per == "player":
        return parts.setting.players
    if per in parts.world.enums:
        return parts.world.enums[per]
    low = parts.lowest_of(per)
    return tuple(str(low + i) for i in range(parts.size_of(per)))


def room_of(parts: Parts, zone: Zone) -> int:
    """How many pieces fit into a zone in this game (`at most:`), or -1 for any number."""
    return -1 if zone.at_most is None else max(0, parts.settler.number(zone.at_most, 0))


def board_size(parts: Parts, board: Board) -> tuple[int, int]:
    """Width and height of a bounded board."""
    sides = []
    for part in board.size.split(" x "):
        value = parts.setting.values.get(part) if not part.isdigit() else int(part)
        sides.append(value if isinstance(value, int) else 1)
    if board.shape.startswith("ring"):
        return int(board.shape.split()[-1]), 1
    return (sides[0], sides[-1]) if len(sides) == 2 else (sides[0], sides[0])


def _make_board(parts: Parts, board: Board, owner: int, everyone: ir.SetConst) -> None:
    first = max([len(parts.places), *(b.first + b.width * b.height for b in parts.boards if b.unbounded)])
    unbounded = board.size == "unbounded"
    if unbounded:
        cards = sum(parts.checked.game.kinds[p.kind].base == "card" for p in parts.pieces)
        side = 16
        while side < cards + 4:  # connected cards can never reach round the back
            side *= 2
        width = height = side
    else:
        width, height = board_size(parts, board)
    parts.board_index.setdefault(board.name, len(parts.boards))
    steps: list[tuple[int, ...]] = []
    if not unbounded:
        steps = [
            _steps(moves_of(board.shape).get(way), width, height)
            for way in parts.world.enums.get("direction", ())
        ]
        while len(parts.places) < first:
            parts.places.append(ir.PlaceInfo("", "space", "", -1, "set", everyone))
        suffix = "" if owner < 0 else f" of {parts.setting.players[owner]}"
        for r in range(height):
            for c in range(width):
                order = "pile" if board.stacks == "covers" else "set"
                parts.places.append(
                    ir.PlaceInfo(space_name(r, c) + suffix, "space", board.name, owner, order, everyone, r, c)
                )
    parts.boards.append(
        ir.BoardInfo(
            board.name,
            board.shape,
            first,
            width,
            height,
            unbounded,
            board.stacks == "covers",
            owner,
            everyone,
            tuple(steps),
        )
    )


def _steps(move: tuple[int, int] | None, width: int, height: int) -> tuple[int, ...]:
    """For each space of a board the one that a move leads to, or -1; without a move it leads nowhere."""
    if move is None:
        return (-1,) * (width * height)
    down, right = move
    found = []
    for r in range(height):
        for c in range(width):
            inside = 0 <= r + down < height and 0 <= c + right < width
            found.append((r + down) * width + c + right if inside else -1)
    return tuple(found)


def lines_of(parts: Parts, board: str, kind: str, length: int) -> tuple[int, ...]:
    """The lines of a board: "row", "column", "diagonal" (whole ones), or "line" of so many spaces."""
    key = (board, kind, length)
    if key not in parts.line_sets:
        found = []
        for name, spaces in _made_lines(parts.boards[parts.board_index[board]], kind, length):
            found.append(len(parts.lines))
            parts.lines.append(name)
            parts.line_spaces.append(spaces)
        parts.line_sets[key] = tuple(found)
    return parts.line_sets[key]


def _made_lines(board: ir.BoardInfo, kind: str, length: int) -> list[tuple[str, tuple[int, ...]]]:
    w, h, first = board.width, board.height, board.first
    found: list[tuple[str, tuple[int, ...]]] = []
    if kind == "row":
        return [(f"row {r + 1}", tuple(first + r * w + c for c in range(w))) for r in range(h)]
    if kind == "column":
        return [
            (f"column {space_name(0, c)[:-1]}", tuple(first + r * w + c for r in range(h))) for c in range(w)
        ]
    slopes = ((1, -1),) if board.shape.startswith("hex") else ((1, 1), (1, -1))
    for down, right in ((0, 1), (1, 0), *slopes):
        if kind == "diagonal" and not (down and right):
            continue
        for r in range(h):
            for c in range(w):
                spaces: list[int] = []
                y, x = r, c
                while 0 <= y < h and 0 <= x < w and (length == 0 or len(spaces) < length):
                    spaces.append(first + y * w + x)
                    y, x = y + down, x + right
                starts = not (0 <= r - down < h and 0 <= c - right < w)
                if (kind == "diagonal" and starts and len(spaces) > 1) or (
                    kind == "line" and len(spaces) == length
                ):
                    end = spaces[-1] - first
                    found.append((f"{space_name(r, c)}-{space_name(*divmod(end, w))}", tuple(spaces)))
    return found
