"""Readings for the benchmark of the second reader: what a planner made of questions, and whether it is right.

Planning is slow and the review is quick, so readings are planned once and kept in a file.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from benchmarks.questions import is_right
from benchmarks.questions_data import Asked, Opened, opened_each, questions
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.planning.message_periods import day_spans
from dragoman.planning.tables.table_planner import TablePlanner
from dragoman.reading.period_grammar import period_grammar

MOST_KEPT: Final = 4


class Planned(Record, frozen=True):
    """One reading of one question, `rank` 0 being the best."""

    database: str
    question: str
    sql: str
    rank: int
    score: float
    right: bool
    statement: Statement


Proposed = Sequence[tuple[Statement, float]]
Planner = Callable[[str], Proposed]


def table_planner(database: Opened) -> Planner:
    """Today's planner of tables. Another one is measured by writing another such function."""
    planner = TablePlanner(database.tables, database.schema, database.values)

    def proposed(text: str) -> Proposed:
        spans = day_spans(period_grammar().find(text), None)
        return [(each.statement, each.score) for each in planner.readings(text, None, spans)]

    return proposed


def planned(
    folder: Path, every: int, start: int, planner_of: Callable[[Opened], Planner] = table_planner
) -> Iterator[Planned]:
    """The readings of every so manieth question from one on, over databases that are not held out."""
    asked = questions(folder, held=False)[start::every]
    for name, database in opened_each(folder, sorted({each.database for each in asked})):
        proposing = planner_of(database)
        for each in (each for each in asked if each.database == name):
            if database.gold(each.sql) is not None:
                yield from _readings(database, each, proposing(each.question))


def _readings(database: Opened, asked: Asked, proposed: Proposed) -> Iterator[Planned]:
    for rank, (statement, score) in enumerate(proposed[:MOST_KEPT]):
        right = is_right(database, asked, statement)
        yield Planned(asked.database, asked.question, asked.sql, rank, score, right, statement)


def kept(cache: Path, folder: Path, every: int, start: int = 0) -> list[Planned]:
    """The readings of a file; they are planned and written where there is none."""
    if not cache.exists():
        cache.parent.mkdir(parents=True, exist_ok=True)
        lines = (msgspec.json.encode(each) for each in planned(folder, every, start))
        cache.write_bytes(b"\n".join(lines))
    return [msgspec.json.decode(line, type=Planned) for line in cache.read_bytes().splitlines()]
