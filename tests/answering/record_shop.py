"""A small schema for programs in words: names in every style, two ways to one table, several dates."""

from typing import Final

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

_SHAPES: Final[dict[str, dict[str, ValueType]]] = {
    "customers": {"id": T.INTEGER, "name": T.TEXT, "country": T.TEXT, "vip": T.BOOLEAN},
    "orders": {
        "id": T.INTEGER,
        "customer_id": T.INTEGER,
        "status": T.TEXT,
        "total": T.DECIMAL,
        "order_date": T.DATE,
        "shipped_at": T.DATETIME,
    },
    "order_lines": {
        "id": T.INTEGER,
        "order_id": T.INTEGER,
        "product_id": T.INTEGER,
        "unit_price": T.DECIMAL,
        "quantity": T.INTEGER,
        "discount": T.DECIMAL,
    },
    "products": {"id": T.INTEGER, "name": T.TEXT, "price": T.DECIMAL, "price_text": T.TEXT},
    "Invoice": {
        "InvoiceId": T.INTEGER,
        "BillingCountry": T.TEXT,
        "VATNumber": T.TEXT,
        "Total": T.DECIMAL,
        "InvoiceDate": T.DATE,
        "BuyerId": T.INTEGER,
        "SellerId": T.INTEGER,
    },
    "Person": {"PersonId": T.INTEGER, "FirstName": T.TEXT, "HireDate": T.DATE, "ReportsTo": T.INTEGER},
}
_KEYS: Final = {
    "orders": (ForeignKey(("customer_id",), "customers", ("id",)),),
    "order_lines": (
        ForeignKey(("order_id",), "orders", ("id",)),
        ForeignKey(("product_id",), "products", ("id",)),
    ),
    "Invoice": (
        ForeignKey(("BuyerId",), "Person", ("PersonId",)),
        ForeignKey(("SellerId",), "Person", ("PersonId",)),
    ),
    "Person": (ForeignKey(("ReportsTo",), "Person", ("PersonId",)),),
}


def schema() -> DatabaseSchema:
    tables = tuple(
        TableInfo(
            name,
            TableKind.TABLE,
            tuple(ColumnInfo(column, kind, kind.value) for column, kind in columns.items()),
            primary_key=(next(iter(columns)),),
            foreign_keys=_KEYS.get(name, ()),
        )
        for name, columns in _SHAPES.items()
    )
    return DatabaseSchema("sqlite", Dialect.SQLITE, tables, "record-shop")
