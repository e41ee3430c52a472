"""Which of two dates is meant is offered, where the rows have another."""

from dragoman.contracts.program import Statement
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database.other_dates import OtherDates, on_other_dates
from dragoman.planning.tables.table_reading import TableReading
from tests.planning.database.hire_shop import HireShop

BOOKED = '(booking.count :on "booked_on" :during [2023-01-01 2023-01-31])'
RETURNED = '(booking.count :on "returned_on" :during [2023-01-01 2023-01-31])'
LINES = "(booking_line.count :where {:booking {:%s {:above 2023-01-01}}})"


def _read(program: str) -> Statement:
    return read_verbs(Source(program)).statements[0]


def test_a_statement_is_written_with_every_other_date_of_the_same_rows(hire_shop: HireShop) -> None:
    dates = OtherDates(hire_shop.frames.knowledge)
    for program, other in (
        (BOOKED, RETURNED),
        ("(booking.list :returned_on {:above 2023-01-01})", "(booking.list :booked_on {:above 2023-01-01})"),
        (LINES % "booked_on", LINES % "returned_on"),
    ):
        assert list(dates.of(_read(program))) == [_read(other)]
    assert not list(dates.of(_read("(item.list :bought_on {:above 2023-01-01})")))
    assert not list(dates.of(_read('(booking.list :status "open")')))


def test_the_best_reading_is_offered_on_another_date_before_other_questions(hire_shop: HireShop) -> None:
    dates = OtherDates(hire_shop.frames.knowledge)
    found = (TableReading(_read(BOOKED), 0.6), TableReading(_read("(booking.count)"), 0.5))
    offered = on_other_dates(found, dates, lambda _: True)
    assert [each.statement for each in offered] == [_read(BOOKED), _read(RETURNED), _read("(booking.count)")]
    assert [each.score for each in offered] == sorted((each.score for each in offered), reverse=True)
    assert on_other_dates(found, dates, lambda _: False) == found
