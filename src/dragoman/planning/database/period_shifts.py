"""Follow-ups that change nothing but the period of the question before: and in July?"""

from collections.abc import Callable
from typing import Final

from dragoman.contracts.program import Statement, Value

_DURING: Final = "during"


def telling_rows(
    probe: Callable[[Statement], int | None], statement: Statement, previous: Statement | None
) -> int | None:
    """How many rows a reading gives, as far as that tells something: that there is nothing in another period
    says nothing about what was asked."""
    rows = probe(statement)
    return None if rows == 0 and is_other_period(statement, previous) else rows


def is_other_period(statement: Statement, previous: Statement | None) -> bool:
    """Whether two statements ask the same of two periods."""
    if previous is None or statement.verb != previous.verb:
        return False
    one, other = _arguments(statement), _arguments(previous)
    period, before = one.pop(_DURING, None), other.pop(_DURING, None)
    return one == other and period is not None and before is not None and period != before


def _arguments(statement: Statement) -> dict[str, Value]:
    return {argument.name: argument.value for argument in statement.arguments}
