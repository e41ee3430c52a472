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
from dragoman.contracts.verb import Effect
from dragoman.language.verbs.printer import print_lines
from dragoman.planning.contract import Candidate

LIMITS: Final = ReadLimits(rows=200, seconds=2.0)
"""A comparison is cheaper than a question only while it is quick."""

_ORDERING: Final = "order"
_TOP: Final = ".top"
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
    kinds: list[tuple[Candidate, _Result]] = [(candidates[0], best)]
    agreed = 0
    for candidate, result in zip(candidates[1:], tried[1:], strict=True):
        if isinstance(result, str):
            continue
        if best.finds and _same(best, result):
            agreed += 1
        elif not best.finds or not any(_same(known, result) for _, known in kinds):
            kinds.append((candidate, result))
    return Compared(tuple(candidate for candidate, _ in kinds), agreed, _record(candidates, tried, best))


def rows_of(statement: Statement, catalog: Catalog) -> int | None:
    """How many rows a statement gives, as far as that is soon known."""
    if catalog.effects().get(statement.verb) is Effect.WRITE:
        return None
    try:
        return len(look_up(catalog, statement, limits=LIMITS).rows)
    except DragomanError:
        return None


def _run(candidate: Candidate, catalog: Catalog) -> _Result | str:
    """What it gives, or the code of why it does not run."""
    statement = candidate.program[0]
    if len(candidate.program) != 1 or catalog.effects().get(statement.verb) is Effect.WRITE:
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


def _columns(result: _Result) -> list[tuple[str, ...]]:
    return list(zip(*result.rows, strict=True))


def _record(candidates: Sequence[Candidate], tried: Sequence[_Result | str], best: _Result) -> ev.RivalsRun:
    lines = print_lines([each.program for each in candidates])
    return ev.RivalsRun(
        tuple(
            RivalResult(line, len(result.rows), same=_same(best, result))
            if isinstance(result, _Result)
            else RivalResult(line, problem=result)
            for line, result in zip(lines, tried, strict=True)
        )
    )
