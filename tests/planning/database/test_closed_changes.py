"""Changes of an answer in a word or two: another direction, another size, by something else, those behind.

The database is a ropewalk: who works there, what ropes are made for what, and what was sold of them.
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.vocabulary import AnswerMode
from tests.tables.test_engines import statement

SCRIPT: Final = """
CREATE TABLE team (team_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO team VALUES (1, 'IT'), (2, 'Spinning'), (3, 'Shipping');
CREATE TABLE member (member_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, sex TEXT, age INTEGER,
  salary INTEGER, team_id INTEGER REFERENCES team(team_id));
INSERT INTO member VALUES (1, 'Una', 'Thorn', 'F', 24, 2100, 1), (2, 'Egil', 'Marsh', 'M', 51, 3300, 1),
  (3, 'Tove', 'Reef', 'F', 38, 2700, 2), (4, 'Arne', 'Holm', 'M', 29, 1900, 2),
  (5, 'Signe', 'Vale', 'F', 45, 2900, 3), (6, 'Odd', 'Lind', 'M', 33, 1800, 2);
CREATE TABLE rope (rope_id INTEGER PRIMARY KEY, name TEXT, strands INTEGER, length INTEGER,
  price DECIMAL(8,2));
INSERT INTO rope VALUES (1, 'Hawser', 9, 120, 340.00), (2, 'Halyard', 3, 60, 75.50),
  (3, 'Painter', 3, 15, 22.00), (4, 'Bell pull', 4, 4, 31.00), (5, 'Tow line', 8, 90, 210.00);
CREATE TABLE purpose (purpose_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO purpose VALUES (1, 'Mooring'), (2, 'Hoisting'), (3, 'Towing');
CREATE TABLE rope_purpose (rope_id INTEGER REFERENCES rope(rope_id),
  purpose_id INTEGER REFERENCES purpose(purpose_id), PRIMARY KEY (rope_id, purpose_id));
INSERT INTO rope_purpose VALUES (1, 1), (1, 3), (2, 2), (3, 1), (5, 3);
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, rope_id INTEGER REFERENCES rope(rope_id), harbour TEXT,
  sold_on DATE, total DECIMAL(9,2));
INSERT INTO sale VALUES (1, 1, 'Bergen', '2023-02-03', 680), (2, 2, 'Bergen', '2023-05-14', 151),
  (3, 3, 'Aarhus', '2023-06-02', 44), (4, 5, 'Leith', '2023-09-21', 420),
  (5, 1, 'Aarhus', '2024-01-15', 340), (6, 4, 'Leith', '2024-03-08', 62);
"""

TALKS: Final[list[tuple[str, ...]]] = [
    # Nothing but an age is younger, although none was shown.
    (
        "female members",
        "younger than 40",
        '(member.list :sex "F" :age {:below 40} :columns ["first_name" "last_name" "age"])',
    ),
    # What is named behind "for each" takes the place of what was gathered by.
    ("How many members are there for each sex?", "for each age", '(member.count :by "age")'),
    # The order in hand, the other way.
    (
        "Which members earn more than 2000?",
        "sort by salary",
        "descending",
        '(member.list :salary {:above 2000} :columns ["first_name" "last_name" "salary"]'
        ' :order {:desc "salary"})',
    ),
    # A share has an order and a top of its own.
    (
        "sum of sale totals by harbour",
        "as a percentage",
        "top 2",
        '(sale.share :of "total" :by "harbour" :order {:desc "share"} :top 2)',
    ),
    # A number in words is the size of the top.
    (
        "Show the two longest ropes",
        "make it three",
        '(rope.list :columns ["name" "length"] :order {:desc "length"} :top 3)',
    ),
    # A word in capitals is a name, and no pronoun.
    (
        "members in the Spinning team",
        "and for IT?",
        '(member.list :where {:team {:name "IT"}} :columns ["first_name" "last_name"])',
    ),
    # After a figure: the rows that it was made of.
    (
        "How many ropes are longer than 10?",
        "total strands",
        "which of those ropes have more than 5 strands",
        '(rope.list :length {:above 10} :strands {:above 5} :columns ["name" "strands"])',
    ),
    # "On top" only says which end comes first.
    (
        "Show the ropes with their prices",
        "sort by price, priciest on top",
        '(rope.list :columns ["name" "price"] :order {:desc "price"})',
    ),
    # What is asked of each row stands beside it.
    (
        "Which ropes are longer than 50?",
        "what purpose is each?",
        '(rope.list :with "rope_purpose-by-rope" :length {:above 50}'
        ' :columns ["name" "length" "rope_purpose-by-rope/purpose/name"])',
    ),
    # The first reading is objected to, and the next has no rival.
    (
        "How many ropes are longer than 50?",
        "Name them with their prices.",
        '(rope.list :length {:above 50} :columns ["name" "price"])',
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = Path(tmp_path_factory.mktemp("ropewalk"))
    connection = sqlite3.connect(folder / "ropewalk.sqlite")
    connection.executescript(SCRIPT)
    connection.commit()
    connection.close()
    (folder / "home").mkdir()
    return folder


@pytest.fixture(scope="module")
def ropewalk(folder: Path) -> Iterator[Workspace]:
    with Workspace.open_database(folder / "ropewalk.sqlite", folder / "home") as workspace:
        workspace.ask(workspace.new_session(), "?")
        yield workspace


@pytest.fixture(scope="module")
def catalog(ropewalk: Workspace, folder: Path) -> Catalog:
    found = Catalog(folder / "home")
    found.load()
    return found


@pytest.mark.parametrize("talk", TALKS, ids=lambda talk: talk[-2])
def test_a_short_change_is_made_and_confirmed(
    ropewalk: Workspace, catalog: Catalog, talk: tuple[str, ...]
) -> None:
    *messages, program = talk
    session = ropewalk.new_session()
    result = None
    for message in messages:
        result = ropewalk.ask(session, message)
        assert result.answer_mode is AnswerMode.CONFIRMED, (message, result.message)
    assert result is not None
    assert result.rows == look_up(catalog, statement(program)).rows, result.program


def test_a_bare_number_is_no_size_where_nothing_is_a_top(ropewalk: Workspace) -> None:
    session = ropewalk.new_session()
    ropewalk.ask(session, "Which ropes are longer than 50?")
    assert ":top" not in ropewalk.ask(session, "make it two").program


def test_whoever_did_what_no_word_names_is_not_confirmed(ropewalk: Workspace) -> None:
    session = ropewalk.new_session()
    ropewalk.ask(session, "How many sales were there in 2023?")
    assert ropewalk.ask(session, "who won them?").answer_mode is not AnswerMode.CONFIRMED
