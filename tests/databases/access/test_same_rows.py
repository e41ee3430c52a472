"""The same rows from each family: one table, declared in each dialect, read as the same Python values."""

import datetime as dt
import math
import re
import uuid
from decimal import Decimal

import pytest

from dragoman.contracts.query import Query, Value
from dragoman.contracts.schema import Dialect, ValueType
from tests.databases.access.sources import Source

PG, MY, LITE, DUCK = Dialect.POSTGRES, Dialect.MYSQL, Dialect.SQLITE, Dialect.DUCKDB
ASTRAL = "naïve – «Ёж» 한국어 😀𝒳"

# What is declared in each dialect, what is written there, and what is read from all.
SAME: list[tuple[str, ValueType, dict[Dialect, str], str, Value]] = [
    ("whole", ValueType.INTEGER, {PG: "integer", MY: "int", LITE: "INTEGER", DUCK: "INTEGER"}, "-7", -7),
    (
        "largest",
        ValueType.INTEGER,
        {PG: "bigint", MY: "bigint", LITE: "BIGINT", DUCK: "BIGINT"},
        "9223372036854775807",
        2**63 - 1,
    ),
    (
        "smallest",
        ValueType.INTEGER,
        {PG: "bigint", MY: "bigint", LITE: "BIGINT", DUCK: "BIGINT"},
        "-9223372036854775807",
        -(2**63) + 1,
    ),
    (
        "price",
        ValueType.DECIMAL,
        {PG: "numeric(10,2)", MY: "decimal(10,2)", LITE: "DECIMAL(10,2)", DUCK: "DECIMAL(10,2)"},
        "1.10",
        Decimal("1.10"),
    ),
    (
        "exact",
        ValueType.DECIMAL,
        {PG: "numeric(20,6)", MY: "decimal(20,6)", LITE: "DECIMAL(20,6)", DUCK: "DECIMAL(20,6)"},
        "-12345678.000001",
        Decimal("-12345678.000001"),
    ),
    (
        "real",
        ValueType.FLOAT,
        {PG: "double precision", MY: "double", LITE: "DOUBLE", DUCK: "DOUBLE"},
        "0.1",
        0.1,
    ),
    ("single", ValueType.FLOAT, {PG: "real", MY: "float", LITE: "FLOAT", DUCK: "FLOAT"}, "0.1", 0.1),
    (
        "yes",
        ValueType.BOOLEAN,
        {PG: "boolean", MY: "boolean", LITE: "BOOLEAN", DUCK: "BOOLEAN"},
        "true",
        True,
    ),
    (
        "no",
        ValueType.BOOLEAN,
        {PG: "boolean", MY: "boolean", LITE: "BOOLEAN", DUCK: "BOOLEAN"},
        "false",
        False,
    ),
    (
        "day",
        ValueType.DATE,
        {PG: "date", MY: "date", LITE: "DATE", DUCK: "DATE"},
        "'2020-02-29'",
        dt.date(2020, 2, 29),
    ),
    (
        "clock",
        ValueType.TIME,
        {PG: "time", MY: "time(6)", LITE: "TIME", DUCK: "TIME"},
        "'23:59:59.000001'",
        dt.time(23, 59, 59, 1),
    ),
    (
        "moment",
        ValueType.DATETIME,
        {PG: "timestamp", MY: "datetime(6)", LITE: "DATETIME", DUCK: "TIMESTAMP"},
        "'2020-01-02 03:04:05.6'",
        dt.datetime.fromisoformat("2020-01-02 03:04:05.600000"),
    ),
    (
        "zoned",
        ValueType.INSTANT,
        {PG: "timestamptz", MY: "timestamp(6)", LITE: "TIMESTAMPTZ", DUCK: "TIMESTAMPTZ"},
        "'2020-01-02 03:04:05.000006+05:30'",
        dt.datetime(2020, 1, 1, 21, 34, 5, 6, dt.UTC),
    ),
    (
        "text",
        ValueType.TEXT,
        {PG: "text", MY: "varchar(100)", LITE: "TEXT", DUCK: "VARCHAR"},
        f"'{ASTRAL} it''s'",
        f"{ASTRAL} it's",
    ),
    ("nothing_in_it", ValueType.TEXT, {PG: "text", MY: "text", LITE: "TEXT", DUCK: "VARCHAR"}, "''", ""),
    (
        "document",
        ValueType.JSON,
        {PG: "json", MY: "json", LITE: "JSON", DUCK: "JSON"},
        '\'{"b": 1.10,  "a": [null, "é"]}\'',
        '{"b": 1.10,  "a": [null, "é"]}',
    ),
    (
        "name",
        ValueType.UUID,
        {PG: "uuid", MY: "uuid", LITE: "UUID", DUCK: "UUID"},
        "'0f8fad5b-d9cb-469f-a165-70867728950e'",
        uuid.UUID("0f8fad5b-d9cb-469f-a165-70867728950e"),
    ),
    ("raw", ValueType.BYTES, {PG: "bytea", MY: "blob", LITE: "BLOB", DUCK: "BLOB"}, "RAW", b"\x00\xff\x10"),
]
RAW = {PG: r"'\x00ff10'", MY: "x'00ff10'", LITE: "x'00ff10'", DUCK: r"'\x00\xFF\x10'::BLOB"}
# SQLite compares text: a moment is found where it is written as it is bound.
TOLD = {
    "'2020-01-02 03:04:05.6'": "'2020-01-02 03:04:05.600000'",
    "'2020-01-02 03:04:05.000006+05:30'": "'2020-01-01 21:34:05.000006+00:00'",
}
QUOTE = {PG: '"', MY: "`", LITE: '"', DUCK: '"'}


