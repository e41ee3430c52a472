"""A graph behind a Bolt server, asked through the official `neo4j` driver.

Everything runs in a transaction that only reads, with a time limit."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from dragoman.contracts.answer import Cell
from dragoman.contracts.errors import (
    GraphQueryFailed,
    GraphTimeout,
    GraphUnavailable,
    GraphUnreachable,
)
from dragoman.contracts.graph import LONGEST_PATH, Direction, GraphEdge, GraphNode, GraphSettings
from dragoman.graph.cells import cell

INSTALL: Final = "pip install 'dragoman[graph]'"
MOST_ROWS: Final = 1_000
_NAMES: Final = ("name", "title", "label", "id", "key", "code")
"""The properties that a thing is called by, the first that it has."""
_THING: Final = (
    "($label IN labels({0}) AND ($value IS NULL OR any(k IN keys({0}) WHERE toString({0}[k]) = $value)))"
)


class BoltGraph:
    """Things are `Label` or `Label:value`, where the value is that of any property. Fulfils `GraphStore`."""

    def __init__(self, settings: GraphSettings, password: str) -> None:
        self._settings = settings
        self._password = password
        self.name = "neo4j"

    def paths(self, start: str, end: str, most: int) -> Sequence[tuple[GraphEdge, ...]]:
        query = (
            f"MATCH (a), (b) WHERE {_thing('a', 'start')} AND {_thing('b', 'end')} AND a <> b"
            f" MATCH p = allShortestPaths((a)-[*..{LONGEST_PATH}]-(b))"
            f" RETURN p ORDER BY length(p) LIMIT {int(most)}"
        )
        rows = self._read(query, {**_asked("start", start), **_asked("end", end)})
        return [tuple(_edge(each) for each in path.relationships) for (path,) in rows]

    def neighbours(self, of: str, direction: Direction, most: int) -> Sequence[GraphEdge]:
        pattern = {
            Direction.OUT: "(a)-[e]->(b)",
            Direction.IN: "(a)<-[e]-(b)",
            Direction.BOTH: "(a)-[e]-(b)",
        }[direction]
        query = f"MATCH {pattern} WHERE {_thing('a', 'of')} RETURN DISTINCT e LIMIT {int(most)}"
        return [_edge(edge) for (edge,) in self._read(query, _asked("of", of))]

    def named(self, names: Sequence[str]) -> Mapping[str, tuple[GraphNode, ...]]:
        wanted = {each.casefold(): each for each in names}
        called = " OR ".join(f"toLower(toString(n.{name})) IN $names" for name in _NAMES[:3])
        rows = self._read(f"MATCH (n) WHERE {called} RETURN n LIMIT 200", {"names": list(wanted)})
        found: dict[str, tuple[GraphNode, ...]] = {}
        for (node,) in rows:
            read = _node(node)
            name = wanted.get(read.name.casefold())
            if name is not None:
                found[name] = (*found.get(name, ()), read)
        return found

    def find(self, query: str) -> tuple[tuple[str, ...], list[tuple[Cell, ...]]]:
        with self._session() as (neo4j, session):
            keys, rows = session.execute_read(
                neo4j.unit_of_work(timeout=self._settings.seconds)(_keyed), query
            )
            return tuple(keys), [tuple(map(_cell, row)) for row in rows]

    def _read(self, query: str, parameters: dict[str, Any]) -> list[list[Any]]:
        with self._session() as (neo4j, session):
            work = neo4j.unit_of_work(timeout=self._settings.seconds)(_values)
            rows: list[list[Any]] = session.execute_read(work, query, parameters)
            return rows

    @contextmanager
    def _session(self) -> Iterator[tuple[Any, Any]]:
        neo4j = _packaged()
        own, seconds = self._settings, self._settings.seconds
        auth = (own.user, self._password) if own.user else None
        try:
            with (
                neo4j.GraphDatabase.driver(
                    own.uri,
                    auth=auth,
                    connection_timeout=seconds,
                    connection_acquisition_timeout=seconds,
                    max_transaction_retry_time=0,
                    max_connection_pool_size=1,
                    telemetry_disabled=True,
                    user_agent="dragoman",
                ) as driver,
                driver.session(
                    database=own.database or None, default_access_mode=neo4j.READ_ACCESS
                ) as session,
            ):
                yield neo4j, session
        except neo4j.exceptions.AuthError as error:
            hint = "check user and password under graph in dragoman.yaml"
            raise GraphUnreachable("the graph server refuses the user", hint=hint) from error
        except (neo4j.exceptions.ServiceUnavailable, neo4j.exceptions.SessionExpired, OSError) as error:
            hint = "check uri under graph in dragoman.yaml, and whether the server runs"
            raise GraphUnreachable("the graph server cannot be reached", hint=hint) from error
        except neo4j.exceptions.Neo4jError as error:
            code = str(error.code or "")
            if "TransactionTimedOut" in code:
                raise GraphTimeout("the graph took too long", hint="ask for less of it") from error
            raise GraphQueryFailed(f"the graph cannot answer ({code})", hint="check the names") from error
        except (neo4j.exceptions.DriverError, ValueError) as error:
            hint = "check uri under graph in dragoman.yaml"
            raise GraphUnreachable(f"no graph server: {type(error).__name__}", hint=hint) from error


def _packaged() -> Any:
    try:
        import neo4j
    except ImportError as error:
        raise GraphUnavailable("the driver for Bolt servers is not installed", hint=INSTALL) from error
    return neo4j


def _values(transaction: Any, query: str, parameters: dict[str, Any]) -> list[list[Any]]:
    return [list(record.values()) for record in transaction.run(query, parameters).fetch(MOST_ROWS)]


def _keyed(transaction: Any, query: str) -> tuple[list[str], list[list[Any]]]:
    result = transaction.run(query)
    return list(result.keys()), [list(record.values()) for record in result.fetch(MOST_ROWS)]


def _thing(variable: str, name: str) -> str:
    return _THING.format(variable).replace("$label", f"${name}_label").replace("$value", f"${name}_value")


def _asked(name: str, reference: str) -> dict[str, str | None]:
    label, _, value = reference.partition(":")
    return {f"{name}_label": label, f"{name}_value": value or None}


def _node(node: Any) -> GraphNode:
    label = next(iter(sorted(node.labels)), "")
    called = next((str(node[name]) for name in _NAMES if node.get(name) is not None), node.element_id)
    return GraphNode(f"{label}:{called}", label, called)


def _edge(edge: Any) -> GraphEdge:
    return GraphEdge(_node(edge.start_node), str(edge.type), _node(edge.end_node))


def _cell(value: Any) -> Cell:
    """Nodes, relationships and paths by what they are called."""
    if hasattr(value, "labels"):
        return cell({"labels": sorted(value.labels), **dict(value.items())})
    if hasattr(value, "relationships"):
        return " ".join(f"{each.start_node.element_id}-{each.type}" for each in value.relationships)
    if hasattr(value, "type") and hasattr(value, "start_node"):
        return cell({"type": value.type, **dict(value.items())})
    return cell(value)
