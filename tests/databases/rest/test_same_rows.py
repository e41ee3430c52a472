"""Over REST and over SQL: the same rows of the same types, wherever the question can be asked over REST."""

import datetime as dt
import decimal
import uuid

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.contracts.errors import (
    AccessError,
    ParameterRefused,
    QueryFailed,
    ReadOnlyViolation,
    RestCannot,
)
from dragoman.contracts.query import Query, ReadLimits, Value
from tests.databases.rest.conftest import Project

DECIMAL = decimal.Decimal

QUERIES: list[tuple[str, tuple[Value, ...]]] = [
    ("SELECT * FROM kinds ORDER BY id", ()),
    ("SELECT k.* FROM kinds AS k ORDER BY k.id LIMIT 1", ()),
    ("SELECT id, id, note AS id FROM kinds ORDER BY 1", ()),
    ('SELECT K.ID AS "Id" FROM Kinds AS K ORDER BY "Id" DESC', ()),
    ("SELECT id FROM public.kinds WHERE NOT (small = 7 OR id > 4) ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE small <> 7 AND (id < 3 OR NOT note = 'x') ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE 2 < id AND 5 >= id ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE id IN (1, 2, 99) ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE id NOT IN (1, 2) ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE note IN ('') ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE note IN ('', 'a*b', 'x,\"y\"\\') ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE note IS NULL ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE note IS NOT NULL ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE flag ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE NOT flag ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE flag IS TRUE ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE flag IS NOT TRUE ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE flag IS UNKNOWN ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE flag = ? ORDER BY id", (False,)),
    ("SELECT id FROM kinds WHERE id BETWEEN ? AND ? ORDER BY id", (2, 4)),
    ("SELECT id FROM kinds WHERE id NOT BETWEEN 2 AND 4 ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE note LIKE 'a%b' ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE note LIKE 'a\\%b' ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE note LIKE 'a*b' ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE note ILIKE 'a*b' ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE note LIKE '%*' ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE note LIKE '_\\*_' ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE note NOT LIKE 'a%' ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE NOT note LIKE '%*%' ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE NOT ((small = 7) IS TRUE) ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE (small = 7) IS FALSE ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE NOT ((note IS NULL OR small IN (7, 8)) IS TRUE) ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE NOT ((note IS NULL AND NOT small > 7) IS FALSE) ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE (NOT (flag OR small = 7)) IS NOT TRUE ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE (note LIKE 'a%' OR price BETWEEN 0 AND 1) IS NOT FALSE ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE 1 = 0", ()),
    ("SELECT id FROM kinds WHERE 1 = 1 AND NOT 1 = 0 ORDER BY id", ()),
    ("SELECT id, small FROM kinds ORDER BY small, id", ()),
    ("SELECT id, small FROM kinds ORDER BY small DESC, id DESC", ()),
    ("SELECT id, small FROM kinds ORDER BY small ASC NULLS FIRST, id", ()),
    ("SELECT id, small FROM kinds ORDER BY small DESC NULLS LAST, id", ()),
    ("SELECT id FROM kinds ORDER BY id LIMIT 2 OFFSET 3", ()),
    ("SELECT id FROM kinds ORDER BY id LIMIT ? OFFSET ?", (2, 100)),
    ("SELECT id FROM kinds LIMIT 0", ()),
    ("SELECT count(*) FROM kinds", ()),
    ("SELECT count(*) AS n FROM kinds WHERE small = 7", ()),
    (
        'SELECT "q"."v" AS "c1" FROM (SELECT COUNT(*) AS "v" FROM "kinds" AS "t0"'
        ' WHERE "t0"."small" = ?) AS "q"',
        (7,),
    ),
    (
        'SELECT "q"."v" AS "c2", "q"."g" AS "c1" FROM (SELECT "t0"."small" AS "g", SUM("t0"."id") AS "v"'
        ' FROM "kinds" AS "t0" GROUP BY "t0"."small") AS "q" ORDER BY "q"."g" DESC NULLS LAST LIMIT 2',
        (),
    ),
    ("SELECT count(*) FROM kinds LIMIT 0", ()),
    ("SELECT count(*) FROM kinds OFFSET 1", ()),
    ("SELECT id FROM dear", ()),
    ("SELECT id FROM kinds WHERE price = ? ORDER BY id", (DECIMAL("1.1"),)),
    ("SELECT id FROM kinds WHERE price > 1 ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE free = ? ORDER BY id", (DECIMAL("12345678901234567890.1234567890"),)),
    ("SELECT id FROM kinds WHERE free = ? ORDER BY id", (DECIMAL("NaN"),)),
    ("SELECT id FROM kinds WHERE ratio = ? ORDER BY id", (0.1,)),
    ("SELECT id FROM kinds WHERE ratio = 0.1 ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE thin < 0.5 ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE large = ? ORDER BY id", (9223372036854775807,)),
    ("SELECT id FROM kinds WHERE id = ? ORDER BY id", (DECIMAL("2.0"),)),
    ("SELECT id FROM kinds WHERE day = ? ORDER BY id", (dt.date(2020, 2, 29),)),
    ("SELECT id FROM kinds WHERE day >= DATE '2020-01-01' ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE day = CAST(? AS DATE) ORDER BY id", ("2020-02-29",)),
    (
        "SELECT id FROM kinds WHERE made = ? ORDER BY id",
        (dt.datetime.fromisoformat("2020-03-31 10:00:00.000001"),),
    ),
    ("SELECT id FROM kinds WHERE made > ? ORDER BY id", (dt.date(2020, 3, 31),)),
    ("SELECT id FROM kinds WHERE made > ? ORDER BY id", (dt.datetime(2020, 3, 31, 9, tzinfo=dt.UTC),)),
    ("SELECT id FROM kinds WHERE seen = ? ORDER BY id", (dt.datetime(2020, 3, 31, 8, tzinfo=dt.UTC),)),
    ("SELECT id FROM kinds WHERE seen = ? ORDER BY id", ("2020-03-31 08:00:00",)),
    ("SELECT id FROM kinds WHERE seen > ? ORDER BY id", (dt.date(2020, 3, 31),)),
    ("SELECT id FROM kinds WHERE seen > '2020-03-31' ORDER BY id", ()),
    ("SELECT id FROM kinds WHERE clock = ? ORDER BY id", (dt.time(10, 11, 12, 500000),)),
    ("SELECT id FROM kinds WHERE span = ? ORDER BY id", (dt.timedelta(1, 7384, 500000),)),
    ("SELECT id FROM kinds WHERE span < ? ORDER BY id", (dt.timedelta(seconds=-0.5),)),
    ("SELECT id FROM kinds WHERE uid = ? ORDER BY id", (uuid.UUID("6f2d4f3c-3a5e-4a52-9c0e-6d6c7d1c9f10"),)),
    ("SELECT id FROM kinds WHERE raw = ? ORDER BY id", (b"\x00\xff\x10",)),
    ("SELECT id FROM kinds WHERE feeling = ? ORDER BY id", ('it\'s "fine", (really)',)),
    ("SELECT id FROM kinds WHERE padded = 'ab' ORDER BY id", ()),
    ('SELECT * FROM other."Odd, ""table"" (x)" ORDER BY "c 1, (x)"', ()),
    ('SELECT "and" FROM other."Odd, ""table"" (x)" WHERE "c 1, (x)" = 1 AND "c.d:e" AND "ünï" = \'ü\'', ()),
    ("SELECT sum(small), avg(small), min(small), max(small), count(small), count(*) FROM kinds", ()),
    (
        "SELECT sum(large) AS s, sum(price), avg(price), sum(ratio), avg(thin), min(day) FROM kinds",
        (),
    ),
    ("SELECT max(note), max(word) FROM kinds", ()),
    ("SELECT min(span), max(seen), min(clock), sum(id) FROM kinds WHERE id <> 2", ()),
    ("SELECT sum(small) FROM kinds WHERE id > 100", ()),
    ("SELECT small, count(*) AS n, sum(price) FROM kinds GROUP BY small ORDER BY small", ()),
    ("SELECT price, flag, count(*) FROM kinds GROUP BY flag, price ORDER BY 1, 2 DESC", ()),
    ("SELECT small AS s, max(id) FROM kinds GROUP BY s ORDER BY s LIMIT 1 OFFSET 1", ()),
    ("SELECT day, made, seen, span, count(*) FROM kinds GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4", ()),
]

