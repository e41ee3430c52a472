"""Reads values, periods and parts of dates."""

from msgspec.structs import replace

from dragoman.planning.database.name_reader import read_name
from dragoman.planning.database.segments import Piece, Segment, things_of
from dragoman.planning.database.sketch import Dated, Held, Kept, Slot
from dragoman.planning.database.sketch_state import SketchState
from dragoman.planning.database.vocabulary import english
from dragoman.reading.periods import Bound

_SURE = 0.95
_COMPARING = frozenset(
    {"most", "least", "common", "rare", "above", "below", "at-least", "at-most", "or-more", "or-less"}
)
_BOUNDS = {"after": Bound.AFTER, "before": Bound.BEFORE, "since": Bound.SINCE, "until": Bound.UNTIL}


def read_value(state: SketchState, segment: Segment) -> None:
    before = state.previous()
    qualifier = _qualifier(state, segment, before) or _said_behind(state, segment)
    if qualifier is None:
        state.comparison = None
    either = state.either and state.conditions_said() > 0
    kept = Kept(segment, state.negative, either, qualifier, state.preposition, state.like)
    if (
        state.last is not None
        and state.last.role == "shown"
        and not state.filtering
        and state.preposition == "of"
    ):
        kept.of = state.last
    if before is not None and (before.text == "," or "and" in before.kinds) and state.at >= 3:
        kept.listed = state.segments[state.at - 3].piece is Piece.VALUE
    if before is not None and before.piece is not Piece.VALUE:
        state.either = False
    state.sketch.versus |= _set_beside(state)
    state.like = ""
    state.sketch.kept.append(kept)
    if state.counting and before is not None and "count" in before.kinds and _does_something(state):
        state.counting, state.filtering = False, True
        state.sketch.counts, state.sketch.counted_value = True, kept
    if _says_rows(state, segment):
        read_name(state, replace(segment, piece=Piece.NAME, names=segment.rows))
    # "not A or B" rejects both.
    follow = state.near
    if follow is None or not (follow.kinds & {"or", "and"} or follow.text == ","):
        state.negative = False
    state.grouping = False


def _says_rows(state: SketchState, segment: Segment) -> bool:
    """ "Bookings per clerk", "which clerk has the most bookings": a kind of rows stands where the noun does
    that others are gathered by."""
    near = state.near
    followed = near is not None and near.piece in (Piece.NAME, Piece.VALUE)
    if not segment.rows or followed or state.negative or state.like:
        return False
    if state.grouping:
        return True
    before = state.before()
    asked = before is not None and before.text.casefold() in english().which
    return asked and any(each.kinds & _COMPARING for each in state.segments[state.at :])


def _does_something(state: SketchState) -> bool:
    """Whether a verb follows that has an object: "how many girls have a bicycle"."""
    near, after = state.near, state.peek(frozenset({"fill", "with"}))
    has = near is not None and "with" in near.kinds and near.text.casefold().startswith("ha")
    return has and after is not None and after.piece in (Piece.NAME, Piece.VALUE)


def read_text(state: SketchState, segment: Segment) -> bool:
    """ "Whose name contains xy", "with xy in their names": a text that is not a value, but part of one."""
    behind = _column_behind(state)
    before = state.previous()
    having = before is not None and "with" in before.kinds
    named = state.last if behind is None else state.slot(behind, "context")
    if named is None or not (state.like or (having and behind is not None)):
        return False
    if behind is not None:
        state.go_past(behind)
    elif named in state.sketch.linked:
        state.sketch.linked.remove(named)
        named.role = "context"
    negative, state.negative = state.negative, False
    state.sketch.held.append(Held(segment.text, state.like or "contains", named, negative))
    state.like = ""
    return True


def _column_behind(state: SketchState) -> Segment | None:
    """ "In their names", "in the title": the column that a text is said to be in."""
    near = state.near
    if near is None or near.text.casefold() != "in":
        return None
    after = state.peek()
    if after is None or after.piece is not Piece.NAME:
        return None
    return after if things_of(after)[0][0].column is not None else None


def _set_beside(state: SketchState) -> bool:
    """ "For hires and for sales": said twice, each has its own figure."""
    if state.at < 4:
        return False
    first, joined, again = state.segments[state.at - 4 : state.at - 1]
    return first.piece is Piece.VALUE and "and" in joined.kinds and "of" in again.kinds


def _qualifier(state: SketchState, segment: Segment, before: Segment | None) -> Slot | None:
    """The name that says which column a value is of."""
    if before is not None and before.piece is Piece.NAME and before.end >= segment.start - 1:
        found = state.last
    else:
        found = _said_before_cue(state, segment, before)
    return state.last if state.like and found is None else found


