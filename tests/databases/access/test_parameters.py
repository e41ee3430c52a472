"""Values bound in each family: hostile text stays text, every kind compares, the rest is refused."""

import datetime as dt
import math
import uuid
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.contracts.errors import AccessError, ParameterRefused
from dragoman.contracts.query import Query, Value
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.placeholders import numbered, pieces
from dragoman.databases.families.mysql.literals import literal
from dragoman.databases.families.sqlite.values import bound
from tests.databases.access.sources import Source

HOSTILE = [
    "' OR 1=1 --",
    "'; DROP TABLE t; --",
    "\\",
    "\\'; DROP TABLE t; --",
    '"',
    "`",
    "?",
    "%s %d %",
    "$1",
    ":name",
    "/* */ -- #",
    "\x1a\b\n\r\t",
    "\u2028\ufeff\u202e",
    "😀" * 10,
    "é vs e\u0301",
    "",
    " ",
    "NULL",
    "{1,2}",
    "\\x00ff",
]


def test_hostile_text_comes_back_as_it_went(source: Source) -> None:
    """Also in one query, so that one value cannot reach into the next."""
    source.run("CREATE TABLE t (id int)")
    sql = f"SELECT {', '.join('?' for _ in HOSTILE)}"
    with source.reader() as reader:
        assert reader.read(Query(sql, tuple(HOSTILE))).rows == [tuple(HOSTILE)]
        for text in HOSTILE:
            assert reader.read(
                Query("SELECT 1 WHERE ? = ? AND ? <> ?", (text, text, text, text + "x"))
            ).rows == [(1,)], text
        assert reader.read(Query("SELECT count(*) FROM t")).rows == [(0,)]


def test_any_text_comes_back(source: Source) -> None:
    # PostgreSQL has no NUL in text.
    texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=50)
    with source.reader() as reader:

        @settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
        @given(st.lists(texts, min_size=1, max_size=4))
        def check(values: list[str]) -> None:
            sql = "SELECT " + ", ".join("?" for _ in values)
            assert reader.read(Query(sql, tuple(values))).rows == [tuple(values)]

        check()


@pytest.mark.parametrize("dialect", [Dialect.SQLITE, Dialect.DUCKDB, Dialect.MYSQL, Dialect.POSTGRES])
def test_nul_is_text_where_the_database_has_it(dialect: Dialect, request: pytest.FixtureRequest) -> None:
    if dialect is Dialect.POSTGRES:
        request.getfixturevalue("postgres_server")
    fixture = {Dialect.MYSQL: "mariadb_data"}.get(dialect, f"{dialect.value}_data")
    source: Source = request.getfixturevalue(fixture)
    if dialect is Dialect.POSTGRES:
        with pytest.raises(ParameterRefused):
            source.read("SELECT ?", "a\0b")
    else:
        assert source.read("SELECT ?", "a\0b").rows == [("a\0b",)]


VALUES: list[Value] = [
    True,
    0,
    -5,
    2**53 + 1,
    2**63 - 1,
    -(2**63),
    1.5,
    -0.1,
    1e300,
    5e-324,
    Decimal("1.10"),
    Decimal("-12345678901234567890.123"),
    Decimal("1E+5"),
    "text",
    b"\x00'\xff\\",
    b"",
    dt.date(1, 1, 1),
    dt.date(9999, 12, 31),
    dt.time(0, 0),
    dt.time(23, 59, 59, 999_999),
    dt.datetime.fromisoformat("1999-12-31 23:59:59.999999"),
    dt.datetime(2020, 6, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=-7))),
    dt.timedelta(hours=100, microseconds=1),
    -dt.timedelta(minutes=5),
    uuid.UUID(int=2**127),
]


def test_every_kind_of_value_binds(source: Source) -> None:
    refused = {}
    with source.reader() as reader:
        for value in VALUES:
            try:
                rows = reader.read(Query("SELECT ? = ?, ? IS NULL", (value, value, value))).rows
            except AccessError as error:
                refused[repr(value)] = error.message
            else:
                assert rows == [(True, False)], value
    assert refused == {}


def test_nothing_is_null(source: Source) -> None:
    assert source.read("SELECT 1 WHERE ? IS NULL", None).rows == [(1,)]


