"""What a reading may speak of: one table, or a table with one that it points at."""

from dragoman.contracts.record import Record
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Graph, Link, Table


class Scope(Record, frozen=True):
    """What a reading may speak of: the rows of one table, or those of a table with what they point at."""

    root: Table
    link: Link | None = None
    other: Table | None = None

    def path(self, thing: Thing) -> str | None:
        """How a program of this scope names a column; None where it cannot."""
        if thing.column is None:
            return None
        if thing.table.key == self.root.key:
            return thing.column.name
        if self.link is not None and thing.table.key == self.link.target:
            return f"{self.link.name}/{thing.column.name}"
        return None

    def holds(self, table: Table) -> bool:
        return table.key == self.root.key or (self.other is not None and table.key == self.other.key)


def pairs(graph: Graph) -> list[Scope]:
    """Every table with each table that it points at."""
    found: list[Scope] = []
    for table in graph.tables.values():
        for name in sorted(graph.links(table)):
            link = graph.links(table)[name]
            if link.target != table.key and not name.startswith(f"{graph.tables[link.target].name}-by-"):
                found.append(Scope(table, link, graph.tables[link.target]))
    return found
