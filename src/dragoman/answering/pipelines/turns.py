"""The turns of a pipeline: it is written, compiled, shown, and waits for a yes."""

import hashlib
from typing import Final

from msgspec.structs import replace

from dragoman.answering.boundaries import boundary, refuse
from dragoman.answering.compilation import compile_text
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.pipelines.account import account
from dragoman.answering.questions import ask
from dragoman.answering.write_questions import awaiting_yes, replaced_by
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject, CoverageGateState
from dragoman.contracts.errors import StepRefused
from dragoman.contracts.program import Binding, Program, Text
from dragoman.contracts.state import (
    READING,
    CandidateScope,
    ClarificationState,
    RootFrameState,
    SuspendedTarget,
)
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    ClarificationKind,
    CoverageStatus,
    EvidenceGrade,
    FrameStatus,
    GroundingStatus,
    Notation,
    Origin,
    ResumeFrame,
    TransitionClass,
    TruthMode,
)
from dragoman.language.catalog import text_of
from dragoman.language.front import convert_source, read_program
from dragoman.language.parameters import head_of
from dragoman.language.source import Source
from dragoman.language.verbs.printer import print_program
from dragoman.planning.contract import Candidate, Options, PlannerName, Question
from dragoman.planning.pipelines.route import DOMAIN, ROUTE

DOES_NOT_COMPILE: Final = "does_not_compile"


def is_pipeline_turn(context: TurnContext) -> bool:
    """Whether a pipeline is proposed: by its planner, by a model, or as one that was offered."""
    proposal = context.proposal
    if proposal.planner == PlannerName.PIPELINES:
        return True
    candidates = proposal.candidates
    return bool(candidates) and candidates[0].writes and head_of(candidates[0].program) is not None


def settle_pipeline(context: TurnContext) -> Conclusion:
    proposal = context.proposal
    if proposal.refuses is not None:
        return refuse(context, proposal.refuses)
    if isinstance(proposal.asks, Question):
        return _waiting(ask(context, proposal.asks), proposal.writers)
    if isinstance(proposal.asks, Options):
        return offer_pipelines(context, proposal.candidates)
    return await_run(context, proposal.candidates[0])


def _waiting(asked: Conclusion, writers: Program) -> Conclusion:
    """The question for an anchor, with the writers that wait for the rows."""
    events = tuple(
        replace(each, clarification=replace(each.clarification, writers=writers))
        if isinstance(each, ev.ClarificationAsked)
        else each
        for each in asked.events
    )
    return replace(asked, events=events)


def as_oml(program: Program, context: TurnContext) -> tuple[str, Program, Notation]:
    """The text of a pipeline and the program as it reads back: OML, where OML can express it."""
    text = print_program(program)
    converted = convert_source(Source(text), Notation.VERBS, Notation.OML, context.catalog.effects())
    if not isinstance(converted, str):
        return text, program, Notation.VERBS
    return converted, read_program(Source(converted), Notation.OML).statements, Notation.OML


