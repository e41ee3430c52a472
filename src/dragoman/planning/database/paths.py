"""Paths of a statement read back: their links, the column at their end, and the rows behind a key."""

from collections.abc import Iterator

from dragoman.contracts.errors import InternalSignal
from dragoman.contracts.program import Integer, Number, Value
from dragoman.planning.database.frame import Group, Ref
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link, Table
from dragoman.tables.verbs import PARTS, DatePart

Links = tuple[Link, ...]


class Unreadable(InternalSignal):
    """A statement that no frame stands for."""

    def __init__(self) -> None:
        super().__init__("a statement has no frame")


class Paths:
    """The paths from one table. `exact`: every reference keeps its links, also the usual ones."""

    def __init__(self, base: Table, knowledge: Knowledge, joins: Joins, *, exact: bool) -> None:
        self.base = base
        self.knowledge = knowledge
        self.joins = joins
        self.exact = exact

    def end(self, links: Links) -> Table:
        return self.joins.graph.tables[links[-1].target] if links else self.base

    def step(self, links: Links, name: str) -> Links | None:
        link = self.joins.link(self.end(links), name)
        return None if link is None else (*links, link)

    def named(self, links: Links, name: str) -> Thing | None:
        table = self.end(links)
        column = table.column(name)
        return None if column is None else self.knowledge.things.of_column.get((*table.key, column.info.name))

    def column(self, path: str) -> tuple[Links, Thing, DatePart | None]:
        *steps, last = path.split("/")
        part: DatePart | None = None
        if last in PARTS and steps and self._reaches(tuple(steps)):
            *steps, last = steps
            part = DatePart(path.rsplit("/", 1)[1])
        links: Links = ()
        for name in steps:
            found = self.step(links, name)
            if found is None:
                raise Unreadable
            links = found
        thing = self.named(links, last)
        if thing is None:
            raise Unreadable
        return links, thing, part

    def _reaches(self, steps: tuple[str, ...]) -> bool:
        links: Links = ()
        for name in steps[:-1]:
            found = self.step(links, name)
            if found is None:
                return False
            links = found
        thing = self.named(links, steps[-1])
        return thing is not None and thing.is_date

    def usual(self, links: Links) -> bool:
        way = self.joins.way(self.base, self.end(links))
        return not self.exact and way is not None and way.links == links

    def through(self, links: Links) -> Thing | None:
        """The foreign key that the last link follows, where the way to its table is the usual one."""
        if self.exact or not links or len(links[-1].pairs) != 1 or not self.usual(links[:-1]):
            return None
        before = self.end(links[:-1])
        thing = self.knowledge.things.of_column.get((*before.key, links[-1].pairs[0][0]))
        if thing is None or self.joins.find_link(thing) != links[-1]:
            return None
        return thing

    def ref(self, links: Links, thing: Thing) -> Ref:
        if self.usual(links):
            return Ref(thing)
        key = self.through(links)
        return Ref(thing, links) if key is None else Ref(thing, through=key)

    def keyed(self, links: Links, thing: Thing) -> Table | None:
        """The table whose rows a column tells apart: the one it points at, or its own."""
        target = self.joins.find_link(thing)
        if target is not None:
            return self.joins.graph.tables[target.target]
        return (
            thing.table
            if thing.column and (thing.column.info.name,) == thing.table.info.primary_key
            else None
        )

    def groups(self, paths: list[str]) -> Iterator[Group]:
        """What may be gathered by these paths together: the rows of a table, or the values of one column."""
        read = [self.column(path) for path in paths]
        links, thing, part = read[0]
        if len(read) == 1 and part is None and thing.column is not None:
            link = self.joins.find_link(thing)
            if link is not None:
                yield self._rows((*links, link))
        same = all(each[0] == links and each[1].table.key == thing.table.key for each in read)
        names = tuple(each[1].column.info.name for each in read if each[1].column is not None)
        keys = names == thing.table.info.primary_key
        labels = (
            not thing.table.info.primary_key and self.labels(Group(table=thing.table, links=links)) == paths
        )
        if part is None and same and (keys or labels):
            yield self._rows(links)
        if len(read) == 1:
            yield Group(self.ref(links, thing), part)

    def _rows(self, links: Links) -> Group:
        table = self.end(links)
        if self.usual(links):
            return Group(table=table)
        key = self.through(links)
        return Group(table=table, links=links) if key is None else Group(table=table, through=key)

    def labels(self, group: Group) -> list[str]:
        """The paths that the writer shows of a group."""
        links = self._links(group)
        if group.ref is not None and group.ref.thing.column is not None:
            path = "/".join([*(link.name for link in links), group.ref.thing.column.name])
            return [f"{path}/{group.part}" if group.part else path]
        table = group.target
        named = dict.fromkeys((*self.knowledge.natural_key(table), *self.knowledge.labels(table)))
        return ["/".join([*(link.name for link in links), each.column.name]) for each in named if each.column]

    def _links(self, group: Group) -> Links:
        return self.links(group.ref or group, group.target)

    def links(self, held: Ref | Group, target: Table) -> Links:
        """The links that lead to what is held, also where they are the usual ones."""
        if held.links is not None:
            return held.links
        if held.through is not None:
            way = self.joins.way(self.base, held.through.table)
            return () if way is None else (*way.links, self.joins.link_of(held.through))
        way = self.joins.way(self.base, target)
        return () if way is None else way.links


def number(value: Value) -> float:
    if not isinstance(value, Integer | Number):
        raise Unreadable
    return float(value.value)
