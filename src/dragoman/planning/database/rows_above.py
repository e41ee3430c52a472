"""What rows are compared with that is a row they lead to: their boss, the river that they flow into."""

from dragoman.planning.database.segments import Piece, Segment, things_of
from dragoman.planning.database.sketch import Compared, Slot
from dragoman.planning.database.sketch_state import SketchState

_SURE = 0.75
_OWN = frozenset({"their", "its", "his", "her", "own", "they", "it", "he", "she", "them", "him"})


def compare_above(state: SketchState, operation: str, comparison: Segment, name: Slot | None = None) -> bool:
    """ "More than their boss", "longer than the stream it flows into", "in the same town as their boss"."""
    above = _above(state)
    if above is None:
        return False
    state.go_past(above)
    compared = Compared(operation, adjective=comparison.adjective, words=comparison.text, name=name)
    compared.other = state.slot(above, "compared")
    compared.negative, state.negative = state.negative, False
    state.sketch.compared.append(compared)
    state.comparison = None
    return True


def _above(state: SketchState) -> Segment | None:
    """The name of a row above: a part that it plays, or rows that are said to be somebody's own."""
    rest = state.segments[state.at :]
    ends = (place for place, each in enumerate(rest) if each.piece in (Piece.MARK, Piece.VALUE, Piece.NUMBER))
    rest = rest[: next(ends, len(rest))]
    names = [each for each in rest if each.piece is Piece.NAME]
    if not names:
        return None
    parts = [each for each in names if _is_key(each)]
    if parts:
        return parts[0]
    return names[0] if not _OWN.isdisjoint(_words(rest)) and _is_table(names[0]) else None


def _words(segments: list[Segment]) -> set[str]:
    return {word for each in segments for word in each.text.casefold().split()}


def _is_key(segment: Segment) -> bool:
    thing, score = things_of(segment)[0]
    keys = {name for key in thing.table.info.foreign_keys for name in key.columns}
    return score >= _SURE and thing.column is not None and thing.column.info.name in keys


def _is_table(segment: Segment) -> bool:
    return any(thing.column is None and score >= _SURE for thing, score in things_of(segment))
