"""Writing to PostgreSQL: staged, then published whole, once, with what went wrong named."""

import datetime as dt
import decimal
import math
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pyarrow as pa
import pytest

from dragoman.contracts.errors import (
    ColumnRefused,
    EngineError,
    SchemaDrift,
    StepRefused,
    TargetFailed,
    TransientFault,
)
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Staged
from dragoman.engine.components.postgres import WRITER
from dragoman.engine.flow import Flow
from tests.engine.postgres_steps import Trial

D = decimal.Decimal
moment = dt.datetime.fromisoformat


@pytest.fixture
def trial(postgres_database: str, tmp_path: Path) -> Trial:
    return Trial(postgres_database, tmp_path)


def flow_of(columns: tuple[FlowColumn, ...], *rows: tuple[object, ...]) -> Flow:
    schema = arrow_schema(columns)
    values = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    arrays = [pa.array(column, field.type) for column, field in zip(values, schema, strict=True)]
    return Flow(columns, reader=pa.Table.from_arrays(arrays, schema=schema).to_reader())


def one(kind: ValueType, *values: object, **more: object) -> Flow:
    columns = (FlowColumn("n", ValueType.INTEGER, bits=32), FlowColumn("v", kind, **more))  # type: ignore[arg-type]
    return flow_of(columns, *((i, value) for i, value in enumerate(values)))


