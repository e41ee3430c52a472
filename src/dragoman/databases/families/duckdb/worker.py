"""The worker that holds a DuckDB database."""

import os
from pathlib import Path
from typing import Final

import duckdb
import msgspec

from dragoman.contracts.errors import (
    AccessError,
    DatabaseBusy,
    DatabaseNotFound,
    FileUnreadable,
    ParameterRefused,
    QueryFailed,
    ReadOnlyViolation,
)
from dragoman.contracts.query import ReadLimits
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.batches import BATCH_BYTES, FIRST_BATCH, LARGEST_BATCH, weigh
from dragoman.databases.access.native_types import value_type
from dragoman.databases.access.refusals import said
from dragoman.databases.access.worker.confinement import bound_cpu, bound_files, bound_memory, forbid_files
from dragoman.databases.access.worker.frames import (
    Ask,
    Columns,
    Done,
    LoadFiles,
    OpenDatabase,
    Ready,
    Request,
    Rows,
    packed_rows,
)
from dragoman.databases.access.worker.request_loop import Say, failure, serve
from dragoman.databases.families.duckdb.values import decoder, expression

SKIPPED: Final = ".skipped"
"""The ending of the file beside loaded files that says how many lines of each table were left out."""
_FAILURES = (duckdb.Error, MemoryError, OverflowError, ValueError, TypeError, OSError, ImportError)

_EVERY_KIND = """
    SELECT 1.5::DECIMAL(5, 2), uuid(), 'x'::BLOB, DATE '2020-01-01', [1], {'a': 1}, MAP {'k': 1}, 1::HUGEINT,
        TIMESTAMPTZ '2020-01-01 00:00:00+02', TIMESTAMP '2020-01-01 00:00:00', TIME '01:00:00',
        INTERVAL 1 DAY, 0.5::FLOAT, '{}'::JSON, true
"""


class DuckdbAnswers:
    """The one database of this process, once it is open."""

    def __init__(self) -> None:
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._threads = 1

    def handle(self, request: Request, say: Say) -> None:
        """Raises AccessError."""
        try:
            match request:
                case OpenDatabase():
                    self._threads = request.threads
                    self._connection = _opened(request)
                    say(Ready())
                case LoadFiles():
                    _load(request)
                    say(Ready())
                case Ask() if self._connection is not None:
                    bound_cpu(request.seconds, self._threads)
                    _answer(self._connection.cursor(), request, say)
                case Ask():
                    raise QueryFailed("no database is open", hint="open one first")
        except _FAILURES as error:
            raise _refusal(error) from error


