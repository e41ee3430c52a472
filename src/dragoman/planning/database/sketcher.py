"""Reads the pieces of a message from left to right: their order decides what each of them is asked to be."""

from collections.abc import Callable, Mapping
from functools import cache

from dragoman.planning.database.cue_reader import read_cue
from dragoman.planning.database.figure_reader import read_number
from dragoman.planning.database.frame import Aggregate
from dragoman.planning.database.name_reader import read_name
from dragoman.planning.database.said_others import without_others
from dragoman.planning.database.segments import Cut, Piece, Segment, things_of
from dragoman.planning.database.settled_slots import gather_shown, link_behind, list_each, rank_so_many
from dragoman.planning.database.sketch import Ranked, Sketch
from dragoman.planning.database.sketch_state import BREAKS, SketchState
from dragoman.planning.database.value_reader import read_part, read_period, read_text, read_value
from dragoman.planning.database.verb_forms import is_done
from dragoman.planning.database.vocabulary import english, words_in
from dragoman.planning.tables.lexicon import ENGLISH
from dragoman.planning.tables.words import stem

_OPENING = frozenset({"show", "fill", "sum"})
"""Cues that a question may open with before it names anything."""


def sketch_of(cut: Cut) -> Sketch:
    """What the pieces of a cut ask for."""
    cut, others = without_others(cut)
    state = SketchState(cut)
    state.sketch.others = others
    while state.at < len(state.segments):
        segment = state.segments[state.at]
        state.at += 1
        _READERS[segment.piece](state, segment)
    _finish(state)
    return state.sketch


@cache
def _record_verbs() -> frozenset[str]:
    """Verbs that make a record: only of these there may be none. "Not shipped in May" rejects the period."""
    return frozenset(map(stem, (*english().record_verbs, *english().money, *english().sold)))


def _negated(state: SketchState, segment: Segment) -> bool:
    """Adds a verb; whether a "not" before it is about it."""
    state.sketch.verbs.append(segment.stem)
    # "Never logged in" is said of a verb of two words, where no period is rejected.
    alone = " " in segment.stem and all(each.piece is not Piece.PERIOD for each in state.segments)
    if not state.negative or not (alone or segment.stem in _record_verbs()):
        return False
    state.negative = False
    state.sketch.absent_verbs.append(segment.stem)
    return True


def _money(state: SketchState, segment: Segment) -> None:
    sketch = state.sketch
    if _negated(state, segment):
        return
    counts = (sketch.counts or state.counting or bool(sketch.counted)) and not sketch.amount
    if counts and (segment.stem,) in words_in(ENGLISH).sold:
        # "How many units did we sell in total": pieces, whatever adds them up.
        sketch.sold = True
        state.aggregates = []
        return
    if state.ordering:
        sketch.orders.append(("money", None))
        state.ordering = False
        state.aggregates = []
        return
    if (ranking := state.open_ranking) is not None:
        ranking.money = True
        state.ranking = None
        return
    if sketch.ranked and _is_beside(sketch.ranked[-1], segment):
        # "The most grant money": the money of grants.
        ranked = sketch.ranked[-1]
        sketch.context += [ranked.name] if ranked.name is not None else []
        ranked.name, ranked.money = None, True
        return
    if state.comparison is not None:
        return
    if state.aggregates and not sketch.measured:
        sketch.measured.append((state.aggregates.pop(), None))
        return
    if segment.text.casefold() in english().spending:
        # A verb: "how much did we make", "members who paid more than 20".
        sketch.spent = True
        sketch.sold |= (segment.stem,) in words_in(ENGLISH).sold
        state.last = None
        return
    aggregate = state.aggregates.pop() if state.aggregates else None
    sketch.measured.append((aggregate, None))
    state.money_at = state.at
    state.counting = False


def _is_beside(ranked: Ranked, segment: Segment) -> bool:
    name = ranked.name
    return name is not None and name.segment.end == segment.start and ranked.words in ("most", "least")


def _sold(state: SketchState, segment: Segment) -> None:
    if _negated(state, segment):
        return
    if state.ordering or state.open_ranking is not None:
        state.sketch.orders.append(("sold", None))
        state.ordering = False
        return
    state.sketch.sold = True
    said = segment.text.casefold()
    if said in english().pieces and all(each.kinds & _OPENING for each in state.segments[: state.at - 1]):
        # "Units of wine sold in May": how many there were.
        state.sketch.counts = True


def _share(state: SketchState, segment: Segment) -> None:
    if segment.text.casefold() in english().sharing and _shared_with(state):
        # "Who shares a room with her": what they have in common is named next.
        state.same = True
        return
    if segment.text.casefold() in english().sharing and _same_follows(state):
        # "Who share the same room as her": the word behind it says so.
        return
    if segment.text.casefold() in english().rates and state.sketch.kept:
        state.sketch.rated = state.sketch.kept[-1]
    state.sketch.share = True


