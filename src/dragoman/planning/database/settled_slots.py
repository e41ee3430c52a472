"""What the names of a message are asked to be, once all of it is read: shown, gathered by, or only linked."""

from dragoman.planning.database.segments import Piece, things_of
from dragoman.planning.database.sketch import Sketch, Slot
from dragoman.planning.database.sketch_state import SketchState

_SHORTEST = 4
"""So many pieces a question has at least that ends with a preposition."""


def list_each(sketch: Sketch) -> None:
    """ "Each member with their branch" gathers nothing: where no figure is asked for, rows are listed."""
    figures = (sketch.counts, sketch.counted, sketch.measured, sketch.ranked, sketch.share, sketch.spent)
    if any(figures) or sketch.sold or sketch.how or not sketch.each or sketch.dropped:
        return
    if any(each.counted or each.average for each in sketch.compared) or len(sketch.groups) > len(sketch.each):
        return
    # "Films of each category" may ask how many; "the length of each film" does not.
    told = _told_with(sketch)
    tables = [slot for slot in sketch.shown if slot not in told and _is_table(slot)]
    # "The captain of each team": of one there is nothing to count.
    if any(_is_several(slot) for slot in tables) and not sketch.linked:
        return
    for slot in sketch.each:
        slot.role = "shown"
    sketch.groups = []
    sketch.shown = sorted((*sketch.each, *sketch.shown), key=lambda slot: slot.segment.start)


def rank_so_many(sketch: Sketch) -> None:
    """ "The 3 colours with the most hires": the number says how many of what is ranked are wanted."""
    if sketch.maybe is None or sketch.shown or sketch.limit is not None or not sketch.ranked:
        return
    number, slot = sketch.maybe
    ranked = sketch.ranked[0].name
    if ranked is None or ranked.segment.start <= slot.segment.end or _is_table(slot):
        return
    slot.role = "shown"
    sketch.shown, sketch.limit, sketch.maybe = [slot], number, None


def gather_shown(state: SketchState) -> None:
    """ "The teams and how many players they have": a number beside what is shown is one for each of it."""
    sketch = state.sketch
    compared = [each.name for each in sketch.compared]
    measured = [slot for _, slot in sketch.measured if slot is not None and slot not in compared]
    figures = [*sketch.counted, *measured]
    if not (figures and sketch.shown) or sketch.groups or sketch.ranked:
        return
    first = min(slot.segment.start for slot in figures)
    before = [slot for slot in sketch.shown if slot.segment.end <= first]
    if not before or not (state.grouping or _joined(state, before[-1].segment.end, first)):
        return
    for slot in before:
        slot.role = "grouped"
    sketch.groups = [*before]
    state.grouping = False


def _joined(state: SketchState, start: int, end: int) -> bool:
    """Whether an "and", a "with" or a comma stands between what is shown and what is counted."""
    between = (each for each in state.segments if start <= each.start < end)
    return any(each.kinds & {"and", "with"} or each.text == "," for each in between)


def _told_with(sketch: Sketch) -> list[Slot]:
    """ "Every visit together with its guide": what is shown beside each of them."""
    last = sketch.each[-1].segment
    joins = [each.end for each in sketch.pieces if each.kinds & {"and", "with"} and each.start >= last.end]
    return [slot for slot in sketch.shown if joins and slot.segment.start >= joins[0]]


def link_behind(state: SketchState) -> None:
    """ "Which language are the films in": a preposition at the end leads from what is named before it to
    what is asked for."""
    sketch = state.sketch
    said = [each for each in state.segments if each.piece is not Piece.MARK]
    if len(said) < _SHORTEST or said[-1].piece is not Piece.CUE or "of" not in said[-1].kinds:
        return
    for slot in [each for each in sketch.context if each.segment == said[-2] and _is_table(each)]:
        if sketch.shown and sketch.shown[0].segment.start < slot.segment.start:
            slot.role = "linked"
            sketch.context.remove(slot)
            sketch.linked.append(slot)


def _is_several(slot: Slot) -> bool:
    """Whether a name is said in the plural, as far as its form tells."""
    last = slot.segment.text.casefold().split()[-1:]
    return not last or last[0].endswith("s") or last[0] in ("people", "men", "women", "children", "staff")


def _is_table(slot: Slot) -> bool:
    things = things_of(slot.segment)
    return bool(things) and things[0][0].column is None