def await_run(context: TurnContext, candidate: Candidate) -> Conclusion:
    """The pipeline is in hand and in the message, and runs after a yes."""
    source, program, notation = as_oml(candidate.program, context)
    compiled = compile_text(source, program, context.catalog, notation)
    writer = program[-1].verb
    if compiled.fault:
        said = context.phrases.say(DOES_NOT_COMPILE, problem=compiled.fault)
        return boundary(context, DOES_NOT_COMPILE, said, route=writer, source=source)
    try:
        replaced = replaced_by(program, context)
    except StepRefused as refused:
        said = context.phrases.say("pipeline_refused", problem=refused.message, hint=refused.hint)
        return boundary(context, refused.code, said, route=writer, source=source)
    entry = context.routing.entry_class
    pending = context.continuity.clarification
    # The answer to a question goes on with the request behind it.
    route = pending.resume_target_route if pending is not None and pending.writers else ROUTE
    asks = _asking(source, context, replaced)
    gate = _gate()
    answer = AnswerObject(
        ref=f"answer-{context.index}",
        turn_index=context.index,
        route=ROUTE,
        gate=gate,
        program=program,
        subject=account(context).named(program),
    )
    events = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(route, DOMAIN, candidate.bindings),
        *_written_from(context, program),
        ev.OmlSynthesisComplete(notation, source, program, candidate.edits),
        *compiled.events,
        ev.GateComputed(gate),
        *_frames(context, answer),
        *_answered(context),
        ev.ClarificationAsked(asks, intent=False),
        ev.AnswerGiven(answer),
    )
    said = account(context).plan(program, candidate, replaced)
    return Conclusion(entry, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _written_from(context: TurnContext, program: Program) -> tuple[ev.SessionEvent, ...]:
    """How the program came about: the discovery that it is written from, whoever wrote it."""
    story = context.proposal.synthesis or (ev.OmlSynthesisStart(),)
    if context.proposal.planner != PlannerName.MODEL:
        return story
    named = (text_of(step, "connection") for step in program)
    spec = next((context.catalog.connection_named(name) for name in named if name), None)
    schema = context.catalog.visible_schema(spec) if spec is not None else None
    if spec is None or schema is None:
        return story
    name = f"@{context.catalog.databases.told_apart(spec)}"
    return (ev.DiscoveryDone(name, schema.fingerprint, len(schema.tables)), *story)


def _asking(source: str, context: TurnContext, replaced: tuple[str, ...]) -> ClarificationState:
    """The question for a yes. It is about this text: after undo another one is asked about."""
    asks = awaiting_yes(ROUTE, context.entered_as, replaced)
    mark = Text(hashlib.sha256(source.encode()).hexdigest()[:16])
    target = replace(asks.resume_target_frame, bindings=(Binding("text", mark, Origin.PROGRAM),))
    return replace(asks, resume_target_frame=target)


def _frames(context: TurnContext, answer: AnswerObject) -> tuple[ev.SessionEvent, ...]:
    before = context.before.frames
    root = RootFrameState(
        domain_id=DOMAIN,
        root_route_id=ROUTE,
        organization_scope=None,
        date_scope=None,
        root_result_set_id="",
        root_answer_object_ref=answer.ref,
        frame_status=FrameStatus.ACTIVE,
    )
    gone: list[ev.SessionEvent] = []
    if before.selected_object is not None:
        gone.append(ev.ObjectFrameDropped())
    if before.meta is not None:
        gone.append(ev.MetaFrameDropped())
    return (ev.RootFrameSet(root), *gone)


def _answered(context: TurnContext) -> tuple[ev.SessionEvent, ...]:
    """A question which of several pipelines is meant is answered by this one."""
    pending = context.continuity.clarification
    picked = context.proposal.planner == PlannerName.CHOICE or (pending is not None and bool(pending.writers))
    picked = picked and context.routing.entry_class is TransitionClass.T7
    return (ev.ClarificationCleared(),) if picked and context.continuity.clarification is not None else ()


def _gate() -> CoverageGateState:
    """Nothing is found out yet; all of the program may be carried on."""
    return CoverageGateState(
        coverage_status=CoverageStatus.FULL,
        evidence_grade=EvidenceGrade.DECLARED,
        grounding_status=GroundingStatus.UNGROUNDED,
        truth_mode=TruthMode.CLARIFICATION_REQUIRED,
        carryover_eligibility=CarryoverDepth.ROOT_ONLY,
    )


def offer_pipelines(context: TurnContext, candidates: tuple[Candidate, ...]) -> Conclusion:
    """Which of several pipelines is meant, each in a few words."""
    offered = tuple(
        CandidateScope(READING, print_program(each.program), account(context).offered(each))
        for each in candidates
    )
    clarification = ClarificationState(
        clarification_kind=ClarificationKind.AMBIGUOUS
        if len(offered) > 1
        else ClarificationKind.CONFIRM_READING,
        missing_anchors=(READING,),
        candidate_scopes=offered,
        resume_target_route=ROUTE,
        resume_target_frame=SuspendedTarget(ResumeFrame.PROGRAM, context.routing.entry_class),
    )
    context.draft.tried_in_vain(*context.proposal.synthesis)
    events = (
        ev.CheckpointTaken(),
        ev.IntentCaptured(ROUTE, DOMAIN, ()),
        ev.ClarificationAsked(clarification, intent=True),
    )
    said = account(context).unread(candidates[0]) + context.wording.readings(offered)
    return Conclusion(context.routing.entry_class, AnswerMode.CLARIFICATION_REQUIRED, said, events)
