"""Flows of hostile values, and what is in a flow, for tests of components."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pyarrow as pa

from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import StepContext
from dragoman.engine.flow import Flow

TEXTS = (
    None,
    "",
    "NULL",
    "null",
    "\\N",
    "007",
    "1",
    "1.50",
    "true",
    "2020-01-01",
    " lead and trail ",
    "tab\there",
    "line\nend",
    "both\r\nends",
    "\r",
    'quote " and "" more',
    '"',
    "back\\slash",
    "comma, semicolon; bar|",
    "#no comment",
    "emoji 😀 and e\u0301",
    "\u2028 \ufeff",
    "x" * 1_000_000,
)

COLUMNS = (
    FlowColumn("id", ValueType.INTEGER, nullable=False),
    FlowColumn("small", ValueType.INTEGER, bits=8),
    FlowColumn("unsigned", ValueType.INTEGER, signed=False),
    FlowColumn('odd "name", x', ValueType.TEXT),
    FlowColumn("money", ValueType.DECIMAL, precision=38, scale=6),
    FlowColumn("endless", ValueType.DECIMAL),
    FlowColumn("ratio", ValueType.FLOAT),
    FlowColumn("half", ValueType.FLOAT, bits=32),
    FlowColumn("flag", ValueType.BOOLEAN),
    FlowColumn("day", ValueType.DATE),
    FlowColumn("clock", ValueType.TIME),
    FlowColumn("moment", ValueType.DATETIME),
    FlowColumn("instant", ValueType.INSTANT),
    FlowColumn("raw", ValueType.BYTES),
    FlowColumn("uuid", ValueType.UUID),
    FlowColumn("json", ValueType.JSON),
    FlowColumn("span", ValueType.INTERVAL),
)

UTC = dt.UTC
FIRST = dt.datetime(1, 1, 1, tzinfo=UTC)
LAST = dt.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC)
SPRING = dt.datetime(2020, 3, 29, 1, 30, 0, 1, UTC)

VALUES: dict[str, tuple[Any, ...]] = {
    "small": (-128, 127, 0),
    "unsigned": (2**64 - 1, 0, 2**53 + 1),
    "money": (
        Decimal("12345678901234567890123456789012.123456"),
        Decimal("-0.000001"),
        Decimal("1.500000"),
    ),
    "endless": ("1" * 60 + "." + "9" * 40, "-12.50", "0"),
    "ratio": (0.1, -0.0, 5e-324, 1.7976931348623157e308, 1e300, 1 / 3, 123456789.0),
    "half": (0.10000000149011612, 3.4028234663852886e38, 1.401298464324817e-45, -0.0),
    "flag": (True, False),
    "day": (dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(2024, 2, 29)),
    "clock": (dt.time(0, 0), dt.time(23, 59, 59, 999999), dt.time(1, 2, 3, 40)),
    "moment": tuple(each.replace(tzinfo=None) for each in (FIRST, LAST, SPRING)),
    "instant": (FIRST, LAST, SPRING),
    "raw": (b"", bytes(range(256)), b"\\x00"),
    "uuid": ("550e8400-e29b-41d4-a716-446655440000",),
    "json": (
        '{"a": 1.10, "a": 12345678901234567890123, "b": [1e400, "x\\n"]}',
        "null",
        '"text"',
        "[1,\n 2]",
        "1.10",
    ),
    "span": ("-838:59:59.000001", "P1Y2M"),
}


def hostile_rows(columns: Sequence[FlowColumn] = COLUMNS, count: int = 60) -> dict[str, list[Any]]:
    """Values by column: each kind's extremes in turn, with NULL among them."""
    rows = dict[str, list[Any]]()
    for column in columns:
        if column.name == "id":
            rows["id"] = [2**63 - 1, -(2**63), *range(2, count)]
            continue
        values = TEXTS if column.type is ValueType.TEXT else (*VALUES[column.name], None)
        rows[column.name] = [values[number % len(values)] for number in range(count)]
    return rows


def flow_of(columns: tuple[FlowColumn, ...], rows: dict[str, list[Any]]) -> Flow:
    schema = arrow_schema(columns)
    arrays = [pa.array(rows[column.name], field.type) for column, field in zip(columns, schema, strict=True)]
    batch = pa.RecordBatch.from_arrays(arrays, schema=schema)
    return Flow(columns, reader=pa.RecordBatchReader.from_batches(schema, iter([batch])))


def rows_in(flow: Flow, context: StepContext) -> dict[str, list[Any]]:
    """All of a flow. Its carriers are what its columns promise."""
    reader = flow.batches(context.lane)
    assert reader.schema.types == arrow_schema(flow.columns).types
    table = reader.read_all()
    return {column.name: table.column(number).to_pylist() for number, column in enumerate(flow.columns)}


def spelled(values: Sequence[Any]) -> list[str]:
    """Values so that -0.0 is not 0.0 and a decimal keeps its noughts; a zone is not told by its library."""
    return [repr(each.astimezone(UTC)) if _is_instant(each) else repr(each) for each in values]


def _is_instant(value: object) -> bool:
    return isinstance(value, dt.datetime) and value.tzinfo is not None
