"""SQLite both ways: every value as it was, published as a whole or not at all."""

import dataclasses
import multiprocessing
import os
import signal
import sqlite3
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    ColumnRefused,
    RunCancelled,
    SchemaDrift,
    SourceFailed,
    StepRefused,
    TargetFailed,
    TransientFault,
)
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.component import Extractor, Staged, StepContext, Writer
from dragoman.engine.components.sqlite import EXTRACTOR, WRITER
from dragoman.engine.components.sqlite.columns import carried_singly, declared_column
from dragoman.engine.components.sqlite.quick import carried_quickly
from dragoman.engine.flow import Flow
from tests.engine.flows import COLUMNS, flow_of, hostile_rows, rows_in, spelled
from tests.engine.steps import step_context
from tests.patience import LONGEST, PROMPT, Stopwatch, children, cpu_seconds, once

ID = FlowColumn("id", ValueType.INTEGER)
NAME = FlowColumn("name", ValueType.TEXT)
Rows = dict[str, list[Any]]


def urls(workspace: Path) -> dict[str, str]:
    return {"db": f"sqlite:///{workspace / 'data.db'}"}


def put(
    workspace: Path,
    columns: tuple[FlowColumn, ...],
    rows: Rows,
    *,
    run_id: str = "",
    cursor: CursorValue | None = None,
    **config: Any,
) -> Staged:
    settings = {"connection": "@db", "table": "t"} | config
    with step_context(workspace, urls(workspace), run_id=run_id) as context:
        writing = WRITER.prepare(settings, columns, context)
        staged = WRITER.stage(settings, writing, flow_of(columns, rows), context)
        WRITER.publish(settings, writing, staged, cursor, context)
    return staged


def get(
    workspace: Path, after: CursorValue | None = None, **config: Any
) -> tuple[dict[str, FlowColumn], Rows]:
    settings = {"connection": "@db"} | config
    with step_context(workspace, urls(workspace)) as context:
        extraction = EXTRACTOR.plan(settings, after, None, context)
        with EXTRACTOR.open(settings, extraction, None, context) as flow:
            return {column.name: column for column in extraction.columns}, rows_in(flow, context)


def database(workspace: Path, *statements: str) -> sqlite3.Connection:
    connection = sqlite3.connect(workspace / "data.db", isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    return connection


def test_they_are_components() -> None:
    assert isinstance(EXTRACTOR, Extractor)
    assert isinstance(WRITER, Writer)


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_hostile_values_come_back(tmp_path: Path, journal: str) -> None:
    database(tmp_path, f"PRAGMA journal_mode = {journal}", "CREATE TABLE other (x)").close()
    rows = hostile_rows()
    put(tmp_path, COLUMNS, rows)
    columns, back = get(tmp_path, table="t")
    assert list(columns) == [column.name for column in COLUMNS]
    for column in COLUMNS:
        expected: list[Any] = rows[column.name]
        if column.name == "unsigned":
            expected = [None if value is None else Decimal(value) for value in expected]
        if column.type is ValueType.FLOAT:
            expected = [0.0 if value == 0 else value for value in expected]
        assert spelled(back[column.name]) == spelled(expected), column.name
    changed = {"unsigned": ValueType.DECIMAL, "span": ValueType.TEXT}
    assert {name: column.type for name, column in columns.items()} == {
        column.name: changed.get(column.name, column.type) for column in COLUMNS
    }


def test_text_that_looks_like_a_number_stays_text(tmp_path: Path) -> None:
    columns = (
        NAME,
        FlowColumn("j", ValueType.JSON),
        FlowColumn("d", ValueType.DECIMAL, precision=38, scale=10),
    )
    rows: Rows = {"name": ["007", "1e5"], "j": ["1.10", "12"], "d": [Decimal("1.1234567890"), Decimal(0)]}
    put(tmp_path, columns, rows)
    _, back = get(tmp_path, table="t")
    assert back["name"] == rows["name"]
    assert back["j"] == rows["j"]
    assert spelled(back["d"]) == ["Decimal('1.1234567890')", "Decimal('0E-10')"]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (FlowColumn("v", ValueType.FLOAT), float("nan")),
        (FlowColumn("v", ValueType.DATE), -800_000),
        (FlowColumn("v", ValueType.INSTANT), 2**62),
    ],
)
def test_what_sqlite_cannot_keep_is_refused(tmp_path: Path, column: FlowColumn, value: Any) -> None:
    with pytest.raises(ColumnRefused) as caught:
        put(tmp_path, (ID, column), {"id": [1], "v": [value]})
    assert caught.value.details["column"] == "v"


