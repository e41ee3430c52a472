"""Reads aggregates, comparisons and numbers: "average price", "more than 5", "above average"."""

from dragoman.planning.database.frame import Aggregate
from dragoman.planning.database.rows_above import compare_above
from dragoman.planning.database.segments import Piece, Segment, things_of
from dragoman.planning.database.sketch import Compared, Held, Kept, Slot
from dragoman.planning.database.sketch_state import AGGREGATES, SketchState
from dragoman.planning.database.vocabulary import english

_NEAR_MONEY = 4
_SURE = 0.9
_FLAG = 2
_SMALL = frozenset({"fill", "of", "show"})
_INSIDE = ("in", "on", "of")
COMPARISONS = ("above", "below", "at-least", "at-most", "between", "exactly")


def read_aggregate(state: SketchState, segment: Segment) -> None:
    aggregate = next(AGGREGATES[kind] for kind in AGGREGATES if kind in segment.kinds)
    if aggregate is Aggregate.AVERAGE and _is_compared_figure(state):
        # "A better average score than": averages are compared.
        state.aggregates.append(aggregate)
        return
    if aggregate is Aggregate.AVERAGE and state.comparison is not None:
        _compare_average(state, state.comparison, segment)
        return
    if state.sketch.lasts and state.sketch.how:
        # "How long does it take on average to ship".
        state.sketch.durations.append(aggregate)
        return
    ranking = state.open_ranking
    if ranking is not None and (ranking.adjective is not None or _after_rank(state)):
        ranking.aggregate = aggregate
        ranking.adjective = None
        return
    state.aggregates.append(aggregate)


def _is_compared_figure(state: SketchState) -> bool:
    """Whether a comparison waits for what stands before its "than"."""
    cue = state.comparison
    if cue is None or cue.cue != english().apart.get(cue.text.casefold()) or state.aggregates:
        return False
    rest = state.segments[state.at :]
    than = next((place for place, each in enumerate(rest) if each.text.casefold() == "than"), 0)
    return any(each.piece is Piece.NAME for each in rest[:than])


def _compare_average(state: SketchState, comparison: Segment, segment: Segment) -> None:
    compared = Compared(
        _operation(comparison), average=True, adjective=comparison.adjective, words=segment.text
    )
    named = state.last is not None and state.last.role in ("compared", "shown", "context", "linked")
    if state.apart is not None:
        compared.name, state.apart = state.apart, None
    elif named and (comparison.adjective is None or _said_before(state, state.last)):
        compared.name = state.last
    if compared.name is not None and state.aggregates:
        compared.aggregate = state.aggregates[-1]
    state.sketch.compared.append(compared)
    state.comparison = None
    state.aggregates = []
    _average_of(state, compared)


def _average_of(state: SketchState, compared: Compared) -> None:
    """What follows names the rows or the column that the average is of."""
    after = state.peek()
    if after is None:
        return
    if after.piece is Piece.VALUE:
        # "Above the average ladder": the average is that of ladders.
        state.go_past(after)
        state.sketch.kept.append(Kept(after, average=True, listed=bool(state.sketch.kept)))
    elif after.piece is Piece.NAME:
        state.go_past(after)
        compared.after = state.slot(after, "compared")
        if state.name_follows() and state.near is not None:
            state.sketch.context.append(compared.after)
            compared.after = state.slot(state.near, "compared")
            state.at += 1


def _after_rank(state: SketchState) -> bool:
    before = state.previous()
    ranks = frozenset({"most", "least", "limit"})
    return before is not None and before.piece is Piece.CUE and bool(before.kinds & ranks)


def _operation(segment: Segment) -> str:
    return next(kind for kind in COMPARISONS if kind in segment.kinds)


def read_comparison(state: SketchState, segment: Segment) -> None:
    """A comparison takes the number behind it, or waits for the average."""
    if (
        segment.text.casefold() == "over"
        and state.near is not None
        and state.near.text.casefold() in english().all
    ):
        # "The sum over all loans" compares nothing.
        state.preposition = "of"
        return
    if state.sketch.lasts and _operation(segment) == "between" and state.peek(_SMALL) is not None:
        behind = state.peek(_SMALL)
        if behind is not None and behind.piece is not Piece.NUMBER:
            # "Days between order and shipment": from the one to the other.
            return
    state.comparison = segment
    if segment.number is not None:
        # "A negative balance": below nothing.
        _add_compared(state, Compared(_operation(segment), (segment.number,)), sign=True)
        return
    after = state.peek(_SMALL)
    graded = segment.adjective is not None and segment.text.casefold().endswith("than")
    if graded and compare_above(state, _operation(segment), segment):
        return
    if _compare_named(state, segment, after) or _compare_columns(state, segment, after):
        return
    if after is None or after.piece is not Piece.NUMBER or after.number is None:
        return
    operation = _operation(segment)
    state.go_past(after)
    numbers = [after.number]
    unit, money = after.unit, after.money
    if operation == "between":
        rest = state.peek(frozenset({"fill", "of", "and"}))
        if rest is not None and rest.piece is Piece.NUMBER and rest.number is not None:
            state.go_past(rest)
            numbers.append(rest.number)
            unit, money = unit or rest.unit, money or rest.money
            after = rest
    compared = Compared(
        "equal" if operation == "exactly" else operation,
        tuple(numbers),
        unit=unit,
        money=money,
        adjective=segment.adjective or after.adjective,
    )
    _add_compared(state, compared)


