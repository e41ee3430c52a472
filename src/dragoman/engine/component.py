"""What a component is to the engine. Whoever offers one of these three can stand in a pipeline.

A run goes: every step plans (connections are made, columns learnt, every refusal known; no row moves), then
writers stage what flows to them, then each publishes in one step that is visible as a whole or not at all.
"""

import dataclasses
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol, runtime_checkable

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.flow import ColumnWarning, CursorValue, FlowColumn, KeyRange
from dragoman.contracts.record import Record
from dragoman.contracts.run import RunLimits
from dragoman.contracts.verb import VerbSignature
from dragoman.databases.connections import ResolvedConnection
from dragoman.engine.file_targets import FileTargets
from dragoman.engine.flow import Flow
from dragoman.engine.run_database import Lane

Config = Mapping[str, object]
"""The arguments of a step as plain values: texts, numbers, booleans, lists, maps. They fit its signature."""


@dataclasses.dataclass(frozen=True)
class StepContext:
    """Where a step runs. `connect` gives a connection by its alias, its address judged; `lane` is the run's
    database for this step's thread; `rows` is told how many more rows passed; `folder` is
    scratch, gone with the run. `targets` judges the files that may be written, and `replaces` names those of
    somebody else's that may be replaced."""

    run_id: str
    pipeline: str
    step: str
    workspace: Path
    folder: Path
    lane: Lane
    limits: RunLimits
    cancel: Cancellation
    connect: Callable[[str], ResolvedConnection]
    rows: Callable[[int], None]
    targets: FileTargets
    replaces: tuple[str, ...] = ()
    mark: str = ""
    """The word by which a server's sessions of this run are known, should its process die."""


class Extraction(Record, frozen=True):
    """How a source will be read. `path` says by which way, in a word. `cursor` is the bound up to which an
    incremental extraction reads, fixed now."""

    columns: tuple[FlowColumn, ...]
    target: str
    path: str
    warnings: tuple[ColumnWarning, ...] = ()
    parts: tuple[KeyRange, ...] = ()
    cursor: CursorValue | None = None
    rows: int | None = None
    """An estimate, for progress."""
    holds: str = ""
    """What nobody can write to while it is read, if there is such a thing. Where the same run writes to it,
    it is read to its end first."""
    facts: str = ""
    """What the component wants to remember of its plan, in a form of its own."""


class Transformation(Record, frozen=True):
    columns: tuple[FlowColumn, ...]
    warnings: tuple[ColumnWarning, ...] = ()


class Writing(Record, frozen=True):
    """How a target will be written, decided before any row moves. `changes` says in words what will be made
    or altered in the target. `staging` is where the work stands until it is published: it is recorded before
    the first effect, so that it can be found and removed after a crash."""

    target: str
    staging: str
    warnings: tuple[ColumnWarning, ...] = ()
    changes: tuple[str, ...] = ()
    facts: str = ""
    """What the component wants to remember of its plan, in a form of its own."""
    holds: str = ""
    """What it writes to, in the words of `Extraction.holds`."""


class Staged(Record, frozen=True):
    """What is complete and not visible yet. `token` is how publishing knows it again after a crash."""

    rows: int
    bytes: int | None = None
    token: str = ""
    warnings: tuple[ColumnWarning, ...] = ()
    """What was found in the rows as they passed."""


@runtime_checkable
class Extractor(Protocol):
    @property
    def signature(self) -> VerbSignature: ...

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        """`after` is how far the target has got, `bound` how far an earlier try of this run was to read."""
        ...

    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> AbstractContextManager[Flow]:
        """The rows, of one part where the extraction has parts. The flow is good inside the block."""
        ...


@runtime_checkable
class Transform(Protocol):
    @property
    def signature(self) -> VerbSignature: ...

    def reshape(
        self, config: Config, inputs: Mapping[str, tuple[FlowColumn, ...]], context: StepContext
    ) -> Transformation:
        """What will come out, from the columns that go in. `inputs` are by the ids of their steps."""
        ...

    def apply(
        self, config: Config, inputs: Mapping[str, Flow], context: StepContext
    ) -> AbstractContextManager[Flow]: ...


@runtime_checkable
class Writer(Protocol):
    """Staging and publishing. `discard` may come at any time, any number of times, also long after a run:
    it removes what was staged and never what was published."""

    @property
    def signature(self) -> VerbSignature: ...

    def prepare(self, config: Config, columns: tuple[FlowColumn, ...], context: StepContext) -> Writing: ...

    def cursor(self, config: Config, context: StepContext) -> CursorValue | None:
        """How far this pipeline's incremental extraction has got, as the target remembers it."""
        ...

    def published(self, config: Config, staged: Staged | None, context: StepContext) -> int | None:
        """How many rows this run's step published into the target; None when it has not. `staged` is what the
        run recorded before it tried to, if it came so far."""
        ...

    def stage(self, config: Config, writing: Writing, flow: Flow, context: StepContext) -> Staged:
        """Take all of the flow into staging, which begins empty whatever an earlier try left there."""
        ...

    def publish(
        self,
        config: Config,
        writing: Writing,
        staged: Staged,
        cursor: CursorValue | None,
        context: StepContext,
    ) -> None:
        """Make it visible, as a whole, with its ledger row and the cursor. Done twice, it changes nothing."""
        ...

    def discard(self, config: Config, staging: str, context: StepContext) -> None: ...


Component = Extractor | Transform | Writer
