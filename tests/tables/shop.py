"""A shop whose tables and columns are called what nobody should call them, and its few rows."""

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

T = ValueType

NATIVE: Final[dict[Dialect, dict[ValueType, str]]] = {
    Dialect.SQLITE: {
        T.INTEGER: "INTEGER",
        T.TEXT: "TEXT COLLATE NOCASE",
        T.DECIMAL: "DECIMAL(12,2)",
        T.FLOAT: "REAL",
        T.BOOLEAN: "BOOLEAN",
        T.DATE: "DATE",
        T.DATETIME: "DATETIME",
        T.INSTANT: "TEXT",
    },
    Dialect.DUCKDB: {
        T.INTEGER: "BIGINT",
        T.TEXT: "VARCHAR",
        T.DECIMAL: "DECIMAL(12,2)",
        T.FLOAT: "DOUBLE",
        T.BOOLEAN: "BOOLEAN",
        T.DATE: "DATE",
        T.DATETIME: "TIMESTAMP",
        T.INSTANT: "TIMESTAMP WITH TIME ZONE",
    },
    Dialect.MYSQL: {
        T.INTEGER: "bigint",
        T.TEXT: "varchar(100)",
        T.DECIMAL: "decimal(12,2)",
        T.FLOAT: "double",
        T.BOOLEAN: "tinyint(1)",
        T.DATE: "date",
        T.DATETIME: "datetime(3)",
        T.INSTANT: "timestamp(3) NULL",
    },
    Dialect.POSTGRES: {
        T.INTEGER: "bigint",
        T.TEXT: "text",
        T.DECIMAL: "numeric(12,2)",
        T.FLOAT: "double precision",
        T.BOOLEAN: "boolean",
        T.DATE: "date",
        T.DATETIME: "timestamp",
        T.INSTANT: "timestamptz",
    },
}

Columns = dict[str, ValueType]
Rows = list[tuple[Value, ...]]

CUSTOMERS: Final = 'Customer\'s "VIP" `list`'
GOODS: Final = "товары"
ORDERS: Final = "order"
LINES: Final = "order lines; DROP TABLE x --"
VISITS: Final = "visits?%s:1"
NOTES: Final = "notes"

SHAPES: Final[dict[str, Columns]] = {
    CUSTOMERS: {"id": T.INTEGER, "full name": T.TEXT, "страна": T.TEXT, "select": T.TEXT, "boss": T.INTEGER},
    GOODS: {
        "id": T.INTEGER,
        "name": T.TEXT,
        "unit price": T.DECIMAL,
        "50% off?": T.BOOLEAN,
        "back`\"tick'": T.TEXT,
    },
    ORDERS: {
        "id": T.INTEGER,
        "customer_id": T.INTEGER,
        "referrer_id": T.INTEGER,
        "order date": T.DATE,
        "shipped": T.DATETIME,
        "status": T.TEXT,
        "weight": T.FLOAT,
    },
    LINES: {
        "order_id": T.INTEGER,
        "line\\no": T.INTEGER,
        "product_id": T.INTEGER,
        "qty": T.INTEGER,
        "price": T.DECIMAL,
    },
    VISITS: {":dragoman_0_value_0": T.TEXT, "at": T.INSTANT, "%(x)s": T.INTEGER},
    NOTES: {"id": T.INTEGER, "said": T.TEXT},
}
KEYS: Final[dict[str, tuple[str, ...]]] = {
    CUSTOMERS: ("id",),
    GOODS: ("id",),
    ORDERS: ("id",),
    NOTES: ("id",),
    LINES: ("order_id", "line\\no"),
}
FOREIGN_KEYS: Final[dict[str, tuple[ForeignKey, ...]]] = {
    CUSTOMERS: (ForeignKey(("boss",), CUSTOMERS, ("id",)),),
    ORDERS: (
        ForeignKey(("customer_id",), CUSTOMERS, ("id",)),
        ForeignKey(("referrer_id",), CUSTOMERS, ("id",), declared=False),
    ),
    LINES: (ForeignKey(("order_id",), ORDERS, ("id",)), ForeignKey(("product_id",), GOODS, ("id",))),
}


