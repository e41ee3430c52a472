"""Rows against the figure that was just given: "who earns more than that" after an average."""

from msgspec.structs import replace

from dragoman.planning.database.frame import Aggregate, Condition
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.database.vocabulary import english
from dragoman.planning.database.workbench import Edit, Workbench

_SIGNS = ("above", "below", "at-least", "at-most")


def against_figure(bench: Workbench) -> Edit | None:
    """The rows behind an average that are above it, or below."""
    frame = bench.frame
    measure = frame.measures[0] if len(frame.measures) == 1 else None
    if frame.groups or measure is None or measure.aggregate is not Aggregate.AVERAGE or measure.ref is None:
        return None
    operation = _compared(bench.sketch.pieces)
    if operation is None or bench.sketch.compared or bench.sketch.counts or bench.sketch.measured:
        return None
    rows = bench.rows_behind()
    own = tuple(each for each in frame.conditions if each.ref.table.key == measure.ref.table.key)
    held = Condition(measure.ref, "average", (operation,), within=own)
    shown = rows.shown if rows.everything else (*rows.shown, measure.ref)
    return Edit(replace(rows, conditions=(*rows.conditions, held), shown=shown))


def _compared(pieces: tuple[Segment, ...]) -> str | None:
    """How rows compare with what was said before: "more than that"."""
    said = [each for each in pieces if each.piece is not Piece.MARK]
    for place, piece in enumerate(said[:-1]):
        behind = said[place + 1].text.casefold() in english().figure_pronouns
        sign = next((sign for sign in _SIGNS if sign in piece.kinds), None)
        if sign is not None and behind:
            return sign
    return None
