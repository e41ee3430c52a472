"""Metrics over tables: what is added up, as programs write it."""

from collections.abc import Iterator

from dragoman.contracts.pack import Pack, PackMetric
from dragoman.contracts.program import Argument, Map, Statement, Text, Value
from dragoman.contracts.schema import DatabaseSchema
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.packs.marks import Mark
from dragoman.tables.catalog import TableCatalog
from dragoman.tables.graph import Graph, Table
from dragoman.tables.verbs import Word


def figure_of(metric: PackMetric) -> Value | None:
    """What a metric adds up, as a value of a program; None where it is none."""
    read = read_verbs(Source(f"(x.y :v {metric.of})"))
    if read.diagnostics or len(read.statements) != 1 or len(read.statements[0].arguments) != 1:
        return None
    value = read.statements[0].arguments[0].value
    return value if isinstance(value, Text | Map) else None


def wrong_figures(pack: Pack, schema: DatabaseSchema) -> Iterator[Mark]:
    """The metrics over tables that a database cannot give."""
    told = [(name, each) for name, each in pack.metrics.items() if each.of and figure_of(each) is not None]
    if not told:
        return
    graph, catalog = Graph(schema), TableCatalog(schema)
    for name, metric in told:
        table = table_called(graph, metric.table)
        if table is None:
            message = f"the database has no table {metric.table}"
            yield Mark("unknown_table", message, "name it as the database does", ("metrics", name, "table"))
            continue
        value = figure_of(metric)
        statement = Statement(f"{table.name}.sum", (Argument(Word.OF, value),)) if value else None
        for finding in catalog.findings_of([statement])[0][:1] if statement else ():
            yield Mark("wrong_metric", finding.message, finding.hint, ("metrics", name, "of"))


def table_called(graph: Graph, name: str) -> Table | None:
    """The table that a pack calls by its name: with its schema, or without where one alone has it."""
    tables = graph.tables.values()
    exact = [each for each in tables if ".".join(part for part in each.key if part) == name]
    found = exact or [each for each in tables if each.info.name == name]
    return found[0] if len(found) == 1 else None
