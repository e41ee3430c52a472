"""Words that an analyst says: cues, money, trade, parts of dates, adjectives."""

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

from msgspec.structs import replace
from rapidfuzz.distance import OSA

from dragoman.locales.registry import FALLBACK
from dragoman.planning.database.segments import Piece, Segment, text_of
from dragoman.planning.database.units import UNITS
from dragoman.planning.database.vocabulary import Adjective, Words, english
from dragoman.planning.tables.cues import Cue, number_of
from dragoman.planning.tables.words import Kind, Token

_STRONG = frozenset(
    {
        "count",
        "average",
        "sum",
        "max",
        "min",
        "most",
        "least",
        "common",
        "rare",
        "group",
        "order",
        "above",
        "below",
        "at-least",
        "at-most",
        "or-more",
        "or-less",
        "between",
        "contains",
        "starts",
        "ends",
        "not",
        "missing",
        "distinct",
        "limit",
        "ascending",
        "descending",
        "everything",
    }
)
"""Cues that weigh more than small words."""
_SURE = 0.9
_LONG = 6
_PLANNED_BEHIND = 4
"""How far behind "later than" may stand what says that something was planned."""

_MOST_APART = 5
"""How far behind a comparison its "than" may stand."""
_PIECES = 0.25
"""What pieces that were sold are likelier than a column with their name."""
_AVERAGES = frozenset({"average", "mean"})
_BEFORE_NOUNS = frozenset({"of", "many", "all", "the", "our", "total"})


def cues(tokens: Sequence[Token], known: Sequence[Cue], words: Words, *, fresh: bool) -> list[Segment]:
    """The cues that begin at a word. `fresh`: no name is directly before them."""
    found: dict[int, Segment] = {}
    for cue in known:
        token = tokens[cue.start]
        # A phone number of somebody is not a number of anybody.
        if cue.kind == "count" and token.low in ("number", "numbers") and cue.start > 0 and not fresh:
            continue
        if _is_plural(tokens, cue) or _begins_another(tokens, cue) or _is_of_noun(tokens, cue):
            continue
        if _before_number(tokens, cue):
            found[cue.end] = fill(tokens, cue.start)
            continue
        # "Who" asks for people, or begins a clause: its own reader tells which.
        if cue.end == cue.start + 1 and token.low in words.who:
            continue
        length = cue.end - cue.start
        score = (0.85 if cue.kind in _STRONG else 0.62) * length + 0.25 * min(length - 1, 2)
        segment = cue_segment(tokens, cue.start, cue.end, cue.kind, score, _adjective(tokens, cue, words))
        before = found.get(cue.end)
        if before is not None:
            segment = replace(
                before,
                kinds=before.kinds | {cue.kind},
                score=max(before.score, score),
                adjective=before.adjective or segment.adjective,
            )
        found[cue.end] = segment
    return list(found.values())


def _begins_another(tokens: Sequence[Token], cue: Cue) -> bool:
    """ "Above 25 or below 10" is no "25 or below"."""
    another = cue.end < len(tokens) and tokens[cue.end].kind is Kind.NUMBER
    return another and cue.kind in ("or-more", "or-less")


def _before_number(tokens: Sequence[Token], cue: Cue) -> bool:
    """ "Loan no. 15" denies nothing."""
    if cue.kind != "not" or tokens[cue.start].low != "no" or cue.end != cue.start + 1:
        return False
    rest = [token for token in tokens[cue.end : cue.end + 2] if token.text != "."]
    return bool(rest) and rest[0].kind is Kind.NUMBER


def _is_of_noun(tokens: Sequence[Token], cue: Cue) -> bool:
    """ "Sorted by list price": behind a preposition it says which price, and asks for no list."""
    alone = cue.kind in ("show", "fill") and cue.end == cue.start + 1 and tokens[cue.start].low == "list"
    if not alone or cue.start == 0 or cue.end >= len(tokens) or tokens[cue.end].kind is not Kind.WORD:
        return False
    return tokens[cue.start - 1].low in english().prepositions


