"""Names of tables as a step writes them: `users`, `shop.users`, or in quotes where a dot belongs to one."""

import re

from psycopg import sql

from dragoman.contracts.errors import StepRefused
from dragoman.contracts.record import Record

_PART = re.compile(r'"((?:[^"]|"")+)"|([^".]+)')
_LONGEST = 63
"""Bytes; PostgreSQL cuts off what is longer, and would then speak of another table."""


class TableName(Record, frozen=True):
    name: str
    schema: str = ""

    def __str__(self) -> str:
        return f"{self.schema}.{self.name}" if self.schema else self.name

    @property
    def quoted(self) -> str:
        return identifier(self.schema, self.name) if self.schema else identifier(self.name)


def identifier(*names: str) -> str:
    return sql.Identifier(*names).as_string()


def string(text: str) -> str:
    """A text as PostgreSQL reads it, whatever is in it."""
    return sql.Literal(text).as_string()


def read_table_name(text: str) -> TableName:
    """Names are taken as they are written, capital letters and all. Raises StepRefused."""
    parts = list[str]()
    position = 0
    while found := _PART.match(text, position):
        parts.append(found[1].replace('""', '"') if found[1] is not None else found[2])
        position = found.end()
        if position == len(text):
            break
        if text[position] != ".":
            raise _refused(text)
        position += 1
    wrong = any("\0" in part or len(part.encode(errors="replace")) > _LONGEST for part in parts)
    if position != len(text) or not parts or len(parts) > 2 or text.endswith(".") or wrong:
        raise _refused(text)
    return TableName(parts[-1], parts[0] if len(parts) == 2 else "")


def _refused(text: str) -> StepRefused:
    return StepRefused(
        f"{text!r} is not the name of a table", hint="write table or schema.table, each of at most 63 bytes"
    )