def test_modes(tmp_path: Path) -> None:
    both = (ID, NAME)
    put(tmp_path, both, {"id": [1, 2], "name": ["a", "b"]}, primary_key=["id"])
    put(tmp_path, both, {"id": [3], "name": ["c"]})
    put(tmp_path, both, {"id": [2, 4], "name": ["B", "D"]}, write_mode="upsert", primary_key=["id"])
    assert get(tmp_path, table="t")[1] == {"id": [1, 2, 3, 4], "name": ["a", "B", "c", "D"]}
    connection = database(
        tmp_path,
        "CREATE INDEX by_name ON t (name)",
        "CREATE TABLE child (t INTEGER REFERENCES t (id) ON DELETE CASCADE)",
        "INSERT INTO child VALUES (4)",
    )
    put(tmp_path, both, {"id": [4, 9], "name": ["x", "y"]}, write_mode="replace")
    assert get(tmp_path, table="t")[1] == {"id": [4, 9], "name": ["x", "y"]}
    assert connection.execute("SELECT count(*) FROM child").fetchone() == (1,)
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'by_name'").fetchone() == (1,)
    with pytest.raises(TargetFailed, match="point at nothing"):
        put(tmp_path, both, {"id": [9], "name": ["y"]}, write_mode="replace")
    assert get(tmp_path, table="t")[1]["id"] == [4, 9]
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    connection.close()
    # What failed to be published is still staged: whoever runs it discards it.
    assert len([name for name in names if name.startswith("dragoman_stage_")]) == 1


@pytest.mark.parametrize("ids", [[1, 1], [None]])
def test_a_key_twice_or_missing(tmp_path: Path, ids: list[int | None]) -> None:
    database(tmp_path, "CREATE TABLE t (id INTEGER UNIQUE, name TEXT)").close()
    with pytest.raises(TargetFailed):
        put(
            tmp_path,
            (ID, NAME),
            {"id": ids, "name": ["a"] * len(ids)},
            write_mode="upsert",
            primary_key=["id"],
        )


@pytest.mark.parametrize(
    "config",
    [
        {"write_mode": "upsert"},
        {"write_mode": "upsert", "primary_key": ["name"]},
        {"write_mode": "upsert", "primary_key": ["nowhere"]},
        {"table": "sqlite_master"},
        {"table": "dragoman_ledger"},
        {"table": "v"},
    ],
)
def test_steps_that_are_refused(tmp_path: Path, config: dict[str, Any]) -> None:
    database(
        tmp_path, "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)", "CREATE VIEW v AS SELECT 1"
    ).close()
    with pytest.raises(StepRefused):
        put(tmp_path, (ID, NAME), {"id": [1], "name": ["a"]}, **config)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("CREATE TABLE t (id INTEGER)", "name"),
        ("CREATE TABLE t (id INTEGER, name NUMERIC)", "name"),
        ("CREATE TABLE t (id TEXT, name TEXT)", "id"),
        ("CREATE TABLE t (id INTEGER, name TEXT, more TEXT NOT NULL)", "more"),
        ("CREATE TABLE t (id INTEGER, name TEXT AS ('x'))", "name"),
    ],
)
def test_drift_is_met_before_any_row_moves(tmp_path: Path, table: str, column: str) -> None:
    database(tmp_path, table).close()
    with step_context(tmp_path, urls(tmp_path)) as context, pytest.raises(SchemaDrift) as caught:
        WRITER.prepare({"connection": "@db", "table": "t"}, (ID, NAME), context)
    assert caught.value.details["columns"] == [column]