T = ValueType
BIG = "7" * 60 + "." + "3" * 40
CREATED = [
    (T.BOOLEAN, {}, [True, False, None], "boolean", ["true", "false", None]),
    (T.INTEGER, {"bits": 8}, [-128], "smallint", ["-128"]),
    (T.INTEGER, {"bits": 64}, [-(2**63), 2**63 - 1], "bigint", [str(-(2**63)), str(2**63 - 1)]),
    (T.INTEGER, {"bits": 16, "signed": False}, [65535], "integer", ["65535"]),
    (T.INTEGER, {"bits": 32, "signed": False}, [2**32 - 1], "bigint", [str(2**32 - 1)]),
    (T.INTEGER, {"bits": 64, "signed": False}, [2**64 - 1, 0], "numeric(20,0)", [str(2**64 - 1), "0"]),
    (T.DECIMAL, {"precision": 12, "scale": 2}, [D("-0.01"), D("9999999999.99")], "numeric(12,2)",
     ["-0.01", "9999999999.99"]),
    (T.DECIMAL, {"precision": 38, "scale": 38}, [D("0." + "9" * 38)], "numeric(38,38)", ["0." + "9" * 38]),
    (T.DECIMAL, {}, [BIG, "NaN", "-Infinity", "1.500"], "numeric", [BIG, "NaN", "-Infinity", "1.500"]),
    (T.DECIMAL, {"precision": 50, "scale": 3}, ["12345678901234567890123456789012345678901234567.125"],
     "numeric(50,3)", ["12345678901234567890123456789012345678901234567.125"]),
    (T.FLOAT, {}, [-0.0, 5e-324, math.inf, math.nan], "double precision",
     ["-0", "5e-324", "Infinity", "NaN"]),
    (T.FLOAT, {"bits": 32}, [1e-45], "real", ["1e-45"]),
    (T.DATE, {}, [dt.date(1, 1, 1), dt.date(9999, 12, 31)], "date", ["0001-01-01", "9999-12-31"]),
    (T.TIME, {}, [dt.time(23, 59, 59, 999999)], "time without time zone", ["23:59:59.999999"]),
    (T.DATETIME, {}, [moment("0001-01-01"), moment("9999-12-31 23:59:59.999999")],
     "timestamp without time zone", ["0001-01-01 00:00:00", "9999-12-31 23:59:59.999999"]),
    (T.INSTANT, {}, [dt.datetime(2024, 1, 1, tzinfo=dt.UTC)], "timestamp with time zone",
     ["2024-01-01 00:00:00+00"]),
    (T.INTERVAL, {}, ["838:59:59", "-00:00:00.5", "P10M3DT-4H"], "interval",
     ["838:59:59", "-00:00:00.5", "10 mons 3 days -04:00:00"]),
    (T.JSON, {}, ['{"a":1,  "a":12345678901234567890}'], "json", ['{"a":1,  "a":12345678901234567890}']),
    (T.UUID, {}, ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"], "uuid", ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]),
    (T.BYTES, {}, [b"", bytes(range(256))], "bytea", ["\\x", "\\x" + bytes(range(256)).hex()]),
    (T.TEXT, {}, ["", "NULL", "\\N", "a\tb\nc\rd\\e'\"", "😀e\u0301", "ж" * 500_000], "text",
     ["", "NULL", "\\N", "a\tb\nc\rd\\e'\"", "😀e\u0301", "ж" * 500_000]),
    (T.OTHER, {"native": "integer[]"}, ["{1,2}"], "text", ["{1,2}"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "more", "values", "made", "expected"),
    CREATED,
    ids=[f"{row[0].value}-{row[3]}" for row in CREATED],
)
def test_a_table_is_made_with_exact_types(
    trial: Trial, kind: T, more: dict[str, object], values: list[object], made: str, expected: list[str]
) -> None:
    writing, staged = trial.write(one(kind, *values, **more), table="made")
    assert writing.changes
    assert staged.rows == len(values)
    assert trial.rows(
        "SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
        " WHERE attrelid = 'made'::regclass AND attname = 'v'"
    ) == [(made,)]
    assert [row[0] for row in trial.rows("SELECT v::text FROM made ORDER BY n")] == expected
    # What was made takes the same again, through the table as it is now.
    trial.write(one(kind, *values, **more), table="made")
    again = [row[0] for row in trial.rows("SELECT v::text FROM made ORDER BY n, ctid")]
    assert again == [value for value in expected for _ in range(2)]
    assert not trial.leftovers()


FLOWING = (
    FlowColumn("id", T.INTEGER, bits=32),
    FlowColumn("Na me", T.TEXT),
    FlowColumn("c1", T.DECIMAL, precision=10, scale=2),
)
ROWS = [(1, "one", D("1.10")), (2, None, D("2.20"))]


def rows(trial: Trial, table: str = "t") -> list[tuple[object, ...]]:
    return trial.rows(f'SELECT id, "Na me", c1 FROM {table} ORDER BY id, "Na me"')


def test_append_adds_to_what_is_there(trial: Trial) -> None:
    trial.write(flow_of(FLOWING, *ROWS), table="t")
    trial.write(flow_of(FLOWING, (3, "three", None)), table="t", write_mode="append")
    assert rows(trial) == [*ROWS, (3, "three", None)]


def test_replace_keeps_what_belongs_to_the_table(trial: Trial) -> None:
    trial.run(
        "CREATE TABLE t (id int PRIMARY KEY, \"Na me\" text DEFAULT 'x', c1 numeric, extra int DEFAULT 5)",
        "CREATE INDEX ON t (c1)",
        "CREATE VIEW watching AS SELECT * FROM t",
        "INSERT INTO t VALUES (9, 'old', 9)",
    )
    oid = trial.rows("SELECT 't'::regclass::oid")
    trial.write(flow_of(FLOWING, *ROWS), table="t", write_mode="replace")
    assert rows(trial) == ROWS
    assert trial.rows("SELECT extra FROM watching") == [(5,), (5,)]
    assert trial.rows("SELECT 't'::regclass::oid") == oid


def test_replace_is_seen_whole_by_older_snapshots(trial: Trial) -> None:
    trial.write(flow_of(FLOWING, (9, "old", None)), table="t", write_mode="replace")
    with psycopg.connect(trial.url) as reader:
        reader.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        reader.execute("SELECT 1")
        trial.write(flow_of(FLOWING, *ROWS), table="t", write_mode="replace")
        assert reader.execute("SELECT id FROM t").fetchall() == [(9,)]
    assert rows(trial) == ROWS


def test_replace_with_nothing_leaves_nothing(trial: Trial) -> None:
    trial.write(flow_of(FLOWING, *ROWS), table="t")
    trial.write(flow_of(FLOWING), table="t", write_mode="replace")
    assert rows(trial) == []


def test_replace_never_reaches_into_other_tables(trial: Trial) -> None:
    trial.run(
        'CREATE TABLE t (id int PRIMARY KEY, "Na me" text, c1 numeric)',
        "CREATE TABLE child (t int REFERENCES t ON DELETE CASCADE)",
        "INSERT INTO t VALUES (1)",
        "INSERT INTO child VALUES (1)",
    )
    with pytest.raises(StepRefused, match="child"):
        trial.write(flow_of(FLOWING, *ROWS), table="t", write_mode="replace")
    assert trial.rows("SELECT * FROM child") == [(1,)]


def test_upsert_changes_and_adds(trial: Trial) -> None:
    for _ in range(2):
        trial.write(flow_of(FLOWING, *ROWS), table="t", write_mode="upsert", primary_key=["id"])
        assert rows(trial) == ROWS
    assert trial.rows("SELECT conname FROM pg_constraint WHERE conrelid = 't'::regclass AND contype = 'p'")
    changed = [(2, "two", None), (3, "three", D("3.30"))]
    trial.write(flow_of(FLOWING, *changed), table="t", write_mode="upsert", primary_key=["id"])
    assert rows(trial) == [ROWS[0], *changed]


def test_upsert_where_all_is_key(trial: Trial) -> None:
    for _ in range(2):
        trial.write(one(T.TEXT, "a", "b"), table="t", write_mode="upsert", primary_key=["v", "n"])
    assert trial.rows("SELECT * FROM t ORDER BY n") == [(0, "a"), (1, "b")]


@pytest.mark.parametrize("existing", [True, False])
@pytest.mark.parametrize("bad", [[(1, "a", None), (1, "b", None)], [(None, "a", None)]])
def test_keys_that_tell_no_rows_apart_are_refused(
    trial: Trial, existing: bool, bad: list[tuple[object, ...]]
) -> None:
    if existing:
        trial.write(flow_of(FLOWING, *ROWS), table="t", primary_key=["id"])
    with pytest.raises(TargetFailed, match="id"):
        trial.write(flow_of(FLOWING, *bad), table="t", write_mode="upsert", primary_key=["id"])
    assert not existing or rows(trial) == ROWS


def test_upsert_needs_a_key_that_is_there(trial: Trial) -> None:
    trial.run(
        'CREATE TABLE t (id int, "Na me" text, c1 numeric)', "CREATE UNIQUE INDEX ON t (id) WHERE id > 5"
    )
    with pytest.raises(SchemaDrift, match="unique key"):
        trial.write(flow_of(FLOWING, *ROWS), table="t", write_mode="upsert", primary_key=["id"])
    with pytest.raises(StepRefused):
        trial.write(flow_of(FLOWING, *ROWS), table="t", write_mode="upsert")
    with pytest.raises(StepRefused, match="nope"):
        trial.write(flow_of(FLOWING, *ROWS), table="t", write_mode="upsert", primary_key=["nope"])


def test_publishing_twice_changes_nothing(trial: Trial) -> None:
    config = {"connection": "@crm", "table": "t"}
    cursor = CursorValue(("id",), ("2",))
    with trial.context("run-1") as context:
        assert WRITER.published(config, None, context) is None
        assert WRITER.cursor(config, context) is None
        writing = WRITER.prepare(config, FLOWING, context)
        staged = WRITER.stage(config, writing, flow_of(FLOWING, *ROWS), context)
        assert WRITER.published(config, staged, context) is None
        for _ in range(3):
            WRITER.publish(config, writing, staged, cursor, context)
            WRITER.discard(config, writing.staging, context)
        assert WRITER.published(config, staged, context) == 2
        assert WRITER.cursor(config, context) == cursor
    assert rows(trial) == ROWS
    # The same run stages again, as after a crash that forgot the outcome: the ledger still says no.
    trial.write(flow_of(FLOWING, *ROWS), "run-1", table="t")
    assert rows(trial) == ROWS
    trial.write(flow_of(FLOWING, *ROWS), "run-2", table="t")
    assert len(rows(trial)) == 4


def test_nothing_is_visible_before_publishing_and_discard_leaves_nothing(trial: Trial) -> None:
    writing, _ = trial.write(flow_of(FLOWING, *ROWS), "run-1", publish=False, table="t")
    assert trial.rows("SELECT to_regclass('t')") == [(None,)]
    assert len(trial.leftovers()) == 1
    with trial.context("run-1") as context:
        for _ in range(2):
            WRITER.discard({"connection": "@crm", "table": "t"}, writing.staging, context)
    assert not trial.leftovers()


def test_staging_begins_empty_whatever_was_left(trial: Trial) -> None:
    trial.write(flow_of(FLOWING, *ROWS), "run-1", publish=False, table="t")
    trial.write(flow_of(FLOWING, ROWS[0]), "run-1", table="t")
    assert rows(trial) == [ROWS[0]]


@pytest.mark.parametrize("existing", [True, False])
def test_staging_that_lost_rows_is_staged_again(trial: Trial, existing: bool) -> None:
    config = {"connection": "@crm", "table": "t"}
    if existing:
        trial.write(flow_of(FLOWING, (0, "zero", None)), table="t")
    with trial.context("run-1") as context:
        writing = WRITER.prepare(config, FLOWING, context)
        staged = WRITER.stage(config, writing, flow_of(FLOWING, *ROWS), context)
        trial.run(f"DELETE FROM {writing.staging} WHERE c1 = 1")
        with pytest.raises(TransientFault):
            WRITER.publish(config, writing, staged, None, context)
        assert WRITER.published(config, staged, context) is None
        trial.run(f"DROP TABLE {writing.staging}")
        with pytest.raises(TransientFault):
            WRITER.publish(config, writing, staged, None, context)


def test_drift_is_known_before_a_row_moves(trial: Trial) -> None:
    trial.run('CREATE TABLE t (id int, "Na me" text)')
    schema = arrow_schema(FLOWING)
    with pytest.raises(SchemaDrift) as drift:
        trial.prepare(schema, table="t")
    assert drift.value.details["columns"] == ["c1"]
    writing, _ = trial.write(flow_of(FLOWING, *ROWS), table="t", on_drift="add_columns")
    assert any("c1" in change for change in writing.changes)
    assert rows(trial) == ROWS


@pytest.mark.parametrize(
    ("table", "names"),
    [
        ("id float8, c1 numeric(10,2), \"Na me\" int", ["Na me"]),
        ('id int, c1 float8, "Na me" text', ["c1"]),
        ('id int, c1 numeric(10,2), "Na me" bytea', ["Na me"]),
        ('id int, c1 numeric(10,2), "Na me" text, must int NOT NULL', ["must"]),
        ('id int GENERATED ALWAYS AS (1) STORED, c1 numeric(10,2), "Na me" text', ["id"]),
        ("id date, c1 boolean, \"Na me\" text", ["id", "c1"]),
    ],
)  # fmt: skip
def test_types_that_would_lose_are_named(trial: Trial, table: str, names: list[str]) -> None:
    trial.run(f"CREATE TABLE t ({table})")
    with pytest.raises(SchemaDrift) as drift:
        trial.prepare(arrow_schema(FLOWING), table="t")
    assert drift.value.details["columns"] == names


FITTING = [
    (T.INTEGER, {}, "numeric(5,0)", 99999, "99999"),
    (T.INTEGER, {}, "smallint", 7, "7"),
    (T.INTEGER, {"bits": 32}, "double precision", 7, "7"),
    (T.INTEGER, {}, "text", -7, "-7"),
    (T.DECIMAL, {"precision": 10, "scale": 4}, "numeric(8,2)", D("1.5000"), "1.50"),
    (T.DECIMAL, {}, "numeric(8,2)", "1.500", "1.50"),
    (T.DECIMAL, {}, "bigint", "15.0", "15"),
    (T.FLOAT, {"bits": 32}, "double precision", 0.5, "0.5"),
    (T.DATE, {}, "timestamp", dt.date(2024, 1, 1), "2024-01-01 00:00:00"),
    (
        T.DATETIME,
        {},
        "timestamp(3)",
        moment("0001-01-01 00:00:00.001"),
        "0001-01-01 00:00:00.001",
    ),
    (T.INTERVAL, {}, "time", "23:59:59", "23:59:59"),
    (T.JSON, {}, "jsonb", '{"b":1,"a":2}', '{"a": 2, "b": 1}'),
    (T.JSON, {}, "text", "[1,  2]", "[1,  2]"),
    (T.TEXT, {}, "json", "[1,  2]", "[1,  2]"),
    (T.TEXT, {}, "mood", "so-so", "so-so"),
    (T.TEXT, {}, "varchar(3)", "жжж", "жжж"),
    (T.TEXT, {}, "inet", "10.0.0.1/8", "10.0.0.1/8"),
    (T.OTHER, {}, "integer[]", "{1,2}", "{1,2}"),
    (T.OTHER, {}, "bit(3)", "101", "101"),
    (T.UUID, {}, "text", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    (T.INTEGER, {}, "short", 5, "5"),
]


@pytest.mark.parametrize(("kind", "more", "native", "value", "expected"), FITTING)
def test_what_fits_an_existing_column_keeps_its_value(
    trial: Trial, kind: T, more: dict[str, object], native: str, value: object, expected: str
) -> None:
    trial.run(
        "CREATE TYPE mood AS ENUM ('so-so')",
        "CREATE DOMAIN short AS smallint CHECK (value < 10)",
        f"CREATE TABLE t (n int, v {native})",
    )
    trial.write(one(kind, value, None, **more), table="t")
    assert trial.rows("SELECT v::text FROM t ORDER BY n") == [(expected,), (None,)]


UNFIT = [
    (T.INTEGER, {}, "smallint", 70000),
    (T.DECIMAL, {"precision": 10, "scale": 4}, "numeric(8,2)", D("1.5001")),
    (T.DECIMAL, {"precision": 20, "scale": 2}, "numeric(8,2)", D("1234567.00")),
    (T.DECIMAL, {}, "numeric(8,2)", "1.501"),
    (T.DECIMAL, {}, "bigint", "15.5"),
    (T.DATETIME, {}, "timestamp(3)", moment("0001-01-01 00:00:00.000001")),
    (T.INTERVAL, {}, "time", "838:59:59"),
    (T.TEXT, {}, "varchar(3)", "abcd"),
    (T.TEXT, {}, "varchar(3)", "ab    "),
    (T.TEXT, {}, "mood", "unknown"),
    (T.OTHER, {}, "bit(3)", "1010"),
    (T.INTEGER, {}, "short", 50),
    (T.TEXT, {}, "text", "a\0b"),
    (T.JSON, {}, "json", "{bad"),
]


@pytest.mark.parametrize(("kind", "more", "native", "value"), UNFIT)
def test_what_does_not_fit_fails_whole(
    trial: Trial, kind: T, more: dict[str, object], native: str, value: object
) -> None:
    trial.run(
        "CREATE TYPE mood AS ENUM ('so-so')",
        "CREATE DOMAIN short AS smallint CHECK (value < 10)",
        f"CREATE TABLE t (n int, v {native})",
    )
    with pytest.raises((ColumnRefused, TargetFailed)) as refused:
        trial.write(one(kind, None, value, **more), table="t")
    assert refused.value.details.get("column") == "v"
    assert trial.rows("SELECT count(*) FROM t") == [(0,)]


def test_odd_names(trial: Trial) -> None:
    names = ["a", "A", 'se"lect', "x" * 63, "ключ %s", "c3", "dragoman_column_1"]
    columns = tuple(FlowColumn(name, T.INTEGER, bits=32) for name in names)
    trial.run('CREATE SCHEMA "my %s schema"')
    for mode in ("append", "replace", "upsert"):
        trial.write(
            flow_of(columns, tuple(range(7))),
            table='"my %s schema"."t.""x"',
            write_mode=mode,
            primary_key=["A"],
        )
    with psycopg.connect(trial.url) as connection:
        cursor = connection.execute('SELECT * FROM "my %s schema"."t.""x"')
        assert [column.name for column in cursor.description or ()] == names
        assert cursor.fetchall() == [tuple(range(7))]


@pytest.mark.parametrize("name", ["", "x" * 64, "a\0b", "ctid"])
def test_names_that_no_column_can_have(trial: Trial, name: str) -> None:
    with pytest.raises(ColumnRefused):
        trial.write(flow_of((FlowColumn(name, T.TEXT),), ("a",)), table="t")


def test_identities_take_the_values_that_flow(trial: Trial) -> None:
    trial.run('CREATE TABLE t (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "Na me" text, c1 numeric)')
    trial.write(flow_of(FLOWING, *ROWS), table="t")
    trial.write(flow_of(FLOWING, *ROWS), table="t", write_mode="upsert", primary_key=["id"])
    assert rows(trial) == ROWS


def test_a_trigger_that_leaves_rows_out_is_not_passed_over(trial: Trial) -> None:
    trial.run(
        'CREATE TABLE t (id int, "Na me" text, c1 numeric)',
        "CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN IF NEW.id = 2 THEN RETURN NULL; END IF; RETURN NEW; END $$",
        "CREATE TRIGGER skip BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION skip()",
    )
    with pytest.raises(TargetFailed, match="trigger"):
        trial.write(flow_of(FLOWING, *ROWS), table="t")
    assert rows(trial) == []


def test_a_view_is_no_table(trial: Trial) -> None:
    trial.run("CREATE VIEW t AS SELECT 1 AS id")
    with pytest.raises(StepRefused):
        trial.prepare(arrow_schema(FLOWING), table="t")


def test_rights_are_known_before_a_row_moves(trial: Trial) -> None:
    trial.run(
        "DROP ROLE IF EXISTS weak",
        "CREATE ROLE weak LOGIN PASSWORD 'weak'",
        "CREATE TABLE t (id int)",
        "GRANT SELECT ON t TO weak",
        "CREATE SCHEMA closed",
    )
    host = trial.url.partition("@")[2]
    weak = Trial(f"postgresql://weak:weak@{host}", trial.workspace)
    try:
        for table in ("t", "closed.t", "nowhere.t"):
            with pytest.raises(EngineError):
                weak.prepare(arrow_schema(FLOWING[:1]), table=table)
        trial.run("GRANT CREATE ON SCHEMA public TO weak")
        with pytest.raises(TargetFailed, match="INSERT"):
            weak.prepare(arrow_schema(FLOWING[:1]), table="t")
    finally:
        trial.run("DROP OWNED BY weak", "DROP ROLE weak")


def test_a_lock_is_not_waited_for_for_ever(trial: Trial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.engine.components.postgres.server.LOCK_SECONDS", 1)
    trial.run('CREATE TABLE t (id int, "Na me" text, c1 numeric)')
    with psycopg.connect(trial.url) as holder:
        holder.execute("LOCK TABLE t IN EXCLUSIVE MODE")
        # Let alone it would wait for as long as this block holds the table: for ever.
        with pytest.raises(TransientFault):
            trial.write(flow_of(FLOWING, *ROWS), table="t")


def test_two_processes_make_the_ledger_at_once(trial: Trial) -> None:
    faults = list[BaseException]()

    def work(name: str) -> None:
        try:
            trial.write(flow_of(FLOWING, *ROWS), table=name)
        except EngineError as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(f"t{i}",)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert [rows(trial, f"t{i}") for i in range(4)] == [ROWS] * 4


def test_a_flow_that_breaks_leaves_the_table_as_it_was(trial: Trial) -> None:
    trial.write(flow_of(FLOWING, *ROWS), table="t")
    schema = arrow_schema(FLOWING)

    def breaking() -> Iterator[pa.RecordBatch]:
        yield pa.RecordBatch.from_pylist([{"id": 5, "Na me": "x", "c1": None}] * 5000, schema=schema)
        raise OSError("the source is gone")

    broken = Flow(FLOWING, reader=pa.RecordBatchReader.from_batches(schema, breaking()))
    with pytest.raises((EngineError, OSError)):
        trial.write(broken, table="t", write_mode="replace")
    assert rows(trial) == ROWS


def test_a_session_killed_while_staging_is_worth_another_try(trial: Trial) -> None:
    schema = arrow_schema(FLOWING)

    def interrupted() -> Iterator[pa.RecordBatch]:
        for i in range(40):
            if i == 20:
                trial.run(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name LIKE 'dragoman %'"
                )
            yield pa.RecordBatch.from_pylist([{"id": i, "Na me": "x" * 50, "c1": None}] * 5000, schema=schema)

    with pytest.raises(TransientFault):
        trial.write(Flow(FLOWING, reader=pa.RecordBatchReader.from_batches(schema, interrupted())), table="t")
    assert trial.rows("SELECT to_regclass('t')") == [(None,)]


def test_many_rows_with_keys_of_every_sort(trial: Trial) -> None:
    columns = (FlowColumn("id", T.UUID), FlowColumn("at", T.INSTANT), FlowColumn("sum", T.DECIMAL))
    start = dt.datetime(2024, 1, 1, tzinfo=dt.UTC)
    made = [(str(uuid.uuid4()), start + dt.timedelta(seconds=i), f"{i}.00") for i in range(5000)]
    for _ in range(2):
        _, staged = trial.write(
            flow_of(columns, *made), table="t", write_mode="upsert", primary_key=["id", "sum"]
        )
        assert staged == Staged(5000, staged.bytes, staged.token)
    assert trial.rows("SELECT count(*), sum(sum)::text FROM t") == [(5000, f"{sum(range(5000))}.00")]


def test_decimals_of_every_size_arrive_and_come_back(trial: Trial) -> None:
    sizes = [(precision, scale) for precision in range(1, 39) for scale in range(precision + 1)]
    for some in (sizes[i : i + 190] for i in range(0, len(sizes), 190)):
        columns = tuple(FlowColumn(f"d{p}_{s}", T.DECIMAL, precision=p, scale=s) for p, s in some)
        with decimal.localcontext(prec=50):
            digits = [(10**p - 1, 1 - 10**p, 1, 10 ** (p - 1), 0) for p, _ in some]
            made = [
                tuple(D(d[i]).scaleb(-s) for d, (_, s) in zip(digits, some, strict=True)) for i in range(5)
            ]
        trial.write(flow_of(columns, *made), table="t")
        plan, found = trial.read(table="t")
        assert [(each.precision, each.scale) for each in plan.columns] == some
        assert list(zip(*(column.to_pylist() for column in found.columns), strict=True)) == made
        trial.run("DROP TABLE t")