def written(dialect: Dialect, text: str) -> str:
    if text == "RAW":
        return RAW[dialect]
    if dialect is LITE and text in TOLD:
        return TOLD[text]
    if dialect is MY and text.endswith("+05:30'"):
        # MariaDB takes no offset in a literal; its TIMESTAMP is written in the session's zone, here UTC.
        return "'2020-01-01 21:34:05.000006'"
    return text


def make(source: Source) -> None:
    q = QUOTE[source.dialect]
    declared = ", ".join(f"{q}{name}{q} {types[source.dialect]} NULL" for name, _, types, _, _ in SAME)
    values = ", ".join(written(source.dialect, text) for *_, text, _ in SAME)
    nothing = ", ".join("NULL" for _ in SAME)
    source.run(f"CREATE TABLE t (id int, {declared});")
    source.run(f"INSERT INTO t VALUES (1, {values}); INSERT INTO t VALUES (2, {nothing});")


@pytest.mark.parametrize("user_sql", [False, True])
def test_the_same_rows_from_each(source: Source, user_sql: bool) -> None:
    make(source)
    result = source.read("SELECT * FROM t ORDER BY id", user_sql=user_sql)
    expected = [value for *_, value in SAME]
    assert [column.name for column in result.columns] == ["id", *(name for name, *_ in SAME)]
    assert list(result.rows[0][1:]) == expected
    assert [type(value) for value in result.rows[0][1:]] == [type(value) for value in expected]
    assert list(result.rows[1][1:]) == [None] * len(SAME)
    assert [column.type for column in result.columns[1:]] == [held for _, held, *_ in SAME]
    assert all(column.native for column in result.columns)
    assert not result.truncated
    # Equal decimals may differ in their scale.
    assert [str(value) for value in result.rows[0] if isinstance(value, Decimal)] == [
        "1.10",
        "-12345678.000001",
    ]


# A single float has no equal double, and JSON is compared as JSON, not as text.
COMPARED = [(name, value) for name, *_, value in SAME if name not in ("single", "document")]


