"""Where a column stands as seen from the table of a statement in hand, and which rows have to be joined."""

from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.statement_parts import StatementParts
from dragoman.tables.graph import Graph, Link, Table, TableKey
from dragoman.tables.paths import ColumnPath, Links


class ReachableTables:
    """The tables that a statement in hand reaches, and those right beside its own."""

    def __init__(self, graph: Graph, previous: StatementParts) -> None:
        self.table = previous.table
        self._graph = graph
        self._ways: dict[TableKey, Links] = {}
        for links in _used(previous):
            for length in range(1, len(links) + 1):
                self._ways.setdefault(links[length - 1].target, links[:length])
        self._ways.setdefault(self.table.key, ())
        for link in sorted(graph.links(self.table).values(), key=_preference):
            self._ways.setdefault(link.target, (link,))

    def links(self, table: Table) -> Links | None:
        """The way to a table; it may lead to many rows."""
        return self._ways.get(table.key)

    def path(self, thing: Thing) -> ColumnPath | None:
        links = None if thing.column is None else self.links(thing.table)
        return None if links is None or thing.column is None else ColumnPath(links, thing.column)

    def near(self) -> frozenset[TableKey]:
        return frozenset(self._ways)


def _preference(link: Link) -> tuple[bool, bool, str]:
    return (not link.declared, not link.single, link.name)


def _used(previous: StatementParts) -> list[Links]:
    """The ways that the statement takes already, those to what it shows before all others."""
    shown = [each.links for each in previous.shown or () if isinstance(each, ColumnPath)]
    by = [path.links for path in previous.by]
    holds = [each.links for each in previous.holds]
    return [links for links in (previous.joined, *shown, *by, *holds) if links]


def to_join(previous: StatementParts, paths: list[Links]) -> Links | None:
    """The links that have to be joined for these paths: those that lead to many. None where two would."""
    wanted: Links = previous.joined
    for links in paths:
        together = links[: len(wanted)] == wanted
        if all(link.single for link in (links[len(wanted) :] if together else links)):
            continue
        last = max(n for n, link in enumerate(links, 1) if not link.single)
        if wanted and wanted != links[: len(wanted)]:
            return None
        wanted = links[:last]
    return wanted
