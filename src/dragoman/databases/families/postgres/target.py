"""The address of a PostgreSQL database."""

from pathlib import Path

from dragoman.contracts.access import DatabaseReader, WriteSession
from dragoman.contracts.connection import ResolvedConnection
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.record import Record
from dragoman.databases.access.target import Tls, secret_of, shown, tls_of


class PostgresTarget(Record, frozen=True):
    """PostgreSQL over TCP. `schemas` is where names without a schema are looked for, in this order."""

    host: str
    user: str
    database: str
    password: str = ""
    port: int = 5432
    tls: Tls = Tls.PREFERRED
    ca_file: Path | None = None
    schemas: tuple[str, ...] = ("public",)

    def __repr__(self) -> str:
        return shown("PostgresTarget", self.user, self.password, self.host, self.port, self.database)

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
