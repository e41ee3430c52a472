"""From one table to a column of another, along links. A path that could be two is never chosen.

A path is written `customer/country`. Every step but the last is a link (`customer`, `orders-by-customer`) or
the name of a table that exactly one path leads to; the last is a column. A part of a date may follow it.
"""

from collections.abc import Iterable

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.tables.findings import Findings, listed, nearest, quoted
from dragoman.tables.graph import OTHERS, Column, Graph, Link, Table, others_by
from dragoman.tables.verbs import DATES, PARTS, DatePart

MOST_HOPS = 4
"""How far a table may be for its name alone to say the way."""
MOST_STEPS = 12
"""How long a path may be that is said step by step."""
_MOST_LOOKED_AT = 20_000

Links = tuple[Link, ...]


class ColumnPath(Record, frozen=True):
    """A column, the links that lead to it, and what of its date is meant."""

    links: Links
    column: Column
    part: DatePart | None = None

    @property
    def type(self) -> ValueType:
        return self.part.type if self.part else self.column.type

    @property
    def written(self) -> str:
        steps = [link.name for link in self.links] + [self.column.name]
        return "/".join([*steps, self.part.value] if self.part else steps)

    @property
    def title(self) -> str:
        """For the head of a column: its real name."""
        steps = [link.name for link in self.links] + [self.column.info.name]
        return "/".join([*steps, self.part.value] if self.part else steps)


