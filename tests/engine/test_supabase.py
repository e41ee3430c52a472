"""A Supabase project over its PostgreSQL: roles, row-level security, and what is made in an open schema."""

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import psycopg
import pyarrow as pa
import pytest

from dragoman.contracts.errors import EngineError, StepRefused, TargetFailed
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.component import StepContext
from dragoman.engine.components.supabase import EXTRACTOR, WRITER
from dragoman.engine.flow import Flow
from tests.engine.postgres_steps import Trial
from tests.engine.steps import step_context
from tests.engine.supabase_project import ROLES
from tests.servers import PostgresServer

COLUMNS = (FlowColumn("id", ValueType.INTEGER, bits=32), FlowColumn("owner", ValueType.TEXT))
CONFIG = {"connection": "@cloud", "table": "notes"}


def flow(*rows: tuple[int, str]) -> Flow:
    ids, owners = ([row[i] for row in rows] for i in range(2))
    table = pa.table({"id": pa.array(ids, pa.int32()), "owner": pa.array(owners, pa.string())})
    return Flow(COLUMNS, reader=table.to_reader())


class Cloud:
    """A database with a project's roles, and two users with a login: one that bypasses policies, one not."""

    def __init__(self, server: PostgresServer, url: str, workspace: Path) -> None:
        self.owner = Trial(url, workspace)
        self.owner.run(
            ROLES,
            "DROP ROLE IF EXISTS plain_user, service_user",
            "CREATE ROLE plain_user LOGIN PASSWORD 'plain' IN ROLE authenticated INHERIT",
            "CREATE ROLE service_user LOGIN PASSWORD 'service' BYPASSRLS IN ROLE service_role INHERIT",
            "GRANT CREATE, USAGE ON SCHEMA public TO plain_user, service_user",
            "ALTER DEFAULT PRIVILEGES FOR ROLE plain_user, service_user IN SCHEMA public"
            " GRANT ALL ON TABLES TO anon, authenticated, service_role",
            "CREATE TABLE notes (id int PRIMARY KEY, owner text)",
            "ALTER TABLE notes ENABLE ROW LEVEL SECURITY",
            "CREATE POLICY mine ON notes TO authenticated USING (owner = 'me') WITH CHECK (owner = 'me')",
            "INSERT INTO notes VALUES (1, 'me'), (2, 'you')",
        )
        self._host = url.partition("@")[2]

    def url(self, user: str, password: str) -> str:
        return f"supabase://{user}:{password}@{self._host}?sslmode=prefer"

    @contextmanager
    def context(self, user: str, password: str) -> Iterator[StepContext]:
        with step_context(self.owner.workspace, {"cloud": self.url(user, password)}) as context:
            yield context

    def write(self, user: str, password: str, moving: Flow, **config: object) -> None:
        told = {**CONFIG, **config}
        with self.context(user, password) as context:
            writing = WRITER.prepare(told, COLUMNS, context)
            staged = WRITER.stage(told, writing, moving, context)
            try:
                WRITER.publish(told, writing, staged, None, context)
            finally:
                WRITER.discard(told, writing.staging, context)

    def notes(self) -> list[tuple[object, ...]]:
        return self.owner.rows("SELECT id, owner FROM notes ORDER BY id")


@pytest.fixture
def cloud(postgres_server: PostgresServer, postgres_database: str, tmp_path: Path) -> Iterator[Cloud]:
    made = Cloud(postgres_server, postgres_database, tmp_path)
    yield made
    made.owner.run("DROP OWNED BY plain_user, service_user", "DROP ROLE plain_user, service_user")


def read(cloud: Cloud, user: str, password: str) -> list[object]:
    with cloud.context(user, password) as context:
        plan = EXTRACTOR.plan(CONFIG, None, None, context)
        with EXTRACTOR.open(CONFIG, plan, None, context) as moving:
            found: list[object] = moving.batches(context.lane).read_all().column("id").to_pylist()
            return found


def test_a_role_reads_what_it_may_see(cloud: Cloud) -> None:
    assert read(cloud, "plain_user", "plain") == [1]
    assert sorted(map(str, read(cloud, "service_user", "service"))) == ["1", "2"]


def test_rows_that_a_policy_refuses_fail_whole(cloud: Cloud) -> None:
    with pytest.raises(TargetFailed, match="row-level security"):
        cloud.write("plain_user", "plain", flow((3, "me"), (4, "you")))
    assert cloud.notes() == [(1, "me"), (2, "you")]
    assert not cloud.owner.leftovers()
    cloud.write("plain_user", "plain", flow((3, "me"), (4, "me")))
    assert [row[0] for row in cloud.notes()] == [1, 2, 3, 4]


def test_upsert_stops_at_rows_of_others(cloud: Cloud) -> None:
    upsert = {"write_mode": "upsert", "primary_key": ["id"]}
    with pytest.raises(TargetFailed):
        cloud.write("plain_user", "plain", flow((1, "me"), (2, "me")), **upsert)
    assert cloud.notes() == [(1, "me"), (2, "you")]
    cloud.write("service_user", "service", flow((2, "them"), (3, "me")), **upsert)
    assert cloud.notes() == [(1, "me"), (2, "them"), (3, "me")]


def test_replace_is_refused_where_rows_are_hidden(cloud: Cloud) -> None:
    with pytest.raises(StepRefused, match="hides rows"):
        cloud.write("plain_user", "plain", flow((3, "me")), write_mode="replace")
    cloud.write("service_user", "service", flow((9, "all")), write_mode="replace")
    assert cloud.notes() == [(9, "all")]


def test_what_is_made_is_closed_to_the_world(cloud: Cloud) -> None:
    cloud.write("service_user", "service", flow((1, "secret")), table="made")
    closed = cloud.owner.rows(
        "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        " AND NOT relrowsecurity"
    )
    assert closed == []
    with psycopg.connect(cloud.owner.url) as world:
        world.execute("SET ROLE anon")
        assert world.execute("SELECT * FROM made").fetchall() == []
        assert world.execute("SELECT * FROM dragoman_ledger").fetchall() == []
    assert cloud.owner.rows("SELECT * FROM made") == [(1, "secret")]


def test_the_transaction_pooler_is_refused_with_a_hint(cloud: Cloud) -> None:
    with cloud.context("plain_user", "plain") as context:
        connect = context.connect

        def pooled(alias: str) -> object:
            return msgspec.structs.replace(connect(alias), port=6543)

        through = dataclasses.replace(context, connect=pooled)  # type: ignore[arg-type]
        for refused in (
            lambda: EXTRACTOR.plan(CONFIG, None, None, through),
            lambda: WRITER.prepare(CONFIG, COLUMNS, through),
        ):
            with pytest.raises(EngineError) as told:
                refused()
            assert "5432" in told.value.hint
