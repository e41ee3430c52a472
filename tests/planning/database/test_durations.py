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


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("how many parcels were handed over later than scheduled", 2),
        ("how many parcels arrived later than we had planned", 2),
        ("how many parcels were handed over earlier than planned", 1),
    ],
)
def test_what_is_late_is_later_than_planned(courier: PlannedDatabase, question: str, count: int) -> None:
    assert courier.rows(question) == [(count,)], courier.program(question)


def test_a_flag_behind_a_share_is_the_part(courier: PlannedDatabase) -> None:
    assert courier.program("what share of invoices was by card") == "(invoice.share :that {:is_card 1})"


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("how many invoices fell due in April 2022", ':on "due_on"'),
        ("total of payments in April 2022", ':on "paid_on"'),
        ("how many invoices cost more than the average invoice", ":amount {:above (invoice.average"),
    ],
)
def test_which_date_and_which_money(courier: PlannedDatabase, question: str, condition: str) -> None:
    assert condition in courier.program(question)


def test_the_newest_of_what_was_done_is_a_row(courier: PlannedDatabase) -> None:
    assert courier.rows("the newest hire")[0][0] == "Cem"


def test_people_who_stay_in_are_people(courier: PlannedDatabase) -> None:
    assert "nil" not in courier.program("how many incouriers are there")


@pytest.mark.parametrize(
    ("question", "program"),
    [
        ("total time spent on errands", '(errand.sum :of "duration")'),
        ("how many errands are under 30 minutes long", "(errand.count :duration {:below 1800})"),
        (
            "which riders have a higher average duration than the fleet as a whole",
            '(errand.average :of "duration" :by "rider" :columns "rider" '
            ':having {:average {:above (errand.average :of "duration")}})',
        ),
        (
            "which depot is booked most often",
            '(parcel.count :by "depot_code" :depot_code {:not nil} '
            ':columns ["depot/depot_code" "depot/name" "count"] :order {:desc "count"} :top 1)',
        ),
        ("money received per month", '(payment.sum :of "amount" :by "paid_on/month")'),
        ("claims over 500", "(claim.list :total_amount {:above 500})"),
        (
            "how many claims were closed in March 2022",
            '(claim.count :on "closed_at" :during [2022-03-01 2022-03-31])',
        ),
        (
            "how many days does it take on average to close a claim",
            '(claim.average :of {:divided [{:seconds ["closed_at" "opened_at"]} 86400]})',
        ),
        ("when was Cem hired", '(courier.list :first_name "Cem" :columns ["first_name" "hire_date"])'),
    ],
)
def test_what_is_asked_is_measured_of_its_own_rows(
    courier: PlannedDatabase, question: str, program: str
) -> None:
    assert courier.program(question) == program
