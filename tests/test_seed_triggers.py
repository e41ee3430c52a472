"""The seeds, word for word: every trigger of 003 from the state it needs, every escape hatch of 001 part 4
from every phase in which a session can rest."""

import tempfile
from collections.abc import Iterator
from typing import Final, NamedTuple

import pytest

from dragoman import Workspace
from dragoman.contracts.errors import SessionCancelled
from dragoman.contracts.state import SessionState
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, Lifecycle, LivingMode, Phase, TransitionClass

T = TransitionClass

STOCK: Final = "остатки Альфа Трейд на 30 апреля 2020"
DEBTS: Final = "дебиторка Альфа Трейд на 30 апреля 2020"
DESK: Final = "Стол дубовый 120"
KEYBOARD: Final = "Клавиатура Слим"
PROGRAM: Final = '(inventory.stock :organization "2" :as-of 2020-04-30 :as @stock)'


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with tempfile.TemporaryDirectory(prefix="seeds-") as folder, Workspace.open(folder) as workspace:
        yield workspace


class Said(NamedTuple):
    """What the last of some messages came to, and the state before and after it."""

    result: TurnResult
    before: SessionState
    after: SessionState


def say(workspace: Workspace, *messages: str) -> Said:
    session = workspace.new_session()
    for message in messages[:-1]:
        workspace.ask(session, message)
    before = workspace.state(session)
    return Said(workspace.ask(session, messages[-1]), before, workspace.state(session))


# 003: the triggers.


class Trigger(NamedTuple):
    before: tuple[str, ...]
    said: str
    expected: TransitionClass
    route: str | None = None
    focus: str | None = None
    day: str | None = None


TRIGGERS: Final = (
    # T1: a new root business question. It must not inherit a stale object.
    Trigger((), STOCK, T.T1, "inventory.stock", day="2020-04-30"),
    Trigger((STOCK, KEYBOARD), DEBTS, T.T1, "settlements.receivables", day="2020-04-30"),
    # T2: date or scope change. The domain and the organization are kept.
    Trigger((STOCK,), "а на март 2020", T.T2, "inventory.stock", day="2020-03-31"),
    Trigger((STOCK,), "на тот же период", T.T2, "inventory.stock", day="2020-04-30"),
    Trigger((STOCK,), "еще раз по этой дате", T.T2, "inventory.stock", day="2020-04-30"),
    Trigger((DEBTS,), "а на март 2020", T.T2, "settlements.receivables", day="2020-03-31"),
    Trigger((DEBTS,), "на тот же период", T.T2, "settlements.receivables", day="2020-04-30"),
    Trigger((DEBTS,), "еще раз по этой дате", T.T2, "settlements.receivables", day="2020-04-30"),
    # T3: an item selected from the result, the wording of a page, an explicit mention.
    Trigger((STOCK,), "второй", T.T3, "item.card", "LED lamp Spot", "2020-04-30"),
    Trigger((STOCK,), f'По выбранному объекту "{DESK}"', T.T3, "item.card", "Oak desk 120", "2020-04-30"),
    Trigger((STOCK,), DESK, T.T3, "item.card", "Oak desk 120", "2020-04-30"),
    Trigger(
        (STOCK,),
        f'По выбранному объекту "{DESK}" кто поставщик',
        T.T3,
        "item.supplier",
        "Oak desk 120",
        "2020-04-30",
    ),
    # T4: a short action on the selected object. It loses neither the object nor the slice.
    Trigger((STOCK, DESK), "кто поставщик", T.T4, "item.supplier", "Oak desk 120", "2020-04-30"),
    Trigger((STOCK, DESK), "где купили", T.T4, "item.supplier", "Oak desk 120", "2020-04-30"),
    Trigger((STOCK, DESK), "кому продали", T.T4, "item.buyers", "Oak desk 120", "2020-04-30"),
    Trigger((STOCK, DESK), "какие документы", T.T4, "item.documents", "Oak desk 120", "2020-04-30"),
    # T5: a pronoun or a compressed mention.
    Trigger((STOCK, KEYBOARD), "по ней", T.T5, "item.card", "Keyboard Slim", "2020-04-30"),
    Trigger((STOCK, KEYBOARD), "по этой позиции", T.T5, "item.card", "Keyboard Slim", "2020-04-30"),
    Trigger((STOCK, KEYBOARD), "а эта кому ушла", T.T5, "item.buyers", "Keyboard Slim", "2020-04-30"),
    # T6: the object is left, the higher scope stays.
    Trigger((STOCK, DESK, "кто поставщик"), "а НДС", T.T6, "vat.payable", day="2020-04-30"),
    Trigger((STOCK, DESK), "дебиторка", T.T6, "settlements.receivables", day="2020-04-30"),
    # T7: the missing anchor, and the ambiguity.
    Trigger(("остатки на 30 апреля 2020",), "Альфа Трейд", T.T7, "inventory.stock", day="2020-04-30"),
    Trigger((STOCK, "стол дубовый"), "160", T.T7, "item.card", "Oak desk 160", "2020-04-30"),
    # T8: about the answer. Nothing runs.
    Trigger((DEBTS,), "это много или мало", T.T8, day="2020-04-30"),
    Trigger((DEBTS,), "это мы должны или нам", T.T8, day="2020-04-30"),
    Trigger((DEBTS,), "что из этого важнее", T.T8, day="2020-04-30"),
    # T9: memory.
    Trigger((DEBTS,), "мы это обсуждали?", T.T9, day="2020-04-30"),
    Trigger((DEBTS,), "помнишь, о чем говорили", T.T9, day="2020-04-30"),
    # T10: an unsupported route, a blocked source. (A failed run needs a database that fails.)
    Trigger((DEBTS,), "а зарплата?", T.T10, day="2020-04-30"),
    Trigger((STOCK,), "только склад Северный", T.T10, day="2020-04-30"),
)


