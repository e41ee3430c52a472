"""One suite over four databases: the same shop is found in each."""

import time

import msgspec
import pytest

from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    ForeignKey,
    TableInfo,
    TableKind,
    ValueType,
)
from dragoman.databases.discovery import SampleBudget, discover, shape_fingerprint
from tests.databases.discovery.conftest import FAMILY, Opener
from tests.databases.discovery.readers import DriverReader
from tests.databases.discovery.shop import HOSTILE, statements

NO_DATA = SampleBudget(seconds=0)


@pytest.fixture
def shop(opened: Opener, dialect: Dialect) -> DriverReader:
    return opened(statements(dialect))


def found_in(reader: DriverReader) -> DatabaseSchema:
    return discover(reader, FAMILY[reader.dialect])


def table_of(schema: DatabaseSchema, name: str) -> TableInfo:
    return next(table for table in schema.tables if table.name == name)


def column_of(table: TableInfo, name: str) -> ColumnInfo:
    return next(column for column in table.columns if column.name == name)


def test_the_shop_is_found_whole(shop: DriverReader, dialect: Dialect) -> None:
    schema = found_in(shop)
    ours = ("customers", "employees", "orders", "order_lines", "products", "stock", "stocks", "kinds", "busy")
    assert {table.name for table in schema.tables} == {*ours, *HOSTILE}
    assert all(table.schema == "" for table in schema.tables)
    assert schema.skipped == ()
    assert schema.dialect is dialect
    customers = table_of(schema, "customers")
    assert [column.name for column in customers.columns][:5] == ["id", "name", "email", "status", "parent_id"]
    assert customers.primary_key == ("id",)
    assert customers.unique_keys == (("email",),)
    assert customers.rows == 30
    assert column_of(customers, "id").unique
    assert column_of(customers, "email").unique
    assert not column_of(customers, "name").unique
    assert not column_of(customers, "name").nullable
    assert column_of(customers, "email").nullable


def test_types_are_alike(shop: DriverReader) -> None:
    kinds = table_of(found_in(shop), "kinds")
    assert {column.name: column.type for column in kinds.columns} == {
        "whole": ValueType.INTEGER,
        "price": ValueType.DECIMAL,
        "ratio": ValueType.FLOAT,
        "active": ValueType.BOOLEAN,
        "day": ValueType.DATE,
        "clock": ValueType.TIME,
        "made": ValueType.DATETIME,
        "seen": ValueType.INSTANT,
        "doc": ValueType.JSON,
        "uid": ValueType.UUID,
        "raw": ValueType.BYTES,
        "note": ValueType.TEXT,
    }


def test_comments(shop: DriverReader, dialect: Dialect) -> None:
    customers = table_of(found_in(shop), "customers")
    told = dialect is not Dialect.SQLITE
    assert customers.comment == ("people who buy" if told else "")
    assert column_of(customers, "name").comment == ("as they write it" if told else "")


def test_a_view_has_columns_and_no_keys(shop: DriverReader) -> None:
    busy = table_of(found_in(shop), "busy")
    assert busy.kind is TableKind.VIEW
    assert [column.name for column in busy.columns] == ["customer_id", "orders"]
    assert column_of(busy, "orders").type is ValueType.INTEGER
    assert busy.primary_key == ()
    assert busy.rows == 2


def test_declared_keys(shop: DriverReader) -> None:
    schema = found_in(shop)
    lines = table_of(schema, "order_lines")
    assert lines.foreign_keys == (ForeignKey(("shop", "number"), "orders", ("shop", "number")),)
    assert lines.unique_keys == (("shop", "number", "quantity"),)
    assert table_of(schema, "orders").primary_key == ("shop", "number")
    assert table_of(schema, "employees").foreign_keys == (ForeignKey(("boss",), "employees", ("id",)),)


def test_inferred_keys_need_one_target_and_agreeing_data(shop: DriverReader) -> None:
    schema = found_in(shop)
    # Product 99 is missing, and a stock id fits two tables.
    assert table_of(schema, "orders").foreign_keys == (
        ForeignKey(("customer_id",), "customers", ("id",), declared=False, certain=True),
    )
    assert table_of(schema, "customers").foreign_keys == (
        ForeignKey(("parent_id",), "customers", ("id",), declared=False, certain=True),
    )


def test_samples_and_secrets(shop: DriverReader) -> None:
    customers = table_of(found_in(shop), "customers")
    assert column_of(customers, "status").samples == ("open", "closed")
    assert column_of(customers, "status").distinct == 2
    assert column_of(customers, "name").distinct == 30
    assert len(column_of(customers, "name").samples) == SampleBudget().values
    assert column_of(customers, "user_password").samples == ()
    assert column_of(customers, "api_token").samples == ()
    assert b"hunter" not in msgspec.json.encode(found_in(shop))


def test_no_query_reads_a_secret_column(shop: DriverReader) -> None:
    found_in(shop)
    assert not [sql for sql in shop.queries if "user_password" in sql or "api_token" in sql]


