"""The schema of rule files: every structural key and every value of it.

Comes in: nothing. Goes out: shapes (`dsl/shapes.py`) for a game, a variant and a scenario file.
The shapes say which texts are logic, and the slot of the grammar they are read with; the reader of
declarations (`dsl/declare`) and the JSON Schema for editors follow them.
To add a key: a line here, its reading in `dsl/declare`, its meaning in docs/language.md.
"""

from __future__ import annotations

from rulewright.dsl.shapes import (
    ANameOf,
    Anything,
    Either,
    Figure,
    Key,
    Keys,
    Later,
    ListOf,
    Logic,
    MapOf,
    Pattern,
    Shape,
    Text,
    Words,
)

EXPR, EFFECT, CHOICE, WHO = Logic("expr"), Logic("effect"), Logic("choice"), Logic("who")
TITLE = Key(Text("a short title"))
TEXT = Key(Text("a sentence"))
SEEN_BY = Key(Logic("seen_by"))
EVENTS = ListOf(Logic("event"), or_one=True)
YES_NO = Words(("yes", "no"))
PER = Either(scalar=ANameOf("a type"), sequence=ListOf(ANameOf("a type")))
ENDS = Words(("stop", "wrap"))
ICON = (
    "\\S{1,2}[\ufe0e\ufe0f]?"  # the last one says whether the sign before it is drawn as text or as a picture
)

OPTION = Keys(
    "An option",
    {
        "title": TITLE,
        "text": TEXT,
        "default": Key(Either(scalar=Text("a value"), sequence=ListOf(Text("a word")))),
        "from": Key(EXPR),
        "to": Key(EXPR),
        "choices": Key(
            Either(scalar=Words(("players", "layouts")), sequence=ListOf(ANameOf("a word"), least=2))
        ),
        "some of": Key(ANameOf("a type")),
        "bundles": Key(
            MapOf(
                MapOf(
                    Either(scalar=Text("a value"), sequence=ListOf(Text("a word"))),
                ),
            )
        ),
        "without": Key(ListOf(Text("a path"))),
        "board": Key(ANameOf("a board")),
    },
)

TYPE = Either(
    scalar=Logic("range"),
    sequence=ListOf(Text("a word"), least=1),
    mapping=Keys(
        "A type", {"table": Key(Text("a CSV file"), required=True), "part of": Key(ANameOf("a type"))}
    ),
)

RULE = Keys(
    "A rule",
    {
        "title": TITLE,
        "text": TEXT,
        "forbid": Key(EVENTS),
        "instead of": Key(EVENTS),
        "before": Key(EVENTS),
        "after": Key(EVENTS),
        "change": Key(ANameOf("a definition")),
        "when": Key(EXPR),
        "to": Key(EXPR),
        "do": Key(EFFECT),
        "because": Key(Text("a sentence")),
        "priority": Key(Figure(-1000, 1000)),
        "once per": Key(ANameOf("a phase")),
        "order chosen by": Key(WHO),
        "used when": Key(EXPR),
    },
)
RULES = MapOf(RULE)

ATTRIBUTE = Either(
    scalar=Logic("type"),
    mapping=Keys(
        "An attribute", {"is": Key(Logic("type"), required=True), "start": Key(EXPR), "seen by": SEEN_BY}
    ),
)

PIECE_KEYS = {
    "title": TITLE,
    "text": TEXT,
    "is": Key(ListOf(ANameOf("a kind"), or_one=True)),
    "kinds": Key(ListOf(ANameOf("a kind"), least=1)),
    "table": Key(Text("a CSV file")),
    "attributes": Key(MapOf(ATTRIBUTE)),
    "printed": Key(MapOf(Text("the value of an attribute"))),
    "per": Key(ANameOf("a type")),
    "copies": Key(Logic("copies")),
    "supply": Key(Logic("copies")),
    "count": Key(Logic("copies")),
    "faces": Key(Either(scalar=Logic("range"), sequence=ListOf(Text("a face"), least=1))),
    "face": Key(Text("the face at the start")),
    "sides": Key(Text("a CSV file")),
    "code": Key(Text("a code for pictures and records")),
    "icon": Key(Pattern(ICON, "one or two signs, as in `⛰`")),
    "starts in": Key(ANameOf("a zone")),
    "seen by": SEEN_BY,
    "used when": Key(EXPR),
    "rules": Key(RULES),
}
CARD = Keys("A card", {k: v for k, v in PIECE_KEYS.items() if k not in ("supply", "count", "sides")})
TOKEN = Keys("A token", {k: v for k, v in PIECE_KEYS.items() if k not in ("count", "table", "sides")})
DIE = Keys("A die", {k: v for k, v in PIECE_KEYS.items() if k not in ("supply", "copies", "kinds")})

