"""What the embedded graph is filled with: tables and their keys, rows within limits, verbs of packs.

Everything is as the viewer may see it, since the graph is asked without looking at policies again."""

import re
from collections.abc import Iterator
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.cells import plain_cell
from dragoman.catalog.reads import read_for
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.graph import GraphContents, GraphEdge, GraphNode
from dragoman.contracts.program import Argument, Integer, Sequence, Statement, Text
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.schema import ForeignKey, ValueType
from dragoman.contracts.verb import Effect
from dragoman.databases.connections import read_all
from dragoman.tables.graph import Graph, Table, TableKey

MOST_OF_TABLE: Final = 2_000
MOST_ROWS: Final = 20_000
MOST_TABLES_OF_ROWS: Final = 100
_SECONDS: Final = 5.0
_BYTES: Final = 16_000_000
TABLE: Final = "table"
VERB: Final = "verb"
READS: Final = "reads"
_NAMES: Final = ("name", "title", "full_name", "label", "display_name", "description")
_READ: Final = re.compile(r"\b(?:from|join)\s+[\"`\[]?(?:\w+[\"`\]]?\.[\"`\[]?)?(\w+)", re.IGNORECASE)

Tables = dict[TableKey, tuple[Table, GraphNode]]


def graph_contents(catalog: Catalog) -> GraphContents:
    nodes: dict[str, GraphNode] = {}
    edges: list[GraphEdge] = []
    room = MOST_ROWS
    for spec in catalog.in_order():
        tables = _tables(catalog, spec, nodes)
        edges += _keys(tables)
        edges += _verbs(catalog, spec, tables, nodes)
        room = _rows(catalog, spec, tables, nodes, edges, room)
    return GraphContents(tuple(nodes.values()), tuple(edges))


def _tables(catalog: Catalog, spec: ConnectionSpec, nodes: dict[str, GraphNode]) -> Tables:
    """The tables that the viewer may see, under the names that programs have for them. Where two databases
    have one name, that of the later one has its connection before it."""
    own, schema = catalog.tables_of(spec), catalog.visible_schema(spec)
    if own is None or schema is None:
        return {}
    found: Tables = {}
    for key, table in Graph(schema).tables.items():
        named = own.graph.tables.get(key)
        if named is None:
            continue
        name = named.name if named.name not in nodes else f"{spec.alias}/{named.name}"
        nodes[name] = node = GraphNode(name, TABLE, name)
        found[key] = (table, node)
    return found


def _keys(tables: Tables) -> Iterator[GraphEdge]:
    for table, node in tables.values():
        for key in table.info.foreign_keys:
            target = _target(key, table, tables)
            if target is not None:
                name = " and ".join(key.columns)
                yield GraphEdge(node, name, target[1], declared=key.declared or key.certain)


def _target(key: ForeignKey, table: Table, tables: Tables) -> tuple[Table, GraphNode] | None:
    # A key over a hidden column says what the viewer may not know.
    if not all(name in table.by_real_name for name in key.columns):
        return None
    return tables.get((key.schema, key.table)) or tables.get((table.info.schema, key.table))


def _verbs(
    catalog: Catalog, spec: ConnectionSpec, tables: Tables, nodes: dict[str, GraphNode]
) -> Iterator[GraphEdge]:
    """The verbs of packs depend on the tables that their SQL reads."""
    by_name = {table.info.name.casefold(): node for table, node in tables.values()}
    for pack in catalog.packs.packs:
        if catalog.connection_of(pack) != spec:
            continue
        for name, verb in pack.verbs.items():
            if verb.effect is Effect.WRITE or name in nodes:
                continue
            nodes[name] = node = GraphNode(name, VERB, name)
            read = dict.fromkeys(each.casefold() for each in _READ.findall(verb.sql))
            yield from (GraphEdge(node, READS, by_name[each]) for each in read if each in by_name)


def _rows(
    catalog: Catalog,
    spec: ConnectionSpec,
    tables: Tables,
    nodes: dict[str, GraphNode],
    edges: list[GraphEdge],
    room: int,
) -> int:
    """Rows with one key, linked along keys of one column. A table that cannot be read in time has no rows."""
    pending: list[tuple[GraphNode, str, str]] = []
    for table, node in list(tables.values())[:MOST_TABLES_OF_ROWS]:
        key = table.info.primary_key
        if room <= 0 or len(key) != 1 or key[0] not in table.by_real_name:
            continue
        name = _name_column(table)
        links = [
            (each.columns[0], target[1].id)
            for each in table.info.foreign_keys
            if len(each.columns) == 1
            and (target := _target(each, table, tables)) is not None
            and target[0].info.primary_key == each.target_columns
        ]
        shown = list(dict.fromkeys((key[0], name, *(column for column, _ in links))))
        for row in _read(catalog, spec, node, table, shown, min(room, MOST_OF_TABLE)):
            cells = dict(zip(shown, row, strict=True))
            own = GraphNode(f"{node.id}:{cells[key[0]]}", node.id, str(cells[name] or cells[key[0]]))
            nodes[own.id] = own
            room -= 1
            pending += [
                (own, column, f"{target}:{cells[column]}")
                for column, target in links
                if cells[column] is not None
            ]
    edges += [GraphEdge(own, column, nodes[there]) for own, column, there in pending if there in nodes]
    return room


def _read(
    catalog: Catalog, spec: ConnectionSpec, node: GraphNode, table: Table, columns: list[str], most: int
) -> tuple[tuple[object, ...], ...]:
    named = catalog.tables_of(spec)
    if named is None:
        return ()
    own = named.graph.tables[table.key]
    shown = tuple(Text(own.by_real_name[each].name) for each in columns)
    arguments = (
        Argument("columns", Sequence(shown)),
        Argument("limit", Integer(most)),
        Argument("connection", Text(f"@{spec.alias}")),
    )
    limits = ReadLimits(rows=most, seconds=_SECONDS, result_bytes=_BYTES)
    try:
        # Not the one lookup: that asks what is known beside the data, and so this graph too.
        read = read_for(catalog, Statement(f"{own.name}.list", arguments))
        (result,) = read_all(read.spec, catalog.folder, (read.query,), limits)
        return tuple(tuple(map(plain_cell, row)) for row in result.rows)
    except DragomanError:
        return ()


def _name_column(table: Table) -> str:
    """What a row is called by: a name, or the first text that is no key; else the key."""
    foreign = {name for key in table.info.foreign_keys for name in key.columns}
    texts = [
        each.name
        for each in table.info.columns
        if each.type is ValueType.TEXT and each.name not in foreign and each.name in table.by_real_name
    ]
    for wanted in _NAMES:
        found = next((each for each in texts if each.casefold() == wanted), None)
        if found is not None:
            return found
    named = next((each for each in texts if each.casefold().endswith("name")), None)
    return named or next(iter(texts), table.info.primary_key[0])
