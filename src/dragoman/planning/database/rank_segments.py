"""Phrases that rank or arrange: from cheapest to dearest, with us the longest, most borrowed."""

from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.planning.database.segments import Piece, Segment, text_of
from dragoman.planning.database.vocabulary import Adjective, Words, english
from dragoman.planning.tables.words import Kind, Token, stem

_LONGEST = 6
_ARTICLES = ("the", "a", "an")
_LETTERS = (("a", "to", "z"), ("a", "-", "z"), ("z", "to", "a"), ("z", "-", "a"))
_END = ("most", "least")


def rank_phrases(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    found = [*_span(tokens, at, words), *_phrase(tokens, at, words), *_done_most(tokens, at, words)]
    if tokens[at].low in english().difference:
        found.append(replace(_cue(tokens, at, at + 1, {"difference"}, None), score=0.7))
    if tuple(each.low for each in tokens[at : at + 3]) in _LETTERS:
        kinds = {"ascending" if tokens[at].low == "a" else "descending"}
        found.append(replace(_cue(tokens, at, at + 3, kinds, None), text="alphabetical"))
    if at > 0 and tokens[at].low in english().lone and _superlative(tokens, at - 1, words) is not None:
        # "The biggest single payment": no value of that name.
        found.append(replace(_cue(tokens, at, at + 1, {"fill"}, None), score=1.6))
    return found


def _cue(tokens: Sequence[Token], at: int, end: int, kinds: set[str], adjective: Adjective | None) -> Segment:
    return Segment(
        at,
        end,
        Piece.CUE,
        text_of(tokens, at, end).casefold(),
        tokens[at].stem,
        0.95 * (end - at) + 0.3,
        cue=next(iter(sorted(kinds))),
        kinds=frozenset(kinds),
        adjective=adjective,
    )


def _superlative(tokens: Sequence[Token], at: int, words: Words) -> tuple[int, Adjective, bool] | None:
    """Where a superlative ends, what it grades, and whether it means the little end."""
    at += at < len(tokens) and tokens[at].low in _ARTICLES
    if at >= len(tokens):
        return None
    token = tokens[at]
    adjective = words.forms.get(token.low)
    if adjective is not None and token.low.endswith("st"):
        return at + 1, adjective, adjective.least
    if token.low in _END and at + 1 < len(tokens):
        adjective = words.graded.get(tokens[at + 1].low)
        if adjective is not None:
            return at + 2, adjective, (token.low == "least") != adjective.least
    return None


def _span(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    """ "From the cheapest to the most expensive": an order, and where it begins."""
    if tokens[at].low != "from":
        return []
    first = _superlative(tokens, at + 1, words)
    if first is None or first[0] >= len(tokens) or tokens[first[0]].low != "to":
        return []
    second = _superlative(tokens, first[0] + 1, words)
    if second is None:
        return []
    _, adjective, least = first
    if adjective.plain:
        return [_cue(tokens, at, second[0], {"ascending" if least else "descending"}, None)]
    return [_cue(tokens, at, second[0], {"least" if least else "most", "arranged"}, adjective)]


def _phrase(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    """Superlatives of several words: with us the longest, highest paid."""
    found = []
    for length in range(2, _LONGEST + 1):
        key = tuple(each.low for each in tokens[at : at + length])
        known = words.graded_phrases.get(key) if len(key) == length else None
        if known is not None:
            adjective, least = known
            found.append(_cue(tokens, at, at + length, {"least" if least else "most"}, adjective))
    return found


def _done_most(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    """ "The most borrowed books": how often it was done is counted."""
    if tokens[at].low not in _END or at + 1 >= len(tokens):
        return []
    verb = tokens[at + 1]
    # "The most orders" is a number of orders: no participle ends so.
    told = verb.stem in words.record_verbs or verb.stem in words.uses or (verb.stem,) in words.sold
    known = not verb.low.endswith("s") and told
    done = verb.kind is Kind.WORD and (verb.low.endswith("ed") or known)
    if not done or verb.low in words.graded or verb.low in english().vague:
        return []
    kind = "common" if tokens[at].low == "most" else "rare"
    return [replace(_cue(tokens, at, at + 2, {kind}, None), part=stem(verb.low))]
