"""The doctor: connects, says what is wrong and how to mend it, and which login would be better."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from dragoman.contracts.connection import ConnectionSpec, ResolvedConnection, Transport
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.family import Family
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.record import Record
from dragoman.databases.addresses import Resolver, is_local, refuse_address
from dragoman.databases.connections.grants import least_privilege
from dragoman.databases.connections.resolution import resolve
from dragoman.databases.connections.trouble import Trouble, trouble_of
from dragoman.databases.families.registry import family, family_of_file, head_of
from dragoman.guards.secrets import scrubbed


class FindingSeverity(StrEnum):
    OK = "ok"
    WARNING = "warning"
    ERROR = "error"


class DoctorFinding(Record, frozen=True):
    code: str
    severity: FindingSeverity
    message: str
    hint: str = ""


class PatientReader(Protocol):
    """What the doctor asks of an open connection."""

    def read(self, query: Query, limits: ReadLimits | None = None) -> ResultSet: ...


Opener = Callable[[ResolvedConnection], AbstractContextManager[PatientReader]]
"""Opens a connection; a `DragomanError` says why it cannot."""

_LIMITS = ReadLimits(rows=10, seconds=10.0)
_SAFE_MODES = frozenset({"require", "verify-ca", "verify-full"})


def doctor(
    spec: ConnectionSpec,
    opener: Opener,
    *,
    folder: Path,
    environment: Mapping[str, str] | None = None,
    resolver: Resolver | None = None,
) -> tuple[DoctorFinding, ...]:
    """Everything that is to say about a connection; one finding that all is well where there is nothing."""
    try:
        connection = resolve(spec, folder, environment)
        if connection.transport is not Transport.FILE:
            refuse_address(connection.host, resolver)
    except DragomanError as error:
        return (_error(error.code, error.message, error.hint),)
    found = tuple(_examined(connection, opener))
    return found or (DoctorFinding("all_well", FindingSeverity.OK, f"{spec.name} answers and can be read"),)


def _examined(connection: ResolvedConnection, opener: Opener) -> Iterator[DoctorFinding]:
    if connection.path is not None and not connection.path.exists():
        yield _error("file_missing", f"there is no {connection.path}", "check the path in connections.yaml")
        return
    kind = family(connection.family)
    held = _other_family(kind, connection.path) if connection.path is not None else None
    if held is not None:
        message = f"{connection.path} holds {held.name}, not {kind.name}"
        yield _error("family_wrong", message, f"write family: {held.name}")
        return
    try:
        with opener(connection) as reader:
            reader.read(Query(kind.alive), _LIMITS)
            yield from _login(connection, kind, reader)
    except DragomanError as error:
        yield _told(trouble_of(error), connection, error)
        return
    yield from _encryption(connection)


def _other_family(own: Family, path: Path) -> Family | None:
    """The family that knows a file as one of its own where the connection's does not."""
    head = head_of(path)
    return None if head is None or own.recognizes(path, head) else family_of_file(path)


def _encryption(connection: ResolvedConnection) -> Iterator[DoctorFinding]:
    mode = connection.option("sslmode", "prefer")
    if connection.transport is not Transport.SERVER or mode in _SAFE_MODES or is_local(connection.host):
        return
    message = f"what goes to {connection.host} may be read on its way: encryption is {_said(mode)}"
    yield DoctorFinding(
        "tls_off", FindingSeverity.WARNING, message, "write options: {sslmode: require}, better verify-full"
    )


def _said(mode: str) -> str:
    return "off" if mode == "disable" else "only taken if the server offers it"


def _login(connection: ResolvedConnection, kind: Family, reader: PatientReader) -> Iterator[DoctorFinding]:
    """Whether the login may do more than read. That this cannot be asked is no fault of the connection."""
    secret = connection.password.reveal() if connection.password is not None else ""
    if connection.transport is Transport.REST and kind.rules_all(secret):
        message = (
            "the key rules over the whole project, whatever its policies say; Dragoman only needs to read"
        )
        hint = "use the publishable key, and policies that let it read what should be read"
        yield DoctorFinding("login_may_write", FindingSeverity.WARNING, message, hint)
    if connection.transport is not Transport.SERVER or not kind.may_write:
        return
    try:
        may_write = bool(reader.read(Query(kind.may_write), _LIMITS).rows[0][0])
    except DragomanError:
        return
    if may_write:
        message = f"the login {connection.user} may change the database; Dragoman only needs to read it"
        hint = f"make a login that can only read:\n{least_privilege(connection)}"
        yield DoctorFinding("login_may_write", FindingSeverity.WARNING, message, hint)


def _told(trouble: Trouble, connection: ResolvedConnection, error: DragomanError) -> DoctorFinding:
    where = f"{connection.host}:{connection.port}" if connection.host else str(connection.path)
    match trouble:
        case Trouble.UNREACHABLE:
            return _error(
                "server_unreachable",
                f"nothing answers at {where}",
                "check host and port, that the server runs, and that no firewall stands between",
            )
        case Trouble.PASSWORD if connection.transport is Transport.REST:
            return _error(
                "login_refused",
                f"the project at {where} refuses the key",
                "check the variable that holds the key",
            )
        case Trouble.PASSWORD:
            return _error(
                "login_refused",
                f"the server at {where} refuses the login {connection.user}",
                "check user and the variable that holds the password",
            )
        case Trouble.DATABASE:
            return _error(
                "database_missing",
                f"there is no database {connection.database or where} that this login can use",
                "check its name, and that the login may connect to it",
            )
        case Trouble.ENCRYPTION:
            return _error(
                "tls_failed",
                f"{where} and this machine do not agree on encryption: {_shown(error, connection)}",
                "check sslmode and sslrootcert under options",
            )
        case Trouble.BUSY:
            return _error("database_busy", f"somebody else holds {where}", "try again when it is free")
        case Trouble.NO_DATABASE:
            return _error(
                "not_a_database",
                f"{where} is not what its name says: {_shown(error, connection)}",
                "check the file, and the family in connections.yaml",
            )
        case Trouble.OTHER:
            return _error(
                "connection_failed", _shown(error, connection), error.hint or "check the connection"
            )


def _shown(error: DragomanError, connection: ResolvedConnection) -> str:
    """What a driver says, without the password should it be said there."""
    secret = connection.password.reveal() if connection.password is not None else ""
    return scrubbed(error.message.replace(secret, "…") if secret else error.message)


def _error(code: str, message: str, hint: str) -> DoctorFinding:
    return DoctorFinding(code, FindingSeverity.ERROR, message, hint)