def test_every_value_finds_its_own_row(source: Source) -> None:
    """What was read, bound again, equals the column it came from, and nothing else does."""
    make(source)
    q = QUOTE[source.dialect]
    found = {}
    with source.reader() as reader:
        for name, value in COMPARED:
            column = f"{q}{name}{q}"
            sql = f"SELECT count(*), max({column} <> ?), max({column} >= ?) FROM t WHERE {column} = ?"
            sql = sql.replace("max(", "bool_or(") if source.dialect is PG else sql
            found[name] = reader.read(Query(sql, (value, value, value))).rows
    assert found == {name: [(1, False, True)] for name, _ in COMPARED}


def test_no_rows_still_have_columns(source: Source) -> None:
    make(source)
    result = source.read("SELECT price, day FROM t WHERE id = 0")
    assert result.rows == []
    assert [column.type for column in result.columns] == [ValueType.DECIMAL, ValueType.DATE]


def test_columns_of_one_name_are_all_kept(source: Source) -> None:
    result = source.read("SELECT 1 AS a, 'x' AS a, 3 AS b", user_sql=True)
    assert result.rows == [(1, "x", 3)]
    assert len(result.columns) == 3


def test_order_is_kept(source: Source) -> None:
    make(source)
    source.run("".join(f"INSERT INTO t (id, day) VALUES ({n}, '2020-01-{n:02}');" for n in range(3, 29)))
    rows = source.read("SELECT id, day FROM t WHERE id > 2 ORDER BY day DESC").rows
    assert [row[0] for row in rows] == list(range(28, 2, -1))


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("'infinity'::date", "infinity"),
        ("'-infinity'::timestamptz", "-infinity"),
        ("'0044-03-15 BC'::date", "0044-03-15 BC"),
        ("'20000-01-01'::date", "20000-01-01"),
        ("'24:00'::time", "24:00:00"),
        ("'01:02:03+05:30'::timetz", dt.time(1, 2, 3, tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=30)))),
        ("'NaN'::numeric", Decimal("NaN")),
        ("'Infinity'::numeric", Decimal("Infinity")),
        ("'-Infinity'::float8", -math.inf),
        ("12345678901234567890123456789.5::numeric", Decimal("12345678901234567890123456789.5")),
        ("(-1234.5)::numeric::money", Decimal("-1234.50")),
        ("B'00101'", "00101"),
        ("interval '2 days 03:00:00.5'", dt.timedelta(days=2, hours=3, milliseconds=500)),
        ("interval '1 year 2 mons -3 days'", "P1Y2M-3D"),
        ("interval '-01:30'", dt.timedelta(minutes=-90)),
        ("ARRAY[[1,2],[NULL,4]]", "[[1,2],[null,4]]"),
        ("ARRAY[1.10, 2]::numeric[]", "[1.10,2]"),
        ("ARRAY['a,b', 'c\"d', 'NULL', NULL, '', 'x\\y']", '["a,b","c\\"d","NULL",null,"","x\\\\y"]'),
        ("ARRAY[true, false]", "[true,false]"),
        ("ARRAY['{\"a\": [1, 2]}'::json]", '[{"a": [1, 2]}]'),
        ("'{}'::int[]", "[]"),
        ("'[0:1]={5,6}'::int[]", "[5,6]"),
        ("'10.0.0.1'::inet", "10.0.0.1"),
        ("int4range(1, 5)", "[1,5)"),
        ('\'{"b": 1,  "a": 2}\'::json', '{"b": 1,  "a": 2}'),
    ],
)
def test_what_only_postgres_has(postgres_data: Source, expression: str, value: Value) -> None:
    (read,) = postgres_data.read(f"SELECT {expression}").rows[0]
    assert repr(read) == repr(value)


