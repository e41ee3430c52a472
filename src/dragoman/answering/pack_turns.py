"""Turns that ask a verb of a pack: plan, then ask back, refuse, or write, compile, run, gate and answer."""

from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.answering import moves
from dragoman.answering.compilation import compile_text
from dragoman.answering.coverage import coverage_of, open_gate
from dragoman.answering.draft import Conclusion
from dragoman.answering.result import answer_object, run_request
from dragoman.answering.scene import Scene
from dragoman.answering.writing import write_program
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.errors import AccessError, ArgumentsNotFit, PolicyViolation, RunFailed
from dragoman.contracts.pack import VerbFrame
from dragoman.contracts.program import Argument, Program, Statement, Text
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
from dragoman.contracts.turn_result import ResultRows
from dragoman.contracts.vocabulary import (
    AnswerMode,
    ClarificationKind,
    CoverageStatus,
    FrameStatus,
    Notation,
    ResumeFrame,
    TransitionClass,
)
from dragoman.language.verbs.printer import print_program
from dragoman.planning.anchors import Question, Refusal, Request, program_of
from dragoman.planning.drilldown import make_object_request
from dragoman.planning.request import make_request, request_of


class Found(Record, frozen=True):
    """A result that passed the gate, and the sentence for it."""

    answer: AnswerObject
    message: str

    def conclusion(self, outcome: TransitionClass, frames: Sequence[ev.SessionEvent] = ()) -> Conclusion:
        gate = self.answer.gate
        events = (ev.GateComputed(gate), *frames, ev.AnswerGiven(self.answer))
        return Conclusion(outcome, AnswerMode(gate.truth_mode), self.message, events)


def answer_request(scene: Scene, *, about_object: bool = False) -> Conclusion:
    pending, catalog = scene.continuity.clarification, scene.catalog
    reading = scene.reading
    if scene.routing.entry_class is TransitionClass.T7 and pending is not None:
        about_object = pending.resume_target_route in catalog.actions
    plan = make_object_request if about_object else make_request
    match plan(reading, scene.continuity, scene.routing, catalog, scene.today):
        case Refusal() as refusal:
            return moves.refuse(scene, refusal)
        case Question() as question:
            return _ask(scene, question, not_understood=bool(reading.uncovered))
        case Request() as request:
            return _look_up(scene, request)


def run_in_hand(scene: Scene) -> Conclusion:
    """X_RUN: the program as it stands in the editor."""
    program = scene.draft.before.program.ast
    request = request_of(program, scene.catalog)
    if isinstance(request, Refusal):
        return moves.refuse(scene, request)
    scene.draft.note(ev.CheckpointTaken())
    found = _run(scene, request, program)
    return found if isinstance(found, Conclusion) else found.conclusion(TransitionClass.X_RUN)


def _ask(scene: Scene, question: Question, *, not_understood: bool) -> Conclusion:
    """D2: the turn keeps its class and ends in a question; the request waits behind it."""
    signature, routing = question.verb.signature, scene.routing
    of_object = question.verb.spec.frame is VerbFrame.OBJECT
    frame = ResumeFrame.OBJECT if of_object else ResumeFrame.ROOT
    ambiguous = question.ambiguous
    clarification = ClarificationState(
        clarification_kind=ClarificationKind.AMBIGUOUS if ambiguous else ClarificationKind.MISSING_ANCHOR,
        missing_anchors=question.missing,
        candidate_scopes=question.candidates,
        resume_target_route=signature.name,
        resume_target_frame=SuspendedTarget(frame, routing.entry_class, question.bindings),
    )
    said = scene.wording.question(question, not_understood=not_understood)
    events: list[ev.SessionEvent] = [
        ev.CheckpointTaken(),
        ev.IntentCaptured(signature.name, signature.domain, question.bindings),
    ]
    unresolved = _written_with_name(scene, question) if question.named else ()
    events += [*unresolved, ev.ClarificationAsked(clarification, intent=not unresolved)]
    return Conclusion(routing.entry_class, AnswerMode.CLARIFICATION_REQUIRED, said, tuple(events))


def _written_with_name(scene: Scene, question: Question) -> tuple[ev.SessionEvent, ...]:
    """The program with the name as it was said, which the compiler finds unresolved."""
    verb = question.verb
    missing = question.missing[0]
    argument = missing if missing in verb.spec.arguments else verb.argument_of(missing)
    if argument is None:
        return ()
    bound = [Argument(b.name, b.value, b.display) for b in question.bindings if b.name != argument]
    named = Argument(argument, Text(question.named))
    order = [each.name for each in verb.signature.arguments]
    arguments = sorted((named, *bound), key=lambda each: order.index(each.name))
    name = verb.signature.name
    program: Program = (Statement(name, tuple(arguments), name.replace(".", "-")),)
    source = print_program(program)
    compiled = compile_text(source, program, scene.catalog.programs)
    if not compiled.unresolved:
        return ()
    return (
        ev.OmlSynthesisStart(),
        ev.OmlSynthesisComplete(Notation.VERBS, source, program),
        *compiled.events,
    )


