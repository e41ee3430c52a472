"""What the planner of pipelines proposes: a new pipeline, a change of the one in hand, or a refusal."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.program import Program
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.vocabulary import Signal, TurnStatus
from dragoman.language.edits import difference
from dragoman.language.parameters import head_of
from dragoman.language.program_names import kebab_of
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.contract import CERTAIN, Asked, Candidate, Options, Proposal, Question, Refusal
from dragoman.planning.pipelines.build import Builder, Found, Lacking
from dragoman.planning.pipelines.built import Built
from dragoman.planning.pipelines.changes import Changed, Changer
from dragoman.planning.pipelines.differences import differences, remedied
from dragoman.planning.pipelines.pipeline import Pair, Pipeline, needed, pipeline_of, said_in
from dragoman.planning.pipelines.questions import Questions
from dragoman.planning.pipelines.request import Request, places_of, request_of
from dragoman.planning.pipelines.route import DOMAIN, ROUTE
from dragoman.planning.pipelines.steps import connection_name
from dragoman.planning.pipelines.targets import is_said, refused_path
from dragoman.planning.pipelines.words import Cue

Unwritten = Callable[[str], tuple[str, ...] | None]
Discover = Callable[[ConnectionSpec], DatabaseSchema | None]
_NOT_READ: Final = 0.99
_UNREAD: Final = frozenset({"uncovered_words", "no_reading", "pipeline_no_table"})
NOTHING_FAILED: Final = "pipeline_nothing_failed"
_OPENS = (Signal.REQUEST, Signal.OPENS_ROOT)


class Proposals:
    """Makes the proposal for one message."""

    def __init__(
        self,
        planner: str,
        questions: Questions,
        discover: Discover,
        folder: Path | None,
        unwritten: Unwritten,
    ) -> None:
        self._unwritten = unwritten
        self._planner = planner
        self._questions = questions
        self._discover = discover
        self._folder = folder

    def propose(self, asked: Asked) -> Proposal | None:
        pending = asked.continuity.clarification
        if pending is not None and pending.writers:
            answered = self._answered(asked, pending.writers)
            if answered is not None:
                return answered
        places = places_of(asked.catalog, self._discover)
        code = asked.reading.language
        request = request_of(asked.said or asked.text, code, asked.catalog, places)
        if request.order.keeps and asked.state.program.source:
            return self._kept(asked, request)
        held = _held(asked)
        if held is not None and request.order.retry:
            return self._again(asked, held)
        if held is not None and not opens_anew(request):
            changer = Changer(asked, request, places, self._questions, self._folder)
            return self._changed(changer.change(held), held, asked, request)
        if not _is_new(request, asked):
            return None
        builder = Builder(asked, request, places, self._questions, self._folder)
        return self._proposed(builder.build(), asked, request)

    def _proposed(self, found: Found, asked: Asked, request: Request) -> Proposal | None:
        if found is None:
            return None
        if isinstance(found, Refusal):
            # Words that were not read may be read by a model, which is asked of what is not certain.
            certainty = _NOT_READ if found.code in _UNREAD else CERTAIN
            return Proposal(self._planner, (Signal.UNCOVERED,), certainty, refuses=found)
        if isinstance(found, Lacking):
            return Proposal(self._planner, _OPENS, CERTAIN, asks=found.question, writers=found.writers)
        candidates = tuple(self._candidate(each, asked, request) for each in found)
        candidates = self._remedied(candidates, found[0].pipeline, asked)
        asks = Options() if len(candidates) > 1 or candidates[0].uncovered else None
        synthesis = (*self._discovered(found[0], asked), ev.OmlSynthesisStart())
        return Proposal(
            self._planner,
            _OPENS,
            CERTAIN,
            candidates,
            asks=asks,
            synthesis=synthesis,
            rule="take: a pipeline",
        )

    def _answered(self, asked: Asked, writers: Program) -> Proposal | None:
        """The answer to what a question lacked: its rows go to the writers that wait. None where the message
        is something else."""
        proposal = self._questions.answered(asked).proposal
        if Signal.FITS_CLARIFICATION not in proposal.signals or proposal.refuses is not None:
            return None
        if isinstance(proposal.asks, Question):
            return replace(proposal, planner=self._planner, writers=writers)
        if proposal.asks is not None or not proposal.candidates:
            return None
        best = proposal.candidates[0]
        symbol = needed(writers[0])[0]
        reads = (replace(best.program[-1], binds=symbol),)
        target = said_in(writers[0], "format") or said_in(writers[0], "connection").removeprefix("@")
        pipeline = Pipeline(kebab_of(f"query-to-{target}-export"), (Pair(reads[0], writers[0]),))
        candidate = replace(
            best, program=pipeline.program, edits=difference((), pipeline.program), writes=True, request=None
        )
        return replace(proposal, planner=self._planner, candidates=(candidate,), rivals=False)

    def _kept(self, asked: Asked, request: Request) -> Proposal:
        """The program in hand as a file of the workspace."""
        head = head_of(asked.state.program.ast)
        name = request.order.keep or (said_in(head, "name") if head is not None else "") or "pipeline"
        path = name if name.rpartition(".")[2] in ("oml", "yaml", "yml", "verbs") else f"{name}.oml"
        place = refused_path(path, self._folder)
        if place is not None:
            return Proposal(self._planner, (Signal.UNCOVERED,), CERTAIN, refuses=place)
        return Proposal(self._planner, (Signal.EXTEND,), CERTAIN, keeps=path)

    def _again(self, asked: Asked, held: Pipeline) -> Proposal:
        """What the last run has not written, as a pipeline of its own."""
        run_id, turn = "", asked.state.turn
        if turn.status is TurnStatus.SETTLED and turn.effects:
            run_id = turn.effects[0].key
        else:
            answers = (a for a in reversed(asked.in_context) if a.route == ROUTE and a.evidence)
            last = next(answers, None)
            failed = asked.state.program.run_ok is False
            # Of a run that has written nothing there is no evidence: all of it is tried again.
            of_last = last is not None and last.program == held.program
            run_id = last.evidence[0].ref.removeprefix("run ") if last is not None and of_last else ""
            if not run_id and not failed:
                return Proposal(self._planner, (Signal.UNCOVERED,), CERTAIN, refuses=Refusal(NOTHING_FAILED))
        left = self._unwritten(run_id) if run_id else None
        pairs = held.pairs if left is None else tuple(p for p in held.pairs if p.writer.binds in left)
        if not pairs:
            return Proposal(self._planner, (Signal.UNCOVERED,), CERTAIN, refuses=Refusal(NOTHING_FAILED))
        program = replace(held, pairs=pairs).program
        edits = difference(asked.state.program.ast, program)
        candidate = Candidate(program, edits, CERTAIN, follows=True, writes=True)
        signals = (Signal.REQUEST, Signal.SAME_DOMAIN)
        return Proposal(self._planner, signals, CERTAIN, (candidate,), rule="take: what was not written")

    def _changed(self, now: Changed, held: Pipeline, asked: Asked, request: Request) -> Proposal | None:
        if now is None:
            return None
        if isinstance(now, Refusal):
            return Proposal(self._planner, (Signal.UNCOVERED,), CERTAIN, refuses=now)
        program = now.program
        edits = difference(asked.state.program.ast, program)
        candidate = Candidate(program, edits, CERTAIN, notes=_notes(request), follows=True, writes=True)
        signals = (Signal.REQUEST, Signal.SAME_DOMAIN) if _is_of_pipeline(asked) else _OPENS
        candidates = self._remedied((candidate,), now, asked)
        asks = Options() if len(candidates) > 1 else None
        return Proposal(
            self._planner, signals, CERTAIN, candidates, asks=asks, rule="take: a change of the pipeline"
        )

    def _remedied(
        self, candidates: tuple[Candidate, ...], pipeline: Pipeline, asked: Asked
    ) -> tuple[Candidate, ...]:
        """Where the target lacks columns, what may be done about it; otherwise the candidates as they are."""
        if len(candidates) > 1 or candidates[0].uncovered:
            return candidates
        places = places_of(asked.catalog, self._discover)
        found = differences(pipeline, places, asked.catalog, self._questions.tables)
        if not found:
            return candidates
        words = ", ".join(
            f"{said_in(each.pair.writer, 'table')}: {', '.join(each.lacking)}" for each in found
        )
        return tuple(
            replace(candidates[0], program=changed.program, label=f"{remedy}\n{words}")
            for remedy, changed in remedied(pipeline, found)
        )

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


def _held(asked: Asked) -> Pipeline | None:
    """The pipeline that a message may change: the first that is offered, or the one in hand."""
    pending = asked.continuity.clarification
    if pending is not None and pending.resume_target_route == ROUTE and asked.continuity.offers_readings:
        offered = read_verbs(Source(pending.candidate_scopes[0].key)).statements
        return pipeline_of(offered, asked.catalog)
    return pipeline_of(asked.state.program.ast, asked.catalog) if _is_of_pipeline(asked) else None


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
    if order.absent_target and not (request.kept or order.everything):
        # A letter to somebody is no place for rows.
        return False
    if order.wish is None:
        return _says_how(request) and not reading.asks
    if order.weak and not is_said(order):
        return False
    # A store, a copy and a transfer in the middle of a question are what it is about.
    if reading.asks and not (is_said(order) and _begins_sentence(request)):
        return False
    return is_said(order) or order.everything or bool(request.kept) or order.source is not None


def _says_how(request: Request) -> bool:
    """Whether a message without a verb of pipelines orders one: the name of a database alone only says which
    one is asked; an arrow leads to where rows go."""
    order = request.order
    led = any(atom.kind == "arrow" for atom in request.pieces.atoms)
    return bool(
        is_said(replace(order, target=None, unknown_target=""))
        or (order.target is not None and (led or order.options.table or order.options.mode or order.deletes))
    )


def _begins_sentence(request: Request) -> bool:
    """Whether the word that orders it begins a sentence, or the whole message."""
    tokens, at = request.pieces.tokens, request.read.verb_at
    if at <= 0:
        return at == 0
    before = request.pieces.text[: tokens[at].start].rstrip()
    fillers = all(item.is_a(Cue.FILLER, Cue.ONLY) for item in request.items if item.start < at)
    return fillers or before[-1:] in ".?!;:,—"
