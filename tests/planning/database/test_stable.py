"""Names of people, dates with named months, numbers of heads, and staff called by what they do."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.planning.database.planned_database import PlannedDatabase

SCRIPT = """
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, login_name TEXT, personal_name TEXT, family_name TEXT);
INSERT INTO staff VALUES (1, 'olm7', 'Runa', 'Olm'), (2, 'veit', 'Pelle', 'Veit');
CREATE TABLE pony (pony_id INTEGER PRIMARY KEY, pony_number INTEGER, nickname TEXT);
INSERT INTO pony VALUES (1, 40, 'Dot'), (2, 10, 'Fig'), (3, 30, 'Ash');
CREATE TABLE ride (ride_id INTEGER PRIMARY KEY, pony_id INTEGER REFERENCES pony(pony_id),
  staff_id INTEGER REFERENCES staff(staff_id), begun TEXT, FirstName TEXT, LastName TEXT,
  toddlers INTEGER, fee INTEGER);
INSERT INTO ride VALUES (1, 2, 1, '04-AUG-21', 'Ylva', 'Sand', 0, 12),
  (2, 2, 1, '19-AUG-21', 'Emil', 'Kron', 2, 20),
  (3, 1, 2, '30-SEP-21', 'Ylva', 'Sand', 1, 16), (4, 2, 1, '02-AUG-22', 'Odd', 'Berg', 0, 12);
CREATE TABLE pony_course_enlistment (enlistment_id INTEGER PRIMARY KEY,
  pony_id INTEGER REFERENCES pony(pony_id), date_of_enlistment DATE);
INSERT INTO pony_course_enlistment VALUES (1, 1, '2021-01-01'), (2, 1, '2021-01-01'), (3, 2, '2021-02-01');
"""


@pytest.fixture(scope="module")
def stable(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(Path(tmp_path_factory.mktemp("stable")) / "stable.sqlite", SCRIPT)
    yield opened
    opened.reader.close()


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("how many rides begun in August 2021", 2),
        ("how many rides begun in 2021", 3),
        ("how many rides begun in August", 3),
        ("how many rides with toddlers", 2),
        ("how many rides have no toddlers", 2),
    ],
)
def test_rows_are_counted(stable: PlannedDatabase, question: str, count: int) -> None:
    assert stable.rows(question) == [(count,)], stable.program(question)


def test_people_go_by_their_names_before_their_logins(stable: PlannedDatabase) -> None:
    assert stable.rows("list the staff") == [("Runa", "Olm"), ("Pelle", "Veit")]


def test_staff_are_called_by_what_they_do(stable: PlannedDatabase) -> None:
    assert stable.rows("which trainers had more than 2 rides") == [("Runa", "Olm", 3)]


def test_number_of_counts_where_rows_have_numbers(stable: PlannedDatabase) -> None:
    assert stable.rows("the top 2 ponies by number of rides")[0][-1] == 3


def test_rows_come_before_the_dates_they_have(stable: PlannedDatabase) -> None:
    assert stable.rows("which pony has the most enlistments")[0][-1] == 2
    assert "date_of_enlistment" not in stable.program("which ponies have no enlistments")


def test_the_rows_of_somebody_who_is_named_are_shown_whole(stable: PlannedDatabase) -> None:
    assert [row[0] for row in stable.rows("show the rides of Ylva Sand")] == [1, 3]
