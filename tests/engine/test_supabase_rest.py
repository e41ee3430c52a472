"""A Supabase project over REST: the real client, and `@supabase/lite` in front of a real PostgreSQL.

What this does not prove is said in the documentation: the hosted service has PostgREST, a gateway and limits
of its own, none of which run here.
"""

import dataclasses
import datetime as dt
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pyarrow as pa
import pytest

from dragoman.contracts.errors import ColumnRefused, SchemaDrift, StepRefused, TargetFailed, TransientFault
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.connections import ResolvedConnection, SecretText, Transport
from dragoman.databases.families.supabase.target import RestTarget
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import StepContext
from dragoman.engine.components.supabase import EXTRACTOR, WRITER, rest_extraction, rest_writer
from dragoman.engine.flow import Flow
from tests.engine.steps import step_context
from tests.engine.supabase_project import PUBLISHABLE, ROLES, SECRET, Project, rest_project
from tests.servers import MissingError, PostgresServer

T = ValueType
UPSERT = {"connection": "@cloud", "table": "items", "write_mode": "upsert", "primary_key": ["id"]}
TABLES = """
CREATE TABLE items (
  id bigint PRIMARY KEY, name text, price numeric(40,10), ratio float8, at timestamptz, day date,
  doc jsonb, raw bytea, mark uuid, flag boolean);
CREATE TABLE pairs (a int, b text, v int, PRIMARY KEY (a, b));
CREATE TABLE guarded (id int PRIMARY KEY, owner text);
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY seen ON guarded FOR SELECT TO anon USING (owner = 'all');
CREATE TABLE dragoman_ledger (run_id text, step text, part int, rows bigint, published_at timestamptz,
  PRIMARY KEY (run_id, step, part));
CREATE TABLE dragoman_cursors (pipeline text, step text, cursor text, run_id text,
  PRIMARY KEY (pipeline, step));
"""
COLUMNS = (
    FlowColumn("id", T.INTEGER),
    FlowColumn("name", T.TEXT),
    FlowColumn("price", T.DECIMAL),
    FlowColumn("ratio", T.FLOAT),
    FlowColumn("at", T.INSTANT),
    FlowColumn("day", T.DATE),
    FlowColumn("doc", T.JSON),
    FlowColumn("raw", T.BYTES),
    FlowColumn("mark", T.UUID),
    FlowColumn("flag", T.BOOLEAN),
)
HOSTILE = [
    (
        2**63 - 1, "NULL", "123456789012345678901234567890.0123456789", 0.1,
        dt.datetime(2024, 2, 29, 23, 59, 59, 999999, tzinfo=dt.UTC), dt.date(9999, 12, 31),
        '{"a": [1, "x"], "b": null}', bytes(range(256)), "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", True,
    ),
    (-(2**63), "", "-0.0000000001", -5e-324, None, dt.date(1, 1, 1), None, b"", None, False),
    (0, "a\tb\nc\r'\"\\😀e\u0301", None, None, None, None, "[]", None, None, None),
]  # fmt: skip


@pytest.fixture(scope="module")
def project(postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    with postgres_server.database() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(ROLES.encode())
            connection.execute(TABLES.encode())
        try:
            with rest_project(url, tmp_path_factory.mktemp("project")) as served:
                yield served
        except MissingError as missing:
            pytest.skip(f"no @supabase/lite: {missing}")


class Cloud:
    def __init__(self, project: Project, workspace: Path) -> None:
        self.project = project
        self.workspace = workspace

    @contextmanager
    def context(self, run_id: str = "", key: str = SECRET) -> Iterator[StepContext]:
        connection = ResolvedConnection(
            "supabase", Dialect.POSTGRES, Transport.REST, host="127.0.0.1", password=SecretText(key)
        )
        with step_context(self.workspace, {}, run_id=run_id) as context:
            yield dataclasses.replace(context, connect=lambda _: connection)

    def write(
        self, moving: Flow, run_id: str = "", cursor: CursorValue | None = None, **more: object
    ) -> None:
        config = {**UPSERT, **more}
        with self.context(run_id) as context:
            writing = WRITER.prepare(config, moving.columns, context)
            staged = WRITER.stage(config, writing, moving, context)
            WRITER.publish(config, writing, staged, cursor, context)
            WRITER.discard(config, writing.staging, context)

    def read(self, after: CursorValue | None = None, key: str = SECRET, **config: object) -> pa.Table:
        told = {"connection": "@cloud", **config}
        with self.context(key=key) as context:
            plan = EXTRACTOR.plan(told, after, None, context)
            self.cursor = plan.cursor
            with EXTRACTOR.open(told, plan, None, context) as moving:
                found = moving.batches(context.lane).read_all()
            assert found.schema.types == arrow_schema(plan.columns).types
            return found

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.project.database, autocommit=True) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            return connection.execute(query.encode()).fetchall() if "SELECT" in query else self._run(query)

    def _run(self, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.project.database, autocommit=True) as connection:
            connection.execute(query.encode())
        return []


