"""Sources that answer for one table at a time: many tables in one query, or a join, cannot be asked there."""

from typing import Protocol, runtime_checkable

from dragoman.contracts.access import Reader
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.schema import Dialect, TableInfo
from dragoman.databases.discovery.budget import Purse
from dragoman.databases.discovery.catalog_reader import Fault, fault_of, text_of
from dragoman.databases.discovery.first_rows import LONGEST, Cell, Glance
from dragoman.databases.discovery.statements import column, query_of, selected, table_at


@runtime_checkable
class SingleTableReader(Protocol):
    """A reader of such a source. What a table holds is estimated there, not counted."""

    @property
    def dialect(self) -> Dialect: ...

    def read(self, query: Query, limits: ReadLimits | None = None) -> ResultSet: ...

    def estimate(self, schema: str, name: str, limits: ReadLimits | None = None) -> int | None: ...


def first_rows_of(reader: Reader, glance: Glance, purse: Purse) -> list[tuple[Cell, ...]]:
    """The first rows of one table, every value as text and no longer than is looked at."""
    rows = purse.budget.rows + 1
    chosen = glance.chosen or glance.table.columns[:1]
    place = table_at((glance.table.schema, glance.table.name))
    tree = selected([column(each.name) for each in chosen], place, rows)
    found = reader.read(query_of(tree, reader.dialect), purse.limits(rows)).rows
    return [
        tuple(None if cell is None else text_of(cell)[:LONGEST] for cell in row[: len(glance.chosen)])
        for row in found
    ]


def estimated_size(reader: SingleTableReader, table: TableInfo, seen: int, purse: Purse) -> int | None:
    """What the planner thinks, unless more were seen."""
    if purse.is_empty:
        return None
    try:
        found = reader.estimate(table.schema, table.name, purse.limits(1))
    except DragomanError as error:
        if fault_of(error) is Fault.SOURCE:
            raise
        return None
    return found if found is not None and found >= seen else None
