"""The first rows of many tables by one query, every value as text: a query each would take most of the time.

A branch of the query is one table, named by its number. Branches are filled up with nothing to one width.
"""

from collections.abc import Iterator, Sequence

import msgspec
from sqlglot import exp

from dragoman.contracts.query import Query, ResultSet
from dragoman.contracts.schema import ColumnInfo, Dialect, TableInfo, TableKind, ValueType
from dragoman.databases.discovery.catalog_reader import text_of, whole_of
from dragoman.databases.discovery.statements import (
    all_of,
    column,
    counted,
    inner,
    named,
    query_of,
    selected,
    table_at,
    text,
)
from dragoman.guards.secrets import is_telling

MOST_TABLES = 25
MOST_CELLS = 250_000

LONGEST = 200
"""How much of a value is read; one that is as long may be longer, and does not count as seen whole."""

_SAMPLED = frozenset(
    {
        ValueType.TEXT,
        ValueType.INTEGER,
        ValueType.DECIMAL,
        ValueType.FLOAT,
        ValueType.BOOLEAN,
        ValueType.DATE,
        ValueType.TIME,
        ValueType.DATETIME,
        ValueType.INSTANT,
        ValueType.UUID,
    }
)

Cell = str | None


class Glance(msgspec.Struct, frozen=True):
    """What one read shows of a table: rows of texts, one for each chosen column, and the kinds of those
    whose type nobody declared."""

    table: TableInfo
    chosen: tuple[ColumnInfo, ...]
    open: tuple[ColumnInfo, ...]

    @property
    def width(self) -> int:
        return len(self.chosen) + len(self.open)


def glance_at(table: TableInfo, dialect: Dialect) -> Glance:
    """Which columns are read. What a column with a telling name holds is not even asked for."""
    seen = [each for each in table.columns if not is_telling(each.name)]
    # SQLite takes columns of no type or any: what such a column holds, only its values tell.
    undeclared = tuple(c for c in seen if dialect.is_untyped and c.type is ValueType.OTHER)
    chosen = tuple(c for c in seen if c.type in _SAMPLED or c in undeclared)
    return Glance(table, chosen, undeclared)


def batches(glances: Sequence[Glance], rows: int) -> Iterator[list[Glance]]:
    """Glances that one query can take. A view may be slow, and is looked at alone."""
    batch: list[Glance] = []
    for glance in glances:
        alone = glance.table.kind is TableKind.VIEW
        cells = max(each.width + 1 for each in (*batch, glance)) * rows * (len(batch) + 1)
        if batch and (alone or len(batch) == MOST_TABLES or cells > MOST_CELLS):
            yield batch
            batch = []
        batch.append(glance)
        if alone:
            yield batch
            batch = []
    if batch:
        yield batch


def first_rows(batch: Sequence[Glance], rows: int, dialect: Dialect) -> Query:
    width = max(glance.width for glance in batch)
    return query_of(all_of([_branch(n, glance, width, rows) for n, glance in enumerate(batch)]), dialect)


def sorted_out(batch: Sequence[Glance], result: ResultSet) -> list[list[tuple[Cell, ...]]]:
    """The rows of each table, in the order of the batch."""
    found: list[list[tuple[Cell, ...]]] = [[] for _ in batch]
    for row in result.rows:
        number = whole_of(row[0])
        width = batch[number].width
        found[number].append(tuple(None if cell is None else text_of(cell) for cell in row[1 : 1 + width]))
    return found


def _branch(number: int, glance: Glance, width: int, rows: int) -> exp.Select:
    parts: list[exp.Expression] = [_beginning(each) for each in glance.chosen]
    parts += [exp.Anonymous(this="TYPEOF", expressions=[column(each.name)]) for each in glance.open]
    parts += [text(exp.Null()) for _ in range(width - glance.width)]
    place = table_at((glance.table.schema, glance.table.name))
    columns = [named(counted(number), "n"), *(named(part, f"c{at}") for at, part in enumerate(parts))]
    return selected([exp.Star()], inner(selected(columns, place, rows), "s"))


def _beginning(each: ColumnInfo) -> exp.Expression:
    return exp.Substring(this=text(column(each.name)), start=counted(1), length=counted(LONGEST))
