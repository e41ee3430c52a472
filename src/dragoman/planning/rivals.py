"""Readings that rival the best one are run: where all give the same, it does not matter which is meant.

A result of the database is a fact from outside, so it is written down with the turn: a replay runs nothing.
"""

from collections.abc import Sequence
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts import events as ev
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Statement
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.readings import RivalResult
from dragoman.contracts.record import Record
from dragoman.language.verbs.printer import print_lines
from dragoman.planning.contract import Candidate
from dragoman.planning.database.sameness import alike, columns_shown

LIMITS: Final = ReadLimits(rows=200, seconds=2.0)
"""A comparison is cheaper than a question only while it is quick."""

_ORDERING: Final = "order"
_TOP: Final = ".top"
_LIST: Final = ".list"
_NOTHING: Final = frozenset({repr(0), repr("0"), repr(None)})


class Compared(Record, frozen=True):
    """What came of the comparison: the best reading and one of each other result, and how many agreed."""

    different: tuple[Candidate, ...]
    agreed: int
    event: ev.RivalsRun


class _Result(Record, frozen=True):
    rows: tuple[tuple[str, ...], ...]
    ordered: bool
    """Whether the order of the rows is a part of what was asked."""
    counted: str
    """The database's own count: rows beyond the limit are compared by it."""

    @property
    def finds(self) -> bool:
        """Whether there is anything in it but zeros."""
        return any(cell not in _NOTHING for row in self.rows for cell in row)


def compare(candidates: Sequence[Candidate], catalog: Catalog) -> Compared | None:
    """Run the candidates, best first. None where the best does not run: the turn will say why.

    A rival that fails is not a rival. What finds nothing agrees with nothing, no rows as little as a count of
    none: it says of no reading that it is the one that is meant.
    """
    tried = [_run(each, catalog) for each in candidates]
    best = tried[0]
    if not isinstance(best, _Result):
        return None
    same = [
        isinstance(result, _Result) and (_same(best, result) or _is_whole(candidates[0], each, best, result))
        for each, result in zip(candidates, tried, strict=True)
    ]
    kinds: list[tuple[Candidate, _Result]] = [(candidates[0], best)]
    for candidate, result, agrees in zip(candidates[1:], tried[1:], same[1:], strict=True):
        if isinstance(result, str) or (best.finds and agrees):
            continue
        if not best.finds or not any(_same(known, result) for _, known in kinds):
            kinds.append((candidate, result))
    different = tuple(candidate for candidate, _ in kinds)
    return Compared(different, sum(same[1:]) if best.finds else 0, _record(candidates, tried, same))


def rows_of(statement: Statement, catalog: Catalog) -> int | None:
    """How many rows a statement gives, as far as that is soon known."""
    if catalog.writes((statement.verb,)):
        return None
    try:
        return len(look_up(catalog, statement, limits=LIMITS).rows)
    except DragomanError:
        return None


def _run(candidate: Candidate, catalog: Catalog) -> _Result | str:
    """What it gives, or the code of why it does not run."""
    statement = candidate.program[0]
    if len(candidate.program) != 1 or catalog.writes((statement.verb,)):
        return "not_runnable"
    try:
        found = look_up(catalog, statement, limits=LIMITS)
    except DragomanError as failure:
        return failure.code
    rows = tuple(tuple(repr(cell) for cell in row) for row in found.rows)
    ordered = found.truncated or _is_ordered(statement)
    return _Result(rows, ordered, found.evidence[-1].snippet)


def _is_ordered(statement: Statement) -> bool:
    return statement.verb.endswith(_TOP) or any(each.name == _ORDERING for each in statement.arguments)


def _same(one: _Result, other: _Result) -> bool:
    """Whether two results say the same, as far as both show it: one may have columns that the other lacks."""
    if one.counted != other.counted or len(one.rows) != len(other.rows):
        return False
    if one.ordered and other.ordered and one.rows == other.rows:
        return True
    narrow, wide = sorted((_columns(one), _columns(other)), key=len)
    if len(narrow) == len(wide) and not (one.ordered and other.ordered):
        return sorted(one.rows) == sorted(other.rows)
    ordered = one.ordered and other.ordered
    held = [column if ordered else tuple(sorted(column)) for column in wide]
    return all((column if ordered else tuple(sorted(column))) in held for column in narrow)


def _is_whole(best: Candidate, other: Candidate, one: _Result, two: _Result) -> bool:
    """Whether two lists are of the same rows, and the other only names no columns: it shows them all, with
    keys where the best has names. That is no choice for a person."""
    (mine,), (yours,) = best.program, other.program
    counted = one.counted == two.counted and len(one.rows) == len(two.rows)
    return counted and mine.verb.endswith(_LIST) and not columns_shown(yours) and alike(mine, yours)


def _columns(result: _Result) -> list[tuple[str, ...]]:
    return list(zip(*result.rows, strict=True))


def _record(
    candidates: Sequence[Candidate], tried: Sequence[_Result | str], same: Sequence[bool]
) -> ev.RivalsRun:
    lines = print_lines([each.program for each in candidates])
    return ev.RivalsRun(
        tuple(
            RivalResult(line, len(result.rows), same=agrees)
            if isinstance(result, _Result)
            else RivalResult(line, problem=result)
            for line, result, agrees in zip(lines, tried, same, strict=True)
        )
    )
