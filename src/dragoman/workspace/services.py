"""Opens what the turns of a workspace need: its catalog, its reader, its planners, what runs a write."""

import logging
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dragoman.answering.effects import Effects, RunHeard, Runners, TableWritten, Written
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.homes import Notice, look_again
from dragoman.contracts import events as ev
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DragomanError, RunNotFound
from dragoman.contracts.program import Statement
from dragoman.contracts.taught import TaughtWord
from dragoman.contracts.vocabulary import EffectOutcome
from dragoman.locales.registry import every_language
from dragoman.packs.learned_words import forget_word, keep_words
from dragoman.planning.choice_planner import ChoicePlanner
from dragoman.planning.contract import Planner
from dragoman.planning.edit_planner import EditPlanner
from dragoman.planning.knowledge.graph_planner import GraphPlanner
from dragoman.planning.knowledge.knowledge_planner import AnyQuestionPlanner, KnowledgePlanner
from dragoman.planning.packs.planner import PackPlanner
from dragoman.planning.resolution_planner import ResolutionPlanner
from dragoman.planning.sql.sql_planner import SqlPlanner
from dragoman.planning.write_planner import WritePlanner
from dragoman.reading.message import Reader
from dragoman.reports.metrics_file import MetricsFile, tell_unrecorded
from dragoman.reports.settings import resolve_settings
from dragoman.reports.validation import OutputValidation
from dragoman.session.journal import Journal
from dragoman.session.log import SessionLog
from dragoman.turn import TurnServices
from dragoman.workspace.audience import Audience
from dragoman.workspace.evidence import roles_of
from dragoman.workspace.pipeline_planning import pipeline_planner
from dragoman.workspace.run_log import LazyRunLog
from dragoman.workspace.suggestions import Suggestions
from dragoman.workspace.table_planners import TablePlannerMaker, TablePlanners

if TYPE_CHECKING:
    from dragoman.planning.model.settings import OwnModel
    from dragoman.workspace.language_models import LanguageModels
    from dragoman.workspace.model_planners import OpenedModels


def noted(line: str) -> None:
    """Who uses the library hears of it from its log."""
    logging.getLogger("dragoman").info("%s", line)


