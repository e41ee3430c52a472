"""A PostgreSQL database that can be opened."""

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.connection import ResolvedConnection
from dragoman.contracts.query import ReadLimits
from dragoman.databases.access.target import secret_of, tls_of
from dragoman.databases.families.postgres.address import PostgresAddress


class PostgresTarget(PostgresAddress, frozen=True):
    def reader(self, limits: ReadLimits) -> DatabaseReader:
        from dragoman.databases.families.postgres.postgres_reader import PostgresReader

        return PostgresReader(self, limits)

    def session(self) -> WriteSession:
        from dragoman.databases.families.postgres.write_session import PostgresSession

        return PostgresSession(self)


def schemas_of(connection: ResolvedConnection) -> tuple[str, ...]:
    return tuple(each.strip() for each in connection.option("schemas", "public").split(","))


def server_target(connection: ResolvedConnection) -> PostgresTarget:
    tls, authorities = tls_of(connection)
    return PostgresTarget(
        host=connection.host,
        user=connection.user,
        database=connection.database,
        password=secret_of(connection),
        port=connection.port,
        tls=tls,
        ca_file=authorities,
        schemas=schemas_of(connection),
    )
