"""Figures and times: ages, how long something lasts, spans up to today, money over a link."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.planning.database.planned_database import PlannedDatabase

SCRIPT = """
CREATE TABLE pier (pier_id INTEGER PRIMARY KEY, pier_name TEXT);
INSERT INTO pier VALUES (1, 'North Pier'), (2, 'Reed Pier');
CREATE TABLE paddlers (paddler_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, birth_date DATE,
  joined_on DATE);
INSERT INTO paddlers VALUES (1, 'Ada', 'Holm', '1950-01-10', '2022-02-01'),
  (2, 'Bo', 'Lind', '2000-01-16', '2022-03-01'), (3, 'Cy', 'Marr', '1994-01-15', '2023-05-01');
CREATE TABLE kayaks (kayak_id INTEGER PRIMARY KEY, kayak_name TEXT, hour_price INTEGER);
INSERT INTO kayaks VALUES (1, 'Otter', 10), (2, 'Heron', 20);
CREATE TABLE outings (outing_id INTEGER PRIMARY KEY, paddler_id INTEGER REFERENCES paddlers(paddler_id),
  pier_id INTEGER REFERENCES pier(pier_id), reserved_on DATE, pickup_date DATE, returned_on DATE,
  start_km INTEGER, end_km INTEGER, total_amount INTEGER);
INSERT INTO outings VALUES (1, 1, 1, '2023-01-01', '2023-01-14', '2023-01-16', 10, 90, 100),
  (2, 2, 1, '2023-06-01', '2023-06-05', '2023-06-11', 90, 95, 300),
  (3, 2, 2, '2023-12-20', '2023-12-30', '2023-12-31', 5, 60, 80),
  (4, 3, 1, '2024-01-05', '2024-01-06', NULL, 60, 70, 60);
CREATE TABLE snacks (snack_id INTEGER PRIMARY KEY, snack_name TEXT, price INTEGER);
INSERT INTO snacks VALUES (1, 'Bun', 3), (2, 'Soup', 7);
CREATE TABLE snack_lines (line_id INTEGER PRIMARY KEY, outing_id INTEGER REFERENCES outings(outing_id),
  snack_id INTEGER REFERENCES snacks(snack_id), quantity INTEGER);
INSERT INTO snack_lines VALUES (1, 1, 1, 4), (2, 1, 2, 1), (3, 2, 1, 2), (4, 3, 2, 3);
CREATE TABLE fines (fine_id INTEGER PRIMARY KEY, paddler_id INTEGER REFERENCES paddlers(paddler_id),
  fined_on DATE, reason TEXT, amount INTEGER);
INSERT INTO fines VALUES (1, 1, '2023-03-01', 'late', 15), (2, 2, '2023-03-09', 'late', 25),
  (3, 2, '2023-04-01', 'loss', 30), (4, 2, '2023-04-02', 'loss', 5), (5, 3, '2023-04-03', 'late', 1);
