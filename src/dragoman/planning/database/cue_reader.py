"""Reads cues: the words that say what is done with what is named."""

from msgspec.structs import replace

from dragoman.planning.database.figure_reader import (
    COMPARISONS,
    one_of_figure,
    read_aggregate,
    read_comparison,
    read_late,
    read_number,
)
from dragoman.planning.database.frame import Aggregate
from dragoman.planning.database.rank_reader import (
    ends_last,
    is_one,
    limits,
    read_difference,
    read_limit,
    read_rank,
)
from dragoman.planning.database.segments import Piece, Segment, things_of
from dragoman.planning.database.sketch_state import AGGREGATES, BREAKS, SketchState
from dragoman.planning.database.verb_forms import is_done
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.words import stem
from dragoman.reading.periods import Bound

_ENDS = {Aggregate.MIN, Aggregate.MAX}
_PAST = ("ended in", "started in")
"""What rows did, and not how a text is written."""
_LIKE = ("contains", "starts", "ends")
_BETWEEN = 3
"""So many pieces back stands what comes before a piece and a small word."""


def read_cue(state: SketchState, segment: Segment) -> None:
    """A cue may be several things: the first that it can be here counts."""
    sketch = state.sketch
    if sketch.share and sketch.part_from is None and segment.text.casefold() in english().predicates:
        sketch.part_from = segment.start if sketch.slots() or sketch.kept or sketch.measured else None
    sketch.versus |= "versus" in segment.kinds
    if segment.text.casefold() == "then" and (sketch.orders or sketch.ranked):
        # "Sorted by floor, then name": the order goes on.
        state.ordering = True
        return
    if segment.kinds == {"fill"} and one_of_figure(state, segment):
        read_number(state, replace(segment, piece=Piece.NUMBER, number=1.0, stem="one"))
        return
    for reads in (_figures, _arrangement, _comparison, _small_word):
        if reads(state, segment):
            return


def _figures(state: SketchState, segment: Segment) -> bool:
    kinds = segment.kinds
    if segment.text.casefold() == "top" and _stands_on(state):
        state.on_top = segment.text
        return True
    if kinds & {"not", "missing"}:
        _not(state, segment)
    elif kinds & {"max", "min", "most", "least"} and _beside_figures(state, segment):
        state.aggregates.append(Aggregate.MIN if kinds & {"min", "least"} else Aggregate.MAX)
    elif limits(state, segment):
        read_limit(state, segment)
    elif ends_last(state, segment):
        pass
    elif kinds & {"most", "least", "common", "rare"}:
        read_rank(state, segment)
    elif "difference" in kinds:
        read_difference(state, segment)
    elif "count" in kinds:
        state.sketch.amount |= segment.text.casefold() in english().amounts
        _count(state)
    elif kinds & set(AGGREGATES):
        read_aggregate(state, segment)
    else:
        return False
    return True


def _beside_figures(state: SketchState, segment: Segment) -> bool:
    """Whether other figures of the same column are asked for: "the lowest and the highest fee"."""
    plain = segment.adjective is None or segment.adjective.plain or bool(state.sketch.shown)
    if not plain or segment.cue in ("common", "rare") or state.ordering or len(segment.text.split()) > 1:
        return False
    ends = {*AGGREGATES, "most", "least"}
    if state.aggregates:
        return bool(segment.kinds & {"max", "min"}) or len({*state.aggregates} & _ENDS) > 0
    rest = [s for s in state.segments[state.at : state.at + 4] if s.kinds != {"fill"}][:2]
    joined = bool(rest) and (rest[0].text == "," or "and" in rest[0].kinds)
    return joined and len(rest) > 1 and rest[1].piece is Piece.CUE and bool(rest[1].kinds & ends)


def _stands_on(state: SketchState) -> bool:
    """ "The newest on top" is said of an order, and is not a top of so many."""
    before = state.before()
    return before is not None and before.text.casefold() in ("on", "at")


