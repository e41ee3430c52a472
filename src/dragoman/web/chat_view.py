"""From what came of a turn, and the state after it, to the response. The one place where the two meet."""

from collections.abc import Iterator, Mapping
from typing import Final

from dragoman.contracts.actions import EscapeAction
from dragoman.contracts.answer import AnswerObject, CoverageGateState
from dragoman.contracts.program import Pending as PendingRef
from dragoman.contracts.program import Severity
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import Lifecycle, Phase, TransitionClass
from dragoman.web import chat_response as c
from dragoman.web import state_view as view
from dragoman.workspace.declarations import REGISTRY

_TITLES: Final[Mapping[TransitionClass, str]] = {each.id: each.title for each in REGISTRY}

_SIMPLE: Final[Mapping[Phase, type]] = {
    Phase.SYNTAX: c.Parsing,
    Phase.SYNTAX_ERROR: c.Parsing,
    Phase.SEMANTICS: c.SemanticValidation,
    Phase.SEMANTIC_ERROR: c.SemanticValidation,
    Phase.REGENERATE: c.SemanticValidation,
    # A program that lacks an argument stands behind the question for it.
    Phase.INTENT_CLARIFY: c.SemanticValidation,
    Phase.DEPENDENCIES: c.DependencyResolution,
    Phase.DEPENDENCY_ERROR: c.DependencyResolution,
    Phase.READY: c.Ready,
    Phase.RUNNING: c.Ready,
    Phase.DONE: c.Ready,
}
"""The stage of the compiler that a program in each phase has come to."""


class Standing(Record, frozen=True):
    """A session as it stands, and what it accepts."""

    session_id: str
    state: SessionState
    actions: tuple[EscapeAction, ...]
    can_run: bool
    original_message: str = ""


def chat_response(standing: Standing, result: TurnResult | None) -> c.ChatResponse:
    """The response to a turn; without one, of a session that has taken none yet."""
    state = standing.state
    program, pending = state.program, state.frames.clarification
    answer = _answer_of(state, result)
    resolving = program.phase is Phase.UNRESOLVED_REFS
    found_errors = view.errors(state)
    open_now = state.lifecycle is Lifecycle.OPEN
    options = view.options(pending)
    return c.ChatResponse(
        message=result.message if result is not None else "",
        session_state=view.session_state(state, standing.original_message),
        dsl_source=program.source or None,
        dsl_status=_status(state),
        intent_options=options if program.phase is Phase.INTENT_CLARIFY and open_now else None,
        unresolved_refs=view.references(state) if resolving else None,
        errors=found_errors or None,
        commands=list(_commands(state, answer, result)) or None,
        can_execute=standing.can_run,
        available_actions=list(standing.actions),
        original_message=standing.original_message or None,
        current_index=view.current_index(state),
        user_edited=program.edited_by_user,
        notation=program.notation.value,
        session_id=standing.session_id,
        revision=state.version,
        turn=result.turn if result is not None else 0,
        repeated=result is not None and result.repeated,
        transition=_transition(state, result),
        answer=_answer(answer, result),
        evidence=[
            c.Evidence(
                source=each.source.value,
                ref=each.ref,
                snippet=each.snippet,
                confidence=each.confidence,
                values=list(each.values),
            )
            for each in (result.evidence if result is not None else ())
        ],
        coverage=_coverage(state.gate),
        clarification=c.Clarification(
            kind=pending.clarification_kind.value,
            missing=list(pending.missing_anchors),
            options=options,
            route=pending.resume_target_route,
        )
        if pending is not None and open_now
        else None,
    )


