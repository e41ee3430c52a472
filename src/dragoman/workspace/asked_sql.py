"""The SQL that an answer stands on, read from its evidence: what ran, with its values in their places."""

from collections.abc import Sequence

from dragoman.catalog.shown_sql import with_literals
from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.record import Record


class AskedSql(Record, frozen=True):
    """What the answer of a turn asked the database, in order; nothing where it asked none."""

    turn: int
    sql: tuple[str, ...]


def asked_sql(evidence: Sequence[EvidenceItem]) -> tuple[str, ...]:
    """The queries among the evidence: those that the database counted again."""
    recounted = {item.ref for item in evidence}
    queries = [item for item in evidence if f"{item.ref}/recount" in recounted]
    return tuple(dict.fromkeys(with_literals(item.snippet, item.values) for item in queries))
