"""Numbers with their units in a message."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.planning.database.segments import Piece, Segment, text_of
from dragoman.planning.database.units import GLUED, SCALES, UNITS, Unit
from dragoman.planning.database.vocabulary import Adjective, english
from dragoman.planning.tables.cues import number_of
from dragoman.planning.tables.words import Kind, Token

_LEADING = re.compile(r"[1-9]\d{0,2}")
_THOUSANDS = re.compile(r"\d{3}")
_ARTICLES = ("a", "an")
_HALF = ("and", "a", "half")
_CURRENCIES = "$€£"


def numbers(tokens: Sequence[Token], at: int, languages: tuple[str, ...]) -> list[Segment]:
    """A number, with the scale and the unit behind it."""
    token = tokens[at]
    if token.low in _ARTICLES or token.low == "half":
        return _one_unit(tokens, at)
    number = number_of(token, languages)
    unit: Unit | None = None
    if number is None:
        number, unit = _glued(token)
    compared = at > 0 and tokens[at - 1].low in english().before_numbers
    # "Only once" may say no number; "more than once" does.
    once = token.low == "once" and compared and tokens[at - 1].low != "only"
    vague = token.low in english().not_numbers and not once
    if number is None or (token.kind is Kind.WORD and vague):
        return []
    number, end = _spaced(tokens, at, number)
    if tuple(each.low for each in tokens[end : end + 3]) == _HALF:
        # "Two and a half hours".
        number, end = number + 0.5, end + len(_HALF)
    if end < len(tokens) and len(tokens[end].low) > 1 and tokens[end].low in SCALES:
        number *= SCALES[tokens[end].low]
        end += 1
    behind = UNITS.get(tokens[end].low) if end < len(tokens) else None
    # Days behind a number replace the unit that is written onto it.
    if behind is not None and (unit is None or behind == UNITS["days"]):
        unit = behind
        end += 1
    end, old = _aged(tokens, end) if unit is None else (end, False)
    end, adjective = _graded(tokens, end, unit)
    money = token.text[:1] in _CURRENCIES or (at > 0 and tokens[at - 1].text in _CURRENCIES)
    if unit is not None and unit.dimension == "money":
        money, number, unit = True, number * unit.factor, None
    spelled = token.kind is Kind.WORD and unit is None and token.low == "one"
    score = 0.5 if spelled and not compared else 0.9 * (end - at)
    text = text_of(tokens, at, end)
    found = Segment(at, end, Piece.NUMBER, text, token.low, score, number=number, unit=unit, money=money)
    adjective = english().adjectives["old"] if old else adjective
    return [replace(found, adjective=adjective) if adjective is not None else found]


def _graded(tokens: Sequence[Token], at: int, unit: Unit | None) -> tuple[int, Adjective | None]:
    """ "7 minutes long", "800 metres high": what is so long or high is said behind the unit."""
    known = english().adjectives.get(tokens[at].low) if unit is not None and at < len(tokens) else None
    if known is None or unit is None or unit.dimension not in known.units:
        return at, None
    return at + 1, known


def _one_unit(tokens: Sequence[Token], at: int) -> list[Segment]:
    """ "Longer than an hour", "under half a mile": one of it, or half of one, behind a comparison."""
    half = tokens[at].low == "half"
    place = at + half
    if at == 0 or tokens[at - 1].low not in english().before_amounts or place + 1 >= len(tokens):
        return []
    word = tokens[place + 1].low
    unit = UNITS.get(word)
    if tokens[place].low not in _ARTICLES or unit is None or unit.dimension == "money" or len(word) == 1:
        return []
    text, number = text_of(tokens, at, place + 2), 0.5 if half else 1.0
    score = 0.95 * (place + 2 - at)
    return [Segment(at, place + 2, Piece.NUMBER, text, tokens[at].low, score, number=number, unit=unit)]


def _aged(tokens: Sequence[Token], at: int) -> tuple[int, bool]:
    """Where "years old" ends behind a number, if it is said."""
    for phrase in english().of_age:
        words = phrase.split()
        if [token.low for token in tokens[at : at + len(words)]] == words:
            return at + len(words), True
    return at, False


def _spaced(tokens: Sequence[Token], at: int, number: float) -> tuple[float, int]:
    """A number whose thousands stand apart: 50 000."""
    end = at + 1
    if not _LEADING.fullmatch(tokens[at].low):
        return number, end
    while end < len(tokens) and _THOUSANDS.fullmatch(tokens[end].low):
        if tokens[end].start != tokens[end - 1].end + 1:
            break
        number = number * 1000 + int(tokens[end].low)
        end += 1
    return number, end


def _glued(token: Token) -> tuple[float | None, Unit | None]:
    """A number with its scale or unit written onto it: 10k, 5kg."""
    found = GLUED.fullmatch(token.low)
    if found is None:
        return None, None
    number, word = float(found.group(1)), found.group(2).lower()
    return (number * SCALES[word], None) if word in SCALES else (number, UNITS.get(word))


def units(tokens: Sequence[Token], at: int) -> list[Segment]:
    """ "In hours": the unit that a figure is asked for in."""
    token = tokens[at]
    unit = UNITS.get(token.low)
    if unit is None or at == 0 or tokens[at - 1].low != "in" or len(token.low) == 1:
        return []
    return [Segment(at, at + 1, Piece.UNIT, token.text, token.stem, 1.2, unit=unit)]
