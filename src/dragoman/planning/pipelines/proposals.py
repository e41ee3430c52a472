"""What the planner of pipelines proposes: a new pipeline, a change of the one in hand, or a refusal."""

from collections.abc import Callable
from pathlib import Path

from dragoman.contracts import events as ev
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.program import Program
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.vocabulary import Signal
from dragoman.language.edits import difference
from dragoman.locales.registry import language, languages
from dragoman.planning.contract import CERTAIN, Asked, Candidate, Options, Proposal, Refusal
from dragoman.planning.pipelines.build import Builder, Built, Found, Lacking
from dragoman.planning.pipelines.pipeline import Pipeline
from dragoman.planning.pipelines.questions import Questions
from dragoman.planning.pipelines.request import Request, places_of, request_of
from dragoman.planning.pipelines.steps import connection_name
from dragoman.planning.pipelines.targets import is_said

Discover = Callable[[ConnectionSpec], DatabaseSchema | None]
_OPENS = (Signal.REQUEST, Signal.OPENS_ROOT)


class Proposals:
    """Makes the proposal for one message."""

    def __init__(
        self, planner: str, questions: Questions, discover: Discover, folder: Path | None
    ) -> None:
        self._planner = planner
        self._questions = questions
        self._discover = discover
        self._folder = folder

    def propose(self, asked: Asked) -> Proposal | None:
        places = places_of(asked.catalog, self._discover)
        code = asked.reading.language
        request = request_of(asked.said or asked.text, code, asked.catalog, places)
        if not _is_new(request, asked):
            return None
        glued = code in languages() and language(code).glued
        builder = Builder(asked, request, places, self._questions, self._folder, postfix=glued)
        return self._proposed(builder.build(), asked, request)

    def _proposed(self, found: Found, asked: Asked, request: Request) -> Proposal | None:
        if found is None:
            return None
        if isinstance(found, Refusal):
            # Words that nobody can read are for whoever else may read them, unless the order is clear.
            return Proposal(self._planner, (Signal.UNCOVERED,), CERTAIN, refuses=found)
        if isinstance(found, Lacking):
            asks = found.question
            return Proposal(self._planner, _OPENS, CERTAIN, asks=asks, writers=found.writers)
        candidates = tuple(self._candidate(each, asked, request) for each in found)
        asks = Options() if len(candidates) > 1 else None
        synthesis = (*self._discovered(found[0], asked), ev.OmlSynthesisStart())
        return Proposal(
            self._planner, _OPENS, CERTAIN, candidates, asks=asks, synthesis=synthesis, rule="take: a pipeline"
        )

    def _candidate(self, built: Built, asked: Asked, request: Request) -> Candidate:
        program = written(built.pipeline)
        order = request.order
        return Candidate(
            program,
            difference((), program),
            CERTAIN,
            uncovered=built.uncovered,
            notes=tuple(f"schedule: {each}" for each in (order.schedule,) if each),
            writes=True,
            label=built.label,
        )

    def _discovered(self, built: Built, asked: Asked) -> tuple[ev.SessionEvent, ...]:
        if built.source is None:
            return ()
        schema = self._discover(built.source)
        if schema is None:
            return ()
        name = connection_name(built.source, asked.catalog)
        return (ev.DiscoveryDone(name, schema.fingerprint, len(schema.tables)),)


def written(pipeline: Pipeline) -> Program:
    return pipeline.program


def _is_new(request: Request, asked: Asked) -> bool:
    """Whether a message orders a pipeline of its own."""
    order, reading = request.order, asked.reading
    names = bool(request.kept) or order.everything or bool(request.left) or bool(request.read.source_file)
    if not names:
        return False
    if order.wish is None:
        return is_said(order) and not reading.asks
    # A store, a copy and a transfer in the middle of a question are what it is about.
    first = request.read.verb_at
    opens = all(each.start >= first or each.cue is not None for each in request.items)
    return opens and not (reading.asks and not is_said(order)) and (is_said(order) or order.everything or bool(request.kept) or order.source is not None)
