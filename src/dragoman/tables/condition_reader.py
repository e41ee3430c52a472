"""Reads the conditions of a statement: the arguments that are columns, and `:where`."""

from collections.abc import Iterator

from dragoman.contracts import program
from dragoman.tables.comparison_reader import (
    MOST_DEPTH,
    MOST_TESTS,
    ComparisonReader,
    ResultReader,
    asked_parts,
    counted,
)
from dragoman.tables.conditions import (
    AnyCondition,
    ColumnCondition,
    Condition,
    CountedCondition,
    LinkedCondition,
    Test,
)
from dragoman.tables.findings import Findings, nearest, quoted
from dragoman.tables.graph import OTHERS, Column, Graph, Table
from dragoman.tables.paths import Links, Paths
from dragoman.tables.verbs import ALL, COLUMN, COMPARISONS, HOW_MANY


class ConditionReader:
    """Makes conditions, and says all that is wrong with them. What is wrong becomes None and is left out."""

    def __init__(self, graph: Graph, paths: Paths, findings: Findings, results: ResultReader) -> None:
        self._graph = graph
        self._paths = paths
        self._findings = findings
        self._comparisons = ComparisonReader(paths, findings, results)

    def test(self, known: Column, value: program.Value, where: str) -> Test | None:
        """A test of anything that has a type."""
        return self._comparisons.test(known, value, where)

    def column(self, table: Table, column: Column, value: program.Value, where: str) -> Condition | None:
        test = self._comparisons.test(column, value, where, table)
        return None if test is None else ColumnCondition(column, test)

    def where(self, table: Table, value: program.Value, where: str, depth: int = 0) -> tuple[Condition, ...]:
        """`{:country "FR" :orders {:status "open"}}`: all of it; a list of such maps: any of them."""
        if depth > MOST_DEPTH:
            self._comparisons.too_deep(where)
            return ()
        match value:
            case program.Map(entries=entries):
                return tuple(found for entry in entries for found in self._entry(table, entry, where, depth))
            case program.Sequence(items=items):
                if len(items) > MOST_TESTS:
                    self._comparisons.too_many(where)
                    return ()
                return (AnyCondition(tuple(self.where(table, item, where, depth + 1) for item in items)),)
            case _:
                hint = 'write a map of columns and links, {:customer {:country "FR"}}'
                self._findings.error("argument_type", f":{where} is no map", hint)
                return ()

    def _entry(self, table: Table, entry: program.Entry, where: str, depth: int) -> Iterator[Condition]:
        column, leads_on = table.column(entry.key), self._leads_on(table, entry.key)
        if entry.key == ALL and column is None and not leads_on:
            yield from self._all(table, entry.value, where, depth)
            return
        # A column and a link may share a name. A map that says anything but comparisons can only mean the
        # link.
        if column is not None and not (leads_on and self._is_nested(table, column, entry)):
            found = self.column(table, column, entry.value, where)
        elif leads_on:
            found = self._linked(table, entry, where, depth)
        else:
            message = f"{table.name} has no column and no link {quoted(entry.key)} (in :{where})"
            known = [*table.columns, *self._graph.links(table)]
            self._findings.error("unknown_column", message, nearest(entry.key, known))
            return
        if found is not None:
            yield found

    def _all(self, table: Table, value: program.Value, where: str, depth: int) -> Iterator[Condition]:
        """`{:all [{…} {…}]}`: every map holds. Two maps over one link may be about two rows."""
        match value:
            case program.Sequence(items=items) if 0 < len(items) <= MOST_TESTS:
                for item in items:
                    yield from self.where(table, item, where, depth + 1)
            case _:
                hint = f"write at most {MOST_TESTS} maps, {{:{ALL} [{{…}} {{…}}]}}"
                self._findings.error("argument_type", f":{ALL} in :{where} takes a list of maps", hint)

    def _leads_on(self, table: Table, name: str) -> bool:
        # What begins so and leads nowhere is told why.
        return name in self._graph.links(table) or name in self._graph.by_name or name.startswith(OTHERS)

    def _is_nested(self, table: Table, column: Column, entry: program.Entry) -> bool:
        """Whether a map speaks of another row's columns: it says something that is no comparison."""
        if not isinstance(entry.value, program.Map):
            return False
        direct = self._graph.link(table, entry.key)
        there = self._graph.by_name.get(entry.key) if direct is None else self._graph.tables[direct.target]
        words = {COLUMN, *asked_parts(column)}
        # A column of the other row that is called like such a word was always meant.
        words = {word for word in words if there is None or there.column(word) is None}
        return any(each.key not in COMPARISONS | words for each in entry.value.entries)

    def _linked(self, table: Table, entry: program.Entry, where: str, depth: int) -> Condition | None:
        links = self._paths.links(table, entry.key, where)
        if links is None:
            return None
        self._comparisons.count_test(where)
        target = self._graph.tables[links[-1].target]
        match entry.value:
            case program.Nil():
                return LinkedCondition(links, (), absent=True)
            case program.Map(entries=(program.Entry(key="not", value=program.Nil()),)):
                return LinkedCondition(links, ())
            case program.Map(entries=(program.Entry(key="not", value=inner),)) if not target.column("not"):
                return LinkedCondition(links, self.where(target, inner, where, depth + 1), absent=True)
            case program.Map(entries=entries) if not target.column(HOW_MANY) and any(
                each.key == HOW_MANY for each in entries
            ):
                return self._counted(links, entries, where, depth)
            case inner:
                return LinkedCondition(links, self.where(target, inner, where, depth + 1))

    def _counted(
        self, links: Links, entries: tuple[program.Entry, ...], where: str, depth: int
    ) -> Condition | None:
        """`{:how-many {:at-least 3} :status "open"}`: how many of the linked rows are so."""
        asked = [each.value for each in entries if each.key == HOW_MANY]
        if len(asked) > 1 or isinstance(asked[0], program.Nil):
            message = f":{HOW_MANY} in :{where} takes one number or comparison"
            self._findings.error("argument_type", message, f"write {{:{HOW_MANY} {{:at-least 3}}}}")
            return None
        test = self._comparisons.test(counted(HOW_MANY), asked[0], where)
        rest = program.Map(tuple(each for each in entries if each.key != HOW_MANY))
        target = self._graph.tables[links[-1].target]
        conditions = self.where(target, rest, where, depth + 1)
        return None if test is None else CountedCondition(links, conditions, test)