def _same_follows(state: SketchState) -> bool:
    rest = (each for each in state.segments[state.at :] if each.text.casefold() not in ("the", "a", "an"))
    after = next(rest, None)
    return after is not None and after.text.casefold() == "same"


def _shared_with(state: SketchState) -> bool:
    """Whether something is named, and then "with" somebody."""
    rest = state.segments[state.at :]
    named = next((place for place, each in enumerate(rest) if each.piece is Piece.NAME), None)
    if named is None or any(each.kinds & {"of"} for each in rest[:named]):
        return False
    values = [place for place, each in enumerate(rest) if each.piece is Piece.VALUE]
    return (
        bool(values) and values[0] > named and any("with" in each.kinds for each in rest[named : values[0]])
    )


def _who(state: SketchState, segment: Segment) -> None:
    sketch = state.sketch
    first = state.at <= 2 or not (sketch.slots() or sketch.kept or sketch.counts or sketch.compared)
    # "For the new ones, show who invited them".
    shows = state.previous()
    first |= shows is not None and "show" in shows.kinds and not sketch.counts
    if first and not sketch.shown and not sketch.counted:
        sketch.who = True
    elif state.before_asks() and sketch.shown and _names_column(state.near):
        # "Trainers and who supervises them": a column says who does.
        state.asking = True
    elif state.before_asks() and (sketch.ranked or sketch.shown):
        sketch.who_too = True
    else:
        state.filtering = True


def _names_column(segment: Segment | None) -> bool:
    return segment is not None and bool(segment.names) and things_of(segment)[0][0].column is not None


def _how(state: SketchState, segment: Segment) -> None:
    if segment.adjective is not None:
        state.sketch.how.append(segment.adjective)
        state.sketch.unit = segment.unit or state.sketch.unit
        # "How many days until": how long, whatever verb follows.
        state.sketch.lasts |= segment.unit is not None
        state.sketch.durations += state.aggregates if segment.unit is not None else []
        state.aggregates = [] if segment.unit is not None else state.aggregates


def _unit(state: SketchState, segment: Segment) -> None:
    state.sketch.unit = segment.unit
    state.sketch.timed |= "time" in segment.kinds
    if "count" in segment.kinds:
        # "How many hours": an amount, and no number of rows.
        state.sketch.counts = state.sketch.amount = True


def _lasts(state: SketchState, segment: Segment) -> None:
    """How long something takes: of which a figure may be asked for before it."""
    if is_done(segment.text) and _negated(state, segment):
        # "Never taken": nobody has, however long.
        return
    state.sketch.lasts = True
    if segment.text.casefold() in english().delays:
        state.sketch.delays = True
        if (ranking := state.open_ranking) is not None:
            # "The longest delay": what was late is named elsewhere.
            ranking.lasts, state.ranking = True, None
            return
    measured = state.sketch.measured
    slot = measured[-1][1] if measured else None
    if slot is not None and slot.segment.end == segment.start and not state.sketch.how:
        # "The average loan duration": of loans, how long they are.
        aggregate, slot = measured.pop()
        if slot is not None:
            slot.role = "context"
            state.sketch.context.append(slot)
        state.aggregates += [aggregate] if aggregate is not None else []
    if state.sketch.how or state.sketch.delays or segment.text.casefold() in english().lengths:
        state.sketch.durations += state.aggregates
        state.aggregates = []


def _when(state: SketchState, segment: Segment) -> None:
    state.sketch.when = True


def _where(state: SketchState, segment: Segment) -> None:
    if state.at <= 2 and not state.sketch.shown:
        state.sketch.place = True
    else:
        state.filtering = True


def _verb(state: SketchState, segment: Segment) -> None:
    if state.ordering:
        # "In the order in which they were hired".
        state.sketch.verbs.append(segment.stem)
        state.sketch.orders.append(("done", None))
        state.ordering = False
        return
    _negated(state, segment)
    named = state.sketch.shown or state.sketch.who or state.sketch.counted or state.sketch.measured
    if (
        segment.text.casefold().endswith("s")
        and not named
        and not state.negative
        and _is_named_besides(state)
    ):
        # "The cancelled orders": nobody orders, and so it is not a verb.
        state.sketch.dropped.append(segment.text)


def _is_named_besides(state: SketchState) -> bool:
    """Whether something is named besides: "hires by year" has nothing but what happened, and when."""
    others = (Piece.NAME, Piece.VALUE, Piece.UNKNOWN, Piece.MONEY, Piece.SOLD, Piece.NUMBER)
    return any(each.piece in others for each in state.segments)


def _never(state: SketchState) -> None:
    """What was denied is what the verb says: "never used"."""
    if state.negative and state.undone:
        state.sketch.absent_verbs.append(state.undone)
        state.negative = False


