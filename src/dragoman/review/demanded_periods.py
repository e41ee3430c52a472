"""Every period of a message is one that the program keeps to, of the date that the verb is about."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from typing import Final

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.reading.periods import Days, PeriodMention
from dragoman.review.case import Case, is_moment
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_others import other_links
from dragoman.review.names import parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Column, Table
from dragoman.tables.paths import ColumnPath

_ONE: Final = dt.timedelta(days=1)
_NEVER: Final = 2900
"""A year that never comes: of rows that have not ended."""
_BEHIND: Final = 3
_OPPOSITE: Final = {"in": "out", "on": "off", "up": "down", "down": "up"}
"""Words at the end of a column's name, and what says the opposite. Schemas are written in English."""


class Span(Record, frozen=True):
    """Days that an atom keeps to; None where an end is open."""

    first: dt.date | None
    last: dt.date | None


def periods(case: Case) -> Iterator[Objection]:
    spans = _spans(case.committed.atoms)
    for mention in case.message.periods:
        if (
            not _is_kept(case, mention, spans)
            and not _is_now(case, mention)
            and not _is_shared(case, mention)
        ):
            yield case.objection(Code.PERIOD_MISSING, mention.text)


def _is_shared(case: Case, mention: PeriodMention) -> bool:
    """ "In the same year as her": no year that is named, and one that rows have in common."""
    same = case.message.vocabulary.same.get("same", frozenset())
    return not same.isdisjoint(mention.text.casefold().split()) and bool(other_links(case))


def _is_now(case: Case, mention: PeriodMention) -> bool:
    """ "Today" is kept to by rows that have not ended."""
    if mention.text.casefold() not in case.message.vocabulary.nowadays:
        return False
    for atom in case.committed.atoms:
        never = (day := day_of(atom.value)) is not None and day.year >= _NEVER
        words = frozenset[str]() if atom.column is None else words_of(atom.column.info.name)
        ended = bool(words & (column_words("end") | column_words("late_date")))
        if not atom.negated and (never or (ended and atom.sign == "missing")):
            return True
    return False


def _spans(atoms: tuple[Atom, ...]) -> list[Span]:
    """The days of each atom; and, where two atoms are the ends of one period, of both together."""
    found = [span for atom in atoms if (span := span_of(atom)) is not None]
    starts = [span.first for span in found if span.last is None]
    ends = [span.last for span in found if span.first is None]
    return found + [Span(first, last) for first in starts for last in ends]


def span_of(atom: Atom) -> Span | None:
    match atom.value:
        case (first, last):
            return Span(day_of(first), day_of(last))
        case dt.date() | str():
            day = day_of(atom.value)
        case _:
            day = None
    if day is None:
        return None
    match atom.sign:
        case "above":
            # A moment of a day is not yet past the day; a whole day is.
            return Span(day + _ONE if day < dt.date.max else day, None)
        case "at-least":
            return Span(day, None)
        case "below":
            return Span(None, day - _ONE if day > dt.date.min else day)
        case "at-most":
            return Span(None, day)
        case _:
            return Span(day, day)


def day_of(value: object) -> dt.date | None:
    if isinstance(value, dt.datetime):
        return value.date()
    if isinstance(value, dt.date):
        return value
    if not isinstance(value, str):
        return None
    try:
        return dt.date.fromisoformat(value[:10])
    except ValueError:
        return None


def _is_kept(case: Case, mention: PeriodMention, spans: list[Span]) -> bool:
    # A month may be a word of the data: a column that holds March.
    words = mention.text.casefold().split()
    if any(isinstance(atom.value, str) and atom.value.casefold() in words for atom in case.committed.atoms):
        return True
    days = mention.days()
    if days is not None and spans:
        if any(_same(span, days) for span in spans):
            return True
        # A year that is a number of its own may stand beside dates.
        return _by_pieces(case, mention) if not any(_touches(span, mention) for span in spans) else False
    if days is None and spans and mention.year is None:
        return True
    return _by_pieces(case, mention)


