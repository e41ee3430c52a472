"""Sentences that say exactly what they want to see, and figures that rows have themselves."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.planning.database.planned_database import PlannedDatabase

SCRIPT = """
CREATE TABLE person (person_id INTEGER PRIMARY KEY, full_name TEXT, weight INTEGER, age TEXT, gender TEXT);
INSERT INTO person VALUES (1, 'Ada Lind', 70, '41', 'F'), (2, 'Bo Tarn', 90, '35', 'M'),
  (3, 'Cai Rook', 60, '52', 'M');
CREATE TABLE skipper (skipper_id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES person(person_id),
  licence TEXT);
INSERT INTO skipper VALUES (11, 1, 'coast'), (12, 3, 'sea');
CREATE TABLE regatta (regatta_id INTEGER PRIMARY KEY, title TEXT, year INTEGER, held_on DATE,
  number_of_visitors INTEGER);
INSERT INTO regatta VALUES (1, 'Spring Cup', 2022, '2022-04-02', 300),
  (2, 'Fog Race', 2022, '2022-10-09', 900), (3, 'Night Sail', 2021, '2021-07-07', 500);
CREATE TABLE entry (person_id INTEGER REFERENCES person(person_id),
  regatta_id INTEGER REFERENCES regatta(regatta_id));
INSERT INTO entry VALUES (1, 1), (1, 2), (2, 2);
"""


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(Path(tmp_path_factory.mktemp("harbour")) / "harbour.sqlite", SCRIPT)
    yield opened
    opened.reader.close()


def test_a_row_that_only_links_is_counted_as_it_is(harbour: PlannedDatabase) -> None:
    program = harbour.program("How many regattas did each person enter?")
    assert program.startswith("(entry.count :by")
    assert "distinct" not in program


def test_the_largest_number_of_something_is_a_column_that_rows_have(harbour: PlannedDatabase) -> None:
    assert harbour.rows("What is the title of the regatta with the largest number of visitors?") == [
        ("Fog Race",)
    ]
    assert "sum" not in harbour.program("Which regatta has the largest number of visitors?")


def test_all_information_asks_for_the_whole_row(harbour: PlannedDatabase) -> None:
    rows = harbour.rows("Show all information on the regatta with the largest number of visitors.")
    assert [row[:3] for row in rows] == [(2, "Fog Race", 2022)]


def test_the_most_recent_is_told_by_the_date_and_not_by_the_year(harbour: PlannedDatabase) -> None:
    assert harbour.rows("What is the title of the most recent regatta?") == [("Fog Race",)]


def test_an_age_kept_as_a_text_is_an_age(harbour: PlannedDatabase) -> None:
    assert [row[0] for row in harbour.rows("Who is the youngest person?")] == ["Bo Tarn"]


def test_rows_about_people_are_ranked_by_what_people_have(harbour: PlannedDatabase) -> None:
    assert "Ada Lind" in harbour.rows("the heaviest skipper")[0]


def test_a_value_that_is_said_twice_gathers_nothing(harbour: PlannedDatabase) -> None:
    assert ":by" not in harbour.program("What is the average weight of males (gender is M)?")
