"""Which row a short message is about: the one in hand, the one shown last; none where data is to change."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass

T = TransitionClass

_SHOP = """
CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), status TEXT,
  total REAL, ordered_on DATE);
INSERT INTO customers VALUES (1, 'Anna Berg', 'Oslo'), (2, 'Bo Lind', 'Bergen'), (3, 'Carl Moe', 'Oslo');
INSERT INTO orders VALUES (1, 1, 'cancelled', 50, '2024-01-02'), (2, 1, 'paid', 80, '2024-02-02'),
  (3, 2, 'open', 20, '2024-02-05'), (4, 3, 'shipped', 300, '2024-03-01'), (5, 3, 'paid', 70, '2024-03-04');
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    file: Path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(_SHOP)
    with Workspace.open_database(file, folder=file.parent / "workspace") as workspace:
        yield workspace


def last(workspace: Workspace, *messages: str) -> TurnResult:
    session = workspace.new_session()
    return [workspace.ask(session, message) for message in messages][-1]


def test_a_place_is_one_of_what_was_shown_last(shop: Workspace) -> None:
    opened = last(shop, "customers", "open the second", "its orders", "the first")
    assert (opened.transition, opened.rows[0][0]) == (T.T3, 3)


def test_whether_it_is_so_is_asked_of_the_row_that_was_shown(shop: Workspace) -> None:
    answer = last(shop, "most expensive order", "was it cancelled")
    assert (answer.transition, answer.rows) == (T.T5, ((4, "shipped"),))


@pytest.mark.parametrize("message", ["?", "please", "again", "the", "😀"])
def test_a_message_without_a_word_of_its_own_is_refused(shop: Workspace, message: str) -> None:
    assert last(shop, "customers", "open the second", message).transition in (T.T10, T.T0)


@pytest.mark.parametrize("order", ["cancel order 3", "ship order 4", "close order 4"])
def test_a_wish_to_change_a_row_is_not_answered_by_showing_it(shop: Workspace, order: str) -> None:
    for messages in ((order,), ("orders", order)):
        refused = last(shop, *messages)
        assert (refused.transition, refused.answer_mode) == (T.T10, AnswerMode.UNSUPPORTED)


def test_what_was_cancelled_is_a_question(shop: Workspace) -> None:
    assert last(shop, "which orders were cancelled").rows[0][0] == 1


_STAFF = """
CREATE TABLE staff(id INTEGER PRIMARY KEY, name TEXT, boss_id INTEGER REFERENCES staff(id));
CREATE TABLE wards(id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE shifts(id INTEGER PRIMARY KEY, staff_id INTEGER REFERENCES staff(id),
  ward_id INTEGER REFERENCES wards(id), worked_on DATE);
INSERT INTO staff VALUES (1, 'Ada Holm', NULL), (2, 'Bea Falk', 1), (3, 'Cid Rask', 1), (4, 'Dag Vik', 2);
INSERT INTO wards VALUES (1, 'Heart'), (2, 'Skin');
INSERT INTO shifts VALUES (1, 2, 1, '2024-01-02'), (2, 3, 2, '2024-01-02'), (3, 4, 2, '2024-01-03');
"""


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    file: Path = tmp_path_factory.mktemp("staff") / "staff.sqlite"
    with closing(sqlite3.connect(file)) as database:
        database.executescript(_STAFF)
    with Workspace.open_database(file, folder=file.parent / "workspace") as workspace:
        yield workspace


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ("her boss", ["Ada Holm"]),
        ("who is her boss", ["Ada Holm"]),
        ("her subordinates", ["Dag Vik"]),
        ("her reports", ["Dag Vik"]),
    ],
)
def test_a_link_to_rows_of_the_same_kind_has_two_ends(
    staff: Workspace, message: str, names: list[str]
) -> None:
    answer = last(staff, "list the staff", "Bea Falk", message)
    assert (answer.transition, answer.answer_mode) == (T.T5, AnswerMode.CONFIRMED)
    assert [cell for row in answer.rows for cell in row if cell in ("Ada Holm", "Dag Vik")][:1] == names


@pytest.mark.parametrize("message", ["ward", "the ward", "which is the ward?"])
def test_one_thing_asked_for_briefly_is_that_of_the_row_in_hand(staff: Workspace, message: str) -> None:
    answer = last(staff, "list the staff", "Cid Rask", message)
    assert answer.transition is T.T4
    assert [row[1] for row in answer.rows] == ["Skin"]