REFUSED = [
    ("SELECT DISTINCT small FROM kinds", "distinct"),
    ("SELECT upper(note) FROM kinds", "select"),
    ("SELECT price * 2 FROM kinds", "select"),
    ("SELECT id FROM kinds JOIN dear USING (id)", "joins"),
    ("SELECT id FROM kinds, dear", "joins"),
    ("SELECT id FROM (SELECT id FROM kinds) AS s", "from"),
    ('SELECT "id" FROM (SELECT id FROM kinds LIMIT 3) AS s', "limit"),
    ('SELECT "id" FROM (SELECT id FROM kinds) AS s WHERE "id" > 3', "where"),
    ('SELECT count("id") FROM (SELECT id FROM kinds) AS s', "from"),
    ('SELECT "x" FROM (SELECT id FROM kinds) AS s', "from"),
    ("SELECT * FROM generate_series(1, 3)", "from"),
    ("WITH x AS (SELECT 1) SELECT id FROM kinds", "with_"),
    ("SELECT id FROM kinds UNION SELECT id FROM dear", "union"),
    ("SELECT id FROM kinds WHERE id = small", "where"),
    ("SELECT id FROM kinds WHERE id IN (SELECT 1)", "query"),
    ("SELECT id FROM kinds WHERE EXISTS (SELECT 1)", "where"),
    ("SELECT id FROM kinds WHERE lower(note) = 'a'", "value"),
    ("SELECT id FROM kinds WHERE id = 1 + 1", "value"),
    ("SELECT id FROM kinds WHERE note LIKE 'a' ESCAPE 'x'", "where"),
    ("SELECT id FROM kinds WHERE id = 1.5", "value"),
    ("SELECT id FROM kinds WHERE thin = 0.1", "value"),
    ("SELECT id FROM kinds WHERE note = NULL", "value"),
    ("SELECT id FROM kinds WHERE seen = 'yesterday'", "value"),
    ("SELECT id FROM kinds WHERE day = '01/02/2020'", "value"),
    ("SELECT id FROM kinds WHERE id = CAST('1' AS text)", "cast"),
    ("SELECT count(DISTINCT small) FROM kinds", "aggregate"),
    ("SELECT sum(small) FILTER (WHERE id > 1) FROM kinds", "select"),
    ("SELECT sum(note) FROM kinds", "aggregate"),
    ("SELECT small, count(*) FROM kinds GROUP BY small HAVING count(*) > 1", "having"),
    ("SELECT count(*) FROM kinds GROUP BY small", "group"),
    ("SELECT small FROM kinds GROUP BY small", "group"),
    ('SELECT "g" FROM (SELECT small AS g, count(*) AS n FROM kinds GROUP BY small) AS q', "group"),
    ("SELECT small, count(*) FROM kinds GROUP BY small ORDER BY count(*)", "order"),
    ("SELECT small, count(*) AS n FROM kinds GROUP BY small ORDER BY n", "order"),
    ("SELECT id FROM kinds ORDER BY upper(note)", "order"),
    ("SELECT id FROM kinds FOR UPDATE", "locks"),
    ("SELECT id FROM kinds TABLESAMPLE SYSTEM (10)", "sample"),
    ("SELECT row_number() OVER () FROM kinds", "select"),
    ("SELECT id FROM kinds; SELECT 1", "statements"),
    ("SELECT pg_sleep(1)", "value"),
]


