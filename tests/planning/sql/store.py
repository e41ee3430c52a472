"""A small store with everything that makes SQL and verbs differ: missing values, letters in both cases, ties,
rows without a linked row."""

import datetime as dt
from decimal import Decimal
from typing import Final

from dragoman.contracts.query import Value
from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    ForeignKey,
    TableInfo,
    TableKind,
    ValueType,
)
from tests.tables.engines import Engine, fill
from tests.tables.shop import NATIVE

T = ValueType
SHAPES: Final[dict[str, dict[str, ValueType]]] = {
    "region": {"id": T.INTEGER, "title": T.TEXT},
    "customer": {
        "id": T.INTEGER,
        "name": T.TEXT,
        "region_id": T.INTEGER,
        "score": T.INTEGER,
        "since": T.DATE,
    },
    "sale": {
        "id": T.INTEGER,
        "customer_id": T.INTEGER,
        "status": T.TEXT,
        "total": T.DECIMAL,
        "pieces": T.INTEGER,
        "weight": T.FLOAT,
        "paid": T.BOOLEAN,
        "day": T.DATE,
        "at": T.DATETIME,
    },
}
REQUIRED: Final = {("region", "id"), ("customer", "id"), ("customer", "name"), ("sale", "id")} | {
    ("sale", "customer_id"),
    ("sale", "pieces"),
    ("sale", "day"),
}
KEYS: Final = {
    "customer": (ForeignKey(("region_id",), "region", ("id",)),),
    "sale": (ForeignKey(("customer_id",), "customer", ("id",)),),
}


def _at(day: int, hour: int) -> dt.datetime:
    return dt.datetime(2023, 1, day, hour)  # noqa: DTZ001 - the column has no zone


ROWS: Final[dict[str, list[tuple[Value, ...]]]] = {
    "region": [(1, "North"), (2, "south"), (3, None), (4, "NORTH")],
    "customer": [
        (1, "Ann", 1, 5, dt.date(2020, 2, 29)),
        (2, "ann", 2, None, None),
        (3, "Bo_b", None, 5, dt.date(2021, 1, 1)),
        (4, "Zoë", 3, 7, dt.date(2021, 12, 31)),
        (5, "100%", 1, 0, dt.date(2020, 2, 29)),
        (6, "bob", 4, -3, None),
    ],
    "sale": [
        (1, 1, "open", Decimal("10.50"), 3, 1.5, True, dt.date(2022, 12, 31), _at(1, 0)),
        (2, 1, "Open", Decimal("0.10"), 1, None, False, dt.date(2023, 1, 1), _at(1, 12)),
        (3, 2, "late", None, 2, 0.25, None, dt.date(2023, 5, 5), None),
        (4, 3, None, Decimal("0.20"), 3, 1.5, True, dt.date(2023, 12, 31), _at(2, 0)),
        (5, 5, "open", Decimal("99.90"), 0, 7.0, False, dt.date(2024, 1, 1), _at(3, 23)),
        (6, 2, "late", Decimal("10.50"), 3, None, True, dt.date(2023, 5, 5), _at(2, 0)),
        (7, 6, "OPEN", Decimal("-4.00"), 8, 2.5, None, dt.date(2023, 5, 6), None),
    ],
}


def schema(dialect: Dialect) -> DatabaseSchema:
    tables = tuple(
        TableInfo(
            name,
            TableKind.TABLE,
            tuple(
                ColumnInfo(column, kind, NATIVE[dialect][kind], nullable=(name, column) not in REQUIRED)
                for column, kind in columns.items()
            ),
            primary_key=("id",),
            foreign_keys=KEYS.get(name, ()),
        )
        for name, columns in SHAPES.items()
    )
    return DatabaseSchema(dialect.value, dialect, tables, "store")


def filled(engine: Engine) -> Engine:
    for name, columns in SHAPES.items():
        fill(engine, name, columns, ("id",), ROWS[name])
    return engine
