"""PostgreSQL and MariaDB of the tests' own: real servers in temporary folders, on free loopback ports."""

import os
import secrets
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg

from tests.server_process import LOOPBACK, Account, running, temporary_home
from tools.binaries import MARIADB, POSTGRES, Program, find_program

USER: Final = "dragoman"


class MissingError(Exception):
    """A program is not on this machine; the message says why."""


def locate(program: Program) -> Path:
    """Where ./do said the program is, or where it is found without being told."""
    told = os.environ.get(program.variable)
    found = Path(told) if told else program.find()
    if found is None:
        reason = os.environ.get(f"{program.variable}_MISSING")
        raise MissingError(reason or "it is not installed (./do test installs it)")
    return found


@dataclass(frozen=True)
class PostgresServer:
    """A running PostgreSQL. Its URL is good for other processes too."""

    pid: int
    folder: Path
    port: int
    password: str
    restart: Callable[[float], None] | None = None
    user: str = USER
    host: str = LOOPBACK

    @property
    def url(self) -> str:
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        return f"postgresql://{self.user}:{self.password}@{self.host}:{self.port}/{database}"

    def execute(self, statement: str) -> None:
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(statement.encode())

    @contextmanager
    def database(self) -> Iterator[str]:
        """An empty database for a while; yields its URL."""
        name = _fresh_name()
        self.execute(f"CREATE DATABASE {name}")
        try:
            yield self.url_of(name)
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def running_postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server of one's own. It syncs to disk as a real one does: tests count its syncs."""
    binaries = locate(POSTGRES)
    password = secrets.token_hex(16)
    with temporary_home("postgres", Account.unprivileged("postgres")) as home:
        data = home.folder / "data"
        secret = home.write("password", password)
        home.run([binaries / "initdb", "-D", data, *_initdb_options(secret)])

        def command(port: int) -> Sequence[str | Path]:
            return [binaries / "postgres", "-D", data, *_postgres_options(port)]

        def answers(port: int) -> bool:
            return _postgres_answers(PostgresServer(0, home.folder, port, password).url)

        # SIGINT is PostgreSQL's fast shutdown: it does not wait for its clients to leave.
        with running(home, command, answers, signal.SIGINT) as server:
            yield PostgresServer(server.process.pid, home.folder, server.port, password, server.restart)


def _initdb_options(secret: Path) -> list[str]:
    return [
        f"--username={USER}",
        f"--pwfile={secret}",
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync",
    ]


def _postgres_options(port: int) -> list[str]:
    settings = {
        "listen_addresses": LOOPBACK,
        "port": str(port),
        "unix_socket_directories": "",
        "shared_buffers": "16MB",
        "fsync": "on",
        "timezone": "UTC",
    }
    return [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]


def _postgres_answers(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=2):
            return True
    except psycopg.OperationalError:
        return False


@dataclass(frozen=True)
class MariadbServer:
    """A running MariaDB. Its URL is good for other processes too."""

    pid: int
    folder: Path
    port: int
    password: str
    restart: Callable[[float], None] | None = None
    user: str = USER
    host: str = LOOPBACK

    @property
    def url(self) -> str:
        return self.url_of("mysql")

    def url_of(self, database: str) -> str:
        return f"mysql://{self.user}:{self.password}@{self.host}:{self.port}/{database}"

    def query(self, statements: str, database: str = "") -> list[list[str]]:
        """Run statements with MariaDB's own client; returns the rows of all of them, as text."""
        outcome = subprocess.run(
            [*self._client(), f"--database={database}"],
            input=statements,
            env={**os.environ, "MYSQL_PWD": self.password},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        return [line.split("\t") for line in outcome.stdout.splitlines()]

    def answers(self) -> bool:
        try:
            return self.query("SELECT 1") == [["1"]]
        except subprocess.CalledProcessError:
            return False

    @contextmanager
    def database(self) -> Iterator[str]:
        """An empty database for a while; yields its name."""
        name = _fresh_name()
        self.query(f"CREATE DATABASE {name} CHARACTER SET utf8mb4")
        try:
            yield name
        finally:
            self.query(f"DROP DATABASE {name}")

    def _client(self) -> list[str]:
        return [
            str(find_program("mariadb")),
            "--no-defaults",
            "--protocol=TCP",
            f"--host={self.host}",
            f"--port={self.port}",
            f"--user={self.user}",
            "--default-character-set=utf8mb4",
            "--connect-timeout=5",
            "--batch",
            "--skip-column-names",
        ]


@contextmanager
def running_mariadb() -> Iterator[MariadbServer]:
    """A MariaDB server of one's own, with as little memory as it can do with."""
    program = locate(MARIADB)
    password = secrets.token_hex(16)
    with temporary_home("mariadb", Account.unprivileged("mysql")) as home:
        data = home.folder / "data"
        users = home.write("users.sql", _mariadb_users(password))
        installer = str(find_program("mariadb-install-db"))
        places = [f"--datadir={data}", f"--tmpdir={home.folder}"]
        home.run([installer, "--no-defaults", *places, *INSTALL_OPTIONS])

        def command(port: int) -> Sequence[str | Path]:
            places = [f"--datadir={data}", f"--tmpdir={home.folder}", f"--init-file={users}"]
            return [program, "--no-defaults", *places, f"--port={port}", *MARIADB_OPTIONS]

        def answers(port: int) -> bool:
            return MariadbServer(0, home.folder, port, password).answers()

        with running(home, command, answers, signal.SIGTERM) as server:
            yield MariadbServer(server.process.pid, home.folder, server.port, password, server.restart)


# Both programs are told --no-defaults first of all: the machine's own settings are not the tests'.
INSTALL_OPTIONS: Final = ("--auth-root-authentication-method=normal", "--skip-test-db", "--skip-name-resolve")
MARIADB_OPTIONS: Final = (
    f"--bind-address={LOOPBACK}",
    # Relative to the data folder: the full path may be longer than a socket's name can be.
    "--socket=server.sock",
    "--pid-file=server.pid",
    "--skip-name-resolve",
    "--character-set-server=utf8mb4",
    "--default-time-zone=+00:00",
    "--performance-schema=OFF",
    "--max-connections=50",
    "--table-open-cache=100",
    "--key-buffer-size=1M",
    "--aria-pagecache-buffer-size=8M",
    "--innodb-buffer-pool-size=16M",
    "--innodb-log-file-size=8M",
    "--innodb-log-buffer-size=2M",
)


def _mariadb_users(password: str) -> str:
    """What the server runs before it listens: one user with a password, and none without."""
    return (
        "DELETE FROM mysql.global_priv WHERE User IN ('', 'root');\n"
        "FLUSH PRIVILEGES;\n"
        f"CREATE USER '{USER}'@'{LOOPBACK}' IDENTIFIED BY '{password}';\n"
        f"GRANT ALL ON *.* TO '{USER}'@'{LOOPBACK}' WITH GRANT OPTION;\n"
    )


def _fresh_name() -> str:
    return f"test_{secrets.token_hex(6)}"
