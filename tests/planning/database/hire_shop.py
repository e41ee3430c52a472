"""A small database of our own: a hire shop, what it hires out, to whom, and by whom."""

import datetime as dt
import sqlite3
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Final

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Statement
from dragoman.contracts.query import Value
from dragoman.contracts.schema import DatabaseSchema, Dialect, ValueType
from dragoman.databases.access import DatabaseReader, open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.values import read_values
from dragoman.language.verbs.printer import print_program
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.planning.message_periods import day_spans, period_in_hand
from dragoman.planning.tables.table_planner import TablePlanner
from dragoman.planning.tables.table_reading import TableReading
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.periods import PeriodMention
from dragoman.tables.catalog import TableCatalog, table_catalog

TODAY: Final = dt.date(2024, 1, 15)
SCRIPT: Final = """
CREATE TABLE category (category_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO category VALUES (1, 'Ladders'), (2, 'Power tools'), (3, 'Garden'), (4, 'Party');
CREATE TABLE item (item_id INTEGER PRIMARY KEY, name TEXT,
  category_id INTEGER REFERENCES category(category_id), daily_price DECIMAL(8,2), weight_kg REAL,
  length_mm INTEGER, is_retired BOOLEAN, bought_on DATE);
INSERT INTO item VALUES (1, 'Step ladder', 1, 8.00, 6.5, 1800, 0, '2020-02-10'),
  (2, 'Roof ladder', 1, 15.00, 18, 4200, 0, '2021-06-01'),
  (3, 'Hammer drill', 2, 20.00, 4.2, 400, 0, '2022-03-15'),
  (4, 'Belt sander', 2, 18.50, 5.1, 450, 1, '2019-09-09'),
  (5, 'Lawn mower', 3, 25.00, 32, 1500, 0, '2022-05-05'),
  (6, 'Hedge trimmer', 3, 12.00, 3.8, 1100, 0, '2023-04-20'),
  (7, 'Chainsaw', 3, 30.00, 6, 900, 0, '2021-11-11');
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, city TEXT,
  email TEXT, joined_on DATE, is_company BOOLEAN);
INSERT INTO customer VALUES (1, 'Nora', 'Blum', 'Leeds', 'nora@x.org', '2021-01-15', 0),
  (2, 'Piet', 'Vos', 'York', NULL, '2021-03-02', 1),
  (3, 'Maya', 'Rao', 'Leeds', 'maya@x.org', '2022-07-19', 0),
  (4, 'Jonas', 'Eder', 'Hull', 'jonas@x.org', '2022-09-30', 1),
  (5, 'Lina', 'Costa', 'York', NULL, '2023-02-11', 0),
  (6, 'Omar', 'Haddad', 'Leeds', 'omar@x.org', '2023-05-05', 0);
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, job_title TEXT,
  salary INTEGER, hired_on DATE, manager_id INTEGER REFERENCES staff(staff_id));
INSERT INTO staff VALUES (1, 'Greta', 'Holm', 'owner', 52000, '2015-04-01', NULL),
  (2, 'Ivo', 'Brandt', 'clerk', 31000, '2018-06-15', 1),
  (3, 'Tess', 'Moran', 'clerk', 29500, '2020-10-01', 1),
  (4, 'Karl', 'Dunne', 'mechanic', 36000, '2019-01-07', 1),
  (5, 'Anja', 'Weiss', 'apprentice', 19000, '2022-08-22', 4);
CREATE TABLE booking (booking_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(customer_id),
  staff_id INTEGER REFERENCES staff(staff_id), booked_on DATE, returned_on DATE, status TEXT,
  deposit DECIMAL(8,2));
INSERT INTO booking VALUES (1, 1, 2, '2022-03-01', '2022-03-05', 'closed', 50),
  (2, 2, 2, '2022-03-20', '2022-04-28', 'closed', 100), (3, 1, 3, '2022-05-14', '2022-06-02', 'closed', 0),
  (4, 3, 2, '2022-08-09', '2022-08-10', 'closed', 40), (5, 4, 3, '2023-01-25', '2023-02-03', 'closed', 80),
  (6, 2, 2, '2023-03-11', NULL, 'open', 120), (7, 3, 4, '2023-03-30', '2023-04-02', 'closed', 30),
  (8, 6, 2, '2023-05-21', NULL, 'open', 60), (9, 1, 3, '2023-06-17', NULL, 'cancelled', 0);
CREATE TABLE booking_line (line_id INTEGER PRIMARY KEY, booking_id INTEGER REFERENCES booking(booking_id),
  item_id INTEGER REFERENCES item(item_id), quantity INTEGER, unit_price DECIMAL(8,2));
INSERT INTO booking_line VALUES (1, 1, 1, 2, 8), (2, 1, 3, 1, 20), (3, 2, 5, 3, 25), (4, 2, 7, 2, 30),
  (5, 3, 2, 1, 15), (6, 4, 6, 4, 12), (7, 5, 3, 2, 20), (8, 5, 1, 1, 8), (9, 6, 7, 5, 30), (10, 7, 5, 1, 25),
  (11, 7, 6, 2, 12), (12, 8, 2, 3, 14), (13, 9, 1, 1, 8);
"""


def make(path: Path, script: str = SCRIPT) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.commit()
    connection.close()
    return path


class HireShop:
    """The database, opened as the product opens it."""

    script = SCRIPT

    def __init__(self, path: Path) -> None:
        self.reader: DatabaseReader = open_reader(SqliteTarget(make(path, self.script)))
        self.schema: DatabaseSchema = discover(self.reader, "sqlite")
        self.tables: TableCatalog = table_catalog(self.schema)
        values = read_values(self.reader, self.schema)
        self.frames = QuestionPlanner(self.tables, self.schema, values)
        phrases = TablePlanner(self.tables, self.schema, values)
        self.planner = JointPlanner(self.frames, phrases, values, self._count)

    def _count(self, statement: Statement) -> int | None:
        """How many rows a statement gives; None where the database refuses it."""
        try:
            return len(self.rows(statement))
        except DragomanError:
            return None

    def readings(self, text: str, previous: Statement | None = None) -> tuple[TableReading, ...]:
        periods = periods_in(text)
        spans = day_spans(periods, period_in_hand(() if previous is None else (previous,)))
        return self.planner.readings(text, previous, spans, periods, TODAY)

    def asked(self, text: str, previous: Statement | None = None) -> Statement:
        """The statement of the best reading."""
        return self.readings(text, previous)[0].statement

    def written(self, statement: Statement) -> str:
        """A statement on one line."""
        return " ".join(print_program((statement,)).split())

    def rows(self, statement: Statement) -> list[str]:
        """The rows that a statement gives, as they are written by hand."""
        compiled = self.tables.compile(statement, Dialect.SQLITE)
        assert not isinstance(compiled, tuple), compiled
        types = [column.type for column in compiled.columns]
        rows = self.reader.read(compiled.query).rows
        return [" | ".join(map(plain, row, types)) for row in rows]


def periods_in(text: str) -> Sequence[PeriodMention]:
    return period_grammar().find(text)


def plain(cell: Value, kind: ValueType) -> str:
    """A cell as it is written by hand: a figure with no more than six digits."""
    if cell is None:
        return "-"
    if isinstance(cell, float | Decimal) or kind is ValueType.DECIMAL:
        return f"{float(str(cell)):g}"
    return str(cell)
