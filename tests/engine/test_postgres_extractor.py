"""Reading from PostgreSQL: every type as it is, or a refusal that names the column."""

import datetime as dt
import decimal
import math
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pytest

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import ColumnRefused, RunCancelled, StepRefused, TransientFault
from dragoman.contracts.flow import CursorValue
from dragoman.contracts.schema import ValueType
from dragoman.engine.components.postgres import EXTRACTOR
from tests.engine.postgres_steps import Trial
from tests.engine.steps import step_context
from tests.patience import PROMPT, Stopwatch, once

D = decimal.Decimal
moment = dt.datetime.fromisoformat


@pytest.fixture
def trial(postgres_database: str, tmp_path: Path) -> Trial:
    return Trial(postgres_database, tmp_path)


TYPES = [
    ("boolean", ["true", "false"], [True, False], ValueType.BOOLEAN),
    ("smallint", ["-32768", "32767"], [-32768, 32767], ValueType.INTEGER),
    ("integer", ["-2147483648", "2147483647"], [-(2**31), 2**31 - 1], ValueType.INTEGER),
    ("bigint", [f"'{-(2**63)}'", f"'{2**63 - 1}'"], [-(2**63), 2**63 - 1], ValueType.INTEGER),
    ("oid", ["'4294967295'"], [2**32 - 1], ValueType.INTEGER),
    ("real", ["'1e-45'", "'3.4028235e38'"], [1.401298464324817e-45, 3.4028234663852886e38], ValueType.FLOAT),
    (
        "double precision",
        ["'5e-324'", "'1.7976931348623157e308'", "'Infinity'", "'-Infinity'", "0.1"],
        [5e-324, 1.7976931348623157e308, math.inf, -math.inf, 0.1],
        ValueType.FLOAT,
    ),
    ("numeric(12,2)", ["'9999999999.99'", "-0.01"], [D("9999999999.99"), D("-0.01")], ValueType.DECIMAL),
    ("numeric(38,10)", [f"'{'9' * 28}.{'9' * 10}'"], [D("9" * 28 + "." + "9" * 10)], ValueType.DECIMAL),
    ("numeric(4,-2)", ["123456"], [D(123500)], ValueType.DECIMAL),
    ("numeric(2,4)", ["0.0012"], [D("0.0012")], ValueType.DECIMAL),
    (
        "numeric",
        ["1.500", "'NaN'", "'Infinity'", "'-Infinity'", f"'{'7' * 60}.{'3' * 40}'", "1e20"],
        ["1.500", "NaN", "Infinity", "-Infinity", "7" * 60 + "." + "3" * 40, "1" + "0" * 20],
        ValueType.DECIMAL,
    ),
    ("numeric(50,3)", ["'12345678901234567890123456789012345678901234567.125'"],
     ["12345678901234567890123456789012345678901234567.125"], ValueType.DECIMAL),
    ("money", ["-1234.5"], ["-1234.50"], ValueType.DECIMAL),
    ("date", ["'0001-01-01'", "'9999-12-31'"], [dt.date(1, 1, 1), dt.date(9999, 12, 31)], ValueType.DATE),
    (
        "timestamp",
        ["'0001-01-01'", "'9999-12-31 23:59:59.999999'"],
        [moment("0001-01-01"), moment("9999-12-31 23:59:59.999999")],
        ValueType.DATETIME,
    ),
    (
        "timestamptz",
        ["'2024-03-31 02:30:00.000001+02'"],
        [dt.datetime(2024, 3, 31, 0, 30, 0, 1, tzinfo=dt.UTC)],
        ValueType.INSTANT,
    ),
    (
        "time",
        ["'00:00'", "'23:59:59.999999'"],
        [dt.time(0), dt.time(23, 59, 59, 999999)],
        ValueType.TIME,
    ),
    ("timetz", ["'23:59:59.999999-15:59'"], ["23:59:59.999999-15:59"], ValueType.OTHER),
    (
        "interval",
        ["'838:59:59'", "'-00:00:00.5'", "'1 year -2 mons 3 days -04:05:06.789'", "'0'", "'4 days'"],
        ["838:59:59", "-00:00:00.5", "P10M3DT-4H-5M-6.789S", "00:00:00", "P4D"],
        ValueType.INTERVAL,
    ),
    (
        "text",
        ["''", "'NULL'", r"'\N'", r"E'a\tb\nc\rd\\e''\"'", "'😀e\u0301'", "repeat('ж', 500000)"],
        ["", "NULL", r"\N", "a\tb\nc\rd\\e'\"", "😀e\u0301", "ж" * 500_000],
        ValueType.TEXT,
    ),
    ("varchar(5)", ["'ab  '"], ["ab  "], ValueType.TEXT),
    ("char(5)", ["'ab'", "''"], ["ab   ", "     "], ValueType.TEXT),
    ('"char"', ["'a'", "''"], ["a", ""], ValueType.TEXT),
    ("name", ["'n'"], ["n"], ValueType.TEXT),
    ("bytea", [r"'\x'", "'\\x" + bytes(range(256)).hex() + "'"], [b"", bytes(range(256))], ValueType.BYTES),
    ("uuid", ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'"], ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
     ValueType.UUID),
    ("json", ["'{\"a\":1,  \"a\":12345678901234567890}'"], ['{"a":1,  "a":12345678901234567890}'],
     ValueType.JSON),
    ("jsonb", ["'{\"b\":1e2,\"a\":null}'"], ['{"a": null, "b": 100}'], ValueType.JSON),
    ("xml", ["'<a/>'"], ["<a/>"], ValueType.TEXT),
    ("inet", ["'10.0.0.1/8'"], ["10.0.0.1/8"], ValueType.TEXT),
    ("bit(3)", ["B'101'"], ["101"], ValueType.TEXT),
    ("integer[]", ["'{1,NULL,2}'", "'[0:1]={3,4}'"], ["{1,NULL,2}", "[0:1]={3,4}"], ValueType.OTHER),
    ("text[]", ["ARRAY['a,b', 'NULL', NULL]"], ['{"a,b","NULL",NULL}'], ValueType.OTHER),
    ("int4range", ["'[1,5)'"], ["[1,5)"], ValueType.OTHER),
    ("tstzrange", ["'[2024-01-01 00:00+00,)'"], ['["2024-01-01 00:00:00+00",)'], ValueType.OTHER),
    ("point", ["'(0.1,2)'"], ["(0.1,2)"], ValueType.OTHER),
    ("color", ["'b''l'"], ["b'l"], ValueType.TEXT),
    ("positive", ["5"], [5], ValueType.INTEGER),
    ("cents", ["5.25"], [D("5.25")], ValueType.DECIMAL),
    ("pair", ["ROW(1, 'x,y')"], ['(1,"x,y")'], ValueType.OTHER),
]  # fmt: skip


