"""Connections as they are written, and as they are when every variable has its value."""

from enum import StrEnum
from pathlib import Path

from dragoman.contracts.program import Span
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect


class Transport(StrEnum):
    """How a source is reached."""

    FILE = "file"
    SERVER = "server"
    REST = "rest"


class SecretText:
    """A text that is not shown by accident: not by `repr`, not in an error, not in a record on the wire."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "SecretText(…)"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SecretText) and other._text == self._text

    def __hash__(self) -> int:
        return hash(self._text)


class ConnectionSpec(Record, frozen=True):
    """A connection as it is written. Every text in it may have `${VARIABLES}`; a port is still text.

    `url` is only kept where it begins with a variable: then nothing else is known before that has a value.
    """

    family: str | None
    alias: str = ""
    transport: Transport = Transport.FILE
    path: str = ""
    host: str = ""
    port: str = ""
    user: str = ""
    password: SecretText | None = None
    database: str = ""
    url: SecretText | None = None
    options: tuple[tuple[str, str], ...] = ()
    default: bool = False
    description: str = ""
    span: Span | None = None

    @property
    def name(self) -> str:
        """The name that is never ambiguous; the alias alone where the family is not known yet."""
        return f"@{self.family}.{self.alias}" if self.family is not None else f"@{self.alias}"


class ResolvedConnection(Record, frozen=True):
    """Where a connection leads. `host` is still to be judged by `refuse_address` right before connecting."""

    family: str
    dialect: Dialect
    transport: Transport
    alias: str = ""
    host: str = ""
    port: int = 0
    user: str = ""
    password: SecretText | None = None
    database: str = ""
    path: Path | None = None
    options: tuple[tuple[str, str], ...] = ()

    def option(self, name: str, otherwise: str = "") -> str:
        return dict(self.options).get(name, otherwise)
