"""Rows of one table with what is named of those it points at: orders with the names of customers."""

from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Statement, Text
from dragoman.planning.contract import Asked
from dragoman.planning.pipelines.columns import columns_said
from dragoman.planning.pipelines.filters import Conditions, kept_to
from dragoman.planning.pipelines.names_of_rows import Values
from dragoman.planning.pipelines.pipeline import texts
from dragoman.planning.pipelines.readers import identified
from dragoman.planning.pipelines.request import Request
from dragoman.planning.pipelines.steps import connection_name
from dragoman.planning.pipelines.table_names import Place
from dragoman.tables.graph import Graph, Link, Table


def joined(request: Request, chosen: Sequence[Place], asked: Asked, values: Values) -> Statement | None:
    """The rows of the first table, with the columns that are named of the others; None where it does not
    point at them, or where a word is for somebody else to read."""
    first = chosen[0]
    tables = asked.catalog.tables_of(first.spec)
    if tables is None:
        return None
    main = next((each for each in tables.graph.by_name.values() if each.info == first.table), None)
    if main is None:
        return None
    found = Conditions(request, first, asked, values).read(partly=True)
    covered = set(found.covered) if found is not None else set[int]()
    columns = list(main.columns)
    for other in chosen[1:]:
        link = _link(tables.graph, main, other)
        said = columns_said(request, other.table.columns, other.table.name, postfix=request.postfix)
        if link is None or not said.chosen:
            return None
        covered |= said.covered
        columns += [f"{link.name}/{name}" for name in said.chosen]
    if any(covered.isdisjoint(range(request.items[at].start, request.items[at].end)) for at in request.left):
        return None
    connection = Argument("connection", Text(connection_name(first.spec, asked.catalog)))
    step = Statement(f"{main.name}.list", (connection, Argument("columns", texts(columns))), "")
    if found is None:
        return step
    step = kept_to(step, found, first.table)
    return replace(step, arguments=identified(step.arguments, first, asked.catalog))


def _link(graph: Graph, main: Table, other: Place) -> Link | None:
    """The one key of a table that points at another."""
    place = (other.table.schema, other.table.name)
    found = [link for link in graph.links(main).values() if link.single and link.target == place]
    return found[0] if len(found) == 1 else None
