"""A small database of our own: orchards, their trees, pickers, harvests and the buyers of the fruit."""

import sqlite3
from pathlib import Path

from dragoman.contracts.program import Statement
from dragoman.contracts.query import Value
from dragoman.contracts.schema import DatabaseSchema, Dialect
from dragoman.databases.access import DatabaseReader, open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.values import read_values
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.tables.catalog import TableCatalog, table_catalog

SCRIPT = """
CREATE TABLE region (code TEXT PRIMARY KEY, name TEXT);
INSERT INTO region VALUES ('N', 'Northern Hills'), ('S', 'Southern Coast'), ('E', 'Eastern Plain');
CREATE TABLE orchard (orchard_id INTEGER PRIMARY KEY, name TEXT, region_code TEXT REFERENCES region(code),
  planted_year INTEGER, hectares REAL);
INSERT INTO orchard VALUES (1, 'Larkfield', 'N', 1988, 12.5), (2, 'Millbrook', 'S', 2003, 30),
  (3, 'Stonegate', 'S', 1975, 8), (4, 'Willow End', 'E', 2011, 21.5);
CREATE TABLE picker (picker_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, email TEXT,
  hire_date DATE, hourly_wage DECIMAL(6,2), orchard_id INTEGER REFERENCES orchard(orchard_id),
  boss_id INTEGER REFERENCES picker(picker_id), active INTEGER);
INSERT INTO picker VALUES (1, 'Berta', 'Quill', 'b@x.org', '2012-04-01', 21.00, 1, NULL, 1),
  (2, 'Tomas', 'Fenn', 't@x.org', '2019-05-20', 15.50, 1, 1, 1),
  (3, 'Ines', 'Moor', NULL, '2021-06-11', 14.00, 2, 1, 0),
  (4, 'Ruth', 'Ash', 'r@x.org', '2017-08-30', 17.25, 3, 1, 1),
  (5, 'Oleg', 'Pine', 'o@x.org', '2022-03-03', 13.75, 2, 4, 1);
CREATE TABLE fruit (fruit_id INTEGER PRIMARY KEY, name TEXT, colour TEXT);
INSERT INTO fruit VALUES (1, 'Apple', 'red'), (2, 'Pear', 'green'), (3, 'Plum', 'purple'),
  (4, 'Quince', 'yellow');
CREATE TABLE harvest (harvest_id INTEGER PRIMARY KEY, picker_id INTEGER REFERENCES picker(picker_id),
  fruit_id INTEGER REFERENCES fruit(fruit_id), picked_on DATE, weight_kg REAL, spoiled_kg REAL);
INSERT INTO harvest VALUES (1, 1, 1, '2022-09-01', 120, 4), (2, 1, 2, '2022-09-14', 80.5, 2),
  (3, 2, 1, '2022-10-02', 60, 9), (4, 3, 3, '2023-08-19', 45, 1), (5, 4, 1, '2023-09-03', 150, 12),
  (6, 4, 2, '2023-09-21', 70, 0), (7, 5, 3, '2023-08-25', 33, 3), (8, 2, 1, '2023-10-10', 95, 5),
  (9, 1, 1, '2023-09-05', 130, 6);
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, harvest_id INTEGER REFERENCES harvest(harvest_id),
  buyer TEXT, sold_on DATE, amount DECIMAL(9,2));
INSERT INTO sale VALUES (1, 1, 'Juice Works', '2022-09-10', 240), (2, 2, 'Market Hall', '2022-09-20', 190.50),
  (3, 3, 'Juice Works', '2022-10-09', 100), (4, 5, 'Market Hall', '2023-09-08', 320),
  (5, 6, 'Corner Shop', '2023-09-25', 160), (6, 8, 'Juice Works', '2023-10-20', 175);
"""


def make(path: Path) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript(SCRIPT)
    connection.commit()
    connection.close()
    return path


class Orchard:
    """The database, opened as the product opens it."""

    def __init__(self, path: Path) -> None:
        self.reader: DatabaseReader = open_reader(SqliteTarget(make(path)))
        self.schema: DatabaseSchema = discover(self.reader, "sqlite")
        self.tables: TableCatalog = table_catalog(self.schema)
        self.planner = QuestionPlanner(self.tables, self.schema, read_values(self.reader, self.schema))

    def rows(self, statement: Statement) -> list[tuple[Value, ...]]:
        compiled = self.tables.compile(statement, Dialect.SQLITE)
        assert not isinstance(compiled, tuple), compiled
        return list(self.reader.read(compiled.query).rows)