def _opened(request: OpenDatabase) -> duckdb.DuckDBPyConnection:
    """The database, read-only, and then the doors shut one behind the other."""
    bound_memory(request.memory_bytes)
    bound_files(0)
    try:
        connection = duckdb.connect(os.fsdecode(request.path), read_only=True, config=_settings(request))
    except duckdb.Error as error:
        raise _not_opened(error) from error
    connection.execute("SET TimeZone = 'UTC'")
    _rehearse(connection)
    # The ban holds for this thread and those it starts, so DuckDB's other threads come after it.
    forbid_files()
    for setting in (
        f"threads = {request.threads}",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
    return connection


def _settings(request: OpenDatabase | LoadFiles) -> dict[str, str | bool | int | float | list[str]]:
    return {
        "memory_limit": f"{request.memory_bytes // 1_000_000}MB",
        "threads": str(request.threads if isinstance(request, LoadFiles) else 1),
        "temp_directory": "",
        "python_enable_replacements": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "allow_persistent_secrets": "false",
        "enable_external_file_cache": "false",
    }


def _rehearse(connection: duckdb.DuckDBPyConnection) -> None:
    """Read a value of each kind, and be refused once: what is on disk is fetched when it is first needed, and
    soon no file can be opened any more."""
    everything = Ask(_EVERY_KIND, [], 1, 1.0, 1_000)
    _answer(connection.cursor(), everything, lambda message: None)
    try:
        connection.execute("SELECT nothing FROM nowhere WHERE password = 'none'")
    except duckdb.Error as error:
        failure(_refusal(error))


def _answer(cursor: duckdb.DuckDBPyConnection, request: Ask, say: Say) -> None:
    statements = duckdb.extract_statements(request.sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise ReadOnlyViolation("DuckDB does not read this as one query", hint="write one SELECT")
    sql = statements[0].query.rstrip("; \t\r\n")
    described = cursor.execute(f"DESCRIBE {sql}", request.parameters).fetchall()
    names, natives = [row[0] for row in described], [row[1] for row in described]
    expressions = [expression(native, f"#{number}") for number, native in enumerate(natives, 1)]
    if any(text != f"#{number}" for number, text in enumerate(expressions, 1)):
        sql = f"SELECT {', '.join(expressions)} FROM ({sql}\n) AS dragoman_result"
    cursor.execute(sql, request.parameters)
    held = [value_type(Dialect.DUCKDB, native) for native in natives]
    say(Columns(list(zip(names, held, natives, strict=True))))
    say(Done(_send_rows(cursor, names, natives, request, say)))


def _send_rows(
    cursor: duckdb.DuckDBPyConnection, names: list[str], natives: list[str], request: Ask, say: Say
) -> bool:
    """Send the rows in batches; whether there were more than were asked for."""
    decoders = [decoder(native) for native in natives]
    limits = ReadLimits(request.rows, request.seconds, request.cell_bytes)
    sent, size = 0, FIRST_BATCH
    while True:
        wanted = min(size, request.rows + 1 - sent)
        batch = cursor.fetchmany(wanted)
        heft = sum(weigh(row, names, limits) for row in batch)
        given = batch[: request.rows - sent]
        rows = [
            [None if cell is None else decode(cell) for cell, decode in zip(row, decoders, strict=True)]
            for row in given
        ]
        say(Rows(packed_rows(rows)))
        sent += len(given)
        if len(batch) > len(given):
            return True
        if len(batch) < wanted:
            return False
        size = max(1, min(LARGEST_BATCH, size * 4, BATCH_BYTES // max(1, heft // max(1, len(batch)))))


def _load(request: LoadFiles) -> None:
    """Make the tables of a new database out of files. Each is whole or the load fails, and says which."""
    bound_memory(request.memory_bytes)
    with duckdb.connect(os.fsdecode(request.path), config=_settings(request)) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        skipped: dict[str, int] = {}
        for name, path, known_as, function in request.files:
            try:
                if function:
                    table = '"' + name.replace('"', '""') + '"'
                    connection.execute(f"CREATE TABLE {table} AS SELECT * FROM {function}", [path])
                else:
                    skipped[name] = _load_csv(connection, name, path, known_as, request)
            except duckdb.Error as error:
                raise FileUnreadable(
                    f"{known_as} cannot be read: {said(error)}", hint="mend the file or leave it out"
                ) from error
    facts = Path(os.fsdecode(request.path)).with_suffix(SKIPPED)
    facts.write_bytes(msgspec.json.encode({name: count for name, count in skipped.items() if count}))


def _load_csv(
    connection: duckdb.DuckDBPyConnection, name: str, path: str, known_as: str, request: LoadFiles
) -> int:
    # Imported for files alone: a database needs none of it.
    from dragoman.databases.families.files.csv_loader import NamedFile, load_csv
    from dragoman.databases.families.files.csv_options import csv_options

    file = NamedFile(path, known_as, "gzip" if path.endswith(".gz") else "none")
    scratch = Path(os.fsdecode(request.path)).parent
    return load_csv(connection, name, file, csv_options(request.options), scratch)


def _not_opened(error: duckdb.Error) -> AccessError:
    text = said(error)
    if "lock" in text.lower():
        return DatabaseBusy(
            f"another program has the database open: {text}", hint="try again when it is done"
        )
    return DatabaseNotFound(f"the database cannot be opened: {text}", hint="check the file")


def _refusal(error: Exception) -> AccessError:
    text = said(error)
    match error:
        case duckdb.PermissionException():
            return ReadOnlyViolation(f"DuckDB refused what does more than read: {text}", hint="only read")
        case duckdb.OutOfMemoryException() | MemoryError():
            return QueryFailed(
                f"the query needs more memory than it may have: {text}", hint="narrow the question"
            )
        case OverflowError() | TypeError() | UnicodeError():
            return ParameterRefused(f"DuckDB cannot be given a value: {text}", hint="change the value")
        case _:
            return QueryFailed(f"DuckDB refused the query: {text}", hint="check the query")


if __name__ == "__main__":
    serve(DuckdbAnswers().handle)
