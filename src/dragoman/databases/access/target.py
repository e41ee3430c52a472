"""What the targets of several families share: how far they insist on encryption, and how they are shown."""

from enum import StrEnum
from pathlib import Path

from dragoman.contracts.connection import ResolvedConnection
from dragoman.contracts.errors import WriteUnsupported

HIDDEN = "…"


class Tls(StrEnum):
    """How far a connection insists on encryption. The values are the names PostgreSQL has for them."""

    OFF = "disable"
    PREFERRED = "prefer"
    REQUIRED = "require"
    """Encrypted, whoever the server is."""
    VERIFIED_CA = "verify-ca"
    VERIFIED = "verify-full"
    """Encrypted, and the server has shown that the name is its own."""


def tls_of(connection: ResolvedConnection) -> tuple[Tls, Path | None]:
    """What a connection's options say about encryption: how far, and the file with its authorities."""
    authorities = connection.option("sslrootcert")
    return Tls(connection.option("sslmode", Tls.PREFERRED)), Path(authorities) if authorities else None


def secret_of(connection: ResolvedConnection) -> str:
    return connection.password.reveal() if connection.password is not None else ""


def shown(kind: str, user: str, password: str, host: str, port: int, database: str) -> str:
    """A server's address for people: that there is a password, never which."""
    secret = f":{HIDDEN}" if password else ""
    return f"{kind}({user}{secret}@{host}:{port}/{database})"


def only_read() -> WriteUnsupported:
    """Why a source cannot be changed in a transaction."""
    return WriteUnsupported(
        "this connection is only read", hint="write to SQLite, DuckDB, PostgreSQL or MariaDB"
    )