def _is_plural(tokens: Sequence[Token], cue: Cue) -> bool:
    """A noun in the plural is not the verb that sorts: "orders" names something, "order by" does not."""
    if cue.kind == "order" and tokens[cue.start].low == "orders":
        return True
    if cue.end != cue.start + 1 or cue.kind != "order" or not tokens[cue.start].low.startswith("order"):
        return False
    return cue.end >= len(tokens) or tokens[cue.end].low not in english().sorted_by


def _adjective(tokens: Sequence[Token], cue: Cue, words: Words) -> Adjective | None:
    length = cue.end - cue.start
    if length == 1 or cue.kind in ("above", "below"):
        return words.forms.get(tokens[cue.start].low)
    if length == 2 and cue.kind in ("most", "least"):
        return words.graded.get(tokens[cue.start + 1].low)
    return None


def cue_segment(
    tokens: Sequence[Token], start: int, end: int, kind: str, score: float, adjective: Adjective | None = None
) -> Segment:
    return Segment(
        start,
        end,
        Piece.CUE,
        text_of(tokens, start, end),
        tokens[start].stem,
        score,
        cue=kind,
        kinds=frozenset({kind}),
        adjective=adjective,
    )


def analysts(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    """Money, trade, shares, questions of time and place, parts of dates."""
    found: list[Segment] = []
    token = tokens[at]
    for length in (4, 3, 2, 1):
        key = tuple(each.stem for each in tokens[at : at + length])
        if len(key) < length:
            continue
        text = text_of(tokens, at, at + length)
        more = 0.45 if length > 1 else 0
        for piece, known, weight in (
            (Piece.MONEY, words.money, 0.72),
            (Piece.SOLD, words.sold, 0.72),
            (Piece.SHARE, words.share, 0.8),
            (Piece.WHEN, words.when, 0.8),
            (Piece.WHERE, words.where, 0.8),
        ):
            if key in known and not (piece is Piece.MONEY and _is_no_money(tokens, at, length, words)):
                pieces = _PIECES * (piece is Piece.SOLD and _are_traded(tokens, at, words))
                score = weight * length + more + pieces
                found.append(Segment(at, at + length, piece, text, token.stem, score))
        by = text.casefold() in english().pieces_by and tokens[at - 1].low == "by"
        if by and _are_traded(tokens, at, words):
            found.append(Segment(at, at + length, Piece.SOLD, text, token.stem, 1.2 * length))
        if key in words.versus:
            cue = cue_segment(tokens, at, at + length, "versus", 0.8 * length + more)
            found.append(replace(cue, kinds=frozenset({"versus", "and"})))
        if key in words.asides:
            found.append(cue_segment(tokens, at, at + length, "fill", 0.62 * length + more))
        if key in words.parts:
            part = words.parts[key]
            found.append(Segment(at, at + length, Piece.PART, text, token.stem, 0.9 * length, part=part))
    if token.low in words.who:
        found.append(Segment(at, at + 1, Piece.WHO, token.text, token.stem, 0.9))
    return found


def _is_no_money(tokens: Sequence[Token], at: int, length: int, words: Words) -> bool:
    return _is_trade(tokens, at, length, words) or _makes_some(tokens, at) or _is_a_cost(tokens, at)


def _is_a_cost(tokens: Sequence[Token], at: int) -> bool:
    """ "The cost of repairs" is what is called so; "cost more than the average" says what was paid."""
    if tokens[at].low not in english().costing:
        return False
    return all(token.low not in _AVERAGES for token in tokens[at + 1 : at + 1 + _MOST_APART])


def _makes_some(tokens: Sequence[Token], at: int) -> bool:
    """ "Made three or more bookings": so many of what follows, and no money."""
    if tokens[at].low not in english().makes:
        return False
    rest = [token for token in tokens[at + 1 : at + 1 + _MOST_APART] if token.low not in english().so_many]
    said = len(rest) > 1 and number_of(rest[0], (FALLBACK,)) is not None
    return said and rest[1].kind is Kind.WORD and rest[1].low not in UNITS


def _are_traded(tokens: Sequence[Token], at: int, words: Words) -> bool:
    """ "How many units did we sell", "best selling by quantity": with a verb of trade."""
    verbs = [token for token in tokens[at + 1 :] if (token.stem,) in words.sold]
    if tokens[at].low in english().pieces and any(token.low in english().traded for token in verbs):
        # "Units of wine sold", "pieces bought in May".
        return True
    if at == 0 or tokens[at - 1].low not in ("many", "by"):
        return False
    rest = tokens[at + 1 :] if tokens[at - 1].low == "many" else tokens[: at - 1]
    return any((token.stem,) in words.sold for token in rest)


def _is_trade(tokens: Sequence[Token], at: int, length: int, words: Words) -> bool:
    """ "Tickets sold" are pieces; only "how much was sold" is money."""
    token = tokens[at]
    sold = length == 1 and (token.stem,) in words.sold and not token.low.startswith(token.stem)
    return sold and all(each.low != "much" for each in tokens)


def _is_sure_name(segment: Segment) -> bool:
    return segment.piece is Piece.NAME and max(name.score for name in segment.names) >= _SURE


def rates(
    tokens: Sequence[Token], at: int, options: Sequence[Sequence[Segment]], found: Sequence[Segment]
) -> list[Segment]:
    """ "The pass rate": the share of the rows that have the value before it. A rate that is kept is named."""
    if tokens[at].low not in english().rates or any(map(_is_sure_name, found)):
        return []
    valued = any(each.piece is Piece.VALUE and each.end == at for before in options for each in before)
    return [Segment(at, at + 1, Piece.SHARE, tokens[at].text, tokens[at].stem, 0.8)] if valued else []


def graded(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    """Adjectives that compare: oldest, older than, most expensive, more expensive than."""
    found: list[Segment] = []
    token = tokens[at]
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    adjective = words.forms.get(token.low) if token.kind is Kind.WORD else None
    if adjective is not None and token.low.endswith("st"):
        kind = "least" if adjective.least else "most"
        found.append(replace(cue_segment(tokens, at, at + 1, kind, 0.9, adjective), text=token.low))
    elif adjective is not None and after is not None and after.stem == "than":
        kind = "below" if adjective.least else "above"
        found.append(replace(cue_segment(tokens, at, at + 2, kind, 2.1, adjective), text=token.low))
    adjective = words.graded.get(after.low) if after is not None else None
    if adjective is None:
        return found
    if token.low in ("most", "least"):
        kind = "least" if (token.low == "least") != adjective.least else "most"
        found.append(cue_segment(tokens, at, at + 2, kind, 2.1, adjective))
    if token.low == "more" and at + 2 < len(tokens) and tokens[at + 2].low == "than":
        kind = "below" if adjective.least else "above"
        found.append(cue_segment(tokens, at, at + 3, kind, 3.0, adjective))
    return found


def apart(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    """A comparison around what it compares: "more loans than", "more expensive to hire than"."""
    compares = english().apart.get(tokens[at].low)
    behind = [token.low for token in tokens[at + 1 : at + 1 + _MOST_APART]]
    if compares is None or "than" not in behind[1:]:
        return []
    adjective = words.graded.get(behind[0])
    if adjective is None or behind[1] == "than":
        return [] if behind[0] == "than" else [cue_segment(tokens, at, at + 1, compares, 0.85)]
    return [cue_segment(tokens, at, at + 2, "below" if adjective.least else "above", 1.9, adjective)]


def timely(tokens: Sequence[Token], words: Words) -> bool:
    """Whether a message asks when, by a part of dates, or for the order in which something was done."""
    pairs = pairwise(tokens)
    done = any(one.low == "order" and other.low in english().done_in_order for one, other in pairs)
    return done or any((token.stem,) in words.when or (token.stem,) in words.parts for token in tokens)


def is_noun(tokens: Sequence[Token], at: int) -> bool:
    """ "Orders by status", "number of orders": nobody is there who orders."""
    low = tokens[at].low
    plural = low.endswith("s") and low != tokens[at].stem
    return plural and (at == 0 or tokens[at - 1].low in _BEFORE_NOUNS)


def verbs(tokens: Sequence[Token], at: int, words: Words, *, dated: bool) -> list[Segment]:
    """Verbs that speak of a kind of record; and those that speak of a date, where the message is `dated`.
    Verbs of two words come first: bring back."""
    token = tokens[at]
    if token.kind is not Kind.WORD:
        return []
    found = []
    both = " ".join(each.stem for each in tokens[at : at + 2])
    denied = any(each.low in english().denying for each in tokens[max(0, at - 2) : at])
    if (dated or denied) and len(tokens) > at + 1 and both in words.date_verbs:
        found.append(Segment(at, at + 2, Piece.VERB, text_of(tokens, at, at + 2), both, 1.6))
    recorded = token.stem in words.record_verbs and not is_noun(tokens, at)
    if recorded or (dated and token.stem in words.date_verbs):
        # "How many orders were due": a noun is rather what is counted.
        score = 0.3 if is_noun(tokens, at) else 0.55
        found.append(Segment(at, at + 1, Piece.VERB, token.text, token.stem, score))
    return found


def fill(tokens: Sequence[Token], at: int) -> Segment:
    """A verb that only links what is named says nothing more."""
    return cue_segment(tokens, at, at + 1, "fill", 0.3)


def signs(tokens: Sequence[Token], at: int) -> list[Segment]:
    """A negative balance: one below nothing."""
    kind = english().signs.get(tokens[at].low)
    return [] if kind is None else [replace(cue_segment(tokens, at, at + 1, kind, 0.85), number=0.0)]


def late(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    """ "Delivered late", "on time": against the day that was planned."""
    found = []
    for length in (3, 2, 1):
        said = " ".join(token.low for token in tokens[at : at + length])
        kind = english().late.get(said) if at + length <= len(tokens) else None
        if kind is not None:
            score = 0.85 * length + (0.3 if length > 1 else 0)
            found.append(
                replace(cue_segment(tokens, at, at + length, kind, score), kinds=frozenset({"late"}))
            )
    return found + _later_than_planned(tokens, at, words)


def _later_than_planned(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    """ "Later than estimated", "after the customer needed it": whatever says what was planned."""
    said = " ".join(token.low for token in tokens[at : at + 2])
    length, kind = (2, english().later_than.get(said)) if said in english().later_than else (1, None)
    if kind is None:
        kind = english().later_than.get(tokens[at].low)
    if kind is None:
        return []
    for place in range(at + length, min(at + length + _PLANNED_BEHIND, len(tokens))):
        token = tokens[place]
        if token.kind is not Kind.WORD:
            return []
        plans = token.stem in words.planned or bool(
            words.planned.intersection(words.date_verbs.get(token.stem, ()))
        )
        if plans and is_past_form(token):
            cue = cue_segment(tokens, at, place + 1, kind, 0.95 * (place + 1 - at) + 0.4)
            return [replace(cue, kinds=frozenset({"late"}))]
    return []


def is_past_form(token: Token) -> bool:
    """Whether a word may be a verb that says what was done, or was to be: needed, estimated."""
    return token.low.endswith("ed") or (token.low != token.stem and not token.low.endswith("s"))


def slips(at: int, token: Token, words: Words) -> list[Segment]:
    """Cues with a slip of the keyboard."""
    if token.kind is not Kind.WORD or len(token.low) < 5:
        return []
    known = {**english().slips, **_superlatives()}
    near = next((word for word in known if OSA.distance(token.low, word, score_cutoff=1) <= 1), None)
    if near is None:
        return []
    kind = known[near]
    if kind == "money":
        return [Segment(at, at + 1, Piece.MONEY, near, near, 0.6)]
    if kind == "share":
        return [Segment(at, at + 1, Piece.SHARE, near, near, 0.6)]
    adjective = words.forms.get(near)
    return [
        Segment(
            at, at + 1, Piece.CUE, near, near, 0.6, cue=kind, kinds=frozenset({kind}), adjective=adjective
        )
    ]


@cache
def _superlatives() -> dict[str, str]:
    """Long superlatives, and which end each of them asks for."""
    known = english()
    return {
        form: "least" if known.adjectives[name].least else "most"
        for form, name in known.forms.items()
        if form.endswith("est") and len(form) > _LONG
    }
