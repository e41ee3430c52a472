"""What a database declares that a column may hold: enumerations, domains, and CHECKs that are lists."""

import pytest

from dragoman.contracts.schema import ColumnInfo, Dialect
from dragoman.databases.discovery import discover, shape_fingerprint
from dragoman.databases.discovery.declared_options import options_in_check
from tests.databases.discovery.conftest import FAMILY, Opener
from tests.databases.discovery.readers import mysql_reader, postgres_reader
from tests.servers import MariadbServer

ORDERS = (
    "CREATE TABLE orders (id integer PRIMARY KEY,"
    " status varchar(20) NOT NULL CHECK (status IN ('new', 'paid', 'it''s gone')),"
    " level integer CHECK (level = 1 OR level = 2 OR level IS NULL),"
    " sign integer,"
    " price integer CHECK (price > 0),"
    " size varchar(5) CHECK (lower(size) IN ('s', 'm')),"
    " kind varchar(5) CHECK (kind NOT IN ('x', 'y')),"
    " mood varchar(5) CHECK (mood = 'up' OR price = 1),"
    " note varchar(20),"
    " CONSTRAINT sign_is_one CHECK (sign IN (-1, 1) AND id > 0))"
)


def columns_of(opened: Opener, dialect: Dialect, *statements: str) -> dict[str, ColumnInfo]:
    (table,) = discover(opened(statements), FAMILY[dialect]).tables
    return {column.name: column for column in table.columns}


def test_only_a_plain_list_is_a_list(opened: Opener, dialect: Dialect) -> None:
    found = {name: column.options for name, column in columns_of(opened, dialect, ORDERS).items()}
    assert {name: options for name, options in found.items() if options} == {
        "status": ("new", "paid", "it's gone"),
        "level": ("1", "2"),
        "sign": ("-1", "1"),
    }


def test_a_value_has_to_pass_every_check(opened: Opener, dialect: Dialect) -> None:
    made = (
        "CREATE TABLE t (id integer PRIMARY KEY, c varchar(9),"
        " CHECK (c IN ('a', 'b', 'c')), CHECK (c IN ('b', 'c', 'd')))"
    )
    assert columns_of(opened, dialect, made)["c"].options == ("b", "c")


def test_options_are_part_of_the_shape(opened: Opener, dialect: Dialect) -> None:
    one = "CREATE TABLE t (c varchar(9) CHECK (c IN ('a', 'b')))"
    first = shape_fingerprint(opened([one]), FAMILY[dialect])
    again = opened(["DROP TABLE t", one.replace("'b'", "'z'")])
    assert first != shape_fingerprint(again, FAMILY[dialect])


def test_a_hostile_list_is_data(opened: Opener, dialect: Dialect) -> None:
    many = ", ".join(f"'v{number}'" for number in range(300))
    made = (
        f"CREATE TABLE t (id integer PRIMARY KEY, many varchar(9) CHECK (many IN ({many})),"
        f" long varchar(200) CHECK (long IN ('{'x' * 100}')))"
    )
    if dialect is Dialect.MYSQL:
        made = made.replace("long", "`long`")
    assert not any(column.options for column in columns_of(opened, dialect, made).values())


@pytest.mark.postgres
def test_types_that_list_their_values_on_postgres(postgres_database: str) -> None:
    made = (
        "CREATE TYPE mood AS ENUM ('sad', 'ok')",
        "CREATE DOMAIN grade AS text CHECK (VALUE IN ('A', 'B'))",
        "CREATE TABLE t (m mood, g grade, \"Kind\" text CHECK (\"Kind\" = ANY (ARRAY['x', 'y'])), kind text)",
    )
    with postgres_reader(postgres_database, made) as reader:
        (table,) = discover(reader, "postgres").tables
    assert [(each.name, each.options) for each in table.columns] == [
        ("m", ("sad", "ok")),
        ("g", ("A", "B")),
        ("Kind", ("x", "y")),
        ("kind", ()),
    ]


@pytest.mark.mariadb
def test_types_that_list_their_values_on_mariadb(
    mariadb_server: MariadbServer, mariadb_database: str
) -> None:
    made = ("CREATE TABLE t (e enum('new','it''s') NOT NULL, s set('a','b'), j json)",)
    with mysql_reader(mariadb_server.url_of(mariadb_database), made) as reader:
        (table,) = discover(reader, "mysql").tables
    # What a set holds is any combination of its words: none of them is its value.
    assert [each.options for each in table.columns] == [("new", "it's"), (), ()]
    assert table.columns[2].type == "json"


@pytest.mark.parametrize(
    ("text", "dialect", "found"),
    [
        # As MySQL 8 writes it down.
        (r"(`status` in (_utf8mb4\'new\',_utf8mb4\'paid\'))", Dialect.MYSQL, [("status", ("new", "paid"))]),
        ("a IN (SELECT 1)", Dialect.SQLITE, []),
        ("a IN (b, 'x')", Dialect.SQLITE, []),
        ("a = 'x' OR b = 'y'", Dialect.SQLITE, []),
        ("NOT a IN ('x')", Dialect.SQLITE, []),
        ("a IS NULL", Dialect.SQLITE, []),
        ("this is ( not SQL", Dialect.SQLITE, []),
        ("(" * 3_000, Dialect.POSTGRES, []),
    ],
)
def test_expressions(text: str, dialect: Dialect, found: list[tuple[str, tuple[str, ...]]]) -> None:
    assert list(options_in_check(text, dialect)) == found