def test_columns_are_added(tmp_path: Path) -> None:
    database(tmp_path, "CREATE TABLE t (ID INTEGER)", "INSERT INTO t VALUES (1)").close()
    put(tmp_path, (ID, NAME), {"id": [2], "name": ["b"]}, on_drift="add_columns")
    assert get(tmp_path, table="t")[1] == {"ID": [1, 2], "name": [None, "b"]}


def test_names_that_sqlite_does_not_tell_apart(tmp_path: Path) -> None:
    with pytest.raises(ColumnRefused):
        put(tmp_path, (NAME, FlowColumn("NAME", ValueType.TEXT)), {"name": [], "NAME": []})


def test_publishing_twice_changes_nothing(tmp_path: Path) -> None:
    config = {"connection": "@db", "table": "t"}
    cursor = CursorValue(("id",), ("2",))
    with step_context(tmp_path, urls(tmp_path)) as context:
        writing = WRITER.prepare(config, (ID,), context)
        assert WRITER.published(config, None, context) is None
        staged = WRITER.stage(config, writing, flow_of((ID,), {"id": [1, 2]}), context)
        assert WRITER.published(config, staged, context) is None
        for _ in range(2):
            WRITER.publish(config, writing, staged, cursor, context)
        assert WRITER.published(config, staged, context) == 2
        assert WRITER.cursor(config, context) == cursor
        WRITER.discard(config, writing.staging, context)
    assert get(tmp_path, table="t")[1] == {"id": [1, 2]}


def test_discard_and_lost_staging(tmp_path: Path) -> None:
    config = {"connection": "@db", "table": "t"}
    with step_context(tmp_path, urls(tmp_path)) as context:
        writing = WRITER.prepare(config, (ID,), context)
        WRITER.discard(config, writing.staging, context)
        staged = WRITER.stage(config, writing, flow_of((ID,), {"id": [1, 2]}), context)
        for _ in range(2):
            WRITER.discard(config, writing.staging, context)
        with pytest.raises(TransientFault):
            WRITER.publish(config, writing, staged, None, context)
    connection = database(tmp_path)
    assert connection.execute("SELECT name FROM sqlite_master WHERE name = 't'").fetchall() == []
    connection.close()


def test_a_busy_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dragoman.engine.components.sqlite import writer

    monkeypatch.setattr(writer, "_PATIENCE_SECONDS", 0.1)
    connection = database(tmp_path, "CREATE TABLE t (id INTEGER)", "BEGIN EXCLUSIVE")
    with pytest.raises(TransientFault):
        put(tmp_path, (ID,), {"id": [1]})
    connection.close()


def _die(workspace: Path, ready: Any) -> None:
    def tell(count: int) -> None:
        ready.set()

    config = {"connection": "@db", "table": "t", "write_mode": "replace"}
    with step_context(workspace, urls(workspace), run_id="killed") as context:
        told: StepContext = dataclasses.replace(context, rows=tell)
        writing = WRITER.prepare(config, (ID,), told)
        endless = Flow((ID,), relation="SELECT range AS id FROM range(100000000)")
        WRITER.stage(config, writing, endless, told)


