"""Views made by hand, for tests of how tables are drawn: pieces, spaces, boards, zones."""

from __future__ import annotations

from typing import Any

from rulewright.interpreter.layout import column_name


def token(owner: str | None = None, kind: str = "token", **more: Any) -> dict[str, Any]:
    """A token of a player, or of nobody."""
    title = more.pop("title", kind.replace("_", " ").capitalize())
    return {"code": kind, "title": title, "kind": kind, "owner": owner, "form": "token", **more}


def card(code: str, title: str = "", owner: str | None = None, **more: Any) -> dict[str, Any]:
    """A card."""
    return {"code": code, "title": title or code, "kind": "card", "owner": owner, "form": "card", **more}


def die(face: Any, **more: Any) -> dict[str, Any]:
    """A die that shows a face."""
    fixed = {"code": "die", "title": "Die", "kind": "die", "owner": None, "form": "die"}
    return {**fixed, "face of piece": face, **more}


def cell(top: Any, *under: Any) -> dict[str, Any]:
    """A space with a piece on top of others, the lowest first."""
    return {"top": top, "count": 1 + len(under), **({"under": list(under)} if under else {})}


def board(rows: list[list[Any]], **more: Any) -> dict[str, Any]:
    """A board with rows and columns."""
    return {
        "shape": "square grid", "owner": None, "unbounded": False, "covers": True, "rows": rows,
        "row_names": [str(i + 1) for i in range(len(rows))],
        "column_names": [column_name(i) for i in range(len(rows[0]))], **more,
    }  # fmt: skip


def zone(pieces: list[Any], order: str = "set", **more: Any) -> dict[str, Any]:
    """A zone."""
    fixed = {"kind": "zone", "group": "z", "owner": None, "order": order}
    return {**fixed, "count": len(pieces), "pieces": pieces, **more}


def view(**changes: Any) -> dict[str, Any]:
    """A view of an empty table with three players."""
    return {
        "game": "g", "title": "G", "viewer": None, "phase": [], "actor": None,
        "players": ["red", "ann", "blue"],
        "zones": {}, "boards": {}, "state": {}, "ranges": {}, "decision": None, "result": None, **changes,
    }  # fmt: skip
