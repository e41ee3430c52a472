"""Finds periods in a text: patterns over the classes of its words, the same for all languages."""

import calendar
import re
from collections.abc import Callable
from functools import cache
from typing import Final

from msgspec.structs import replace

from dragoman.reading.date_words import DateWords
from dragoman.reading.languages import Spoken, usual_languages
from dragoman.reading.period_ranges import Pieces, as_ranges, join_halves, stands_alone
from dragoman.reading.periods import Edge, PeriodMention, Unit

_YEAR: Final = r"(?:[,k]*(?P<year>y(?:@\.?)?)|k*(?P<rely>[pxi]%|z))?"
_BEFORE: Final = r"(?:(?P<yearb>y)@?,?|(?P<relb>z|[pxi]%))"
_EDGE: Final = {"e": Edge.END, "b": Edge.START, "d": Edge.MIDDLE}
_SHIFT: Final = {"p": -1, "x": 1, "i": 0, "S": 0, "l": 1, "L": 1, "r": -1, "R": -1, "v": 1, "V": -1}
_WITHIN: Final = frozenset({"in", "during"})
_DAYS_OF: Final = {
    Unit.DAY: 1,
    Unit.WEEK: 7,
    Unit.MONTH: 31,
    Unit.QUARTER: 92,
    Unit.HALF: 184,
    Unit.YEAR: 366,
}
_LONGEST_SPAN: Final = 36_600
_ANY_YEAR: Final = 2001
"""Any year without a 29 February, for a month whose year nobody has said."""
_LONG: Final = (Unit.QUARTER, Unit.HALF, Unit.YEAR)

Parts = dict[str, int]
"""Where each named group of a pattern begins, among the pieces."""


class PeriodGrammar:
    """Finds periods, with the words given as data."""

    def __init__(self, words: DateWords) -> None:
        self._words = words

    def find(self, text: str) -> list[PeriodMention]:
        """The periods of a text from left to right, longest forms first, none overlapping."""
        pieces = self._words.pieces(text)
        codes = "".join(piece.code for piece in pieces)
        found: dict[int, tuple[int, PeriodMention]] = {}
        taken = bytearray(len(pieces))
        for pattern, build in _PATTERNS:
            for match in pattern.finditer(codes):
                start, end = match.span()
                if any(taken[start:end]) or not stands_alone(text, pieces, start, end):
                    continue
                mention = build(
                    pieces, {name: at for name in match.re.groupindex if (at := match.start(name)) >= 0}
                )
                if mention is None:
                    continue
                if mention.edge is not None and _is_verb(text, pieces, match):
                    start = match.start("edge") + 2
                    mention = replace(mention, edge=None)
                taken[start:end] = b"\1" * (end - start)
                first, last = pieces[start].start, pieces[end - 1].end
                if codes[end - 1] == "." and codes[end - 2] not in "gU":
                    last = pieces[end - 2].end
                found[start] = end, replace(mention, start=first, end=last, text=text[first:last])
        join_halves(text, found)
        return as_ranges(text, codes, pieces, found, self._words.articles, self._words.inclusive)


def _is_verb(text: str, pieces: Pieces, match: re.Match[str]) -> bool:
    """ "Courses that start in May" begin on any of its days; the start of May is one day."""
    if "edge" not in match.re.groupindex or match.start("edge") < 0:
        return False
    behind = pieces[match.start("edge") + 1]
    return text[behind.start : behind.end].casefold() in _WITHIN


def period_grammar(spoken: Spoken | None = None) -> PeriodGrammar:
    """The grammar over the words of some languages, or of the usual one of each script."""
    return _grammar(usual_languages() if spoken is None else spoken)


@cache
def _grammar(spoken: Spoken) -> PeriodGrammar:
    return PeriodGrammar(date_words(spoken))


@cache
def date_words(spoken: Spoken) -> DateWords:
    """The words of dates of some languages."""
    return DateWords(spoken)


def _mention(**parts: object) -> PeriodMention:
    return PeriodMention(start=0, end=0, text="", **parts)  # type: ignore[arg-type]


def _with_year(pieces: Pieces, parts: Parts, mention: PeriodMention) -> PeriodMention | None:
    """The mention with the year that stands beside it, in digits or in words."""
    for name in ("year", "yearb"):
        if name in parts:
            return replace(mention, year=pieces[parts[name]].value)
    for name in ("rely", "relb"):
        if name in parts:
            word = pieces[parts[name]]
            if word.code == "z":
                return replace(mention, year_shift=word.value)
            if pieces[parts[name] + 1].unit is not Unit.YEAR:
                return None
            return replace(mention, year_shift=_SHIFT[word.code])
    return mention


