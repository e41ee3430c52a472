"""What the planner of pipelines proposes: a new pipeline, a change of the one in hand, or a refusal."""

from collections.abc import Callable
from pathlib import Path

from dragoman.contracts import events as ev
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.vocabulary import Signal
from dragoman.language.edits import difference
from dragoman.locales.registry import language, languages
from dragoman.planning.contract import CERTAIN, Asked, Candidate, Options, Proposal, Refusal
from dragoman.planning.pipeline_planner import DOMAIN
from dragoman.planning.pipelines.build import Builder, Built, Found, Lacking
from dragoman.planning.pipelines.changes import Changed, Changer
from dragoman.planning.pipelines.pipeline import Pipeline, pipeline_of
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
        glued = code in languages() and language(code).glued
        held = pipeline_of(asked.state.program.ast, asked.catalog) if _is_of_pipeline(asked) else None
        if held is not None and not opens_anew(request):
            changer = Changer(asked, request, places, self._questions, self._folder, postfix=glued)
            return self._changed(changer.change(held), held, asked, request)
        if not _is_new(request, asked):
            return None
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

    def _changed(self, now: Changed, held: Pipeline, asked: Asked, request: Request) -> Proposal | None:
        if now is None:
            return None
        if isinstance(now, Refusal):
            return Proposal(self._planner, (Signal.UNCOVERED,), CERTAIN, refuses=now)
        program = now.program
        edits = difference(asked.state.program.ast, program)
        candidate = Candidate(
            program, edits, CERTAIN, notes=_notes(request), follows=True, writes=True
        )
        signals = (Signal.REQUEST, Signal.SAME_DOMAIN)
        return Proposal(self._planner, signals, CERTAIN, (candidate,), rule="take: a change of the pipeline")

    def _candidate(self, built: Built, asked: Asked, request: Request) -> Candidate:
        program = built.pipeline.program
        return Candidate(
            program,
            difference((), program),
            CERTAIN,
            uncovered=built.uncovered,
            notes=_notes(request),
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


def _notes(request: Request) -> tuple[str, ...]:
    """What is to be said beside the program."""
    schedule = request.order.schedule
    return (f"schedule: {schedule}",) if schedule else ()


def _is_of_pipeline(asked: Asked) -> bool:
    root = asked.continuity.root
    return root is not None and root.domain_id == DOMAIN


def opens_anew(request: Request) -> bool:
    """Whether a message orders another pipeline, although one is in hand."""
    order = request.order
    leans = order.also or order.same
    if leans:
        return False
    content = bool(request.kept) or order.everything or bool(request.read.source_file)
    if order.wish is not None:
        return content or (bool(request.left) and not (order.points or order.instead or order.only))
    points = order.only or order.instead or order.points or bool(request.dropped)
    return is_said(order) and content and not points


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
