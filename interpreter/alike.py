"""Alike: which pieces look the same to the player who chooses.

Comes in: a position, a player, pieces. Goes out: one of each look. Pieces are alike when they are of the same
design, in the same state (their own, and what the rules keep for each piece), in the same place (and at the
same position, where positions matter), with nothing lying on them. A piece that the player does not know
looks like its place and position.
What never happens: a hidden property that makes a difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def look(s: Any, piece: int, player: int) -> object:
    """What the player sees of a piece: equal just for pieces that look the same."""
    code = s.code
    if piece >= len(s.known) or piece < 0:
        return piece
    place = s.place_of[piece]
    if not code.sees(s, piece, player):
        return ("hidden", place, s.contents[place].index(piece))
    if code.alone[code.program.pieces[piece].design] or s.contents.get(code.first_piece_place + piece):
        return piece
    position = (
        -1 if place in code.piece_sets or code.layout.host(place) >= 0 else s.contents[place].index(piece)
    )
    variables, offsets = s.vars, code.piece_offsets
    if code.program.piece_faces >= 0 and not code.face_mask(s, piece) >> player & 1:
        offsets = code.offsets_without_faces
    kept = [
        variables[o + piece] if code.variable_mask(s, number, piece) >> player & 1 else None
        for number, o in code.kept_of_pieces
    ]
    return (
        code.program.pieces[piece].design,
        place,
        position,
        *[variables[o + piece] for o in offsets],
        *kept,
    )


def one_of_each(s: Any, pieces: Sequence[int], player: int) -> Sequence[int]:
    """The pieces without those that look like an earlier one."""
    if len(pieces) < 2:
        return pieces
    met: set[object] = set()
    out: list[int] = []
    for piece in pieces:
        seen = look(s, piece, player)
        if seen not in met:
            met.add(seen)
            out.append(piece)
    return out


def alike_first(s: Any, pieces: Sequence[int], player: int) -> tuple[int, ...]:
    """The pieces that look as the first one does, that one first."""
    if not pieces:
        return ()
    seen = look(s, pieces[0], player)
    return tuple(p for p in pieces if look(s, p, player) == seen)