def test_hostile_names_stay_names(shop: DriverReader) -> None:
    schema = found_in(shop)
    for number, name in enumerate(HOSTILE):
        table = table_of(schema, name)
        assert [column.name for column in table.columns] == [HOSTILE[-number], 'gro`up"']
        assert table.columns[0].samples == (f"v{number}",)
        assert table.rows == 1


def test_an_empty_database(opened: Opener) -> None:
    schema = found_in(opened([]))
    assert schema.tables == ()
    assert schema.skipped == ()
    assert len(schema.fingerprint) == 64


def test_the_fingerprint_is_the_shape(opened: Opener, dialect: Dialect) -> None:
    first = ["CREATE TABLE a (x integer)", "CREATE TABLE b (y integer PRIMARY KEY, z varchar(9))"]
    reader = opened(first)
    before = shape_fingerprint(reader, FAMILY[dialect])
    filled = opened(["INSERT INTO a VALUES (1)"])
    assert before == found_in(reader).fingerprint == shape_fingerprint(filled, FAMILY[dialect])
    widened = opened(["ALTER TABLE a ADD COLUMN w integer"])
    assert before != shape_fingerprint(widened, FAMILY[dialect])
    again = ["DROP TABLE a", "DROP TABLE b", *reversed(first)]
    assert before == shape_fingerprint(opened(again), FAMILY[dialect])


def test_long_and_odd_values_are_cut(opened: Opener) -> None:
    long = "word " * 100
    reader = opened(["CREATE TABLE t (n varchar(900))", f"INSERT INTO t VALUES ('{long}')"])
    (sample,) = table_of(found_in(reader), "t").columns[0].samples
    assert len(sample) == SampleBudget().characters
    assert sample.endswith("…")


def test_secrets_by_form_are_no_samples(opened: Opener) -> None:
    reader = opened(
        [
            "CREATE TABLE t (n varchar(90))",
            "INSERT INTO t VALUES ('ghp_16C7e42F292c6912E7710c838347Ae178B4a')",
        ]
    )
    assert table_of(found_in(reader), "t").columns[0].samples == ()


def test_many_tables_take_few_queries(opened: Opener) -> None:
    reader = opened(
        [f"CREATE TABLE t{number} (id integer PRIMARY KEY, name varchar(20))" for number in range(300)]
    )
    told: list[tuple[int, int, str]] = []
    started = time.process_time()
    schema = discover(
        reader,
        FAMILY[reader.dialect],
        samples=NO_DATA,
        progress=lambda done, total, what: told.append((done, total, what)),
    )
    assert len(schema.tables) == 300
    assert len(reader.queries) <= 8
    assert time.process_time() - started < 20
    assert told[0] == (0, 1, "the catalog")
    assert told[-1][:2] == (300, 300)
    assert all(0 <= done <= total for done, total, _ in told)


def test_many_tables_are_looked_at_together(opened: Opener) -> None:
    made = [f"CREATE TABLE t{number} (id integer PRIMARY KEY, active boolean)" for number in range(100)]
    reader = opened([*made, *(f"INSERT INTO t{number} VALUES ({number}, true)" for number in range(100))])
    schema = found_in(reader)
    assert [table.rows for table in schema.tables] == [1] * 100
    assert {column_of(table, "active").samples for table in schema.tables} == {("true",)}
    assert len(reader.queries) <= 20


def test_a_deadline_ends_the_look_at_data(shop: DriverReader) -> None:
    schema = discover(shop, FAMILY[shop.dialect], deadline=time.monotonic())
    customers = table_of(schema, "customers")
    assert column_of(customers, "status").samples == ()
    assert not [key for table in schema.tables for key in table.foreign_keys if not key.declared]
    assert schema.fingerprint == found_in(shop).fingerprint


def test_more_rows_than_are_looked_at(opened: Opener, dialect: Dialect) -> None:
    values = ", ".join(f"({number}, 'n{number % 3}')" for number in range(2_500))
    reader = opened(
        ["CREATE TABLE t (id integer PRIMARY KEY, n varchar(9))", f"INSERT INTO t VALUES {values}"]
    )
    table = table_of(found_in(reader), "t")
    assert table.rows is not None
    # Of InnoDB the catalog has an estimate, which may be somewhat off.
    assert 1_000 < table.rows < 4_000 if dialect is Dialect.MYSQL else table.rows == 2_500
    assert sorted(column_of(table, "n").samples) == ["n0", "n1", "n2"]
    assert column_of(table, "n").distinct is None


def test_a_broken_view_is_skipped_and_the_rest_goes_on(opened: Opener, dialect: Dialect) -> None:
    if dialect is Dialect.POSTGRES:
        make = ["CREATE VIEW broken AS SELECT 1 / (length(current_user::text) * 0) AS x"]
    else:
        make = [
            "CREATE TABLE gone (x integer)",
            "CREATE VIEW broken AS SELECT x FROM gone",
            "DROP TABLE gone",
        ]
    schema = found_in(opened(["CREATE TABLE good (x integer)", *make]))
    assert [table.name for table in schema.tables] == ["good"]
    assert [table.name for table in schema.skipped] == ["broken"]
    assert schema.skipped[0].reason