def test_the_same_rows_and_types(kinds: Project) -> None:
    for sql, parameters in QUERIES:
        over_rest = kinds.rest.read(Query(sql, parameters))
        direct = kinds.direct.read(Query(sql, parameters))
        # `repr` tells 1.0 from 1.00, True from 1, and is the same for two that are not a number.
        assert repr(over_rest.rows) == repr(direct.rows), sql
        told = [(column.name, column.type) for column in over_rest.columns]
        assert told == [(column.name, column.type) for column in direct.columns], sql
        assert over_rest.truncated == direct.truncated, sql


def test_another_zone_and_style_of_the_server_change_nothing(kinds: Project) -> None:
    sql = "SELECT seen, span, made, clock_zone FROM kinds WHERE seen >= ? OR seen IS NULL ORDER BY id"
    query = Query(sql, (dt.date(2020, 3, 31),))
    expected = kinds.direct.read(query).rows
    kinds.served.manners.time_zone = "Asia/Kolkata"
    assert kinds.rest.read(query).rows == expected
    kinds.served.manners.interval_style = "iso_8601"
    assert kinds.rest.read(query).rows == expected


@pytest.mark.parametrize(("sql", "part"), REFUSED)
def test_what_rest_cannot(sql: str, part: str, kinds: Project) -> None:
    with pytest.raises(RestCannot) as refused:
        kinds.rest.read(Query(sql))
    assert refused.value.details["part"] == part
    assert "PostgreSQL URL" in refused.value.hint
    assert not kinds.served.tables_asked


@pytest.mark.parametrize(
    "sql",
    ["INSERT INTO kinds (id) VALUES (99)", "DELETE FROM kinds", "DROP TABLE kinds", "SET x = 1", "COMMIT"],
)
def test_what_writes_is_refused(sql: str, kinds: Project) -> None:
    with pytest.raises(ReadOnlyViolation):
        kinds.rest.read(Query(sql), user_sql=True)
    assert kinds.direct.read(Query("SELECT count(*) FROM kinds")).rows == [(12,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT id FROM nothing",
        "SELECT nothing FROM kinds",
        "SELECT x.id FROM kinds",
        "SELECT kinds.id FROM kinds AS k",
        "SELECT id FROM nowhere.kinds",
        'SELECT id FROM "rpc/writes"',
        "SELECT id FROM kinds LIMIT -1",
        "SELECT id FROM kinds ORDER BY 3",
        "SELECT id, count(*) FROM kinds",
        "SELEC",
        "",
    ],
)
def test_what_is_not_there(sql: str, kinds: Project) -> None:
    with pytest.raises((QueryFailed, ReadOnlyViolation)):
        kinds.rest.read(Query(sql))