ZONE = Keys(
    "A zone",
    {
        "title": TITLE,
        "text": TEXT,
        "holds": Key(ANameOf("a kind of piece"), required=True),
        "as": Key(Words(("set", "pile", "row"))),
        "per": Key(ANameOf("a type")),
        "seen by": SEEN_BY,
        "faces": Key(Words(("shown", "hidden"))),
        "at most": Key(EXPR),
        "refill from": Key(ANameOf("a zone")),
    },
)

BOARD = Keys(
    "A board",
    {
        "title": TITLE,
        "text": TEXT,
        "shape": Key(
            Pattern(
                r"square grid|hex grid|hex rhombus|ring of [0-9]+",
                "one of square grid, hex grid, hex rhombus, ring of 12",
            )
        ),
        "size": Key(Pattern(r"unbounded|[a-z0-9_]+( x [a-z0-9_]+)?", "a size, as in `3 x 3` or `unbounded`")),
        "per": Key(ANameOf("a type")),
        "seen by": SEEN_BY,
        "stacks": Key(Words(("covers", "piles"))),
        "forward": Key(MapOf(ANameOf("a direction"))),
        "edges": Key(MapOf(ListOf(Words(("top", "bottom", "left", "right"))))),
        "owned": Key(MapOf(Logic("range"))),
        "places": Key(ListOf(Words(("spaces", "edges", "corners")))),
        "spaces": Key(Keys("The spaces", {"table": Key(Text("a CSV file"), required=True)})),
        "links": Key(Keys("The links", {"table": Key(Text("a CSV file"), required=True)})),
    },
)

TRACK = Keys(
    "A track",
    {
        "title": TITLE,
        "text": TEXT,
        "per": Key(ANameOf("a type")),
        "from": Key(EXPR, required=True),
        "to": Key(EXPR, required=True),
        "start": Key(EXPR),
        "marks": Key(MapOf(Either(scalar=Figure(), sequence=ListOf(Figure())))),
        "ends": Key(ENDS),
        "one by one": Key(YES_NO),
        "seen by": SEEN_BY,
    },
)

STATE = Keys(
    "A state",
    {
        "title": TITLE,
        "text": TEXT,
        "is": Key(Logic("type"), required=True),
        "per": Key(PER),
        "start": Key(EXPR),
        "seen by": SEEN_BY,
        "ends": Key(ENDS),
        "one by one": Key(YES_NO),
        "outside position": Key(YES_NO),
    },
)

REQUIRE = ListOf(
    Keys(
        "A requirement",
        {"check": Key(EXPR), "afterwards": Key(EXPR), "because": Key(Text("a sentence"), required=True)},
    )
)
ACTION_KEYS = {
    "title": TITLE,
    "text": TEXT,
    "choose": Key(MapOf(CHOICE)),
    "require": Key(REQUIRE),
    "do": Key(EFFECT),
    "seen by": SEEN_BY,
    "used when": Key(EXPR),
}
ACTION = Keys("An action", {**ACTION_KEYS, "in": Key(ANameOf("a phase"))})
REACTION = Keys("A reaction", {**ACTION_KEYS, "windows": Key(EVENTS, required=True), "who": Key(WHO)})
EVENT = Keys(
    "An event",
    {
        "title": TITLE,
        "text": TEXT,
        "do": Key(EFFECT),
        "once per": Key(ANameOf("a phase")),
        "depth": Key(Figure(1, 99)),
    },
)
DEFINE = Either(scalar=EXPR, mapping=MapOf(EXPR, key="text"))

END = Keys(
    "An end",
    {
        "title": TITLE,
        "text": TEXT,
        "when": Key(EXPR),
        "after": Key(EVENTS),
        "at once when": Key(EXPR),
        "winner": Key(Either(scalar=WHO), required=True),
        "tie": Key(ListOf(EXPR, or_one=True)),
    },
)

PHASE = Keys(
    "A phase",
    {
        "title": TITLE,
        "text": TEXT,
        "turns": Key(Logic("turns")),
        "turn": Key(Words(("until ended",))),
        "each turn": Key(Later("phases", lambda: PHASES)),
        "who": Key(WHO),
        "do": Key(EFFECT),
        "repeat": Key(Logic("times")),
        "until": Key(EXPR),
        "at most": Key(Logic("times")),
        "skip when": Key(EXPR),
        "for each": Key(CHOICE),
        "on enter": Key(EFFECT),
        "on leave": Key(EFFECT),
        "actions": Key(ListOf(ANameOf("an action"), least=1)),
        "if stuck": Key(EFFECT_OR_PASS := Text("`pass`, or an event")),
        "arrange": Key(
            MapOf(Keys("An arrangement", {"may go to": Key(EXPR), "goes to": Key(EXPR)}), key="text")
        ),
        "state": Key(MapOf(STATE)),
        "phases": Key(Later("phases", lambda: PHASES)),
    },
)
PHASES: Shape = ListOf(MapOf(PHASE))