@pytest.mark.parametrize(
    "trigger", TRIGGERS, ids=lambda each: f"{each.expected}-{each.said} ({len(each.before)})"
)
def test_a_trigger_of_003_is_its_transition(workspace: Workspace, trigger: Trigger) -> None:
    result, before, after = say(workspace, *trigger.before, trigger.said)
    assert result.transition is trigger.expected, result.message
    if trigger.route is not None:
        assert result.route == trigger.route
    focus = after.frames.selected_object
    assert (None if focus is None else focus.focus_object_ref.name) == trigger.focus
    root = after.frames.root
    assert root is not None
    assert root.date_scope is not None
    assert str(root.date_scope.end) == trigger.day
    assert root.organization_scope is not None
    assert root.organization_scope.name == "Alfa Trade"
    if trigger.expected in (T.T8, T.T9, T.T10):
        assert after.frames.root == before.frames.root
        assert after.program == before.program


def test_every_class_of_003_has_a_trigger() -> None:
    wanted = {TransitionClass(f"T{number}") for number in range(1, 11)}
    assert {each.expected for each in TRIGGERS} == wanted


def test_a_blocked_source_is_never_told_as_a_fact(workspace: Workspace) -> None:
    result = say(workspace, STOCK, "только склад Северный").result
    assert result.answer_mode is AnswerMode.UNSUPPORTED
    assert result.entry_transition is T.T2
    assert result.rows == ()


def test_there_is_no_memory_before_anything_was_said(workspace: Workspace) -> None:
    result = say(workspace, "помнишь, о чем говорили").result
    assert result.transition in (T.T9, T.T10)
    assert result.answer_mode is AnswerMode.UNSUPPORTED


# 001, part 4: the escape hatches.


class Rest(NamedTuple):
    """A place where a session rests: how it is reached, and the phase of the program there."""

    messages: tuple[str, ...]
    phase: Phase


ENGLISH: Final = "Stock of Alfa Trade on 31 March 2020"
RESTS: Final = {
    "new": Rest((), Phase.NEW),
    "intent": Rest((ENGLISH, "oak desk", "none of these"), Phase.INTENT),
    "missing anchor": Rest(("show me receivables",), Phase.INTENT_CLARIFY),
    "reading offered": Rest(("the flurbed stock of Alfa Trade on 31 March 2020",), Phase.INTENT_CLARIFY),
    "unresolved": Rest((ENGLISH, "oak desk"), Phase.UNRESOLVED_REFS),
    "syntax error": Rest(("(inventory.stock :organization",), Phase.SYNTAX_ERROR),
    "semantic error": Rest(("(inventory.stok :as-of 2020-03-31)",), Phase.SEMANTIC_ERROR),
    "dependency error": Rest(
        (f'{PROGRAM}\n(duckdb.writer :needs [@gone] :format "csv" :path "x.csv" :as @b)',),
        Phase.DEPENDENCY_ERROR,
    ),
    "ready": Rest((PROGRAM,), Phase.READY),
    "waiting for a yes": Rest((ENGLISH, "save that as csv"), Phase.READY),
    "done": Rest((ENGLISH,), Phase.DONE),
    "object selected": Rest((ENGLISH, "Oak desk 120"), Phase.DONE),
}
ANYWHERE: Final = pytest.mark.parametrize("rest", RESTS.values(), ids=RESTS)
RESTING: Final = frozenset(Phase) - {
    Phase.DISCOVERY,
    Phase.SYNTHESIS,
    Phase.SYNTAX,
    Phase.SEMANTICS,
    Phase.REGENERATE,
    Phase.DEPENDENCIES,
    Phase.RUNNING,
}
"""A turn passes through the others and ends in none of them."""


def test_every_phase_in_which_a_session_can_rest_is_reached(workspace: Workspace) -> None:
    assert {rest.phase for rest in RESTS.values()} == RESTING
    for rest in RESTS.values():
        if rest.messages:
            assert say(workspace, *rest.messages).after.program.phase is rest.phase


