"""The JSON Schema for editors says what the schema of rule files says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulewright.dsl.json_schema import json_schema
from rulewright.dsl.problems import Problems
from rulewright.dsl.schema import GAME, GAME_KEYS, INCLUDED, SCENARIO_FILE, VARIANT
from rulewright.dsl.shapes import Shape
from rulewright.dsl.source import Mapping, Scalar, Sequence, Tree
from rulewright.dsl.yaml_reader import read_yaml

RULES = Path(__file__).resolve().parents[2] / "rules"


def plain(tree: Tree | None) -> object:
    if isinstance(tree, Mapping):
        return {e.key.text: plain(e.value) for e in tree.entries}
    if isinstance(tree, Sequence):
        return [plain(x) for x in tree.items]
    if isinstance(tree, Scalar):
        return int(tree.text) if tree.text.lstrip("-").isdigit() and tree.style == "plain" else tree.text
    return None


def fits(value: object, schema: object, root: dict[str, object]) -> bool:
    """A reading of the few words of JSON Schema that are written."""
    assert isinstance(schema, dict)
    if not schema:
        return True
    if "$ref" in schema:
        definitions = root["$defs"]
        assert isinstance(definitions, dict)
        return fits(value, definitions[str(schema["$ref"]).rsplit("/", 1)[1]], root)
    if "anyOf" in schema:
        return any(fits(value, one, root) for one in schema["anyOf"])
    if "enum" in schema:
        return value in schema["enum"]
    names = {
        dict: "object",
        list: "array",
        str: "string",
        int: "integer",
        bool: "boolean",
        type(None): "null",
    }
    wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if names[type(value)] not in wanted and not (isinstance(value, int) and "number" in wanted):
        return False
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        return False
    if isinstance(value, dict):
        known = schema.get("properties", {})
        others = schema.get("additionalProperties", {})
        if any(name not in value for name in schema.get("required", ())):
            return False
        return all(
            fits(v, known[k], root) if k in known else others is not False and fits(v, others, root)
            for k, v in value.items()
        )
    if isinstance(value, list):
        return len(value) >= schema.get("minItems", 0) and all(
            fits(x, schema["items"], root) for x in value if "items" in schema
        )
    return True


def tree_of(text: str) -> object:
    return plain(read_yaml(text, "test.yaml", Problems()))


@pytest.mark.parametrize("shape", [GAME, VARIANT, SCENARIO_FILE, INCLUDED], ids=lambda s: s.what)
def test_it_is_plain_data_and_closed(shape: Shape) -> None:
    schema = json_schema(shape)
    assert json.loads(json.dumps(schema)) == schema
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("path", sorted(RULES.glob("**/*.yaml")), ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_it_takes_every_file_of_the_games(path: Path) -> None:
    shape: Shape = {"variants": VARIANT, "scenarios": SCENARIO_FILE}.get(path.parent.name, INCLUDED)
    schema = json_schema(GAME if path.name == "game.yaml" else shape)
    if path.name == "game.yaml":
        schema.pop("required", None)  # some of the keys may stand in included files
    assert fits(tree_of(path.read_text(encoding="utf-8")), schema, schema)


@pytest.mark.parametrize(
    "text",
    [
        "zones:\n  deck: {holds: cards, seen bye: all}",
        "zones:\n  deck: {holds: cards, as: heap}",
        "zones:\n  deck: [cards]",
        "rules:\n  r: {after: [play], priority: 5000}",
        "nonsense: 3",
    ],
)
def test_it_refuses_what_the_schema_refuses(text: str) -> None:
    schema = json_schema(INCLUDED)
    assert not fits(tree_of(text), schema, schema)


def test_every_key_of_a_game_is_there() -> None:
    assert set(json_schema(GAME)["properties"]) == set(GAME_KEYS)  # type: ignore[call-overload]
