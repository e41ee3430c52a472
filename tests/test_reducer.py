"""The reducer: total, pure, deterministic, bounded; undo gives back what was, clear keeps what must stay."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.answer import FOUND_OUT, AnswerObject, CoverageGateState
from dragoman.contracts.program import (
    Diagnostic,
    EntityResolutionConfig,
    Plan,
    RefLocation,
    RefResolutionStatus,
    Skipped,
    Statement,
    UnresolvedRef,
)
from dragoman.contracts.resolution import Reference, ResolutionState
from dragoman.contracts.state import (
    MAX_ANSWERS,
    MAX_HISTORY,
    Checkpoint,
    EntityRef,
    FramesRegion,
    MetaFrameState,
    ProgramRegion,
    RootFrameState,
    SelectedObjectFrameState,
    SessionState,
)
from dragoman.contracts.vocabulary import (
    CarryoverDepth,
    CoverageStatus,
    EvidenceGrade,
    FrameStatus,
    GroundingStatus,
    MetaQuestionKind,
    MetaTruthMode,
    Notation,
    Part,
    Phase,
    Prior,
    Stage,
    TruthMode,
)
from dragoman.session.codec import decode_state, encode_state
from dragoman.session.continuity import resolve
from dragoman.session.enforcement import changed_parts
from dragoman.session.reducer import apply, fold, fold_record
from tests import strategies as some

_GATE: Final = CoverageGateState(
    CoverageStatus.FULL,
    EvidenceGrade.CHECKED,
    GroundingStatus.GROUNDED,
    TruthMode.CONFIRMED,
    CarryoverDepth.FULL,
)


def test_every_event_that_is_declared_is_one_of_the_kinds() -> None:
    declared = {kind for kind in vars(ev).values() if isinstance(kind, type) and issubclass(kind, ev.Event)}
    assert declared - {ev.Event} == set(some.KINDS)


@pytest.mark.timeout(1800)
@given(some.states, st.tuples(*some.events.values()))
def test_every_event_folds_into_every_state_and_changes_only_the_copy(
    state: SessionState, one_of_each: tuple[ev.SessionEvent, ...]
) -> None:
    assert tuple(map(type, one_of_each)) == some.KINDS, "a kind of event has no strategy of its own"
    before = encode_state(state)
    for event in one_of_each:
        after = encode_state(apply(state, event))
        assert encode_state(apply(state, event)) == after, "the same event twice gave two states"
        assert decode_state(after) == apply(state, event)
        assert encode_state(state) == before, "the state that was folded into has changed"


@some.examples(0.5)
@given(some.states, some.event_lists, some.event_lists)
def test_the_fold_is_the_incremental_state(
    state: SessionState, first: list[ev.SessionEvent], rest: list[ev.SessionEvent]
) -> None:
    stepwise = state
    for event in (*first, *rest):
        stepwise = apply(stepwise, event)
    assert encode_state(fold(state, [*first, *rest])) == encode_state(stepwise)
    assert encode_state(fold(fold(state, first), rest)) == encode_state(stepwise)


@some.examples(0.5)
@given(some.states, st.integers(0, 1000), some.event_lists)
def test_a_record_is_counted_and_otherwise_folded(
    state: SessionState, version: int, events: list[ev.SessionEvent]
) -> None:
    counted = fold_record(state, version, events)
    assert counted == replace(fold(state, events), version=version)


@given(some.states)
def test_a_state_survives_its_bytes(state: SessionState) -> None:
    data = encode_state(state)
    assert decode_state(data) == state
    assert encode_state(decode_state(data)) == data


# What each event touches, and what it leaves there.

_TURN: Final = frozenset({Part.TURN})
_STAGES: Final = frozenset({Part.STAGES})
_PROGRAM: Final = frozenset({Part.PROGRAM})
_QUESTION: Final = frozenset({Part.CLARIFICATION, Part.PROGRAM})
_IN_HAND: Final = frozenset(Part) - {Part.LIFECYCLE, Part.TURN, Part.DEFAULT_SCOPE, Part.REFERENCE_DATE}

TOUCHES: Final[dict[type[ev.Event], frozenset[Part]]] = {
    ev.SessionClosed: frozenset({Part.LIFECYCLE}),
    ev.SessionCancelled: frozenset({Part.LIFECYCLE}),
    ev.TurnOpened: frozenset({Part.TURN, Part.STAGES}),
    ev.MessageRead: _TURN,
    ev.TurnRouted: _TURN,
    ev.TurnClosed: frozenset({Part.TURN, Part.STAGES}),
    ev.PlanMade: _STAGES,
    ev.SpecDrawn: _STAGES,
    ev.DraftJudged: _STAGES,
    ev.StagesTimed: _STAGES,
    ev.TurnAbandoned: _TURN,
    ev.TurnSettled: _TURN,
    ev.GateComputed: frozenset({Part.GATE}),
    ev.RootFrameSet: frozenset({Part.ROOT_FRAME}),
    ev.ObjectFrameSet: frozenset({Part.OBJECT_FRAME}),
    ev.ObjectFrameDropped: frozenset({Part.OBJECT_FRAME}),
    ev.MetaFrameSet: frozenset({Part.META_FRAME, Part.STAGES}),
    ev.MetaFrameDropped: frozenset({Part.META_FRAME}),
    ev.ClarificationAsked: _QUESTION,
    ev.ClarificationCleared: _QUESTION,
    ev.QuestionDropped: _QUESTION,
    ev.DefaultScopeSet: frozenset({Part.DEFAULT_SCOPE}),
    ev.ReferenceDateSet: frozenset({Part.REFERENCE_DATE}),
    ev.AnswerGiven: frozenset({Part.ANSWERS, Part.ATTEMPT, Part.STAGES}),
    ev.AttemptKept: frozenset({Part.ATTEMPT}),
    ev.ReportEmitted: frozenset({Part.REPORTS}),
    ev.ProgramRestored: _IN_HAND,
    ev.ProgramCleared: _IN_HAND,
    ev.ProgramEdited: frozenset({Part.PROGRAM, Part.ATTEMPT}),
    ev.CheckpointTaken: _PROGRAM,
    ev.IntentCaptured: _PROGRAM,
    ev.DiscoveryDone: _PROGRAM,
    ev.OmlSynthesisStart: _PROGRAM,
    ev.OmlSynthesisComplete: _PROGRAM,
    ev.SchemaGuardPass: _PROGRAM,
    ev.SchemaGuardFail: _PROGRAM,
    ev.RegenerationAttempt: _PROGRAM,
    ev.RefsUnresolved: _PROGRAM,
    ev.RefSearched: _PROGRAM,
    ev.RefSettled: _PROGRAM,
    ev.ResolutionSuspended: _PROGRAM,
    ev.ResolutionResumed: _PROGRAM,
    ev.CompileComplete: _PROGRAM,
    ev.RunStarted: _PROGRAM,
    ev.RunFinished: _PROGRAM,
}
"""The parts an event may change; one that is not here changes none."""


@some.examples(0.5)
@given(some.states, st.tuples(*some.events.values()))
def test_an_event_touches_only_its_parts(
    state: SessionState, one_of_each: tuple[ev.SessionEvent, ...]
) -> None:
    for event in one_of_each:
        after = apply(state, event)
        assert changed_parts(state, after) <= TOUCHES.get(type(event), frozenset())
        assert after.version == state.version, "only a whole record counts"
        if not isinstance(event, ev.SessionOpened):
            assert (after.owner, after.opened_at) == (state.owner, state.opened_at)


def _ref(name: str, status: RefResolutionStatus | None = None) -> UnresolvedRef:
    config = EntityResolutionConfig((), (), "pick", "item")
    ref = UnresolvedRef(name, RefLocation(0, "a.b", "item"), "desk", "item", config)
    return ref if status is None else replace(ref, status=status)


def _resolution(*refs: UnresolvedRef, message: str = "") -> ResolutionState:
    return ResolutionState(message, tuple(Reference(ref, ref.search_value) for ref in refs))


_OLD: Final = ProgramRegion(
    phase=Phase.UNRESOLVED_REFS,
    source="(a.b)",
    ast=(Statement("a.b"),),
    diagnostics=(Diagnostic("old", "?"),),
    resolution=_resolution(_ref("one"), _ref("two")),
    plan=Plan("0", ()),
    epoch=3,
    repairs_used=1,
    run_ok=False,
)
_NEW: Final = (Statement("c.d"),)


@pytest.mark.parametrize(
    ("event", "changes"),
    [
        (
            ev.IntentCaptured("c.d", "c", ()),
            {"phase": Phase.INTENT, "epoch": 4, "repairs_used": 0, "resolution": None},
        ),
        (ev.DiscoveryDone("shop", "0", 7), {"phase": Phase.DISCOVERY}),
        (ev.OmlSynthesisStart(), {"phase": Phase.SYNTHESIS}),
        (ev.SchemaGuardPass(Stage.SYNTAX), {"phase": Phase.SEMANTICS}),
        (ev.SchemaGuardPass(Stage.SEMANTICS), {"phase": Phase.DEPENDENCIES}),
        (ev.SchemaGuardPass(Stage.DEPENDENCIES), {}),
        (
            ev.SchemaGuardFail(Stage.DEPENDENCIES, (Diagnostic("new", "?"),), final=True),
            {"phase": Phase.DEPENDENCY_ERROR, "diagnostics": (Diagnostic("new", "?"),)},
        ),
        (
            ev.SchemaGuardFail(Stage.SYNTAX, (Diagnostic("new", "?"),), final=False),
            {"diagnostics": (Diagnostic("new", "?"),)},
        ),
        (ev.RegenerationAttempt(1), {"phase": Phase.REGENERATE, "repairs_used": 1}),
        (ev.RefsUnresolved((_ref("three"),)), {"resolution": _resolution(_ref("three"))}),
        (
            ev.RefsUnresolved((_ref("one", Skipped()), _ref("two")), 1, "desks"),
            {
                "resolution": replace(
                    _resolution(_ref("one", Skipped()), _ref("two"), message="desks"), current_index=1
                )
            },
        ),
        (
            ev.RefSearched(Reference(_ref("two"), "table", narrowed=("oak",))),
            {
                "resolution": ResolutionState(
                    "",
                    (Reference(_ref("one"), "desk"), Reference(_ref("two"), "table", narrowed=("oak",))),
                )
            },
        ),
        (
            ev.RefSettled(_ref("two", Skipped())),
            {"phase": Phase.SEMANTICS, "resolution": _resolution(_ref("one"), _ref("two", Skipped()))},
        ),
        (
            ev.RefSettled(_ref("two", Skipped()), source="(c.d)", ast=_NEW, left_out=(0,), moot=("one",)),
            {
                "phase": Phase.SEMANTICS,
                "source": "(c.d)",
                "ast": _NEW,
                "resolution": replace(
                    _resolution(_ref("one"), _ref("two", Skipped())), left_out=(0,), moot=("one",)
                ),
            },
        ),
        (ev.RefSettled(_ref("nine", Skipped())), {"phase": Phase.SEMANTICS}),
        (
            ev.CompileComplete(Plan("1", ())),
            {"phase": Phase.READY, "plan": Plan("1", ()), "diagnostics": (), "run_ok": None},
        ),
        (ev.RunStarted("run"), {"phase": Phase.RUNNING}),
        (ev.RunFinished("run", ok=True, rows=1), {"phase": Phase.DONE, "run_ok": True}),
        (ev.RunFinished("run", ok=False, rows=0), {"phase": Phase.DONE, "run_ok": False}),
    ],
)
def test_what_an_event_makes_of_the_program(event: ev.SessionEvent, changes: dict[str, object]) -> None:
    assert apply(SessionState(program=_OLD), event).program == replace(_OLD, **changes)


def test_a_resolution_waits_behind_what_creates_a_thing_and_comes_back() -> None:
    suspended = apply(SessionState(program=_OLD), ev.ResolutionSuspended("two", "c.new"))
    creating = fold(
        suspended,
        (
            ev.IntentCaptured("c.new", "c", ()),
            ev.OmlSynthesisStart(),
            ev.OmlSynthesisComplete(Notation.VERBS, "(c.new)", (Statement("c.new"),)),
        ),
    ).program
    assert (creating.source, creating.resolution) == ("(c.new)", None)
    assert creating.waiting is not None
    assert creating.waiting.resolution == _OLD.resolution
    back = apply(SessionState(program=creating), ev.ResolutionResumed()).program
    assert (back.phase, back.source, back.ast) == (Phase.UNRESOLVED_REFS, _OLD.source, _OLD.ast)
    assert (back.resolution, back.waiting) == (_OLD.resolution, None)
    other = apply(SessionState(program=creating), ev.IntentCaptured("c.d", "c", ())).program
    assert other.waiting is None, "another request drops it"


@pytest.mark.parametrize("edited", [False, True])
def test_a_new_text_keeps_only_what_belongs_to_the_conversation(edited: bool) -> None:
    state = fold(SessionState(program=_OLD), [ev.CheckpointTaken()])
    event = (ev.ProgramEdited if edited else ev.OmlSynthesisComplete)(Notation.OML, "new", _NEW)
    assert apply(state, event).program == ProgramRegion(
        phase=Phase.SYNTAX,
        notation=Notation.OML,
        source="new",
        ast=_NEW,
        epoch=3,
        history=state.program.history,
        edited_by_user=edited,
        repairs_used=1,
    )


# Undo and clear.

_KEEPS_HISTORY: Final = st.one_of(
    [
        strategy
        for kind, strategy in some.events.items()
        if kind not in (ev.CheckpointTaken, ev.ProgramRestored, ev.DefaultScopeSet, ev.ReferenceDateSet)
    ]
)


@some.examples(0.5)
@given(some.states, st.lists(_KEEPS_HISTORY, max_size=6))
def test_undo_restores_program_and_frames_exactly(found: SessionState, turn: list[ev.SessionEvent]) -> None:
    left = fold(found, [ev.CheckpointTaken(), *turn])
    back = apply(left, ev.ProgramRestored())

    assert _text(back.program) == _text(found.program)
    assert back.program.history == found.program.history[-(MAX_HISTORY - 1) :]
    assert back.program.epoch == left.program.epoch + 1, "a restored program is a new epoch"
    assert back.frames.default_scope == found.frames.default_scope
    assert _without_status(back) == _without_status(found)
    for frame in (back.frames.root, back.frames.selected_object):
        assert frame is None or frame.frame_status is FrameStatus.RESTORED
    assert back.gate == found.gate
    assert back.answers == replace(left.answers, context_from=found.answers.context_from)


def _text(program: ProgramRegion) -> tuple[object, ...]:
    return program.notation, program.source, program.ast, program.plan, program.edited_by_user


def _without_status(state: SessionState) -> SessionState:
    frames = state.frames
    root = frames.root and replace(frames.root, frame_status=FrameStatus.ACTIVE)
    selected = frames.selected_object and replace(frames.selected_object, frame_status=FrameStatus.ACTIVE)
    return SessionState(frames=replace(frames, root=root, selected_object=selected))


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("source", ["", "(a.b)"])
def test_undo_reads_a_program_again_and_leaves_a_question_open(phase: Phase, source: str) -> None:
    found = SessionState(program=ProgramRegion(phase=phase, source=source))
    back = fold(found, [ev.CheckpointTaken(), ev.ProgramCleared(), ev.ProgramRestored()])
    still_asking = phase in (Phase.NEW, Phase.INTENT, Phase.INTENT_CLARIFY)
    assert back.program.phase is (Phase.SYNTAX if source and not still_asking else phase)


@some.examples(0.5)
@given(some.states.filter(lambda state: not state.program.history))
def test_undo_without_history_changes_nothing(state: SessionState) -> None:
    assert apply(state, ev.ProgramRestored()) == state


@some.examples(0.5)
@given(some.states)
def test_clear_keeps_history_and_answers_and_nothing_else(state: SessionState) -> None:
    cleared = apply(state, ev.ProgramCleared())
    assert cleared.program == ProgramRegion(epoch=state.program.epoch + 1, history=state.program.history)
    assert (cleared.frames.root, cleared.frames.selected_object) == (None, None)
    assert (cleared.frames.meta, cleared.frames.clarification) == (None, None)
    assert cleared.frames.default_scope == state.frames.default_scope
    assert cleared.gate is None
    assert cleared.answers.items == state.answers.items
    assert cleared.answers.context_from == state.turn.index + 1
    assert cleared.answers.grounded_count == state.answers.grounded_count
    assert (cleared.turn, cleared.lifecycle, cleared.owner) == (state.turn, state.lifecycle, state.owner)


def test_after_clear_a_recap_may_speak_of_old_answers_and_a_follow_up_may_not() -> None:
    state = fold(SessionState(), [_opened(1), ev.AnswerGiven(_answer(1)), _opened(2), ev.ProgramCleared()])
    assert Prior.GROUNDED_ANSWER in resolve(state).priors
    assert Prior.ANSWER not in resolve(state).priors
    later = fold(state, [_opened(3), ev.AnswerGiven(_answer(3))])
    assert Prior.ANSWER in resolve(later).priors


# The attempt.


@some.examples(0.5)
@given(some.states, some.events[ev.AttemptKept], st.sampled_from(TruthMode))
def test_an_attempt_is_gone_when_something_is_found_out(
    state: SessionState, kept: ev.AttemptKept, mode: TruthMode
) -> None:
    tried = apply(state, kept)
    assert tried.attempt == kept.attempt
    assert replace(tried, attempt=state.attempt) == state, "the frames are left alone"
    given_answer = _answer(1)
    gate = replace(given_answer.gate, truth_mode=mode)
    after = apply(tried, ev.AnswerGiven(replace(given_answer, gate=gate)))
    assert (after.attempt is None) is (mode in FOUND_OUT)


@some.examples(0.5)
@given(some.states, some.events[ev.AttemptKept], some.events[ev.ProgramEdited])
def test_an_attempt_is_gone_at_clear_undo_and_edit(
    state: SessionState, kept: ev.AttemptKept, edited: ev.ProgramEdited
) -> None:
    tried = fold(state, [ev.CheckpointTaken(), kept])
    for event in (ev.ProgramCleared(), ev.ProgramRestored(), edited):
        assert apply(tried, event).attempt is None


# Bounds. A script is a list of small steps: (what, which answer it speaks of).

_steps: Final = st.lists(
    st.tuples(
        st.sampled_from(
            ["answer", "answer", "root", "object", "meta", "checkpoint", "undo", "clear", "drop"]
        ),
        st.integers(0, 30),
    ),
    min_size=60,
    max_size=120,
)


@given(_steps)
def test_answers_and_history_stay_bounded_and_what_is_spoken_of_stays_at_hand(
    script: list[tuple[str, int]],
) -> None:
    state, given_answers = SessionState(), 0
    for what, which in script:
        before = state
        if what == "answer":
            given_answers += 1
            state = fold(state, [_opened(given_answers), ev.AnswerGiven(_answer(given_answers))])
            refs = _refs(state)
            assert refs[-1] == f"answer-{given_answers}", "the newest answer left"
            at_hand = set(_refs(before))
            assert _spoken_of(before.frames) & at_hand <= set(refs), "a frame lost its answer"
            wanted = _spoken_of(before.frames, *before.program.history) & at_hand
            if len(wanted) < MAX_ANSWERS:
                assert wanted <= set(refs), "undo lost an answer that there was room for"
        else:
            state = fold(state, _small_step(what, f"answer-{max(1, given_answers - which)}"))
        assert len(state.answers.items) <= MAX_ANSWERS
        assert len(state.program.history) <= MAX_HISTORY
        assert _refs(state) == sorted(_refs(state), key=lambda ref: int(ref.removeprefix("answer-")))
    assert state.answers.grounded_count == given_answers


def _small_step(what: str, ref: str) -> list[ev.SessionEvent]:
    match what:
        case "root":
            return [ev.RootFrameSet(_root(ref))]
        case "object":
            return [ev.ObjectFrameSet(_selected(ref))]
        case "meta":
            return [ev.MetaFrameSet(_meta(ref))]
        case "checkpoint":
            return [ev.CheckpointTaken()]
        case "undo":
            return [ev.ProgramRestored()]
        case "clear":
            return [ev.ProgramCleared()]
        case _:
            return [ev.ObjectFrameDropped(), ev.MetaFrameDropped()]


def test_the_newest_answers_and_checkpoints_are_the_ones_that_stay() -> None:
    events: list[ev.SessionEvent] = []
    for turn in range(1, 41):
        events += [
            _opened(turn),
            ev.CheckpointTaken(),
            ev.AnswerGiven(_answer(turn)),
        ]
    state = fold(SessionState(), events)
    assert _refs(state) == [f"answer-{turn}" for turn in range(21, 41)]
    assert [back.turn_index for back in state.program.history] == list(range(21, 41))


def test_the_answer_of_the_root_outlives_twenty_newer_ones() -> None:
    start = fold(SessionState(), [ev.AnswerGiven(_answer(1)), ev.RootFrameSet(_root("answer-1"))])
    state = fold(start, [ev.AnswerGiven(_answer(turn)) for turn in range(2, 60)])
    assert _refs(state)[0] == "answer-1"
    assert len(_refs(state)) == MAX_ANSWERS
    assert resolve(state).root_eligibility is CarryoverDepth.FULL


def test_the_answer_that_is_being_talked_about_outlives_twenty_newer_ones() -> None:
    start = fold(SessionState(), [ev.AnswerGiven(_answer(1)), ev.MetaFrameSet(_meta("answer-1"))])
    state = fold(start, [ev.AnswerGiven(_answer(turn)) for turn in range(2, 60)])
    assert _refs(state)[0] == "answer-1"


def test_the_last_slice_that_undo_reaches_can_be_carried_from() -> None:
    state = SessionState()
    for turn in range(1, MAX_HISTORY + 2):
        answer = _answer(turn)
        state = fold(state, [_opened(turn), ev.CheckpointTaken(), ev.GateComputed(answer.gate)])
        state = fold(state, [ev.AnswerGiven(answer), ev.RootFrameSet(_root(answer.ref))])
    while state.program.history:
        state = apply(state, ev.ProgramRestored())
        assert resolve(state).root_eligibility is CarryoverDepth.FULL
    assert state.frames.root is not None
    assert state.frames.root.root_answer_object_ref == "answer-1"


def _refs(state: SessionState) -> list[str]:
    return [answer.ref for answer in state.answers.items]


def _spoken_of(*found: FramesRegion | Checkpoint) -> set[str]:
    """The answers that frames speak of, those at hand or those that undo would bring back."""
    return {
        ref
        for one in found
        for ref in (
            one.root.root_answer_object_ref if one.root else "",
            one.selected_object.provenance_bundle_ref if one.selected_object else "",
            one.meta.source_answer_object_ref if one.meta else "",
        )
    }


def _opened(turn: int) -> ev.TurnOpened:
    return ev.TurnOpened(f"turn-{turn}", "trace", "2020-01-01T00:00:00.000+00:00", "?", None, turn - 1)


def _answer(turn: int) -> AnswerObject:
    return AnswerObject(f"answer-{turn}", turn, "inventory.stock", _GATE)


def _root(ref: str) -> RootFrameState:
    return RootFrameState("inventory", "inventory.stock", None, None, "rows", ref, FrameStatus.ACTIVE)


def _selected(ref: str) -> SelectedObjectFrameState:
    item = EntityRef("item", "1", "Oak desk 120")
    return SelectedObjectFrameState(item, "item", "rows", "item", ref, None, FrameStatus.ACTIVE)


def _meta(ref: str) -> MetaFrameState:
    return MetaFrameState(ref, MetaQuestionKind.EVALUATION, _GATE, MetaTruthMode.CONFIRMED)
