"""Words that say nothing beside the rest, wherever they stand or by the words around them."""

import pytest

from dragoman.planning.database.silent_segments import counted_as
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.words import tokens_of
from tests.planning.database.hire_shop import HireShop


@pytest.mark.parametrize(
    ("text", "silent"),
    [
        ("courses worth 3 points", ["worth"]),
        ("a card good for 10 points", ["good for"]),
        # A price, something that has no name here, and a thing's own worth.
        ("items worth 30", []),
        ("items worth 30 shillings", []),
        ("what are the points worth", []),
    ],
)
def test_before_a_number_of_something_worth_speaks_of_no_price(text: str, silent: list[str]) -> None:
    tokens = tokens_of(text)
    found = [each.text for at in range(len(tokens)) for each in counted_as(tokens, at, {"point", "item"})]
    assert found == silent


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("i'd like revenue by category", "revenue by category"),
        ("I’d like to see revenue by category", "revenue by category"),
        ("compute the average salary of the staff", "average salary of the staff"),
        ("items w/ more than 2 booking lines", "items with more than 2 booking lines"),
        ("number of bookings each staff member takes care of", "number of bookings per staff member"),
        ("how many bookings are dated after May 2023", "how many bookings after May 2023"),
        ("customers without bookings in the sample", "customers without bookings"),
    ],
)
def test_what_says_nothing_changes_nothing(hire_shop: HireShop, said: str, plain: str) -> None:
    best, *_ = hire_shop.readings(said)
    assert not best.uncovered
    assert hire_shop.rows(best.statement) == hire_shop.rows(hire_shop.asked(plain))


@pytest.mark.parametrize("verb", ["speak", "speaks", "spoken"])
def test_a_verb_of_something_of_its_own_is_not_soft(verb: str) -> None:
    """What is spoken is a language: a program without one does not answer who speaks it."""
    assert verb not in english().soft