def _arrangement(state: SketchState, segment: Segment) -> bool:
    kinds = segment.kinds
    if "group" in kinds:
        state.grouping = True
        state.waiting["group"] = segment.text
        state.sketch.per |= segment.text.casefold() == "per"
        state.each = segment.text.casefold().endswith(("each", "every"))
        state.does_each = segment.text.casefold().split()[0] in english().asks
        state.filtering = False
    elif "order" in kinds:
        state.ordering = not _sorts_first(state)
        state.sketch.ranks |= segment.text.casefold().split()[0] in english().ranking
    elif kinds & {"ascending", "descending"}:
        _direct(state, descending="descending" in kinds)
        if "alphabet" in segment.text:
            state.sketch.alphabetical = True
    else:
        return False
    return True


def _sorts_first(state: SketchState) -> bool:
    """ "Sort the names of all songs by length": what is sorted comes first, and then what by."""
    if any(segment.piece is not Piece.CUE for segment in state.segments[: state.at]):
        return False
    rest = state.segments[state.at :]
    named = next((place for place, segment in enumerate(rest) if segment.piece is Piece.NAME), len(rest))
    if any(segment.text.casefold().split()[-1:] == ["by"] for segment in state.segments[: state.at + named]):
        # "Sort them by weight, descending": the first name is what by.
        return False
    return any(each.kinds & {"by", "order", "ascending", "descending"} for each in rest[named:])


def _comparison(state: SketchState, segment: Segment) -> bool:
    kinds = segment.kinds
    if "late" in kinds:
        read_late(state, segment)
    elif kinds & set(COMPARISONS):
        read_comparison(state, segment)
    elif kinds & {"or-more", "or-less"}:
        _or_more(state, more="or-more" in kinds)
    elif "contains" in kinds and _numbers_follow(state):
        # "Parties that include at least two children": so many of them, and no text.
        state.filtering = True
    elif kinds & set(_LIKE) and not segment.text.casefold().startswith(_PAST):
        state.like = next(kind for kind in _LIKE if kind in kinds)
        state.waiting["like"] = segment.text
    else:
        return False
    return True


def _numbers_follow(state: SketchState) -> bool:
    """Whether a number follows, alone or compared, and then a name."""
    rest = [each for each in state.segments[state.at :] if each.kinds != {"fill"}]
    numbers = [place for place, each in enumerate(rest[:2]) if each.piece is Piece.NUMBER]
    if not numbers or (numbers[0] == 1 and not rest[0].kinds & set(COMPARISONS)):
        return False
    behind = rest[numbers[0] + 1 : numbers[0] + 2]
    return bool(behind) and behind[0].piece is Piece.NAME


def _small_word(state: SketchState, segment: Segment) -> bool:
    sketch, kinds = state.sketch, segment.kinds
    after = state.near
    if segment.text.casefold() in english().together and after is not None and after.piece is Piece.VALUE:
        sketch.together = True
    if segment.text.casefold() in english().everybody:
        state.anew = False
    if _is_undone(state, segment):
        state.undone = segment.stem
    elif segment.text.casefold() == "same":
        state.same = any(
            each.piece is Piece.VALUE or each.text.casefold() == "as" for each in state.segments[state.at :]
        )
    elif _asks_more(state, segment):
        state.asking = True
        state.filtering = False
    elif "current" in kinds:
        sketch.current = segment.text
    elif "distinct" in kinds or _asks_kinds(state, segment):
        sketch.distinct = True
    elif "everything" in kinds:
        sketch.everything = True
    elif "by" in kinds:
        state.waiting["group"] = segment.text
        _by(state)
    elif "or" in kinds:
        state.either = True
    elif "where" in kinds and sketch.shown:
        state.filtering = True
    elif "with" in kinds:
        state.preposition = "with"
        if sketch.shown or sketch.counted or sketch.ranked:
            state.filtering = True
    elif "of" in kinds:
        state.preposition = segment.text
        sketch.prepositions.append(segment.text)
    return True