@pytest.fixture
def cloud(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cloud:
    # A project is reached over https alone; the one of these tests has no certificate.
    def plain(connection: ResolvedConnection) -> RestTarget:
        key = connection.password.reveal() if connection.password else ""
        return RestTarget(project.base_url, key)

    monkeypatch.setattr("dragoman.engine.components.supabase.project.target_of", plain)
    made = Cloud(project, tmp_path)
    made.rows("TRUNCATE items, pairs, guarded, dragoman_ledger, dragoman_cursors")
    return made


def flow(*rows: tuple[object, ...], columns: tuple[FlowColumn, ...] = COLUMNS) -> Flow:
    schema = arrow_schema(columns)
    arrays = [pa.array([row[i] for row in rows], field.type) for i, field in enumerate(schema)]
    return Flow(columns, reader=pa.Table.from_arrays(arrays, schema=schema).to_reader())


KEPT = (
    "SELECT id, name, price::text, ratio, at, day, doc::text, raw, mark::text, flag FROM items"
    " ORDER BY id DESC"
)


def test_hostile_values_go_there_and_come_back(cloud: Cloud) -> None:
    """All but bytes, and numbers beyond what a double holds, which this server does not keep; see below."""
    without = [
        (i, row[1], None if row[2] is None else "12.5000000000", *row[3:7], None, *row[8:])
        for i, row in enumerate(HOSTILE)
    ]
    cloud.write(flow(*without))
    kept = cloud.rows(KEPT)
    assert kept == sorted(without, key=lambda row: -int(str(row[0])))
    found = cloud.read(table="items")
    names = [column.name for column in COLUMNS]
    assert found.sort_by("id").to_pylist() == [dict(zip(names, row, strict=True)) for row in reversed(kept)]


def test_what_is_sent_is_what_postgresql_reads(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgREST hands the body of a request to json_populate_recordset, and so does this test."""

    def inserted(_: object, table: str, rows: list[dict[str, object]], *__: object) -> None:
        if table == "items":
            with psycopg.connect(cloud.project.database, autocommit=True) as connection:
                connection.execute(
                    "INSERT INTO items SELECT * FROM json_populate_recordset(null::items, %s::json)",
                    [json.dumps(rows)],
                )

    monkeypatch.setattr(rest_writer, "upsert", inserted)
    odd = (1, "x", "NaN", -0.0, None, None, None, None, None, None)
    cloud.write(flow(*HOSTILE, odd))
    kept = cloud.rows(KEPT)
    assert kept == sorted([*HOSTILE, odd], key=lambda row: -int(str(row[0])))
    assert cloud.rows("SELECT ratio::text FROM items WHERE id = 1") == [("-0",)]


def test_upsert_is_the_same_done_twice(cloud: Cloud) -> None:
    columns = COLUMNS[:2]
    cloud.write(flow((1, "a"), (2, "b"), columns=columns))
    for _ in range(2):
        cloud.write(flow((2, "changed"), (3, "c"), columns=columns))
    assert cloud.rows("SELECT id, name FROM items ORDER BY id") == [(1, "a"), (2, "changed"), (3, "c")]


def test_more_rows_than_a_batch_and_than_a_page(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest_writer, "BATCH_ROWS", 70)
    monkeypatch.setattr(rest_extraction, "PAGE_ROWS", 64)
    columns = (
        FlowColumn("a", T.INTEGER, bits=32),
        FlowColumn("b", T.TEXT),
        FlowColumn("v", T.INTEGER, bits=32),
    )
    made = [(i // 7, f"k{i % 7}", i) for i in range(500)]
    cloud.write(flow(*made, columns=columns), table="pairs", primary_key=["a", "b"])
    assert cloud.rows("SELECT count(*), sum(v) FROM pairs") == [(500, sum(range(500)))]
    assert [tuple(row.values()) for row in cloud.read(table="pairs").to_pylist()] == made
    few = cloud.read(table="pairs", columns=["v"], filter="v >= 490 OR v = 3")
    assert few.column("v").to_pylist() == [3, *range(490, 500)]


def test_the_ledger_and_the_cursor_are_kept_where_they_can_be(cloud: Cloud) -> None:
    cursor = CursorValue(("id",), ("2",))
    for _ in range(2):
        cloud.write(flow((1, "a"), (2, "b"), columns=COLUMNS[:2]), "run-1", cursor)
    assert cloud.rows("SELECT run_id, step, part, rows FROM dragoman_ledger") == [("run-1", "step-1", 0, 2)]
    with cloud.context("run-1") as context:
        assert WRITER.published(UPSERT, None, context) == 2
        assert WRITER.cursor(UPSERT, context) == cursor
    # What the ledger knows is not sent again.
    cloud.rows("DELETE FROM items")
    cloud.write(flow((1, "a"), columns=COLUMNS[:2]), "run-1")
    assert cloud.rows("SELECT count(*) FROM items") == [(0,)]


def test_incremental_reading(cloud: Cloud) -> None:
    cloud.write(flow((1, "a"), (2, "b"), columns=COLUMNS[:2]))
    assert cloud.read(table="items", cursor=["id"]).column("id").to_pylist() == [1, 2]
    assert cloud.cursor == CursorValue(("id",), ("2",))
    cloud.write(flow((3, "c"), columns=COLUMNS[:2]))
    assert cloud.read(cloud.cursor, table="items", cursor=["id"]).column("id").to_pylist() == [3]
    assert cloud.read(cloud.cursor, table="items", cursor=["id"]).num_rows == 0


def test_a_key_reads_what_its_role_may_see(cloud: Cloud) -> None:
    cloud.rows("INSERT INTO guarded VALUES (1, 'all'), (2, 'me')")
    assert cloud.read(table="guarded").column("id").to_pylist() == [1, 2]
    assert cloud.read(key=PUBLISHABLE, table="guarded").column("id").to_pylist() == [1]


def test_what_a_policy_refuses_is_told(cloud: Cloud) -> None:
    columns = (FlowColumn("id", T.INTEGER, bits=32), FlowColumn("owner", T.TEXT))
    config = {**UPSERT, "table": "guarded"}
    with cloud.context(key=PUBLISHABLE) as context:
        writing = WRITER.prepare(config, columns, context)
        staged = WRITER.stage(config, writing, flow((1, "x"), columns=columns), context)
        with pytest.raises(TargetFailed):
            WRITER.publish(config, writing, staged, None, context)
    assert cloud.rows("SELECT count(*) FROM guarded") == [(0,)]


@pytest.mark.parametrize(
    "config",
    [
        {"write_mode": "append"},
        {"write_mode": "replace"},
        {"primary_key": []},
        {"on_drift": "add_columns"},
        {"table": "missing"},
    ],
)
def test_what_rest_cannot_do_is_refused(cloud: Cloud, config: dict[str, object]) -> None:
    with pytest.raises(StepRefused):
        cloud.write(flow((1, "a"), columns=COLUMNS[:2]), "", None, **config)


def test_what_does_not_fit_is_named(cloud: Cloud) -> None:
    for column in (FlowColumn("nope", T.TEXT), FlowColumn("flag", T.TEXT), FlowColumn("price", T.FLOAT)):
        with pytest.raises(SchemaDrift) as drift:
            cloud.write(flow((1, None), columns=(COLUMNS[0], column)))
        assert drift.value.details["columns"] == [column.name]
    with pytest.raises(SchemaDrift):
        cloud.write(flow((1, "a"), columns=COLUMNS[:2]), primary_key=["name"])


@pytest.mark.parametrize(
    ("column", "value"),
    [
        (COLUMNS[1], "a\0b"),
        (COLUMNS[6], '{"a": 1, "a": 2}'),
        (COLUMNS[6], '{"a": 1.00000000000000000000000000001}'),
        (COLUMNS[6], "{bad"),
    ],
)
def test_values_that_cannot_be_sent_stop_before_the_first_row(
    cloud: Cloud, column: FlowColumn, value: str
) -> None:
    moving = flow((1, None), (2, value), columns=(COLUMNS[0], column))
    with pytest.raises(ColumnRefused) as refused:
        cloud.write(moving)
    assert refused.value.details["column"] == column.name
    assert cloud.rows("SELECT count(*) FROM items") == [(0,)]


def test_a_project_that_is_away_is_worth_another_try(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    moving = flow((1, "a"), columns=COLUMNS[:2])
    with cloud.context() as context:
        writing = WRITER.prepare(UPSERT, moving.columns, context)
        staged = WRITER.stage(UPSERT, writing, moving, context)
        away = RestTarget("http://127.0.0.1:9", SECRET)
        monkeypatch.setattr("dragoman.engine.components.supabase.project.target_of", lambda _: away)
        with pytest.raises(TransientFault):
            WRITER.publish(UPSERT, writing, staged, None, context)
