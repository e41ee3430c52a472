"""What a column is to a question: a key, a date, a flag, a measure, a label."""

import re
from enum import StrEnum

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.units import UNITS, Unit
from dragoman.planning.database.written_dates import DateForm, form_of
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Column
from dragoman.tables.verbs import DATES, NUMBERS

_PIECES = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_CALENDAR = {"year": (1000, 2300), "month": (1, 12), "day": (1, 31)}
"""What the numbers of a column must be between for it to be a part of dates."""
_FIRST_YEAR = -5000
_YEAR = re.compile(r"[0-9]{4}").fullmatch
_GRADED = frozenset({stem("level"), stem("class"), stem("group")})
"""Kinds that may be more or less of something."""
_BEST = 10
"""The best mark of a short scale."""
_SHARED = 5
"""So many rows share a mark, at least."""
_SEXES = frozenset({"gender", "sex"})
_KEY_WORDS = frozenset({"id", "key", "number"})
_KINDS = frozenset(map(stem, ("status", "type", "kind", "category")))


class Role(StrEnum):
    """What a column is to a question."""

    KEY = "key"
    LABEL = "label"
    DATE = "date"
    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    MEASURE = "measure"
    FLAG = "flag"
    CATEGORY = "category"
    TEXT = "text"


class ColumnFacts(Record, frozen=True):
    """A column and what is known of it."""

    thing: Thing
    role: Role
    unit: Unit | None = None
    money: bool = False
    yes: str = ""
    no: str = ""
    """Of a flag: the values that mean yes and no, as samples write them."""
    form: DateForm | None = None
    """Of a column of texts that are dates: how they are written."""


def facts_of(thing: Thing, column: Column, measured: bool | None = None) -> ColumnFacts:
    """What is known of a thing that is a column. `measured`: what a pack says of its numbers."""
    found = _guessed(thing, column)
    if measured is None or column.type not in NUMBERS or measured is (found.role is Role.MEASURE):
        return found
    return _measure(thing, column) if measured else ColumnFacts(thing, Role.CATEGORY)


def _guessed(thing: Thing, column: Column) -> ColumnFacts:
    info = column.info
    # The flight of flights is a number of it; the degrees of a table of degrees are how many there were.
    alike = set(thing.words) <= set(thing.optional) and column.type is ValueType.INTEGER
    told = column_words().money | column_words().quantities | column_words().judged
    alike = alike and not set(thing.words) & told
    calendar = _calendar(thing, column)
    if calendar is Role.YEAR:
        # A year says when, even where it is a part of a key or leads to a table of years.
        return ColumnFacts(thing, calendar)
    # What people are paid is no number of it: the salary of salaries.
    alike = alike and not column_words().money & set(thing.words) and not is_graded(thing, column)
    if thing.is_key or (alike and info.name.casefold() != thing.table.info.name.casefold()):
        return ColumnFacts(thing, Role.KEY)
    if column.type in DATES:
        return ColumnFacts(thing, Role.DATE)
    flag = _flag(thing, column)
    if flag is not None:
        return flag
    if column.type in NUMBERS:
        return _number(thing, column)
    if column.type in (ValueType.TEXT, ValueType.OTHER):
        form = form_of(info.samples)
        if form is not None and form.year_first:
            return ColumnFacts(thing, Role.DATE, form=form)
        few = info.distinct is not None and info.distinct <= 50
        return ColumnFacts(thing, Role.CATEGORY if few else Role.TEXT, unit_named(info.name), form=form)
    return ColumnFacts(thing, Role.TEXT)


def unit_named(name: str) -> Unit | None:
    """The unit in a column's name."""
    pieces = [piece.lower() for piece in _PIECES.findall(name)]
    unit = next((UNITS[piece] for piece in reversed(pieces) if piece in UNITS and piece != "h"), None)
    # A column that is called "day" alone holds days of months.
    return None if unit == UNITS["day"] and len(pieces) == 1 else unit


def is_graded(thing: Thing, column: Column) -> bool:
    """ "The rating of ratings": marks of a short scale that many rows share are no numbers of the rows."""
    rows, samples = thing.table.info.rows, column.info.samples
    scale = all(each.isdecimal() and int(each) <= _BEST for each in samples)
    return bool(samples) and scale and rows is not None and rows > _SHARED * _BEST


