"""Connecting to MariaDB or MySQL, and what every transaction of ours begins with."""

import ssl
from typing import Any, TypeAlias

import pymysql
from pymysql.cursors import SSCursor

from dragoman.contracts.errors import (
    AccessError,
    AuthenticationFailed,
    ConnectionRefused,
    DatabaseNotFound,
    DriverFailed,
)
from dragoman.contracts.query import ReadLimits
from dragoman.databases.access.refusals import said
from dragoman.databases.access.target import Tls
from dragoman.databases.families.mysql.address import MysqlAddress
from dragoman.databases.families.mysql.codes import Code
from dragoman.databases.families.mysql.values import Field

CONNECT_SECONDS = 10
_LOCK_SECONDS = 5

MODE = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION"
"""How SQL is read. Neither ANSI_QUOTES nor NO_BACKSLASH_ESCAPES: the guard reads it without them too."""


READING_MODE = "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION"
"""The same for sessions that only read: a division by nought is NULL there in either mode, and in this one
its warnings do not crowd out those that matter."""


class FieldCursor(SSCursor):
    """A cursor that fetches as it goes, and tells all that the server said of its columns."""

    _result: Any
    connection: Any

    @property
    def fields(self) -> list[Field]:
        return list(self._result.fields or ()) if self._result else []

    @property
    def warnings(self) -> int:
        """How many warnings the server has. It says so at the end of the rows."""
        return int(getattr(self._result, "warning_count", 0) or 0)

    def abandon(self) -> None:
        """Leave the rows that were not fetched; the driver would read all of them before it lets go. The
        connection cannot be used afterwards."""
        if self._result is not None:
            self._result.unbuffered_active = False
            self._result.connection = None
        self._result = None
        self.connection = None


class OwnConnection(pymysql.Connection):
    """A connection that encrypts where the server can, and for that reads no authorities."""

    def _create_ssl_ctx(self, sslp: Any) -> ssl.SSLContext:
        # Without a context of ours the driver asks no server who it is. All the same it reads every authority
        # of the system, for each connection: most of the CPU that connecting takes.
        return sslp if isinstance(sslp, ssl.SSLContext) else _unverified()


Connection: TypeAlias = "pymysql.Connection[FieldCursor]"


def connect(
    target: MysqlAddress, answer_seconds: float, kind: type[Any] = OwnConnection, *, files: bool = False
) -> Any:
    """A connection that gives up when the server is silent for longer than that. Raises AccessError.

    With `files` a server may be told to ask for a file; then `kind` has to see that it asks for no other.
    """
    try:
        return kind(
            host=target.host,
            port=target.port,
            user=target.user,
            password=target.password,
            database=target.database or None,
            charset="utf8mb4",
            connect_timeout=CONNECT_SECONDS,
            read_timeout=answer_seconds,
            write_timeout=answer_seconds,
            local_infile=files,
            autocommit=True,
            cursorclass=FieldCursor,
            # Every value as the text the server wrote, so that nothing is lost before we know its type.
            conv={},
            ssl=_context(target),
            ssl_disabled=target.tls is Tls.OFF,
            program_name="dragoman",
        )
    except pymysql.err.MySQLError as error:
        raise refusal(target, error) from error
    except (OSError, ValueError, UnicodeError) as error:
        raise ConnectionRefused(
            f"MySQL at {target.host}:{target.port} cannot be reached: {said(error, target.password)}",
            hint="check the address and the TLS settings of the connection",
        ) from error


def begin(connection: Connection, limits: ReadLimits) -> None:
    """Begin a read-only transaction with its limits, a fixed reading of SQL, and UTC."""
    described: Any = connection
    mariadb = "mariadb" in str(described.get_server_info()).lower()
    # The watch stops the read at its deadline; the server does so by itself should we be gone by then.
    seconds = limits.seconds + 1
    most = f"max_statement_time = {seconds:.3f}" if mariadb else f"max_execution_time = {seconds * 1000:.0f}"
    locks = max(1, min(int(limits.seconds), _LOCK_SECONDS))
    run(
        connection,
        f"SET SESSION sql_mode = '{READING_MODE}', time_zone = '+00:00', {most}, "
        f"lock_wait_timeout = {locks}, "
        f"innodb_lock_wait_timeout = {locks}, sql_select_limit = {limits.rows + 1}",
    )
    run(connection, "START TRANSACTION READ ONLY")


def thread_of(connection: Connection) -> int:
    """The number by which the server knows the connection."""
    numbered: Any = connection
    return int(numbered.thread_id())


def run(connection: Connection, statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def refusal(target: MysqlAddress, error: pymysql.err.MySQLError) -> AccessError:
    code = error.args[0] if error.args else None
    text = said(error.args[1] if len(error.args) > 1 else error, target.password)
    where = f"{target.host}:{target.port}"
    match code:
        case Code.LOGIN_DENIED | Code.LOGIN_WITHOUT_PASSWORD | Code.OLD_LOGIN:
            return AuthenticationFailed(
                f"MySQL at {where} refused the login of {target.user}: {text}",
                hint="check the user and the password of the connection",
            )
        case Code.UNKNOWN_DATABASE | Code.DATABASE_DENIED:
            return DatabaseNotFound(
                f"MySQL at {where} has no database {target.database} for {target.user}",
                hint="check the name of the database and the rights of the user",
            )
        case Code.HOST_SILENT | Code.HOST_LOST | Code.HOST_GONE:
            return ConnectionRefused(
                f"MySQL at {where} cannot be reached: {text}",
                hint="check the host and the port, and that the server runs",
            )
        case _:
            return DriverFailed(
                f"MySQL at {where} refused the connection: {text}", hint="see the server's log"
            )


def _context(target: MysqlAddress) -> ssl.SSLContext | None:
    match target.tls:
        case Tls.OFF | Tls.PREFERRED:
            return None
        case Tls.REQUIRED:
            return _unverified()
        case Tls.VERIFIED_CA | Tls.VERIFIED:
            context = ssl.create_default_context(cafile=target.ca_file)
            context.check_hostname = target.tls is Tls.VERIFIED
            return context


def _unverified() -> ssl.SSLContext:
    """For a line that is encrypted, whoever the server is."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
