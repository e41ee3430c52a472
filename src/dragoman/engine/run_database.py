"""The database of a run: one DuckDB through which what flows can be joined, converted and written.

It lives in memory, spills to the run's own folder, and never fetches anything: its scanners are loaded from
the wheels they came in. What a person wrote never runs on it; transforms have a process of their own.
"""

import importlib.util
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, Self

import duckdb

from dragoman.contracts.errors import ScannerMissing
from dragoman.contracts.run import RunLimits

SPOOL: Final = "spool"
"""The database in a file beside the run's own, where the rows of a step wait when several take them."""


def quoted(name: str) -> str:
    """A name as DuckDB reads it, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as DuckDB reads it. For statements that take no parameters: ATTACH, COPY, SET."""
    return "'" + text.replace("'", "''") + "'"


class RunDatabase:
    """A DuckDB instance. Each thread works on a lane of its own; memory and spilling are shared by all.

    DuckDB has no threads of its own here: whoever runs a statement does all of its work. With more of them,
    one that waits for another asks again and again whether it is done, and a stream from a server, which is
    one task, is paid for twice.
    """

    def __init__(self, folder: Path, limits: RunLimits, *, threads: int = 1) -> None:
        self._folder = folder
        self._config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{limits.memory_bytes}B",
            "temp_directory": str(folder / "spill"),
            "threads": threads,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "python_enable_replacements": False,
        }
        self._numbers = itertools.count(1)
        self._loading = threading.Lock()
        self._start()

    def _start(self) -> None:
        self._database = duckdb.connect(":memory:", config=self._config)
        self._database.execute("SET TimeZone = 'UTC'")
        self._loaded: set[str] = set()
        spool = self._folder / f"{self.fresh_name(SPOOL)}.duckdb"
        self._database.execute(f"ATTACH {literal(str(spool))} AS {SPOOL}")

    def renew(self) -> None:
        """Begin anew, with nothing in it. What still holds on to the one before fails as it did."""
        self._start()

    @property
    def lost(self) -> bool:
        """Whether DuckDB gave itself up: a line that is cut while it writes is beyond its repair."""
        try:
            self._database.execute("SELECT 1")
        except duckdb.FatalException:
            return True
        return False

    def lane(self) -> "Lane":
        return Lane(self)

    def connection(self) -> duckdb.DuckDBPyConnection:
        connection = self._database.cursor()
        connection.execute("SET TimeZone = 'UTC'")
        return connection

    def load(self, scanner: str) -> None:
        """Make a scanner known, from the file in its wheel."""
        with self._loading:
            if scanner not in self._loaded:
                self._database.execute(f"LOAD {literal(str(scanner_file(scanner)))}")
                self._loaded.add(scanner)

    def fresh_name(self, kind: str) -> str:
        """A name that nothing on this database has yet."""
        return f"{kind}_{next(self._numbers)}"

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Lane:
    """A connection to the run's database for one thread. `interrupt` may be called from any other."""

    def __init__(self, database: RunDatabase) -> None:
        self.database = database
        self._connection = database.connection()

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        return self._connection

    def execute(self, sql: str, parameters: object = None) -> duckdb.DuckDBPyConnection:
        return self._connection.execute(sql, parameters)

    @contextmanager
    def attached(self, scanner: str, address: str, options: str) -> Iterator[str]:
        """A database behind a scanner, under a name of its own, for as long as the block lasts. `address` may
        hold a password: nothing that is raised here repeats it."""
        self.database.load(scanner)
        name = self.database.fresh_name("source")
        try:
            self._connection.execute(f"ATTACH {literal(address)} AS {name} ({options})")
        except duckdb.Error as error:
            raise type(error)(str(error).replace(address, "…")) from None
        try:
            yield name
        finally:
            self._detach(name)

    def _detach(self, name: str) -> None:
        """An interrupted statement can leave a transaction open, and then nothing can be detached; and when
        DuckDB has given itself up, there is nothing left to detach from."""
        try:
            self._connection.execute(f"DETACH {name}")
        except duckdb.FatalException:
            return
        except duckdb.Error:
            self._connection.close()
            with suppress(duckdb.FatalException):
                self._connection = self.database.connection()
                self._connection.execute(f"DETACH DATABASE IF EXISTS {name}")

    def registered(self, batches: Any) -> str:
        """An Arrow stream as a relation that can be read once; its name."""
        name = self.database.fresh_name("stream")
        self._connection.register(name, batches)
        return name

    def interrupt(self) -> None:
        self._connection.interrupt()

    def progress(self) -> float | None:
        """How far the running statement is, from 0 to 1, where DuckDB can tell."""
        found = self._connection.query_progress()
        return found / 100 if 0 <= found <= 100 else None

    def close(self) -> None:
        self._connection.close()


def scanner_file(scanner: str) -> Path:
    """The file of a scanner in its wheel."""
    spec = importlib.util.find_spec(f"duckdb_extension_{scanner}")
    folder = Path(spec.origin).parent if spec is not None and spec.origin else None
    version = f"v{duckdb.__version__}"
    path = folder / "extensions" / version / f"{scanner}.duckdb_extension" if folder else None
    if path is None or not path.is_file():
        package = f"duckdb-extension-{scanner.replace('_', '-')}"
        raise ScannerMissing(
            f"DuckDB's {scanner} for version {duckdb.__version__} is not installed",
            hint=f"pip install {package}=={duckdb.__version__}",
        )
    return path