def _number(thing: Thing, column: Column) -> ColumnFacts:
    words = set(thing.words)
    if column.type is ValueType.INTEGER:
        if (calendar := _calendar(thing, column)) is not None:
            return ColumnFacts(thing, calendar)
        if words & {"id", "code", "zip"} or words & column_words().ordinals:
            return ColumnFacts(thing, Role.KEY)
        if thing.words[-1] in column_words().kinds - _GRADED:
            # A number that stands for a status or a type is not an amount.
            return ColumnFacts(thing, Role.CATEGORY)
        if column.info.least == column.info.most == 0 and not words & column_words().money:
            # Nothing is counted or weighed in a column of noughts.
            return ColumnFacts(thing, Role.CATEGORY)
        if thing.words and thing.words[-1] in _KINDS:
            # Which of a few states a row is in: nobody adds such numbers up.
            return ColumnFacts(thing, Role.CATEGORY)
    return _measure(thing, column)


def _measure(thing: Thing, column: Column) -> ColumnFacts:
    return ColumnFacts(thing, Role.MEASURE, unit_named(column.info.name), money=_is_money(set(thing.words)))


def _is_money(words: set[str]) -> bool:
    """The rate of a tax is a part of something, that of an hour is money."""
    found = column_words().money & words
    return bool(found) and not (found == {stem("rate")} and column_words().portions & words)


def _calendar(thing: Thing, column: Column) -> Role | None:
    """What part of dates a column of numbers holds, by its name and by what its numbers are between."""
    if column.type is ValueType.TEXT:
        return Role.YEAR if _writes_years(thing, column) else None
    if column.type not in (ValueType.INTEGER, ValueType.DECIMAL):
        return None
    words = [word for word in thing.words if word not in _KEY_WORDS] or list(thing.words)
    name = column.info.name.casefold()
    if words[-1] in _CALENDAR and not name.endswith("s"):
        part = words[-1]
    elif column_words().years & set(words) and not _identifies(thing):
        part = "year"
    else:
        return None
    least, most = column.info.least, column.info.most
    if least is None or most is None:
        # Nothing was looked at: the name alone has to do, where it says nothing else.
        alone = len(thing.required) == 1 and words[-1] in _CALENDAR
        return Role(part) if alone and column.type is ValueType.INTEGER else None
    if column.type is ValueType.DECIMAL and part != "year":
        return None
    first, last = _CALENDAR[part]
    if words[-1] == "year" and least < 0:
        # Years before our time are years too.
        first = _FIRST_YEAR
    return Role(part) if first <= least and first < most <= last else None


def _writes_years(thing: Thing, column: Column) -> bool:
    """Whether a column of texts is called a year, and holds nothing but years."""
    first, last = _CALENDAR["year"]
    samples = [each for each in column.info.samples if each]
    years = [each for each in samples if _YEAR(each) and first <= int(each) <= last]
    return thing.words[-1] == "year" and bool(samples) and len(years) == len(samples)


def _identifies(thing: Thing) -> bool:
    """Whether a column says which row it is, here or in another table; a part of a key only says it with
    the others."""
    keys = {name for key in thing.table.info.foreign_keys for name in key.columns}
    if len(thing.table.info.primary_key) == 1:
        keys.update(thing.table.info.primary_key)
    return thing.column is not None and thing.column.info.name in keys


def _flag(thing: Thing, column: Column) -> ColumnFacts | None:
    if column.type is ValueType.BOOLEAN:
        return ColumnFacts(thing, Role.FLAG, yes="true", no="false")
    words, info = column_words(), column.info
    if _SEXES & set(thing.words):
        # Which of two it is, is no yes and no.
        return None
    samples = [each for each in info.samples if each.casefold() not in words.unknown]
    unknown = sum(1 for each in info.samples if each and each not in samples)
    if not samples or len(samples) > 2 or (info.distinct is not None and info.distinct - unknown > 2):
        return None
    if column.type in NUMBERS:
        # Where all rows say the same, the name has to say that it is a flag.
        known = len(samples) == 2 or info.name.casefold().startswith(("is", "has", "can"))
        if column.type is ValueType.INTEGER and known and set(samples) <= {"0", "1"}:
            return ColumnFacts(thing, Role.FLAG, yes="1", no="0")
        return None
    if not {each.casefold() for each in samples} <= {each.casefold() for each in words.yes | words.no}:
        return None
    yes = next((each for each in samples if each in words.yes), "")
    no = next((each for each in samples if each in words.no), "")
    return ColumnFacts(thing, Role.FLAG, yes=yes, no=no) if yes or no else None
