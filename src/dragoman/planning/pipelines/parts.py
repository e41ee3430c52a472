"""Files by parts: one pair for each month of the rows, or for each value of a column, that there are.

The parts are those that the rows have when the program is written; the database says which, and rows without
a value are a part of their own.
"""

import datetime as dt
from typing import Final

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.answer import Cell
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Argument, Date, Nil, Sequence, Statement, Text, Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import TableInfo, ValueType
from dragoman.planning.contract import Refusal
from dragoman.planning.pipelines.order import Options
from dragoman.planning.pipelines.pipeline import Pair, Symbols, needing, said_in, with_argument
from dragoman.planning.pipelines.steps import plain
from dragoman.planning.pipelines.table_names import stems_of, words_of_name
from dragoman.reading.languages import Spoken
from dragoman.reading.tokens import tokens_of

NO_DAYS: Final = "pipeline_no_days"
NO_COLUMN: Final = "pipeline_no_column"
TOO_MANY: Final = "pipeline_too_many_parts"
MOST: Final = 120
_DAYS: Final = (ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT)
_NONE: Final = "none"


class Part(Record, frozen=True):
    """One part of the rows: what it is called, and the arguments that keep a list to it."""

    name: str
    arguments: tuple[Argument, ...]


def parted(
    pair: Pair,
    table: TableInfo,
    options: Options,
    catalog: Catalog,
    spoken: Spoken,
    symbols: Symbols,
    cancel: Cancellation | None = None,
) -> tuple[Pair, ...] | Refusal:
    """The pairs of the parts. `pair` reads the rows of a table by its verb."""
    column = _column(pair.reader, table, options, spoken)
    if isinstance(column, Refusal):
        return column
    by = f"{column}/{options.part}" if options.part else column
    counted = _counting(pair.reader, by, column, table)
    try:
        found = look_up(catalog, counted, cancel=cancel)
    except DragomanError as error:
        return Refusal(error.code, problem=error.message)
    if len(found.rows) > MOST:
        return Refusal(TOO_MANY, (by, str(len(found.rows)), str(MOST)))
    named = options.part or column
    parts = [_part(row[0], column, pair.reader, table, options.part) for row in found.rows]
    return tuple(_pair(pair, part, named, symbols) for part in sorted(parts, key=lambda part: part.name))


def _column(reader: Statement, table: TableInfo, options: Options, spoken: Spoken) -> str | Refusal:
    """The column that the parts go by."""
    if options.part:
        days = [column.name for column in table.columns if column.type in _DAYS]
        said = frozenset(word for token in tokens_of(options.part_words) for word in stems_of(token, spoken))
        named = [day for day in days if said & set(words_of_name(day))]
        if len(named) == 1:
            return named[0]
        on = said_in(reader, "on")
        if on or len(days) == 1:
            return on or days[0]
        return Refusal(NO_DAYS, (table.name,))
    said = frozenset(word for token in tokens_of(options.part_words) for word in stems_of(token, spoken))
    fitting = [c.name for c in table.columns if said and set(words_of_name(c.name)) <= said]
    fitting = fitting or [c.name for c in table.columns if said & set(words_of_name(c.name))]
    if len(fitting) != 1:
        return Refusal(NO_COLUMN, (options.part_words, ", ".join(c.name for c in table.columns)))
    return fitting[0]


def _counting(reader: Statement, by: str, column: str, table: TableInfo) -> Statement:
    """How many rows each part has."""
    kept = tuple(each for each in reader.arguments if each.name not in ("columns", "order", "top"))
    several = sum(each.type in _DAYS for each in table.columns) > 1
    on = (Argument("on", Text(column)),) if several and not said_in(reader, "on") and "/" in by else ()
    return Statement(f"{reader.verb.rpartition('.')[0]}.count", (*kept, *on, Argument("by", Text(by))))


def _part(cell: Cell, column: str, reader: Statement, table: TableInfo, unit: str) -> Part:
    if cell is None:
        return Part(_NONE, (Argument(column, Nil()),))
    name = str(cell)
    if not unit:
        return Part(name, (Argument(column, _value(cell)),))
    start, end = _days(name, unit)
    held = reader.argument("during")
    if held is not None and isinstance(held.value, Sequence):
        ends = [each.value for each in held.value.items if isinstance(each, Date)]
        if len(ends) == 2:
            start, end = max(start, ends[0]), min(end, ends[1])
    days = Argument("during", Sequence((Date(start), Date(end))))
    several = sum(each.type in _DAYS for each in table.columns) > 1
    return Part(name, (Argument("on", Text(column)), days) if several else (days,))


def _value(cell: Cell) -> Value:
    from dragoman.contracts.program import Integer

    return Integer(cell) if isinstance(cell, int) else Text(str(cell))


def _days(name: str, unit: str) -> tuple[dt.date, dt.date]:
    """The first and the last day of a part, as the database calls it: 2023-01, 2023-Q1, 2023."""
    match unit:
        case "year":
            return dt.date(int(name), 1, 1), dt.date(int(name), 12, 31)
        case "quarter":
            year, quarter = name.split("-Q")
            return _months(int(year), 3 * int(quarter) - 2, 3)
        case "month":
            year, month = name.split("-")
            return _months(int(year), int(month), 1)
        case _:
            day = dt.date.fromisoformat(name[:10])
            return day, day


def _months(year: int, month: int, count: int) -> tuple[dt.date, dt.date]:
    after = month - 1 + count
    return dt.date(year, month, 1), dt.date(year + after // 12, after % 12 + 1, 1) - dt.timedelta(days=1)


def _pair(pair: Pair, part: Part, named: str, symbols: Symbols) -> Pair:
    reader = pair.reader
    for argument in part.arguments:
        reader = with_argument(reader, argument.name, argument.value)
    reader = replace(reader, binds=symbols.fresh(f"{pair.reader.binds}-{plain(part.name)}"))
    path = said_in(pair.writer, "path")
    folder, _, file = path.rpartition("/")
    stem, _, ending = file.partition(".")
    place = "/".join(each for each in (folder, stem, f"{named}={_safe(part.name)}") if each)
    writer = with_argument(pair.writer, "path", Text(f"{place}/{stem}.{ending}"))
    writer = with_argument(writer, "needs", needing(reader.binds).value)
    return Pair(reader, replace(writer, binds=symbols.fresh(f"{pair.writer.binds}-{plain(part.name)}")))


def _safe(name: str) -> str:
    """A value in the name of a folder, as Hive writes it."""
    return "".join(c if c.isalnum() or c in "-_." else f"%{ord(c):02X}" for c in name) or _NONE
