"""From a resolved connection to a reader of it: its address is judged, then its target is opened."""

from collections.abc import Iterable
from pathlib import Path

from dragoman.contracts.access import DatabaseReader, Target
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.connection import ConnectionSpec, ResolvedConnection, Transport
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.databases.access import open_reader
from dragoman.databases.addresses import Resolver, refuse_address
from dragoman.databases.connections.resolution import resolve
from dragoman.databases.families.registry import family


def open_connection(
    connection: ResolvedConnection, limits: ReadLimits | None = None, resolver: Resolver | None = None
) -> DatabaseReader:
    """A reader of a connection. Raises `AddressRefused` and `HostNotFound`."""
    if connection.transport is not Transport.FILE:
        refuse_address(connection.host, resolver)
    return open_reader(target_of(connection), limits)


def read_all(
    spec: ConnectionSpec,
    folder: Path,
    queries: Iterable[Query],
    limits: ReadLimits,
    cancel: Cancellation | None = None,
    *,
    whole: bool = False,
) -> list[ResultSet]:
    """The results of queries, one after the other over one connection. `whole`: a result that is cut short
    is the last one, since the rest would be of no use. Raises `AccessError`, and what `resolve` raises."""
    results: list[ResultSet] = []
    with open_connection(resolve(spec, folder), limits) as reader:
        for query in queries:
            results.append(reader.read(query, limits, cancel))
            if whole and results[-1].truncated:
                break
    return results


def target_of(connection: ResolvedConnection) -> Target:
    """What access opens."""
    return family(connection.family).target(connection)
