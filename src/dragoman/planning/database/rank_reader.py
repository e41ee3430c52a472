"""Reads superlatives and limits: "the oldest", "top 5", "cheapest first"."""

from msgspec.structs import replace

from dragoman.planning.database.segments import Piece, Segment, things_of
from dragoman.planning.database.sketch import Ranked, Slot
from dragoman.planning.database.sketch_state import SketchState
from dragoman.planning.database.verb_forms import is_done
from dragoman.planning.database.vocabulary import Limit, english

_ARTICLES = ("the", "a", "an")
_BETWEEN = frozenset({"between", "of", "and", "fill"})
_BOTH = 2
_BEFORE_FIRST = (Piece.NAME, Piece.VERB, Piece.CUE)
_NEAR_FIRST, _FAR_FIRST = 1, 5
"""How many pieces may stand between a superlative and the "first" that makes an order of it."""
_IS = ("is", "are", "was", "were")


def limits(state: SketchState, segment: Segment) -> bool:
    """Whether a cue says how many rows are wanted: "top 5", "the last 3", and "the best" alone."""
    if "limit" not in segment.kinds:
        return False
    after = state.peek()
    if after is not None and after.piece is Piece.NUMBER:
        return True
    if segment.text.casefold() in english().limits and english().limits[segment.text.casefold()].adjective:
        if first_behind(state) is not None:
            return True
        # "The last order": the latest of them. A first name is not a rank.
        return after is not None and after.piece is Piece.NAME and after is state.near
    graded = bool(segment.kinds & {"most", "least"}) and segment.adjective is None and segment.cue != "least"
    return graded and segment.text in english().limits


def ends_last(state: SketchState, segment: Segment) -> bool:
    """ "Who was hired last", "who joined first": at the end of a question it ranks what was done."""
    limit = english().limits.get(segment.text.casefold())
    before = state.before()
    if limit is None or not limit.adjective or state.peek() is not None or before is None:
        return False
    done = before.piece is Piece.VERB or before.text.casefold().endswith(("ed", "n", "t"))
    if not done or not (state.sketch.who or state.sketch.shown) or state.sketch.ranked or state.ordering:
        return False
    name = state.last if state.last is not None and state.last.segment is before else None
    adjective = english().adjectives[limit.adjective]
    state.sketch.ranked.append(Ranked(not limit.least, adjective, name, limit=1, words=segment.text))
    return True


def read_limit(state: SketchState, segment: Segment) -> None:
    sketch = state.sketch
    limit = english().limits.get(segment.text, Limit())
    if limit.adjective and (length := first_behind(state)) is not None:
        kinds = segment.kinds | {"least" if limit.least else "most"}
        adjective = english().adjectives[limit.adjective]
        _order_first(state, replace(segment, adjective=adjective, kinds=kinds), length)
        return
    ranked = Ranked(not limit.least, words=segment.text)
    after = state.peek()
    if after is not None and after.piece is Piece.NUMBER and after.number is not None:
        sketch.limit = int(after.number)
        state.go_past(after)
    elif sketch.limit is None:
        alone = limit.rows is not None and after is not None and _names_one(after)
        ranked.limit = 1 if alone else limit.rows or (1 if limit.adjective else None)
    if limit.adjective:
        ranked.adjective = english().adjectives[limit.adjective]
    elif limit.rows is not None:
        ranked.adjective = segment.adjective
    state.ranking = ranked
    sketch.ranked.append(ranked)


def _names_one(segment: Segment) -> bool:
    """ "The top seller", "the bottom course": one of them."""
    named = segment.piece is Piece.NAME and things_of(segment)[0][0].column is None
    return named and is_one(segment)


def is_one(segment: Segment) -> bool:
    """Whether a noun is in the singular. "Status" and "address" are, whatever they end with."""
    word = segment.text.casefold().split()[-1]
    plural = word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return not plural and word not in english().many


