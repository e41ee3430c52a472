"""The corridor of a turn: read → route → plan → write → compile → run → gate → answer → guard → record.

Read this first. A turn is one declared transition of one immutable state: it is opened in the store, every
stage adds events, and all of them are judged and recorded at once, or none.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.answering import moves, wording
from dragoman.answering.compilation import compile_text
from dragoman.answering.coverage import coverage_of, open_gate
from dragoman.answering.moves import Conclusion
from dragoman.answering.reporting import emitted_report
from dragoman.answering.result import answer_object, run_request
from dragoman.catalog.trade.catalog import TradeCatalog
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.errors import AccessError, RunFailed
from dragoman.contracts.pack import VerbFrame
from dragoman.contracts.program import Argument, Program, Statement
from dragoman.contracts.record import Record
from dragoman.contracts.state import (
    ClarificationState,
    DateScope,
    EntityRef,
    RootFrameState,
    SelectedObjectFrameState,
    SessionState,
    SuspendedTarget,
)
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    ClarificationKind,
    CoverageStatus,
    FrameStatus,
    Notation,
    Prior,
    ResumeFrame,
    Signal,
    TransitionClass,
    TruthMode,
)
from dragoman.guards.message import accept_message
from dragoman.guards.secrets import scrubbed
from dragoman.language.verbs.printer import print_program
from dragoman.models.validation import OutputValidation
from dragoman.planning.drilldown import make_object_request
from dragoman.planning.relation import message_signals, relate
from dragoman.planning.request import Question, Refusal, Request, in_quotes, make_request, request_of
from dragoman.reading.message import Reader, Reading
from dragoman.session.continuity import Continuity, resolve
from dragoman.session.journal import Journal, LiveTurn, RepeatedTurn
from dragoman.session.living_mode import living_mode
from dragoman.session.log import Listener, Progress
from dragoman.session.routing import Routing, route


class Road(Record, frozen=True):
    """Everything a turn passes: where it is recorded, how messages are read, what can be looked up."""

    journal: Journal
    reader: Reader
    catalog: TradeCatalog
    validation: OutputValidation


def take_turn(
    road: Road,
    session_id: str,
    message: str | bytes,
    *,
    client_key: str | None = None,
    expected_version: int | None = None,
    wait_seconds: float = 0.0,
    listeners: Sequence[Listener] = (),
) -> TurnResult:
    """Take one turn of a session and say what came of it.

    The same `client_key` sent again gives the first turn's result and does nothing. A secret in the message
    is left out before anything is made of it: no event, log or answer can repeat what it never had.
    """
    text = scrubbed(accept_message(message))
    with road.journal.turn(
        session_id, text, client_key=client_key, expected_version=expected_version, wait_seconds=wait_seconds
    ) as turn:
        if isinstance(turn, RepeatedTurn):
            after = road.journal.state_at(session_id, turn.version)
            return result_of(session_id, turn.events, after, repeated=True)
        draft = Draft(turn, listeners)
        reading = road.reader.read(text)
        draft.note(ev.MessageRead(reading.language, message_signals(reading), reading.uncovered))
        continuity = resolve(turn.before)
        routing = route(relate(reading, continuity, road.catalog), continuity)
        draft.note(ev.TurnRouted(routing.entry_class, routing.carryover, routing.reason))
        conclusion = _conclude(road, draft, reading, continuity, routing)
        draft.conclude(conclusion, routing, emitted_report(road.validation, turn.before, conclusion))
        after = turn.record(draft.events)
        return result_of(session_id, draft.events, after)


def _conclude(
    road: Road, draft: "Draft", reading: Reading, continuity: Continuity, routing: Routing
) -> Conclusion:
    before = draft.before
    match routing.entry_class:
        case TransitionClass.T1 | TransitionClass.T2 | TransitionClass.T6 | TransitionClass.T7:
            return _answer(road, draft, reading, continuity, routing)
        case TransitionClass.T3 | TransitionClass.T4 | TransitionClass.T5:
            return _answer(road, draft, reading, continuity, routing, about_object=True)
        case TransitionClass.T0:
            return moves.talk(reading, routing, road.catalog)
        case TransitionClass.X_CLEAR:
            return moves.clear()
        case TransitionClass.X_CANCEL:
            return moves.cancel()
        case TransitionClass.X_UNDO:
            return moves.undo(before, road.catalog)
        case TransitionClass.X_HELP:
            return moves.offer_help(before, road.catalog)
        case TransitionClass.X_NONE:
            return moves.none_of_these()
        case TransitionClass.X_RUN:
            return _run_program_in_hand(road, draft)
        case _:
            return _boundary(road, before, reading, routing)


def _answer(
    road: Road,
    draft: "Draft",
    reading: Reading,
    continuity: Continuity,
    routing: Routing,
    *,
    about_object: bool = False,
) -> Conclusion:
    """Plan the request; then ask, refuse, or write, compile, run, gate and answer it."""
    pending = continuity.clarification
    if routing.entry_class is TransitionClass.T7 and pending is not None:
        about_object = pending.resume_target_route in road.catalog.actions
    plan = make_object_request if about_object else make_request
    match plan(reading, continuity, routing, road.catalog):
        case Refusal() as refusal:
            said = wording.refusal_sentence(refusal, road.catalog)
            return moves.boundary(draft.before, refusal.code, said, route=refusal.route)
        case Question() as question:
            return _ask(question, reading, routing)
        case Request() as request:
            return _look_up(road, draft, request, routing, reading)


def _ask(question: Question, reading: Reading, routing: Routing) -> Conclusion:
    """D2: the turn keeps its class and ends in a question; the request waits behind it."""
    signature = question.verb.signature
    of_object = question.verb.spec.frame is VerbFrame.OBJECT
    frame = ResumeFrame.OBJECT if of_object else ResumeFrame.ROOT
    target = SuspendedTarget(frame, routing.entry_class, question.bindings)
    clarification = ClarificationState(
        clarification_kind=ClarificationKind.AMBIGUOUS if of_object else ClarificationKind.MISSING_ANCHOR,
        missing_anchors=question.missing,
        candidate_scopes=question.candidates,
        resume_target_route=signature.name,
        resume_target_frame=target,
    )
    said = wording.question_sentence(question, not_understood=bool(reading.uncovered))
    events = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(signature.name, signature.domain, question.bindings),
        ev.ClarificationAsked(clarification, intent=True),
    )
    return Conclusion(routing.entry_class, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _look_up(road: Road, draft: "Draft", request: Request, routing: Routing, reading: Reading) -> Conclusion:
    """Write, compile, run and answer a request that has everything it needs."""
    signature, before = request.verb.signature, draft.before
    program = _write(request)
    source = print_program(program)
    draft.note(ev.CheckpointTaken())
    draft.note(ev.IntentCaptured(signature.name, signature.domain, request.bindings))
    draft.note(ev.OmlSynthesisStart())
    draft.note(ev.OmlSynthesisComplete(Notation.VERBS, source, program))
    fault = _compile(road, draft, source, program)
    if fault is not None:
        return moves.boundary(before, "does_not_compile", fault, route=signature.name, source=source)
    found = _run(road, draft, request, program)
    if isinstance(found, Conclusion):
        return found
    answer = found.answer
    if request.focus is not None:
        return found.conclusion(routing.entry_class, _focused(before, request, answer, routing, road.catalog))
    root = RootFrameState(
        domain_id=signature.domain,
        root_route_id=signature.name,
        organization_scope=request.organization,
        date_scope=request.dates,
        root_result_set_id=answer.result_set_id,
        root_answer_object_ref=answer.ref,
        frame_status=FrameStatus.ACTIVE,
    )
    frames = (ev.RootFrameSet(root), *_dropped(before, routing))
    named = [refs[0] for refs in reading.objects if len(refs) == 1]
    if routing.entry_class is TransitionClass.T1 and len(named) == 1 == len(reading.objects):
        frames = (*frames, ev.ObjectFrameSet(_object_frame(named[0], answer, root.date_scope, road.catalog)))
    return found.conclusion(routing.entry_class, frames)


def _focused(
    before: SessionState, request: Request, answer: AnswerObject, routing: Routing, catalog: TradeCatalog
) -> list[ev.SessionEvent]:
    """The frames after an answer about an object: it is selected when it was drilled into or chosen."""
    frames: list[ev.SessionEvent] = []
    root, focus = before.frames.root, request.focus
    if routing.entry_class in (TransitionClass.T3, TransitionClass.T7) and root and focus:
        frame = _object_frame(focus, answer, root.date_scope, catalog)
        frames.append(ev.ObjectFrameSet(replace(frame, source_result_set_id=root.root_result_set_id)))
    if before.frames.clarification is not None:
        frames.append(ev.ClarificationCleared())
    return frames


def _object_frame(
    focus: EntityRef, answer: AnswerObject, dates: DateScope | None, catalog: TradeCatalog
) -> SelectedObjectFrameState:
    return SelectedObjectFrameState(
        focus_object_ref=focus,
        focus_object_kind=focus.kind,
        source_result_set_id=answer.result_set_id,
        compatible_route_family=focus.kind,
        provenance_bundle_ref=answer.ref,
        temporal_ceiling=dates.end if dates else None,
        frame_status=FrameStatus.ACTIVE,
    )


def _run_program_in_hand(road: Road, draft: "Draft") -> Conclusion:
    """X_RUN: the program as it stands in the editor."""
    program = draft.before.program.ast
    request = request_of(program, road.catalog)
    if isinstance(request, Refusal):
        said = wording.refusal_sentence(request, road.catalog)
        return moves.boundary(draft.before, request.code, said, source=draft.before.program.source)
    draft.note(ev.CheckpointTaken())
    found = _run(road, draft, request, program)
    return found if isinstance(found, Conclusion) else found.conclusion(TransitionClass.X_RUN)


class Found(Record, frozen=True):
    """A result that passed the gate, and the sentence for it."""

    answer: AnswerObject
    message: str

    def conclusion(self, outcome: TransitionClass, frames: Sequence[ev.SessionEvent] = ()) -> Conclusion:
        gate = self.answer.gate
        events = (ev.GateComputed(gate), *frames, ev.AnswerGiven(self.answer))
        return Conclusion(outcome, AnswerMode(gate.truth_mode), self.message, events)


def _run(road: Road, draft: "Draft", request: Request, program: Program) -> Found | Conclusion:
    """Gate, run, check and word a compiled request; a boundary where it is blocked or fails."""
    name, before, source = request.verb.signature.name, draft.before, print_program(program)
    coverage = coverage_of(request, road.catalog)
    if coverage.status is CoverageStatus.BLOCKED:
        said = wording.blocked_sentence(request, coverage)
        return moves.boundary(before, coverage.code, said, route=name, source=source)
    run_id = road.journal.sources.new_id()
    draft.note(ev.RunStarted(run_id))
    try:
        result = run_request(request, road.catalog, run_id)
    except (RunFailed, AccessError) as failure:
        said = f"I could not look that up: {failure.message}."
        return moves.boundary(before, failure.code, said, route=name, source=source)
    draft.note(ev.RunFinished(run_id, ok=True, rows=len(result.rows)))
    gate = open_gate(coverage, result.checked)
    index = before.version + 1
    answer = answer_object(f"answer-{index}", index, request, program, result, gate)
    return Found(answer, wording.answer_sentence(request, answer, coverage))


def _write(request: Request) -> Program:
    name = request.verb.signature.name
    arguments = tuple(Argument(b.name, b.value, b.display) for b in request.bindings)
    return (Statement(name, arguments, name.replace(".", "-")),)


def _compile(road: Road, draft: "Draft", source: str, program: Program) -> str | None:
    """The stages of the compiler, each an event; the first fault in words, or None."""
    compiled = compile_text(source, program, road.catalog.programs)
    for event in compiled.events:
        draft.note(event)
    return f"The program does not compile: {compiled.fault}." if compiled.fault else None


def _dropped(before: SessionState, routing: Routing) -> list[ev.SessionEvent]:
    """What a new root slice leaves behind: the object, the talk about answers, the question it answered."""
    frames = before.frames
    dropped: list[ev.SessionEvent] = []
    if frames.selected_object is not None:
        dropped.append(ev.ObjectFrameDropped())
    if frames.meta is not None:
        dropped.append(ev.MetaFrameDropped())
    answered = routing.entry_class in (TransitionClass.T1, TransitionClass.T7)
    if frames.clarification is not None and answered:
        dropped.append(ev.ClarificationCleared())
    return dropped


def _boundary(road: Road, before: SessionState, reading: Reading, routing: Routing) -> Conclusion:
    """T10: nothing fitted, or what fitted lacked its prior state, or it is not built yet."""
    if reading.uncovered:
        refusal = Refusal("uncovered_words", f"nothing I know covers {in_quotes(reading.uncovered)}")
        said = wording.refusal_sentence(refusal, road.catalog)
        return moves.boundary(before, refusal.code, said)
    missing = tuple(prior for weighed in routing.reason.weighed for prior in weighed.missing)
    said = wording.boundary_sentence(missing, road.catalog)
    asks = Signal.SHIFT in routing.reason.signals and Prior.ROOT in missing
    mode = TruthMode.CLARIFICATION_REQUIRED if asks else TruthMode.UNSUPPORTED
    return moves.boundary(
        before, "lacks_" + missing[0] if missing else "unknown_request", said, truth_mode=mode
    )


class Draft:
    """The events of a turn as it goes along; listeners hear of each at once."""

    def __init__(self, turn: LiveTurn, listeners: Sequence[Listener]) -> None:
        self._turn = turn
        self._listeners = listeners
        self.before = turn.before
        self.events: list[ev.SessionEvent] = []
        self._tell(turn.opened)

    def note(self, event: ev.SessionEvent) -> None:
        self.events.append(event)
        self._tell(event)

    def conclude(self, conclusion: Conclusion, routing: Routing, report: ev.ReportEmitted) -> None:
        """Add how the turn ended. After a boundary what was tried is on record, but not in hand."""
        depth = routing.carryover
        if conclusion.outcome is TransitionClass.T10:
            depth = CarryoverDepth.NONE
            self.events = [e for e in self.events if isinstance(e, ev.MessageRead | ev.TurnRouted)]
        for event in conclusion.events:
            self.note(event)
        self.note(report)
        self.note(ev.TurnClosed(conclusion.outcome, depth, conclusion.answer_mode, conclusion.message))

    def _tell(self, event: ev.SessionEvent) -> None:
        opened = self._turn.opened
        progress = Progress(self._turn.ticket.session_id, self._turn.ticket.version, opened.trace_id, event)
        for listener in self._listeners:
            listener(progress)


def result_of(
    session_id: str, events: Sequence[ev.SessionEvent], after: SessionState, *, repeated: bool = False
) -> TurnResult:
    """What a door shows of a turn, from its record alone."""
    closed = next((e for e in events if isinstance(e, ev.TurnClosed)), None)
    answer = next((e.answer for e in events if isinstance(e, ev.AnswerGiven)), None)
    refused = next((e for e in events if isinstance(e, ev.AttemptRefused)), None)
    intent = next((e for e in events if isinstance(e, ev.IntentCaptured)), None)
    turn = after.turn
    return TurnResult(
        session_id=session_id,
        turn=after.version,
        transition=turn.outcome_class,
        entry_transition=turn.entry_class,
        mode=living_mode(after).living_mode,
        answer_mode=turn.answer_mode,
        carryover=turn.carryover,
        route=(answer and answer.route) or (intent and intent.route) or (refused and refused.route) or None,
        program=refused.source if refused else after.program.source,
        phase=after.program.phase,
        message=closed.message if closed else _other_record(events),
        columns=answer.columns if answer else (),
        rows=answer.rows if answer else (),
        row_count=answer.row_count if answer else 0,
        reason_codes=answer.gate.reason_codes if answer else (),
        repeated=repeated,
    )


def _other_record(events: Sequence[ev.SessionEvent]) -> str:
    """What is said of a record that is no turn of the conversation."""
    if isinstance(events[0], ev.SessionClosed):
        return "The session was closed."
    settled = next((e for e in events if isinstance(e, ev.TurnSettled)), None)
    if settled is None:
        return "This turn was interrupted before anything was done."
    effects = ", ".join(f"{effect.key}: {effect.outcome}" for effect in settled.effects)
    return f"This turn was interrupted. What became of its effects: {effects}."