"""


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(Path(tmp_path_factory.mktemp("lake")) / "lake.sqlite", SCRIPT)
    yield opened
    opened.reader.close()


def _names(lake: PlannedDatabase, question: str) -> list[object]:
    return [row[0] for row in lake.rows(question)]


def test_the_average_age_is_counted_from_the_day_of_birth(lake: PlannedDatabase) -> None:
    ((age,),) = lake.rows("average age of the paddlers")
    assert float(str(age)) == pytest.approx((74.01 + 24.0 + 30.0) / 3, abs=0.02)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("paddlers older than 60", ["Ada"]),
        ("paddlers over 30 years old", ["Ada"]),
        ("paddlers who are at least 30 years old", ["Ada", "Cy"]),
        ("paddlers younger than 24", ["Bo"]),
        ("paddlers aged between 25 and 40", ["Cy"]),
    ],
)
def test_who_is_so_old_is_told_by_the_day_of_birth(
    lake: PlannedDatabase, question: str, names: list[str]
) -> None:
    assert _names(lake, question) == names


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("how long do outings last on average", 3.0),
        ("average outing duration", 3.0),
        ("how many days does an outing take on average", 3.0),
        ("average time between reservation and pickup", 7.0),
    ],
)
def test_how_long_something_lasts_is_told_by_its_dates(
    lake: PlannedDatabase, question: str, days: float
) -> None:
    ((average,),) = lake.rows(question)
    assert float(str(average)) == days


def test_what_a_meter_says_at_the_start_is_no_length(lake: PlannedDatabase) -> None:
    ((key, *_),) = lake.rows("longest outing")
    assert key == 2


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("how many outings were reserved in the last 30 days", 2),
        ("how many outings were reserved in the past 8 months", 3),
        ("how many outings were picked up on weekends", 3),
        ("how many outings were picked up in June 2023", 1),
    ],
)
def test_spans_up_to_today_and_days_that_come_again(
    lake: PlannedDatabase, question: str, number: int
) -> None:
    assert lake.rows(question) == [(number,)]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("snack revenue by snack", [("Bun", 18), ("Soup", 28)]),
        ("snacks sold per pier", [("North Pier", 7), ("Reed Pier", 3)]),
        ("average number of snacks per outing", [("3.333333333",)]),
        ("amount per reason", [("late", 41), ("loss", 35)]),
        ("which month had the most fines", [("2023-04", 3)]),
        ("average amount per fine", [("15.200000000",)]),
        ("how much did we collect in fines", [(76,)]),
        ("returned outings per year", [(2023, 3)]),
        ("what percentage of outings was returned", [("75.000000000",)]),
        ("how many outings were returned", [(3,)]),
    ],
)
def test_figures_by_what_their_columns_are(
    lake: PlannedDatabase, question: str, rows: list[tuple[object, ...]]
) -> None:
    assert lake.rows(question) == rows


def test_the_largest_of_one_thing_is_one_row(lake: PlannedDatabase) -> None:
    ((*found,),) = lake.rows("which paddler got the largest fine")
    assert "Bo" in found
    assert 30 in found


FREIGHT = """
CREATE TABLE depot (depot_id INTEGER PRIMARY KEY, name TEXT, capacity_m3 INTEGER);
INSERT INTO depot VALUES (1, 'Quay', 900), (2, 'Hill', 400);
CREATE TABLE van (van_id INTEGER PRIMARY KEY, depot_id INTEGER REFERENCES depot(depot_id),
  capacity_kg INTEGER);
INSERT INTO van VALUES (1, 2, 3000), (2, 1, 2000);
CREATE TABLE shipment (shipment_id INTEGER PRIMARY KEY, van_id INTEGER REFERENCES van(van_id),
  order_date DATE, ship_date DATE, planned_arrival DATE, actual_arrival DATE, cleared_on DATE,
  created_at DATE);
INSERT INTO shipment VALUES
  (1, 1, '2024-01-01', '2024-01-02', '2024-01-04', '2024-01-05', NULL, '2024-01-01'),
  (2, 1, '2024-01-08', '2024-01-09', '2024-01-12', '2024-01-11', '2024-01-13', '2024-01-08'),
  (3, 2, '2023-12-01', '2023-12-02', '2023-12-04', '2023-12-06', '2023-12-07', '2023-12-01');
"""


@pytest.fixture(scope="module")
def freight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(Path(tmp_path_factory.mktemp("freight")) / "freight.sqlite", FREIGHT)
    yield opened
    opened.reader.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many shipments were delivered late", [(2,)]),
        ("how many shipments were delivered on time", [(1,)]),
        ("average delivery time", [("4.000000000",)]),
        ("how long does it take to ship on average", [("1.000000000",)]),
        ("how many shipments were ordered last week", [(1,)]),
        ("how many shipments were ordered in the first week of January 2024", [(1,)]),
        ("depot with the largest capacity", [("Quay", 900)]),
    ],
)
def test_a_row_is_done_on_the_date_of_its_end(
    freight: PlannedDatabase, question: str, rows: list[tuple[object, ...]]
) -> None:
    assert freight.rows(question) == rows
