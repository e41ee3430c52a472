"""What turns about rows must keep: provenance, questions that are closed, frames, figures, policies."""

from collections.abc import Callable

import pytest

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass

T, M = TransitionClass, AnswerMode
Place = Callable[[str], Workspace]


def talk(workspace: Workspace, *messages: str) -> tuple[str, list[TurnResult]]:
    session = workspace.new_session()
    return session, [workspace.ask(session, message) for message in messages]


# T3.


def test_a_row_comes_from_the_result_that_it_was_picked_from(place: Place) -> None:
    workspace = place("music")
    session, _ = talk(workspace, "list customers", "open the first", "her invoices", "the second")
    state = workspace.state(session)
    frame = state.frames.selected_object
    assert frame is not None
    assert frame.focus_object_kind == "invoice"
    picked_from = next(a for a in state.answers.items if a.result_set_id == frame.source_result_set_id)
    assert picked_from.route == "invoice.list"
    assert state.frames.root is not None
    assert state.frames.root.root_route_id == "customer.list"


def test_two_rows_that_look_alike_are_asked_about(place: Place) -> None:
    workspace = place("shop")
    session, (_, asked, picked) = talk(workspace, "list customers", "details of Nora Lund", "the second one")
    assert (asked.transition, asked.answer_mode) == (T.T3, M.CLARIFICATION_REQUIRED)
    assert len(asked.options) == 2
    assert (picked.transition, picked.answer_mode) == (T.T7, M.CONFIRMED)
    frame = workspace.state(session).frames.selected_object
    assert frame is not None
    assert frame.focus_object_ref.id == "4"


def test_the_biggest_by_two_amounts_is_asked_about(place: Place) -> None:
    workspace = place("shop")
    _, (_, asked) = talk(
        workspace, "show name, price and weight of the products that cost less than 100", "the biggest"
    )
    assert (asked.transition, asked.answer_mode) == (T.T3, M.CLARIFICATION_REQUIRED)
    assert sorted(str(getattr(each, "text", each)) for each in asked.options) == [
        "price: Chair",
        "weight: Lamp",
    ]


@pytest.mark.parametrize("message", ["the seventh", "show me number 9", "the 12th one"])
def test_a_place_that_is_not_there_is_said(place: Place, message: str) -> None:
    _, (_, result) = talk(place("clinic"), "list doctors", message)
    assert result.answer_mode is M.UNSUPPORTED
    assert "3" in result.message


def test_the_rows_of_a_plain_grouping_are_no_objects(place: Place) -> None:
    _, (_, result) = talk(place("music"), "number of customers per country", "open the second")
    assert result.transition is not T.T3 or result.answer_mode is not M.CONFIRMED


# T4 and T5.


def test_of_several_rows_it_is_asked_whose_it_is(place: Place) -> None:
    workspace = place("music")
    session, (_, asked, picked, after) = talk(
        workspace, "list customers", "its invoices", "Carla Diaz", "her email"
    )
    assert (asked.transition, asked.answer_mode) == (T.T5, M.CLARIFICATION_REQUIRED)
    assert [getattr(each, "text", each) for each in asked.options] == [
        "Ann Berg",
        "Ben Cole",
        "Carla Diaz",
        "Dov Eitan",
    ]
    assert (picked.transition, [row[0] for row in picked.rows]) == (T.T7, [4, 5])
    assert (after.transition, after.rows[0][-1]) == (T.T5, "carla@x.example")
    frame = workspace.state(session).frames.selected_object
    assert frame is not None
    assert frame.focus_object_ref.name == "Carla Diaz"


def test_a_single_row_is_the_object_without_being_opened(place: Place) -> None:
    _, (_, result) = talk(place("shop"), "list customers from Lima", "его заказы")
    assert (result.transition, [row[0] for row in result.rows]) == (T.T5, [12])


def test_the_second_reader_judges_what_is_asked_of_a_row(place: Place) -> None:
    workspace = place("music")
    session, (*_, result) = talk(workspace, "list customers", "open the first", "her open invoices")
    assert result.answer_mode is M.CONFIRMED
    reviewed = [e for e in workspace.turn_events(session, 3) if isinstance(e, ev.ReadingReviewed)]
    assert len(reviewed) == 1
    assert not reviewed[0].objections


