"""Three ways to read a query of MariaDB or MySQL as Arrow batches. They give the same values.

connectorx where it is installed, DuckDB's scanner where it is not, and the driver's rows where neither can.
"""

import fcntl
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import duckdb
import pyarrow as pa

from dragoman.contracts.errors import InternalSignal, ScannerMissing
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.databases.access.target import Tls
from dragoman.databases.families.mysql.server_warnings import refuse_altered
from dragoman.databases.families.mysql.target import MysqlTarget
from dragoman.engine.component import StepContext
from dragoman.engine.components.mysql.session import READ_ONLY, kill, reading, reading_settings
from dragoman.engine.run_database import literal, scanner_file

if TYPE_CHECKING:
    import subprocess

_SCANNER = "mysql_scanner"
_LAST_WORDS = 8_192
_PIPE_BYTES = 1 << 20


class ReadPath(StrEnum):
    CONNECTORX = "connectorx"
    SCANNER = "scanner"
    ROWS = "rows"


def best_path(target: MysqlTarget, *, computed: bool, mariadb: bool) -> ReadPath:
    """The fastest way there is. What the server computes is read by the driver: the others do not tell the
    warnings of a server that has changed a value. Through a gate nobody can show that the server's name is
    its own, and only MariaDB takes settings together with a query, as the scanner needs it."""
    if computed:
        return ReadPath.ROWS
    if target.tls is not Tls.VERIFIED and importlib.util.find_spec("connectorx") is not None:
        return ReadPath.CONNECTORX
    try:
        scanner_file(_SCANNER)
    except ScannerMissing:
        return ReadPath.ROWS
    return ReadPath.SCANNER if mariadb else ReadPath.ROWS


class ConnectorxFailed(InternalSignal):
    """connectorx gave up, in words of its own."""


@contextmanager
def by_connectorx(
    target: MysqlTarget, sql: str, rows: int, context: StepContext, *, encrypted: bool, mariadb: bool
) -> Iterator[Iterator[pa.RecordBatch]]:
    asked = {
        "host": target.host,
        "port": target.port,
        "url": _url(target, encrypted=encrypted),
        "sql": sql,
        "rows": rows,
        "before": [f"SET SESSION {reading_settings(context, mariadb=mariadb)}", READ_ONLY],
    }
    with _process(asked, context) as (process, numbers, words):

        def stop() -> None:
            process.kill()
            for thread in numbers():
                kill(target, thread)

        def batches() -> Iterator[pa.RecordBatch]:
            try:
                yield from pa.ipc.open_stream(process.stdout)
            except (pa.ArrowException, OSError) as error:
                raise ConnectorxFailed(words() or str(error)) from error
            # The end of a stream that was cut looks like its end; only the process knows.
            if process.wait() != 0:
                raise ConnectorxFailed(words())

        with context.cancel.told_to(stop):
            yield batches()


@contextmanager
def _process(
    asked: dict[str, Any], context: StepContext
) -> Iterator[tuple["subprocess.Popen[bytes]", Callable[[], list[int]], Callable[[], str]]]:
    """The process that reads; how to learn the server's numbers of its connections, and its last words."""
    import subprocess

    report, reporting = os.pipe()
    path = context.folder / f"{context.lane.database.fresh_name('reader')}.log"
    with path.open("w+b") as log:
        process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", "-s", str(Path(__file__).with_name("fast_reader.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            pass_fds=[reporting],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "RUST_BACKTRACE": "0"},
        )
        os.close(reporting)
        os.set_blocking(report, False)

        def numbers() -> list[int]:
            with suppress(OSError):
                told = os.read(report, 64)
                return [int.from_bytes(told[at : at + 4], "little") for at in range(0, len(told), 4)]
            return []

        def words() -> str:
            process.wait()
            tail = path.read_bytes()[-_LAST_WORDS:].decode("utf-8", "replace")
            line = tail.rpartition("\n")[2]
            with suppress(ValueError, TypeError, KeyError):
                return str(json.loads(line)["failed"])
            return f"the reader ended with {process.returncode}"

        try:
            assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018
            _widen(process.stdout.fileno())
            process.stdin.write(json.dumps({**asked, "report": reporting}).encode() + b"\n")
            process.stdin.flush()
            yield process, numbers, words
        finally:
            process.kill()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):
                        pipe.close()
            process.wait()
            os.close(report)
            path.unlink(missing_ok=True)