def _mark(state: SketchState, segment: Segment) -> None:
    """A comma says something only to the pieces around it. Behind a colon or a question mark comes what else
    is wanted."""
    if segment.text in BREAKS:
        _never(state)
    if segment.text in BREAKS and (state.sketch.shown or state.sketch.who or state.sketch.kept):
        state.filtering = False
        state.anew = True
        if segment.text == "?" and state.near is not None and "and" not in state.near.kinds:
            state.sketch.told_from = segment.start


def _unknown(state: SketchState, segment: Segment) -> None:
    if read_text(state, segment):
        return
    if state.negative and is_done(segment.text):
        state.undone = segment.stem
        return
    state.sketch.uncovered.append(segment.text)


_READERS: Mapping[Piece, Callable[[SketchState, Segment], None]] = {
    Piece.CUE: read_cue,
    Piece.NAME: read_name,
    Piece.VALUE: read_value,
    Piece.NUMBER: read_number,
    Piece.PERIOD: read_period,
    Piece.PART: read_part,
    Piece.MONEY: _money,
    Piece.SOLD: _sold,
    Piece.SHARE: _share,
    Piece.WHO: _who,
    Piece.WHEN: _when,
    Piece.WHERE: _where,
    Piece.VERB: _verb,
    Piece.HOW: _how,
    Piece.UNIT: _unit,
    Piece.LASTS: _lasts,
    Piece.MARK: _mark,
    Piece.UNKNOWN: _unknown,
}


def _text(segment: Segment | None) -> str:
    return "" if segment is None else segment.text


def _ends_with_figure(state: SketchState) -> bool:
    """ "… and how many", "… with the number": what something is chosen by is asked for too."""
    said = [each for each in state.segments if each.piece is not Piece.MARK]
    return len(said) > 2 and ("count" in said[-1].kinds or said[-1].text.casefold() in english().figures)


def _finish(state: SketchState) -> None:
    sketch = state.sketch
    link_behind(state)
    if not state.aggregates:
        # "What does each branch pay on average": a figure is asked for, and only its column waits.
        list_each(sketch)
    rank_so_many(sketch)
    gather_shown(state)
    _never(state)
    # Words that waited in vain count like words that nothing covers.
    for waits, word in (
        (state.negative, state.waiting.get("not", "not")),
        (state.grouping, state.waiting.get("group", "by")),
        (state.comparison is not None and "fill" not in state.comparison.kinds, _text(state.comparison)),
        (bool(state.like), state.waiting.get("like", state.like)),
        (bool(state.on_top) and not (sketch.orders or sketch.ranked), state.on_top),
    ):
        if waits:
            sketch.dropped.append(word)
    if state.apart is not None:
        sketch.linked.append(state.apart)
    sketch.dropped += sketch.parts_said
    sketch.figure_too |= _ends_with_figure(state)
    equal = any(each.operation == "equal" and each.other is not None for each in sketch.compared)
    understood = {"same"} if sketch.same is not None or equal else set()
    periods = any(each.joined for each in sketch.dated)
    if len(sketch.kept) > 1 or periods or any(each.either for each in sketch.compared):
        # "Neither A nor B", "either A or B", "both A and B".
        understood |= {"neither", "either", "both"}
    demanding = set(english().demanding) - understood
    sketch.dropped += [each.text for each in state.segments if each.text.casefold() in demanding]
    if state.aggregates and sketch.compared and sketch.compared[-1].aggregate is None:
        # "More than 200 points in total": the figure that is compared is a total.
        sketch.compared[-1].aggregate = state.aggregates.pop()
    pieces = sketch.sold and (sketch.counts or state.counting)
    hours = sketch.amount and (sketch.unit is not None or sketch.timed)
    counted = (sketch.counted or pieces) and not sketch.amount
    if (counted or hours) and state.aggregates == [Aggregate.SUM]:
        # "How many guests do we have in total": a count is one already.
        state.aggregates = []
    if sketch.counted and state.aggregates == [Aggregate.AVERAGE] and not sketch.measured:
        # "How many bookings does a customer make on average".
        sketch.divided, state.aggregates = True, []
    if state.aggregates and sketch.ranked and sketch.ranked[-1].name is not None:
        # "The most medals overall": what is ranked is added up.
        ranked, aggregate = sketch.ranked[-1], state.aggregates.pop()
        ranked.aggregate = ranked.aggregate or aggregate
    if state.aggregates and sketch.lasts and not sketch.measured:
        # "How long do bookings last on average".
        sketch.durations += state.aggregates
        state.aggregates = []
    if state.aggregates and not sketch.measured:
        # "What does a ticket cost on average": what was shown is measured.
        slot = sketch.shown.pop() if sketch.shown else None
        if slot is not None:
            slot.role = "measured"
        sketch.measured += [(aggregate, slot) for aggregate in state.aggregates]
    if state.counting and not sketch.counted and not sketch.ranked:
        sketch.counts = True