def _compare_named(state: SketchState, segment: Segment, after: Segment | None) -> bool:
    """ "Below the age of 17": the column is said before its number."""
    thing = things_of(after)[0][0] if after is not None and after.piece is Piece.NAME else None
    operation = _operation(segment)
    if after is None or thing is None or not thing.is_number or thing.is_key or operation == "between":
        return False
    at = state.at
    state.go_past(after)
    number = state.peek(frozenset({"fill", "of"}))
    if number is None or number.piece is not Piece.NUMBER or number.number is None:
        state.at = at
        return False
    state.go_past(number)
    state.sketch.compared.append(
        Compared(
            "equal" if operation == "exactly" else operation,
            (number.number,),
            unit=number.unit,
            money=number.money,
            name=state.slot(after, "compared"),
        )
    )
    state.comparison = None
    return True


def _compare_columns(state: SketchState, segment: Segment, after: Segment | None) -> bool:
    """ "Shipped after the due date", "at or below their minimum": the other column is said."""
    before = state.before()
    said = before is not None and (before.piece is Piece.VERB or (before.piece is Piece.NAME and state.last))
    bare = segment.kinds & {"at-most", "at-least"}
    if after is None or after.piece is not Piece.NAME or not _is_figure(after) or not (said or bare):
        return False
    compared = Compared(_operation(segment), words=after.text, verb=before.stem if before is not None else "")
    if before is not None and before.piece is Piece.NAME:
        compared.name = state.last
    state.go_past(after)
    compared.other = state.slot(after, "compared")
    compared.negative, state.negative = state.negative, False
    state.sketch.compared.append(compared)
    state.comparison = None
    return True


def _is_figure(segment: Segment) -> bool:
    """Whether a name is surely that of a column of dates or numbers."""
    best = max(segment.names, key=lambda name: name.score)
    thing = best.thing
    if best.score < _SURE or thing.column is None:
        return False
    few = thing.column.info.distinct is not None and thing.column.info.distinct <= _FLAG
    flag = few and not thing.is_key
    return thing.is_date or (thing.is_number and not flag)


def read_late(state: SketchState, segment: Segment) -> None:
    """ "Delivered late": after the day that was planned."""
    negative, state.negative = state.negative, False
    state.sketch.compared.append(Compared(segment.cue, late=True, negative=negative, words=segment.text))


def _compare_number(state: SketchState, operation: str, segment: Segment, number: float) -> None:
    compared = Compared(
        operation, (number,), unit=segment.unit, money=segment.money, adjective=segment.adjective
    )
    _add_compared(state, compared)


def _add_compared(state: SketchState, compared: Compared, *, sign: bool = False) -> None:
    """Adds a comparison with what was said around it."""
    compared.negative, state.negative = state.negative, False
    compared.words = " ".join(f"{number:g}" for number in compared.numbers)
    near = state.last if state.last is not None and state.last_at >= state.at - 5 else None
    if state.counting:
        compared.counted = True
    if state.aggregates:
        compared.aggregate = state.aggregates.pop()
    measured = state.sketch.measured
    if state.money_at >= state.at - _NEAR_MONEY and measured and measured[-1][1] is None:
        # "With a total value over 500": the money is what is compared.
        compared.spent, compared.aggregate = True, measured.pop()[0]
    after = state.peek()
    if after is not None and after.piece is Piece.NAME:
        state.go_past(after)
        behind = state.near
        if sign and behind is not None and behind.piece is Piece.NAME and behind.start == after.end:
            # "A negative account balance": the last of the nouns is below nothing.
            state.go_past(behind)
            after, behind = behind, state.near
        compared.after = state.slot(after, "compared")
        if behind is not None and behind.kinds & {"of"} and behind.text in _INSIDE:
            inside = state.peek()
            if inside is not None and inside.piece is Piece.NAME:
                state.go_past(inside)
                compared.within = state.slot(inside, "compared")
    if compared.adjective is not None and compared.adjective.money and compared.unit is not None:
        # "Cheaper than 10 pounds": money, whatever else is weighed so.
        compared.unit, compared.money = None, True
    if near is not None and (compared.adjective is None or _said_before(state, near)):
        compared.name = None if _is_done_to(near, compared.after) else near
    compared.either = state.either and state.conditions_said() > 0
    if compared.either and state.sketch.compared and compared.name is None and compared.after is None:
        # "Above 25 or below 10": both numbers are of what is named before the first of them.
        compared.name = state.sketch.compared[-1].name
    state.either = False
    state.comparison = None
    state.counting = False
    state.sketch.compared.append(compared)


