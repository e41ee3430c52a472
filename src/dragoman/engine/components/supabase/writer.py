"""A table of a Supabase project."""

from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.component import Config, Staged, StepContext, Writer, Writing
from dragoman.engine.components.postgres.writer import PostgresWriter
from dragoman.engine.components.supabase.project import rest_target
from dragoman.engine.flow import Flow


class SupabaseWriter:
    """What it makes in PostgreSQL is closed by row-level security from the start: the tables of a project's
    schema are open to the world otherwise."""

    def __init__(self) -> None:
        self._postgres = PostgresWriter("supabase.writer", guarded=True)

    @property
    def signature(self) -> VerbSignature:
        return self._postgres.signature

    def prepare(self, config: Config, columns: tuple[FlowColumn, ...], context: StepContext) -> Writing:
        return self._way(config, context).prepare(config, columns, context)

    def cursor(self, config: Config, context: StepContext) -> CursorValue | None:
        return self._way(config, context).cursor(config, context)

    def published(self, config: Config, staged: Staged | None, context: StepContext) -> int | None:
        return self._way(config, context).published(config, staged, context)

    def stage(self, config: Config, writing: Writing, flow: Flow, context: StepContext) -> Staged:
        return self._way(config, context).stage(config, writing, flow, context)

    def publish(
        self,
        config: Config,
        writing: Writing,
        staged: Staged,
        cursor: CursorValue | None,
        context: StepContext,
    ) -> None:
        self._way(config, context).publish(config, writing, staged, cursor, context)

    def discard(self, config: Config, staging: str, context: StepContext) -> None:
        self._way(config, context).discard(config, staging, context)

    def _way(self, config: Config, context: StepContext) -> Writer:
        target = rest_target(config, context)
        if target is None:
            return self._postgres
        from dragoman.engine.components.supabase.rest_writer import RestWriter

        return RestWriter(target, self.signature)
