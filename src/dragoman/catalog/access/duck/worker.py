"""The worker: a process that holds one DuckDB database and answers queries until its reader goes away.

It reads requests on its standard input and answers on its standard output. When the input ends, it ends.
"""

import io
import os
import queue
import sys
import threading
from typing import BinaryIO, NoReturn

import duckdb

from dragoman.catalog.access.batches import BATCH_BYTES, FIRST_BATCH, LARGEST_BATCH, weigh
from dragoman.catalog.access.duck.confinement import bound_cpu, bound_memory, forbid_files, forbid_writing
from dragoman.catalog.access.duck.frames import (
    Ask,
    BrokenFrame,
    Columns,
    Done,
    Failed,
    LoadFiles,
    OpenDatabase,
    Ready,
    Request,
    Rows,
    packed_rows,
    receive_request,
    send,
)
from dragoman.catalog.access.duck.values import decoder, expression
from dragoman.catalog.access.refusals import said
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

IDLE_SECONDS = 300.0
"""After so long without a query it lets the file go: while it is open nobody else can write to it."""

IDLE_EXIT = 75

_EVERY_KIND = """
    SELECT 1.5::DECIMAL(5, 2), uuid(), 'x'::BLOB, DATE '2020-01-01', [1], {'a': 1}, MAP {'k': 1}, 1::HUGEINT,
        TIMESTAMPTZ '2020-01-01 00:00:00+02', TIMESTAMP '2020-01-01 00:00:00', TIME '01:00:00',
        INTERVAL 1 DAY, 0.5::FLOAT, '{}'::JSON, true
"""


def main() -> NoReturn:
    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    replies = os.fdopen(os.dup(1), "wb")
    # Whatever prints must not fall into the conversation.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    threading.Thread(target=_listen, args=(sys.stdin.buffer, requests), daemon=True).start()
    _serve(requests, replies)


def _listen(stream: BinaryIO, requests: "queue.SimpleQueue[Request]") -> None:
    """Take requests while a query runs, so that the end of the reader is the end of the query too."""
    try:
        while True:
            requests.put(receive_request(stream))
    except BrokenFrame:
        os._exit(0)


def _serve(requests: "queue.SimpleQueue[Request]", replies: BinaryIO) -> NoReturn:
    connection: duckdb.DuckDBPyConnection | None = None
    threads = 1
    while True:
        try:
            request = requests.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            os._exit(IDLE_EXIT)
        try:
            match request:
                case OpenDatabase():
                    threads = request.threads
                    connection = _opened(request)
                    send(replies, Ready())
                case LoadFiles():
                    _load(request)
                    send(replies, Ready())
                case Ask() if connection is not None:
                    bound_cpu(request.seconds, threads)
                    _answer(connection.cursor(), request, replies)
                case Ask():
                    raise QueryFailed("no database is open")
        except AccessError as error:
            send(replies, _failure(error))
        except (
            duckdb.Error,
            MemoryError,
            OverflowError,
            ValueError,
            TypeError,
            OSError,
            ImportError,
        ) as error:
            send(replies, _failure(_refusal(error)))


def _opened(request: OpenDatabase) -> duckdb.DuckDBPyConnection:
    """The database, read-only, and then the doors shut one behind the other."""
    bound_memory(request.memory_bytes)
    forbid_writing()
    try:
        connection = duckdb.connect(request.path, read_only=True, config=_settings(request))
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
    _answer(connection.cursor(), everything, io.BytesIO())
    try:
        connection.execute("SELECT nothing FROM nowhere WHERE password = 'none'")
    except duckdb.Error as error:
        _failure(_refusal(error))


def _answer(cursor: duckdb.DuckDBPyConnection, request: Ask, replies: BinaryIO) -> None:
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
    send(replies, Columns(list(zip(names, natives, strict=True))))
    send(replies, Done(_send_rows(cursor, names, natives, request, replies)))


def _send_rows(
    cursor: duckdb.DuckDBPyConnection, names: list[str], natives: list[str], request: Ask, replies: BinaryIO
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
        send(replies, Rows(packed_rows(rows)))
        sent += len(given)
        if len(batch) > len(given):
            return True
        if len(batch) < wanted:
            return False
        size = max(1, min(LARGEST_BATCH, size * 4, BATCH_BYTES // max(1, heft // max(1, len(batch)))))


def _load(request: LoadFiles) -> None:
    """Make the tables of a new database out of files. Each is whole or the load fails, and says which."""
    bound_memory(request.memory_bytes)
    with duckdb.connect(request.path, config=_settings(request)) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        for name, path, function in request.files:
            table = '"' + name.replace('"', '""') + '"'
            try:
                connection.execute(f"CREATE TABLE {table} AS SELECT * FROM {function}", [path])
            except duckdb.Error as error:
                raise FileUnreadable(
                    f"the file for {name} cannot be read: {said(error)}", hint="mend the file or leave it out"
                ) from error


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


def _failure(error: AccessError) -> Failed:
    details = {name: value for name, value in error.details.items() if isinstance(value, str | int | float)}
    return Failed(type(error).__name__, error.message, error.hint, details)


if __name__ == "__main__":
    main()
