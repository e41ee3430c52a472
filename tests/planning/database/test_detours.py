"""What says the same words by a longer way is no reading of its own."""

from typing import Final

import pytest

from dragoman.contracts.program import Statement
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database.detours import Detours, without_detours
from dragoman.planning.tables.table_reading import TableReading
from tests.planning.database.hire_shop import HireShop

OPEN: Final = '(booking.list :status "open" :columns "customer/city")'


def _statement(program: str) -> Statement:
    return read_verbs(Source(program)).statements[0]


@pytest.mark.parametrize(
    ("question", "plain", "other"),
    [
        (
            "bookings by customer",
            '(booking.count :by "customer_id" :columns ["customer/last_name" "count"])',
            '(booking.count :by "customer/customer_id")',
        ),
        (
            "items under 20",
            "(item.list :daily_price {:below 20})",
            "(booking_line.list :where {:item {:daily_price {:below 20}}})",
        ),
        (
            "how many customers do we have",
            "(customer.count)",
            '(booking.count :of "customer_id" :distinct true)',
        ),
    ],
)
def test_what_goes_over_further_tables_is_a_detour(
    hire_shop: HireShop, question: str, plain: str, other: str
) -> None:
    detours = Detours(question, hire_shop.planner.things, lambda _: True)
    assert detours.is_none_of_its_own(_statement(plain), _statement(other))
    # The shorter way is none.
    assert "by" in question or not detours.is_none_of_its_own(_statement(other), _statement(plain))


@pytest.mark.parametrize(
    ("question", "plain", "other"),
    [
        # Somebody speaks of the further table.
        (
            "customers with bookings in York",
            '(customer.list :city "York")',
            '(customer.list :city "York" :where {:booking-by-customer {:not nil}})',
        ),
        # It asks for a figure, and not for rows.
        (
            "items under 20",
            "(item.list :daily_price {:below 20})",
            "(booking_line.count :where {:item {:daily_price {:below 20}}})",
        ),
        # It goes another way, not a longer one.
        (
            "bookings of Moran",
            '(booking.list :where {:staff {:last_name "Moran"}})',
            '(booking.list :where {:customer {:last_name "Moran"}})',
        ),
    ],
)
def test_what_asks_for_something_else_is_no_detour(
    hire_shop: HireShop, question: str, plain: str, other: str
) -> None:
    detours = Detours(question, hire_shop.planner.things, lambda _: True)
    assert not detours.is_none_of_its_own(_statement(plain), _statement(other))


PLAIN: Final = TableReading(_statement("(item.list :daily_price {:below 20})"), 0.5)
LONG: Final = TableReading(_statement("(booking_line.list :where {:item {:daily_price {:below 20}}})"), 0.3)


def _offered(
    hire_shop: HireShop, *found: TableReading, objected: Statement | None = None
) -> list[TableReading]:
    detours = Detours("items under 20", hire_shop.planner.things, lambda each: each != objected)
    return list(without_detours(found, detours))


def test_a_detour_is_not_offered_and_speaks_for_the_plain_reading(hire_shop: HireShop) -> None:
    (offered,) = _offered(hire_shop, PLAIN, LONG)
    assert offered.statement == PLAIN.statement
    assert offered.score == pytest.approx(0.56)


def test_beside_what_is_objected_to_or_leaves_words_out_a_detour_is_offered(hire_shop: HireShop) -> None:
    short = TableReading(PLAIN.statement, 0.5, uncovered=("under",))
    assert _offered(hire_shop, short, LONG) == [short, LONG]
    assert _offered(hire_shop, PLAIN, LONG, objected=PLAIN.statement) == [PLAIN, LONG]


def test_what_shows_something_else_of_the_same_rows_is_left_to_choose_from(hire_shop: HireShop) -> None:
    names = TableReading(_statement('(item.list :daily_price {:below 20} :columns "name")'), 0.3)
    assert _offered(hire_shop, PLAIN, names) == [PLAIN, names]