def read_rank(state: SketchState, segment: Segment) -> None:
    if "arranged" in segment.kinds:
        _order_first(state, segment, 0)
        return
    if (length := _first_said(state)) is not None:
        _order_first(state, segment, length)
        return
    kinds = segment.kinds
    ranked = Ranked(
        bool(kinds & {"most", "common"}),
        segment.adjective,
        words=segment.text,
        common=bool(kinds & {"common", "rare"}),
        counted="number of" in segment.text or "amount of" in segment.text,
        verb=segment.part,
    )
    _take_over_limit(state)
    before = state.previous()
    if before is not None and before.piece is Piece.NUMBER and before.number is not None:
        compared = any(before.text in each.words for each in state.sketch.compared)
        if not compared:
            state.sketch.limit = int(before.number)
    state.sketch.ranked.append(ranked)
    state.ranking = ranked
    if ranked.common and before is not None and before.text.casefold() in _IS and state.sketch.shown:
        # "The colour that is most common among ribbons": said of what is shown already.
        ranked.name = state.sketch.shown[-1]
        state.ranking = None
    if ranked.common and ranked.name is None and _says_what_was_done(state):
        # "Which salves are prescribed most often": a verb, and no day to rank.
        return
    if ranked.name is None and _ranks_last(state):
        # "The complaint that was raised most recently", "those who are paid the least".
        ranked.name, state.ranking = state.last, None
    if ranked.adjective is not None and "time" in ranked.adjective.units and _lasts(state):
        # "What took the longest to ship": nothing behind it is ranked.
        ranked.lasts = True
        state.ranking = None


def _says_what_was_done(state: SketchState) -> bool:
    """Whether the last name before "most often" is a verb that a date is called after."""
    last, shown = state.last, state.sketch.shown
    others = len(shown) > 1 or state.sketch.maybe is not None
    if last is None or last not in shown or not others or not is_done(last.segment.text):
        return False
    if not things_of(last.segment)[0][0].is_date:
        return False
    shown.remove(last)
    last.role = "context"
    state.sketch.context.append(last)
    state.sketch.verbs.append(last.segment.stem)
    return True


def _ranks_last(state: SketchState) -> bool:
    """Whether nothing is named behind a superlative, and a number or a date just before it."""
    last = state.last
    if state.peek() is not None or last is None:
        return False
    between = [each for each in state.segments[: state.at - 1] if each.start >= last.segment.end]
    if any(each.piece is not Piece.CUE or not each.kinds <= {"fill"} for each in between):
        return False
    # "Which mower cost the most": the mower is asked for, and its cost says which.
    shown = state.sketch.shown
    names = shown if last in shown[1:] else state.sketch.linked
    thing = things_of(last.segment)[0][0]
    if last not in names or not (thing.is_date or thing.is_number) or thing.column is None:
        return False
    names.remove(last)
    last.role = "ranked"
    return True


def _lasts(state: SketchState) -> bool:
    before = [s for s in state.segments[: state.at - 1] if not (s.piece is Piece.CUE and s.text in _ARTICLES)]
    return bool(before) and before[-1].text.casefold() in english().lasting


def read_difference(state: SketchState, segment: Segment) -> None:
    """ "The biggest difference between price and cost": the two names behind it."""
    ranking = state.open_ranking
    names: list[Segment] = []
    for each in state.segments[state.at :]:
        if each.piece is Piece.NAME:
            names.append(each)
        elif each.piece is not Piece.CUE or not each.kinds & _BETWEEN:
            break
        if len(names) == _BOTH:
            break
    if ranking is None or len(names) < _BOTH:
        state.sketch.uncovered.append(segment.text)
        return
    state.go_past(names[1])
    ranking.between = (state.slot(names[0], "ordered"), state.slot(names[1], "ordered"))
    state.ranking = None


