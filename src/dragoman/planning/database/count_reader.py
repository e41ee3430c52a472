"""Reads what is counted: of names in a row the one that is meant."""

from dragoman.planning.database.segments import Piece, Segment, things_of
from dragoman.planning.database.sketch_state import SketchState
from dragoman.planning.database.verb_forms import is_done


def read_counted(state: SketchState, segment: Segment) -> bool:
    if not state.counting:
        return False
    if qualifies(state, segment):
        # "Number of retired items": the column says which of them.
        state.sketch.context.append(state.slot(segment, "context"))
        return True
    if state.sketch.distinct and _is_qualified(state, segment):
        # "Different product types": the types are counted, and products only have them.
        state.sketch.context.append(state.slot(segment, "context"))
        return True
    state.counting = False
    state.sketch.counted.append(state.slot(segment, "counted"))
    return True


def _is_qualified(state: SketchState, segment: Segment) -> bool:
    """Whether a column stands just behind its table."""
    near = state.near
    if near is None or near.piece is not Piece.NAME or is_done(near.text):
        return False
    first, second = things_of(segment), things_of(near)
    if not first or not second or first[0][0].column is not None:
        return False
    return any(each.column is not None and each.table.key == first[0][0].table.key for each, _ in second)


def qualifies(state: SketchState, segment: Segment) -> bool:
    """Whether a column stands just before the table whose rows are counted."""
    near = state.near
    if near is None or near.piece is not Piece.NAME:
        return False
    first, second = things_of(segment), things_of(near)
    if not first or not second or second[0][0].column is not None:
        return False
    # "Movie ratings" are ratings; of "bookings customers made" the first are counted.
    beside = first[0][0].table.key != second[0][0].table.key and not segment.text.endswith("s")
    return first[0][0].column is not None or beside
