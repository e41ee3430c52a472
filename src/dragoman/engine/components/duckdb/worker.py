"""The process in which SQL runs that a person wrote: bounded, without the network, with one folder."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import BinaryIO, NoReturn

import duckdb
import pyarrow as pa

from dragoman.databases.access.worker.confinement import bound_cpu, bound_memory, forbid_files
from dragoman.engine.components.duckdb.messages import REQUESTS, Described, InputTable, Request, Select, Work
from dragoman.engine.components.worker_frames import Ended, Failed, Rows, Silence, end_with_the_run, hear, say
from dragoman.engine.run_database import quoted

_BATCH_ROWS = 16_384
_FAILURES = (duckdb.Error, pa.ArrowException, OSError, MemoryError, ValueError)

_EVERY_KIND = """
    SELECT 1.5::DECIMAL(5, 2) AS a, uuid() AS b, 'x'::BLOB AS c, DATE '2020-01-01' AS d, 1::HUGEINT AS e,
        TIMESTAMPTZ '2020-01-01 00:00:00+02' AS f, TIMESTAMP '2020-01-01 00:00:00' AS g, TIME '01:00:00' AS h,
        0.5::FLOAT AS i, '{"a": 1}'::JSON AS j, true AS k, regexp_matches('a', 'b') AS l
"""
"""What is on disk is fetched when it is first needed, and soon no file can be opened any more."""


def main() -> NoReturn:
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    requests = sys.stdin.buffer
    end_with_the_run()
    try:
        work = hear(requests, REQUESTS)
        if isinstance(work, Work):
            _do(work, requests, replies)
    except (Silence, BrokenPipeError):
        pass
    except _FAILURES as error:
        memory = isinstance(error, MemoryError | duckdb.OutOfMemoryException)
        busy = "lock" in str(error).lower() and isinstance(error, duckdb.IOException)
        say(replies, Failed(str(error).splitlines()[0] if str(error) else "", memory=memory, busy=busy))
    os._exit(0)


def _do(work: Work, requests: BinaryIO, replies: BinaryIO) -> None:
    connection = _opened(work)
    for table in work.tables:
        _make(connection, table)
    statements = duckdb.extract_statements(work.sql)
    if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
        raise ValueError("DuckDB does not read this as one query")
    sql = statements[0].query.rstrip("; \t\r\n")
    found = connection.execute(f"DESCRIBE {sql}").fetchall()
    say(replies, Described([(row[0], row[1]) for row in found]))
    if work.describe:
        return
    for table in work.tables:
        _fill(connection, table, requests)
    select = hear(requests, REQUESTS)
    if not isinstance(select, Select):
        raise Silence
    places = ", ".join(f"c{number}" for number in range(1, len(found) + 1))
    chosen = f"SELECT {', '.join(select.expressions)} FROM ({sql}\n) AS result({places})"
    for batch in connection.execute(chosen).to_arrow_reader(_BATCH_ROWS):
        say(replies, Rows(batch.serialize().to_pybytes()))
    say(replies, Ended())


def _opened(work: Work) -> duckdb.DuckDBPyConnection:
    """The database, and then the doors shut one behind the other."""
    bound_memory(work.memory_bytes)
    connection = duckdb.connect(
        work.database or os.path.join(work.folder, "transform.duckdb"),
        read_only=bool(work.database),
        config={
            "memory_limit": f"{work.memory_bytes}B",
            "threads": 1,
            "temp_directory": os.path.join(work.folder, "spill"),
            "python_enable_replacements": False,
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "allow_persistent_secrets": False,
            "enable_external_file_cache": False,
        },
    )
    connection.execute("SET TimeZone = 'UTC'")
    connection.execute(_EVERY_KIND).to_arrow_reader(1).read_all()
    with contextlib.suppress(duckdb.Error):
        connection.execute("SELECT nothing FROM nowhere")
    # The ban holds for this thread and those it starts, so DuckDB's other threads come after it.
    forbid_files(work.folder)
    for setting in (
        f"threads = {work.threads}",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"SET {setting}")
    if work.seconds:
        bound_cpu(work.seconds, work.threads)
    return connection


def _make(connection: duckdb.DuckDBPyConnection, table: InputTable) -> None:
    columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in table.columns)
    connection.execute(f"CREATE TABLE {quoted(table.name)} ({columns})")
    if table.also:
        connection.execute(f"CREATE VIEW {quoted(table.also)} AS FROM {quoted(table.name)}")


def _fill(connection: duckdb.DuckDBPyConnection, table: InputTable, requests: BinaryIO) -> None:
    """Rows as they come, into the table, which lies on disk."""
    schema = _schema(requests)
    for batch in _batches(requests, schema):
        connection.register("incoming", pa.Table.from_batches([batch], schema))
        connection.execute(f"INSERT INTO {quoted(table.name)} SELECT * FROM incoming")
        connection.unregister("incoming")


def _schema(requests: BinaryIO) -> pa.Schema:
    first = _rows(hear(requests, REQUESTS))
    return pa.ipc.read_schema(pa.py_buffer(first.batch))


def _batches(requests: BinaryIO, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    while data := _rows(hear(requests, REQUESTS)).batch:
        yield pa.ipc.read_record_batch(pa.py_buffer(data), schema)


def _rows(message: Request) -> Rows:
    if not isinstance(message, Rows):
        raise Silence
    return message


if __name__ == "__main__":
    main()
