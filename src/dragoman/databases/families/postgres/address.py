"""The address of a PostgreSQL database."""

from pathlib import Path

from dragoman.contracts.record import Record
from dragoman.databases.access.target import Tls, shown


class PostgresAddress(Record, frozen=True):
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
        return shown(type(self).__name__, self.user, self.password, self.host, self.port, self.database)