def _same(span: Span, days: Days) -> bool:
    return _near(span.first, days.first) and _near(span.last, days.last)


def _near(one: dt.date | None, other: dt.date | None) -> bool:
    """Whether two ends are the same. An end may be written as midnight of the next day."""
    if one is None or other is None:
        return one is other
    return abs((one - other).days) <= 1


def _touches(span: Span, mention: PeriodMention) -> bool:
    """Whether a span begins or ends in the year of a period; "since the end of it" may begin right behind."""
    ends = [day for day in (span.first, span.last) if day is not None]
    if mention.bound is not None:
        ends += [day - _ONE for day in ends if day > dt.date.min]
    return any(day.year == mention.year for day in ends)


def _by_pieces(case: Case, mention: PeriodMention) -> bool:
    """Whether year and month are numbers or texts of the program, for dates that are kept in parts."""
    if any(mention.text.casefold() in text.casefold() for text in case.committed.texts):
        return True
    ends = [each for each in (mention, mention.until) if each is not None]
    if not any((each.year, each.month, each.quarter, each.half) != (None,) * 4 for each in ends):
        return bool(_grouped_by_time(case) or _dated(case))
    years = all(_piece(case, each.year, mention) for each in ends)
    if years and len(ends) > 1 and mention.day is not None and ends[0].year != ends[1].year:
        # "In the last 5 years", where only years are known.
        return True
    return years and all(_month(case, each) and _day(case, each) for each in ends)


def _piece(case: Case, number: int | None, mention: PeriodMention) -> bool:
    if number is None:
        return True
    atoms = [atom for atom in case.committed.atoms if _has_number(atom, number)]
    near = [
        atom
        for atom in case.committed.atoms
        if _has_number(atom, number + 1) or _has_number(atom, number - 1)
    ]
    if mention.bound is None:
        return bool(atoms)
    return any(_agrees(atom, mention) for atom in (*atoms, *near))


def _agrees(atom: Atom, mention: PeriodMention) -> bool:
    match str(mention.bound):
        case "since" | "after":
            return atom.sign in ("above", "at-least", "within") or atom.negated
        case "until" | "before":
            return atom.sign in ("below", "at-most", "within") or atom.negated
        case _:
            return True


def _has_number(atom: Atom, number: int) -> bool:
    if number_of(atom.value) == number:
        return True
    values = atom.value if isinstance(atom.value, tuple) else (atom.value,)
    return any(
        str(number) in str(value) for value in values if value is not None and not isinstance(value, int)
    )


def _day(case: Case, mention: PeriodMention) -> bool:
    """The day of a date that is kept in parts is a number beside the month's."""
    if mention.day is None or _dated(case):
        return True
    wanted = Counter(each for each in (mention.month, mention.day) if each is not None)
    there = Counter(int(n) for atom in case.committed.atoms if (n := number_of(atom.value)) is not None)
    whole = any(isinstance(atom.value, str) for atom in case.committed.atoms)
    return whole or all(there[number] >= times for number, times in wanted.items())


def _month(case: Case, mention: PeriodMention) -> bool:
    month = mention.month
    if month is None:
        return True
    for atom in case.committed.atoms:
        if number_of(atom.value) == month and (mention.bound is None or _agrees(atom, mention)):
            return True
        values = atom.value if isinstance(atom.value, tuple) else (atom.value,)
        days = [day for value in values if isinstance(value, str | dt.date) and (day := day_of(value))]
        if any(month in ((day - _ONE).month, day.month, (day + _ONE).month) for day in days):
            return True
        if isinstance(atom.value, str) and f"-{month:02}" in atom.value:
            return True
    return False


def _grouped_by_time(case: Case) -> bool:
    return any(path.part is not None for request in case.committed.requests for path in request.by)


def _dated(case: Case) -> bool:
    return any(atom.column is not None and is_moment(atom.column.type) for atom in case.committed.atoms)


