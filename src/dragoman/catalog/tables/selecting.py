"""A request as one SELECT: quoted names, bound values, an order that is the same on every engine."""

from itertools import count
from typing import NamedTuple

from sqlglot import exp

from dragoman.catalog.statements import written
from dragoman.catalog.tables import expressions
from dragoman.catalog.tables.binding import Binding
from dragoman.catalog.tables.graph import Graph, Link
from dragoman.catalog.tables.measures import Measure, measure_of
from dragoman.catalog.tables.narrowing import Narrowing, both, source
from dragoman.catalog.tables.paths import ColumnPath
from dragoman.catalog.tables.request import ReadRequest
from dragoman.catalog.tables.sight import Sight
from dragoman.catalog.tables.templates import filled
from dragoman.catalog.tables.verbs import OPAQUE, TableVerb
from dragoman.contracts.query import Query, ResultColumn
from dragoman.contracts.schema import Dialect

RANK = "r"


class Selected(NamedTuple):
    query: Query
    columns: tuple[ResultColumn, ...]
    exact: bool
    ties: str


class Sorted(NamedTuple):
    """An expression to order by. Missing values come last in either direction."""

    tree: exp.Expr
    descending: bool = False


def select(graph: Graph, request: ReadRequest, dialect: Dialect, sight: Sight | None = None) -> Selected:
    """The query of a request, narrowed to what is in sight. Raises `PolicyViolation`."""
    return _Selecting(graph, request, dialect, sight).selected()


