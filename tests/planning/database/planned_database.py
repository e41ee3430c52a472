"""An invented database, opened as the product opens it, and what the planner of frames makes of questions."""

import datetime as dt
import sqlite3
from pathlib import Path
from typing import Final

from dragoman.contracts.query import Value
from dragoman.contracts.schema import DatabaseSchema, Dialect
from dragoman.databases.access import DatabaseReader, open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.values import read_values
from dragoman.language.verbs.printer import print_program
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.reading.period_grammar import period_grammar
from dragoman.tables.catalog import TableCatalog, table_catalog

TODAY: Final = dt.date(2024, 1, 15)


class PlannedDatabase:
    """A database of a script, with its planner."""

    def __init__(self, path: Path, script: str) -> None:
        connection = sqlite3.connect(path)
        connection.executescript(script)
        connection.commit()
        connection.close()
        self.reader: DatabaseReader = open_reader(SqliteTarget(path))
        self.schema: DatabaseSchema = discover(self.reader, "sqlite")
        self.tables: TableCatalog = table_catalog(self.schema)
        self.planner = QuestionPlanner(self.tables, self.schema, read_values(self.reader, self.schema))

    def program(self, question: str) -> str:
        """The best reading, on one line."""
        readings = self.planner.readings(question, period_grammar().find(question), TODAY)
        return " ".join(print_program((readings[0].statement,)).split())

    def rows(self, question: str) -> list[tuple[Value, ...]]:
        """The rows of the best reading."""
        readings = self.planner.readings(question, period_grammar().find(question), TODAY)
        compiled = self.tables.compile(readings[0].statement, Dialect.SQLITE)
        assert not isinstance(compiled, tuple), compiled
        return list(self.reader.read(compiled.query).rows)