def date_verbs(case: Case) -> Iterator[Objection]:
    """ "Hired in 2003" is not about a date of birth, where there is a date of hire."""
    told = case.message.vocabulary
    parts = _parts_of_names(case)
    said = {
        name: word.text
        for name, words in told.date_verbs.items()
        for at, word in enumerate(case.words)
        if word.keys & words and not word.quoted and at not in parts and not _is_held(case, name, at)
        if not _is_thing(case, word)
    }
    if not said:
        return
    used = [(words_of(column.info.name), table, part) for column, table, part in _dates_used(case)]
    for here, table, part in used:
        fitting = [name for name in said if _speaks(case, name, here)]
        elsewhere = [name for name in said if name not in fitting and _has_date(case, name, table)]
        if not fitting and elsewhere:
            yield case.objection(Code.DATE_CONTRADICTED, said[elsewhere[0]], part)
            return


def _is_thing(case: Case, word: Word) -> bool:
    """Whether a word is that of the rows themselves: a payment, in a table of payments."""
    names = (parts_of(case.graph.tables[key].info.name)[-1:] for key in case.committed.tables)
    told = case.message.vocabulary
    deed = told.passive.search(word.form) or told.verbal.search(word.form)
    return not deed and any(word.keys & part for parts in names for part in parts)


def _is_held(case: Case, verb: str, at: int) -> bool:
    """Whether a condition of its own holds what a verb says: never returned, shipped later than required. A
    period that stands right behind the verb is still one of its date."""
    behind = case.words[at + 1 : at + 1 + _BEHIND]
    if any(case.message.in_period(word) for word in behind):
        return False
    held = [atom for atom in case.committed.atoms if atom.value is None and atom.column is not None]
    if any(_speaks(case, verb, words_of(atom.column.info.name)) for atom in held if atom.column is not None):
        return True
    # A date that another is held against is used, though no atom is about it.
    return any(atom.sign != "missing" for atom in held) and _speaks(case, verb, case.committed.names)


def _dates_used(case: Case) -> Iterator[tuple[Column, Table, str]]:
    """The dates that rows are held to, and those that the first of them are chosen by."""
    for atom in case.committed.atoms:
        if atom.column is None or atom.table is None or not is_moment(atom.column.type):
            continue
        if atom.part not in case.carried:
            yield atom.column, case.graph.tables[atom.table], atom.part
    for request in case.committed.requests:
        paths = [each.by for each in request.order if isinstance(each.by, ColumnPath)]
        for path in paths if request.top is not None and not case.before else ():
            if is_moment(path.column.type):
                table = case.graph.tables[path.links[-1].target] if path.links else request.table
                yield path.column, table, path.written


def _tells_time(column: Column) -> bool:
    """Whether a column says when, or whether at all."""
    return is_moment(column.type) or column.type is ValueType.BOOLEAN


def _parts_of_names(case: Case) -> frozenset[int]:
    """Where words stand that are part of the name of something else than a date: the ship country, the amount
    due."""
    named = [
        each
        for each in case.named
        if each.columns
        and not any(_tells_time(case.graph.tables[key].columns[name]) for key, name in each.columns)
    ]
    longer = [each for each in named if each.last - each.first > 1]
    return frozenset(at for each in longer for at in range(each.first, each.last))


def particles(case: Case) -> Iterator[Objection]:
    """Who moved out did not move in: of two dates that such a word tells apart, the one that was said."""
    said = {word.form for word in case.words}
    for atom in case.committed.atoms:
        if atom.column is None or not is_moment(atom.column.type) or atom.part in case.carried:
            continue
        last = atom.column.info.name.casefold().replace("-", "_").rpartition("_")[2]
        other = _OPPOSITE.get(last)
        if other in said and (last not in said or last in case.message.vocabulary.before_month):
            yield case.objection(Code.DATE_CONTRADICTED, str(other), atom.part)
            return


def _speaks(case: Case, verb: str, column: frozenset[str]) -> bool:
    return bool(column & ({verb} | case.message.vocabulary.date_columns.get(verb, frozenset())))


def _has_date(case: Case, verb: str, table: Table) -> bool:
    return any(_speaks(case, verb, words_of(column.info.name)) for column in table.dates)