class _Selecting:
    """One query while it is being made: its aliases, its joins, its parameters."""

    def __init__(self, graph: Graph, request: ReadRequest, dialect: Dialect, sight: Sight | None) -> None:
        self._graph = graph
        self._sight = sight
        self._request = request
        self._dialect = dialect
        self._binding = Binding(dialect)
        self._numbers = count(1)
        self._narrowing = Narrowing(graph, dialect, self._binding, self._alias)
        self._aliases: dict[tuple[Link, ...], str] = {(): "t0"}
        self._joins: list[exp.Join] = []

    def selected(self) -> Selected:
        request = self._request
        grouped = bool(request.by) or request.verb not in (TableVerb.LIST, TableVerb.TOP)
        if grouped:
            return self._groups(request.by)
        return self._different() if request.distinct else self._rows()

    # Rows as they are.

    def _rows(self) -> Selected:
        request = self._request
        shown = [
            self._column(path) if path.part is None else self._gathered(path) for path in request.columns
        ]
        order = [Sorted(self._gathered(each.path), each.descending) for each in request.order if each.path]
        conditions = list[exp.Expr]()
        if request.verb is TableVerb.TOP and request.of is not None:
            order.insert(0, Sorted(self._gathered(request.of), descending=True))
            conditions.append(exp.Not(this=exp.Is(this=self._column(request.of), expression=exp.Null())))
        said, settling = len(order), self._settling()
        query = self._from(exp.Select(), conditions)
        columns = tuple(_result(path, request.columns) for path in request.columns)
        settled = [Sorted(self._gathered(path)) for path in settling]
        if request.ties:
            query = self._with_ties(query, shown, order[:said], settled)
        else:
            query = query.select(*_named(shown), copy=False)
            query = self._cut(self._sorted(query, [*order, *settled]))
        ties = "" if request.top is None or request.ties else _ties(settling)
        return Selected(self._written(query), columns, True, ties)

    def _settling(self) -> tuple[ColumnPath, ...]:
        """What decides between rows that are equal so far: a key; or else everything that has an order."""
        table = self._request.table
        required = {c.info.name for c in table.columns.values() if not c.info.nullable}
        keys = [table.info.primary_key, *(key for key in table.info.unique_keys if required.issuperset(key))]
        key = next((key for key in keys if key and all(name in table.by_real_name for name in key)), None)
        names = key or [c.info.name for c in table.columns.values() if c.type not in OPAQUE]
        return tuple(ColumnPath((), table.by_real_name[name]) for name in names)

    def _with_ties(
        self, query: exp.Select, shown: list[exp.Expr], order: list[Sorted], settled: list[Sorted]
    ) -> exp.Select:
        """Every row whose rank is among the first, however many share the last of them."""
        kept = [exp.alias_(each.tree.copy(), f"s{n}", quoted=True) for n, each in enumerate(settled, 1)]
        rank = exp.alias_(self._rank(order), RANK, quoted=True)
        inner = query.select(*_named(shown), *kept, rank, copy=False)
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

    # Different rows, each once. GROUP BY instead of DISTINCT: it takes the same keys on every engine.

    def _different(self) -> Selected:
        request = self._request
        keys = [self._gathered(path) for path in request.columns]
        query = (
            self._from(exp.Select(), []).select(*_named(keys, "g"), copy=False).group_by(*keys, copy=False)
        )
        shown = [self._group_shown("q", n, path) for n, path in enumerate(request.columns, 1)]
        places = {path: n for n, path in enumerate(request.columns, 1)}
        order = [
            Sorted(_group("q", places[each.path]), each.descending) for each in request.order if each.path
        ]
        settled = [Sorted(_group("q", n)) for n in places.values()]
        columns = tuple(_result(path, request.columns) for path in request.columns)
        outer = exp.Select().from_(query.subquery("q", copy=False))
        if request.ties:
            outer = self._with_ties(outer, shown, order, settled)
        else:
            outer = self._cut(self._sorted(outer.select(*_named(shown), copy=False), [*order, *settled]))
        ties = "" if request.top is None or request.ties else _ties(request.columns)
        return Selected(self._written(outer), columns, True, ties)

    # Groups with a measure.

    def _groups(self, by: tuple[ColumnPath, ...]) -> Selected:
        request = self._request
        of = request.of
        known = None if of is None else of.column
        measure = measure_of(request.verb, known, self._dialect, distinct=request.distinct)
        over = exp.Star() if of is None else self._measured(of, measure)
        keys = [self._gathered(path) for path in by]
        first = self._level(measure, 0, over)
        query = self._from(exp.Select(), []).select(*_named(keys, "g"), *first, copy=False)
        if keys:
            query = query.group_by(*(key.copy() for key in keys), copy=False)
        for number in range(1, len(measure.levels)):
            carried = [exp.alias_(_group("q", n), f"g{n}", quoted=True) for n in range(1, len(by) + 1)]
            worked_out = self._level(measure, number, None)
            query = exp.select(*carried, *worked_out).from_(query.subquery("q", copy=False))
        return self._shown_groups(query, by, measure)

    def _measured(self, of: ColumnPath, measure: Measure) -> exp.Expr:
        """A column inside of MIN, MAX and DISTINCT is its key; what is added up is itself."""
        adding = self._request.verb in (TableVerb.SUM, TableVerb.AVERAGE, TableVerb.TOP)
        return self._column(of) if adding else self._gathered(of)

    def _level(self, measure: Measure, number: int, over: exp.Expr | None) -> list[exp.Expr]:
        level = measure.levels[number]
        parts: dict[str, exp.Expr] = {n: exp.Literal.number(v) for n, v in measure.numbers.items()}
        digits = measure.numbers.get("places")
        if digits:
            parts["smallest"] = exp.Literal.string(f"0.{'1'.rjust(digits, '0')}")
        if over is not None and not isinstance(over, exp.Star):
            parts["x"] = over
        if number:
            parts |= {name: expressions.column("q", name) for name in measure.levels[number - 1]}
        return [
            exp.alias_(filled(template, self._dialect, **parts), name, quoted=True)
            for name, template in level.items()
        ]

    def _shown_groups(self, query: exp.Select, by: tuple[ColumnPath, ...], measure: Measure) -> Selected:
        request = self._request
        value = expressions.column("q", "value")
        result = (
            value
            if request.of is None or request.verb not in (TableVerb.MIN, TableVerb.MAX)
            else (expressions.shown(value, request.of.type, self._dialect))
        )
        shown = [*(self._group_shown("q", n, path) for n, path in enumerate(by, 1)), result]
        places = {path: n for n, path in enumerate(by, 1)}
        order: list[Sorted] = []
        for each in request.order:
            if each.path is None:
                order.extend(_measured_order(measure, each.descending))
            else:
                order.append(Sorted(_group("q", places[each.path]), each.descending))
        if request.top is not None and not request.order:
            order.extend(_measured_order(measure, descending=True))
        settled = [Sorted(_group("q", n)) for n in places.values()]
        outer = exp.Select().from_(query.subquery("q", copy=False))
        if request.ties:
            outer = self._with_ties(outer, shown, order, settled)
        else:
            outer = self._cut(self._sorted(outer.select(*_named(shown), copy=False), [*order, *settled]))
        columns = (
            *(_result(path, by) for path in by),
            ResultColumn(request.verb.value, measure.type, _native(request, measure)),
        )
        ties = "" if request.top is None or request.ties else _ties(by)
        return Selected(self._written(outer), columns, measure.exact, ties)

    def _group_shown(self, alias: str, number: int, path: ColumnPath) -> exp.Expr:
        tree = _group(alias, number)
        return tree if path.part else expressions.shown(tree, path.type, self._dialect)

    # What all of them share.

    def _alias(self) -> str:
        return f"t{next(self._numbers)}"

    def _column(self, path: ColumnPath) -> exp.Expr:
        return expressions.column(self._joined(path.links), path.column.info.name)

    def _gathered(self, path: ColumnPath) -> exp.Expr:
        return expressions.gathered(self._column(path), path, self._dialect)

    def _joined(self, links: tuple[Link, ...]) -> str:
        """The alias of the table a path ends in. A row without a linked row stays, with nothing there."""
        found = self._aliases.get(links)
        if found is not None:
            return found
        before, link = self._joined(links[:-1]), links[-1]
        alias = self._aliases.setdefault(links, self._alias())
        target = self._graph.tables[link.target]
        on: list[exp.Expr] = [
            exp.EQ(this=expressions.column(alias, far), expression=expressions.column(before, near))
            for near, far in link.pairs
        ]
        table = source(target.info.schema, target.info.name, alias)
        self._joins.append(exp.Join(this=table, side="LEFT", on=both(on)))
        return alias

    def _from(self, query: exp.Select, conditions: list[exp.Expr]) -> exp.Select:
        """The table, what is joined to it, and the conditions."""
        request, table = self._request, self._request.table
        conditions.extend(
            self._narrowing.test(self._column(each.path), each.path.column, each.days)
            for each in request.dated
        )
        conditions.extend(self._narrowing.all("t0", request.conditions))
        query = query.from_(source(table.info.schema, table.info.name, "t0"), copy=False)
        for join in self._joins:
            query.append("joins", join)
        return query.where(both(conditions), copy=False) if conditions else query

    def _sorted(self, query: exp.Select, order: list[Sorted]) -> exp.Select:
        seen = dict[exp.Expr, Sorted]()
        for each in order:
            seen.setdefault(each.tree, each)
        return query.order_by(*(_ordered(each) for each in seen.values()), copy=False) if seen else query

    def _cut(self, query: exp.Select) -> exp.Select:
        most = self._request.top or self._request.limit
        return query if most is None else query.limit(most, copy=False)

    def _written(self, query: exp.Select) -> Query:
        if self._sight is None:
            return written(query, self._dialect, self._binding.values)
        return self._sight.written(query, self._dialect, self._binding.values)


