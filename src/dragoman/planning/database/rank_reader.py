"""Reads superlatives and limits: "the oldest", "top 5", "cheapest first"."""

from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.database.sketch import Ranked, Slot
from dragoman.planning.database.sketch_state import SketchState
from dragoman.planning.database.vocabulary import Limit, english


def limits(state: SketchState, segment: Segment) -> bool:
    """Whether a cue says how many rows are wanted: "top 5", "the last 3", and "the best" alone."""
    if "limit" not in segment.kinds:
        return False
    after = state.peek()
    if after is not None and after.piece is Piece.NUMBER:
        return True
    graded = bool(segment.kinds & {"most", "least"}) and segment.adjective is None and segment.cue != "least"
    return graded and segment.text in english().limits


def read_limit(state: SketchState, segment: Segment) -> None:
    sketch = state.sketch
    limit = english().limits.get(segment.text, Limit())
    ranked = Ranked(not limit.least, words=segment.text)
    after = state.peek()
    if after is not None and after.piece is Piece.NUMBER and after.number is not None:
        sketch.limit = int(after.number)
        state.go_past(after)
    elif sketch.limit is None:
        ranked.limit = limit.rows
    if limit.adjective:
        ranked.adjective = english().adjectives[limit.adjective]
    elif limit.rows is not None:
        ranked.adjective = segment.adjective
    state.ranking = ranked
    sketch.ranked.append(ranked)


def read_rank(state: SketchState, segment: Segment) -> None:
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
    )
    before = state.previous()
    if before is not None and before.piece is Piece.NUMBER and before.number is not None:
        compared = any(before.text in each.words for each in state.sketch.compared)
        if not compared:
            state.sketch.limit = int(before.number)
    state.sketch.ranked.append(ranked)
    state.ranking = ranked


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
    named = state.near
    if named is not None and named.piece is Piece.NAME and rest[1:2] == ["first"]:
        state.sketch.orders.append((Slot(named, "ordered"), None))
        return 2
    return None


def _order_first(state: SketchState, segment: Segment, length: int) -> None:
    """ "Oldest first" sorts, by what was named or by what the adjective speaks of."""
    state.at += length
    descending = bool(segment.kinds & {"most", "common"})
    orders = state.sketch.orders
    if orders and orders[-1][1] is None:
        orders[-1] = (orders[-1][0], descending)
        state.sketch.first = segment.adjective
    else:
        state.sketch.ranked.append(Ranked(descending, segment.adjective, words="first", limit=0))