def _is_done_to(verb: Slot, after: Slot | None) -> bool:
    """ "Who graded more than 20 tents": tents are counted, whatever their grades are."""
    done = verb.segment.text.casefold().endswith("ed")
    named = things_of(after.segment) if after is not None and after.segment.text.endswith("s") else []
    return done and bool(named) and named[0][0].column is None


def _said_before(state: SketchState, near: Slot | None) -> bool:
    """ "A weight higher than 85": what stands just before the adjective is compared, whatever it grades."""
    if state.comparison is None or near is None or not _is_figure(near.segment):
        return False
    between = [s for s in state.segments if near.segment.end <= s.start < state.comparison.start]
    return all(segment.kinds == {"fill"} for segment in between)


def read_number(state: SketchState, segment: Segment) -> None:
    number = segment.number
    if number is None:
        return
    if state.like and state.last is not None:
        # "Codes that start with 4".
        state.sketch.held.append(Held(segment.text, state.like, state.last, state.negative))
        state.like, state.negative = "", False
        return
    near = state.near
    if near is not None and near.kinds & {"or-more", "or-less"}:
        state.at += 1
        _compare_number(state, "at-least" if "or-more" in near.kinds else "at-most", segment, number)
        return
    if near is not None and near.kinds & {"most", "least", "common", "rare"}:
        state.sketch.limit = int(number)
        return
    after = state.peek()
    if after is not None and after.piece is Piece.NAME and segment.unit is None:
        if state.ranking is not None and state.sketch.limit is None:
            state.sketch.limit = int(number)
            return
        if number == int(number):
            _number_before_name(state, segment, number, after)
            return
    if segment.stem != "one":
        _compare_number(state, "equal", segment, number)


def _number_before_name(state: SketchState, segment: Segment, number: float, after: Segment) -> None:
    if number == 1 and segment.stem == "one":
        if one_of_figure(state, segment):
            _compare_number(state, "equal", segment, number)
        return
    if state.filtering or state.preposition == "with":
        _compare_number(state, "equal", segment, number)
        return
    state.go_past(after)
    state.sketch.maybe = (int(number), state.slot(after, "compared"))


def one_of_figure(state: SketchState, segment: Segment) -> bool:
    """ "For one adult", where a column says how many adults there are: a number, and not a word like "a"."""
    near = state.near
    said = segment.text.casefold() == "one" and bool(state.sketch.shown or state.sketch.counted)
    before = state.previous()
    led = before is not None and bool(before.kinds & {"of", "with"})
    return said and led and near is not None and near.piece is Piece.NAME and _is_figure(near)


def takes_number(state: SketchState, segment: Segment) -> bool:
    """Whether a name is directly before a number, which it then equals."""
    after = state.near
    if after is None or after.piece is not Piece.NUMBER or after.number is None:
        return False
    if after.unit is not None or state.sketch.limit is not None:
        return False
    behind = state.segments[state.at + 1] if state.at + 1 < len(state.segments) else None
    # "Which rooms was guest 12 moved to": what was done with it is nothing to count.
    done = behind is not None and behind.text.casefold().split()[0].endswith("ed")
    counted = (
        behind is not None
        and not done
        and (behind.piece is Piece.NAME or behind.kinds & {"or-more", "or-less"})
    )
    things = things_of(segment)
    # "With tracking number 7662 sent in May": the number is what is called a number.
    numbered = segment.text.casefold().split()[-1] in (*english().codes, "number")
    if counted and not numbered and things and not things[0][0].is_number:
        # "Who wrote 3 or more books": the number is that of what follows.
        return False
    state.at += 1
    slot = state.slot(segment, "compared")
    compared = Compared("equal", (after.number,), name=slot, words=after.text, money=after.money)
    compared.negative, state.negative = state.negative, False
    state.sketch.compared.append(compared)
    return True
