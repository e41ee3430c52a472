"""The ways from one table to another along the links of a schema."""

from collections import deque
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from dragoman.contracts.record import Record
from dragoman.planning.database.vocabulary import words_in
from dragoman.planning.tables.lexicon import ENGLISH
from dragoman.planning.tables.name_words import name_words
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import OTHERS, Graph, Link, Table, TableKey

MOST_HOPS = 5
"""What lies farther away is not meant, and a database may refuse a statement that reaches it."""
_MOST_WAYS = 6


class Way(Record, frozen=True):
    """Links from one table to another, none for the table itself."""

    links: tuple[Link, ...] = ()

    @property
    def single(self) -> bool:
        """Whether it leads from a row to one row at most."""
        return all(link.single for link in self.links)

    @property
    def written(self) -> str:
        return "/".join(link.name for link in self.links)

    @property
    def declared(self) -> bool:
        return all(link.declared for link in self.links)

    @property
    def cost(self) -> float:
        """Shorter is better, and a link to one row is better than one to many."""
        back = sum(
            1
            for one, other in zip(self.links, self.links[1:], strict=False)
            if not other.single and one.single
        )
        return len(self.links) + 0.2 * sum(not link.single for link in self.links) + 1.5 * back


class Joins:
    """The ways between the tables of one schema, worked out from a table when first asked for."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._links: dict[TableKey, dict[str, Link]] = {}
        self._own: dict[TableKey, list[Link]] = {}
        self._from: dict[TableKey, dict[TableKey, tuple[Way, ...]]] = {}

    def ways(self, base: Table, target: Table) -> tuple[Way, ...]:
        """The best ways first; only those about as short as the shortest."""
        if base.key == target.key:
            return (Way(),)
        found = self._from.get(base.key)
        if found is None:
            found = self._from[base.key] = self._search(base)
        return found.get(target.key, ())

    def way(self, base: Table, target: Table) -> Way | None:
        ways = self.ways(base, target)
        return ways[0] if ways else None

    def distance(self, base: Table, target: Table) -> float:
        way = self.way(base, target)
        return 99.0 if way is None else float(len(way.links))

    def self_links(self, table: Table) -> list[Link]:
        found = self._own.get(table.key)
        if found is None:
            links = self.graph.links(table).values()
            found = self._own[table.key] = [link for link in links if link.target == table.key]
        return found

    def link_up(self, table: Table) -> Link | None:
        """The link from a row to the one above it: the first that leads to one of its own kind."""
        own = (each for each in self.self_links(table) if each.single and len(each.pairs) == 1)
        return next((each for each in own if "-by-" not in each.name), None)

    def turned(self, table: Table, link: Link) -> Link:
        """The link from a row to those that a link of its own table leads from."""
        pairs = tuple((there, here) for here, there in link.pairs)
        return next(each for each in self.self_links(table) if each.pairs == pairs and each != link)

    def link_of(self, key: Thing) -> Link:
        """The link along a foreign key."""
        found = self.find_link(key)
        if found is None:
            raise LookupError(key.words)
        return found

    def links(self, table: Table) -> dict[str, Link]:
        """Every step from a row of a table, by its name."""
        if table.key not in self._links:
            self._links[table.key] = self.graph.links(table)
        return self._links[table.key]

    def link(self, table: Table, name: str) -> Link | None:
        """The step of a name: also one to the other rows of the table, which no search finds."""
        found = self.links(table).get(name)
        return self.graph.link(table, name) if found is None and name.startswith(OTHERS) else found

    def find_link(self, key: Thing) -> Link | None:
        if key.column is None:
            return None
        name = key.column.info.name
        links = self.links(key.table).values()
        own = [link for link in links if link.pairs and tuple(here for here, _ in link.pairs) == (name,)]
        return next((link for link in own if "-by-" not in link.name), None)

    @cached_property
    def _steps(self) -> dict[TableKey, list[Link]]:
        return {
            table.key: [
                link
                for link in self.graph.links(table).values()
                if link.target != table.key and not self._is_empty(table, link)
            ]
            for table in self.graph.tables.values()
        }

    def is_plainest(self, base: Table, ways: Sequence[tuple[Link, ...]]) -> bool:
        """Whether the first of some ways is the only one over no part that a row plays."""
        parts = [self._rank(base, Way(links))[2] for links in ways]
        return parts[0] < min(parts[1:], default=0)

    def _is_empty(self, table: Table, link: Link) -> bool:
        """Whether no row follows a link, because one of its columns never has a value."""
        target = self.graph.tables[link.target]
        ends = [
            each
            for here, there in link.pairs
            for each in (table.by_real_name[here], target.by_real_name[there])
        ]
        return any(each.info.distinct == 0 and each.info.has_gaps for each in ends)

    def _search(self, base: Table) -> dict[TableKey, tuple[Way, ...]]:
        """Breadth first, keeping a few shortest ways to each table. A way meets no table twice."""
        found: dict[TableKey, list[Way]] = {}
        queue: deque[tuple[TableKey, tuple[Link, ...], frozenset[TableKey]]] = deque(
            [(base.key, (), frozenset({base.key}))]
        )
        looked = 0
        while queue and looked < 20_000:
            at, links, been = queue.popleft()
            if len(links) >= MOST_HOPS:
                continue
            for link in self._steps[at]:
                looked += 1
                if link.target in been:
                    continue
                known = found.setdefault(link.target, [])
                way = Way((*links, link))
                if len(known) >= _MOST_WAYS or (known and len(way.links) > len(known[0].links) + 1):
                    continue
                known.append(way)
                queue.append((link.target, way.links, been | {link.target}))
        return {key: self._ranked(base, ways) for key, ways in found.items()}

    def _ranked(self, base: Table, ways: Sequence[Way]) -> tuple[Way, ...]:
        """Ways over the same tables are as long as the shortest of them: through which of two links a city
        belongs to its country, is no question of length."""
        least: dict[tuple[TableKey, ...], float] = {}
        for way in ways:
            over = tuple(link.target for link in way.links)
            least[over] = min(way.cost, least.get(over, way.cost))

        def rank(way: Way) -> tuple[float, int, int, int, float]:
            cost, side, parts, between = self._rank(base, way)
            over = tuple(link.target for link in way.links)
            return (least[over] if len(over) > 1 else cost), side, parts, between, cost

        return tuple(sorted(ways, key=rank))

    def _rank(self, base: Table, way: Way) -> tuple[float, int, int, int]:
        """Of ways that are as long the one over the main parts, not over the contact of an order; the plain
        one, not over whom something is assigned to; and over what only links: members before events."""
        words = [word for link in way.links for word in name_words(link.name.split("-by-")[-1])]
        side = len(words_in(ENGLISH).side_roles.intersection(words))
        ends = [base, *(self.graph.tables[link.target] for link in way.links)]
        roles = sum(_plays_part(link, *pair) for link, pair in zip(way.links, pairwise(ends), strict=True))
        leaders = words_in(ENGLISH).leaders
        roles += sum(not leaders.isdisjoint(name_words(table.info.name)) for table in ends[1:-1])
        return way.cost, side, roles, sum(len(table.info.columns) for table in ends[1:-1])


def _plays_part(link: Link, here: Table, there: Table) -> bool:
    """Whether a link is called by the part that a row plays, and not by what it is."""
    _, back, key = link.name.rpartition("-by-")
    pointed = here if back else there
    return set(name_words(key)).isdisjoint(name_words(pointed.info.name))