def _numeric(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    year, month, day, quarter = pieces[parts["date"]].date
    mention = _mention(year=year, month=month, day=day, quarter=quarter)
    return mention if day is not None else _edged(pieces, parts, mention)


def _day(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    month, day = pieces[parts["month"]].value, pieces[parts["day"]].value
    return _with_year(pieces, parts, _mention(month=month, day=day))


def _days(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    last = _day(pieces, parts)
    if last is None:
        return None
    return replace(last, day=pieces[parts["first"]].value, until=last)


def _month(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    return _edged(pieces, parts, _with_year(pieces, parts, _mention(month=pieces[parts["month"]].value)))


def _part(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    """A quarter or a half of a year."""
    if "halved" in parts:
        half = pieces[parts["halved"]].value
        return _edged(pieces, parts, _with_year(pieces, parts, _mention(half=half)))
    letter = pieces[parts["letter"]].code if "letter" in parts else ""
    unit = Unit.QUARTER if letter == "Q" else Unit.HALF if letter == "H" else pieces[parts["unit"]].unit
    number = pieces[parts["number"]].value
    if unit is Unit.QUARTER and 1 <= number <= 4:
        return _edged(pieces, parts, _with_year(pieces, parts, _mention(quarter=number)))
    if unit is Unit.HALF and 1 <= number <= 2:
        return _edged(pieces, parts, _with_year(pieces, parts, _mention(half=number)))
    return None


def _year(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    year = pieces[parts["year"]].value
    return _edged(pieces, parts, _mention(year=year)) if 1900 <= year <= 2199 else None


def _edged(pieces: Pieces, parts: Parts, mention: PeriodMention | None) -> PeriodMention | None:
    at = next((parts[name] for name in ("edge", "edged") if name in parts), None)
    return mention if at is None or mention is None else replace(mention, edge=_EDGE[pieces[at].code])


def _moved(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    """So many units later or earlier than what is in hand."""
    count = pieces[parts["count"]].value if "count" in parts else 1
    sign = _SHIFT[pieces[parts["way"]].code]
    return _mention(unit=pieces[parts["unit"]].unit, shift=sign * count, keeps_length=True)


def _same_of_year(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    word = pieces[parts["way"]]
    if word.code == "z":
        return _mention(unit=Unit.YEAR, shift=word.value, keeps_length=True)
    unit = pieces[parts["way"] + 1].unit
    return _mention(unit=unit, shift=_SHIFT[word.code], keeps_length=True) if unit in _LONG else None


def _next_to(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    """The unit beside the one in hand; this one and the same one are a change only where it is longer."""
    way, unit = pieces[parts["way"]].code, pieces[parts["unit"]].unit
    if way in "iS" and not pieces[parts["way"]].value and unit not in _LONG and "edge" not in parts:
        return None
    return _edged(pieces, parts, _mention(unit=unit, shift=_SHIFT[way]))


def _span(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    """So many units up to today, whatever the calendar says: the last 7 days."""
    count = pieces[parts["count"]].value
    unit = pieces[parts["unit"]].unit if "unit" in parts else Unit.DAY
    if unit is None or count <= 0:
        return None
    # Nobody's records are older than that, and no calendar here.
    count = min(count, _LONGEST_SPAN // _DAYS_OF[unit])
    today = _mention(unit=Unit.DAY, of_clock=True)
    if unit in (Unit.DAY, Unit.WEEK):
        # Seven days with today.
        return replace(today, shift=1 - count * (7 if unit is Unit.WEEK else 1), until=today)
    return _mention(unit=unit, shift=-count, of_clock=True, keeps_length=True, edge=Edge.END, until=today)


def _twice(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    """The week before last, the day before yesterday: two units away."""
    unit = pieces[parts["unit"]].unit
    if "clock" not in parts:
        return _mention(unit=unit, shift=-2)
    away = pieces[parts["clock"]].value
    goes_back = pieces[parts["way"]].code in "rR"
    if unit is not Unit.DAY or not away or goes_back is not (away < 0):
        return None
    return _mention(unit=Unit.DAY, shift=2 * away, of_clock=True)


def _latest_month(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    """Last November: the one before now."""
    return _mention(month=pieces[parts["month"]].value, latest=True)


def _last_of(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    """The last units of a month or a year: the last quarter of 1996, the last 7 days of March."""
    unit = pieces[parts["unit"]].unit
    count = pieces[parts["count"]].value if "count" in parts else 1
    year = pieces[parts["year"]].value if "year" in parts else None
    month = pieces[parts["month"]].value if "month" in parts else 12
    days = {Unit.DAY: count, Unit.WEEK: 7 * count}.get(unit) if unit is not None else None
    length = calendar.monthrange(year or _ANY_YEAR, month)[1] if 1 <= month <= 12 else 0
    if days is not None and 0 < days <= length:
        return _mention(
            year=year, month=month, day=length - days + 1, until=_mention(year=year, month=month, day=length)
        )
    whole = _mention(year=year)
    lasts = {
        Unit.MONTH: (1, replace(whole, month=12)),
        Unit.QUARTER: (3, replace(whole, quarter=4)),
        Unit.HALF: (6, replace(whole, half=2)),
    }
    if unit not in lasts or "month" in parts or year is None:
        return None
    months, last = lasts[unit]
    if count == 1:
        return last
    first = 13 - months * count
    return replace(whole, month=first, until=lasts[Unit.MONTH][1]) if first > 0 else None


def _edge_of_unit(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    return _edged(pieces, parts, _mention(unit=pieces[parts["unit"]].unit))


def _relative_year(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    return _mention(unit=Unit.YEAR, shift=pieces[parts["way"]].value)


def _by_clock(pieces: Pieces, parts: Parts) -> PeriodMention | None:
    return _mention(unit=Unit.DAY, shift=pieces[parts["way"]].value, of_clock=True)


_BEFORE_EDGE: Final = r"(?:(?P<edge>[ebd])-?k*)?"
_AFTER_EDGE: Final = r"(?P<edged>[ebd])?"

_WRITTEN: Final[tuple[tuple[str, Callable[[Pieces, Parts], PeriodMention | None]], ...]] = (
    (rf"{_BEFORE_EDGE}(?P<date>A)@?", _numeric),
    (r"(?P<unit>%)(?P<way>[lrLR])k*(?P<clock>q)", _twice),
    (r"(?P<unit>%)(?P<way>[rR])k*p(?![cnN]?%)", _twice),
    (r"p(?P<month>m)(?!\.?[,k]*[yn])", _latest_month),
    (r"p(?P<count>[cn])?(?P<unit>%)k*(?P<month>m)\.?[,k]*(?P<year>y)?", _last_of),
    (r"p(?P<count>[cn])?(?P<unit>%)k*(?P<year>y)", _last_of),
    (rf"(?P<first>n)-?s?k?[tT–—-]k?(?P<day>n)-?s?k*(?P<month>m)\.?{_YEAR}", _days),
    (rf"wk?(?P<first>n)-?s?ak?(?P<day>n)(?:-?sk*)?(?P<month>m)\.?{_YEAR}", _days),
    (rf"(?P<month>m)\.?k?(?P<first>n)s?k?[tT–—-]k?(?P<day>n)s?(?!%){_YEAR}", _days),
    (rf"w(?P<month>m)\.?k?(?P<first>n)s?ak?(?P<day>n)s?(?!%){_YEAR}", _days),
    (rf"(?P<day>n)-?s?k*(?P<month>m)\.?{_YEAR}", _day),
    (rf"(?P<day>o)k*(?P<month>m)\.?{_YEAR}", _day),
    (rf"(?P<month>m)\.?k?(?P<day>n)s?(?!%){_YEAR}", _day),
    (rf"{_BEFORE}?(?P<month>n)M(?P<day>n)D", _day),
    (rf"{_BEFORE}?(?P<month>n)M{_AFTER_EDGE}", _month),
    (rf"{_BEFORE_EDGE}{_BEFORE}(?P<month>m)(?!\.?[,k]*y)", _month),
    (rf"{_BEFORE_EDGE}(?P<month>m)\.?{_YEAR}{_AFTER_EDGE}", _month),
    (r"(?P<yearb>y)@?,?(?P<letter>[QH])(?P<number>n)", _part),
    (rf"{_BEFORE_EDGE}(?P<letter>[QH])(?P<number>n){_YEAR}", _part),
    (rf"{_BEFORE_EDGE}{_BEFORE}(?P<number>[no])-?s?(?P<unit>%)(?![,k]*y){_AFTER_EDGE}", _part),
    (rf"{_BEFORE_EDGE}(?P<number>[no])-?s?(?P<unit>%){_YEAR}{_AFTER_EDGE}", _part),
    (rf"{_BEFORE_EDGE}(?P<number>n)-?s?\.?(?P<letter>Q)\.?{_YEAR}", _part),
    (rf"{_BEFORE_EDGE}(?P<unit>%)(?P<number>n){_YEAR}", _part),
    (rf"{_BEFORE}?(?P<halved>j){_AFTER_EDGE}", _part),
    (r"i?S%k*(?P<count>[cn])?(?P<unit>%)(?P<way>[lrLR])", _moved),
    (r"i?S%k*(?P<way>[px])%", _same_of_year),
    (r"(?P<way>[px])%k*i?S%", _same_of_year),
    (r"(?P<way>z)k*i?S%", _same_of_year),
    (r"E?(?P<way>[vV])E?(?P<count>[cn])?(?P<unit>%)", _moved),
    (r"(?:Ek?)?(?P<count>[cn])?E?(?P<unit>%)k?E?(?P<way>[lrLR])(?![mAy])", _moved),
    (r"p(?P<count>[cnNy])(?:(?P<unit>%)|D)", _span),
    (rf"{_BEFORE_EDGE}i?(?P<way>[pxiS])(?P<unit>%){_AFTER_EDGE}", _next_to),
    (r"(?P<edge>[ebd])-?k*(?P<unit>%)", _edge_of_unit),
    (rf"{_BEFORE_EDGE}(?P<year>y)(?:@\.?)?{_AFTER_EDGE}", _year),
    (r"(?P<way>z)", _relative_year),
    (r"(?P<way>q)", _by_clock),
)
_PATTERNS: Final = tuple(
    # A unit may be a year, which is also what stands behind the number of one.
    (re.compile(written.replace("%", "[uU]").replace("@", "[gU]")), build)
    for written, build in _WRITTEN
)