def _take_over_limit(state: SketchState) -> None:
    """ "The top 5 best paid": the first superlative only says how many."""
    before = state.ranking
    if before is None or before.words not in english().limits:
        return
    if before.adjective is None or before.adjective.plain:
        if before.name is not None:
            # "The top 5 pupils with the highest marks": the pupils are shown, and the marks say which.
            before.name.role = "context" if state.sketch.shown else "shown"
            (state.sketch.context if state.sketch.shown else state.sketch.shown).append(before.name)
        state.sketch.ranked.remove(before)


def _first_said(state: SketchState) -> int | None:
    """How many pieces say "first", "on top", "at the top", or the other end: "to newest"."""
    rest = [segment.text.casefold() for segment in state.segments[state.at : state.at + 4]]
    for phrase in english().first:
        length = len(phrase.split())
        if " ".join(rest[:length]) == phrase:
            return length
    if rest[:1] == ["to"] and state.at + 1 < len(state.segments):
        end = state.segments[state.at + 1]
        if end.kinds & {"most", "least"}:
            return 2
    if (other := _other_end(state)) is not None:
        return other
    near = _first_behind(state, _NEAR_FIRST)
    return near if near is not None else first_behind(state)


def _other_end(state: SketchState) -> int | None:
    """How many pieces there are to the other end of "from most staff to least": all rows are wanted, in that
    order."""
    before = [each.text.casefold() for each in state.segments[: state.at - 1]]
    if [each for each in before if each not in _ARTICLES][-1:] != ["from"]:
        return None
    rest = state.segments[state.at :]
    to = next((n for n, each in enumerate(rest[:_FAR_FIRST]) if each.text.casefold() == "to"), None)
    if to is None or any(each.piece is not Piece.NAME for each in rest[:to]):
        return None
    ends = [n for n, each in enumerate(rest[to : to + 3], to) if each.kinds & {"most", "least"}]
    return ends[0] + 1 if ends else None


def _first_behind(state: SketchState, pieces: int) -> int | None:
    """How many pieces there are to the end of "first" behind so many others: "the biggest boat first"."""
    rest = state.segments[state.at :]
    words = [segment.text.casefold() for segment in rest[pieces : pieces + 4]]
    if any(each.piece not in _BEFORE_FIRST for each in rest[:pieces]):
        return None
    lengths = (
        len(phrase.split()) for phrase in english().first if words[: len(phrase.split())] == phrase.split()
    )
    length = next(lengths, None)
    return None if length is None else pieces + length


def first_behind(state: SketchState) -> int | None:
    """How many pieces there are to the end of a "first" at the end of what is said behind a comma: "the
    latest to join first", "longest in the job first"."""
    begun = next((each for each in reversed(state.segments[: state.at - 1]) if each.text != "the"), None)
    if begun is None or begun.piece is not Piece.MARK or not state.sketch.slots():
        return None
    for pieces in range(_NEAR_FIRST + 1, _FAR_FIRST):
        length = _first_behind(state, pieces)
        behind = state.segments[state.at + length :][:1] if length is not None else []
        ends = not behind or behind[0].piece is Piece.MARK or bool(behind[0].kinds & {"with", "and", "fill"})
        if length is not None and ends:
            return length
    return None


def _order_first(state: SketchState, segment: Segment, length: int) -> None:
    """ "Oldest first" sorts, by what was named or by what the adjective speaks of."""
    between = state.segments[state.at : state.at + length]
    state.at += length
    descending = bool(segment.kinds & {"most", "common"})
    orders = state.sketch.orders
    names = (e for e in between if e.piece is Piece.NAME and e.text.casefold() not in english().first)
    for named in names:
        # A text is not large: of "biggest town first" the group of the town is.
        thing = things_of(named)[0][0]
        if thing.column is not None and not thing.is_text:
            orders.append((Slot(named, "ordered"), None))
    if orders and orders[-1][1] is None:
        orders[-1] = (orders[-1][0], descending)
        state.sketch.first = segment.adjective
    else:
        state.sketch.ranked.append(Ranked(descending, segment.adjective, words="first", limit=0))
