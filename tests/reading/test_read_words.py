"""Which word of a question was read as which word of its program."""

import pytest

from dragoman.contracts.program import Program
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.reading.read_words import read_words


def program(text: str) -> Program:
    return read_verbs(Source(text)).statements


@pytest.mark.parametrize(
    ("message", "source", "told"),
    [
        ("ordes", "(orders.list)", (("ordes", "orders"),)),
        ("custmers in Oslo", '(customers.list :city "Oslo")', (("custmers", "customers"),)),
        ("how many orders", "(orders.count)", ()),
        ("the order of Ann", '(orders.list :customer "Ann")', ()),
        ("orders since March", "(orders.list :during [2024-03-01 2024-12-31])", ()),
        ("women by city", '(people.count :sex "woman" :by "city")', ()),
        ("orders per customers", '(orders.count :by "CustomerId")', ()),
        ("ordes by customer", '(Orders.count :by "CustomerId")', (("ordes", "Orders"),)),
        ("total cost per customer", '(orders.sum :of "cost" :by "customer")', ()),
    ],
)
def test_only_a_slip_is_told(message: str, source: str, told: tuple[tuple[str, str], ...]) -> None:
    assert read_words(message, program(source), "en") == told
