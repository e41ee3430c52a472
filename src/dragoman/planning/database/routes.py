"""The paths from the table that is asked to what a statement names."""

from dragoman.planning.database.frame import Ref
from dragoman.planning.database.joins import Joins, Way
from dragoman.planning.database.written_values import Unwritable
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link, Table


class Routes:
    """Paths from one table. `joined`: the way along which rows are put together with others."""

    def __init__(self, base: Table, joins: Joins) -> None:
        self.base = base
        self.joins = joins
        self.joined: tuple[Link, ...] = ()

    def way(
        self, target: Table, links: tuple[Link, ...] | None, through: Thing | None = None
    ) -> tuple[Link, ...]:
        if links is not None:
            return links
        if through is not None:
            return (*self.way(through.table, None), self.joins.link_of(through))
        if target.key == self.base.key:
            return ()
        for place, link in enumerate(self.joined, 1):
            if link.target == target.key:
                return self.joined[:place]
        way = self.joins.way(self.base, target)
        if way is None:
            raise Unwritable
        return way.links

    def joined_way(
        self, target: Table, links: tuple[Link, ...] | None, through: Thing | None = None
    ) -> tuple[Link, ...]:
        """A way; where it leads to many rows, rows are put together with them."""
        found = self.way(target, links, through)
        if not Way(found).single:
            self._join(found)
        return found

    def path(self, ref: Ref) -> str:
        links = self.joined_way(ref.table, ref.links, ref.through)
        if ref.thing.column is None:
            raise Unwritable
        return "/".join([*(link.name for link in links), ref.thing.column.name])

    def _join(self, links: tuple[Link, ...]) -> None:
        """Puts rows together with others, along one way only."""
        last = max((place for place, link in enumerate(links) if not link.single), default=-1)
        needed = links[: last + 1]
        if self.joined[: len(needed)] == needed:
            return
        if needed[: len(self.joined)] != self.joined:
            raise Unwritable
        self.joined = needed

    def near_key(self, links: tuple[Link, ...], table: Table) -> str | None:
        """The column that points at a table, instead of the key it points at: one link less to follow."""
        if not links or len(links[-1].pairs) != 1 or not links[-1].single:
            return None
        before = self.base if len(links) == 1 else self.joins.graph.tables[links[-2].target]
        here, there = links[-1].pairs[0]
        column = before.by_real_name.get(here)
        if column is None or (there,) != tuple(table.info.primary_key):
            return None
        if not any(here in key.columns for key in before.info.foreign_keys):
            return None
        return "/".join([*(link.name for link in links[:-1]), column.name])
