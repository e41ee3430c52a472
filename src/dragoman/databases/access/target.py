"""What a reader opens: the resolved address of a source. None of these shows its password."""

from enum import StrEnum
from pathlib import Path

from dragoman.contracts.record import Record

HIDDEN = "…"


class Tls(StrEnum):
    """How far a connection insists on encryption. The values are the names PostgreSQL has for them."""

    OFF = "disable"
    PREFERRED = "prefer"
    REQUIRED = "require"
    """Encrypted, whoever the server is."""
    VERIFIED_CA = "verify-ca"
    VERIFIED = "verify-full"
    """Encrypted, and the server has shown that the name is its own."""


class SqliteTarget(Record, frozen=True):
    path: Path


class DuckdbTarget(Record, frozen=True):
    path: Path


class FilesTarget(Record, frozen=True):
    """A folder, whose files each become a table, or single files. CSV, Parquet and JSON."""

    paths: tuple[Path, ...]


class MysqlTarget(Record, frozen=True):
    """MariaDB or MySQL over TCP."""

    host: str
    user: str
    database: str
    password: str = ""
    port: int = 3306
    tls: Tls = Tls.PREFERRED
    ca_file: Path | None = None

    def __repr__(self) -> str:
        return _shown("MysqlTarget", self.user, self.password, self.host, self.port, self.database)


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
        return _shown("PostgresTarget", self.user, self.password, self.host, self.port, self.database)


class RestTarget(Record, frozen=True):
    """A project that is only asked over REST, as PostgREST speaks it. `schemas` as in PostgreSQL: the first
    is the default one."""

    base_url: str
    key: str = ""
    schemas: tuple[str, ...] = ("public",)

    def __repr__(self) -> str:
        return f"RestTarget({self.base_url}{f', key={HIDDEN}' if self.key else ''})"


Target = SqliteTarget | DuckdbTarget | FilesTarget | MysqlTarget | PostgresTarget | RestTarget


def _shown(kind: str, user: str, password: str, host: str, port: int, database: str) -> str:
    secret = f":{HIDDEN}" if password else ""
    return f"{kind}({user}{secret}@{host}:{port}/{database})"