@pytest.mark.parametrize(("native", "written", "expected", "held"), TYPES, ids=[row[0] for row in TYPES])
def test_every_type_is_read_exactly(
    trial: Trial, native: str, written: list[str], expected: list[object], held: ValueType
) -> None:
    trial.run(
        "CREATE TYPE color AS ENUM ('red', 'b''l')",
        "CREATE DOMAIN positive AS int CHECK (value > 0)",
        "CREATE DOMAIN cents AS numeric(9,2)",
        "CREATE TYPE pair AS (a int, b text)",
        f'CREATE TABLE t (n int, "the ""value"" of it" {native})',
        *(f"INSERT INTO t VALUES ({i}, {value})" for i, value in enumerate(written)),
        f"INSERT INTO t VALUES ({len(written)}, NULL)",
    )
    for how in ({"table": "t"}, {"query": "SELECT * FROM t ORDER BY n"}):
        plan, found = trial.read(None, None, **how)
        assert plan.columns[1].type is held
        rows = sorted(found.to_pylist(), key=lambda row: row["n"])
        assert [row['the "value" of it'] for row in rows] == [*expected, None]


def test_floats_keep_their_sign_and_nan(trial: Trial) -> None:
    trial.run("CREATE TABLE t (d float8, r real)", "INSERT INTO t VALUES ('-0', '-0'), ('NaN', 'NaN')")
    _, found = trial.read(table="t")
    zero, nan = found.to_pylist()
    assert math.copysign(1, zero["d"]) == math.copysign(1, zero["r"]) == -1
    assert math.isnan(nan["d"])
    assert math.isnan(nan["r"])


