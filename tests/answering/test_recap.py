"""What was found out so far, from the record alone."""

import datetime as dt

import pytest

from dragoman.answering.phrases import phrases
from dragoman.answering.recap import MOST_ITEMS, recall
from dragoman.answering.sentences import Wording
from dragoman.catalog.catalog import Catalog
from dragoman.contracts.state import EntityRef
from dragoman.reading.reading import Reading
from tests.answering.made_up import found, program, refused

MARCH = dt.date(2020, 3, 31)
STOCK = "inventory.stock"


@pytest.fixture
def wording(trade: Catalog) -> Wording:
    return Wording(phrases("en"), trade)


def test_of_refusals_alone_nothing_is_recalled(wording: Wording) -> None:
    assert recall((), Reading("en"), wording) is None
    assert recall((refused(1),), Reading("en"), wording) is None


def test_everything_is_told_in_order_with_how_sure_it_was(wording: Wording) -> None:
    answers = (
        found(1, STOCK, "item:t quantity:d", [("a", "1")] * 7),
        refused(2),
        found(3, "sales.total", "amount:d", [("9.00",)], total="9.00", limits=("half",)),
    )
    recalled = recall(answers, Reading("en"), wording)
    assert recalled is not None
    assert recalled.message == (
        "So far: turn 1: subject 1: 7 rows (confirmed); turn 2: subject 2 (refused);"
        " turn 3: subject 3: 9.00 (limited)."
    )
    assert recalled.weakest.ref == "answer-3", "it sounds as sure as the weakest of what it tells"


def test_only_the_newest_are_told_and_the_others_counted(wording: Wording) -> None:
    answers = tuple(found(n, STOCK, "item:t", [("a",)]) for n in range(1, MOST_ITEMS + 4))
    recalled = recall(answers, Reading("en"), wording)
    assert recalled is not None
    assert "; and 3 earlier ones" in recalled.message
    assert "turn 3:" not in recalled.message
    assert f"turn {MOST_ITEMS + 3}:" in recalled.message


def test_what_is_named_is_looked_for(wording: Wording) -> None:
    answers = (
        found(1, STOCK, "item:t quantity:d", [("Oak desk 120", "1")]),
        found(2, "sales.total", "amount:d", [("9.00",)], total="9.00"),
    )
    desk = EntityRef("item", "101", "Oak desk 120")
    recalled = recall(answers, Reading("en", objects=((desk,),)), wording)
    assert recalled is not None
    assert recalled.message.startswith("Yes, in turn 1: subject 1. ")
    assert "turn 2" not in recalled.message
    by_route = recall(answers, Reading("en", verb="sales.total", verbs=("sales.total",)), wording)
    assert by_route is not None
    assert by_route.message.startswith("Yes, in turn 2")


def test_what_was_never_spoken_of_is_not_invented(wording: Wording) -> None:
    answers = (found(1, STOCK, "item:t quantity:d", [("Oak desk 120", "1")]),)
    lamp = EntityRef("item", "104", "LED lamp Spot")
    for reading in (Reading("en", objects=((lamp,),)), Reading("en", uncovered=("salaries",))):
        recalled = recall(answers, reading, wording)
        assert recalled is not None
        assert recalled.message.startswith("No, we haven't. ")


def test_a_name_in_the_program_is_one_that_was_spoken_of(wording: Wording) -> None:
    answers = (found(1, STOCK, "item:t", [("a",)], made_by=program(STOCK, MARCH)),)
    alfa = EntityRef("organization", "1", "Alfa Trade")
    recalled = recall(answers, Reading("en", entities=(alfa,)), wording)
    assert recalled is not None
    assert recalled.message.startswith("Yes, in turn 1")
