"""Reads names: what waits for a name takes it, otherwise its place in the message decides."""

from collections.abc import Callable

from dragoman.planning.database.asked_names import asks_of_named, names_known, names_others
from dragoman.planning.database.count_reader import qualifies, read_counted
from dragoman.planning.database.figure_reader import takes_number
from dragoman.planning.database.frame import Aggregate
from dragoman.planning.database.name_verbs import (
    is_done_with,
    is_record_verb,
    is_said_of_kind,
    is_verb,
    is_verb_of_who,
)
from dragoman.planning.database.rows_above import compare_above
from dragoman.planning.database.segments import Piece, Segment, things_of
from dragoman.planning.database.sketch_state import SketchState
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.words import stem

_CLAUSE = 2
_ENDS = frozenset({Aggregate.MIN, Aggregate.MAX})
_COMPARED = frozenset({"above", "below", "at-least", "at-most", "between"})


def read_name(state: SketchState, segment: Segment) -> None:
    if state.sketch.lasts and not state.grouping and _says_end(state, segment):
        return
    if segment.turned:
        # "Open" denies that they are closed; "not open" does not.
        role = "linked" if state.negative else "absent"
        (state.sketch.linked if state.negative else state.sketch.absent).append(state.slot(segment, role))
        state.negative = False
        return
    if names_others(state, segment):
        state.by_name = True
        return
    by_name, state.by_name = state.by_name, False
    if not any(waiting(state, segment) for waiting in _WAITING):
        _place(state, segment)
    if by_name and state.last is not None and state.last.segment is segment:
        state.last.by_name = True


def _says_end(state: SketchState, segment: Segment) -> bool:
    """ "How long it takes to ship", "from purchase to delivery": names that say which two days are meant."""
    if not _is_date(segment):
        return False
    state.sketch.verbs += [stem(word) for word in segment.text.casefold().split()]
    if segment.end > segment.start + 1 and not state.sketch.slots():
        # "To close an issue": whose day it is, is said by the same words.
        state.sketch.context.append(state.slot(segment, "context"))
    return True


def _absent(state: SketchState, segment: Segment) -> bool:
    if not state.negative and _of_nothing(state):
        state.at += 1
        state.sketch.absent.append(state.slot(segment, "absent"))
        return True
    if not state.negative or _value_follows(state) or _any_follows(state):
        return False
    if _number_follows(state, segment):
        return False
    before = state.before()
    if segment.text.casefold() in english().codes and before is not None and "not" in before.kinds:
        # "By name, not the id": how something is to be shown.
        state.negative = before.text.casefold() != "not"
        if not state.negative:
            return True
    state.negative = False
    state.sketch.absent.append(state.slot(segment, "absent"))
    return True


def _number_follows(state: SketchState, segment: Segment) -> bool:
    """ "Not in class 12": another number in that column, and not none at all."""
    near = state.near
    number = near is not None and near.piece is Piece.NUMBER and near.unit is None
    return number and things_of(segment)[0][0].column is not None


def _of_nothing(state: SketchState) -> bool:
    """ "Who ordered nothing", "who leads nobody": not "services nobody ordered", where a verb follows."""
    near = state.near
    if near is None or near.text.casefold() not in english().nothing:
        return False
    after = state.segments[state.at + 1] if state.at + 1 < len(state.segments) else None
    return after is None or after.piece is Piece.MARK or "and" in after.kinds


def _any_follows(state: SketchState) -> bool:
    """ "Not members of any club": there is no club, whatever the verb or the noun before it says."""
    some = False
    for after in state.segments[state.at :]:
        if after.piece is Piece.NAME:
            return some
        if after.piece is not Piece.CUE or not after.kinds & {"of", "fill", "with", "by"}:
            return False
        some |= after.text.casefold() in english().any
    return False


def _value_follows(state: SketchState) -> bool:
    """Whether a "not" before a verb speaks of the value behind it: did not sail from Oslo."""
    after = state.peek(frozenset({"fill", "of", "by", "with"}))
    return after is not None and after.piece is Piece.VALUE


def _compared(state: SketchState, segment: Segment) -> bool:
    """What stands between a comparison and its "than": "more loans than average"."""
    if state.comparison is None or state.comparison.cue != english().apart.get(
        state.comparison.text.casefold()
    ):
        return False
    if state.apart is not None:
        state.sketch.context.append(state.apart)
    comparison, slot = state.comparison, state.slot(segment, "compared")
    than = state.near is not None and state.near.text.casefold() == "than"
    if than and compare_above(state, comparison.cue, comparison, slot):
        state.apart = None
    else:
        state.apart = slot
    return True


