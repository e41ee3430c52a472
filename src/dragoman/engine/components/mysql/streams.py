"""Three ways to read a query of MariaDB or MySQL as Arrow batches. They give the same values.

connectorx where it is installed, DuckDB's scanner where it is not, and the driver's own rows where neither can.
"""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from urllib.parse import quote

import pyarrow as pa

from dragoman.catalog.access.target import MysqlTarget, Tls
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.component import StepContext
from dragoman.engine.components.mysql.gate import gate_to
from dragoman.engine.components.mysql.session import READ_ONLY, kill, reading, reading_settings
from dragoman.engine.hub import ScannerMissing, literal, scanner_file

_SCANNER = "mysql_scanner"


class ReadPath(StrEnum):
    CONNECTORX = "connectorx"
    SCANNER = "scanner"
    ROWS = "rows"


def best_path(target: MysqlTarget) -> ReadPath:
    """The fastest way there is. Through a gate nobody can show that the server's name is its own."""
    if target.tls is not Tls.VERIFIED and importlib.util.find_spec("connectorx") is not None:
        return ReadPath.CONNECTORX
    try:
        scanner_file(_SCANNER)
    except ScannerMissing:
        return ReadPath.ROWS
    return ReadPath.SCANNER


class DriverPanicked(RuntimeError):
    """connectorx gave up in a way that no `except` of Python's expects."""


@contextmanager
def by_connectorx(
    target: MysqlTarget, sql: str, rows: int, context: StepContext, *, encrypted: bool, mariadb: bool
) -> Iterator[Iterator[pa.RecordBatch]]:
    import connectorx

    with gate_to(target.host, target.port) as gate:

        def stop() -> None:
            threads = list(gate.threads)
            gate.close()
            for thread in threads:
                kill(target, thread)

        with context.cancel.told_to(stop):
            with _panics_told():
                reader = connectorx.read_sql(
                    _url(target, gate.port, encrypted=encrypted),
                    sql,
                    return_type="arrow_stream",
                    batch_size=rows,
                    pre_execution_query=[reading_settings(context, mariadb=mariadb), READ_ONLY],
                )

            def batches() -> Iterator[pa.RecordBatch]:
                while True:
                    try:
                        with gate.wanting(), _panics_told():
                            batch = reader.read_next_batch()
                    except StopIteration:
                        return
                    yield batch

            yield batches()


@contextmanager
def by_scanner(
    target: MysqlTarget, sql: str, rows: int, context: StepContext, *, encrypted: bool, mariadb: bool
) -> Iterator[Iterator[pa.RecordBatch]]:
    # A lane of its own: what is executed on a lane ends the stream that is read from it.
    lane = context.lane.hub.lane()
    secret = lane.hub.fresh_name("login")
    lane.hub.load(_SCANNER)
    lane.execute(_secret(secret, target, encrypted=encrypted))
    try:
        with lane.attached(
            _SCANNER, f"port={target.port}", f"TYPE mysql, SECRET {secret}"
        ) as name:
            # One transaction is one connection: what is set here holds for the query.
            lane.execute("BEGIN")
            try:
                for setting in (reading_settings(context, mariadb=mariadb),):
                    lane.execute(f"CALL mysql_execute({literal(name)}, {literal(setting)})")
                found = lane.execute(
                    f"SELECT * FROM mysql_query({literal(name)}, 'SELECT CONNECTION_ID()')"
                ).fetchone()
                thread = int(found[0]) if found else 0

                def stop() -> None:
                    lane.interrupt()
                    kill(target, thread)

                with context.cancel.told_to(stop):
                    query = f"SELECT * FROM mysql_query({literal(name)}, {literal(sql)})"
                    yield iter(lane.execute(query).to_arrow_reader(rows))
            finally:
                with suppress(Exception):  # noqa: BLE001
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

        try:
            yield batches()
        finally:
            cursor.abandon()


@contextmanager
def _panics_told() -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise DriverPanicked(str(error).partition("\n")[0]) from None


def _url(target: MysqlTarget, port: int, *, encrypted: bool) -> str:
    login = f"{quote(target.user, safe='')}:{quote(target.password, safe='')}"
    return (
        f"mysql://{login}@127.0.0.1:{port}/{quote(target.database, safe='')}"
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
            return f"ssl-mode={mode}" + (f"&ssl-ca={quote(str(target.ca_file), safe='')}" if target.ca_file else "")


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
