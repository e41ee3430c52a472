"""The embedded graph: one file of ladybug in the workspace, built at once and only read from then on.

`Thing` is a node, `LINKS` a relationship. A graph is built beside its file and moved there whole; it is
opened read-only, so that whatever a query is, it changes nothing.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from dragoman.contracts.answer import Cell
from dragoman.contracts.errors import GraphQueryFailed, GraphTimeout, GraphUnavailable
from dragoman.contracts.graph import LONGEST_PATH, Direction, GraphContents, GraphEdge, GraphNode
from dragoman.graph.cells import cell

INSTALL: Final = "pip install 'dragoman[graph]'"
_BUFFER: Final = 64 * 1024 * 1024
_LARGEST: Final = 1024 * 1024 * 1024
_MILLISECONDS: Final = 10_000
_BATCH: Final = 2_000
_THREADS: Final = 1
_SCHEMA: Final = (
    "CREATE NODE TABLE Thing(id STRING PRIMARY KEY, kind STRING, name STRING, folded STRING)",
    "CREATE REL TABLE LINKS(FROM Thing TO Thing, name STRING, declared BOOLEAN)",
)
_NODES: Final = "UNWIND $rows AS r CREATE (:Thing {id: r.id, kind: r.kind, name: r.name, folded: r.folded})"
_EDGES: Final = (
    "UNWIND $rows AS r MATCH (a:Thing {id: r.one}), (b:Thing {id: r.other})"
    " CREATE (a)-[:LINKS {name: r.name, declared: r.declared}]->(b)"
)


class EmbeddedGraph:
    """The graph in a file that was built before. Fulfils the protocol `GraphStore`."""

    name = "graph"

    def __init__(self, file: Path) -> None:
        self._file = file

    def paths(self, start: str, end: str, most: int) -> Sequence[tuple[GraphEdge, ...]]:
        rows = self._asked(
            f"MATCH p = (a:Thing {{id: $one}})-[e:LINKS* ALL SHORTEST 1..{LONGEST_PATH}]-"
            f"(b:Thing {{id: $other}}) RETURN nodes(p), rels(p) LIMIT {int(most)}",
            {"one": start, "other": end},
        )
        return [_path(nodes, edges) for nodes, edges in rows]

    def neighbours(self, of: str, direction: Direction, most: int) -> Sequence[GraphEdge]:
        found: list[GraphEdge] = []
        ways = {
            Direction.OUT: "(a:Thing {id: $id})-[e:LINKS]->(b:Thing)",
            Direction.IN: "(a:Thing)-[e:LINKS]->(b:Thing {id: $id})",
        }
        for each, pattern in ways.items():
            if direction in (each, Direction.BOTH):
                query = f"MATCH {pattern} RETURN a, e, b ORDER BY a.id, e.name, b.id LIMIT {int(most)}"
                found += [_edge(a, e, b) for a, e, b in self._asked(query, {"id": of})]
        return found[:most]

    def named(self, names: Sequence[str]) -> Mapping[str, tuple[GraphNode, ...]]:
        wanted = {each.casefold(): each for each in names}
        query = "MATCH (n:Thing) WHERE n.folded IN $names RETURN n ORDER BY n.id LIMIT 200"
        found: dict[str, tuple[GraphNode, ...]] = {}
        for (node,) in self._asked(query, {"names": list(wanted)}) if wanted else ():
            name = wanted[str(node["folded"])]
            found[name] = (*found.get(name, ()), _node(node))
        return found

    def find(self, query: str) -> tuple[tuple[str, ...], list[tuple[Cell, ...]]]:
        with self._opened() as connection:
            result = _executed(connection, query, {})
            columns = tuple(result.get_column_names())
            return columns, [tuple(map(cell, row)) for row in result.get_all()]

    def _asked(self, query: str, parameters: dict[str, Any]) -> list[list[Any]]:
        with self._opened() as connection:
            rows: list[list[Any]] = _executed(connection, query, parameters).get_all()
            return rows

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        ladybug = packaged()
        try:
            database = ladybug.Database(
                self._file, read_only=True, buffer_pool_size=_BUFFER, max_db_size=_LARGEST
            )
        except (RuntimeError, OSError) as error:
            raise GraphQueryFailed("the graph cannot be opened", hint="remove .dragoman/graph") from error
        connection = ladybug.Connection(database, num_threads=_THREADS)
        try:
            connection.set_query_timeout(_MILLISECONDS)
            yield connection
        finally:
            connection.close()
            database.close()


def packaged() -> Any:
    """The package of the embedded graph. Raises `GraphUnavailable` where it is not installed."""
    try:
        import ladybug
    except ImportError as error:
        raise GraphUnavailable("the embedded graph is not installed", hint=INSTALL) from error
    return ladybug


def build(contents: GraphContents, file: Path) -> None:
    """Write a graph to a file, whole or not at all."""
    ladybug = packaged()
    file.parent.mkdir(parents=True, exist_ok=True)
    place = Path(tempfile.mkdtemp(prefix=".graph-", dir=file.parent))
    try:
        database = ladybug.Database(place / file.name, buffer_pool_size=_BUFFER, max_db_size=_LARGEST)
        connection = ladybug.Connection(database, num_threads=_THREADS)
        try:
            for statement in _SCHEMA:
                _executed(connection, statement, {})
            _filled(connection, contents)
            _executed(connection, "CHECKPOINT", {})
        finally:
            connection.close()
            database.close()
        os.replace(place / file.name, file)
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(place)


def _filled(connection: Any, contents: GraphContents) -> None:
    nodes = [
        {"id": each.id, "kind": each.kind, "name": each.name, "folded": each.name.casefold()}
        for each in contents.nodes
    ]
    edges = [
        {"one": each.start.id, "other": each.end.id, "name": each.name, "declared": each.declared}
        for each in contents.edges
    ]
    for query, rows in ((_NODES, nodes), (_EDGES, edges)):
        for at in range(0, len(rows), _BATCH):
            _executed(connection, query, {"rows": rows[at : at + _BATCH]})


def _executed(connection: Any, query: str, parameters: dict[str, Any]) -> Any:
    try:
        return connection.execute(query, parameters)
    except RuntimeError as error:
        said = str(error).splitlines()[0] if str(error) else "the graph gave no reason"
        if "interrupt" in said.casefold() or "timeout" in said.casefold():
            raise GraphTimeout("the graph took too long", hint="ask for less of it") from error
        raise GraphQueryFailed(f"the graph cannot answer: {said}", hint="check names and types") from error


def _node(node: Mapping[str, Any]) -> GraphNode:
    return GraphNode(str(node["id"]), str(node["kind"]), str(node["name"]))


def _edge(start: Mapping[str, Any], edge: Mapping[str, Any], end: Mapping[str, Any]) -> GraphEdge:
    return GraphEdge(_node(start), str(edge["name"]), _node(end), declared=bool(edge["declared"]))


def _path(nodes: Sequence[Mapping[str, Any]], edges: Sequence[Mapping[str, Any]]) -> tuple[GraphEdge, ...]:
    by_place = {_place(node["_ID"]): node for node in nodes}
    return tuple(
        _edge(by_place[_place(edge["_SRC"])], edge, by_place[_place(edge["_DST"])]) for edge in edges
    )


def _place(identity: Mapping[str, int]) -> tuple[int, int]:
    return identity["table"], identity["offset"]
