"""Questions over real databases: which of them are asked, and what their answers are."""

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Statement
from dragoman.contracts.query import Query, ReadLimits
from dragoman.contracts.schema import DatabaseSchema, Dialect
from dragoman.databases.access import DatabaseReader, open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.values import ValueIndex, read_values
from dragoman.tables.catalog import TableCatalog, table_catalog

Rows = list[tuple[object, ...]]
LIMITS: Final = ReadLimits(rows=20_000, seconds=5.0)
FIFTHS: Final = 5

_JOIN = re.compile(r"\bjoin\b")
_SET = re.compile(r"\b(?:union|intersect|except)\b")


class Asked(NamedTuple):
    """A question, its other wording, the query that answers it, and where it stands in a conversation."""

    database: str
    question: str
    otherwise: str
    sql: str
    dialog: int = 0
    turn: int = 0


def is_held_out(database: str) -> bool:
    return int(hashlib.sha256(database.encode()).hexdigest(), 16) % FIFTHS == 0


def is_plain(sql: str) -> bool:
    """At most one join, no nesting, no set operation."""
    low = sql.lower()
    return low.count("select") == 1 and len(_JOIN.findall(low)) <= 1 and not _SET.search(low)


def questions(folder: Path, *, held: bool, turns: bool = False) -> list[Asked]:
    """The questions of one part, in the order of the file; or the turns of conversations."""
    name = "cosql_train.jsonl" if turns else "spider_train.jsonl"
    found: list[Asked] = []
    for line in (folder / name).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if (
            is_held_out(row["db_id"]) is not held
            or not (folder / "databases" / f"{row['db_id']}.sqlite").exists()
        ):
            continue
        found.append(
            Asked(
                row["db_id"],
                row["question"],
                row.get("question_syn", ""),
                row["sql"],
                row.get("dialog", 0),
                row.get("turn", 0),
            )
        )
    return found


class Opened:
    """One database, opened as the product opens it."""

    def __init__(self, path: Path) -> None:
        self.reader: DatabaseReader = open_reader(SqliteTarget(path))
        self.schema: DatabaseSchema = discover(self.reader, "sqlite")
        self.tables: TableCatalog = table_catalog(self.schema)
        self.values: ValueIndex = read_values(self.reader, self.schema)
        self._gold: dict[str, Rows | None] = {}

    def gold(self, sql: str) -> Rows | None:
        """The rows of the gold query; None where it does not run."""
        if sql not in self._gold:
            self._gold[sql] = self._run(Query(sql))
        return self._gold[sql]

    def answer(self, statement: Statement) -> Rows | None:
        compiled = self.tables.compile(statement, Dialect.SQLITE)
        return None if isinstance(compiled, tuple) else self._run(compiled.query)

    def count(self, statement: Statement) -> int | None:
        """How many rows a statement gives; None where it does not run."""
        rows = self.answer(statement)
        return None if rows is None else len(rows)

    def _run(self, query: Query) -> Rows | None:
        try:
            return list(self.reader.read(query, LIMITS).rows)
        except DragomanError:
            return None

    def close(self) -> None:
        self.reader.close()


def opened_each(folder: Path, names: list[str]) -> Iterator[tuple[str, Opened]]:
    for name in names:
        database = Opened(folder / "databases" / f"{name}.sqlite")
        try:
            yield name, database
        finally:
            database.close()
