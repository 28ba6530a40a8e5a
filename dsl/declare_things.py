"""Declare the things of a game: words, pieces, zones, boards, state, options and tables.

Comes in: the merged tree of a game. Goes out: the declarations of `dsl/model.py`. Problems E310 … E339.
To add a key: `dsl/schema.py` first, then its reading here.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.dsl import nodes as n
from rulewright.dsl.check_world import singulars
from rulewright.dsl.model import (
    Attribute,
    Board,
    Design,
    Enumeration,
    Kind,
    Layout,
    Option,
    State,
    WordTable,
    Zone,
)
from rulewright.dsl.problems import NOWHERE, Problems, Span
from rulewright.dsl.schema import ICON
from rulewright.dsl.shapes import FIGURE
from rulewright.dsl.slots import Slots, read_logic, scalars
from rulewright.dsl.source import Entry, Mapping, Scalar, Sequence, Table
from rulewright.dsl.tables import Tables

SPECIAL_COLUMNS = ("name", "title", "code", "icon", "copies", "after", "before", "when", "who", "do", "text")
BASES = {"cards": "card", "tokens": "token", "dice": "die"}


def declare_types(root: Slots, tables: Tables) -> dict[str, Enumeration]:
    """The word types, with the columns of their tables."""
    found: dict[str, Enumeration] = {}
    for entry in root.entries("types"):
        name, tree = entry.key.text, entry.value
        if isinstance(tree, Sequence):
            words = tuple(x.text for x in scalars(tree))
            _unique(scalars(tree), f"the type `{name}`", root.problems)
            found[name] = Enumeration(name, words, None, {}, words, words, "", entry.key.span)
        elif isinstance(tree, Scalar):
            node = read_logic(tree, "range", root.problems)
            if node is not None:
                found[name] = Enumeration(name, (), node, {}, (), (), "", entry.key.span)
        elif isinstance(tree, Mapping):
            slots = Slots(tree, root.problems)
            table = tables.read(slots.scalar("table"), name)
            if table is not None:
                found[name] = _table_type(name, slots, table, entry.key.span)
    return found


def _table_type(name: str, slots: Slots, table: Table, span: Span) -> Enumeration:
    columns = {c.text: tuple(row[i] for row in table.rows) for i, c in enumerate(table.columns)}
    first = table.columns[0].text
    words = tuple(x.text for x in columns[first])
    _unique(columns[first], f"the type `{name}`", slots.problems)
    titles = tuple(x.text for x in columns.get("title", columns[first]))
    codes = tuple(x.text for x in columns.get("code", columns[first]))
    others = {k: v for k, v in columns.items() if k != first}
    return Enumeration(name, words, None, others, titles, codes, slots.text("part of"), span)


def _unique(words: tuple[Scalar, ...], where: str, problems: Problems) -> None:
    seen: set[str] = set()
    for word in words:
        if word.text in seen:
            problems.error(
                "E310", word.span, f"`{word.text}` stands twice in {where}.", "Take one of them out."
            )
        seen.add(word.text)


def declare_kinds(root: Slots, tables: Tables) -> dict[str, Kind]:
    """The kinds of pieces: those declared, those under `kinds:` and those in name columns."""
    found: dict[str, Kind] = {}
    for section, base in BASES.items():
        for entry in root.entries(section):
            tree = entry.value if isinstance(entry.value, Mapping) else Mapping((), entry.key.span)
            slots = Slots(tree, root.problems)
            table = tables.read(slots.scalar("table"), entry.key.text) if slots.has("table") else None
            for kind in _kinds_of(entry, base, slots, table, tables):
                if kind.name in found:
                    root.problems.error(
                        "E310",
                        kind.span,
                        f"The kind `{kind.name}` is declared twice.",
                        "Give one of them another name.",
                    )
                found[kind.name] = kind
    above = {parent for kind in found.values() for parent in kind.parents}
    wanted = {kind.name: _all_used_when(found, kind) for kind in found.values()}
    for kind in found.values():
        made = kind.made and not (kind.name in above and kind.copies is None and not kind.designs)
        found[kind.name] = replace(kind, made=made, used_when=wanted[kind.name])
    return found


def _all_used_when(kinds: dict[str, Kind], kind: Kind) -> n.Expr | None:
    """What must hold for a kind to be in a game: what it says itself and what all kinds that it is say.

    None where there is at most one condition and a kind above has it: then that one is found there.
    """
    found: dict[int, n.Expr] = {}
    todo, seen = [kind.name], set[str]()
    while todo:
        one = kinds.get(todo.pop(0))
        if one is not None and one.name not in seen:
            seen.add(one.name)
            todo += one.parents
            if one.used_when is not None:
                found.setdefault(id(one.used_when), one.used_when)
    if len(found) < 2:
        return kind.used_when
    whole: n.Expr | None = None
    for condition in found.values():
        whole = condition if whole is None else n.And(left=whole, right=condition, span=whole.span)
    return whole


def _kinds_of(entry: Entry, base: str, slots: Slots, table: Table | None, tables: Tables) -> list[Kind]:
    name = entry.key.text
    columns = [c.text for c in table.columns] if table else []
    designs = tuple(
        Design({c: row[i] for i, c in enumerate(columns)}, row[0].span)
        for row in (table.rows if table else ())
    )
    _check_icons(slots, designs)
    named = "name" in columns
    listed = tuple(x.text for x in slots.names("kinds"))
    children = listed + (tuple(d.cells["name"].text for d in designs) if named else ())
    parents = tuple(x.text for x in slots.names("is")) or ((base,) if name != base else ())
    copies = (
        slots.logic("copies", "copies") or slots.logic("supply", "copies") or slots.logic("count", "copies")
    )
    faces, face_range, face_type = _faces(name, slots)
    kind = Kind(
        name=name,
        base=base,
        parents=parents,
        children=children,
        attributes=_attributes(name, slots, columns, copies),
        designs=() if named else designs,
        per_player=slots.text("per") == "player",
        copies=copies,
        faces=faces,
        face_range=face_range,
        face_type=face_type,
        first_face=slots.text("face"),
        code=slots.text("code"),
        title=slots.text("title") or title_of(name),
        text=slots.text("text"),
        icon=slots.text("icon"),
        starts_in=slots.text("starts in"),
        used_when=slots.logic("used when", "expr"),
        seen_by=slots.logic("seen by", "seen_by"),
        made=not children,
        span=entry.key.span,
        printed={e.key.text: e.value for e in slots.entries("printed") if isinstance(e.value, Scalar)},
        sides=tables.read(slots.scalar("sides"), name) if slots.has("sides") else None,
    )
    spans = [x.span for x in slots.names("kinds")] + [d.cells["name"].span for d in designs if named]
    kinds = [kind]
    for i, child in enumerate(children):
        row = designs[i - len(listed)] if named and i >= len(listed) else None
        kinds.append(
            Kind(
                child,
                base,
                (name,),
                (),
                (),
                (row,) if row else (),
                kind.per_player,
                copies,
                faces,
                face_range,
                face_type,
                kind.first_face,
                kind.code,
                row.cells["title"].text if row and "title" in row.cells else title_of(child),
                "",
                kind.starts_in,
                kind.used_when,
                kind.seen_by,
                True,
                spans[i],
            )
        )
    return kinds


def _check_icons(slots: Slots, designs: tuple[Design, ...]) -> None:
    """Cells of the column `icon` hold what the key `icon:` takes, or nothing; a declared attribute of
    that name takes what its type says."""
    if any(entry.key.text == "icon" for entry in slots.entries("attributes")):
        return
    for design in designs:
        cell = design.cells.get("icon")
        if cell is not None and cell.text and not re.fullmatch(ICON, cell.text):
            slots.problems.error(
                "E304", cell.span, f"icon cannot be `{cell.text[:40]}`.", "Write one or two signs, as in `⛰`."
            )


def _faces(name: str, slots: Slots) -> tuple[tuple[str, ...], n.NumberRange | None, str]:
    tree = slots.tree.get("faces")
    if isinstance(tree, Sequence):
        return tuple(x.text for x in scalars(tree)), None, name + "_face"
    if isinstance(tree, Scalar):
        text = tree.text.strip()
        if re.fullmatch(r"[a-z][a-z0-9_]*", text) and text not in ("players",):
            return (), None, text
        return (), read_logic(tree, "range", slots.problems), ""
    return (), None, ""


def _attributes(
    kind: str, slots: Slots, columns: list[str], copies: n.Copies | None
) -> tuple[Attribute, ...]:
    found: dict[str, Attribute] = {}
    for entry in slots.entries("attributes"):
        tree = entry.value
        inner = Slots(tree, slots.problems) if isinstance(tree, Mapping) else None
        type_node = inner.logic("is", "type") if inner else read_logic(tree, "type", slots.problems)
        start = inner.logic("start", "expr") if inner else None
        column = entry.key.text if entry.key.text in columns else ""
        found[entry.key.text] = Attribute(entry.key.text, kind, type_node, start, column, "", entry.key.span)
    for column in columns:
        if column not in SPECIAL_COLUMNS and column not in found:
            found[column] = Attribute(column, kind, None, None, column, "", NOWHERE)
    for per, span in copies.per if copies else ():
        if per == "player":
            continue
        typed = [a for a in found.values() if _words_of(a.type) == per and not a.column]
        if len(typed) == 1:
            a = typed[0]
            found[a.name] = Attribute(a.name, kind, a.type, a.start, "", per, a.span)
        elif per not in found:
            found[per] = Attribute(per, kind, n.KindType(kind=per, span=span), None, "", per, span)
    return tuple(found.values())


def _words_of(type_: n.TypeNode | None) -> str:
    """The type of words that an attribute takes, or ""."""
    if isinstance(type_, n.OptionalType):
        return _words_of(type_.inner)
    return type_.kind if isinstance(type_, n.KindType) else ""


def declare_zones(root: Slots) -> dict[str, Zone]:
    """The zones."""
    found = {}
    for entry in root.entries("zones"):
        if not isinstance(entry.value, Mapping):
            continue
        s = Slots(entry.value, root.problems)
        found[entry.key.text] = Zone(
            entry.key.text,
            s.text("title") or title_of(entry.key.text),
            s.text("holds", "card"),
            s.text("as", "set"),
            s.text("per"),
            s.logic("seen by", "seen_by"),
            s.logic("at most", "expr"),
            s.text("refill from"),
            entry.key.span,
            s.text("faces"),
        )
    return found


def declare_boards(root: Slots) -> dict[str, Board]:
    """The boards."""
    found = {}
    for entry in root.entries("boards"):
        if not isinstance(entry.value, Mapping):
            continue
        s = Slots(entry.value, root.problems)
        forward = tuple(
            (e.key.text, e.value.text) for e in s.entries("forward") if isinstance(e.value, Scalar)
        )
        size = s.scalar("size")
        found[entry.key.text] = Board(
            entry.key.text,
            s.text("title") or title_of(entry.key.text),
            s.text("shape", "square grid"),
            s.text("size"),
            s.text("per"),
            s.logic("seen by", "seen_by"),
            s.text("stacks", "piles"),
            forward,
            entry.key.span,
            size.span if size else entry.key.span,
            tuple(e.key.text for e in entry.value.entries),
            tuple((e.key, scalars(e.value)) for e in s.entries("edges")),
        )
    return found


def declare_states(root: Slots, key: str = "state", phase: str = "") -> dict[str, State]:
    """State and tracks, of the game or of a phase."""
    found = {}
    for entry in root.entries(key):
        if not isinstance(entry.value, Mapping):
            continue
        s = Slots(entry.value, root.problems)
        marks = tuple(
            (e.key.text, tuple(int(x.text) for x in scalars(e.value) if FIGURE.match(x.text)))
            for e in s.entries("marks")
        )
        found[entry.key.text] = State(
            name=entry.key.text,
            title=s.text("title"),
            type=s.logic("is", "type"),
            low=s.logic("from", "expr"),
            high=s.logic("to", "expr"),
            per=tuple(x.text for x in s.names("per")),
            start=s.logic("start", "expr"),
            seen_by=s.logic("seen by", "seen_by"),
            ends=s.text("ends"),
            one_by_one=s.yes("one by one"),
            outside_position=s.yes("outside position"),
            marks=marks,
            track=key == "tracks",
            phase=phase,
            span=entry.key.span,
        )
    return found


def declare_options(root: Slots) -> dict[str, Option]:
    """The options."""
    found = {}
    for entry in root.entries("options"):
        if isinstance(entry.value, Mapping):
            slots = Slots(entry.value, root.problems)
            found[entry.key.text] = _option(entry.key, slots, *_taken(root, slots.text("some of")))
    return found


def _taken(root: Slots, word: str) -> tuple[str, str]:
    """What `some of` names, singular or plural: a type of words, or `kind` and the kind of piece; as it is
    written if it is neither."""
    types = {entry.key.text for entry in root.entries("types")}
    kinds = {*BASES.values(), *(entry.key.text for section in BASES for entry in root.entries(section))}
    for name in singulars(word):
        if name in types:
            return name, ""
        if name in kinds:
            return "kind", name
    return word, ""


def _option(key: Scalar, s: Slots, of_type: str, of_kind: str) -> Option:
    default = s.tree.get("default")
    text = default.text.strip() if isinstance(default, Scalar) else ""
    bundles = tuple(
        (e.key.text, tuple((x.key.text, x.value) for x in e.value.entries if x.value is not None))
        for e in s.entries("bundles")
        if isinstance(e.value, Mapping)
    )
    choices = tuple(x.text for x in s.names("choices"))
    at_random = text == "at random" or text.endswith(" at random")
    if bundles:
        form, choices = "bundles", tuple(name for name, _ in bundles)
    elif s.has("some of"):
        form = "some of"
    elif choices in (("players",), ("layouts",)):
        form = choices[0]
    elif s.has("choices"):
        form = "words"
    elif s.has("from") or s.has("to"):
        form = "number"
    elif text in ("yes", "no"):
        form = "yesno"
    else:
        form = "number"
        s.problems.error(
            "E311",
            key.span,
            f"Nothing says what the option `{key.text}` may be.",
            "Give it `default: yes` or `no`, a range with `from:` and `to:`, or `choices: [one, another]`.",
        )
    default_expr = how_many = None
    if isinstance(default, Scalar) and form == "number":
        default_expr = read_logic(default, "expr", s.problems)
    elif isinstance(default, Scalar) and form == "some of" and text.endswith(" at random"):
        part = Scalar(text[: -len(" at random")], default.span, default.style, default.map)
        how_many = read_logic(part, "expr", s.problems)
    return Option(
        key.text,
        s.text("title") or title_of(key.text),
        form,
        default,
        default_expr,
        s.logic("from", "expr"),
        s.logic("to", "expr"),
        choices,
        of_type,
        at_random,
        how_many,
        bundles,
        s.names("without"),
        s.text("board"),
        key.span,
        of_kind,
    )


def declare_word_tables(root: Slots) -> dict[str, WordTable]:
    """The tables drawn as pictures: a header line, then a line for each key. Wrong lines are left out."""
    found = {}
    for entry in root.entries("tables"):
        picture = entry.value
        if not isinstance(picture, Scalar):
            continue
        lines = _rows(picture)
        if len(lines) < 2:
            root.problems.error(
                "E312",
                picture.span,
                f"The table `{entry.key.text}` has no lines below its first one.",
                "Its first line names the columns; each line below has one value for each of them.",
            )
            continue
        good = [line for line in lines[1:] if _even(line, lines[0], picture, entry.key.text, root.problems)]
        columns = {
            name: tuple(int(line[i][0]) for line in good) or (0, 999)
            for i, (name, _) in enumerate(lines[0])
            if i
        }
        keys = tuple(line[0][0] for line in good)
        found[entry.key.text] = WordTable(entry.key.text, lines[0][0][0], keys, columns, entry.key.span)
    return found


Row = list[tuple[str, int]]  # the words of a line, each with its place in the picture


def _rows(picture: Scalar) -> list[Row]:
    """The lines of a picture that say something."""
    rows: list[Row] = []
    offset = 0
    for line in picture.text.split("\n"):
        row = [(m.group(), offset + m.start()) for m in re.finditer(r"\S+", line)]
        rows += [row] if row else []
        offset += len(line) + 1
    return rows


def _even(line: Row, head: Row, picture: Scalar, name: str, problems: Problems) -> bool:
    """Whether a line of a table has a figure for each column; what is wrong is reported at its place."""
    if len(line) != len(head):
        (_, start), (last, end) = line[0], line[-1]
        problems.error(
            "E312",
            picture.at(start, end + len(last)),
            f"The table `{name}` is not even: this line has {len(line)} values for {len(head)} columns.",
            "Its first line names the columns; each line below has one value for each of them.",
        )
        return False
    wrong = next((x for x in line[1:] if not re.fullmatch(r"-?[0-9]{1,6}", x[0])), None)
    if wrong is not None:
        problems.error(
            "E312",
            picture.at(wrong[1], wrong[1] + len(wrong[0])),
            f"The table `{name}` holds `{wrong[0]}`, which is no number.",
            "Write a figure.",
        )
    return wrong is None


def declare_layouts(root: Slots) -> dict[str, Layout]:
    """The layouts: where the numbers 1, 2, 3 … stand in a picture."""
    found = {}
    for entry in root.entries("layouts"):
        picture = entry.value
        if not isinstance(picture, Scalar):
            continue
        cells = _layout_cells(picture, entry.key.text, root.problems)
        rows = [line.split() for line in picture.text.split("\n") if line.strip()]
        width = max(len(r) for r in rows)
        found[entry.key.text] = Layout(entry.key.text, cells, len(rows), width, entry.key.span)
    return found


def _layout_cells(picture: Scalar, name: str, problems: Problems) -> tuple[tuple[int, int], ...]:
    """The places of 1, 2, 3 …; of none when a number is missing, stands twice or is none."""
    rows = _rows(picture)
    words = [
        (word, at, (r, c)) for r, row in enumerate(rows) for c, (word, at) in enumerate(row) if word != "."
    ]
    wanted = [str(i + 1) for i in range(len(words))]
    seen: dict[str, tuple[int, int]] = {}
    for word, at, place in words:
        if word not in wanted or word in seen:
            missing = next(w for w in wanted if w not in {x for x, _, _ in words})
            problems.error(
                "E313",
                picture.at(at, at + len(word)),
                f"The layout `{name}` does not count 1, 2, 3 … without gaps: `{word}` stands here, "
                f"and {missing} is missing.",
                "Write each number once, and `.` for an empty space.",
            )
            return ()
        seen[word] = place
    if not words:
        problems.error(
            "E313", picture.span, f"The layout `{name}` has no numbers.", "Write 1, 2, 3 … where things lie."
        )
    return tuple(seen[w] for w in wanted)


def title_of(name: str) -> str:
    """`capture_area` as people read it: `Capture area`."""
    return name[:1].upper() + name[1:].replace("_", " ")