def _said_behind(state: SketchState, segment: Segment) -> Slot | None:
    """ "In Leeds county", "the Garden category": the column is said behind its value."""
    after = state.near
    if after is None or after.piece is not Piece.NAME or after.start != segment.end:
        return None
    columns = {each.thing.number for each in segment.values}
    best = max(each.score for each in after.names)
    said = any(each.thing.number in columns and each.score >= best for each in after.names)
    behind = state.segments[state.at + 1] if state.at + 1 < len(state.segments) else None
    if not said or (behind is not None and behind.piece is Piece.NAME and not _are_rows(behind, segment)):
        return None
    state.at += 1
    return Slot(after, "context")


def _are_rows(name: Segment, value: Segment) -> bool:
    """Whether a noun certainly names the rows that have a value: high priority tickets."""
    thing, score = things_of(name)[0]
    own = {each.thing.table.key for each in value.values}
    return thing.column is None and score >= _SURE and own == {thing.table.key}


def _said_before_cue(state: SketchState, segment: Segment, before: Segment | None) -> Slot | None:
    """ "Composed by X", "whose name contains X": the column is said."""
    last = state.last
    if before is None or before.piece is not Piece.CUE or last is None or state.at < 3:
        return None
    named = state.segments[state.at - 3]
    said = before.text.casefold()
    # "With first name as Ada", "whose rank is captain", "who have a rank of captain".
    equals = said in english().equals or (said == "of" and last in state.sketch.linked)
    if named is last.segment and equals and _is_of(segment, named):
        return last
    verb = named.piece is Piece.NAME and named.text.casefold().endswith("ed") and "by" in before.kinds
    if not (verb or state.like) or named is not last.segment:
        return None
    if verb and last in state.sketch.shown and len(state.sketch.shown) > 1:
        state.sketch.shown.remove(last)
    return last


def _is_of(value: Segment, named: Segment) -> bool:
    """Whether a value is one of a column that is named."""
    columns = {each.thing.number for each in value.values}
    return any(each.thing.number in columns for each in named.names)


def read_period(state: SketchState, segment: Segment) -> None:
    if segment.period is None:
        return
    near = state.last if state.last is not None and state.last_at >= state.at - 2 else None
    said = sum(len(each.verbs) for each in state.sketch.dated)
    verbs = tuple(state.sketch.verbs[said:])
    period = segment.period
    if period.bound is None and state.comparison is not None and near is not None:
        # "After the year 1989": the name stands between the word and its period.
        period = replace(period, bound=_BOUNDS.get(state.comparison.text.casefold()))
    dated = Dated(period, state.negative, verbs, near, segment.part, segment.parts)
    dated.either = state.either and state.conditions_said() > 0
    if _is_joined(state) and not segment.parts:
        dated.joined, first = True, state.sketch.dated[-1]
        year = segment.period.year
        if first.period.month is not None and first.period.year is None and year is not None:
            # "In March or April 2020": the year is that of both.
            first.period = replace(first.period, year=year)
        dated.near, dated.verbs, dated.negative = first.near, first.verbs, first.negative
    state.sketch.dated.append(dated)
    state.negative = state.either = False
    if state.comparison is not None and period.bound is None:
        # "Over 30 in March": the number went into the date, and nothing is compared any more.
        state.sketch.dropped.append(state.comparison.text)
    state.comparison = None


def _is_joined(state: SketchState) -> bool:
    """Whether a period stands behind another one, and an "or" or an "and" between them."""
    joins = False
    for before in reversed(state.segments[: state.at - 1]):
        if before.piece is Piece.PERIOD:
            return joins and bool(state.sketch.dated)
        joins |= before.text == "," or bool(before.kinds & {"or", "and"})
        if before.text != "," and not before.kinds & {"or", "and", "fill", "of"}:
            return False
    return False


def read_part(state: SketchState, segment: Segment) -> None:
    if state.grouping or state.ordering:
        state.sketch.groups.append(segment.part)
        state.grouping = state.listed_on()
        state.ordering = False
    elif segment.text.casefold() in english().regular or state.open_ranking is not None:
        state.sketch.groups.append(segment.part)
    elif segment.names:
        read_name(state, segment)
    elif (before := state.previous()) is not None and before.text.casefold() in english().which:
        state.sketch.groups.append(segment.part)
    else:
        state.sketch.parts_said.append(segment.part)
