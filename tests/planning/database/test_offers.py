"""Of readings that ask and show the same, one is offered."""

from dragoman.contracts.program import Statement
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database.offers import Offer, weighed
from dragoman.planning.tables.table_reading import TableReading

DURING = "(fair.count :during [2024-01-01 2024-12-31])"
BETWEEN = "(fair.count :held_on {:between [2024-01-01 2024-12-31]})"
NAMES = '(fair.list :columns "name")'


def _offered(*programs: str) -> list[Statement]:
    statements = [read_verbs(Source(each)).statements[0] for each in programs]
    offers = [Offer(TableReading(each, 0.0), {}) for each in statements]
    return [each.statement for each in weighed(offers, follow_up=False)]


def test_two_ways_to_say_one_thing_are_one_offer() -> None:
    assert [each.verb for each in _offered(DURING, BETWEEN)] == ["fair.count"]


def test_what_shows_something_else_is_an_offer_of_its_own() -> None:
    assert (
        len(_offered(NAMES, '(fair.list :columns "town")', '(fair.list :distinct true :columns "name")')) == 3
    )
