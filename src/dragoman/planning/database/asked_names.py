"""Reads what asks for names: the names of members, the owner's name, what somebody who is named has."""

from dragoman.planning.database.segments import Piece, Segment, things_of
from dragoman.planning.database.sketch_state import SketchState
from dragoman.planning.database.vocabulary import english


def names_others(state: SketchState, segment: Segment) -> bool:
    """ "The names of the members": what is named behind it is shown, by its name anyway."""
    if segment.stem != "name" or segment.end != segment.start + 1:
        return False
    of = False
    for after in state.segments[state.at :]:
        if after.piece is not Piece.CUE:
            found = of and after.piece in (Piece.NAME, Piece.WHO)
            state.named_behind = state.before() if found else None
            state.sketch.only_names |= found and not state.sketch.shown
            return found
        if not after.kinds & {"of", "fill"}:
            return False
        of |= after.text.casefold() == "of"
    return False


def names_known(state: SketchState, segment: Segment) -> bool:
    """ "Who is it? Name and phone", "with the owner's name": what is shown already is shown by its name."""
    if segment.stem != "name" or segment.end != segment.start + 1 or (state.filtering and state.last is None):
        return False
    if not state.sketch.who and any(_is_everybody(each) for each in state.segments[state.at :]):
        # "Names and phones of everyone in Oslo".
        state.sketch.who = state.anew = not state.sketch.shown
    if state.sketch.who or state.anew:
        known = bool(state.sketch.shown or state.sketch.who)
        state.sketch.names_told |= known and state.sketch.told_from is not None
        return known
    return _of_somebody(state) or _of_listed(state, segment)


def _of_listed(state: SketchState, segment: Segment) -> bool:
    """ "The members with a debt, name and phone": the name of what is shown already."""
    before, near = state.before(), state.near
    if before is None or before.text != "," or (near is not None and near.kinds & {"of"}):
        return False
    tables = [things[0][0] for slot in state.sketch.shown if (things := things_of(slot.segment))]
    own = {table.table.key for table in tables if table.column is None}
    return any(each.thing.table.key in own for each in segment.names)


def _is_everybody(segment: Segment) -> bool:
    return segment.text.casefold() in english().everybody


def _of_somebody(state: SketchState) -> bool:
    """ "With the customer's name": the customer is shown."""
    before, last = state.previous(), state.last
    if before is None or last is None or before.text.casefold() not in ("'s", "'"):
        return False
    if last.segment.end != before.start or last not in state.sketch.linked:
        return False
    state.sketch.linked.remove(last)
    last.role = "shown"
    state.sketch.shown.append(last)
    return True


def asks_of_named(state: SketchState, before: Segment | None) -> bool:
    """ "What is the guide Ada Berg's phone": a column of somebody who is named is asked for."""
    sketch = state.sketch
    if before is None or before.piece is not Piece.VALUE or not before.text.endswith(("'s", "s'")):
        return False
    if len(sketch.shown) != 1 or things_of(sketch.shown[0].segment)[0][0].column is not None:
        return False
    said = sketch.shown.pop()
    said.role = "context"
    sketch.context.append(said)
    return True
