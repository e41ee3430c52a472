"""Queries that would go on for ever, on each of the four engines, and whether one of them still does."""

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb
import psycopg
import pytest

from tests.engine.workspaces import make_workspace
from tests.patience import cpu_seconds, until

ENGINES: Final = ("postgres", "mariadb", "sqlite", "duckdb")
_VERBS: Final = {"mariadb": "mysql"}

_ROWS: Final = 2_000
_CROSSED: Final = "SELECT count(*) AS n FROM t a, t b, t c, t d, t e, t f"
_RECURSION: Final = (
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) AS n FROM r"
)

BOMBS: Final[Mapping[str, Mapping[str, str]]] = {
    "postgres": {
        "series": "SELECT count(*) AS n FROM generate_series(1, 100000000000) AS s(n)",
        "rows": "SELECT n FROM generate_series(1, 100000000000) AS s(n)",
        "recursion": _RECURSION,
        "cross join": _CROSSED,
    },
    "mariadb": {
        "series": "SELECT count(*) AS n FROM t a, t b, t c, t d WHERE a.n + b.n * c.n <> d.n",
        "rows": "SELECT a.n FROM t a, t b, t c, t d, t e, t f",
        "cross join": _CROSSED,
    },
    "sqlite": {
        "one step": "SELECT instr(printf('%.*c', 15000000, 'a'), printf('%.*c', 100000, 'a') || 'b') AS n",
        "rows": "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
        "recursion": _RECURSION,
        "cross join": _CROSSED,
    },
    "duckdb": {
        "range": "SELECT count(*) AS n FROM range(100000000000) a, range(100000000000) b"
        " WHERE a.range < b.range",
        "rows": "SELECT range AS n FROM range(100000000000)",
        "recursion": _RECURSION,
        "cross join": "SELECT count(*) AS n FROM t a, t b, t c, t d, t e, t f WHERE a.n + b.n > c.n + f.n",
    },
}
"""MariaDB ends a recursion by itself, and says so: that is a warning which is an error."""


@dataclass(frozen=True)
class Endless:
    """One engine, with a workspace over it; `running` counts queries that a server works on."""

    engine: str
    folder: Path
    running: Callable[[], int] | None = None

    @property
    def extractor(self) -> str:
        return f"{_VERBS.get(self.engine, self.engine)}.extractor"

    def write(self, bomb: str, *, writes: bool = False) -> str:
        """The name of a file with a program that runs one."""
        sql = BOMBS[self.engine][bomb]
        lines = [f'({self.extractor} :connection "@db" :query "{sql}" :as @read)']
        if writes:
            lines.append('(duckdb.writer :needs [@read] :format "parquet" :path "out/n.parquet" :as @file)')
        (self.folder / "endless.verbs").write_text("\n".join(lines))
        return "endless.verbs"

    def computes(self, pid: int) -> bool:
        """Whether the query of a command is at work: on its server, or in a process of the command."""
        if self.running is not None:
            return self.running() > 0
        return any(cpu_seconds(child) > 2.0 for child in descendants(pid))

    def rests(self, workers: list[int]) -> None:
        """Wait until nothing of it is at work any more."""
        if self.running is not None:
            until(lambda: not self.running or self.running() == 0, "the server works on")
        until(lambda: not any(alive(worker) for worker in workers), "a process of the command is left")


def endless(engine: str, folder: Path, request: pytest.FixtureRequest) -> Endless:
    match engine:
        case "postgres":
            url = request.getfixturevalue("postgres_database")
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"CREATE TABLE t AS SELECT n FROM generate_series(1, {_ROWS}) n".encode())

            def at_work() -> int:
                with psycopg.connect(url, autocommit=True) as line:
                    found = line.execute(
                        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active'"
                        " AND datname = current_database() AND application_name LIKE 'dragoman %'"
                        " AND now() - query_start > interval '0.3 s'"
                    ).fetchone()
                return int(found[0]) if found else 0

            make_workspace(folder, {"db": url}, {})
            return Endless(engine, folder, at_work)
        case "mariadb":
            server = request.getfixturevalue("mariadb_server")
            database = request.getfixturevalue("mariadb_database")
            server.query(f"CREATE TABLE t (n INT); INSERT INTO t SELECT seq FROM seq_1_to_{_ROWS};", database)

            def working() -> int:
                found = server.query(
                    "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE '%dragoman %'"
                    f" AND db = '{database}' AND time_ms > 300 AND id <> CONNECTION_ID()"
                )
                return int(found[0][0])

            make_workspace(folder, {"db": server.url_of(database)}, {})
            return Endless(engine, folder, working)
        case "sqlite":
            path = folder / "data.sqlite"
            with sqlite3.connect(path) as line:
                line.execute("CREATE TABLE t (n INTEGER)")
                line.executemany("INSERT INTO t VALUES (?)", ((n,) for n in range(_ROWS)))
            line.close()
            make_workspace(folder, {"db": f"sqlite:///{path}"}, {})
        case _:
            path = folder / "data.duckdb"
            with duckdb.connect(str(path)) as made:
                made.execute(f"CREATE TABLE t AS SELECT range AS n FROM range({_ROWS})")
            make_workspace(folder, {"db": f"duckdb:///{path}"}, {})
    return Endless(engine, folder)


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that they have."""
    found: list[int] = []
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(word) for task in tasks for word in (task / "children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        return []
    for child in children:
        found += [child, *descendants(child)]
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
