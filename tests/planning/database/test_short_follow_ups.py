"""Short messages after an answer: a year and later, in which towns, who came in a month, put in an order."""

from typing import Final

import pytest

from dragoman.planning.database.hearing import is_sure
from tests.planning.database.hire_shop import HireShop
from tests.planning.database.orchard import Orchard
from tests.planning.database.test_follow_up import readings
from tests.tables.test_engines import statement

LARGE: Final = '(orchard.list :hectares {:above 10} :columns "name")'
SIZES: Final = '(orchard.average :of "hectares" :by "planted_year")'
COUNTED: Final = "(picker.count :orchard_id {:not nil})"
MONTHS: Final = '(harvest.count :by "picked_on/month" :during [2023-01-01 2023-12-31])'
YEAR: Final = "(picker.count :during [2019-01-01 2019-12-31])"
FRUITS: Final = '(harvest.sum :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "sum"])'

SAID: Final[list[tuple[str, str, str]]] = [
    # A bound that is said behind the number.
    (
        SIZES,
        "2003 and later only",
        '(orchard.average :of "hectares" :by "planted_year" :planted_year {:at-least 2003})',
    ),
    (
        SIZES,
        "1988 and earlier only",
        '(orchard.average :of "hectares" :by "planted_year" :planted_year {:at-most 1988})',
    ),
    # What is asked of a number is of what was counted, once each.
    (COUNTED, "in which orchards?", '(picker.list :columns "orchard/name" :distinct true)'),
    # A month after a year is one of that year, and who is asked for is no number.
    (
        YEAR,
        "who came in May?",
        '(picker.list :during [2019-05-01 2019-05-31] :columns ["first_name" "last_name" "hire_date"])',
    ),
    # "Now" before what takes the place of something opens no new question.
    (
        FRUITS,
        "now the average weight instead",
        '(harvest.average :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "average"])',
    ),
    (
        FRUITS,
        "put the heaviest first",
        '(harvest.sum :of "weight_kg" :by "fruit_id" :columns ["fruit/name" "sum"] :order {:desc "sum"})',
    ),
    (
        MONTHS,
        "by fruit instead",
        '(harvest.count :by "fruit_id" :during [2023-01-01 2023-12-31] :columns ["fruit/name" "count"])',
    ),
]


@pytest.mark.parametrize(("before", "message", "after"), SAID, ids=[message for _, message, _ in SAID])
def test_what_is_meant(orchard: Orchard, before: str, message: str, after: str) -> None:
    best = readings(orchard, before, message)[0]
    assert best.statement.verb == statement(after).verb
    assert orchard.rows(best.statement) == orchard.rows(statement(after)), best.statement
    assert best.uncovered == ()


def test_instead_leaves_one_grouping(hire_shop: HireShop) -> None:
    before = hire_shop.asked("number of bookings per month in 2022")
    best = hire_shop.readings("by customer instead", before)[0]
    assert is_sure(best)
    assert hire_shop.written(best.statement) == (
        '(booking.count :by "customer_id" :on "booked_on" :during [2022-01-01 2022-12-31]'
        ' :columns ["customer/first_name" "customer/last_name" "count"])'
    )