def _widen(pipe: int) -> None:
    """Let more lie in a pipe than it has room for by itself: fewer turns for the same bytes. Where that is
    not allowed, it stays as it is."""
    with suppress(OSError, AttributeError):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)


@contextmanager
def by_scanner(
    target: MysqlTarget, sql: str, rows: int, context: StepContext, *, encrypted: bool
) -> Iterator[Iterator[pa.RecordBatch]]:
    # A lane of its own: what is executed on a lane ends the stream that is read from it.
    lane = context.lane.database.lane()
    secret = lane.database.fresh_name("login")
    lane.database.load(_SCANNER)
    lane.execute(_secret(secret, target, encrypted=encrypted))
    try:
        with lane.attached(_SCANNER, f"port={target.port}", f"TYPE mysql, SECRET {secret}") as name:
            # One transaction is one connection for queries. What is executed goes over another one, so the
            # settings are a part of the query.
            lane.execute("BEGIN")
            try:
                found = lane.execute(
                    f"SELECT * FROM mysql_query({literal(name)}, 'SELECT CONNECTION_ID()')"
                ).fetchone()
                thread = int(found[0]) if found else 0

                def stop() -> None:
                    lane.interrupt()
                    kill(target, thread)

                with context.cancel.told_to(stop):
                    whole = f"SET STATEMENT {reading_settings(context, mariadb=True)} FOR {sql}"
                    query = f"SELECT * FROM mysql_query({literal(name)}, {literal(whole)})"
                    yield iter(lane.execute(query).to_arrow_reader(rows))
            finally:
                with suppress(duckdb.Error):
                    lane.execute("ROLLBACK")
    finally:
        lane.execute(f"DROP SECRET IF EXISTS {secret}")
        lane.close()


@contextmanager
def by_rows(
    target: MysqlTarget, sql: str, rows: int, columns: tuple[FlowColumn, ...], context: StepContext
) -> Iterator[Iterator[pa.RecordBatch]]:
    kinds = [pa.binary() if column.type is ValueType.BYTES else pa.string() for column in columns]
    names = [str(number) for number in range(len(columns))]
    with reading(target, context) as connection:
        cursor = connection.cursor()
        cursor.execute(sql)

        def batches() -> Iterator[pa.RecordBatch]:
            while found := cursor.fetchmany(rows):
                arrays = [
                    pa.array(cells, kind) for cells, kind in zip(zip(*found, strict=True), kinds, strict=True)
                ]
                yield pa.RecordBatch.from_arrays(arrays, names=names)
            refuse_altered(connection, cursor.warnings)

        try:
            yield batches()
        finally:
            cursor.abandon()


def _url(target: MysqlTarget, *, encrypted: bool) -> str:
    login = f"{quote(target.user, safe='')}:{quote(target.password, safe='')}"
    return (
        f"mysql://{login}@127.0.0.1:{{port}}/{quote(target.database, safe='')}"
        f"?prefer_socket=false&{_tls_of_url(target, encrypted=encrypted)}"
    )


def _tls_of_url(target: MysqlTarget, *, encrypted: bool) -> str:
    match target.tls:
        case Tls.OFF:
            return "ssl-mode=DISABLED"
        case Tls.PREFERRED:
            return "ssl-mode=REQUIRED" if encrypted else "ssl-mode=DISABLED"
        case Tls.REQUIRED:
            return "ssl-mode=REQUIRED"
        case Tls.VERIFIED_CA | Tls.VERIFIED:
            mode = "VERIFY_CA" if target.tls is Tls.VERIFIED_CA else "VERIFY_IDENTITY"
            return f"ssl-mode={mode}" + (
                f"&ssl-ca={quote(str(target.ca_file), safe='')}" if target.ca_file else ""
            )


def _secret(name: str, target: MysqlTarget, *, encrypted: bool) -> str:
    modes = {
        Tls.OFF: "disabled",
        Tls.PREFERRED: "required" if encrypted else "disabled",
        Tls.REQUIRED: "required",
        Tls.VERIFIED_CA: "verify_ca",
        Tls.VERIFIED: "verify_identity",
    }
    parts = {
        "HOST": target.host,
        "PORT": str(target.port),
        "USER": target.user,
        "PASSWORD": target.password,
        "DATABASE": target.database,
        "SSL_MODE": modes[target.tls],
        "SSL_CA": str(target.ca_file) if target.ca_file else "",
    }
    told = ", ".join(f"{key} {literal(value)}" for key, value in parts.items() if value)
    return f"CREATE TEMPORARY SECRET {name} (TYPE mysql, {told})"