def test_an_enum_and_an_array_of_them(postgres_data: Source) -> None:
    postgres_data.run("CREATE TYPE mood AS ENUM ('sad', 'so, so')")
    result = postgres_data.read("SELECT 'sad'::mood, ARRAY['so, so', 'sad']::mood[], NULL::mood[]")
    assert result.rows == [("sad", '["so, so","sad"]', None)]
    assert [(column.type, column.native) for column in result.columns] == [
        (ValueType.TEXT, "mood"),
        (ValueType.JSON, "mood[]"),
        (ValueType.JSON, "mood[]"),
    ]


@pytest.mark.parametrize(
    ("declared", "written_as", "value"),
    [
        ("date", "'0000-00-00'", "0000-00-00"),
        ("datetime", "'0000-00-00 00:00:00'", "0000-00-00 00:00:00"),
        ("date", "'2020-02-00'", "2020-02-00"),
        ("time", "'838:59:59'", dt.timedelta(hours=838, minutes=59, seconds=59)),
        ("time(3)", "'-01:30:00.250'", -dt.timedelta(hours=1, minutes=30, milliseconds=250)),
        ("tinyint(1)", "2", 2),
        ("tinyint(1)", "1", True),
        ("tinyint(1) unsigned", "1", 1),
        ("tinyint", "1", 1),
        ("tinyint(2)", "1", 1),
        ("bigint unsigned", "18446744073709551615", 2**64 - 1),
        ("decimal(65,0)", "9" * 65, Decimal("9" * 65)),
        ("bit(5)", "b'00101'", "00101"),
        ("bit(1)", "b'1'", "1"),
        ("year", "2020", 2020),
        ("enum('a','b')", "'b'", "b"),
        ("set('x','y')", "'x,y'", "x,y"),
        ("binary(3)", "'a'", b"a\0\0"),
        ("varchar(9)", "'a\\0b'", "a\0b"),
        ("longtext", "'x'", "x"),
        ("inet6", "'::1'", "::1"),
        ("char(36)", "'0f8fad5b-d9cb-469f-a165-70867728950e'", "0f8fad5b-d9cb-469f-a165-70867728950e"),
    ],
)
def test_what_only_mariadb_has(mariadb_data: Source, declared: str, written_as: str, value: Value) -> None:
    mariadb_data.run(f"CREATE TABLE t (a {declared}); INSERT INTO t VALUES ({written_as})")
    result = mariadb_data.read("SELECT a FROM t")
    assert [repr(cell) for cell in result.rows[0]] == [repr(value)]
    # The words of an enum and the widths of numbers are not told with a result.
    told = result.columns[0].native
    assert re.match(r"\w+", told)[0] == re.match(r"\w+", declared)[0]  # type: ignore[index]
    assert told.endswith("unsigned") is declared.endswith("unsigned")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("'infinity'::DATE", "infinity"),
        ("DATE '9999-12-31'", dt.date(9999, 12, 31)),
        ("TIMESTAMPTZ '2020-01-01 00:00:00+02'", dt.datetime(2019, 12, 31, 22, tzinfo=dt.UTC)),
        ("TIMESTAMP_NS '2020-01-01 00:00:00.123456789'", "2020-01-01 00:00:00.123456789"),
        (
            "TIMESTAMP_NS '2020-01-01 00:00:00.123456'",
            dt.datetime.fromisoformat("2020-01-01 00:00:00.123456"),
        ),
        ("INTERVAL '36 hours'", dt.timedelta(hours=36)),
        ("INTERVAL '1 month 2 days'", "P1M2D"),
        ("-INTERVAL '3 days 04:05:06.789'", -dt.timedelta(days=3, hours=4, minutes=5, seconds=6.789)),
        ("170141183460469231731687303715884105727::HUGEINT", 2**127 - 1),
        ("'NaN'::DOUBLE", math.nan),
        ("'101'::BIT", "101"),
        ("[1, NULL]", "[1,null]"),
        ("{'a': DATE '2020-01-01', 'b': [true]}", '{"a":"2020-01-01","b":[true]}'),
        ("MAP {'k': 1}", '{"k":1}'),
        ("'a'::ENUM('a', 'b')", "a"),
        ("chr(0) || 'x'", "\0x"),
        ("1.10::DECIMAL(38, 20)", Decimal("1.10000000000000000000")),
    ],
)
def test_what_only_duckdb_has(duckdb_data: Source, expression: str, value: Value) -> None:
    (read,) = duckdb_data.read(f"SELECT {expression}").rows[0]
    assert repr(read) == repr(value)


