"""What is made of an answer: others in the place of a name, those that are not so, some of them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode

SCRIPT: Final = """
CREATE TABLE harbours (id INTEGER PRIMARY KEY, name TEXT, region TEXT, harbour_master TEXT,
  berths INTEGER);
INSERT INTO harbours VALUES (1, 'Sandvik', 'West', 'Ylva Strand', 40),
  (2, 'Kobbholm', 'West', 'Per Lind', 25),
  (3, 'Ostra', 'East', 'Siv Aune', 60), (4, 'Ostra', 'North', 'Tor Vik', 12);
CREATE TABLE moorings (id INTEGER PRIMARY KEY, mooring TEXT);
INSERT INTO moorings VALUES (1, 'Cedar'), (2, 'Alder'), (3, 'Birch');
CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
INSERT INTO owners VALUES (1, 'Hedda Moe', 'Bergen'), (2, 'Nils Aas', 'Bergen'), (3, 'Ida Rud', 'Hobro');
CREATE TABLE owner_languages (owner_id INTEGER REFERENCES owners(id), language TEXT, is_native BOOLEAN,
  PRIMARY KEY (owner_id, language));
INSERT INTO owner_languages VALUES (1, 'Danish', 1), (2, 'Danish', 0), (2, 'Frisian', 1), (3, 'Frisian', 1);
CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT, rig TEXT, length_m REAL, worth INTEGER,
  harbour_id INTEGER REFERENCES harbours(id), owner_id INTEGER REFERENCES owners(id),
  mast_height REAL, mast_wood TEXT);
INSERT INTO boats (id, name, rig, length_m, worth, harbour_id, owner_id) VALUES
  (1, 'Tern', 'Ketch', 9.5, 100, 1, 1), (2, 'Gull', 'Sloop', 7, 40, 1, 2),
  (3, 'Auk', 'Ketch', 12, 250, 1, 1), (4, 'Skua', 'Yawl', 8, 60, 2, 3), (5, 'Eider', 'Sloop', 6.5, 30, 2, 2),
  (6, 'Knot', 'Yawl', 10, 90, 3, 3), (7, 'Ruff', 'Sloop', 5, 20, 4, 3);
UPDATE boats SET mast_height = length_m + id, mast_wood = CASE WHEN id < 4 THEN 'Spruce' ELSE 'Ash' END;
CREATE TABLE repairs (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats(id), done_on DATE,
  cost INTEGER);
INSERT INTO repairs VALUES (1, 1, '2022-03-01', 10), (2, 1, '2023-05-02', 15), (3, 2, '2023-06-07', 7),
  (4, 4, '2022-11-30', 30);
CREATE TABLE races (id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats(id), raced_on DATE,
  place INTEGER);
INSERT INTO races VALUES (1, 1, '2023-07-01', 2), (2, 3, '2023-07-01', 1), (3, 3, '2023-08-12', 3),
  (4, 5, '2022-07-02', 4), (5, 5, '2023-08-12', 1), (6, 4, '2022-07-02', 1);
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("turned")
    with closing(sqlite3.connect(folder / "coast.sqlite")) as connection:
        connection.executescript(SCRIPT)
    with Workspace.open_database(folder / "coast.sqlite", folder / "workspace") as opened:
        yield opened


def held(workspace: Workspace, *messages: str) -> TurnResult:
    """The last of a conversation."""
    session = workspace.new_session()
    return [workspace.ask(session, each) for each in messages][-1]


def names(result: TurnResult) -> set[object]:
    assert result.answer_mode is AnswerMode.CONFIRMED, result.message
    return {cell for row in result.rows for cell in row if isinstance(cell, str)}


def figures(result: TurnResult) -> list[object]:
    assert result.answer_mode is AnswerMode.CONFIRMED, result.message
    return [row[-1] for row in result.rows]


def test_who_is_asked_of_groups_that_have_names(workspace: Workspace) -> None:
    found = held(workspace, "boats per harbour", "who has the most")
    assert names(found) == {"Sandvik"}


def test_who_is_whoever_a_column_says_that_is_named(workspace: Workspace) -> None:
    found = held(workspace, "harbours in the West", "who is harbour master there")
    assert names(found) >= {"Ylva Strand", "Per Lind"}
    assert len(found.rows) == 2


def test_who_is_not_a_kind_of_thing(workspace: Workspace) -> None:
    found = held(workspace, "number of boats by rig", "who has the most")
    assert found.answer_mode is not AnswerMode.CONFIRMED, found.message


def test_a_name_takes_the_place_of_whoever_was_first(workspace: Workspace) -> None:
    talk = ("boats per harbour", "who has the most", "list their boats", "and those of Kobbholm")
    assert {"Tern", "Gull", "Auk"} <= names(held(workspace, *talk[:3]))
    assert {"Skua", "Eider"} <= names(held(workspace, *talk))
    assert len(held(workspace, *talk).rows) == 2


def test_records_of_rows_that_share_a_name_are_told_apart(workspace: Workspace) -> None:
    assert len(held(workspace, "boats per harbour").rows) == 4


def test_another_figure_of_what_is_named_again_is_of_all(workspace: Workspace) -> None:
    talk = ("total worth by rig", "which rig has the highest", "and the average length by rig")
    assert len(held(workspace, *talk).rows) == 3
    kept = ("total worth by rig", "top 2", "and the average length per rig?")
    assert len(held(workspace, *kept).rows) == 3


