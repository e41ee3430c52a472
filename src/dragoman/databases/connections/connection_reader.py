"""From a resolved connection to a reader of it: its address is judged, then its target is opened."""

from dragoman.contracts.access import DatabaseReader, Target
from dragoman.contracts.connection import ResolvedConnection, Transport
from dragoman.contracts.query import ReadLimits
from dragoman.databases.access import open_reader
from dragoman.databases.addresses import Resolver, refuse_address
from dragoman.databases.families.registry import family


def open_connection(
    connection: ResolvedConnection, limits: ReadLimits | None = None, resolver: Resolver | None = None
) -> DatabaseReader:
    """A reader of a connection. Raises `AddressRefused` and `HostNotFound`."""
    if connection.transport is not Transport.FILE:
        refuse_address(connection.host, resolver)
    return open_reader(target_of(connection), limits)


def target_of(connection: ResolvedConnection) -> Target:
    """What access opens."""
    return family(connection.family).target(connection)
