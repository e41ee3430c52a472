"""From a resolved connection to a reader of it: its address is judged, then its target is opened."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.access import DatabaseReader, Target
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.connection import ConnectionSpec, ResolvedConnection, Transport
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.databases.access import open_reader
from dragoman.databases.addresses import Resolver, refuse_address
from dragoman.databases.connections.resolution import resolve
from dragoman.databases.families.registry import family

_Place = tuple[str, Path]
_HELD: Final[ContextVar[dict[_Place, DatabaseReader] | None]] = ContextVar("held readers", default=None)


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
    of_person: bool = False,
) -> list[ResultSet]:
    """The results of queries, one after the other over one connection, all of them within the time of the
    limits. `whole`: a result that is cut short is the last one, since the rest would be of no use.
    `of_person`: a person wrote them. Raises `AccessError`, and what `resolve` raises."""
    results: list[ResultSet] = []
    end = time.monotonic() + limits.seconds
    with _reader(spec, folder, limits) as reader:
        for query in queries:
            left = replace(limits, seconds=max(0.0, end - time.monotonic()))
            results.append(reader.read(query, left, cancel, user_sql=of_person))
            if whole and results[-1].truncated:
                break
    return results


@contextmanager
def kept_open() -> Iterator[None]:
    """What `read_all` opens in this block and thread is opened once, and closed with the block.

    For many small reads in a row: a file is loaded into a database of its own with every opening.
    """
    held: dict[_Place, DatabaseReader] = {}
    token = _HELD.set(held)
    try:
        yield
    finally:
        _HELD.reset(token)
        for reader in held.values():
            reader.close()


@contextmanager
def _reader(spec: ConnectionSpec, folder: Path, limits: ReadLimits) -> Iterator[DatabaseReader]:
    held = _HELD.get()
    if held is None:
        with open_connection(resolve(spec, folder), limits) as reader:
            yield reader
        return
    place = (spec.name, folder)
    if place not in held:
        held[place] = open_connection(resolve(spec, folder), limits)
    try:
        yield held[place]
    except BaseException:
        # What has failed may be of no use any more.
        held.pop(place).close()
        raise


def target_of(connection: ResolvedConnection) -> Target:
    """What access opens."""
    return family(connection.family).target(connection)
