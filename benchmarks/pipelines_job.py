"""What a contender is told: a route, where the servers are, and where its files go."""

from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

import msgspec


class Route(StrEnum):
    MARIADB_PARQUET = "mariadb-parquet"
    MARIADB_CSV = "mariadb-csv"
    POSTGRES_PARQUET = "postgres-parquet"
    MARIADB_POSTGRES = "mariadb-postgres"
    PARQUET_POSTGRES = "parquet-postgres"

    @property
    def heading(self) -> str:
        names = {"mariadb": "MariaDB", "postgres": "PostgreSQL", "parquet": "Parquet", "csv": "CSV"}
        return " → ".join(names[word] for word in self.split("-"))

    @property
    def source(self) -> str:
        return self.split("-")[0]

    @property
    def target(self) -> str:
        return self.split("-")[1]


class Contender(StrEnum):
    DRAGOMAN = "dragoman"
    PANDAS = "pandas"
    DLT = "dlt"
    DLT_PYARROW = "dlt-pyarrow"
    CLIENT = "client"
    CONNECTORX = "connectorx"
    DUCKDB = "duckdb"


class Family(StrEnum):
    MARIADB = "mysql"
    POSTGRES = "postgresql"


class Place(msgspec.Struct, frozen=True):
    """A database on a server of the benchmark's own."""

    family: Family
    program: str
    host: str
    port: int
    user: str
    password: str
    database: str

    def url(self, driver: str = "") -> str:
        scheme = f"{self.family}+{driver}" if driver else self.family
        return f"{scheme}://{self.user}:{self.password}@{self.host}:{self.port}/{self.database}"

    @property
    def attached(self) -> str:
        """The same in the words of DuckDB's scanners."""
        word = "ssl_mode=disabled database" if self.family is Family.MARIADB else "dbname"
        login = f"user={self.user} password={self.password}"
        return f"host={self.host} port={self.port} {login} {word}={self.database}"

    @property
    def client(self) -> list[str]:
        """The server's own client, on the connection that everybody gets: loopback, without encryption."""
        where = [f"--host={self.host}", f"--port={self.port}"]
        if self.family is Family.MARIADB:
            options = [
                "--protocol=TCP",
                "--skip-ssl",
                "--default-character-set=utf8mb4",
                "--quick",
                "--batch",
            ]
            return [self.program, "--no-defaults", *where, f"--user={self.user}", *options, self.database]
        options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
        return [self.program, *where, f"--username={self.user}", f"--dbname={self.database}", *options]

    @property
    def secret(self) -> dict[str, str]:
        return {"MYSQL_PWD" if self.family is Family.MARIADB else "PGPASSWORD": self.password}


class Job(msgspec.Struct, frozen=True):
    contender: Contender
    route: Route
    folder: Path
    """A folder of this run's own; the workspace of ours."""
    table: str
    """The table that is read, where a database is."""
    truth: Path
    """The file that is read, where none is."""
    mariadb: Place
    postgres: Place

    def encoded(self) -> bytes:
        return msgspec.json.encode(self, enc_hook=str)

    @classmethod
    def decoded(cls, data: bytes) -> "Job":
        return msgspec.json.decode(data, type=cls, dec_hook=lambda kind, value: kind(value))

    @property
    def file(self) -> Path:
        return self.folder / f"out.{self.route.target}"

    @property
    def source(self) -> Place:
        return self.mariadb if self.route.source == "mariadb" else self.postgres

    @property
    def query(self) -> str:
        return f"SELECT * FROM {self.table}"


TARGET: Final = "arrived"
"""The table that is written in PostgreSQL."""


class Taken(NamedTuple):
    """What a run took."""

    cpu: float
    wall: float
    peak: int
