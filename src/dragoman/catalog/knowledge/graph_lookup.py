"""From a statement that asks the graph to its rows. Each link that they rest on is an item of evidence."""

from collections.abc import Iterable, Sequence
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.found import Found
from dragoman.catalog.knowledge.cypher import cypher_columns, proven
from dragoman.catalog.knowledge.graph_contents import TABLE, VERB
from dragoman.catalog.knowledge.graph_store import graph_store
from dragoman.catalog.knowledge.signatures import (
    DIRECTION,
    END,
    GRAPH_FIND,
    KNOWLEDGE,
    NEIGHBOURS,
    OF,
    PATHS,
    SINGLE_SOURCE,
    START,
    TOP,
)
from dragoman.catalog.knowledge.verbs import text_in
from dragoman.contracts.answer import Cell, Column, EvidenceItem
from dragoman.contracts.errors import InternalError
from dragoman.contracts.graph import MOST_FOUND, Direction, GraphEdge, GraphNode, GraphStore
from dragoman.contracts.program import Integer, Statement
from dragoman.contracts.vocabulary import EvidenceSource

_PATHS_SHOWN: Final = 3
_GUESSED: Final = 0.7
"""A link that no key declares."""
_LONGEST: Final = 300

Rows = list[tuple[Cell, ...]]


def asked_of_graph(catalog: Catalog, statement: Statement) -> Found:
    """Raises `GraphError`."""
    match statement.verb:
        case str(verb) if verb == GRAPH_FIND:
            # The guard comes first: what may not run needs no graph.
            query = proven(statement)
            columns, rows = graph_store(catalog).find(query.text)
            named = cypher_columns(statement)
            typed = (
                named
                if len(named) == len(columns)
                else tuple(Column(each, named[0].type) for each in columns)
            )
            return _found(typed, [tuple(map(_text, row)) for row in rows], _of_rows(columns, rows))
        case str(verb) if verb == PATHS:
            return _paths(graph_store(catalog), statement)
        case str(verb) if verb == NEIGHBOURS:
            return _neighbours(graph_store(catalog), statement)
        case _:
            raise InternalError(f"{statement.verb} is no verb of the graph")


def _paths(store: GraphStore, statement: Statement) -> Found:
    start, end = text_in(statement, START), text_in(statement, END)
    found = store.paths(start, end, _most(statement, _PATHS_SHOWN))
    rows: Rows = []
    for path in found:
        walked = _walked(path, start, end)
        said = _path_text(path, walked)
        rows.append((said, _shown(walked[0]), _shown(walked[-1]), len(path), _place(store, *walked)))
    edges = dict.fromkeys(edge for path in found for edge in path)
    return _found(KNOWLEDGE[PATHS].columns, rows, _of_edges(store, edges))


def _neighbours(store: GraphStore, statement: Statement) -> Found:
    of = text_in(statement, OF)
    direction = Direction(text_in(statement, DIRECTION) or Direction.BOTH)
    found = store.neighbours(of, direction, _most(statement, MOST_FOUND))
    rows: Rows = []
    for edge in found:
        outward = edge.start.id == of
        other = edge.end if outward else edge.start
        way = Direction.OUT if outward else Direction.IN
        rows.append((other.name, other.kind, edge.name, way.value, _place(store, edge.start, edge.end)))
    return _found(KNOWLEDGE[NEIGHBOURS].columns, rows, _of_edges(store, found))


def edge_item(store: GraphStore, edge: GraphEdge) -> EvidenceItem:
    """A link as evidence: it stands in the graph as in the database."""
    said = f"{_shown(edge.start)} –{edge.name}→ {_shown(edge.end)}"
    sure = 1.0 if edge.declared else _GUESSED
    place = f"{_place(store, edge.start, edge.end)}#{edge.name}"
    return EvidenceItem(EvidenceSource.GRAPH, place, said, sure)


def _of_edges(store: GraphStore, edges: Iterable[GraphEdge]) -> tuple[EvidenceItem, ...]:
    return tuple(edge_item(store, edge) for edge in edges)


def _of_rows(columns: Sequence[str], rows: Rows) -> tuple[EvidenceItem, ...]:
    return tuple(
        EvidenceItem(EvidenceSource.GRAPH, f"graph/row/{number}", _row_text(columns, row), 1.0)
        for number, row in enumerate(rows[:MOST_FOUND], 1)
    )


def _row_text(columns: Sequence[str], row: Sequence[Cell]) -> str:
    said = ", ".join(f"{name}: {cell}" for name, cell in zip(columns, row, strict=True))
    return said[:_LONGEST]


def _found(columns: tuple[Column, ...], rows: Rows, evidence: tuple[EvidenceItem, ...]) -> Found:
    return Found(
        columns,
        tuple(rows),
        figures=(),
        # The graph was brought up to date before it was asked.
        checked=True,
        truncated=False,
        inferred=(),
        evidence=evidence,
        limits=(SINGLE_SOURCE,) if len(evidence) == 1 else (),
    )


def _most(statement: Statement, usual: int) -> int:
    top = statement.argument(TOP)
    asked = top.value.value if top is not None and isinstance(top.value, Integer) else usual
    return min(asked, MOST_FOUND)


def _walked(path: Sequence[GraphEdge], start: str, end: str) -> list[GraphNode]:
    """The things along a path, from its beginning to its end."""
    first = path[0]
    at = first.start if first.start.id == start or first.end.id not in (start, end) else first.end
    if first.start.id != start and first.end.id == start:
        at = first.end
    if len(path) > 1 and start not in (first.start.id, first.end.id):
        ahead = {path[1].start.id, path[1].end.id}
        at = first.end if first.start.id in ahead else first.start
    walked = [at]
    for edge in path:
        at = edge.end if edge.start.id == at.id else edge.start
        walked.append(at)
    return walked


def _path_text(path: Sequence[GraphEdge], walked: Sequence[GraphNode]) -> str:
    said = _shown(walked[0])
    for edge, at, there in zip(path, walked, walked[1:], strict=False):
        forward = edge.start.id == at.id
        said += f" –{edge.name}→ {_shown(there)}" if forward else f" ←{edge.name}– {_shown(there)}"
    return said


def _shown(node: GraphNode) -> str:
    return node.name if node.kind in (TABLE, VERB) else f"{node.kind} {node.name}"


def _place(store: GraphStore, *nodes: GraphNode) -> str:
    return f"{store.name}/{'/'.join(node.id for node in nodes)}"[:_LONGEST]


def _text(cell: Cell) -> Cell:
    return None if cell is None else str(cell)