def test_decimals_compare_as_numbers(source: Source) -> None:
    """In columns and in expressions alike, whatever their scale."""
    source.run("CREATE TABLE t (a decimal(10,2)); INSERT INTO t VALUES (1.1), (10), (9.99), (NULL)")
    with source.reader() as reader:

        def count(condition: str, value: Value) -> Value:
            return reader.read(Query(f"SELECT count(*) FROM t WHERE {condition}", (value,))).rows[0][0]

        assert count("a = ?", Decimal("1.10")) == 1
        assert count("a = ?", Decimal("1.1000")) == 1
        assert count("a > ?", Decimal("9.985")) == 2
        assert count("a * 2 > ?", Decimal("19.98")) == 1
        assert count("a * 2 >= ?", Decimal("20.00")) == 1
        assert count("a < ?", Decimal("1E+1")) == 2
        assert count("a = ?", 10) == 1
        assert count("a = ?", 9.99) == 1


@pytest.mark.parametrize(
    ("dialect", "value"),
    [
        (Dialect.SQLITE, math.nan),
        (Dialect.SQLITE, Decimal("NaN")),
        (Dialect.SQLITE, 10**400),
        (Dialect.SQLITE, Decimal("sNaN")),
        (Dialect.MYSQL, math.nan),
        (Dialect.MYSQL, -math.inf),
        (Dialect.MYSQL, Decimal("Infinity")),
        (Dialect.MYSQL, dt.timedelta(hours=839)),
    ],
)
def test_what_a_database_has_no_form_for_is_refused(dialect: Dialect, value: Value) -> None:
    with pytest.raises(ParameterRefused):
        bound(value) if dialect is Dialect.SQLITE else literal(value)


@pytest.mark.parametrize(
    "value",
    [2**20_000, Decimal("1E+999999999"), Decimal("1E-999999"), Decimal("1" * 2000)],
    ids=["integer", "large", "small", "long"],
)
def test_what_is_too_long_for_any_database_is_refused(sqlite_data: Source, value: Value) -> None:
    with pytest.raises(ParameterRefused):
        sqlite_data.read("SELECT ?", value)


def test_half_a_character_is_refused(source: Source) -> None:
    with pytest.raises(ParameterRefused):
        source.read("SELECT ?", "\ud800")
    with pytest.raises(ParameterRefused):
        source.read("SELECT '\udfff'")


@pytest.mark.parametrize(("marks", "values"), [("?", ()), ("? ?", (1,)), ("'?'", (1,)), ("?", (1, 2))])
def test_values_and_places_are_counted(source: Source, marks: str, values: tuple[int, ...]) -> None:
    with pytest.raises(AccessError):
        source.read(f"SELECT {marks}", *values)


@pytest.mark.parametrize(
    ("dialect", "sql", "places"),
    [
        (Dialect.POSTGRES, "SELECT ?, '?', \"?\", $$?$$, $a$ ? $b$ ? $a$, E'\\'?', ? -- ?\n, ?", 3),
        (Dialect.POSTGRES, "SELECT ? /* ? /* ? */ ? */ + ?", 2),
        (Dialect.POSTGRES, "SELECT a$b$?, c$b$?", 2),
        (Dialect.POSTGRES, "SELECT '\\', ?", 1),
        (Dialect.DUCKDB, "SELECT ? /* ? /* ? */ ? */ + ?, $$?$$, '?'", 2),
        (Dialect.MYSQL, "SELECT ?, '?', \"?\", `?`, '\\'?', '''?', \"\\\"?\" # ?\n, ? -- ?\n, ?--?", 4),
        (Dialect.MYSQL, "SELECT ? /* ? */", 1),
        (Dialect.SQLITE, "SELECT ?, '?', \"?\", `?`, [?], '\\', ? -- ?\n, ? /* ?", 3),
    ],
)
def test_places_are_found_as_the_server_reads(dialect: Dialect, sql: str, places: int) -> None:
    query = Query(sql, (None,) * places)
    assert "?".join(pieces(query, dialect)) == sql
    assert numbered(query, dialect).count("$") >= places
    for other in (places - 1, places + 1):
        if other:
            with pytest.raises(ParameterRefused):
                pieces(Query(sql, (None,) * other), dialect)


@given(st.text("?'\"`\\-/*#$a \n[]eE", max_size=60), st.sampled_from(list(Dialect)))
def test_any_text_is_cut_and_joined(sql: str, dialect: Dialect) -> None:
    for count in range(1, sql.count("?") + 1):
        try:
            found = pieces(Query(sql, (None,) * count), dialect)
        except ParameterRefused:
            continue
        assert "?".join(found) == sql
