"""What every query of a request is put together from: aliases, joins, conditions, an order, a cut."""

from collections.abc import Callable
from itertools import count
from typing import NamedTuple

from sqlglot import exp

from dragoman.contracts.query import ResultColumn
from dragoman.contracts.schema import Dialect
from dragoman.tables import computation_sql, expressions
from dragoman.tables.bound_values import Binding
from dragoman.tables.computation import Computed, Expressed
from dragoman.tables.computation_sql import ComputationSql
from dragoman.tables.condition_sql import ConditionSql, both, source
from dragoman.tables.graph import Graph, Link
from dragoman.tables.link_sql import LinkSql
from dragoman.tables.request import Measured, ReadRequest, Shown

RANK = "r"


class Selected(NamedTuple):
    tree: exp.Select
    columns: tuple[ResultColumn, ...]
    exact: bool
    ties: str


class Sorted(NamedTuple):
    """An expression to order by. Missing values come last in either direction."""

    tree: exp.Expr
    descending: bool = False


class Frame:
    """One query while it is being made: its aliases, its joins, its parameters."""

    def __init__(
        self,
        graph: Graph,
        request: ReadRequest,
        binding: Binding,
        nested: Callable[[ReadRequest], exp.Select],
    ) -> None:
        self._graph = graph
        self._request = request
        self.dialect = binding.dialect
        self._numbers = count(1)
        self.narrowing = ConditionSql(graph, binding.dialect, binding, self._alias, nested)
        self._links = LinkSql(graph, binding.dialect)
        self._computations = ComputationSql(binding.dialect, self.column)
        self._aliases: dict[tuple[Link, ...], str] = {(): "t0"}
        self._joins: list[exp.Join] = []
        if request.joined:
            self._joined(request.joined)

    def _with_ties(
        self, query: exp.Select, shown: list[exp.Expr], order: list[Sorted], settled: list[Sorted]
    ) -> exp.Select:
        """Every row whose rank is among the first, however many share the last of them."""
        kept = [exp.alias_(each.tree.copy(), f"s{n}", quoted=True) for n, each in enumerate(settled, 1)]
        rank = exp.alias_(self._rank(order), RANK, quoted=True)
        inner = query.select(*named(shown), *kept, rank, copy=False)
        outer = exp.select(*_again(shown)).from_(inner.subquery("q", copy=False))
        outer = outer.where(self._ranked(), copy=False)
        last = [
            Sorted(expressions.column("q", f"s{n}"), each.descending) for n, each in enumerate(settled, 1)
        ]
        return self._sorted(outer, [Sorted(expressions.column("q", RANK)), *last])

    def _rank(self, order: list[Sorted]) -> exp.Expr:
        ordered = exp.Order(expressions=[_ordered(each) for each in order])
        return exp.Window(this=exp.Anonymous(this="RANK"), order=ordered)

    def _ranked(self) -> exp.Expr:
        most = exp.Literal.number(self._request.top or 0)
        return exp.LTE(this=expressions.column("q", RANK), expression=most)

    def ranked(
        self, query: exp.Select, shown: list[exp.Expr], order: list[Sorted], settled: list[Sorted]
    ) -> exp.Select:
        """What is shown, in its order, and no more of it than was asked for."""
        if self._request.ties:
            return self._with_ties(query, shown, order, settled)
        return self._cut(self._sorted(query.select(*named(shown), copy=False), [*order, *settled]))

    def _alias(self) -> str:
        return f"t{next(self._numbers)}"

    def column(self, path: Expressed) -> exp.Expr:
        """A column as it is, or what is worked out of columns."""
        if isinstance(path, Computed):
            return self._computations.tree(path)
        return expressions.column(self._joined(path.links), path.column.info.name)

    def gathered(self, path: Expressed) -> exp.Expr:
        """What it is compared, ordered and gathered by."""
        if isinstance(path, Computed):
            return self._computations.tree(path)
        return expressions.gathered(self.column(path), path, self.dialect)

    def shown(self, path: Expressed) -> exp.Expr:
        if isinstance(path, Computed):
            return computation_sql.shown(self.column(path), path, self.dialect)
        return self.column(path) if path.part is None else self.gathered(path)

    def _joined(self, links: tuple[Link, ...]) -> str:
        """The alias of the table a path ends in. A row without a linked row stays, with nothing there, unless
        it was to be joined on purpose."""
        found = self._aliases.get(links)
        if found is not None:
            return found
        before, link = self._joined(links[:-1]), links[-1]
        alias = self._aliases.setdefault(links, self._alias())
        target = self._graph.tables[link.target]
        on = self._links.matched(before, alias, link)
        table = source(target.info.schema, target.info.name, alias)
        # LEFT, so that asking for a column of a linked table does not silently drop the rows without one. A
        # join on purpose means just that.
        inner = self._request.joined[: len(links)] == links
        self._joins.append(exp.Join(this=table, side=None if inner else "LEFT", on=both(on)))
        if inner:
            self.narrowing.beside[before, link] = alias
        return alias

    def start(self, query: exp.Select, conditions: list[exp.Expr]) -> exp.Select:
        """The table, what is joined to it, and the conditions."""
        request, table = self._request, self._request.table
        conditions.extend(
            self.narrowing.test(self.column(each.path), each.path.column, each.days) for each in request.dated
        )
        conditions.extend(self.narrowing.all("t0", request.conditions))
        query = query.from_(source(table.info.schema, table.info.name, "t0"), copy=False)
        for join in self._joins:
            query.append("joins", join)
        return query.where(both(conditions), copy=False) if conditions else query

    def _sorted(self, query: exp.Select, order: list[Sorted]) -> exp.Select:
        # What was asked for and what settles ties often overlap: the first mention decides.
        seen = dict[exp.Expr, Sorted]()
        for each in order:
            seen.setdefault(each.tree, each)
        return query.order_by(*(_ordered(each) for each in seen.values()), copy=False) if seen else query

    def _cut(self, query: exp.Select) -> exp.Select:
        most = self._request.top or self._request.limit
        return query if most is None else query.limit(most, copy=False)


def _ordered(each: Sorted) -> exp.Ordered:
    # Engines disagree on where missing values go, so it is always said.
    return exp.Ordered(this=each.tree.copy(), desc=each.descending, nulls_first=False)


def named(trees: list[exp.Expr], letter: str = "c") -> list[exp.Expr]:
    """Short names of ours: a real name may be too long for an engine, or stand twice."""
    return [exp.alias_(tree.copy(), f"{letter}{n}", quoted=True) for n, tree in enumerate(trees, 1)]


def _again(trees: list[exp.Expr]) -> list[exp.Expr]:
    return [expressions.column("q", f"c{n}") for n in range(1, len(trees) + 1)]


def group(alias: str, number: int) -> exp.Expr:
    return expressions.column(alias, f"g{number}")


def group_shown(number: int, path: Expressed, dialect: Dialect) -> exp.Expr:
    tree = group("q", number)
    return tree if path.part else computation_sql.shown(tree, path, dialect)


def result(path: Expressed, among: tuple[Shown, ...]) -> ResultColumn:
    """A column of the result under its real name, or as programs call it where two have the same."""
    alike = sum(not isinstance(each, Measured) and each.title == path.title for each in among)
    native = "" if path.part else path.column.info.native
    return ResultColumn(path.title if alike == 1 else path.written, path.type, native)


def ties_of(paths: tuple[Expressed, ...]) -> str:
    return ", ".join(path.written for path in paths)
