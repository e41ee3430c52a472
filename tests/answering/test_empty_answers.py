"""A period that leaves nothing: the answer says from when to when there is something."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import AnswerMode

SCRIPT: Final = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, company TEXT NOT NULL, born DATE);
CREATE TABLE invoices (invoice_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers,
  issued DATE NOT NULL, paid DATE, total NUMERIC(10,2) NOT NULL);
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, visited_at DATETIME);
INSERT INTO customers VALUES (1, 'Arbor', '1980-04-01'), (2, 'Birk', '1991-07-30');
INSERT INTO invoices VALUES (1, 1, '2021-01-01', '2021-02-01', 10), (2, 1, '2023-05-05', NULL, 20),
  (3, 2, '2025-12-22', '2026-01-11', 30);
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("empty")
    path = folder / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCRIPT)
    with Workspace.open_database(path, folder / "work") as workspace:
        yield workspace


def answer(workspace: Workspace, message: str) -> str:
    result = workspace.ask(workspace.new_session(), message)
    assert result.answer_mode is AnswerMode.CONFIRMED, result.message
    return result.message


SPANS: Final = [
    ("how many invoices were issued in March 2012?", "1 January 2021", "22 December 2025"),
    ("total of invoices issued in 2012", "1 January 2021", "22 December 2025"),
    ("invoices issued in 2030", "1 January 2021", "22 December 2025"),
    ("how many customers were born after 2000?", "1 April 1980", "30 July 1991"),
    ("сколько счетов выставлено в марте 2012 года?", "1 января 2021", "22 декабря 2025"),
]


@pytest.mark.parametrize(("message", "start", "end"), SPANS)
def test_what_there_is_instead_is_said(shop: Workspace, message: str, start: str, end: str) -> None:
    said = answer(shop, message)
    assert start in said
    assert end in said


WITHIN: Final = [
    "how many invoices were issued in 2022?",
    "how many invoices were issued in 2021?",
    "how many invoices above 1000?",
]


@pytest.mark.parametrize("message", WITHIN)
def test_nothing_is_said_where_the_dates_are_no_reason(shop: Workspace, message: str) -> None:
    assert "22 December 2025" not in answer(shop, message)


def test_a_total_of_no_rows_is_nothing(shop: Workspace) -> None:
    assert ": nothing." in answer(shop, "total of invoices issued in 2012")


def test_a_table_without_rows_has_no_span(shop: Workspace) -> None:
    said = answer(shop, "how many visits in 2012?")
    assert said.endswith(": 0.")