def _is_undone(state: SketchState, segment: Segment) -> bool:
    """Whether a denied verb names nothing: "not used", "which keys does nobody have"."""
    done = segment.kinds == {"fill"} and is_done(segment.text)
    return state.negative and (done or ("with" in segment.kinds and state.peek() is None))


def _asks_kinds(state: SketchState, segment: Segment) -> bool:
    """ "What kinds of ropes are there": each of them once."""
    of = state.near is not None and state.near.text.casefold() == "of"
    return of and segment.text.casefold() in english().kinds_of


def _asks_more(state: SketchState, segment: Segment) -> bool:
    """ "… and which doctor", "… and for which team": a further question, no condition."""
    asked = state.sketch.shown or state.sketch.who or state.sketch.ranked
    if segment.text.casefold().split()[-1] not in english().which or not asked:
        return False
    near, before_it = state.near, state.before()
    if state.sketch.who and near is not None and near.piece is Piece.NAME and before_it is not None:
        # "Who is the guide of which tour": behind "which" stands what is asked for.
        return before_it.piece is not Piece.WHO
    for before in reversed(state.segments[: state.at - 1]):
        if before.piece is not Piece.CUE or not before.kinds & {"of", "fill", "by"} or "and" in before.kinds:
            return before.text in BREAKS or before.text == "," or "and" in before.kinds
    return False


def _not(state: SketchState, segment: Segment) -> None:
    if "missing" in segment.kinds and state.last is not None:
        if state.last not in state.sketch.missing:
            state.sketch.missing.append(state.last)
        return
    state.negative = True
    state.waiting["not"] = segment.text


def _count(state: SketchState) -> None:
    ranking = state.open_ranking
    if ranking is not None and state.at >= 2:
        ranking.counted = True
        state.counting = True
        return
    if _figure_too(state):
        state.sketch.figure_too = True
        return
    if state.aggregates:
        # "The average number of seats": seats are numbers already, where a column has them.
        state.sketch.divided |= Aggregate.AVERAGE in state.aggregates
        return
    state.counting = True
    if not state.ordering:
        state.sketch.counts = True
        # "The different teams and the number of players": what is shown is different, not what is counted.
        state.sketch.distinct &= not state.sketch.shown


def _figure_too(state: SketchState) -> bool:
    """ "Guides with more than 3 tours, and how many": the figure of the groups is asked for, nothing else."""
    sketch = state.sketch
    so_many = bool(sketch.compared) and sketch.compared[-1].after is not None
    if not (so_many or sketch.ranked) or not (sketch.shown or sketch.ranked or sketch.who):
        return False
    before = next((s for s in reversed(state.segments[: state.at - 1]) if _says_more(s)), None)
    if before is None or not before.kinds & {"and", "with"}:
        return False
    known = {segment.stem for segment in state.segments[: state.at - 1] if segment.piece is Piece.NAME}
    rest = [s for s in state.segments[state.at :] if s.piece in (Piece.NAME, Piece.VALUE, Piece.PERIOD)]
    return all(segment.stem in known for segment in rest)


def _says_more(segment: Segment) -> bool:
    return not (segment.piece is Piece.CUE and segment.kinds <= {"fill", "of", "show", "by"})


def _direct(state: SketchState, *, descending: bool) -> None:
    orders = state.sketch.orders
    if orders and orders[-1][1] is None:
        orders[-1] = (orders[-1][0], descending)
    else:
        # "Alphabetically, with their region" names nothing to sort by.
        near = state.near
        state.ordering = (
            near is not None and not near.kinds & {"with", "and"} and near.piece is not Piece.MARK
        )
        orders.append(("direction", descending))


