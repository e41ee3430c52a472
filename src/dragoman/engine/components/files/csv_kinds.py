"""What the columns of a CSV hold. A type is given only where every value is spelled as that type prints it.

A value in quotes is text. So `007`, `1.10` beside `1.1`, and `+1` stay text as well.
"""

import itertools
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Any

import pyarrow as pa

from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.databases.families.files.csv_rows import LONGEST_ROW
from dragoman.databases.families.files.csv_text import CHUNK_BYTES
from dragoman.engine.carriers import MAX_DIGITS
from dragoman.engine.component import StepContext
from dragoman.engine.components.interruption import interruptible


class Kind(StrEnum):
    """What all values of a column may be; of several, the first in this order is taken."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    UNSIGNED = "unsigned"
    DECIMAL = "decimal"
    FLOAT = "float"
    DATE = "date"
    TIME = "time"
    DATETIME = "datetime"
    INSTANT = "instant"


_ASKED_AT_ONCE = 24
"""Columns."""

_MOMENT = r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d{1,6})?"

_FITS = {
    Kind.BOOLEAN: "{x} IN ('true', 'false')",
    Kind.INTEGER: "CAST(TRY_CAST({x} AS BIGINT) AS VARCHAR) = {x}",
    Kind.UNSIGNED: "CAST(TRY_CAST({x} AS UBIGINT) AS VARCHAR) = {x}",
    Kind.DECIMAL: r"regexp_full_match({x}, '-?(0|[1-9]\d*)(\.\d+)?') "
    r"AND NOT (starts_with({x}, '-0') AND regexp_full_match({x}, '-0(\.0+)?'))",
    # Some write an exponent with a nought before a single digit, and some do not.
    Kind.FLOAT: "replace(CAST(TRY_CAST({x} AS DOUBLE) AS VARCHAR), 'e-0', 'e-') = replace({x}, 'e-0', 'e-')",
    Kind.DATE: "CAST(TRY_CAST({x} AS DATE) AS VARCHAR) = {x} AND length({x}) = 10",
    Kind.TIME: "CAST(TRY_CAST({x} AS TIME) AS VARCHAR) = {x}",
    Kind.DATETIME: f"regexp_full_match({{x}}, '{_MOMENT}') AND TRY_CAST({{x}} AS TIMESTAMP) IS NOT NULL",
    Kind.INSTANT: f"regexp_full_match({{x}}, '{_MOMENT}(Z|\\+00(:00)?)') "
    "AND TRY_CAST({x} AS TIMESTAMPTZ) IS NOT NULL",
}

_FRACTION = "length({x}) - coalesce(nullif(strpos({x}, '.'), 0), length({x}))"
_DIGITS = "length(ltrim({x}, '-')) - (strpos({x}, '.') > 0)::INTEGER"


_WHOLE = ((Kind.INTEGER,), (Kind.UNSIGNED,))
_WHOLE_TOO = (Kind.INTEGER, Kind.UNSIGNED, Kind.DECIMAL)

_FEW = 3
_SAMPLE = 100
"""A column with more kinds to it than a few is first asked for so many values: most kinds are out then."""


class _Seen:
    """What is known of a column. A kind that did not fit once never comes back."""

    def __init__(self) -> None:
        self.kinds = tuple(Kind)
        self.filled = False
        self.least = self.most = self.whole = 0
        self.noughts = self.finite = False

    def keep(self, fits: Sequence[bool | None]) -> None:
        """Of no values at all nothing is known, and every kind stays."""
        self.kinds = tuple(kind for kind, fit in zip(self.kinds, fits, strict=True) if fit is not False)

    def go_on(self, fits: bool | None, count: int, longest: int | None, negative: bool | None) -> bool:
        """Whether all are whole numbers again. Then nothing else has to be asked: they are decimals, too."""
        if fits is False or not count:
            return fits is not False
        self.keep([kind in _WHOLE_TOO and not (negative and kind is Kind.UNSIGNED) for kind in self.kinds])
        self.learn(count, 0, 0, longest, noughts=False, finite=True)
        return True

    def learn(
        self,
        count: int,
        least: int | None,
        most: int | None,
        whole: int | None,
        noughts: bool,
        finite: bool,
    ) -> None:
        """The shortest and the longest fraction, the most digits before it, noughts at the end of one."""
        if not count:
            return
        self.least = min(self.least, least or 0) if self.filled else least or 0
        self.most = max(self.most, most or 0)
        self.whole = max(self.whole, whole or 0)
        self.noughts = self.noughts or noughts
        self.finite = self.finite or finite
        self.filled = True


def seen_kinds(
    names: list[str], rows: Iterator[bytes], delimiter: str, context: StepContext
) -> list[FlowColumn]:
    """The columns of masked rows, all of them looked at. Raises what the rows raise."""
    seen = [_Seen() for _ in names]
    for batch in _batches(len(names), rows, delimiter):
        if any(each.kinds for each in seen):
            with interruptible(context):
                _look(seen, batch, context)
    pa.default_memory_pool().release_unused()
    return [_column(name, each) for name, each in zip(names, seen, strict=True)]


def _batches(width: int, rows: Iterator[bytes], delimiter: str) -> Iterator[pa.RecordBatch]:
    from pyarrow import csv

    places = [f"c{number}" for number in range(width)]
    for chunk in rows:
        reader = csv.open_csv(
            pa.BufferReader(chunk),
            read_options=csv.ReadOptions(column_names=places, block_size=LONGEST_ROW + 2 * CHUNK_BYTES),
            parse_options=csv.ParseOptions(
                delimiter=delimiter, quote_char=False, ignore_empty_lines=width > 1
            ),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(places, pa.string()), strings_can_be_null=True, null_values=[""]
            ),
        )
        yield from reader


def _look(seen: list[_Seen], batch: pa.RecordBatch, context: StepContext) -> None:
    table = context.lane.registered(pa.Table.from_batches([batch]))
    places = [(f"c{number}", each) for number, each in enumerate(seen) if each.kinds]
    for place, column in places:
        if len(column.kinds) > _FEW:
            first = f"(SELECT {place} FROM {table} WHERE {place} IS NOT NULL LIMIT {_SAMPLE})"
            (fits,) = _asked([_checks(place, column.kinds)], first, context)
            column.keep(fits)
    wholes = [(place, column) for place, column in places if column.kinds[:1] in _WHOLE]
    found = _asked([_whole_facts(place, column) for place, column in wholes], table, context)
    as_before = {place for (place, column), facts in zip(wholes, found, strict=True) if column.go_on(*facts)}
    rest = [(place, column) for place, column in places if column.kinds and place not in as_before]
    found = _asked([[*_facts(place), *_checks(place, each.kinds)] for place, each in rest], table, context)
    for (_, column), values in zip(rest, found, strict=True):
        column.learn(*values[:6])
        column.keep(values[6:])
    context.lane.connection.unregister(table)


def _asked(wanted: list[list[str]], table: str, context: StepContext) -> list[list[Any]]:
    """The values of expressions over a table, in the groups they came in. Many are asked in one look, but not
    all of a wide table: each holds a piece of memory."""
    found: list[list[Any]] = []
    for start in range(0, len(wanted), _ASKED_AT_ONCE):
        groups = wanted[start : start + _ASKED_AT_ONCE]
        every = ", ".join(expression for group in groups for expression in group)
        values = iter(context.lane.execute(f"SELECT {every} FROM {table}").fetchone() or ())
        found += [list(itertools.islice(values, len(group))) for group in groups]
    return found


def _checks(place: str, kinds: tuple[Kind, ...]) -> list[str]:
    there = f"FILTER (WHERE {place} IS NOT NULL)"
    fits = [_FITS[kind].replace("{x}", place) for kind in kinds]
    return [f"bool_and(coalesce({fit}, false)) {there}" for fit in fits]


def _whole_facts(place: str, column: _Seen) -> list[str]:
    return [
        *_checks(place, column.kinds[:1]),
        f"count({place})",
        f"max(length({place}))",
        f"bool_or(starts_with({place}, '-'))",
    ]


def _facts(place: str) -> list[str]:
    fraction, digits = _FRACTION.replace("{x}", place), _DIGITS.replace("{x}", place)
    return [
        f"count({place})",
        f"min({fraction})",
        f"max({fraction})",
        f"max({digits} - ({fraction}))",
        f"bool_or(contains({place}, '.') AND ends_with({place}, '0'))",
        f"bool_or({place} NOT IN ('nan', 'inf', '-inf'))",
    ]


def _column(name: str, seen: _Seen) -> FlowColumn:
    if not seen.filled:
        return FlowColumn(name, ValueType.TEXT, native="csv")
    for kind in seen.kinds:
        if (column := _of_kind(name, kind, seen)) is not None:
            return column
    return FlowColumn(name, ValueType.TEXT, native="csv")


def _of_kind(name: str, kind: Kind, seen: _Seen) -> FlowColumn | None:
    match kind:
        case Kind.INTEGER:
            return FlowColumn(name, ValueType.INTEGER, native="csv")
        case Kind.UNSIGNED:
            return FlowColumn(name, ValueType.INTEGER, signed=False, native="csv")
        case Kind.DECIMAL:
            # With fractions of different lengths, noughts at an end could not be told from added ones.
            if (seen.least != seen.most and seen.noughts) or seen.whole + seen.most > MAX_DIGITS:
                return None
            precision = max(1, seen.whole + seen.most)
            return FlowColumn(name, ValueType.DECIMAL, precision=precision, scale=seen.most, native="csv")
        case Kind.FLOAT:
            return FlowColumn(name, ValueType.FLOAT, native="csv") if seen.finite else None
        case _:
            return FlowColumn(name, ValueType(kind.value), native="csv")