def test_dates_before_christ_are_kept(trial: Trial) -> None:
    trial.run(
        "CREATE TABLE t (d date, s timestamp)", "INSERT INTO t VALUES ('4713-01-01 BC', '0001-12-31 BC')"
    )
    _, found = trial.read(table="t")
    assert found.column("d").cast(pa.int32()).to_pylist() == [-2_440_550]
    assert found.column("s").cast(pa.int64()).to_pylist() == [-62_135_683_200_000_000]


REFUSED = [
    ("numeric(12,2)", "NaN", "nan_to_null"),
    ("date", "infinity", "infinity_to_null"),
    ("date", "-infinity", "infinity_to_null"),
    ("timestamp", "infinity", "infinity_to_null"),
    ("timestamptz", "-infinity", "infinity_to_null"),
    ("timestamp", "294276-12-31 23:59:59.999999", None),
    ("timestamptz", "294250-01-01", None),
    ("time", "24:00:00", None),
]


@pytest.mark.parametrize(("native", "value", "rule"), REFUSED)
def test_what_no_carrier_keeps_is_refused_or_bent_by_name(
    trial: Trial, native: str, value: str, rule: str | None
) -> None:
    trial.run(
        f'CREATE TABLE t (id int, "odd name" {native})',
        "INSERT INTO t SELECT i, NULL FROM generate_series(1, 3000) i",
        f"INSERT INTO t VALUES (0, '{value}')",
    )
    with pytest.raises(ColumnRefused) as refused:
        trial.read(table="t")
    assert refused.value.details["column"] == "odd name"
    if rule is not None:
        plan, found = trial.read(table="t", convert=[rule])
        assert found.column("odd name").null_count == found.num_rows == 3001
        assert [(each.column, each.rule) for each in plan.warnings] == [("odd name", rule)]


def test_the_rules_hold_for_numbers_that_could_be_kept(trial: Trial) -> None:
    trial.run(
        "CREATE TABLE t (f float8, n numeric)",
        "INSERT INTO t VALUES ('NaN', 'NaN'), ('Infinity', '-Infinity'), (1, 2)",
    )
    _, found = trial.read(table="t", convert=["nan_to_null", "infinity_to_null"])
    assert found.to_pylist() == [{"f": None, "n": None}, {"f": None, "n": None}, {"f": 1.0, "n": "2"}]


def test_odd_names(trial: Trial) -> None:
    long = "x" * 63
    trial.run(
        'CREATE SCHEMA "my schema"',
        f'CREATE TABLE "my schema"."a.b"'
        f'("a" int, "A" int, "se""lect" int, "{long}" int, "ключ %s" int, "c1" int)',
        'INSERT INTO "my schema"."a.b" VALUES (1, 2, 3, 4, 5, 6)',
    )
    plan, found = trial.read(table='"my schema"."a.b"')
    assert found.column_names == ["a", "A", 'se"lect', long, "ключ %s", "c1"]
    assert [column.to_pylist() for column in found.columns] == [[1], [2], [3], [4], [5], [6]]
    _, some = trial.read(table='my schema."a.b"', columns=["ключ %s", "A"], filter='"a" = 1')
    assert some.to_pylist() == [{"ключ %s": 5, "A": 2}]
    assert plan.target == "table my schema.a.b of @crm"


def test_a_table_says_what_is_never_null(trial: Trial) -> None:
    trial.run("CREATE TABLE t (id int PRIMARY KEY, v text)", "CREATE VIEW w AS SELECT * FROM t")
    assert [column.nullable for column in trial.read(table="t")[0].columns] == [False, True]
    assert [column.nullable for column in trial.read(table="w")[0].columns] == [True, True]


def test_an_empty_table_has_columns_and_no_rows(trial: Trial) -> None:
    trial.run("CREATE TABLE t (id int, n numeric, d date)")
    plan, found = trial.read(table="t")
    assert (len(plan.columns), found.num_rows) == (3, 0)


