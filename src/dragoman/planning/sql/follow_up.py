"""A message that would change a typed query which no verb says: nobody can, and that is said."""

from collections.abc import Callable, Sequence

from dragoman.catalog.query_reads import QUERY, is_query
from dragoman.contracts.program import Statement
from dragoman.planning.contract import Asked
from dragoman.planning.message_periods import periods_in, reference_date
from dragoman.reading.periods import PeriodMention

IsNew = Callable[[str, Statement, Sequence[PeriodMention]], bool]
"""Whether a message is a question of its own, although something was asked before."""


def leans_on_query(asked: Asked, is_new: IsNew) -> bool:
    """Whether a message leans on a typed query."""
    base = asked.continuity.in_hand
    # Looked at here first: most programs have no such argument.
    if len(base) != 1 or not any(each.name == QUERY for each in base[0].arguments):
        return False
    if not is_query(base[0]):
        return False
    return not is_new(asked.text, base[0], periods_in(asked, (), reference_date(asked)).periods)
