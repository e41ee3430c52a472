"""SQL that people write, in a process that can reach nothing: over steps, and over DuckDB files."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    ColumnRefused,
    EngineError,
    RunCancelled,
    RunLimitExceeded,
    SourceFailed,
    StepRefused,
)
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.contracts.run import RunLimits
from dragoman.contracts.schema import ValueType
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Extractor, Transform
from dragoman.engine.components.duckdb import EXTRACTOR, TRANSFORM
from dragoman.engine.components.files import WRITER
from dragoman.engine.flow import Flow
from tests.engine.flows import COLUMNS, flow_of, hostile_rows, rows_in, spelled
from tests.engine.steps import step_context
from tests.patience import PROMPT, Stopwatch, children, cpu_seconds, once

ID = FlowColumn("id", ValueType.INTEGER)
NAME = FlowColumn("name", ValueType.TEXT)
Rows = dict[str, list[Any]]
USERS: Rows = {"id": [3, 1, 2], "name": ["c", "a", None]}


def ran(workspace: Path, query: str, limits: RunLimits | None = None) -> tuple[dict[str, FlowColumn], Rows]:
    config = {"query": query}
    with step_context(workspace, {}, limits=limits) as context:
        shape = TRANSFORM.reshape(config, {"extract-users": (ID, NAME)}, context)
        with TRANSFORM.apply(config, {"extract-users": flow_of((ID, NAME), USERS)}, context) as flow:
            assert flow.columns == shape.columns
            return {column.name: column for column in flow.columns}, rows_in(flow, context)


def test_they_are_components() -> None:
    assert isinstance(TRANSFORM, Transform)
    assert isinstance(EXTRACTOR, Extractor)


def test_steps_are_tables_under_both_names(tmp_path: Path) -> None:
    query = (
        'SELECT u.name, v.id FROM extract_users AS u JOIN "extract-users" AS v USING (id) ORDER BY id DESC'
    )
    assert ran(tmp_path, query)[1] == {"name": ["c", None, "a"], "id": [3, 2, 1]}


def test_sums_and_types(tmp_path: Path) -> None:
    columns, rows = ran(
        tmp_path,
        "SELECT sum(id) AS s, avg(id) AS a, count(*) AS c, CAST(1.5 AS DECIMAL(10,3)) AS d, "
        "CAST('2020-01-01' AS DATE) AS day, NULL AS n, CAST(0.1 AS REAL) AS r FROM extract_users",
    )
    assert [column.type.value for column in columns.values()] == [
        "decimal",
        "float",
        "integer",
        "decimal",
        "date",
        "integer",
        "float",
    ]
    assert rows["s"] == [Decimal(6)]
    assert spelled(rows["d"]) == ["Decimal('1.500')"]
    assert rows["n"] == [None]


def test_hostile_values_pass_through(tmp_path: Path) -> None:
    rows = hostile_rows()
    config = {"query": "SELECT * FROM step_in"}
    with step_context(tmp_path, {}) as context:
        shape = TRANSFORM.reshape(config, {"step-in": COLUMNS}, context)
        with TRANSFORM.apply(config, {"step-in": flow_of(COLUMNS, rows)}, context) as flow:
            back = rows_in(flow, context)
    for column in COLUMNS:
        assert spelled(back[column.name]) == spelled(rows[column.name]), column.name
    kinds = {column.name: column.type for column in shape.columns}
    assert kinds == {c.name: c.type for c in COLUMNS} | {"endless": ValueType.TEXT, "span": ValueType.TEXT}
    assert [w.rule for w in shape.warnings] == ["decimal_as_text", "interval_as_text"]


def test_an_order_is_kept_up_to_the_file(tmp_path: Path) -> None:
    numbers = pa.RecordBatchReader.from_batches(
        arrow_schema((ID,)),
        iter([pa.RecordBatch.from_arrays([pa.array(range(300_000))], schema=arrow_schema((ID,)))]),
    )
    config, target = {"query": "SELECT id FROM a ORDER BY id DESC"}, {"format": "csv", "path": "x.csv"}
    with step_context(tmp_path, {}) as context:
        with TRANSFORM.apply(config, {"a": Flow((ID,), reader=numbers)}, context) as flow:
            writing = WRITER.prepare(target, flow.columns, context)
            staged = WRITER.stage(target, writing, flow, context)
        WRITER.publish(target, writing, staged, None, context)
    lines = (tmp_path / "x.csv").read_text().split()
    assert lines[1:] == [str(number) for number in reversed(range(300_000))]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM other",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "COPY extract_users TO '/tmp/x'",
        "ATTACH '/tmp/x'",
        "SELECT * FROM duckdb_settings()",
        "SELECT getenv('HOME')",
        "INSTALL httpfs",
        "SET threads = 1",
        "SELECT 1; SELECT 2",
        "",
    ],
)
def test_what_may_not_be_asked(tmp_path: Path, query: str) -> None:
    with pytest.raises(StepRefused):
        ran(tmp_path, query)


@pytest.mark.parametrize(
    ("query", "column"),
    [
        ("SELECT [id] AS v FROM extract_users", "v"),
        ("SELECT {'a': id} AS v FROM extract_users", "v"),
        ("SELECT INTERVAL 1 DAY AS v FROM extract_users", "v"),
        ("SELECT CAST('170141183460469231731687303715884105727' AS HUGEINT) AS v FROM extract_users", "v"),
        ("SELECT CAST('2020-01-01 00:00:00.000000001' AS TIMESTAMP_NS) AS v FROM extract_users", "v"),
    ],
)
def test_columns_without_a_carrier(tmp_path: Path, query: str, column: str) -> None:
    with pytest.raises(ColumnRefused) as caught:
        ran(tmp_path, query)
    assert caught.value.details["column"] == column


def test_a_query_that_fails(tmp_path: Path) -> None:
    for query in ("SELECT nope FROM extract_users", "SELECT CAST(name AS INTEGER) AS n FROM extract_users"):
        with pytest.raises(SourceFailed, match="DuckDB refused"):
            ran(tmp_path, query)


ENDLESS = "SELECT count(*) AS n FROM range(10000000000) AS a, range(10000000000) AS b, extract_users"


def _computes() -> bool:
    """Whether the process of a query has worked for longer than it takes to start one."""
    return any(cpu_seconds(pid) > 2.0 for pid in children())


def test_cancelling_kills_the_process(tmp_path: Path) -> None:
    cancel = Cancellation()
    config = {"query": ENDLESS}
    with step_context(tmp_path, {}, cancel=cancel) as context:
        stop = Stopwatch(cancel.cancel)
        with (
            once(_computes, stop, "the process of the query computes"),
            pytest.raises(RunCancelled),
            TRANSFORM.apply(config, {"extract-users": flow_of((ID, NAME), USERS)}, context) as flow,
        ):
            rows_in(flow, context)
        assert stop.seconds < PROMPT
        assert list(context.folder.glob("sql-*")) == []


def test_time_is_bounded(tmp_path: Path) -> None:
    with pytest.raises(RunLimitExceeded):
        ran(tmp_path, ENDLESS, RunLimits(seconds=2.0))


def test_what_does_not_fit_into_memory_goes_to_disk(tmp_path: Path) -> None:
    distinct = "SELECT DISTINCT md5(CAST(range AS VARCHAR)) AS h FROM range(3000000)"
    query = f"SELECT count(*) AS n FROM ({distinct}), extract_users"
    assert ran(tmp_path, query)[1] == {"n": [9_000_000]}


def test_names_that_duckdb_does_not_tell_apart(tmp_path: Path) -> None:
    columns = (NAME, FlowColumn("NAME", ValueType.TEXT))
    with step_context(tmp_path, {}) as context, pytest.raises(ColumnRefused):
        TRANSFORM.reshape({"query": "SELECT 1 AS x FROM a"}, {"a": columns}, context)


@pytest.fixture
def url(tmp_path: Path) -> dict[str, str]:
    path = tmp_path / "data.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute('CREATE TABLE users (id BIGINT, day DATE, "odd ""name" DECIMAL(38, 4), h HUGEINT)')
        connection.execute("INSERT INTO users VALUES (1, '2020-01-01', 1.5, 7), (2, '2020-01-02', NULL, 8)")
        connection.execute("CREATE SCHEMA other")
        connection.execute(
            "CREATE TABLE other.t AS SELECT 5::UBIGINT AS u, 'a'::ENUM('a') AS e, uuid() AS id"
        )
        connection.execute("CREATE VIEW leak AS SELECT * FROM read_text('/etc/passwd')")
    return {"db": f"duckdb:///{path}"}


def read(workspace: Path, urls: dict[str, str], **config: Any) -> Rows:
    settings = {"connection": "@db"} | config
    with step_context(workspace, urls) as context:
        extraction = EXTRACTOR.plan(settings, None, None, context)
        with EXTRACTOR.open(settings, extraction, None, context) as flow:
            return rows_in(flow, context)


def test_reading_tables(tmp_path: Path, url: dict[str, str]) -> None:
    rows = read(tmp_path, url, table="users", filter="id > 1 OR day < DATE '2020-01-02'")
    assert rows["id"] == [1, 2]
    assert rows["h"] == [Decimal(7), Decimal(8)]
    assert read(tmp_path, url, table="users", columns=['odd "name'])['odd "name'] == [Decimal("1.5000"), None]
    assert read(tmp_path, url, table="other.t", columns=["u", "e"]) == {"u": [5], "e": ["a"]}
    assert read(tmp_path, url, query="SELECT max(id) AS m FROM users") == {"m": [2]}


@pytest.mark.parametrize(
    "config",
    [
        {"table": "leak"},
        {"table": "nope"},
        {"table": "users", "filter": "1 = 1; DROP TABLE users"},
        {"table": "users", "filter": "id IN (SELECT 1 FROM read_csv('/etc/passwd'))"},
        {"table": "users", "columns": ["nope"]},
        {"query": "SELECT * FROM read_text('/etc/passwd')"},
        {"query": "DELETE FROM users"},
    ],
)
def test_reading_what_may_not_be_read(tmp_path: Path, url: dict[str, str], config: dict[str, Any]) -> None:
    with pytest.raises(EngineError):
        read(tmp_path, url, **config)


def test_cursors(tmp_path: Path, url: dict[str, str]) -> None:
    config = {"connection": "@db", "table": "users", "cursor": ["day", "id"], "columns": ["id"]}
    with step_context(tmp_path, url) as context:
        first = EXTRACTOR.plan(config, CursorValue(("day", "id"), ("2020-01-01", "1")), None, context)
        assert first.cursor == CursorValue(("day", "id"), ("2020-01-02", "2"))
        with EXTRACTOR.open(config, first, None, context) as flow:
            assert rows_in(flow, context) == {"id": [2]}
        second = EXTRACTOR.plan(config, first.cursor, None, context)
        with EXTRACTOR.open(config, second, None, context) as flow:
            assert rows_in(flow, context) == {"id": []}