class Paths:
    """Reads paths that begin at one table. What is joined to its rows on purpose may be many."""

    def __init__(
        self, graph: Graph, findings: Findings, base: Table | None = None, joined: Links = ()
    ) -> None:
        self._graph = graph
        self._findings = findings
        self._base = base
        self._joined = joined

    def joined(self, base: Table, text: str, argument: str) -> "Paths":
        """The same, with the rows at the end of a path joined to those of a table."""
        links: Links = ()
        at = base
        for step in text.split("/")[: MOST_STEPS + 1]:
            found = self.links(at, step, argument)
            if found is None:
                return self
            links, at = links + found, self._graph.tables[found[-1].target]
        if len(links) > MOST_STEPS:
            message = f"the path {quoted(text)} in :{argument} has more than {MOST_STEPS} steps"
            self._findings.error("unknown_path", message, "name a table that is nearer")
            return self
        return Paths(self._graph, self._findings, base, links)

    @property
    def joins(self) -> Links:
        return self._joined

    def column(self, table: Table, text: str, argument: str, *, parts: bool = True) -> ColumnPath | None:
        """The column a path leads to without multiplying rows; None when that went wrong, which is said."""
        steps = text.split("/")
        if len(steps) > MOST_STEPS:
            message = f"the path {quoted(text)} in :{argument} has more than {MOST_STEPS} steps"
            self._findings.error("unknown_column", message, "name a table that is nearer")
            return None
        dated = self._dated(table, steps) if parts else None
        # `order/month` may be a column or the month of a date. Both are tried without complaining, and only
        # what failed in both ways is reported.
        quiet = Findings()
        plain = Paths(self._graph, quiet, self._base, self._joined)._plain(table, steps, argument)
        if dated is not None and plain is not None:
            message = f"{quoted(text)} in :{argument} is a column, and a part of a date"
            hint = f'write {{:{steps[-1]} "{"/".join(steps[:-1])}"}} for the part of the date'
            self._findings.error("ambiguous_path", message, hint)
            return None
        if dated is None and plain is None:
            for found in quiet.all:
                self._findings.error(found.code, found.message, found.hint)
        return dated or plain

    def _dated(self, table: Table, steps: list[str]) -> ColumnPath | None:
        if len(steps) < 2 or steps[-1] not in PARTS:
            return None
        path = Paths(self._graph, Findings(), self._base, self._joined)._plain(table, steps[:-1], "")
        if path is None or not takes_part(path.column, DatePart(steps[-1])):
            return None
        return ColumnPath(path.links, path.column, DatePart(steps[-1]))

    def _plain(self, table: Table, steps: list[str], argument: str) -> ColumnPath | None:
        links: Links = ()
        at = table
        for step in steps[:-1]:
            found = self.links(at, step, argument)
            if found is None:
                return None
            links, at = links + found, self._graph.tables[found[-1].target]
        # A join along a link to many rows would count the rows of this table once for each of them. That is
        # never done by accident: `:with` says that it is meant.
        if not self._single(links, table, argument):
            return None
        column = at.column(steps[-1])
        if column is None:
            message = f"{at.name} has no column {quoted(steps[-1])} (in :{argument})"
            self._findings.error("unknown_column", message, nearest(steps[-1], at.columns))
            return None
        return ColumnPath(links, column)

    def links(self, table: Table, step: str, argument: str) -> Links | None:
        """The links one step of a path stands for. They may lead to many rows."""
        direct = self._graph.link(table, step)
        if direct is not None:
            return (direct,)
        target = self._graph.by_name.get(step)
        if target and self._joined and table is self._base and self._joined[-1].target == target.key:
            return self._joined
        ways = self._ways(table, target) if target else []
        match ways:
            case []:
                self._leads_nowhere(table, step, argument)
                return None
            case [way]:
                return way
            case _:
                # Never choose: a wrong path gives a plausible number.
                message = f"more than one path leads from {table.name} to {step} (in :{argument})"
                self._findings.error(
                    "ambiguous_path", message, f"say which: {listed(_told(way) for way in ways)}"
                )
                return None

    def _leads_nowhere(self, table: Table, step: str, argument: str) -> None:
        message = f"{quoted(step)} in :{argument} leads nowhere from {table.name}"
        if step.startswith(OTHERS) and not table.info.primary_key:
            hint = f"{table.name} has no primary key, so that a row cannot be told from the others"
        elif step.startswith(OTHERS):
            hint = nearest(step, [others_by(name) for name in table.columns])
        else:
            hint = nearest(step, self._graph.links(table))
        self._findings.error("unknown_path", message, hint)

    def _single(self, links: Links, table: Table, argument: str) -> bool:
        """Whether a path leads to one row at most, from a row and what is joined to it."""
        together = 0
        for ours, theirs in zip(links, self._joined, strict=False):
            if ours != theirs:
                break
            together += 1
        if all(link.single for link in links[together:]):
            return True
        message = f"{_told(links)} in :{argument} leads from one row of {table.name} to many"
        hint = (
            "it would count rows twice: ask the other table, use it in :where only, "
            f'or say :with "{told(links)}" for a row of each of them'
        )
        self._findings.error("path_multiplies", message, hint)
        return False

    def _ways(self, table: Table, target: Table) -> list[Links]:
        """Every way that does not multiply and meets no table twice; and every direct one."""
        ways = [(link,) for link in self._graph.links(table).values() if link.target == target.key]
        if target.key == table.key:
            return list(ways)
        found: list[Links] = list(ways)
        pending: list[tuple[Table, Links]] = [(table, ())]
        looked_at = 0
        # A schema where everything links to everything has more paths than anyone can wait for.
        while pending and looked_at < _MOST_LOOKED_AT:
            at, links = pending.pop()
            been = {table.key, *(link.target for link in links)}
            for link in self._graph.links(at).values():
                looked_at += 1
                if not link.single or link.target in been:
                    continue
                way = (*links, link)
                if link.target == target.key:
                    if len(way) > 1:
                        found.append(way)
                elif len(way) < MOST_HOPS:
                    pending.append((self._graph.tables[link.target], way))
        return sorted(found, key=lambda way: (len(way), [link.name for link in way]))


def takes_part(column: Column, part: DatePart) -> bool:
    if column.type not in DATES:
        return False
    return part is not DatePart.HOUR or column.type is not ValueType.DATE


def told(links: Iterable[Link]) -> str:
    return "/".join(link.name for link in links)


def _told(links: Links) -> str:
    note = "" if all(link.declared for link in links) else " (inferred)"
    return told(links) + note
