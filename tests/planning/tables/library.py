"""A small database of our own: a library, its members, and what they borrowed."""

import sqlite3
from pathlib import Path

from dragoman.contracts.program import Statement
from dragoman.contracts.query import Value
from dragoman.contracts.schema import DatabaseSchema, Dialect
from dragoman.databases.access import DatabaseReader, open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.values import read_values
from dragoman.planning.tables.table_planner import TablePlanner
from dragoman.tables.catalog import TableCatalog, table_catalog

SCRIPT = """
CREATE TABLE branch (branch_id INTEGER PRIMARY KEY, branch_name TEXT, city TEXT, opening_year INTEGER,
  floor_area REAL);
INSERT INTO branch VALUES (1, 'Harbour', 'Turku', 1978, 420.5), (2, 'Old Mill', 'Tampere', 1931, 910),
  (3, 'Station', 'Turku', 2004, 260), (4, 'Market', 'Oulu', 1999, 530);
CREATE TABLE member (member_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, age INTEGER, gender TEXT,
  home_branch_id INTEGER REFERENCES branch(branch_id), joined_on DATE);
INSERT INTO member VALUES (1, 'Aino', 'Laine', 34, 'F', 1, '2019-03-02'),
  (2, 'Eero', 'Koski', 51, 'M', 2, '2015-07-19'), (3, 'Sanna', 'Mäki', 17, 'F', 1, '2021-01-11'),
  (4, 'Oskar', 'Lind', 51, 'M', 3, '2018-11-30'), (5, 'Helmi', 'Salo', 29, 'F', NULL, '2020-05-05');
CREATE TABLE book (isbn TEXT PRIMARY KEY, title TEXT, author TEXT, genre TEXT, pages INTEGER,
  price DECIMAL(8,2));
INSERT INTO book VALUES ('b1', 'Winter Roads', 'Ilmari Voutila', 'novel', 312, 19.90),
  ('b2', 'Bread at Home', 'Kerttu Aho', 'cooking', 144, 24.00),
  ('b3', 'The Long Ferry', 'Ilmari Voutila', 'novel', 420, 22.50),
  ('b4', 'Knots', 'Paavo Rinne', 'craft', 96, 12.00);
CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, member_id INTEGER REFERENCES member(member_id),
  isbn TEXT REFERENCES book(isbn), loan_date DATE, fine REAL);
INSERT INTO loan VALUES (1, 1, 'b1', '2021-02-01', 0), (2, 1, 'b2', '2021-02-14', 1.5),
  (3, 2, 'b1', '2021-03-01', 0), (4, 3, 'b4', '2021-03-09', 3), (5, 1, 'b3', '2021-04-21', 0),
  (6, 4, 'b1', '2021-05-02', 0.5);
"""


def make(path: Path) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript(SCRIPT)
    connection.commit()
    connection.close()
    return path


class Library:
    """The database, opened as the product opens it."""

    def __init__(self, path: Path) -> None:
        self.reader: DatabaseReader = open_reader(SqliteTarget(make(path)))
        self.schema: DatabaseSchema = discover(self.reader, "sqlite")
        self.tables: TableCatalog = table_catalog(self.schema)
        self.planner = TablePlanner(self.tables, self.schema, read_values(self.reader, self.schema))

    def rows(self, statement: Statement) -> list[tuple[Value, ...]]:
        compiled = self.tables.compile(statement, Dialect.SQLITE)
        assert not isinstance(compiled, tuple), compiled
        return list(self.reader.read(compiled.query).rows)
