"""Rows that hold for a time: from one date to another, which never comes for those that hold still."""

import datetime as dt
from collections.abc import Sequence
from functools import cache

from dragoman.contracts.record import Record
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem

_NEVER = ("9999-", "2999-", "3000-", "2099-12-31")


class Ending(Record, frozen=True):
    """The date on which a row ends. `never`: what it is where it has not ended; None where nothing is."""

    column: Thing
    never: dt.date | None = None


def ending_of(dates: Sequence[Thing]) -> Ending | None:
    """By the words of a table's dates and by what they hold."""
    begins, ends = _words()
    own = [each for each in dates if not _is_of_part(each, dates)]
    ending = next((each for each in own if ends & set(each.words) and not begins & set(each.words)), None)
    if ending is None or ending.column is None or not any(begins & set(each.words) for each in dates):
        return None
    far = next((each for each in ending.column.info.samples if each.startswith(_NEVER)), None)
    if far is not None:
        return Ending(ending, dt.date.fromisoformat(far[:10]))
    return Ending(ending) if ending.column.info.has_gaps else None


def is_end_of(date: Thing, verb: str) -> bool:
    """Whether a date is the last day on which something was done, and not the day on which it ended: of
    selling the end of sale, of ending not."""
    _, ends = _words()
    said = ends & set(date.words)
    return bool(said) and verb not in ends and verb not in said


def _is_of_part(date: Thing, dates: Sequence[Thing]) -> bool:
    """Whether a row goes on after a date that something of it ends on: a trial, where the row itself starts
    on a day that says nothing of trials."""
    begins, ends = _words()
    plain = frozenset(map(stem, english().any_date)) | begins | ends | date.optional
    told = set(date.words) - plain
    if not told or not ends & set(date.words):
        return False
    starts = [each for each in dates if begins & set(each.words)]
    return any(set(each.words) <= plain for each in starts) and not any(told & set(e.words) for e in starts)


@cache
def _words() -> tuple[frozenset[str], frozenset[str]]:
    known = english()
    return frozenset(map(stem, known.lasting_from)), frozenset(map(stem, known.lasting_to))
