"""Connecting to PostgreSQL, and what every transaction of ours begins with."""

import math
from collections.abc import Sequence

import psycopg
from psycopg import pq, sql
from psycopg.adapt import AdaptersMap, Buffer, Loader
from psycopg.rows import tuple_row

from dragoman.contracts.errors import (
    AccessError,
    AuthenticationFailed,
    ConnectionRefused,
    DatabaseNotFound,
)
from dragoman.contracts.query import ReadLimits
from dragoman.databases.access.refusals import said
from dragoman.databases.families.postgres.address import PostgresAddress

CONNECT_SECONDS = 10
_LOCK_SECONDS = 5
_IDLE_SECONDS = 60

_BEFORE_THE_FIRST_TRANSACTION = (
    "-c default_transaction_read_only=on"
    f" -c idle_in_transaction_session_timeout={_IDLE_SECONDS * 1000}"
    " -c standard_conforming_strings=on"
)
_LOGIN_REFUSED = (
    "authentication failed",
    "no password supplied",
    "not permitted to log in",
    "no pg_hba.conf entry",
    'fatal: role "',
)
_UNKNOWN_OPTION = "unsupported startup parameter"
Connection = psycopg.Connection[tuple[object, ...]]


class _TextLoader(Loader):
    """Every value as the text the server wrote, so that nothing is lost before we know its type."""

    format = pq.Format.TEXT

    def load(self, data: Buffer) -> str | bytes:
        raw = bytes(data)
        try:
            return raw.decode()
        except UnicodeDecodeError:
            # A database without an encoding (SQL_ASCII) holds anything.
            return raw


class _Adaptation:
    """How psycopg is to treat values on our connections."""

    def __init__(self) -> None:
        self.adapters = AdaptersMap(psycopg.adapters)
        self.connection = None
        for info in psycopg.adapters.types:
            for oid in (info.oid, info.array_oid):
                self.adapters.register_loader(oid, _TextLoader)
        self.adapters.register_loader(0, _TextLoader)


def connect(target: PostgresAddress) -> Connection:
    """A connection whose transactions only read. Raises AccessError."""
    try:
        return _connected(target, _BEFORE_THE_FIRST_TRANSACTION)
    except psycopg.Error as error:
        if _UNKNOWN_OPTION not in str(error):
            raise refusal(target, error) from error
    try:
        # A pooler may take no settings at the start. Each transaction makes its own all the same.
        return _connected(target, "")
    except psycopg.Error as error:
        raise refusal(target, error) from error


def _connected(target: PostgresAddress, options: str) -> Connection:
    try:
        return psycopg.connect(
            host=target.host,
            port=target.port,
            user=target.user,
            password=target.password or None,
            dbname=target.database,
            sslmode=target.tls.value,
            sslrootcert=str(target.ca_file) if target.ca_file else None,
            connect_timeout=CONNECT_SECONDS,
            client_encoding="UTF8",
            application_name="dragoman",
            options=options,
            autocommit=True,
            context=_Adaptation(),
            row_factory=tuple_row,
        )
    except (UnicodeError, ValueError) as error:
        raise ConnectionRefused(f"the address of the database is not one: {said(error)}") from error


def begin(connection: Connection, limits: ReadLimits, schemas: Sequence[str]) -> None:
    """Begin a read-only transaction with its limits and a fixed reading of names, times and numbers."""
    # The watch stops the read at its deadline; the server does so by itself should we be gone by then.
    statement = math.ceil((limits.seconds + 1) * 1000)
    lock = math.ceil(min(limits.seconds, _LOCK_SECONDS) * 1000)
    # Temporary objects last: they would otherwise be found before those of the same name.
    path = ", ".join(sql.Identifier(schema).as_string() for schema in (*schemas, "pg_temp"))
    settings = {
        "statement_timeout": str(statement),
        "lock_timeout": str(lock),
        "idle_in_transaction_session_timeout": str(_IDLE_SECONDS * 1000),
        "standard_conforming_strings": "on",
        "TimeZone": "'UTC'",
        "DateStyle": "'ISO, YMD'",
        "IntervalStyle": "'iso_8601'",
        "extra_float_digits": "1",
        "bytea_output": "'hex'",
        "lc_monetary": "'C'",
        # The whole result is wanted, not its beginning soon.
        "cursor_tuple_fraction": "1.0",
        "search_path": path,
    }
    text = "".join(f"SET LOCAL {name} = {value};" for name, value in settings.items())
    connection.execute(f"BEGIN TRANSACTION READ ONLY; {text}".encode())


def refusal(target: PostgresAddress, error: psycopg.Error) -> AccessError:
    """libpq gives no code for a connection that failed, only words; where they are none of these, the mildest
    reading is taken."""
    text = said(error, target.password)
    words = text.lower()
    where = f"{target.host}:{target.port}"
    if any(said_so in words for said_so in _LOGIN_REFUSED):
        return AuthenticationFailed(
            f"PostgreSQL at {where} refused the login of {target.user}: {text}",
            hint="check the user and the password of the connection",
        )
    if "database" in words and "does not exist" in words:
        return DatabaseNotFound(
            f"PostgreSQL at {where} has no database {target.database}", hint="check the name of the database"
        )
    return ConnectionRefused(
        f"PostgreSQL at {where} cannot be reached: {text}",
        hint="check the host and the port, and that the server runs",
    )
