"""Programs, as they are called for from Python: check, compile, resolve, run. A text, and what came of it."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.vocabulary import Notation
from dragoman.workspace.parts import Parts

if TYPE_CHECKING:
    from dragoman.contracts.run import RunLimits
    from dragoman.workspace.pipelines import Pipelines, RunListener, RunOutcome
    from dragoman.workspace.prepared_run import PreparedRun
    from dragoman.workspace.programs import Compilation, CompilerStage, Programs
    from dragoman.workspace.resolution import Resolution


class ProgramCalls(Parts):
    """The programs of a folder. A notation that is not said is told by the text."""

    def __init__(self, folder: Path, home: Path | None = None) -> None:
        super().__init__(folder, home)
        self._named_home = home

    def check(
        self,
        program: str,
        *,
        notation: Notation | None = None,
        stage: "CompilerStage | None" = None,
        profile: str | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> "Compilation":
        """Everything that is wrong with a program, as far as `stage`: to the end without one."""
        from dragoman.workspace.programs import CompilerStage, notation_of
        from dragoman.workspace.text import Source

        known, upto = notation or notation_of(program), stage or CompilerStage.DEPENDENCIES
        return self.own_programs.check(Source(program), known, upto, profile=profile, given=parameters)

    def compile(
        self,
        program: str,
        *,
        notation: Notation | None = None,
        profile: str | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> "Compilation":
        """A program as a manifest: `manifest` of what is returned, where `ok`."""
        return self.check(program, notation=notation, profile=profile, parameters=parameters)

    def resolve(
        self,
        program: str,
        *,
        notation: Notation | None = None,
        picks: Mapping[str, str] | None = None,
        skips: Collection[str] = (),
        profile: str | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> "Resolution":
        """The names of a program as keys. Clear ones are bound; `picks` gives others a key, by their id, and
        `skips` leaves out their statements. `source` of what is returned is the program."""
        from dragoman.workspace.programs import notation_of

        resolver = self.resolver(profile=profile, parameters=parameters)
        found = resolver.begin(program, notation or notation_of(program))
        for ref_id, key in (picks or {}).items():
            found = resolver.pick(found, ref_id, key)
        for ref_id in skips:
            found = resolver.skip(found, ref_id)
        return found

    def prepare(
        self,
        program: str,
        *,
        notation: Notation | None = None,
        profile: str | None = None,
        parameters: Mapping[str, str] | None = None,
    ) -> "PreparedRun":
        """A program as it would run: what it writes, which files it replaces, and the digest of all that.
        Nothing is run. Raises `ProgramRefused` where it has errors."""
        from dragoman.workspace.prepared_run import prepared

        done = self.compile(program, notation=notation, profile=profile, parameters=parameters)
        return prepared(done, self._own_pipelines)

    def run(
        self,
        program: "str | PreparedRun",
        *,
        notation: Notation | None = None,
        profile: str | None = None,
        parameters: Mapping[str, str] | None = None,
        yes: bool = False,
        limits: "RunLimits | None" = None,
        run_id: str | None = None,
        cancel: Cancellation | None = None,
        listeners: "Sequence[RunListener]" = (),
    ) -> "RunOutcome":
        """Run a program to its end. One that writes runs only with a `yes`; otherwise it is a
        `ConfirmationNeeded`. `cancel` stops it from another thread."""
        if isinstance(program, str):
            program = self.prepare(program, notation=notation, profile=profile, parameters=parameters)
        if not yes:
            program.refuse_writes()
        pipelines = self._own_pipelines
        if program.writes:
            # What an earlier write left half done is settled before the next one begins.
            pipelines.settle()
        return pipelines.run(
            program.manifest,
            limits=limits,
            run_id=run_id,
            cancel=cancel,
            listeners=listeners,
            replaces=program.replaces,
        )

    @property
    def own_programs(self) -> "Programs":
        """As `dragoman check` has them in this folder: in one that is no workspace, connections are those of
        somewhere else, and not checked."""
        from dragoman.workspace.programs import Programs

        return self._part("own_programs", lambda: Programs.open(self._named_home or self.folder))

    @property
    def _own_pipelines(self) -> "Pipelines":
        from dragoman.workspace.pipelines import Pipelines

        return self._part("own_pipelines", lambda: Pipelines(self.folder, home=self._named_home))