def test_one_of_the_groups_is_left_out(workspace: Workspace) -> None:
    assert names(held(workspace, "number of boats by rig", "leave out ketch")) == {"Sloop", "Yawl"}


def test_what_belongs_to_rows_takes_the_place_of_something_else(workspace: Workspace) -> None:
    talk = ("which boats have repairs", "and races?", "which of them also have repairs")
    assert {"Tern", "Auk", "Skua", "Eider"} <= names(held(workspace, *talk[:2]))
    assert len(held(workspace, *talk).rows) == 2


def test_some_of_them_have_something(workspace: Workspace) -> None:
    """And not how many of that there are."""
    talk = ("how many boats are there", "how many of them have a race")
    assert figures(held(workspace, *talk)) == [4]
    assert figures(held(workspace, "list the boats", "how many of them have races in 2023?")) == [3]
    assert figures(held(workspace, "list the boats", "how many of them have more than 1 race?")) == [2]
    # Where it does not say "of them", the races are counted.
    assert figures(held(workspace, "boats in Sandvik", "how many races do they have")) == [3]


@pytest.mark.parametrize("said", ["and how many don't?", "and how many dont", "how many do not?"])
def test_the_others_are_those_that_are_not_so(workspace: Workspace, said: str) -> None:
    talk = ("how many boats are there", "how many of them have a race", said)
    assert figures(held(workspace, *talk)) == [3]


def test_those_that_are_not_so_are_listed_too(workspace: Workspace) -> None:
    talk = ("list the boats", "which of them have races", "and how many don't?", "which ones?")
    assert names(held(workspace, *talk)) >= {"Gull", "Knot", "Ruff"}


def test_names_are_asked_of_the_rows_behind_groups(workspace: Workspace) -> None:
    found = held(workspace, "number of boats in Sandvik by rig", "what are their names")
    assert {"Tern", "Gull", "Auk"} <= names(found)
    assert len(found.rows) == 3


def test_a_figure_of_each_of_several_values(workspace: Workspace) -> None:
    found = held(workspace, "average length of boats", "for ketch and sloop separately")
    assert {(row[0], round(float(str(row[1])), 2)) for row in found.rows} == {
        ("Ketch", 10.75),
        ("Sloop", 6.17),
    }


@pytest.mark.parametrize("said", ["who has a sloop", "who has the sloops"])
def test_who_is_in_one_of_the_groups(workspace: Workspace, said: str) -> None:
    """And not whoever has one anywhere."""
    found = held(workspace, "number of boats in Sandvik by rig", said)
    assert "Nils Aas" in names(found)
    assert len(found.rows) == 1


def test_which_are_of_a_group_are_rows(workspace: Workspace) -> None:
    found = held(workspace, "number of boats in Sandvik by rig", "which are ketches?")
    assert {"Tern", "Auk"} <= names(found)
    assert len(found.rows) == 2


def test_that_harbour_is_the_one_that_was_named(workspace: Workspace) -> None:
    """Whatever else was said of the rows in hand."""
    talk = ("ketches in Sandvik", "what is the average length of boats in that harbour?")
    assert [float(str(each)) for each in figures(held(workspace, *talk))] == [9.5]
    # A table that none of them names stays as it is said.
    other = held(workspace, "boats longer than 6 m", "what is the average length of boats in that harbour?")
    assert other.answer_mode is not AnswerMode.CONFIRMED


def test_what_was_asked_of_a_row_is_asked_of_another(workspace: Workspace) -> None:
    """And the list that the row was opened from is left alone."""
    talk = ("longest boat", "how many races does it have", "how about Tern")
    assert figures(held(workspace, *talk[:2])) == [2]
    assert figures(held(workspace, *talk)) == [1]
    each = held(workspace, *talk, "do that for all boats")
    assert {row[-2:] for row in each.rows} == {("Tern", 1), ("Auk", 2), ("Eider", 2), ("Skua", 1)}


def test_a_question_that_begins_with_a_preposition_teaches_nothing(workspace: Workspace) -> None:
    found = held(workspace, "longest boat", "in how many races is it")
    assert figures(found) == [2]


def test_the_biggest_single_one_is_a_row(workspace: Workspace) -> None:
    found = held(workspace, "total cost of repairs by year", "what was the biggest single repair?")
    assert len(found.rows) == 1, found.message
    assert 30 in found.rows[0]


def test_columns_that_are_called_alike_are_shown_together(workspace: Workspace) -> None:
    found = held(workspace, "boats in Kobbholm", "with worth and mast")
    told = {(row[-3], float(str(row[-2])), row[-1]) for row in found.rows}
    assert told == {(60, 12.0, "Ash"), (30, 11.5, "Ash")}, found.message


def test_rows_are_sorted_by_what_names_them(workspace: Workspace) -> None:
    found = held(workspace, "list the moorings", "sorted by name please")
    assert [row[-1] for row in found.rows] == ["Alder", "Birch", "Cedar"], found.message


def test_only_where_it_is_so_asks_for_no_place(workspace: Workspace) -> None:
    talk = ("how many owners speak Danish", "only where it is native")
    assert figures(held(workspace, *talk[:1])) == [2]
    assert figures(held(workspace, *talk)) == [1]
