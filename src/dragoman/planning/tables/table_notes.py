"""What packs say of tables beyond their names: labels, amounts, and the verbs of dates."""

from collections.abc import Mapping
from typing import Final

from dragoman.contracts.record import Record

TableKey = tuple[str, str]
"""The schema and the name of a table, as the database has them."""
ColumnKey = tuple[str, str, str]

_NONE: Final[frozenset[str]] = frozenset()


class TableNotes(Record, frozen=True, gc=True):
    """What is noted on the tables of one database. Whatever is not noted is guessed."""

    labels: Mapping[TableKey, tuple[str, ...]] = {}
    """The columns that tell a person which row it is."""
    measures: Mapping[ColumnKey, bool] = {}
    """Whether the numbers of a column are amounts."""
    verbs: Mapping[TableKey, Mapping[str, frozenset[str]]] = {}
    """Of a table its dates, each with the stems of the verbs that speak of it."""

    def verbs_of(self, table: TableKey, column: str) -> tuple[frozenset[str], frozenset[str]]:
        """The verbs that speak of a column, and those that another date of its table has instead."""
        dates = self.verbs.get(table)
        if dates is None:
            return _NONE, _NONE
        own = dates.get(column, _NONE)
        return own, frozenset().union(*dates.values()) - own


NO_NOTES: Final = TableNotes()