def test_incremental_reading_with_ties(trial: Trial) -> None:
    trial.run(
        "CREATE TABLE t (day date, id int, v text)",
        "INSERT INTO t SELECT '2024-01-01'::date + i / 3, i, 'v' FROM generate_series(0, 8) i",
        "INSERT INTO t VALUES (NULL, 99, 'never'), ('2024-01-02', NULL, 'never')",
    )
    plan, found = trial.read(table="t", cursor=["day", "id"])
    assert plan.cursor == CursorValue(("day", "id"), ("2024-01-03", "8"))
    assert sorted(found.column("id").to_pylist()) == list(range(9))
    assert {(each.column, each.rule) for each in plan.warnings} == {
        ("day", "null_cursor_not_read"),
        ("id", "null_cursor_not_read"),
    }
    trial.run("INSERT INTO t VALUES ('2024-01-03', 9, 'tie'), ('2024-01-01', 50, 'late')")
    plan, found = trial.read(plan.cursor, table="t", cursor=["day", "id"])
    assert found.column("id").to_pylist() == [9]
    again, nothing = trial.read(plan.cursor, table="t", cursor=["day", "id"])
    assert (again.cursor, nothing.num_rows) == (plan.cursor, 0)


def test_the_bound_is_fixed_before_reading(trial: Trial) -> None:
    trial.run("CREATE TABLE t (id int PRIMARY KEY)", "INSERT INTO t VALUES (1), (2)")
    config = {"connection": "@crm", "table": "t", "cursor": ["id"]}
    with trial.context() as context:
        plan = EXTRACTOR.plan(config, None, None, context)
        trial.run("INSERT INTO t VALUES (3)")
        with EXTRACTOR.open(config, plan, None, context) as flow:
            assert flow.batches(context.lane).read_all().column("id").to_pylist() == [1, 2]
        assert EXTRACTOR.plan(config, None, plan.cursor, context).cursor == plan.cursor


def test_an_empty_source_reads_nothing_even_if_rows_come_meanwhile(trial: Trial) -> None:
    trial.run("CREATE TABLE t (id int)")
    config = {"connection": "@crm", "table": "t", "cursor": ["id"]}
    with trial.context() as context:
        plan = EXTRACTOR.plan(config, None, None, context)
        trial.run("INSERT INTO t VALUES (3)")
        with EXTRACTOR.open(config, plan, None, context) as flow:
            assert flow.batches(context.lane).read_all().num_rows == 0
    assert plan.cursor is None


@pytest.mark.parametrize(
    ("native", "values"),
    [
        ("timestamptz", ["2024-01-01 00:00:00.000001+00", "2024-01-01 00:00:00.000002+00"]),
        ("float8", ["0.1", "0.30000000000000004"]),
        ("text", ["a'b\\", "b%s"]),
        ("numeric", ["1.000000000000000000000000000000000000001", "2"]),
        ("uuid", ["00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"]),
        ("bytea", ["\\x00", "\\xff"]),
    ],
)
def test_cursors_travel_as_exact_texts(trial: Trial, native: str, values: list[str]) -> None:
    first, second = (value.replace("'", "''") for value in values)
    trial.run(f"CREATE TABLE t (c {native})", f"INSERT INTO t VALUES ('{first}')")
    plan, found = trial.read(table="t", cursor=["c"])
    assert found.num_rows == 1
    assert plan.cursor == CursorValue(("c",), (values[0],))
    trial.run(f"INSERT INTO t VALUES ('{second}')")
    plan, found = trial.read(plan.cursor, table="t", cursor=["c"])
    assert found.num_rows == 1
    assert plan.cursor == CursorValue(("c",), (values[1],))


def test_parts_are_everything_once(trial: Trial) -> None:
    trial.run(
        "CREATE TABLE t (id int PRIMARY KEY, k bigint)",
        "INSERT INTO t SELECT i, i * i - 500 FROM generate_series(1, 100) i",
        "INSERT INTO t VALUES (1000, NULL)",
    )
    for by in ({}, {"partition_by": "k"}):
        plan, _ = trial.read(None, None, table="t", partitions=7, **by)
        assert len(plan.parts) == 7
        parts = [trial.read(None, part, table="t", partitions=7, **by)[1] for part in plan.parts]
        assert sorted(key for part in parts for key in part.column("id").to_pylist()) == [
            *range(1, 101),
            1000,
        ]


def test_a_filter_cannot_leave_its_place(trial: Trial) -> None:
    trial.run("CREATE TABLE t (id int)", "INSERT INTO t VALUES (1), (2)")
    for hostile in (
        "1=1) UNION SELECT 2 --",
        "true; DROP TABLE t",
        "id IN (SELECT usesysid FROM pg_shadow)",
        "pg_sleep(9) IS NULL",
        "",
        "id = $1",
    ):
        with pytest.raises(StepRefused):
            trial.read(table="t", filter=hostile)
    assert trial.read(table="t", filter="id > 1 OR id < 0")[1].to_pylist() == [{"id": 2}]


