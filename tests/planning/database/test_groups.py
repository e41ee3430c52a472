"""Which groups there are where some rows point at nothing, and what is shown of rows."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.planning.database.planned_database import PlannedDatabase

SCRIPT = """
CREATE TABLE valley (valley_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO valley VALUES (1, 'Upper Dale'), (2, 'Lower Dale');
CREATE TABLE dairy (dairy_id INTEGER PRIMARY KEY, name TEXT, valley_id INTEGER REFERENCES valley(valley_id));
INSERT INTO dairy VALUES (10, 'Fern', 1), (11, 'Moss', 2), (12, 'Tarn', 1);
CREATE TABLE craft (craft_id INTEGER PRIMARY KEY, title TEXT);
INSERT INTO craft VALUES (5, 'Cheesemaker'), (6, 'Driver');
CREATE TABLE worker (worker_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, wage INTEGER,
  hired_on DATE, dairy_id INTEGER REFERENCES dairy(dairy_id), craft_id INTEGER REFERENCES craft(craft_id));
INSERT INTO worker VALUES (1, 'Alma', 'Roth', 30, '2020-03-01', 10, 5),
  (2, 'Ben', 'Sorg', 20, '2018-05-02', 10, 6),
  (3, 'Cleo', 'Vance', 40, '2019-09-09', 11, 5), (4, 'Dirk', 'Ulm', 90, '2021-01-01', NULL, 5);
CREATE TABLE past_job (job_id INTEGER PRIMARY KEY, worker_id INTEGER REFERENCES worker(worker_id),
  craft_id INTEGER REFERENCES craft(craft_id), ended_on DATE);
INSERT INTO past_job VALUES (1, 1, 6, '2019-12-31'), (2, 2, 5, '2017-12-31');
CREATE TABLE taster (worker_id INTEGER PRIMARY KEY REFERENCES worker(worker_id), bonus INTEGER);
INSERT INTO taster VALUES (1, 5), (3, 15);
CREATE TABLE delivery (delivery_id INTEGER PRIMARY KEY, dairy_id INTEGER REFERENCES dairy(dairy_id),
  litres INTEGER, status INTEGER, sent_on DATE);
INSERT INTO delivery VALUES (1, 10, 500, 1, '2023-01-01'), (2, 11, 700, 3, '2023-01-02'),
  (3, 10, 100, 3, '2023-01-03');
"""


@pytest.fixture(scope="module")
def dairies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(Path(tmp_path_factory.mktemp("dairies")) / "dairies.sqlite", SCRIPT)
    yield opened
    opened.reader.close()


def test_rows_that_point_at_nothing_are_in_no_group(dairies: PlannedDatabase) -> None:
    assert sorted(map(str, dairies.rows("number of workers by dairy"))) == ["('Fern', 2)", "('Moss', 1)"]


def test_rows_that_lead_to_nothing_further_on_are_in_no_group(dairies: PlannedDatabase) -> None:
    found = sorted(map(str, dairies.rows("total wage by valley")))
    assert found == ["('Lower Dale', 40)", "('Upper Dale', 50)"]


def test_rows_that_point_at_nothing_are_a_group_where_that_is_said(dairies: PlannedDatabase) -> None:
    found = dairies.rows("number of workers by dairy including those without")
    assert (None, 1) in found


def test_a_kind_in_the_plural_means_the_rows_of_that_kind(dairies: PlannedDatabase) -> None:
    found = dairies.rows("cheesemakers ordered by hired on")
    assert [row[:2] for row in found] == [("Cleo", "Vance"), ("Alma", "Roth"), ("Dirk", "Ulm")]


def test_rows_that_share_the_key_of_people_are_shown_by_their_names(dairies: PlannedDatabase) -> None:
    assert dairies.rows("tasters whose bonus is above average") == [("Cleo", "Vance", 15)]


def test_a_number_that_says_a_state_gathers(dairies: PlannedDatabase) -> None:
    assert sorted(map(str, dairies.rows("deliveries by status"))) == ["(1, 1)", "(3, 2)"]