def _look_up(scene: Scene, request: Request) -> Conclusion:
    """Write, compile, run and answer a request that has everything it needs."""
    signature, draft, routing = request.verb.signature, scene.draft, scene.routing
    program = program_of(request)
    faulty = write_program(scene, program, signature.domain, request.bindings)
    if faulty is not None:
        return faulty
    found = _run(scene, request, program)
    if isinstance(found, Conclusion):
        return found
    answer = found.answer
    by_itself = scene.draft.before.frames.root is None
    if request.focus is not None and signature.name in scene.catalog.actions and not by_itself:
        return found.conclusion(routing.entry_class, _focused(scene, request, answer))
    root = RootFrameState(
        domain_id=signature.domain,
        root_route_id=signature.name,
        organization_scope=request.organization,
        date_scope=request.dates,
        root_result_set_id=answer.result_set_id,
        root_answer_object_ref=answer.ref,
        frame_status=FrameStatus.ACTIVE,
    )
    frames = (ev.RootFrameSet(root), *dropped(draft.before, routing.entry_class))
    taken = {entity.kind for entity in request.narrowed}
    named = [r for refs in scene.reading.objects for r in refs if r.kind not in taken]
    if by_itself and request.focus is not None:
        frames = (*frames, ev.ObjectFrameSet(_object_frame(request.focus, answer, root.date_scope)))
        return found.conclusion(routing.entry_class, frames)
    if routing.entry_class is TransitionClass.T1 and len(named) == 1 and named[0].kind in scene.catalog.cards:
        frames = (*frames, ev.ObjectFrameSet(_object_frame(named[0], answer, root.date_scope)))
        shown = scene.catalog.shown(named[0], scene.phrases.language)
        found = Found(answer, found.message + scene.phrases.say("selected", name=shown))
    return found.conclusion(routing.entry_class, frames)


def _focused(scene: Scene, request: Request, answer: AnswerObject) -> list[ev.SessionEvent]:
    """The frames after an answer about an object: it is selected when it was drilled into or chosen."""
    frames: list[ev.SessionEvent] = []
    before = scene.draft.before
    root, focus = before.frames.root, request.focus
    if scene.routing.entry_class in (TransitionClass.T3, TransitionClass.T7) and root and focus:
        frame = _object_frame(focus, answer, root.date_scope)
        frames.append(ev.ObjectFrameSet(replace(frame, source_result_set_id=root.root_result_set_id)))
    if before.frames.clarification is not None:
        frames.append(ev.ClarificationCleared())
    return frames


def _object_frame(
    focus: EntityRef, answer: AnswerObject, dates: DateScope | None
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


def _run(scene: Scene, request: Request, program: Program) -> Found | Conclusion:
    """Gate, run, check and word a compiled request; a boundary where it is blocked or fails."""
    name, source = request.verb.signature.name, print_program(program)
    wording = scene.wording
    coverage = coverage_of(request, scene.catalog)
    subject = wording.subject(request)
    if coverage.status is CoverageStatus.BLOCKED:
        said = scene.phrases.say("blocked", subject=subject, reason=wording.reason(coverage))
        return moves.boundary(scene, coverage.code, said, route=name, source=source)
    run_id = scene.draft.new_id()
    scene.draft.note(ev.RunStarted(run_id))
    try:
        result = run_request(request, program, scene.catalog, run_id)
    except (RunFailed, AccessError, PolicyViolation, ArgumentsNotFit) as failure:
        said = scene.phrases.say("failed_run", problem=failure.message)
        return moves.boundary(scene, failure.code, said, route=name, source=source)
    scene.draft.note(ev.RunFinished(run_id, ok=True, rows=len(result.rows)))
    scene.draft.whole_result(ResultRows(request.verb.signature.columns, result.rows))
    gate = open_gate((coverage.code,), checked=result.checked)
    note = wording.reason(coverage) if coverage.status is CoverageStatus.PARTIAL else ""
    if not result.checked:
        note = "; ".join(text for text in (note, scene.phrases.say("recount_differs")) if text)
    answer = answer_object(scene.index, request, program, result, gate, subject, note)
    said = wording.answer(answer) + _corrections(scene)
    return Found(answer, said)


def _corrections(scene: Scene) -> str:
    """What was read otherwise than it was written is said."""
    say = scene.phrases.say
    return "".join(say("corrected", written=one, read=other) for one, other in scene.reading.corrections)


def dropped(before: SessionState, entry: TransitionClass) -> list[ev.SessionEvent]:
    """What a new root slice leaves behind: the object, the talk about answers, the question it answered; and
    the yes that was asked for the program before it."""
    frames = before.frames
    gone: list[ev.SessionEvent] = []
    if frames.selected_object is not None:
        gone.append(ev.ObjectFrameDropped())
    if frames.meta is not None:
        gone.append(ev.MetaFrameDropped())
    pending = frames.clarification
    answered = entry in (TransitionClass.T1, TransitionClass.T7)
    unasked = pending is not None and pending.clarification_kind is ClarificationKind.CONFIRM_RUN
    if pending is not None and (answered or unasked):
        gone.append(ev.ClarificationCleared())
    return gone
