"""What a project says about itself: its tables, their columns and keys, out of its OpenAPI description."""

import re

import msgspec

from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import DriverFailed
from dragoman.contracts.record import Record
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.native_types import value_type

_NOTE = re.compile(r"(?:\A|\n\n)Note:\n(?!.*\n\nNote:\n)", re.DOTALL)
_PRIMARY = "<pk/>"
_FOREIGN = re.compile(r"<fk table='(.*?)' column='(.*?)'/>")


class RestColumn(Record, frozen=True):
    name: str
    native: str
    type: ValueType
    nullable: bool = True
    comment: str = ""
    values: tuple[str, ...] = ()
    """The words of an enumeration."""
    points_at: tuple[str, str] | None = None
    """The table and the column of the same schema that it is a foreign key to."""


class RestTable(Record, frozen=True):
    schema: str
    name: str
    columns: tuple[RestColumn, ...]
    primary_key: tuple[str, ...] = ()
    comment: str = ""

    def column(self, name: str) -> RestColumn | None:
        return next((each for each in self.columns if each.name == name), None)


class _Property(msgspec.Struct):
    format: str = ""
    type: str | list[str] = ""
    description: str = ""
    enum: list[object] = []


class _Definition(msgspec.Struct):
    properties: dict[str, _Property] = {}
    required: list[str] = []
    description: str = ""


class _Document(msgspec.Struct):
    definitions: dict[str, _Definition] = {}


def read_description(body: bytes, schema: str) -> dict[str, RestTable]:
    """The tables of one schema by their names. Raises DriverFailed."""
    try:
        document = decoded(body, _Document)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DriverFailed(
            "the project does not describe itself as PostgREST does", hint="check the address of the project"
        ) from error
    return {name: _table(schema, name, told) for name, told in document.definitions.items()}


def _table(schema: str, name: str, told: _Definition) -> RestTable:
    required = frozenset(told.required)
    columns, key = list[RestColumn](), list[str]()
    for column, each in told.properties.items():
        comment, notes = _parted(each.description)
        if _PRIMARY in notes:
            key.append(column)
        foreign = _FOREIGN.search(notes)
        columns.append(
            RestColumn(
                column,
                each.format or "text",
                ValueType.TEXT if each.enum else value_type(Dialect.POSTGRES, each.format),
                column not in required,
                comment,
                tuple(word for word in each.enum if isinstance(word, str)),
                (foreign[1], foreign[2]) if foreign else None,
            )
        )
    return RestTable(schema, name, tuple(columns), tuple(key), told.description)


def _parted(description: str) -> tuple[str, str]:
    """A comment that somebody wrote, and the notes that PostgREST put after it."""
    found = _NOTE.search(description)
    if found is None:
        return description, ""
    return description[: found.start()], description[found.end() :]