def _at(*parts: int) -> dt.datetime:
    return dt.datetime(*parts)  # type: ignore[arg-type]  # noqa: DTZ001


def _utc(*parts: int) -> dt.datetime:
    return _at(*parts).replace(tzinfo=dt.UTC)


ROWS: Final[dict[str, Rows]] = {
    CUSTOMERS: [
        (1, "Anna", "France", "a", None),
        (2, "anna", "france", None, 1),
        (3, "Ёлкин 100%", "Россия", "b", 1),
        (4, 'O\'Brien; DROP TABLE "order"', "Россия", "a_b", 3),
        (5, "Zoë", None, "axb", 3),
        (6, "anna ", "Éire", "", None),
    ],
    GOODS: [
        (1, "МОЛОКО 3%", Decimal("0.10"), True, "\\"),
        (2, "молоко сухое", Decimal("0.20"), False, None),
        (3, "Tea_100", Decimal("12.35"), None, "it's"),
        (4, "teapot", Decimal("99999999.99"), True, "100%"),
        (5, "Äpfel!", None, False, "!"),
    ],
    ORDERS: [
        (1, 1, None, dt.date(2019, 12, 30), _at(2019, 12, 31, 23, 59, 59), "open", 1.5),
        (2, 1, 3, dt.date(2020, 1, 1), _at(2020, 1, 1), "closed", 2.25),
        (3, 2, 1, dt.date(2020, 1, 31), _at(2020, 2, 1, 12, 30), "open", None),
        (4, 3, 1, dt.date(2020, 2, 29), None, "Open", 0.5),
        (5, None, 4, dt.date(2020, 2, 29), _at(2020, 2, 29, 0, 0, 0), None, 4.0),
        (6, 4, None, None, _at(2020, 3, 1), "closed", 8.0),
        (7, 3, 3, dt.date(2021, 1, 3), None, "open", 0.25),
    ],
    LINES: [
        (1, 1, 1, 3, Decimal("0.10")),
        (1, 2, 2, 1, Decimal("0.20")),
        (2, 1, 1, 10, Decimal("0.10")),
        (2, 2, 3, 2, Decimal("12.30")),
        (3, 1, 4, -1, Decimal("-99999999.99")),
        (4, 1, None, 5, None),
        (4, 2, 4, 9223372036854775807, Decimal("9999999999.99")),
        (4, 3, 4, 9223372036854775807, Decimal("9999999999.99")),
        (7, 1, 2, 1, Decimal("0.07")),
    ],
    VISITS: [
        ("x", _utc(2020, 1, 1, 0, 30), 1),
        ("x", _utc(2019, 12, 31, 23, 59, 59), 2),
        ("x", _utc(2019, 12, 31, 23, 59, 59), 2),
        (None, None, None),
        ("y", _utc(2020, 6, 15, 12), -7),
    ],
    NOTES: [
        (n, said)
        for n, said in enumerate(
            [
                " 12 ",
                "-0.5",
                "+7",
                "0.10",
                "1,200",
                "5 %",
                "1e6",
                "",
                None,
                ".5",
                "5.",
                "1.2.3",
                "--1",
                "4\n",
                "1.0000000005",
                "-123456789.123456789",
                "1234567890123456789",
                "٣",
            ],
            1,
        )
    ],
}


def schema(dialect: Dialect) -> DatabaseSchema:
    tables = tuple(
        TableInfo(
            name,
            TableKind.TABLE,
            tuple(
                ColumnInfo(column, kind, NATIVE[dialect][kind].removesuffix(" COLLATE NOCASE"))
                for column, kind in columns.items()
            ),
            primary_key=KEYS.get(name, ()),
            foreign_keys=FOREIGN_KEYS.get(name, ()),
        )
        for name, columns in SHAPES.items()
    )
    return DatabaseSchema(dialect.value, dialect, tables, "shop")