def _ordered(state: SketchState, segment: Segment) -> bool:
    if not state.ordering:
        return False
    aggregate = state.aggregates.pop() if state.aggregates else None
    if state.counting:
        aggregate, state.counting = Aggregate.COUNT, False
    _passes_date(state, segment)
    slot = state.slot(segment, "counted" if aggregate is Aggregate.COUNT else "ordered", aggregate)
    orders = state.sketch.orders
    if orders and orders[-1][0] == "direction":
        orders[-1] = (slot, orders[-1][1])
    else:
        orders.append((slot, None))
    state.ordering = state.listed_on()
    return True


def _ranked(state: SketchState, segment: Segment) -> bool:
    ranking = state.open_ranking
    if ranking is None:
        return False
    role = "counted" if ranking.counted else "ranked"
    ranking.name = state.slot(segment, role, ranking.aggregate)
    state.counting = False
    state.ranking = ranking if state.sketch.limit is not None else None
    return True


def _passes_date(state: SketchState, segment: Segment) -> bool:
    """Goes past the word "date" behind the name of a date: the opening date."""
    near = state.near
    if near is None or near.piece is not Piece.NAME or near.text.casefold() not in ("date", "dates"):
        return False
    if not any(thing.is_date for thing, _ in things_of(segment)):
        return False
    state.at += 1
    return True


def _grouped(state: SketchState, segment: Segment) -> bool:
    if not state.grouping:
        return False
    doer = state.does_each and things_of(segment)[0][0].column is None
    if state.name_follows() and not doer and not _passes_date(state, segment):
        state.sketch.context.append(state.slot(segment, "context"))
    else:
        state.sketch.groups.append(slot := state.slot(segment, "grouped"))
        if state.each:
            state.sketch.each.append(slot)
        state.grouping = state.listed_on()
    return True


def _measured(state: SketchState, segment: Segment) -> bool:
    if not state.aggregates:
        return False
    sketch = state.sketch
    before, follow = state.before(), state.peek()
    if _of_shown(state, segment):
        return True
    # "average loan fee": the thing, then the column of it.
    nearer = follow is not None and follow.piece is Piece.NAME and state.segments.index(follow) == state.at
    # "The tax amount invoiced": what was done with it is not what is measured.
    nearer = nearer and not (follow is not None and is_record_verb(follow))
    inside = state.preposition == "of" and before is not None and "of" in before.kinds and sketch.measured
    if nearer or inside:
        sketch.context.append(state.slot(segment, "context"))
        return True
    slot = state.slot(segment, "measured")
    sketch.measured.extend((aggregate, slot) for aggregate in state.aggregates)
    if not state.listed_on():
        state.aggregates = []
    return True


def _of_shown(state: SketchState, segment: Segment) -> bool:
    """ "The lengths of the longest and the shortest tracks": the figures are those of what is shown."""
    sketch = state.sketch
    if len(state.aggregates) < len(_ENDS) or not set(state.aggregates) <= _ENDS or not sketch.shown:
        return False
    if things_of(segment)[0][0].column is not None or state.name_follows():
        return False
    measured = sketch.shown.pop()
    measured.role = "measured"
    sketch.measured.extend((aggregate, measured) for aggregate in state.aggregates)
    sketch.context.append(state.slot(segment, "context"))
    state.aggregates = []
    return True


def _totals(state: SketchState, segment: Segment) -> bool:
    """ "The total amount of all open bills": a sum, even where a column of each bill is called so."""
    if segment.text.casefold().split()[0] not in english().totals or state.sketch.shown or state.filtering:
        return False
    if not things_of(segment)[0][0].is_number or things_of(segment)[0][0].column is None:
        return False
    of = state.near
    rows = state.peek(frozenset({"fill", "of"}))
    if rows is not None and rows.piece is Piece.VALUE:
        place = state.segments.index(rows) + 1
        rows = state.segments[place] if place < len(state.segments) else None
    several = rows is not None and rows.piece is Piece.NAME and rows.text.casefold().endswith("s")
    if of is None or not of.text.casefold().startswith("of") or not several:
        return False
    state.sketch.measured.append((Aggregate.SUM, state.slot(segment, "measured")))
    return True


