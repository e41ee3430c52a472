"""Talk after a question that was refused: what points at it is not read upon an older answer."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass

BIKES = Path(__file__).parents[1] / "table_dialogues" / "bikes.sql"
JUNE = "how many rentals started in June 2023"
REFUSED = "and the flurbed ones?"
CONFIRMED, ASKED = AnswerMode.CONFIRMED, AnswerMode.CLARIFICATION_REQUIRED


@pytest.fixture(scope="module")
def bikes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("bikes")
    with sqlite3.connect(folder / "bikes.sqlite") as database:
        database.executescript(BIKES.read_text("utf-8"))
    workspace = Workspace.open_database(folder / "bikes.sqlite", folder / "workspace")
    yield workspace
    workspace.close()


def _said(bikes: Workspace, *messages: str) -> TurnResult:
    session = bikes.new_session()
    return [bikes.ask(session, each) for each in messages][-1]


@pytest.mark.parametrize(
    "message",
    [
        "what is the total cost of those",
        "sort that by cost",
        "also show the cost",
        "only those of Petra Vogel",
        "and by month?",
        "which of them is the longest",
    ],
)
def test_what_points_at_a_refused_question_is_refused_and_says_so(bikes: Workspace, message: str) -> None:
    result = _said(bikes, JUNE, REFUSED, message)
    assert result.transition is TransitionClass.T10
    assert "I couldn't answer “and the flurbed ones?”" in result.message


def test_another_period_goes_on_from_the_answer_before_and_is_asked_about(bikes: Workspace) -> None:
    result = _said(bikes, JUNE, REFUSED, "and in July 2023?")
    assert (result.answer_mode, "rentals in July 2023" in result.message) == (ASKED, True)
    confirmed = _said(bikes, JUNE, REFUSED, "and in July 2023?", "yes")
    assert (confirmed.answer_mode, confirmed.rows) == (CONFIRMED, ((4,),))


def test_what_is_said_of_nothing_here_hides_no_answer(bikes: Workspace) -> None:
    result = _said(bikes, JUNE, "what is the weather like", "and in July 2023?")
    assert (result.answer_mode, result.rows) == (CONFIRMED, ((4,),))


def test_a_question_of_its_own_is_answered_after_a_refusal(bikes: Workspace) -> None:
    result = _said(bikes, JUNE, REFUSED, "how many riders are there")
    assert (result.answer_mode, result.rows) == (CONFIRMED, ((5,),))


@pytest.mark.parametrize("opening", ["what about", "how about", "and what about"])
def test_a_year_that_is_asked_about_takes_the_place_of_another(bikes: Workspace, opening: str) -> None:
    result = _said(bikes, "how many riders joined in 2021", f"{opening} 2022?")
    assert (result.answer_mode, result.rows) == (CONFIRMED, ((1,),))


def test_rows_that_were_counted_are_listed_in_order(bikes: Workspace) -> None:
    result = _said(bikes, "how many riders joined in 2023", "list them by name")
    assert (result.answer_mode, result.rows) == (CONFIRMED, (("Sven Aalto",), ("Tanya Orlova",)))


def test_groups_are_sorted_by_their_number(bikes: Workspace) -> None:
    result = _said(bikes, "how many repairs did each bike have", "sort that from most to fewest")
    assert result.answer_mode is CONFIRMED
    assert result.rows[0][-1] == 2


def test_there_is_a_place_in_hand(bikes: Workspace) -> None:
    """Who has been at a station of the lake, and not every rider."""
    result = _said(bikes, "which stations are in the West", "who has been there?")
    assert result.answer_mode is CONFIRMED
    assert {row[0] for row in result.rows} == {"Sven Aalto", "Rita Salo"}


def test_which_of_them_shows_some_of_them(bikes: Workspace) -> None:
    result = _said(bikes, "which riders joined in 2023", "which of them have rented a Cargo bike?")
    assert result.answer_mode is not CONFIRMED or {row[0] for row in result.rows} == {"Tanya Orlova"}