@pytest.mark.parametrize(
    ("declared", "written_as", "value"),
    [
        ("DATE", "'31.12.2020'", "31.12.2020"),
        ("DATE", "20201231", 20201231),
        ("BOOLEAN", "2", 2),
        ("BOOLEAN", "'yes'", "yes"),
        ("INTEGER", "'many'", "many"),
        ("DECIMAL(10,2)", "'n/a'", "n/a"),
        ("DECIMAL(10,2)", "1.005", Decimal("1.005")),
        ("DECIMAL(10,2)", "5", Decimal("5.00")),
        ("NUMERIC", "5", Decimal(5)),
        ("TIMESTAMPTZ", "'2020-01-01 00:00:00'", "2020-01-01 00:00:00"),
        (
            "TIMESTAMPTZ",
            "'2020-01-01 02:00:00.5+05:30'",
            dt.datetime(2019, 12, 31, 20, 30, 0, 500_000, dt.UTC),
        ),
        ("TIMESTAMPTZ", "'2020-01-01T00:00:00Z'", dt.datetime(2020, 1, 1, tzinfo=dt.UTC)),
        ("DATETIME", "'2020-01-01T01:02'", dt.datetime.fromisoformat("2020-01-01 01:02")),
        ("UUID", "x'00000000000000000000000000000005'", uuid.UUID(int=5)),
        ("UUID", "'no'", "no"),
        ("TEXT", "5", "5"),
        ("", "5", 5),
        ("REAL", "9e999", math.inf),
        ("TEXT", "CAST(x'ff' AS TEXT)", b"\xff"),
        ("TEXT", "'a' || char(0) || 'b'", "a\0b"),
    ],
)
def test_sqlite_gives_what_does_not_fit_as_it_is(
    sqlite_data: Source, declared: str, written_as: str, value: Value
) -> None:
    sqlite_data.run(f"CREATE TABLE t (a {declared}); INSERT INTO t VALUES ({written_as})")
    assert repr(sqlite_data.read("SELECT a FROM t").rows[0][0]) == repr(value)


def test_sqlite_knows_declared_types_through_subqueries_and_parameters(sqlite_data: Source) -> None:
    sqlite_data.run("CREATE TABLE t (day DATE, n INT); INSERT INTO t VALUES ('2020-01-02', 5)")
    sql = "WITH x AS (SELECT day AS d, n FROM t WHERE n = ?) SELECT d, n + ? AS m, '?' FROM x -- ?"
    result = sqlite_data.read(sql, 5, 1)
    assert result.rows == [(dt.date(2020, 1, 2), 6, "?")]
    assert [column.type for column in result.columns] == [ValueType.DATE, ValueType.INTEGER, ValueType.TEXT]


def test_sqlite_reads_its_virtual_tables(sqlite_data: Source) -> None:
    sqlite_data.run(
        "CREATE VIRTUAL TABLE words USING fts5(w); INSERT INTO words VALUES ('hello world');"
        "CREATE VIRTUAL TABLE boxes USING rtree(id, a, b); INSERT INTO boxes VALUES (1, 2, 3);"
    )
    assert sqlite_data.read("SELECT w FROM words WHERE words MATCH 'world'", user_sql=True).rows == [
        ("hello world",)
    ]
    assert sqlite_data.read("SELECT id FROM boxes WHERE a > 1", user_sql=True).rows == [(1,)]
    assert sqlite_data.read("SELECT value FROM json_each('[7]')", user_sql=True).rows == [(7,)]