class ServiceOpener:
    """The way from a folder to its databases. `home` has the connections and packs that are asked."""

    def __init__(
        self,
        folder: Path,
        home: Path,
        *,
        answer_always: bool = False,
        review: bool = True,
        notice: Notice | None = None,
        model: "OwnModel | None" = None,
        language_models: "Callable[[], LanguageModels] | None" = None,
    ) -> None:
        """`model` is asked in place of the `language_models` of the workspace."""
        self.folder = folder
        self.home = home
        self._notice = notice or noted
        self._answer_always = answer_always
        self._review = review
        self._model = model
        self._language_models = language_models

    def open(
        self,
        journal: Journal,
        metrics: MetricsFile,
        forget: Callable[[], None],
        log: SessionLog | None = None,
    ) -> TurnServices:
        """Everything that turns need, read. `forget` is called when what was read is old."""
        # A language from outside that cannot be used is said here, and not in the middle of a turn.
        every_language()
        catalog = Catalog(self.home, demo=self.home != self.folder)
        # The demo's home is built with its schema; a folder of the user's may have been written to since it
        # was last discovered.
        if self.home == self.folder:
            look_again(catalog, self._notice)
        # The catalog may outlive the workspace, in what was kept of it: it is given the folder alone.
        home = self.home
        catalog.run_log = LazyRunLog(self.folder, lambda: Audience(home))
        catalog.load()
        validation = OutputValidation(resolve_settings(os.environ), metrics, unrecorded=tell_unrecorded)

        tables = self._table_planners(catalog)
        reader = Reader(catalog)
        planners = _planners(tables, pipeline_planner(catalog, tables, reader, self.folder, self.home))
        models, roles = self._opened_models(catalog, tables, validation), roles_of(catalog)
        suggestions = Suggestions(self.home, reader, planners, catalog, tables.objector)
        return TurnServices(
            journal,
            reader,
            planners,
            catalog,
            validation,
            objector=tables.objector,
            last=models.planner if models is not None else None,
            runners=self._runners(forget),
            log=log,
            folder=self.folder,
            # Where only a pack is asked, its verbs say what they are for.
            suggested=suggestions.questions if tables.over else tuple,
            roles=roles if models is None else replace(roles, hire=models.hire),
        )

    def _runners(self, forget: Callable[[], None]) -> Runners:
        """What a yes does. `forget` is called where names or words are others afterwards."""

        def write(statement: Statement, run_id: str) -> Written:
            written = self._run_write(statement, run_id)
            forget()
            return written

        def keep(words: tuple[TaughtWord, ...]) -> None:
            keep_words(self.home, words)
            forget()

        def take_back(word: TaughtWord) -> None:
            forget_word(self.home, word)
            forget()

        return Runners(
            self._run_pipeline,
            write,
            self._replaced,
            keep,
            take_back,
            self._run_each,
            self._save,
            self._account,
        )

    def _table_planners(self, catalog: Catalog) -> TablePlanners:
        maker = TablePlannerMaker(
            catalog, self.home, self._notice, answer_always=self._answer_always, review=self._review
        )
        # The demo is asked through its pack alone. The tables behind it would only add readings
        # that nobody asked for.
        only_packs = self.home != self.folder and bool(catalog.packs.packs)
        return maker.none() if only_packs else maker.of_discovered()

    def _opened_models(
        self, catalog: Catalog, tables: TablePlanners, validation: OutputValidation
    ) -> "OpenedModels | None":
        """Who asks a language model. Where none is named, nothing of models is imported."""
        own, named = self._model, catalog.settings.models is not None and self._language_models is not None
        if own is None and not named:
            return None
        from dragoman.workspace.model_planners import opened_models

        models = own or (self._language_models().models if self._language_models is not None else None)
        return None if models is None else opened_models(models, tables, validation)

    def _run_write(self, statement: Statement, run_id: str) -> Written:
        """Run a write verb of a pack: one transaction, once for a run. Names are read again afterwards."""
        from dragoman.catalog.pack_databases import PackDatabases
        from dragoman.engine.pack_writes import run_write

        databases = PackDatabases(self.home)
        owned = databases.own.verbs[statement.verb]
        target, schema = databases.target(owned.pack), databases.schema(owned.pack)
        visibility = databases.visibility(owned.pack)
        done = run_write(
            owned.pack,
            statement,
            target,
            schema,
            run_id=run_id,
            viewer=databases.viewer,
            rules=visibility.rules if visibility is not None else {},
        )
        # Whoever creates a customer will name it in the next message.
        for entity in databases.own.entities.values():
            if entity.entity.create == statement.verb:
                databases.index(entity)
        return Written(EffectOutcome.DONE, done.rows, key=done.key)

    def _replaced(self, paths: Iterable[str]) -> tuple[str, ...]:
        from dragoman.workspace.pipelines import Pipelines

        return Pipelines(self.folder, home=self.home).targets.replaced(paths)

    def _run_pipeline(
        self, manifest: bytes, run_id: str, replaces: tuple[str, ...], cancel: Cancellation | None
    ) -> Written:
        """Run what a conversation wrote: with the connections of its home, into this folder."""
        # Imported for the yes alone: most conversations only read.
        from dragoman.workspace.pipeline_runs import run_written

        return run_written(self.folder, self.home, manifest, run_id, replaces, cancel)

    def _run_each(
        self,
        manifest: bytes,
        run_id: str,
        replaces: tuple[str, ...],
        cancel: Cancellation | None,
        progress: RunHeard,
    ) -> Written:
        """The same of a pipeline: each table by itself, and `progress` hears how far it is."""
        from dragoman.workspace.pipeline_runs import run_written

        return run_written(
            self.folder, self.home, manifest, run_id, replaces, cancel, keep_going=True, progress=progress
        )

    def _account(self, run_id: str) -> tuple[TableWritten, ...]:
        from dragoman.workspace.pipeline_runs import account_of

        return account_of(self.folder, self.home, run_id)

    def _save(self, path: str, text: str) -> None:
        from dragoman.workspace.pipeline_runs import save_program

        save_program(self.folder, path, text)

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
        from dragoman.workspace.pipeline_runs import outcome_of
        from dragoman.workspace.pipelines import Pipelines

        pipelines = Pipelines(self.folder, home=self.home)
        pipelines.settle()
        try:
            return outcome_of(pipelines.store.load(run_id))
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


def _planners(tables: TablePlanners, pipelines: Planner) -> tuple[Planner, ...]:
    """Cheap planners first: a certain proposal ends the asking, so a message that a pack explains whole never
    reaches the tables."""
    return (
        EditPlanner(),
        SqlPlanner(),
        ChoicePlanner(),
        GraphPlanner(),
        pipelines,
        KnowledgePlanner(),
        tables.words,
        ResolutionPlanner(),
        *tables.beside((WritePlanner(), PackPlanner())),
        *tables.over,
        # Last: it speaks where everybody else refuses.
        AnyQuestionPlanner(),
    )
