"""From a resolved connection to a reader of it: its address is judged, then its target is opened."""

from pathlib import Path

from dragoman.contracts.query import ReadLimits
from dragoman.contracts.schema import Family
from dragoman.databases.access import (
    DatabaseReader,
    DuckdbTarget,
    FilesTarget,
    MysqlTarget,
    PostgresTarget,
    RestTarget,
    SqliteTarget,
    Target,
    Tls,
    open_reader,
)
from dragoman.databases.addresses import Resolver, refuse_address
from dragoman.databases.connections.families import Transport
from dragoman.databases.connections.spec import ResolvedConnection


def open_connection(
    connection: ResolvedConnection, limits: ReadLimits | None = None, resolver: Resolver | None = None
) -> DatabaseReader:
    """A reader of a connection. Raises `AddressRefused` and `HostNotFound`."""
    if connection.transport is not Transport.FILE:
        refuse_address(connection.host, resolver)
    return open_reader(target_of(connection), limits)


def target_of(connection: ResolvedConnection) -> Target:
    """What access opens."""
    path = connection.path or Path()
    password = connection.password.reveal() if connection.password is not None else ""
    tls = Tls(connection.option("sslmode", Tls.PREFERRED))
    ca = connection.option("sslrootcert")
    match connection.family:
        case Family.SQLITE:
            return SqliteTarget(path)
        case Family.DUCKDB:
            return DuckdbTarget(path)
        case Family.FILES:
            return FilesTarget((path,))
        case Family.MYSQL:
            return MysqlTarget(
                host=connection.host,
                user=connection.user,
                database=connection.database,
                password=password,
                port=connection.port,
                tls=tls,
                ca_file=Path(ca) if ca else None,
            )
        case Family.POSTGRES | Family.SUPABASE:
            schemas = tuple(each.strip() for each in connection.option("schemas", "public").split(","))
            if connection.transport is Transport.REST:
                # A key is sent on every request: never to anybody who has not shown that the name is theirs.
                return RestTarget(f"https://{connection.host}:{connection.port}", password, schemas)
            return PostgresTarget(
                host=connection.host,
                user=connection.user,
                database=connection.database,
                password=password,
                port=connection.port,
                tls=tls,
                ca_file=Path(ca) if ca else None,
                schemas=schemas,
            )
