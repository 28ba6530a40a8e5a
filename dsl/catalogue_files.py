"""Problems of reading files: E101 … E159.

Comes in: nothing. Goes out: `FILE_ENTRIES`. To add one: an entry here.
"""

from __future__ import annotations

from rulewright.dsl.catalogue_entry import BASE, Entry, Example, csv, folder, yaml

_GAME = "=== game.yaml\n" + BASE
FILE_ENTRIES: tuple[Entry, ...] = (
    yaml("E101", "The file is empty", "# Nothing but this.\n", "game: Rain\n"),
    yaml(
        "E102",
        "The file, or a line of it, is too long",
        "text: " + "rain " * 5000,
        "text: rain\n",
        "a line of 25,000 characters",
    ),
    yaml("E103", "This is no text", "\0\1\2" * 3000, "text: rain\n", "a picture or a program"),
    yaml(
        "E104",
        "A character that cannot be seen",
        "text: a\u2028b\n",
        "text: a b\n",
        "a separator of lines that no editor shows",
    ),
    yaml("E105", "A tab", "zones:\n\tdeck: x\n", "zones:\n  deck: x\n", "a tab before `deck`"),
    yaml(
        "E106", "A second document in one file", "game: Rain\n---\nplayers: 2\n", "game: Rain\nplayers: 2\n"
    ),
    yaml("E107", "The same key twice", "zones:\n  deck: x\n  deck: y\n", "zones:\n  deck: x\n  pile: y\n"),
    yaml("E108", "Anchors, aliases and copied keys", "deck: &d x\n", "deck: x\n"),
    yaml("E109", "A sign that tags a value", "when: !ready\n", "when: not ready\n"),
    yaml("E110", "A text that begins with a sign", "title: @home\n", 'title: "@home"\n'),
    yaml("E111", "A key that is no text", "[a]: b\n", "a: b\n"),
    yaml(
        "E112",
        "Nested too deep",
        "a: " + "[" * 70 + "]" * 70 + "\n",
        "a: [[]]\n",
        "a list in a list … 70 deep",
    ),
    yaml(
        "E113",
        "Too many keys or items",
        "".join(f"k{i}: x\n" for i in range(20_001)),
        "a: [x]\n",
        "20,001 keys",
    ),
    yaml("E114", "A colon inside a text", "text: Remember: shuffle\n", 'text: "Remember: shuffle"\n'),
    yaml("E115", "A quote that is not closed", 'text: "Rain\n', 'text: "Rain"\n'),
    yaml("E116", "A text that goes on behind a quote", 'text: "Rain" row\n', "text: Rain row\n"),
    yaml("E117", "A bracket that is not closed", "players: [x, o\n", "players: [x, o]\n"),
    yaml("E118", "Brackets or commas that do not fit", "players: [x, , o]\n", "players: [x, o]\n"),
    yaml("E119", "A line that begins in the wrong column", "a:\n  b: 1\n   c: 2\n", "a:\n  b: 1\n  c: 2\n"),
    yaml("E120", "A colon, or the space behind it, is missing", "game:Rain\n", "game: Rain\n"),
    yaml("E121", "A list in the wrong place", "a: - b\n", "a:\n  - b\n"),
    yaml("E122", "Something behind `|` or `>`", "do: | end turn\n", "do: |\n  end turn\n"),
    yaml("E123", "A special character that does not exist", 'text: "a\\qb"\n', 'text: "a b"\n'),
    yaml(
        "E124",
        "A rule in { } is cut at its commas",
        "r: {forbid: go(a, b), when: x}\n",
        "r:\n  forbid: go\n  when: x\n",
    ),
    Entry(
        "E125",
        "A # that cuts a text",
        Example("yaml", "when: rank is #1\n"),
        Example("yaml", 'when: "rank is #1"\n'),
        doubtful=True,
    ),
    yaml("E126", "An item of a list with nothing in it", "a:\n  - b\n  -\n", "a:\n  - b\n"),
    yaml("E128", "A block that is not indented", "do: |\nend turn\n", "do: |\n  end turn\n"),
    Entry(
        "E129",
        "A line that cannot be read as part of a rule file",
        Example("untold", "", "a mistake that no other code tells"),
        Example("yaml", "a: b\n"),
    ),
    Entry(
        "E130",
        "Too many mistakes",
        Example("yaml", "".join(f"k{i}: a: b\n" for i in range(40)), "40 wrong lines"),
        Example("yaml", "k: b\n"),
        alone=False,
    ),
    csv("E140", "A table without a first row", ",,\n", "name,rank\nking,3\n"),
    csv("E142", "A row that is too short or too long", "name,rank\nking\n", "name,rank\nking,3\n"),
    csv("E143", "A column without a name", "name,\nking,3\n", "name,rank\nking,3\n"),
    csv("E144", "Two columns with one name", "name,name\nking,3\n", "name,rank\nking,3\n"),
    csv("E145", "A quote in a table that is not closed", 'name,rank\n"king,3\n', "name,rank\nking,3\n"),
    csv("E146", "A cell that goes on behind a quote", 'name,rank\n"king"s,3\n', "name,rank\nkings,3\n"),
    csv("E147", "Columns that are not separated by commas", "name;rank\nking;3\n", "name,rank\nking,3\n"),
    csv("E148", "A table that is too large", "a,b\n" + "1,2\n" * 25_000, "a,b\n1,2\n", "25,000 rows"),
    Entry(
        "E149",
        "A table without rows",
        Example("csv", "name,rank\n"),
        Example("csv", "name,rank\nking,3\n"),
        doubtful=True,
    ),
    Entry(
        "E150", "There is no such file or folder", Example("path", "rain"), Example("part", "always: {}\n")
    ),
    Entry("E151", "There is no such game", Example("name", "no_such_game"), Example("part", "always: {}\n")),
    folder(
        "E152",
        "`include` needs a list of names",
        _GAME.replace("[part.yaml]", "part.yaml"),
        _GAME.replace("include: [part.yaml]\n", ""),
    ),
    folder(
        "E153",
        "A file outside the game's folder",
        _GAME.replace("[part.yaml]", "[../part.yaml]"),
        _GAME.replace("include: [part.yaml]\n", ""),
    ),
    folder("E154", "A file that is not there", _GAME, _GAME + "=== part.yaml\nnotation: {K: king}\n"),
    folder(
        "E155",
        "A file included twice",
        _GAME.replace("[part.yaml]", "[game.yaml]"),
        _GAME.replace("include: [part.yaml]\n", ""),
    ),
    Entry(
        "E156",
        "This is no file",
        Example("path", "/dev/null"),
        Example("folder", _GAME + "=== part.yaml\nnotation: {K: king}\n"),
    ),
    Entry(
        "E157",
        "A game of too many files",
        Example("untold", "", "a game of more than 200 files"),
        Example("folder", _GAME + "=== part.yaml\nnotation: {K: king}\n"),
    ),
    Entry(
        "E158",
        "A file that cannot be read",
        Example("untold", "", "a file that you are not allowed to read"),
        Example("folder", _GAME + "=== part.yaml\nnotation: {K: king}\n"),
    ),
    folder(
        "E159",
        "A file whose name ends in another way",
        _GAME.replace("[part.yaml]", "[part.yml]"),
        _GAME + "=== part.yaml\nnotation: {K: king}\n",
    ),
    Entry(
        "E190",
        "The formatter would have changed the meaning of a file",
        Example("untold", "", "a fault of the formatter, which then leaves the file alone"),
        Example("part", "always: {}\n"),
    ),
)
