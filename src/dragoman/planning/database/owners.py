"""Whose columns are asked for: the names and budgets of the departments."""

from dragoman.planning.database.segments import Piece, Segment, things_of
from dragoman.planning.database.sketch import Sketch
from dragoman.tables.graph import Table

_OF = ("of", "for")
_LISTED = frozenset({"of", "fill", "and", "distinct", "show"})
_RANKS = frozenset({"most", "least", "limit"})
_SURE = 0.9


def owners_of(sketch: Sketch) -> dict[int, Table]:
    """The tables that columns are said to be of, by the identity of the slots."""
    found: dict[int, Table] = {}
    for slot in sketch.shown:
        owner = _owner(sketch, slot.segment)
        if owner is not None:
            found[id(slot)] = owner
    return found


def _owner(sketch: Sketch, column: Segment) -> Table | None:
    said = False
    for piece in sketch.pieces:
        if piece.start < column.end:
            continue
        if piece.piece is Piece.NAME:
            thing, score = things_of(piece)[0]
            if thing.column is None or said:
                return thing.table if said and thing.column is None and score >= _SURE else None
        elif piece.piece is Piece.CUE and (piece.kinds <= _LISTED or (said and piece.kinds & _RANKS)):
            said |= piece.text.casefold().split()[0] in _OF
        elif piece.text != "," and not (said and piece.piece is Piece.NUMBER):
            return None
    return None
