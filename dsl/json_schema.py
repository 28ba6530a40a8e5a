"""JSON Schema of rule files, for editors.

Comes in: a shape of `dsl/schema.py`. Goes out: a schema (draft 2020-12) as plain data: keys, closed lists of
words, descriptions. What never happens: the schema refuses what the checker takes; what only the checker
can judge (logic, names) is any text here. To add a shape: a case in `_of`.
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
    described,
)

Schema = dict[str, object]
NAME_PATTERN = "^[a-z][a-z0-9_]*$"
# an editor's reader turns `4`, `yes` and nothing into values of other types before it asks the schema
PLAIN: list[str] = ["string", "number", "boolean", "null"]


def json_schema(shape: Shape) -> Schema:
    """The schema of a shape. Shapes that refer back become definitions."""
    definitions: dict[str, Schema] = {}
    found = _of(shape, definitions)
    found["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    if definitions:
        found["$defs"] = definitions
    return found


def _of(shape: Shape, definitions: dict[str, Schema]) -> Schema:
    match shape:
        case Later(name, get):
            if name not in definitions:
                definitions[name] = {}  # what it holds may refer back to it
                definitions[name] = _of(get(), definitions)
            return {"$ref": f"#/$defs/{name}"}
        case Either(scalar, mapping, sequence):
            parts = [_of(part, definitions) for part in (scalar, mapping, sequence) if part is not None]
            return parts[0] if len(parts) == 1 else {"anyOf": parts}
        case Keys(what, keys):
            return _keys(what, keys, definitions)
        case MapOf(value, key, may_be_empty):
            inner = _of(value, definitions)
            found: Schema = {
                "type": "object",
                "additionalProperties": {"anyOf": [inner, {"type": "null"}]} if may_be_empty else inner,
            }
            if key == "name":
                found["propertyNames"] = {"pattern": NAME_PATTERN}
            return found
        case ListOf(item, or_one, least):
            one = _of(item, definitions)
            listed: Schema = {"type": "array", "items": one}
            if least:
                listed["minItems"] = least
            return {"anyOf": [listed, one]} if or_one else listed
        case Words(words):
            values: list[object] = [*words]
            # an editor's reader may take these words and figures for values of other types
            values += [word == "yes" for word in words if word in ("yes", "no")]
            values += [int(word) for word in words if word.isdigit()]
            return {"enum": values}
        case Figure(low, high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case ANameOf():
            return {"type": "string", "pattern": NAME_PATTERN, "description": described(shape)}
        case Pattern(pattern, form):
            return {"type": PLAIN, "pattern": f"^({pattern})$", "description": form}
        case Logic("effect"):
            return {"type": "string", "description": described(shape)}
        case Logic():
            # a set in brackets is logic, too
            return {"type": [*PLAIN, "array"], "description": described(shape)}
        case Anything():
            return {}
        case Text(note):
            return {"type": PLAIN, "description": note}


def _keys(what: str, keys: dict[str, Key], definitions: dict[str, Schema]) -> Schema:
    found: Schema = {
        "type": "object",
        "title": what,
        "properties": {
            name: {"anyOf": [_of(key.shape, definitions), {"type": "null"}]}
            if key.may_be_empty
            else _of(key.shape, definitions)
            for name, key in keys.items()
        },
        "additionalProperties": False,
    }
    required = [name for name, key in keys.items() if key.required]
    if required:
        found["required"] = required
    return found