def _as_follows(state: SketchState) -> bool:
    return state.near is not None and state.near.text.casefold() == "as"


def _same(state: SketchState, segment: Segment) -> bool:
    """ "In the same town as Oslo Ltd": what the rows have in common."""
    if not state.same:
        return False
    state.same = False
    if _as_follows(state) and compare_above(state, "equal", segment, state.slot(segment, "compared")):
        return True
    if not any(each.piece is Piece.VALUE for each in state.segments[state.at :]):
        return False
    if not state.name_follows():
        state.sketch.same = state.slot(segment, "grouped")
    return True


_WAITING: tuple[Callable[[SketchState, Segment], bool], ...] = (
    _same,
    _absent,
    _compared,
    _ordered,
    _ranked,
    _grouped,
    read_counted,
    _measured,
    _totals,
    takes_number,
)


_BESIDE = ("shown", "counted", "measured", "context")


def _place(state: SketchState, segment: Segment) -> None:
    """Shows a name, links it, or keeps it as the context of the others."""
    sketch = state.sketch
    before, last = state.named_behind or state.before(), state.last
    state.named_behind = None
    if names_known(state, segment):
        return
    dated = _is_date(segment) and segment.text.casefold().endswith("ed") and qualifies(state, segment)
    verb = is_done_with(state, segment)
    if dated or verb or is_said_of_kind(state, segment):
        # "Returned bookings": what was done with them.
        sketch.context.append(state.slot(segment, "context"))
        state.last = None if verb else state.last
        return
    if _is_compared(state, before):
        state.slot(segment, "compared")
        return
    beside = before is not None and before.piece is Piece.NAME and before.end == segment.start
    if beside and last is not None and last.role in _BESIDE and not is_verb(state, segment, last):
        # Two names in a row: "member names", "loan fees".
        names = sketch.shown if last.role == "shown" else sketch.context
        names.append(state.slot(segment, "shown" if last.role == "shown" else "context"))
    elif is_verb_of_who(state, segment, before) or is_verb(state, segment, last):
        sketch.context.append(state.slot(segment, "context"))
    elif (
        state.asking
        or asks_of_named(state, before)
        or _told_of_them(state, before)
        or (before is not None and before.text == ":")
        or (state.anew and not state.filtering and not sketch.counted and not sketch.measured)
    ):
        state.asking = False
        sketch.shown.append(state.slot(segment, "shown"))
    elif state.filtering:
        sketch.linked.append(state.slot(segment, "linked"))
    elif _is_context(state, before, beside=beside and last is not None):
        sketch.context.append(state.slot(segment, "context"))
    else:
        sketch.shown.append(state.slot(segment, "shown"))


def _is_date(segment: Segment) -> bool:
    best = max(segment.names, key=lambda name: name.score, default=None)
    return best is not None and best.thing.is_date


def _is_compared(state: SketchState, before: Segment | None) -> bool:
    """Whether a name is said only for the number that it is compared with: rooms that cost less than 100."""
    near, sketch = state.near, state.sketch
    if near is None or not near.kinds & _COMPARED:
        return False
    # "Books that cost more than 20", where nothing is called a book.
    clause = before is not None and "where" in before.kinds and state.at > _CLAUSE
    if not (sketch.shown or sketch.counted or clause):
        return False
    if before is not None and (before.text == "," or "and" in before.kinds):
        return False
    place = state.at + 1
    if place >= len(state.segments):
        return False
    # "Who earn less than their boss": what both have is compared.
    own = state.segments[place].text.casefold() in english().theirs
    return own or state.segments[place].piece is Piece.NUMBER


def _told_of_them(state: SketchState, before: Segment | None) -> bool:
    """ "… and the room they stayed in": not a further condition, but what else is wanted."""
    if not state.filtering or before is None or "and" not in before.kinds or not state.sketch.shown:
        return False
    after = state.near
    return after is not None and after.text.casefold() in english().they


def _is_context(state: SketchState, before: Segment | None, *, beside: bool) -> bool:
    sketch = state.sketch
    listing = before is not None and (before.text == "," or "and" in before.kinds)
    if sketch.counted or sketch.measured or sketch.who:
        return True
    if sketch.shown and before is not None and "of" in before.kinds:
        return True
    return bool(sketch.shown and not listing and not beside) or bool(sketch.ranked and not listing)
