"""Pending questions where a pack stands beside the tables of its database."""

from collections.abc import Iterator
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, DropReason, Phase, TransitionClass
from tests.answering.places import STOCK, pack_workspace, talk

T, M = TransitionClass, AnswerMode
TWINS: Final = "Allianz Pension Scheme"
"""Two CBUs have this name."""


@pytest.fixture(scope="module")
def trade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with Workspace.open(pack_workspace("trade", tmp_path_factory.mktemp("trade") / "workspace")) as workspace:
        yield workspace


@pytest.fixture(scope="module")
def funds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with Workspace.open(pack_workspace("funds", tmp_path_factory.mktemp("funds") / "workspace")) as workspace:
        yield workspace


def _dropped(workspace: Workspace, result: TurnResult) -> list[DropReason]:
    events = workspace.turn_events(result.session_id, result.turn)
    return [event.why for event in events if isinstance(event, ev.QuestionDropped)]


def test_a_sure_question_over_a_table_drops_the_question_of_a_pack(trade: Workspace) -> None:
    *_, counted = talk(trade, STOCK, "documents", "how many documents are there")
    assert (counted.transition, counted.answer_mode, counted.rows) == (T.T1, M.CONFIRMED, ((32,),))
    assert _dropped(trade, counted) == [DropReason.SELF_CONTAINED]


def test_a_name_after_an_answer_over_a_table_is_for_the_tables(trade: Workspace) -> None:
    """The pack has no slice that it could change: whatever the tables make of it, it is an answer."""
    *_, named = talk(trade, "how many warehouses are there", "Alfa")
    assert (named.transition, named.rows) == (T.T2, ((2,),))
    *_, named = talk(trade, "how many warehouses are there", "Beta Retail")
    assert (named.transition, named.rows) == (T.T2, ((1,),))


def test_a_place_picks_one_of_a_name_and_a_pronoun_does_not(funds: Workspace) -> None:
    _, asked, left, picked = talk(funds, "list cbus", TWINS, "who are they?", "2")
    assert asked.phase is left.phase is Phase.UNRESOLVED_REFS
    assert left.transition is T.T10
    assert "Still open: " in left.message
    assert (picked.transition, picked.answer_mode, picked.rows[0][2]) == (T.T7, M.CONFIRMED, "Ireland")


def test_an_answer_that_does_not_help_keeps_the_program_that_waits(funds: Workspace) -> None:
    _, asked, again, skipped = talk(funds, "list cbus", TWINS, "Nordwind Holding", "skip")
    assert (again.transition, again.answer_mode, again.phase) == (
        T.T7,
        M.CLARIFICATION_REQUIRED,
        Phase.UNRESOLVED_REFS,
    )
    assert (again.program, again.options, again.route) == (asked.program, asked.options, asked.route)
    assert skipped.transition is T.X_SKIP


def test_a_program_that_waits_for_a_name_is_replaced_by_what_is_asked_next(funds: Workspace) -> None:
    *_, counted = talk(funds, "list cbus", TWINS, "how many cbus are there")
    assert (counted.transition, counted.answer_mode, counted.phase) == (T.T2, M.CONFIRMED, Phase.DONE)
    assert "cbu.count" in counted.program
    assert _dropped(funds, counted) == [DropReason.FOLLOW_UP]
    state = funds.state(counted.session_id)
    assert (state.frames.clarification, state.program.unresolved_refs) == (None, ())


@pytest.mark.parametrize("between", ["list cbus", TWINS, "how many cbus are there", "undo", "start over"])
def test_a_yes_to_something_else_creates_nothing(funds: Workspace, between: str) -> None:
    create = '(cbu.create :name "Nova" :jurisdiction "LU" :client-type "FUND")'
    before = talk(funds, "how many cbus are there")[0].rows
    *_, late = talk(funds, create, "run it", between, "yes")
    assert late.answer_mode is not M.CONFIRMED
    assert talk(funds, "how many cbus are there")[0].rows == before
