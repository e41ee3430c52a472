"""That another period is empty does not tell against the reading that asks for it."""

import datetime as dt
from collections.abc import Callable

from dragoman.contracts.program import Argument, Date, Integer, Sequence, Statement
from dragoman.planning.database.period_shifts import is_other_period, telling_rows


def _rentals(month: int, bike: int = 4, verb: str = "rental.list") -> Statement:
    during = Sequence((Date(dt.date(2023, month, 1)), Date(dt.date(2023, month, 28))))
    return Statement(verb, (Argument("during", during), Argument("bike_id", Integer(bike))), "rentals")


def _finds(rows: int) -> Callable[[Statement], int | None]:
    return lambda statement: rows


def test_only_the_period_may_differ() -> None:
    assert is_other_period(_rentals(7), _rentals(6))
    assert not is_other_period(_rentals(6), _rentals(6))
    assert not is_other_period(_rentals(7, bike=5), _rentals(6))
    assert not is_other_period(_rentals(7, verb="rental.count"), _rentals(6))
    assert not is_other_period(_rentals(7), None)


def test_nothing_in_another_period_tells_nothing() -> None:
    assert telling_rows(_finds(0), _rentals(7), _rentals(6)) is None
    assert telling_rows(_finds(0), _rentals(7, bike=5), _rentals(6)) == 0
    assert telling_rows(_finds(3), _rentals(7), _rentals(6)) == 3
