"""Whose columns are asked for: the names and budgets of the departments."""

from dragoman.planning.database.segments import Piece, Segment, things_of
from dragoman.planning.database.sketch import Sketch
from dragoman.tables.graph import Table

_OF = ("of", "for")
_LISTED = frozenset({"of", "fill", "and", "distinct", "show"})
_RANKS = frozenset({"most", "least", "limit"})
_SURE, _CLOSE = 0.9, 0.1


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
            if thing.column is not None and not said and " of " in piece.text.casefold():
                # "The id and name of the products": one name holds its owner.
                rivals = {each.table.key for each, other in things_of(piece) if other >= score - _CLOSE}
                return thing.table if len(rivals) == 1 else None
            if thing.column is None or said:
                return thing.table if said and thing.column is None and score >= _SURE else None
        elif piece.piece is Piece.CUE and (piece.kinds <= _LISTED or (said and piece.kinds & _RANKS)):
            said |= piece.text.casefold().split()[0] in _OF
        elif piece.text != "," and not (said and piece.piece is Piece.NUMBER):
            return None
    return None
