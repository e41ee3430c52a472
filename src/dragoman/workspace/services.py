"""Opens what the turns of a workspace need: its catalog, its reader, its planners, what runs a write."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.answering.effects import Effects, Runners, Written
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.homes import look_again
from dragoman.contracts import events as ev
from dragoman.contracts.errors import DragomanError, RunNotFound
from dragoman.contracts.places import STATE_FOLDER
from dragoman.contracts.program import Statement
from dragoman.contracts.run import RunRecord, RunStatus, StepState
from dragoman.contracts.vocabulary import EffectOutcome
from dragoman.planning.choice_planner import ChoicePlanner
from dragoman.planning.contract import Planner
from dragoman.planning.database_planner import DatabasePlanner
from dragoman.planning.edit_planner import EditPlanner
from dragoman.planning.packs.planner import PackPlanner
from dragoman.reading.message import Reader
from dragoman.reports.metrics_file import MetricsFile, tell_unrecorded
from dragoman.reports.settings import resolve_settings
from dragoman.reports.validation import OutputValidation
from dragoman.session.journal import Journal
from dragoman.session.log import SessionLog
from dragoman.turn import TurnServices

if TYPE_CHECKING:
    from dragoman.planning.database.joint import JointPlanner


class ServiceOpener:
    """The way from a folder to its databases. `home` has the connections and packs that are asked."""

    def __init__(self, folder: Path, home: Path, *, answer_always: bool = False, review: bool = True) -> None:
        self.folder = folder
        self.home = home
        self._answer_always = answer_always
        self._review = review

    def open(
        self,
        journal: Journal,
        metrics: MetricsFile,
        forget: Callable[[], None],
        log: SessionLog | None = None,
    ) -> TurnServices:
        """Everything that turns need, read. `forget` is called when what was read is old."""
        catalog = Catalog(self.home, demo=self.home != self.folder)
        # The demo's home is built with its schema; a folder of the user's may have been written to since it
        # was last discovered.
        if self.home == self.folder:
            look_again(catalog)
        catalog.load()
        validation = OutputValidation(resolve_settings(os.environ), metrics, unrecorded=tell_unrecorded)

        def write(statement: Statement, run_id: str) -> Written:
            written = self._run_write(statement, run_id)
            forget()
            return written

        tables = self._database_planner(catalog)
        # Cheap planners first: a certain proposal ends the asking, so a message that a pack explains whole
        # never reaches the tables.
        planners: tuple[Planner, ...] = (EditPlanner(), ChoicePlanner(), PackPlanner())
        return TurnServices(
            journal,
            Reader(catalog),
            planners if tables is None else (*planners, tables),
            catalog,
            validation,
            objector=tables.objections if tables is not None and self._review else None,
            runners=Runners(self._run_pipeline, write),
            log=log,
            folder=self.folder,
        )

    def _database_planner(self, catalog: Catalog) -> DatabasePlanner | None:
        """The planner over the default database, where that was discovered. The demo has its pack."""
        # The demo is asked through its pack alone. The tables behind it would only add readings
        # that nobody asked for.
        if self.home != self.folder and catalog.packs.packs:
            return None
        spec = catalog.default
        schema = catalog.visible_schema(spec) if spec is not None else None
        tables = catalog.tables_of(spec) if spec is not None else None
        if spec is None or schema is None or tables is None:
            return None

        # Opened with the first question that needs it: it reads the values of every column.
        def planner() -> "JointPlanner":
            from dragoman.databases.connections import open_connection, resolve
            from dragoman.databases.values import ValueIndex, origin_of, read_values
            from dragoman.planning.data_end import telling_rows
            from dragoman.planning.database.joint import JointPlanner
            from dragoman.planning.database.planner import QuestionPlanner
            from dragoman.planning.tables.table_planner import TablePlanner

            def joint(values: ValueIndex) -> JointPlanner:
                called = _called(catalog)
                phrases = TablePlanner(tables, schema, values, called=called)
                frames = QuestionPlanner(tables, schema, values, called)
                return JointPlanner(
                    frames,
                    phrases,
                    values,
                    lambda statement: telling_rows(statement, frames.things.graph, catalog),
                    reviews=self._review,
                )

            if catalog.guards(spec):
                # Values are not for everybody then: a question has to bring its own.
                return joint(ValueIndex(()))
            connection = resolve(spec, self.home)
            origin = origin_of(connection)
            with open_connection(connection) as reader:
                values = read_values(reader, schema, self.home / STATE_FOLDER / "values", origin)
            return joint(values)

        return DatabasePlanner(catalog, planner, answer_always=self._answer_always)

    def _run_write(self, statement: Statement, run_id: str) -> Written:
        """Run a write verb of a pack: one transaction, once for a run. Names are read again afterwards."""
        from dragoman.catalog.pack_databases import PackDatabases
        from dragoman.engine.pack_writes import run_write

        databases = PackDatabases(self.home)
        owned = databases.own.verbs[statement.verb]
        target, schema = databases.target(owned.pack), databases.schema(owned.pack)
        done = run_write(owned.pack, statement, target, schema, run_id=run_id, viewer=databases.viewer)
        # Whoever creates a customer will name it in the next message.
        for entity in databases.own.entities.values():
            if entity.entity.create == statement.verb:
                databases.index(entity)
        return Written(EffectOutcome.DONE, done.rows)

    def _run_pipeline(self, manifest: bytes, run_id: str) -> Written:
        """Run what a conversation wrote: with the connections of its home, into this folder."""
        # Imported for the yes alone: most conversations only read.
        from dragoman.workspace.pipelines import Pipelines

        record = Pipelines(self.folder, home=self.home).run(manifest, run_id=run_id).record
        problem = record.fault.message if record.fault is not None else ""
        rows = sum(step.rows or 0 for step in record.steps if step.mode == "write")
        return Written(_outcome(record), rows, problem)

    def settle_effect(self, effect: ev.EffectIntended) -> EffectOutcome:
        """What became of a run whose turn was interrupted: its record is finished or undone first."""
        try:
            if effect.effect == Effects.WRITE:
                return self._settled_write(effect.key)
            return self._settled_run(effect.key) if effect.effect == Effects.RUN else EffectOutcome.UNKNOWN
        # Settling must not fail the turn that comes next: "unknown" is an honest outcome, and is recorded as
        # one.
        except DragomanError:
            return EffectOutcome.UNKNOWN

    def _settled_run(self, run_id: str) -> EffectOutcome:
        from dragoman.workspace.pipelines import Pipelines

        pipelines = Pipelines(self.folder, home=self.home)
        pipelines.settle()
        try:
            return _outcome(pipelines.store.load(run_id))
        except RunNotFound:
            # It has a record before it does anything.
            return EffectOutcome.UNDONE

    def _settled_write(self, run_id: str) -> EffectOutcome:
        """A write verb stands in the ledger of its database, or it has changed nothing."""
        from dragoman.catalog.pack_databases import PackDatabases
        from dragoman.engine.pack_writes import was_written

        databases = PackDatabases(self.home)
        done = any(was_written(databases.target(pack), run_id) for pack in databases.own.packs)
        return EffectOutcome.DONE if done else EffectOutcome.UNDONE


def _called(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """What packs call the tables of their entities: those words help questions over the tables too."""
    found: dict[str, tuple[str, ...]] = {}
    for owned in catalog.packs.entities.values():
        words = (word for words in owned.entity.words.values() for word in words)
        found[owned.entity.table] = (*found.get(owned.entity.table, ()), *words, *owned.entity.title.values())
    return found


def _outcome(record: RunRecord) -> EffectOutcome:
    """Whether what a run was to write is there. A part of it is neither."""
    if record.status is RunStatus.DONE:
        return EffectOutcome.DONE
    begun = record.status is RunStatus.RUNNING
    published = any(step.mode == "write" and step.state is StepState.DONE for step in record.steps)
    return EffectOutcome.UNKNOWN if begun or published else EffectOutcome.UNDONE
