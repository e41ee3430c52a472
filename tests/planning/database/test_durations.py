"""How long something takes: between two moments of a row, and by numbers that do not say their unit."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.planning.database.courier import SCRIPT
from tests.planning.database.planned_database import PlannedDatabase


@pytest.fixture(scope="module")
def courier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(Path(tmp_path_factory.mktemp("courier")) / "courier.sqlite", SCRIPT)
    yield opened
    opened.reader.close()


@pytest.mark.parametrize(
    ("question", "hours"),
    [
        ("how many hours does it take on average until parcels are collected", 3.0),
        ("how many hours go by on average between booking and collection of a parcel", 3.0),
        ("what is the average handover delay of parcels in hours", 7 / 6),
    ],
)
def test_moments_are_apart_by_the_second(courier: PlannedDatabase, question: str, hours: float) -> None:
    ((found,),) = courier.rows(question)
    assert float(str(found)) == pytest.approx(hours), courier.program(question)


def test_a_delay_is_gathered(courier: PlannedDatabase) -> None:
    question = "average handover delay in minutes per depot"
    assert '{:divided [{:seconds ["actual_handover" "scheduled_handover"]} 60]}' in courier.program(question)
    assert [round(float(str(row[-1]))) for row in courier.rows(question)] == [-15, 240]


def test_the_longest_delay_is_ranked(courier: PlannedDatabase) -> None:
    assert courier.rows("which parcel had the longest delay")[0][0] == 3


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("how many errands took longer than an hour", 2),
        ("how many errands took less than half an hour", 1),
        ("how many errands lasted more than two and a half hours", 0),
        ("how many errands lasted at least 50 minutes", 3),
    ],
)
def test_a_length_without_a_unit_is_of_one_that_it_can_be(
    courier: PlannedDatabase, question: str, count: int
) -> None:
    assert courier.rows(question) == [(count,)], courier.program(question)


@pytest.mark.parametrize(
    ("question", "program"),
    [
        (
            "how many hours did Ada ride in total",
            '(errand.sum :of {:divided ["duration" 3600]} :rider "Ada")',
        ),
        ("average duration of errands in minutes", '(errand.average :of {:divided ["duration" 60]})'),
        ("which errand was the quickest", '(errand.list :order "duration" :top 1)'),
    ],
)
def test_figures_in_a_unit(courier: PlannedDatabase, question: str, program: str) -> None:
    assert courier.program(question) == program


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("what was the snowiest day", "2022-03-02"),
        ("which day was the hottest", "2022-03-03"),
        ("what was the busiest day in terms of errands", "2022-03-01"),
        ("on which day did we have the most parcels", "2022-03-02"),
    ],
)
def test_days_are_ranked(courier: PlannedDatabase, question: str, day: str) -> None:
    assert str(courier.rows(question)[0][0]) == day, courier.program(question)


def test_month_by_month_gathers_once(courier: PlannedDatabase) -> None:
    assert courier.program("number of parcels month by month") == '(parcel.count :by "booked_at/month")'