def test_a_kill_in_the_middle_leaves_the_table_as_it_was(tmp_path: Path) -> None:
    put(tmp_path, (ID,), {"id": [1, 2, 3]})
    spawn = multiprocessing.get_context("spawn")
    ready = spawn.Event()
    child = spawn.Process(target=_die, args=(tmp_path, ready))
    child.start()
    assert ready.wait(LONGEST)
    assert child.pid is not None
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    assert get(tmp_path, table="t")[1] == {"id": [1, 2, 3]}
    config = {"connection": "@db", "table": "t", "write_mode": "replace"}
    with step_context(tmp_path, urls(tmp_path), run_id="killed") as context:
        assert WRITER.published(config, None, context) is None
    put(tmp_path, (ID,), {"id": [9]}, run_id="killed", write_mode="replace")
    assert get(tmp_path, table="t")[1] == {"id": [9]}


def test_cancelling_a_write_and_a_read(tmp_path: Path) -> None:
    config = {"connection": "@db", "table": "t"}
    endless = Flow((ID,), relation="SELECT range AS id FROM range(100000000)")
    cancel = Cancellation()
    stop = Stopwatch(cancel.cancel)
    with step_context(tmp_path, urls(tmp_path), cancel=cancel) as context:
        # The first rows that are written say that the work has begun.
        told = dataclasses.replace(context, rows=lambda count: None if cancel.cancelled else stop())
        writing = WRITER.prepare(config, (ID,), told)
        with pytest.raises(RunCancelled):
            WRITER.stage(config, writing, endless, told)
        assert stop.seconds < PROMPT
    cancel = Cancellation()
    query = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT sum(n) AS s FROM r"
    with (
        step_context(tmp_path, urls(tmp_path), cancel=cancel) as context,
        once(_computes, cancel.cancel, "the query computes"),
        pytest.raises(RunCancelled),
    ):
        EXTRACTOR.plan({"connection": "@db", "query": query}, None, None, context)


def _computes() -> bool:
    """Whether the process of a query has worked for longer than it takes to start one."""
    return any(cpu_seconds(pid) > 2.0 for pid in children())


@pytest.mark.parametrize(
    ("declared", "value"),
    [
        ("INTEGER", "'x'"),
        ("INTEGER", "1.5"),
        ("REAL", "'x'"),
        ("BOOLEAN", "2"),
        ("DATE", "'2020-02-30'"),
        ("DATE", "20200101"),
        ("DATETIME", "1577836800"),
        ("TIMESTAMPTZ", "'2020-01-01 00:00:00'"),
        ("UUID", "'none'"),
        ("TEXT", "x'00'"),
        ("BLOB", "'text'"),
        ("DECIMAL(5,2)", "12345.678"),
        ("DECIMAL(5,2)", "'x'"),
        ("TEXT", "CAST(x'ff' AS TEXT)"),
        ("", "1), ('x'"),
    ],
)
def test_a_cell_that_is_not_what_its_column_promises(tmp_path: Path, declared: str, value: str) -> None:
    database(tmp_path, f"CREATE TABLE t (id INTEGER, v {declared})").close()
    connection = database(tmp_path)
    connection.execute(f"INSERT INTO t (v) VALUES ({value})")
    connection.close()
    with pytest.raises(ColumnRefused) as caught:
        get(tmp_path, table="t")
    assert caught.value.details["column"] == "v"


def test_queries(tmp_path: Path) -> None:
    database(
        tmp_path,
        'CREATE TABLE "odd ""t" ("a b" INTEGER, "select" DECIMAL(10,2), n)',
        'INSERT INTO "odd ""t" VALUES (1, 2.5, 7), (2, 3, 7.5)',
    ).close()
    columns, rows = get(tmp_path, query='SELECT "a b" AS x, "select" * 2 AS y, "select" AS z FROM "odd ""t"')
    assert [columns[name].type.value for name in "xyz"] == ["integer", "float", "decimal"]
    assert rows == {"x": [1, 2], "y": [5.0, 6.0], "z": [Decimal("2.50"), Decimal("3.00")]}
    _, rows = get(tmp_path, table='odd "t', columns=["n", "a b"], filter='"a b" > 1')
    assert list(rows.items()) == [("n", [7.5]), ("a b", [2])]
    assert get(tmp_path, table='odd "t', columns=["n"])[1] == {"n": [7.0, 7.5]}


