"""What a yes does outside the session: the runners of programs that write."""

from collections.abc import Callable, Iterable
from enum import StrEnum

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import InternalError
from dragoman.contracts.program import Program, Statement
from dragoman.contracts.record import Record
from dragoman.contracts.report import OutputValidationFailureEvent, StatusReport
from dragoman.contracts.run import RunEvent
from dragoman.contracts.taught import TaughtWord
from dragoman.contracts.vocabulary import EffectOutcome


class TableWritten(Record, frozen=True):
    """What came of one writer of a pipeline."""

    step: str
    source: str
    target: str
    rows: int | None
    done: bool
    problem: str = ""
    checked: bool | None = None
    """Whether what stands in the target was counted a second time, and agrees; None where it was not."""


class Written(Record, frozen=True):
    """What came of a run that writes."""

    outcome: EffectOutcome
    rows: int = 0
    problem: str = ""
    key: str = ""
    """The key of what was made, where a write verb of a pack makes something."""
    code: str = ""
    """The code of the problem."""
    warnings: tuple[str, ...] = ()
    """What there is to say of what was written."""
    failure: OutputValidationFailureEvent | None = None
    """Where the report of the run failed its check."""
    tables: tuple[TableWritten, ...] = ()
    """Of a pipeline: what became of each table."""
    report: StatusReport | None = None
    """Of a pipeline: the status report of the cycle."""


PipelineRunner = Callable[[bytes, str, tuple[str, ...], Cancellation | None], Written]


RunHeard = Callable[[RunEvent], None]
EachRunner = Callable[[bytes, str, tuple[str, ...], Cancellation | None, RunHeard], Written]


class Effects(StrEnum):
    """The ways to write: how each is settled when its turn was interrupted."""

    RUN = "run"
    WRITE = "write"
    KEEP = "keep"


class Runners(Record, frozen=True, gc=True):
    """What runs a program that writes: a manifest on the engine, or one write verb of a pack."""

    pipeline: PipelineRunner | None = None
    """Given a manifest, the id of the run, the files that somebody agreed to have replaced, and the wish to
    stop."""
    write: Callable[[Statement, str], Written] | None = None
    replaced: Callable[[Iterable[str]], tuple[str, ...]] | None = None
    """Which of the files that a program writes are somebody else's data. Raises `StepRefused` of one that no
    run may write."""
    keep: Callable[[tuple[TaughtWord, ...]], None] | None = None
    """Keeps a word that was taught. Raises `WorkspaceError`."""
    forget: Callable[[TaughtWord], None] | None = None
    """Takes a word back. Raises `WorkspaceError`."""
    each: EachRunner | None = None
    """The same for a pipeline: a table that fails ends only what hangs on it."""
    save: Callable[[str, str], None] | None = None
    """Keeps a program in a file of the workspace. Raises `DragomanError`."""
    account: Callable[[str], tuple[TableWritten, ...]] | None = None
    """What became of each table of a run."""

    def reporting(self, listener: Callable[[OutputValidationFailureEvent], None]) -> "Runners":
        """The same, with somebody who hears where the report of a run failed its check."""
        if self.pipeline is None:
            return self
        each = _each_told(self.each, listener) if self.each is not None else None
        return replace(self, pipeline=_told(self.pipeline, listener), each=each)

    def effect(self, program: Program, catalog: Catalog) -> Effects:
        # A write verb of a pack is one transaction in its own database, which the engine's staging could not
        # make any safer.
        alone = len(program) == 1 and program[0].verb in catalog.packs.verbs
        return Effects.WRITE if alone else Effects.RUN

    def run(
        self,
        program: Program,
        manifest: bytes,
        run_id: str,
        catalog: Catalog,
        cancel: Cancellation | None,
        replaces: tuple[str, ...] = (),
        *,
        keep_going: bool = False,
        progress: RunHeard = lambda event: None,
    ) -> Written:
        # A write verb is one short transaction, and is not stopped in the middle.
        match self.effect(program, catalog):
            case Effects.RUN if keep_going and self.each is not None:
                return self.each(manifest, run_id, replaces, cancel, progress)
            case Effects.WRITE if self.write is not None:
                return self.write(program[0], run_id)
            case Effects.RUN if self.pipeline is not None:
                return self.pipeline(manifest, run_id, replaces, cancel)
            case _:
                raise InternalError("a conversation was opened without an engine")


def _told(run: PipelineRunner, listener: Callable[[OutputValidationFailureEvent], None]) -> PipelineRunner:
    """A runner, with somebody who hears where the report of a run failed its check."""

    def heard(
        manifest: bytes, run_id: str, replaces: tuple[str, ...], cancel: Cancellation | None
    ) -> Written:
        written = run(manifest, run_id, replaces, cancel)
        if written.failure is not None:
            listener(written.failure)
        return written

    return heard


def _each_told(run: EachRunner, listener: Callable[[OutputValidationFailureEvent], None]) -> EachRunner:
    def heard(
        manifest: bytes,
        run_id: str,
        replaces: tuple[str, ...],
        cancel: Cancellation | None,
        progress: RunHeard,
    ) -> Written:
        written = run(manifest, run_id, replaces, cancel, progress)
        if written.failure is not None:
            listener(written.failure)
        return written

    return heard
