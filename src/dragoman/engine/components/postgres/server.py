"""The way to a PostgreSQL server: one address for both the driver and the scanner, with the same settings.

What a session is told at its start holds for every connection that the scanner makes, also after it has reset
one of them. A pooler may refuse to be told, or forget: then each session has to be told by itself.
"""

import math
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import duckdb
import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from dragoman.contracts.errors import EngineError, RunCancelled, RunLimitExceeded, StepRefused
from dragoman.databases.connections import refuse_address, target_of
from dragoman.databases.families.postgres.marks import session_name
from dragoman.databases.families.postgres.target import PostgresTarget
from dragoman.engine.component import Config, StepContext
from dragoman.engine.components.postgres.faults import Side, driver_fault
from dragoman.engine.time_limit import time_over

CONNECT_SECONDS = 10
LOCK_SECONDS = 10
_AGAIN_SECONDS = 0.3
_LOSS_CHECKED = "2s"
_UNKNOWN_OPTION = "unsupported startup parameter"

_SETTINGS = {
    "standard_conforming_strings": "on",
    "TimeZone": "UTC",
    "DateStyle": "ISO,YMD",
    "IntervalStyle": "iso_8601",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    # The whole result is wanted, not its beginning soon.
    "cursor_tuple_fraction": "1.0",
}

Connection = psycopg.Connection[tuple[object, ...]]


class Server:
    """Where a step reads or writes. `name` is how its sessions are known on the server, and no others."""

    def __init__(self, target: PostgresTarget, side: Side, context: StepContext) -> None:
        self.target = target
        self.side = side
        self.name = session_name(context.mark)
        self._limits = context.limits
        self.keeps_settings = True
        """Whether sessions begin with the settings of the address. It is known after the first `connect`."""
        self.notices_loss = False
        """Whether sessions can end a query when whoever asked it is gone: from version 14, and not on every
        system. It is known after the first `connect`."""

    @property
    def address(self) -> str:
        """For libpq. It holds the password."""
        return self._address(self.settings if self.keeps_settings else {})

    @property
    def settings(self) -> dict[str, str]:
        settings = dict(_SETTINGS)
        if self.side is Side.SOURCE:
            settings["default_transaction_read_only"] = "on"
        else:
            settings["lock_timeout"] = f"{LOCK_SECONDS}s"
        if self._limits.seconds is not None:
            settings["statement_timeout"] = str(math.ceil(self._limits.seconds * 1000))
        if self.notices_loss:
            settings["client_connection_check_interval"] = _LOSS_CHECKED
        # Temporary objects last: they would otherwise be found before those of the same name.
        path = (*self.target.schemas, "pg_temp")
        settings["search_path"] = ",".join(sql.Identifier(schema).as_string() for schema in path)
        return settings

    def connect(self) -> Connection:
        """A session in which each statement is a transaction of its own, unless it is told otherwise."""
        try:
            return self._connected()
        except psycopg.Error as error:
            raise self.fault(error) from error

    def _connected(self) -> Connection:
        try:
            connection = psycopg.connect(self.address, autocommit=True, prepare_threshold=None)
        except psycopg.OperationalError as error:
            if not self.keeps_settings or _UNKNOWN_OPTION not in str(error):
                raise
            self.keeps_settings = False
            connection = psycopg.connect(self.address, autocommit=True, prepare_threshold=None)
        found = connection.execute("SELECT pg_catalog.current_setting('IntervalStyle')").fetchone()
        if found != (_SETTINGS["IntervalStyle"],):
            self.keeps_settings = False
        if not self.keeps_settings:
            connection.execute(telling(self.settings).encode())
        elif not self.notices_loss:
            with suppress(psycopg.Error):
                connection.execute(telling({"client_connection_check_interval": _LOSS_CHECKED}).encode())
                self.notices_loss = True
        return connection

    def fault(self, error: psycopg.Error | duckdb.Error, doing: str = "") -> EngineError:
        found = driver_fault(error, self.side, self.where, self.target.password, doing)
        return time_over(self._limits) if isinstance(found, RunLimitExceeded) else found

    @property
    def where(self) -> str:
        return f"{self.target.host}:{self.target.port}"

    @contextmanager
    def stoppable(self, context: StepContext) -> Iterator[None]:
        """While the block runs, a wish to cancel stops what this step's sessions do on the server."""
        if context.cancel.cancelled:
            raise cancelled()
        over = threading.Event()

        def stop() -> None:
            threading.Thread(target=self._stop, args=(context, over), daemon=True).start()

        try:
            with context.cancel.told_to(stop):
                yield
        finally:
            over.set()

    def _stop(self, context: StepContext, over: threading.Event) -> None:
        # A statement can begin right after the one that was stopped.
        while not over.is_set():
            context.lane.interrupt()
            with (
                suppress(psycopg.Error),
                psycopg.connect(self._address({}, "dragoman"), autocommit=True) as line,
            ):
                while not over.wait(_AGAIN_SECONDS):
                    context.lane.interrupt()
                    line.execute(_STOP, {"name": self.name})
            over.wait(_AGAIN_SECONDS)

    def _address(self, settings: Mapping[str, str], name: str = "") -> str:
        target = self.target
        return make_conninfo(
            "",
            host=target.host,
            port=target.port,
            user=target.user,
            password=target.password or None,
            dbname=target.database,
            sslmode=target.tls.value,
            sslrootcert=str(target.ca_file) if target.ca_file else None,
            connect_timeout=CONNECT_SECONDS,
            client_encoding="UTF8",
            application_name=name or self.name,
            options=" ".join(f"-c {key}={_escaped(value)}" for key, value in settings.items()),
        )


_STOP = """
    SELECT pg_catalog.pg_cancel_backend(pid) FROM pg_catalog.pg_stat_activity
    WHERE application_name = %(name)s AND pid <> pg_catalog.pg_backend_pid()
"""


def server_of(config: Config, side: Side, context: StepContext) -> Server:
    """Where the connection of a step leads. Raises StepRefused where that is not PostgreSQL."""
    alias = str(config["connection"])
    connection = context.connect(alias)
    target = target_of(connection)
    if not isinstance(target, PostgresTarget):
        raise StepRefused(
            f"{alias} is not a PostgreSQL database", hint="name a connection of the family postgres"
        )
    refuse_address(connection.host)
    return Server(target, side, context)


def telling(settings: Mapping[str, str]) -> str:
    """A query that tells a session its settings, for as long as it lasts."""
    told = (
        f"pg_catalog.set_config({sql.Literal(name).as_string()}, {sql.Literal(value).as_string()}, false)"
        for name, value in settings.items()
    )
    return f"SELECT {', '.join(f'{each} AS s{i}' for i, each in enumerate(told))}"


def cancelled() -> RunCancelled:
    return RunCancelled("the run was cancelled")


def _escaped(value: str) -> str:
    """A value among the options of a session, where blanks and backslashes have a meaning."""
    return value.replace("\\", "\\\\").replace(" ", "\\ ")
