"""A query that answers a statement, the database it is for, and what its columns are."""

from dragoman.catalog.cells import ScaledColumn
from dragoman.contracts.answer import CellType
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.query import Query
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema, ValueType
from dragoman.packs.installed import OwnedVerb


class VerbRead(Record, frozen=True):
    """A query, the database it is for, and what its columns are."""

    spec: ConnectionSpec
    schema: DatabaseSchema
    query: Query
    recount: Query
    """The same query, counted by the database; for a verb of a pack also the sum of each decimal column."""
    names: tuple[str, ...] = ()
    """What the columns are called, for a verb of a table: its query has names of our own."""
    types: tuple[ValueType, ...] = ()
    """What the columns hold, for a verb of a table."""
    inferred: tuple[str, ...] = ()
    """The links it follows that no key declares."""
    owned: OwnedVerb | None = None
    """The verb of a pack that it is."""
    columns: tuple[ScaledColumn, ...] = ()
    """The columns of a verb of a pack."""
    of_person: bool = False
    """A person wrote the query: it runs where it can be stopped, and its result names its columns."""

    @property
    def summed(self) -> tuple[int, ...]:
        """The places of the columns whose sums the database counts again."""
        return decimals(self.columns)

    @property
    def is_read_again(self) -> bool:
        """Whether the recount is the query itself, whose rows are counted here."""
        return self.recount == self.query


def decimals(columns: tuple[ScaledColumn, ...]) -> tuple[int, ...]:
    return tuple(place for place, each in enumerate(columns) if each.column.type is CellType.DECIMAL)