@ANYWHERE
@pytest.mark.parametrize("word", ["clear", "start over"])
def test_clear_and_start_over_lead_back_to_new(workspace: Workspace, rest: Rest, word: str) -> None:
    result, before, after = say(workspace, *rest.messages, word)
    assert result.transition is T.X_CLEAR
    assert after.program.phase is Phase.NEW
    assert (after.program.source, after.program.unresolved_refs) == ("", ())
    assert (after.frames.root, after.frames.selected_object, after.frames.clarification) == (None, None, None)
    # Executed results are immutable, and the conversation is kept.
    assert after.answers.items == before.answers.items
    assert after.turn.index == before.turn.index + 1


@ANYWHERE
@pytest.mark.parametrize("word", ["cancel", "bail"])
def test_cancel_and_bail_end_the_session(workspace: Workspace, rest: Rest, word: str) -> None:
    session = workspace.new_session()
    for message in (*rest.messages, word):
        result = workspace.ask(session, message)
    assert result.transition is T.X_CANCEL
    assert workspace.state(session).lifecycle is Lifecycle.CANCELLED
    with pytest.raises(SessionCancelled):
        workspace.ask(session, ENGLISH)
    assert say(workspace, ENGLISH).result.transition is T.T1


@ANYWHERE
def test_undo_restores_what_was_before_where_there_is_history(workspace: Workspace, rest: Rest) -> None:
    session = workspace.new_session()
    states = [workspace.state(session)]
    for message in rest.messages:
        workspace.ask(session, message)
        states.append(workspace.state(session))
    result = workspace.ask(session, "undo")
    after = workspace.state(session)
    if not rest.messages:
        assert result.transition is T.T10
        return
    assert result.transition is T.X_UNDO
    back = states[-2]
    assert (after.program.source, after.program.ast) == (back.program.source, back.program.ast)
    assert _slice(after) == _slice(back)
    assert after.frames.clarification == back.frames.clarification


def _slice(state: SessionState) -> tuple[object, ...]:
    """The root frame, but for its status: that one was restored is a part of the record."""
    root = state.frames.root
    if root is None:
        return ()
    return root.root_route_id, root.organization_scope, root.date_scope, root.root_result_set_id


@ANYWHERE
def test_a_direct_edit_is_read_from_scratch(workspace: Workspace, rest: Rest) -> None:
    result, _, after = say(workspace, *rest.messages, PROGRAM)
    assert result.transition is T.X_EDIT
    assert (after.program.source, after.program.phase) == (PROGRAM, Phase.READY)
    assert after.program.edited_by_user
    assert after.frames.clarification is None


@ANYWHERE
@pytest.mark.parametrize("word", ["help", "what can I do?"])
def test_help_is_of_the_state_and_changes_nothing(workspace: Workspace, rest: Rest, word: str) -> None:
    result, before, after = say(workspace, *rest.messages, word)
    assert result.transition is T.X_HELP
    assert result.message
    assert (after.program, after.frames, after.answers) == (before.program, before.frames, before.answers)
    pending = before.frames.clarification is not None
    assert result.mode is (LivingMode.CLARIFICATION if pending else LivingMode.CHAT)


UNRESOLVED: Final = RESTS["unresolved"].messages
CLARIFIED: Final = pytest.mark.parametrize("before", [RESTS["missing anchor"], RESTS["reading offered"]])


@pytest.mark.parametrize(
    ("word", "expected"),
    [("skip", T.X_SKIP), ("create new", T.X_CREATE), ("try different search", T.X_SEARCH)],
)
def test_the_ways_out_of_a_resolution(workspace: Workspace, word: str, expected: T) -> None:
    assert say(workspace, *UNRESOLVED, word).result.transition is expected
    # Elsewhere there is nothing to resolve.
    for rest in (RESTS["new"], RESTS["done"], RESTS["ready"], RESTS["missing anchor"]):
        assert say(workspace, *rest.messages, word).result.transition is T.T10


def test_another_search_stays_in_the_resolution(workspace: Workspace) -> None:
    after = say(workspace, *UNRESOLVED, "try different search").after
    assert after.program.phase is Phase.UNRESOLVED_REFS
    found = say(workspace, *UNRESOLVED, "try different search", "Keyboard Slim")
    assert (found.result.transition, found.result.route) == (T.T7, "item.card")


@CLARIFIED
@pytest.mark.parametrize("word", ["none of these", "something else"])
def test_none_of_these_goes_back_to_the_intent(workspace: Workspace, before: Rest, word: str) -> None:
    result, _, after = say(workspace, *before.messages, word)
    assert result.transition is T.X_NONE
    assert after.program.phase is Phase.INTENT
    assert after.frames.clarification is None


@CLARIFIED
def test_a_new_message_abandons_the_clarification(workspace: Workspace, before: Rest) -> None:
    result, _, after = say(workspace, *before.messages, "VAT of Beta Retail for March 2020")
    assert (result.transition, result.route) == (T.T1, "vat.payable")
    assert after.frames.clarification is None