def test_aggregates_that_are_switched_off(kinds: Project) -> None:
    kinds.served.manners.aggregates = False
    assert kinds.rest.read(Query("SELECT count(*) FROM kinds")).rows == [(12,)]
    with pytest.raises(RestCannot, match="aggregate functions switched off") as refused:
        kinds.rest.read(Query("SELECT sum(small) FROM kinds"))
    assert refused.value.details["part"] == "aggregate"


def test_the_limit_of_rows_says_that_there_is_more(kinds: Project) -> None:
    result = kinds.rest.read(Query("SELECT id FROM kinds ORDER BY id"), ReadLimits(rows=5))
    assert (result.rows, result.truncated) == ([(n,) for n in range(1, 6)], True)
    result = kinds.rest.read(Query("SELECT id FROM kinds ORDER BY id"), ReadLimits(rows=12))
    assert (len(result.rows), result.truncated) == (12, False)


def test_a_project_that_gives_few_rows_at_once_is_read_in_pages(kinds: Project) -> None:
    kinds.served.manners.max_rows = 5
    for sql in ("SELECT id FROM kinds", "SELECT id FROM kinds ORDER BY small", "SELECT price, id FROM dear"):
        found = kinds.rest.read(Query(sql)).rows
        assert sorted(map(repr, found)) == sorted(map(repr, kinds.direct.read(Query(sql)).rows))
    result = kinds.rest.read(Query("SELECT id FROM kinds ORDER BY id"), ReadLimits(rows=11))
    assert ([row[0] for row in result.rows], result.truncated) == (list(range(1, 12)), True)
    grouped = kinds.rest.read(Query("SELECT id, count(*) FROM kinds GROUP BY id")).rows
    assert sorted(row[0] for row in grouped if isinstance(row[0], int)) == list(range(1, 13))


def test_pages_without_any_order_are_refused(kinds: Project) -> None:
    kinds.served.manners.max_rows = 5
    assert len(kinds.rest.read(Query("SELECT doc FROM documents LIMIT 5")).rows) == 5
    with pytest.raises(RestCannot) as refused:
        kinds.rest.read(Query("SELECT doc FROM documents"))
    assert refused.value.details["part"] == "pages"


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30) | st.text(
    "\"\\,.:()*%_'&=+#?; \n{}", max_size=12
)


def test_any_text_is_the_value_that_it_is(project: Project) -> None:
    project.run("CREATE TABLE t (id integer PRIMARY KEY, v text)")
    with psycopg.connect(project.url, autocommit=True) as connection:

        @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
        @given(TEXTS, TEXTS)
        def check(value: str, other: str) -> None:
            connection.execute("DELETE FROM t")
            connection.execute("INSERT INTO t VALUES (1, %s), (2, %s)", [value, other])
            for sql, parameters in (
                ("SELECT id, v FROM t WHERE v = ? ORDER BY id", (value,)),
                ("SELECT id FROM t WHERE v <> ? OR v < ? ORDER BY id", (value, other)),
                ("SELECT id FROM t WHERE v IN (?, ?) ORDER BY id", (value, value + "x")),
                ("SELECT id FROM t WHERE v IN (?) ORDER BY id", (value,)),
            ):
                query = Query(sql, parameters)
                assert project.rest.read(query).rows == project.direct.read(query).rows

        check()


@pytest.mark.parametrize("value", ["a\0b", "\ud800"])
def test_texts_that_no_database_takes(value: str, kinds: Project) -> None:
    with pytest.raises(ParameterRefused):
        kinds.rest.read(Query("SELECT id FROM kinds WHERE note = ?", (value,)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(pattern=st.text("a*%_\\bX.+[^$\n", max_size=8), fold=st.booleans())
def test_any_pattern_finds_the_same(kinds: Project, pattern: str, fold: bool) -> None:
    query = Query(f"SELECT id FROM kinds WHERE note {'I' if fold else ''}LIKE ? ORDER BY id", (pattern,))
    try:
        found = kinds.rest.read(query).rows
    except AccessError:
        # A pattern that ends in a backslash is one for nobody.
        trailing = len(pattern) - len(pattern.rstrip("\\"))
        assert trailing % 2
        return
    assert found == kinds.direct.read(query).rows