@pytest.mark.parametrize(
    "config",
    [
        {"query": "DELETE FROM t"},
        {"query": "SELECT 1; SELECT 2"},
        {"query": "SELECT load_extension('x')"},
        {"query": "SELECT * FROM sqlite_master"},
        {"table": "t", "filter": "1) OR (1 = 1; DROP TABLE t"},
        {"table": "t", "filter": "id = 1 UNION SELECT 1"},
        {"table": "t", "columns": ["nope"]},
        {"table": "nope"},
        {"table": "t", "cursor": ["nope"]},
    ],
)
def test_what_may_not_be_asked(tmp_path: Path, config: dict[str, Any]) -> None:
    database(tmp_path, "CREATE TABLE t (id INTEGER)").close()
    with pytest.raises(StepRefused):
        get(tmp_path, **config)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(SourceFailed):
        get(tmp_path, table="t")


def test_cursors_with_ties(tmp_path: Path) -> None:
    connection = database(
        tmp_path,
        "CREATE TABLE t (day TEXT, id INTEGER, v TEXT)",
        "INSERT INTO t VALUES ('a', 1, 'x'), ('a', 2, 'y'), ('b', 1, 'z'), (NULL, 5, 'never')",
    )
    config = {"connection": "@db", "table": "t", "cursor": ["day", "id"], "columns": ["v"]}
    with step_context(tmp_path, urls(tmp_path)) as context:
        first = EXTRACTOR.plan(config, CursorValue(("day", "id"), ("a", "1")), None, context)
        connection.execute("INSERT INTO t VALUES ('c', 1, 'later')")
        with EXTRACTOR.open(config, first, None, context) as flow:
            assert rows_in(flow, context) == {"v": ["y", "z"]}
        assert first.cursor == CursorValue(("day", "id"), ("b", "1"))
        assert [warning.rule for warning in first.warnings] == ["null_cursor_not_read"] * 2
        second = EXTRACTOR.plan(config, first.cursor, None, context)
        with EXTRACTOR.open(config, second, None, context) as flow:
            assert rows_in(flow, context) == {"v": ["later"]}
        third = EXTRACTOR.plan(config, second.cursor, None, context)
        with EXTRACTOR.open(config, third, None, context) as flow:
            assert rows_in(flow, context) == {"v": []}
        connection.execute("DELETE FROM t")
        empty = EXTRACTOR.plan(config, None, None, context)
        assert empty.cursor is None
        with EXTRACTOR.open(config, empty, None, context) as flow:
            assert rows_in(flow, context) == {"v": []}
    connection.close()


STORED = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([0, 1]),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.binary(max_size=3),
    st.dates().map(str),
    st.times().map(str),
    st.datetimes().map(str),
    st.datetimes().map(lambda moment: f"{moment}+02:00"),
    st.decimals(allow_nan=False, allow_infinity=False, places=2, max_value=999, min_value=-999).map(str),
    st.sampled_from(
        ["2020-02-30", "2020-01-01", "24:00:00", "2020-01-01 25:00:00", "1e3", "-0", "0001-01-01"]
    ),
)
KINDS = st.sampled_from(
    [
        "INTEGER",
        "REAL",
        "TEXT",
        "BLOB",
        "BOOLEAN",
        "DATE",
        "TIME",
        "DATETIME",
        "TIMESTAMPTZ",
        "DECIMAL(5,2)",
        "JSON",
    ]
)


@given(KINDS, st.lists(STORED, max_size=4))
def test_many_cells_at_a_time_give_what_each_gives(native: str, cells: list[Any]) -> None:
    column = declared_column("v", native)
    assert column is not None
    quick = carried_quickly(column, cells)
    if quick is not None:
        assert spelled(quick.to_pylist()) == spelled(carried_singly(column, cells).to_pylist())
