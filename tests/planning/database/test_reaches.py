"""How far a statement reaches, and keys of others told by the columns that hold them."""

import pytest

from dragoman.contracts.program import Statement
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database.reaches import by_own_keys, tables_of
from tests.planning.database.hire_shop import HireShop


def _statement(program: str) -> Statement:
    return read_verbs(Source(program)).statements[0]


@pytest.mark.parametrize(
    ("program", "tables"),
    [
        ('(booking.list :status "open" :columns "deposit")', "booking"),
        ('(booking.list :columns "customer/city" :order {:desc "customer/city"})', "booking customer"),
        ("(item.count :where {:booking_line-by-item {:quantity {:above 2}}})", "booking_line item"),
        ("(item.list :where {:not {:booking_line-by-item {:not nil}}})", "booking_line item"),
        (
            '(booking_line.sum :of "quantity" :by "item/category_id" :where {:booking {:staff nil}})',
            "booking booking_line item staff",
        ),
        ('(item.list :with "booking_line-by-item")', "booking_line item"),
        # Whose different keys are counted, they are counted themselves.
        ('(booking.count :of "customer_id" :distinct true)', "booking customer"),
        ('(booking.count :of "customer_id")', "booking"),
        ("(nobody.count)", ""),
    ],
)
def test_the_tables_of_a_statement(hire_shop: HireShop, program: str, tables: str) -> None:
    found = tables_of(_statement(program), hire_shop.planner.graph)
    assert sorted(name for _, name in found) == tables.split()


@pytest.mark.parametrize(
    ("program", "short"),
    [
        (
            '(booking.count :by "customer/customer_id" :order {:desc "staff/staff_id"})',
            '(booking.count :by "customer_id" :order {:desc "staff_id"})',
        ),
        ("(booking.count :where {:customer {:customer_id 3}})", "(booking.count :customer_id 3)"),
        (
            "(item.list :where {:booking_line-by-item {:booking {:booking_id [1 2]}}})",
            "(item.list :where {:booking_line-by-item {:booking_id [1 2]}})",
        ),
        (
            "(booking.list :where {:not {:customer {:customer_id 3}}})",
            "(booking.list :where {:not {:customer_id 3}})",
        ),
        # Another column than the key says something else, and so do the keys of several rows.
        ('(booking.count :by "customer/city")', '(booking.count :by "customer/city")'),
        (
            "(customer.count :where {:booking-by-customer {:booking_id 3}})",
            "(customer.count :where {:booking-by-customer {:booking_id 3}})",
        ),
        (
            '(booking.count :where {:customer {:customer_id 3 :city "York"}})',
            '(booking.count :where {:customer {:customer_id 3 :city "York"}})',
        ),
    ],
)
def test_keys_are_told_by_the_columns_that_hold_them(hire_shop: HireShop, program: str, short: str) -> None:
    assert by_own_keys(_statement(program), hire_shop.planner.graph) == _statement(short)
