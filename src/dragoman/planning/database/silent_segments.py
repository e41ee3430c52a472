"""Words that say nothing beside the rest, what there is to be had, and what holds now."""

from collections.abc import Callable, Collection, Sequence
from functools import cache

from dragoman.databases.values.index import folded
from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.database.units import UNITS
from dragoman.planning.database.vocabulary import Words, english
from dragoman.planning.database.word_segments import cue_segment
from dragoman.planning.tables.words import Kind, Token, stem

_LONGEST = 4
_EXACTLY = frozenset({"only", "just", "exactly"})
_TODAY = 1.3
_RATE = 2.6
_CODE, _CODED = 4, 1.4
_FEW_WORDS, _CLAUSE = 2, 1.0
_ASKING_ALSO = frozenset({"and", "know", "tell", "me", "us", "show", "say", "date", "since"})
"""Words before a question for the day."""
_OWN = frozenset({"the", "our", "this", "your"})
_PAY = 2
"""How far behind "annual" what is paid may stand."""
_AMOUNTS = frozenset({"much", "many", "most", "least", "best"})


def silent(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    """What says nothing in any database, and what holds now."""
    found = [*soft(tokens, at), *offering(tokens, at), *yearly_pay(tokens, at, words)]
    return found + current(tokens, at)


def known_here(
    tokens: Sequence[Token],
    at: int,
    words: Words,
    known: Collection[str],
    is_value: Callable[[Token], bool],
) -> list[Segment]:
    """What says nothing in a database whose names are made of some stems, and that has some values."""
    found = [*rates(tokens, at, known), *held(tokens, at, words, known), *counted_as(tokens, at, known)]
    return found + coded_names(tokens, at, is_value)


def soft(tokens: Sequence[Token], at: int) -> list[Segment]:
    """Words and phrases that say nothing beside the rest."""
    found = []
    for length in range(1, min(_LONGEST, len(tokens) - at) + 1):
        said = " ".join(token.low for token in tokens[at : at + length])
        if said in _soft():
            score = 0.62 * length + (0.4 if length > 1 else 0)
            found.append(cue_segment(tokens, at, at + length, "fill", score))
    return found + _clauses(tokens, at)


def offering(tokens: Sequence[Token], at: int) -> list[Segment]:
    """ "Motorcycles we sell": behind a noun, and nothing is said of how much or of when."""
    if at == 0 or tokens[at - 1].kind is not Kind.WORD or tokens[at - 1].low in english().asks:
        return []
    if any(token.low in _AMOUNTS for token in tokens):
        return []
    for length in (3, 2):
        said = " ".join(token.low for token in tokens[at : at + length])
        if at + length <= len(tokens) and said in _offering() and _goes_no_further(tokens[at + length :]):
            return [cue_segment(tokens, at, at + length, "fill", 0.85 * length + 0.4)]
    return []


def _goes_no_further(tokens: Sequence[Token]) -> bool:
    """Whether a clause ends here: what we sell in May, or to whom, is more than what there is."""
    return not tokens or tokens[0].kind is Kind.MARK or tokens[0].low in english().clause_ends


def rates(tokens: Sequence[Token], at: int, known: Collection[str]) -> list[Segment]:
    """ "Over 20 a day", "dearest per night": it repeats the time that a price is for, and gathers nothing.
    `known`: the stems that names of the database are made of; only they tell that a price is one per day."""
    if at == 0 or at + 1 >= len(tokens) or tokens[at].low not in english().rate_words:
        return []
    unit = english().rate_units.get(tokens[at + 1].low)
    if unit is None:
        return []
    before = tokens[at - 1]
    number = before.kind is Kind.NUMBER and tokens[at].low != "per"
    priced = before.low in english().priced and not {stem(word) for word in unit}.isdisjoint(known)
    priced |= before.kind is Kind.NUMBER and any(token.low in english().priced for token in tokens[:at])
    return [cue_segment(tokens, at, at + 2, "fill", _RATE)] if number or priced else []


def counted_as(tokens: Sequence[Token], at: int, known: Collection[str]) -> list[Segment]:
    """ "Courses worth 3 points": before a number of something that has a name, it speaks of no price."""
    for length in (1, 2):
        said = " ".join(token.low for token in tokens[at : at + length])
        place = at + length
        while place < len(tokens) and tokens[place].low in _EXACTLY:
            place += 1
        number, unit = (*tokens[place : place + 2], None, None)[:2]
        if said in english().counted_as and number is not None and number.kind is Kind.NUMBER:
            named = unit is not None and unit.kind is Kind.WORD and unit.stem in known
            return [cue_segment(tokens, at, at + length, "fill", 0.9 * length)] if named else []
    return []


def kinds(
    tokens: Sequence[Token], at: int, options: Sequence[Sequence[Segment]], found: Sequence[Segment]
) -> list[Segment]:
    """ "Business class", "the premium plan type": behind a value that is a kind, it only says so."""
    if tokens[at].stem not in column_words().kinds or any(each.piece is Piece.NAME for each in found):
        return []
    valued = any(each.piece is Piece.VALUE and each.end == at for before in options for each in before)
    return [cue_segment(tokens, at, at + 1, "fill", 0.6)] if valued else []


def members(
    tokens: Sequence[Token],
    at: int,
    options: Sequence[Sequence[Segment]],
    found: Sequence[Segment],
    words: Words,
) -> list[Segment]:
    """ "Staff members": behind a word for all of them together, it only says that they are several."""
    if tokens[at].low not in english().members or any(each.piece is Piece.NAME for each in found):
        return []
    before = (each for option in options for each in option if each.piece is Piece.NAME and each.end == at)
    staff = any(
        named.thing.column is None and words.staff & set(named.thing.words)
        for each in before
        for named in each.names
    )
    return [cue_segment(tokens, at, at + 1, "fill", 0.6)] if staff else []


def held(tokens: Sequence[Token], at: int, words: Words, known: Collection[str]) -> list[Segment]:
    """ "How many people fit in", "that hold 500 people": what has a capacity holds people anyway."""
    holding = any(token.stem in words.holding for token in tokens) and not words.capacity.isdisjoint(known)
    people = tokens[at].stem in words.held_people
    return [cue_segment(tokens, at, at + 1, "fill", _RATE)] if holding and people else []


def coded_names(tokens: Sequence[Token], at: int, is_value: Callable[[Token], bool]) -> list[Segment]:
    """ "Baltimore (BAL)": where the code is a value, the name only says what it is short for."""
    if not tokens[at].text[:1].isupper() or tokens[at].kind is not Kind.WORD:
        return []
    for end in range(at + 1, min(at + _LONGEST, len(tokens) - 2)):
        opening, code, closing = tokens[end : end + 3]
        if opening.text == "(" and closing.text == ")":
            name = folded("".join(token.text for token in tokens[at:end]))
            short = code.text.isupper() and len(code.text) <= _CODE and _shortens(code.low, name)
            return (
                [cue_segment(tokens, at, end, "fill", _CODED * (end - at))]
                if short and is_value(code)
                else []
            )
        if opening.kind is not Kind.WORD:
            return []
    return []


def _shortens(code: str, name: str) -> bool:
    """Whether a code begins like a name, and goes on with letters of it in their order."""
    letters = iter(name)
    return name[:1] == code[:1] and all(letter in letters for letter in code)


def yearly_pay(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    """ "The annual payroll", "yearly salaries": what people are paid is so anyway."""
    if tokens[at].low not in english().yearly:
        return []
    behind = tokens[at + 1 : at + 1 + _PAY]
    return (
        [cue_segment(tokens, at, at + 1, "fill", 1.0)] if any(t.stem in words.wages for t in behind) else []
    )


@cache
def _offering() -> frozenset[str]:
    return frozenset(english().offering)


def today(tokens: Sequence[Token], at: int, words: Words) -> list[Segment]:
    """ "Who works here today", where rows hold for a time: what holds now, and no day on which something was
    done."""
    if any(token.stem in words.date_verbs for token in tokens):
        return []
    for length in range(min(_LONGEST, len(tokens) - at), 0, -1):
        if " ".join(token.low for token in tokens[at : at + length]) in english().nowadays:
            return [cue_segment(tokens, at, at + length, "current", _TODAY * length)]
    return []


def current(tokens: Sequence[Token], at: int) -> list[Segment]:
    """Words that ask for what holds now."""
    found = []
    for length in range(1, min(_LONGEST, len(tokens) - at) + 1):
        said = " ".join(token.low for token in tokens[at : at + length])
        if said in english().shifting and all(token.low in _soft() for token in tokens[:at]):
            # "Now the number of orders": what comes next, and not what holds now.
            found.append(cue_segment(tokens, at, at + length, "fill", 0.8 * length))
        elif said in english().current:
            found.append(
                cue_segment(tokens, at, at + length, "current", 0.75 * length + (0.4 if length > 1 else 0))
            )
    return found


def _clauses(tokens: Sequence[Token], at: int) -> list[Segment]:
    """ "What do people say when they call": what they do then, and no question for the day."""
    if at < _FEW_WORDS or tokens[at].low != "when" or at + 1 >= len(tokens):
        return []
    before, after = tokens[at - 1], tokens[at + 1]
    told = before.kind is Kind.WORD and before.low not in _ASKING_ALSO and after.low in english().they
    return [cue_segment(tokens, at, at + 1, "fill", _CLAUSE)] if told else []


def left_over(tokens: Sequence[Token], at: int) -> list[Segment]:
    """Words that name nothing here, and say nothing beside what stands before them."""
    silent = _is_own_house(tokens, at) or _is_size(tokens, at)
    return [cue_segment(tokens, at, at + 1, "fill", 0.45)] if silent else []


def _is_own_house(tokens: Sequence[Token], at: int) -> bool:
    """ "Admitted to the hospital", "in our catalogue": whose data these are, where no noun follows."""
    if at == 0 or tokens[at].low not in english().own_houses or tokens[at - 1].low not in _OWN:
        return False
    # "Left the hospital": what is done to it says more.
    before = tokens[at - 2].low if at > 1 else ""
    if before and before not in english().prepositions and before not in english().auxiliary:
        return False
    after = tokens[at + 1] if at + 1 < len(tokens) else None
    return after is None or after.kind is not Kind.WORD or after.low in english().behind_houses


def _is_size(tokens: Sequence[Token], at: int) -> bool:
    """ "7,000 metres high", "12 minutes long": the unit has said it."""
    low = tokens[at].low
    return at > 1 and low in english().behind_units and tokens[at - 1].low in UNITS


def discounts(tokens: Sequence[Token], at: int) -> list[Segment]:
    """ "After discounts", as money with a discount is anyway; and "before discounts"."""
    for length in range(min(_LONGEST, len(tokens) - at), 1, -1):
        said = " ".join(token.low for token in tokens[at : at + length])
        if said in english().discounted or said in english().undiscounted:
            return [cue_segment(tokens, at, at + length, "fill", 1.3 * length)]
    return []


@cache
def _soft() -> frozenset[str]:
    return frozenset(english().soft)