def test_a_word_that_nothing_covers_is_not_dropped(place: Place) -> None:
    _, (*_, result) = talk(place("music"), "list customers", "open the first", "her imaginary invoices")
    assert result.answer_mode is not M.CONFIRMED
    assert "imaginary" in result.message


# Follow-ups of the slice stay what they were.


@pytest.mark.parametrize(
    ("message", "program"),
    [
        ("only those from Berlin", ':city "Berlin"'),
        ("how many are there", "customer.count"),
        ("and by country", ':by "country"'),
        ("sorted by city", ':order "city"'),
    ],
)
def test_a_change_of_the_list_is_a_follow_up_of_the_slice(place: Place, message: str, program: str) -> None:
    workspace = place("music")
    session, (*_, result) = talk(workspace, "list customers", "open the second", message)
    assert (result.transition, result.answer_mode) == (T.T2, M.CONFIRMED)
    assert program in result.program
    assert workspace.state(session).frames.selected_object is None


@pytest.mark.parametrize("message", ["oldest first", "the first 2", "top 3", "which track is the longest?"])
def test_an_order_and_a_number_of_rows_pick_none(place: Place, message: str) -> None:
    workspace = place("music")
    session, _ = talk(workspace, "list employees", message)
    assert workspace.state(session).frames.selected_object is None


# T8 and T9.


def test_a_recap_knows_tables_columns_and_values(place: Place) -> None:
    workspace = place("music")
    _, (_, *results) = talk(
        workspace,
        "how many customers are there in Berlin",
        "did we discuss customers?",
        "have we talked about Berlin?",
        "did we discuss cities?",
        "did we mention invoices?",
        "have we spoken about payroll",
        "мы обсуждали клиентов?",
        "мы говорили про счета?",
        "고객에 대해 이야기했나요?",
    )
    assert [result.transition for result in results] == [T.T9] * 8
    said = [result.message.split(",")[0].split(" ")[0] for result in results]
    assert said == ["Yes", "Yes", "Yes", "No", "No", "Да", "Нет", "네"]


def test_an_opened_row_is_ranked_among_those_it_came_from(place: Place) -> None:
    _, (*_, result) = talk(
        place("music"), "total of invoices per customer", "show the biggest", "is that a lot?"
    )
    assert result.message == "Ben Cole is number 1 of 3 with 99.90, 47.0 % of 212.65."


def test_another_figure_of_the_row_is_not_ranked_by_that_of_the_list(place: Place) -> None:
    _, (*_, result) = talk(
        place("clinic"), "number of patients per doctor", "open Dr Abel", "his salary", "is that a lot?"
    )
    assert result.transition is T.T8
    assert "9000" in result.message
    assert "number 1" not in result.message


def test_two_counts_of_one_table_are_compared_and_two_tables_are_not(place: Place) -> None:
    workspace = place("music")
    _, (*_, same) = talk(
        workspace, "how many invoices in 2020", "how many invoices are paid", "is that a lot?"
    )
    assert "compared with" in same.message
    _, (*_, other) = talk(
        workspace, "how many customers are there", "how many tracks are there", "is that a lot?"
    )
    assert "compared with" not in other.message
    assert "6" in other.message


@pytest.mark.parametrize(
    "message",
    ["what does that mean?", "это мы должны или нам", "что это значит?", "is that a lot?", "это много?"],
)
def test_talk_about_an_answer_runs_nothing(place: Place, message: str) -> None:
    workspace = place("music")
    session, (first, result) = talk(workspace, "how many invoices are open", message)
    assert (result.transition, result.answer_mode) == (T.T8, first.answer_mode)
    assert "2" in result.message
    assert not [e for e in workspace.turn_events(session, 2) if isinstance(e, ev.RunStarted)]


def test_a_question_to_the_data_is_not_talk_about_an_answer(place: Place) -> None:
    _, (_, result) = talk(place("music"), "how many invoices are there", "what share of invoices is paid")
    assert result.transition is T.T1
    assert result.answer_mode is M.CONFIRMED