SETUP = Keys("The set-up", {"do": Key(EFFECT)})  # board pictures join in `game_shape`

PICTURE = Text("a picture")
LAID = Either(scalar=Text(), sequence=ListOf(Text()))  # what somebody arranges at one place
SCENARIO_STEP = Either(
    mapping=MapOf(
        Either(
            scalar=Text(),
            mapping=MapOf(LAID, key="text"),
            sequence=ListOf(
                Either(
                    scalar=Text(),
                    mapping=MapOf(
                        Either(scalar=Text(), sequence=ListOf(Text()), mapping=MapOf(LAID, key="text")),
                        key="text",
                    ),
                )
            ),
        ),
        key="text",
    ),
    scalar=EXPR,
)
SCENARIO = Keys(
    "A scenario",
    {
        "title": TITLE,
        "text": TEXT,
        "covers": Key(ListOf(Text("a statement"))),
        "players": Key(Either(scalar=Figure(1, 20), sequence=ListOf(Text("a player")))),
        "options": Key(MapOf(Either(scalar=Text("a value"), sequence=ListOf(Text("a word"))))),
        "variant": Key(ListOf(Text("a variant"), or_one=True)),
        "like": Key(ANameOf("a scenario")),
        "after setup": Key(YES_NO),
        "seed": Key(Figure(0)),
        "refused": Key(Text("a part of the reason")),
        "given": Key(
            MapOf(
                Either(scalar=Text(), sequence=ListOf(Text()), mapping=MapOf(Text(), key="text")),
                key="text",
                may_be_empty=True,
            )
        ),
        "chance": Key(ListOf(Text("an outcome"))),
        "when": Key(ListOf(SCENARIO_STEP)),
        "then": Key(ListOf(SCENARIO_STEP)),
    },
)

GAME_KEYS: dict[str, Key] = {
    "game": Key(Text("the title of the game"), required=True),
    "language": Key(Words(("1",)), required=True),
    "text": TEXT,
    "players": Key(Either(scalar=Logic("range"), sequence=ListOf(ANameOf("a seat"), least=1)), required=True),
    "seats": Key(ANameOf("a type of words")),
    "teams": Key(MapOf(ListOf(ANameOf("a seat"), least=1))),
    "order": Key(Logic("turns")),
    "include": Key(ListOf(Text("a file of this folder"))),
    "options": Key(MapOf(OPTION)),
    "tables": Key(MapOf(PICTURE)),
    "layouts": Key(MapOf(PICTURE)),
    "types": Key(MapOf(TYPE)),
    "cards": Key(MapOf(CARD)),
    "tokens": Key(MapOf(TOKEN, may_be_empty=True)),
    "dice": Key(MapOf(DIE)),
    "zones": Key(MapOf(ZONE)),
    "boards": Key(MapOf(BOARD)),
    "tracks": Key(MapOf(TRACK)),
    "state": Key(MapOf(STATE)),
    "define": Key(MapOf(DEFINE, key="header")),
    "setup": Key(MapOf(Text("a picture or a block"))),
    "flow": Key(PHASES, required=True),
    "actions": Key(MapOf(ACTION)),
    "reactions": Key(MapOf(REACTION)),
    "events": Key(MapOf(EVENT, key="header")),
    "rules": Key(RULES),
    "ends": Key(MapOf(END)),
    "notation": Key(MapOf(Text("a piece"), key="text")),
    "always": Key(MapOf(EXPR)),
    "scenarios": Key(MapOf(SCENARIO)),
}
GAME = Keys("A game", GAME_KEYS)
INCLUDED = Keys(
    "An included file", {k: Key(v.shape) for k, v in GAME_KEYS.items() if k not in ("game", "language")}
)

VARIANT = Keys(
    "A variant",
    {
        "variant": Key(Text("the title of the variant"), required=True),
        "of": Key(Text("the game"), required=True),
        "text": TEXT,
        "options": Key(MapOf(Either(scalar=Text("a value"), sequence=ListOf(Text("a word"))))),
        "change": Key(MapOf(Anything(), key="text")),
        "remove": Key(ListOf(Text("a path"))),
        "add": Key(MapOf(Anything(), key="text")),
    },
)
SCENARIO_FILE = Keys("A scenario file", {"scenarios": Key(MapOf(SCENARIO), required=True)})