@pytest.mark.parametrize(
    "config",
    [
        {"query": "DELETE FROM t"},
        {"query": "SELECT 1 AS a, 2 AS a"},
        {"query": "SELECT nothing FROM t"},
        {"table": "missing"},
        {"table": "pg_catalog.pg_class"},
        {"table": "a.b.c"},
        {"table": "t", "columns": ["nope"]},
        {"table": "t", "cursor": ["nope"]},
        {"table": "t", "partitions": 3},
    ],
)
def test_what_cannot_be_read_is_refused_while_planning(trial: Trial, config: dict[str, object]) -> None:
    trial.run("CREATE TABLE t (id text)")
    with pytest.raises(StepRefused):
        trial.read(None, None, **config)


def test_names_are_found_in_the_schemas_of_the_connection(trial: Trial) -> None:
    trial.run('CREATE SCHEMA "s p"', 'CREATE TABLE "s p".t (v int)', 'INSERT INTO "s p".t VALUES (7)')
    here = Trial(trial.url + "?schemas=" + quote("s p,public"), trial.workspace)
    assert here.read(query="SELECT v FROM t")[1].to_pylist() == [{"v": 7}]
    assert here.read(table="t")[1].to_pylist() == [{"v": 7}]


def test_any_password_reaches_the_scanner(trial: Trial) -> None:
    password = "a'b \\c\"d%e;é=$"
    literal = password.replace("'", "''")
    trial.run(
        "DROP ROLE IF EXISTS odd_one",
        f"CREATE ROLE odd_one LOGIN PASSWORD '{literal}'",
        "CREATE TABLE t (id int)",
        "INSERT INTO t VALUES (1)",
        "GRANT SELECT ON t TO odd_one",
    )
    host = trial.url.partition("@")[2]
    odd = Trial(f"postgresql://odd_one:{quote(password, safe='')}@{host}", trial.workspace)
    try:
        assert odd.read(table="t")[1].num_rows == 1
        trial.run("ALTER ROLE odd_one PASSWORD 'other'")
        with pytest.raises(Exception) as refused:  # noqa: PT011
            odd.read(table="t")
        assert password not in str(refused.value)
    finally:
        trial.run("DROP OWNED BY odd_one", "DROP ROLE odd_one")


def _slow(trial: Trial) -> dict[str, object]:
    """A query over 27 billion rows: nobody waits for its end."""
    trial.run("CREATE TABLE t AS SELECT i FROM generate_series(1, 3000) i")
    return {"connection": "@crm", "query": "SELECT count(*) AS n FROM t a, t b, t c"}


def _working(trial: Trial) -> bool:
    """Whether the server is at work on the slow query."""
    busy = "application_name LIKE 'dragoman %' AND state = 'active' AND query LIKE '%t AS b%'"
    return trial.rows(f"SELECT count(*) FROM pg_stat_activity WHERE {busy}") != [(0,)]


def test_cancelling_stops_the_server(trial: Trial) -> None:
    config = _slow(trial)
    cancel = Cancellation()
    with step_context(trial.workspace, {"crm": trial.url}, cancel=cancel) as context:
        plan = EXTRACTOR.plan(config, None, None, context)
        stop = Stopwatch(cancel.cancel)
        with (
            once(lambda: _working(trial), stop, "the server reads"),
            pytest.raises(RunCancelled),
            EXTRACTOR.open(config, plan, None, context) as flow,
        ):
            context.lane.execute(f"SELECT * FROM ({flow.sql(context.lane)})").fetchall()
        assert stop.seconds < PROMPT
    assert not _working(trial)


def test_a_lost_connection_is_worth_another_try(trial: Trial) -> None:
    config = _slow(trial)
    kill: Callable[[], None] = lambda: trial.run(  # noqa: E731
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'dragoman %'"
    )
    with trial.context() as context:
        plan = EXTRACTOR.plan(config, None, None, context)
        with (
            once(lambda: _working(trial), kill, "the server reads"),
            pytest.raises(TransientFault),
            EXTRACTOR.open(config, plan, None, context) as flow,
        ):
            context.lane.execute(f"SELECT * FROM ({flow.sql(context.lane)})").fetchall()