def _ordered(each: Sorted) -> exp.Ordered:
    return exp.Ordered(this=each.tree.copy(), desc=each.descending, nulls_first=False)


def _measured_order(measure: Measure, descending: bool) -> list[Sorted]:
    names = [name for name in ("rank", "rank_low") if name in measure.levels[-1]] or ["value"]
    return [Sorted(expressions.column("q", name), descending) for name in names]


def _named(trees: list[exp.Expr], letter: str = "c") -> list[exp.Expr]:
    """Short names of ours: a real name may be too long for an engine, or stand twice."""
    return [exp.alias_(tree.copy(), f"{letter}{n}", quoted=True) for n, tree in enumerate(trees, 1)]


def _again(trees: list[exp.Expr]) -> list[exp.Expr]:
    return [expressions.column("q", f"c{n}") for n in range(1, len(trees) + 1)]


def _group(alias: str, number: int) -> exp.Expr:
    return expressions.column(alias, f"g{number}")


def _result(path: ColumnPath, among: tuple[ColumnPath, ...]) -> ResultColumn:
    """A column of the result under its real name, or as programs call it where two have the same."""
    alike = sum(each.title == path.title for each in among)
    native = "" if path.part else path.column.info.native
    return ResultColumn(path.title if alike == 1 else path.written, path.type, native)


def _native(request: ReadRequest, measure: Measure) -> str:
    ranked = request.verb in (TableVerb.MIN, TableVerb.MAX) and request.of is not None
    return request.of.column.info.native if ranked and request.of is not None else ""


def _ties(paths: tuple[ColumnPath, ...]) -> str:
    return ", ".join(path.written for path in paths)
