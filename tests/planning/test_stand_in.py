"""Messages about the rows in hand mean what they mean with the noun of these rows, asked of just those."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass

SCRIPT: Final = """
CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
INSERT INTO guests VALUES (1, 'Asta', 'Bergen'), (2, 'Birk', 'Bergen'), (3, 'Celia', 'Hobro'),
  (4, 'Dag', 'Bergen'), (5, 'Edda', 'Hobro');
CREATE TABLE orders (id INTEGER PRIMARY KEY, guest_id INTEGER REFERENCES guests(id), placed_on DATE,
  needed_on DATE);
INSERT INTO orders VALUES (1, 1, '2022-03-05', '2022-04-02'), (2, 1, '2023-04-08', '2023-05-01'),
  (3, 2, '2023-03-11', '2023-03-21'), (4, 3, '2023-05-20', '2023-12-30'), (5, 3, '2022-06-02', '2022-07-30'),
  (6, 2, '2022-08-02', '2023-01-30');
CREATE TABLE lines (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), amount NUMERIC);
INSERT INTO lines VALUES (1, 1, 120), (2, 2, 200), (3, 2, 100), (4, 3, 250), (5, 4, 700),
  (6, 5, 400), (7, 6, 90);
CREATE TABLE dishes (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, sell_start_date DATE, sell_end_date DATE);
INSERT INTO dishes VALUES (1, 'Pea soup', 'Soups', '2020-01-01', '2022-03-31'),
  (2, 'Fish soup', 'Soups', '2020-01-01', NULL), (3, 'Crumble', 'Sweets', '2021-05-01', NULL);
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("stand_in")
    with closing(sqlite3.connect(folder / "inn.sqlite")) as connection:
        connection.executescript(SCRIPT)
    with Workspace.open_database(folder / "inn.sqlite", folder / "workspace") as opened:
        yield opened


def held(workspace: Workspace, *messages: str) -> TurnResult:
    """The last of a conversation."""
    session = workspace.new_session()
    return [workspace.ask(session, each) for each in messages][-1]


def cells(result: TurnResult) -> set[object]:
    assert result.answer_mode is AnswerMode.CONFIRMED, result.message
    return {cell for row in result.rows for cell in row}


def test_some_of_the_rows_are_those_with_records_in_a_period(workspace: Workspace) -> None:
    found = held(workspace, "guests from Bergen", "which of them placed an order in 2023?")
    assert cells(found) >= {"Asta", "Birk"}
    assert len(found.rows) == 2


def test_that_year_holds_of_the_records_that_are_added_up(workspace: Workspace) -> None:
    """And not only of guests who had some."""
    talk = (
        "guests from Bergen",
        "which of them placed an order in 2023?",
        "how much did each of them spend that year",
    )
    assert {row[-1] for row in held(workspace, *talk).rows} == {300, 250}


def test_who_spent_most_is_one_of_those_in_hand(workspace: Workspace) -> None:
    found = held(workspace, "guests from Bergen", "which of them has spent the most?")
    assert cells(found) >= {"Asta", 420}


@pytest.mark.parametrize(
    "opening", ["something else now:", "ok, different question -", "Moving on.", "hi, a new question:"]
)
def test_an_announced_question_is_read_alone(workspace: Workspace, opening: str) -> None:
    found = held(workspace, "guests from Bergen", f"{opening} how many orders are there?")
    assert (found.transition, found.rows) == (TransitionClass.T1, ((6,),))


def test_an_announced_question_drops_the_open_one(workspace: Workspace) -> None:
    session = workspace.new_session()
    asked = workspace.ask(session, "flurbed guests")
    assert asked.answer_mode is not AnswerMode.CONFIRMED
    workspace.ask(session, "orders in 2022 or amount")
    found = workspace.ask(session, "something else: how many guests are from Hobro?")
    assert (found.answer_mode, found.rows) == (AnswerMode.CONFIRMED, ((2,),))


def test_what_has_no_sign_behind_it_announces_nothing(workspace: Workspace) -> None:
    found = held(workspace, "guests from Bergen", "something else guests")
    assert found.answer_mode is not AnswerMode.CONFIRMED


def test_which_of_them_is_never_all_of_them_with_a_column_more(workspace: Workspace) -> None:
    found = held(workspace, "guests from Bergen", "which of them are in town?")
    assert found.answer_mode is not AnswerMode.CONFIRMED, found.message


def test_which_of_them_lists_rows_behind_a_number(workspace: Workspace) -> None:
    found = held(workspace, "how many guests are from Bergen?", "which of them placed an order in 2022?")
    assert cells(found) >= {"Asta", "Birk"}


def test_what_is_not_sold_any_more_has_a_last_day_of_sale(workspace: Workspace) -> None:
    found = held(workspace, "list the soups", "which of them do we no longer sell?")
    assert cells(found) == {"Pea soup"}


def test_still_is_not_answered_by_what_was_asked_before(workspace: Workspace) -> None:
    talk = ("list the soups", "which of them do we no longer sell?", "and the ones we still sell")
    found = held(workspace, *talk)
    assert found.answer_mode is not AnswerMode.CONFIRMED, found.message


def test_on_top_is_the_first_of_what_was_told(workspace: Workspace) -> None:
    told = held(workspace, "number of orders per guest", "who came out on top?")
    assert len(told.rows) == 1, told.message
    alone = held(workspace, "who came out on top?")
    assert alone.answer_mode is not AnswerMode.CONFIRMED, alone.message


def test_that_year_is_the_one_in_hand_also_in_a_question_of_its_own(workspace: Workspace) -> None:
    found = held(workspace, "how many orders were placed in 2022?", "total amount of lines that year?")
    assert found.rows == ((610,),), found.message
    month = held(
        workspace, "how many orders were placed in March 2023?", "which guests placed an order that month?"
    )
    assert "Birk" in cells(month)
    assert len(month.rows) == 1


def test_a_year_that_is_asked_for_is_not_left_out(workspace: Workspace) -> None:
    found = held(workspace, "how many guests are from Bergen?", "list them with the year")
    assert found.answer_mode is not AnswerMode.CONFIRMED, found.message


def test_a_row_that_is_named_by_its_place_is_asked_about(workspace: Workspace) -> None:
    session = workspace.new_session()
    rows = workspace.ask(session, "top 2 guests by number of orders").rows
    found = workspace.ask(session, "how much did the second one spend in 2023?")
    spent = {"Asta": 300, "Birk": 250, "Celia": 700}
    assert found.rows == ((spent[str(rows[1][0])],),), found.message


def test_what_each_of_them_did_is_told_of_those_in_hand(workspace: Workspace) -> None:
    found = held(workspace, "guests from Bergen", "how many orders did each place in 2022?")
    assert {tuple(row)[-2:] for row in found.rows} == {("Asta", 1), ("Birk", 1)}, found.message


def test_the_same_once_more_answers_nothing_that_is_asked_of_it(workspace: Workspace) -> None:
    found = held(workspace, "guests from Bergen", "what do they guest?")
    assert found.answer_mode is not AnswerMode.CONFIRMED, found.message