def _or_more(state: SketchState, *, more: bool) -> None:
    """ "Or more" behind a number, "or later" behind a period."""
    sketch = state.sketch
    before = state.previous()
    if before is not None and before.piece is Piece.PERIOD and sketch.dated:
        dated = sketch.dated[-1]
        dated.period = replace(dated.period, bound=Bound.SINCE if more else Bound.UNTIL)
    elif sketch.compared:
        sketch.compared[-1].operation = "at-least" if more else "at-most"


def _by(state: SketchState) -> None:
    """ "By" sorts, gathers, or says who did it."""
    after = state.peek()
    if after is None or after.text.casefold() in english().which:
        return
    if after.piece is Piece.VALUE:
        state.preposition = "by"
    elif state.ordering:
        return
    elif after.piece is Piece.NAME and _says_who(state, after):
        # "Borrowed by members in Oulu": who did it, not what rows are gathered by.
        state.filtering = True
    elif _sorts(state, after):
        state.ordering = True
    else:
        state.grouping = True


def _says_who(state: SketchState, after: Segment) -> bool:
    if _value_behind(state, after):
        return True
    if state.near is after and is_one(after) and asks_figure(state):
        # "Total invoiced by status", "units sold by category": one of a kind, without an article, gathers.
        return False
    return _done(state.previous()) or _by_doers(state, after)


def asks_figure(state: SketchState) -> bool:
    sketch = state.sketch
    asked = sketch.counts or sketch.counted or sketch.measured or sketch.spent or sketch.share
    return bool(asked or state.aggregates or sketch.sold)


def _by_doers(state: SketchState, after: Segment) -> bool:
    """ "Bookings made by guests", "songs by artists who are": rows are listed, and these say whose."""
    sketch, before = state.sketch, _verb_before(state)
    if sketch.share or not (sketch.shown or sketch.counted or sketch.measured):
        return False
    if things_of(after)[0][0].column is not None:
        return False
    if before is not None and before.piece in (Piece.CUE, Piece.MONEY) and _is_past(before):
        return not sketch.measured
    place = state.segments.index(after) + 1
    behind = state.segments[place] if place < len(state.segments) else None
    clause = behind is not None and (behind.piece is Piece.WHO or "where" in behind.kinds)
    return clause and not sketch.counts


def _verb_before(state: SketchState) -> Segment | None:
    """What stands before a "by", with a small word between them or none: "taken out by"."""
    before = state.previous()
    if before is None or _is_past(before) or before.kinds != {"fill"} or state.at < _BETWEEN:
        return before
    return state.segments[state.at - _BETWEEN]


def _is_past(segment: Segment) -> bool:
    """ "Enrolled", "made", "taught"."""
    word = segment.text.casefold().split()[-1]
    return is_done(word) or (stem(word) != word and not word.endswith(("s", "e", "ing")) and word[-1] in "dt")


def _value_behind(state: SketchState, name: Segment) -> bool:
    """ "Run by the shop Oslo West": a value behind the name says which one."""
    place = state.segments.index(name) + 1
    return place < len(state.segments) and state.segments[place].piece is Piece.VALUE


def _done(before: Segment | None) -> bool:
    if before is None:
        return False
    participle = before.piece is Piece.NAME and before.text.casefold().endswith("ed")
    return participle or before.piece in (Piece.SOLD, Piece.VERB)


def _sorts(state: SketchState, after: Segment) -> bool:
    """Whether "by" names the figure of a ranking: "the top 5 customers by revenue"."""
    sketch = state.sketch
    if after.piece is Piece.CUE and after.kinds & {*AGGREGATES, "count"}:
        return True
    if after.piece in (Piece.MONEY, Piece.SOLD):
        return True
    if state.ranking is not None and state.ranking.name is not None and sketch.limit is not None:
        return True
    if not sketch.ranked or after.piece is not Piece.NAME or sketch.groups:
        return False
    ranked = sketch.ranked[-1]
    return ranked.common or ranked.adjective is None or ranked.adjective.plain
