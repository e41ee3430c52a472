"""What a yes does outside the session: the runners of programs that write."""

from collections.abc import Callable
from enum import StrEnum

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.errors import InternalError
from dragoman.contracts.program import Program, Statement
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import EffectOutcome


class Written(Record, frozen=True):
    """What came of a run that writes."""

    outcome: EffectOutcome
    rows: int = 0
    problem: str = ""


class Effects(StrEnum):
    """The two ways to write: how each is settled when its turn was interrupted."""

    RUN = "run"
    WRITE = "write"


class Runners(Record, frozen=True, gc=True):
    """What runs a program that writes: a manifest on the engine, or one write verb of a pack."""

    pipeline: Callable[[bytes, str], Written] | None = None
    write: Callable[[Statement, str], Written] | None = None

    def effect(self, program: Program, catalog: Catalog) -> Effects:
        # A write verb of a pack is one transaction in its own database, which the engine's staging could not
        # make any safer.
        alone = len(program) == 1 and program[0].verb in catalog.packs.verbs
        return Effects.WRITE if alone else Effects.RUN

    def run(self, program: Program, manifest: bytes, run_id: str, catalog: Catalog) -> Written:
        match self.effect(program, catalog):
            case Effects.WRITE if self.write is not None:
                return self.write(program[0], run_id)
            case Effects.RUN if self.pipeline is not None:
                return self.pipeline(manifest, run_id)
            case _:
                raise InternalError("a conversation was opened without an engine")
