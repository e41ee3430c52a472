"""Steps on a PostgreSQL of a test's own: what is put in by SQL, moved by components, and looked at again."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pyarrow as pa

from dragoman.contracts.flow import CursorValue, KeyRange
from dragoman.engine.carriers import arrow_schema, columns_of
from dragoman.engine.component import Config, Extraction, Staged, StepContext, Writing
from dragoman.engine.components.postgres import EXTRACTOR, WRITER
from dragoman.engine.flow import Flow
from tests.engine.steps import step_context


class Trial:
    """One database and one workspace; `@crm` is the database."""

    def __init__(self, url: str, workspace: Path) -> None:
        self.url = url
        self.workspace = workspace

    @contextmanager
    def context(self, run_id: str = "", step: str = "step-1") -> Iterator[StepContext]:
        with step_context(self.workspace, {"crm": self.url}, run_id=run_id, step=step) as context:
            yield context

    def run(self, *statements: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute("SET TimeZone = 'UTC'")
            return connection.execute(query.encode()).fetchall()

    def read(
        self, after: CursorValue | None = None, part: KeyRange | None = None, **config: object
    ) -> tuple[Extraction, pa.Table]:
        """What the extractor plans, and the rows that come; their schema is the one that was promised."""
        told: Config = {"connection": "@crm", **config}
        with self.context() as context:
            plan = EXTRACTOR.plan(told, after, None, context)
            with EXTRACTOR.open(told, plan, part, context) as flow:
                found = flow.batches(context.lane).read_all()
        promised = arrow_schema(plan.columns)
        assert found.schema.names == promised.names
        assert found.schema.types == promised.types
        return plan, found

    def prepare(self, schema: pa.Schema, **config: object) -> Writing:
        with self.context() as context:
            return WRITER.prepare({"connection": "@crm", **config}, columns_of(schema), context)

    def write(
        self,
        flow: Flow | pa.Table,
        run_id: str = "",
        cursor: CursorValue | None = None,
        publish: bool = True,
        **config: object,
    ) -> tuple[Writing, Staged]:
        told: Config = {"connection": "@crm", **config}
        moving = flow if isinstance(flow, Flow) else Flow.of(flow.to_reader())
        with self.context(run_id) as context:
            writing = WRITER.prepare(told, moving.columns, context)
            staged = WRITER.stage(told, writing, moving, context)
            if publish:
                WRITER.publish(told, writing, staged, cursor, context)
        return writing, staged

    def leftovers(self) -> Sequence[object]:
        """Staging tables that still stand there."""
        return [
            row[0] for row in self.rows("SELECT relname FROM pg_class WHERE relname LIKE 'dragoman_stage%'")
        ]