def _status(state: SessionState) -> c.DslPipelineStatus | None:
    """None where no program is on its way."""
    program = state.program
    if not program.source or program.phase in (Phase.NEW, Phase.INTENT, Phase.DISCOVERY, Phase.SYNTHESIS):
        return None
    progress: c.StageProgress | None = None
    held = program.resolution
    if program.phase is Phase.UNRESOLVED_REFS and held is not None:
        wanted = [each for each in held.references if each.ref.ref_id not in held.moot]
        done = sum(not isinstance(each.ref.status, PendingRef) for each in wanted)
        stage: c.CompilerStage = c.RefResolution(current=done + 1, total=len(wanted))
        progress = c.StageProgress(done=done, total=len(wanted))
    else:
        stage = _SIMPLE[program.phase]()
    return c.DslPipelineStatus(stage=stage, progress=progress, warnings=list(_warnings(state)))


def _warnings(state: SessionState) -> Iterator[c.CompilerWarning]:
    program = state.program
    for found in program.diagnostics:
        if found.severity is Severity.WARNING:
            yield c.CompilerWarning(
                code=found.code, message=found.message, hint=found.hint, span=view.span(found.span)
            )
    for name in program.resolution.skipped if program.resolution is not None else ():
        yield c.CompilerWarning(
            code="left_out",
            message=f"“{name}” was skipped: its statement and those that need it are left out",
            hint="undo brings the question back",
            span=None,
        )


def _commands(
    state: SessionState, answer: AnswerObject | None, result: TurnResult | None
) -> Iterator[c.AgentCommand]:
    """What the page does now. Done twice, each leaves the page as once."""
    program, current = state.program, state.program.open_reference
    if state.lifecycle is not Lifecycle.OPEN:
        yield c.CloseResolution()
        yield c.Navigate(to="sessions")
        return
    if current is not None:
        yield c.OpenResolution(ref_id=current.ref.ref_id)
        place = view.span(current.ref.location.span)
        if place is not None:
            yield c.FocusSpan(span=place)
        return
    if program.resolution is not None or program.phase is Phase.NEW:
        yield c.CloseResolution()
    place = next((each.span for each in view.errors(state) if each.span is not None), None)
    if place is not None:
        yield c.Navigate(to="program")
        yield c.FocusSpan(span=place)
    elif program.phase is Phase.READY:
        yield c.Navigate(to="program")
    if answer is not None and answer.result_set_id:
        yield c.ShowResult(result_set=answer.result_set_id)
    selected = state.frames.selected_object
    if result is not None and result.transition is TransitionClass.T3 and selected is not None:
        focus = selected.focus_object_ref
        yield c.Zoom(entity_type=focus.kind, entity_id=focus.id, display=focus.name)


def _answer_of(state: SessionState, result: TurnResult | None) -> AnswerObject | None:
    """The answer that this turn has given."""
    if result is None:
        return None
    return next((each for each in reversed(state.answers.items) if each.turn_index == result.turn), None)


def _answer(answer: AnswerObject | None, result: TurnResult | None) -> c.Answer | None:
    if result is None:
        return None
    return c.Answer(
        mode=result.answer_mode.value,
        ref=answer.ref if answer is not None else None,
        subject=answer.subject if answer is not None else "",
        note=answer.note if answer is not None else "",
        result=view.result_of(answer) if answer is not None and answer.columns else None,
        figures={each.name: each.value for each in answer.figures} if answer is not None else {},
        meta_kind=result.meta_kind.value if result.meta_kind is not None else None,
    )


def _transition(state: SessionState, result: TurnResult | None) -> c.Transition | None:
    if result is None:
        return None
    reason = state.turn.reason
    return c.Transition(
        id=result.transition.value if result.transition is not None else None,
        entry=result.entry_transition.value if result.entry_transition is not None else None,
        title=_TITLES[result.transition] if result.transition is not None else "",
        carryover=result.carryover.value,
        mode=result.mode.value,
        rule=reason.rule if reason is not None else "",
    )


def _coverage(gate: CoverageGateState | None) -> c.Coverage | None:
    if gate is None:
        return None
    return c.Coverage(
        status=gate.coverage_status.value,
        evidence_grade=gate.evidence_grade.value,
        grounding=gate.grounding_status.value,
        truth_mode=gate.truth_mode.value,
        carryover=gate.carryover_eligibility.value,
        reason_codes=list(gate.reason_codes),
    )
