"""A request as one SELECT: quoted names, bound values, an order that is the same on every engine."""

from typing import NamedTuple

from sqlglot import exp

from dragoman.contracts.query import Query, ResultColumn
from dragoman.contracts.schema import Dialect
from dragoman.databases.sql_text import written
from dragoman.tables.aggregation import gather
from dragoman.tables.bound_values import Binding
from dragoman.tables.computation_sql import is_exact
from dragoman.tables.frame import Frame, Selected, Sorted, group, group_shown, named, result, ties_of
from dragoman.tables.graph import Graph, Link, Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured, ReadRequest
from dragoman.tables.verbs import OPAQUE, TableVerb
from dragoman.tables.visibility import Visibility


class Selection(NamedTuple):
    """A query with its columns; whether they are exact, and what decides between equals."""

    query: Query
    columns: tuple[ResultColumn, ...]
    exact: bool
    ties: str


def select(
    graph: Graph, request: ReadRequest, dialect: Dialect, visibility: Visibility | None = None
) -> Selection:
    """The query of a request, narrowed to what the viewer may see. Raises `PolicyViolation`."""
    binding = Binding(dialect)
    tree, columns, exact, ties = _selected(graph, request, binding)
    if visibility is None:
        return Selection(written(tree, dialect, binding.values), columns, exact, ties)
    return Selection(visibility.written(tree, dialect, binding.values), columns, exact, ties)


def _selected(graph: Graph, request: ReadRequest, binding: Binding) -> Selected:
    # A read whose value another one needs is a query inside of it: policies narrow it with the rest.
    frame = Frame(graph, request, binding, lambda inner: _selected(graph, inner, binding).tree)
    if request.measures:
        return gather(frame, request)
    return _different(frame, request) if request.distinct else _rows(frame, request, graph)


def _rows(frame: Frame, request: ReadRequest, graph: Graph) -> Selected:
    """Rows as they are."""
    shown = [frame.shown(path) for path in request.columns]
    order = [
        Sorted(frame.gathered(each.by), each.descending)
        for each in request.order
        if not isinstance(each.by, Measured)
    ]
    conditions = list[exp.Expr]()
    if request.verb is TableVerb.TOP and request.of is not None:
        order.insert(0, Sorted(frame.gathered(request.of), descending=True))
        # A row without a value has no place among the greatest, and with fewer rows than asked for it would
        # otherwise fill the list.
        conditions.append(exp.Not(this=exp.Is(this=frame.column(request.of), expression=exp.Null())))
    settling = _settling(request.table)
    if request.joined:
        settling += _settling(graph.tables[request.joined[-1].target], request.joined)
    query = frame.start(exp.Select(), conditions)
    settled = [Sorted(frame.gathered(path)) for path in settling]
    query = frame.ranked(query, shown, order, settled)
    columns = tuple(result(path, request.columns) for path in request.columns)
    ties = "" if request.top is None or request.ties else ties_of(settling)
    return Selected(query, columns, _exact(request, frame), ties)


def _settling(table: Table, links: tuple[Link, ...] = ()) -> tuple[ColumnPath, ...]:
    """What decides between rows that are equal so far: a key; or else everything that has an order."""
    required = {c.info.name for c in table.columns.values() if not c.info.nullable}
    keys = [table.info.primary_key, *(key for key in table.info.unique_keys if required.issuperset(key))]
    key = next((key for key in keys if key and all(name in table.by_real_name for name in key)), None)
    # Without a key equal rows are equal in every column that can be ordered, so it does not matter which of
    # them comes first.
    names = key or [c.info.name for c in table.columns.values() if c.type not in OPAQUE]
    return tuple(ColumnPath(links, table.by_real_name[name]) for name in names)


def _different(frame: Frame, request: ReadRequest) -> Selected:
    """Different rows, each once. GROUP BY instead of DISTINCT: it takes the same keys on every engine."""
    keys = [frame.gathered(path) for path in request.columns]
    query = frame.start(exp.Select(), []).select(*named(keys, "g"), copy=False).group_by(*keys, copy=False)
    places = {path: n for n, path in enumerate(request.columns, 1)}
    shown = [group_shown(n, path, frame.dialect) for path, n in places.items()]
    order = [
        Sorted(group("q", places[each.by]), each.descending)
        for each in request.order
        if not isinstance(each.by, Measured)
    ]
    settled = [Sorted(group("q", n)) for n in places.values()]
    columns = tuple(result(path, request.columns) for path in request.columns)
    outer = frame.ranked(exp.Select().from_(query.subquery("q", copy=False)), shown, order, settled)
    ties = "" if request.top is None or request.ties else ties_of(request.columns)
    return Selected(outer, columns, _exact(request, frame), ties)


def _exact(request: ReadRequest, frame: Frame) -> bool:
    return all(is_exact(path, frame.dialect) for path in request.columns)
