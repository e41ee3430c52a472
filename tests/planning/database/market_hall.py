"""A database of our own that keeps its numbers as texts: market halls, their stalls, and what these sold."""

from pathlib import Path
from typing import Final

from dragoman.contracts.program import Statement
from dragoman.databases.access import DatabaseReader, open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.values import read_values
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.said_joint import Said, said_joint
from dragoman.tables.catalog import table_catalog
from dragoman.tables.graph import Graph
from tests.planning.database.hire_shop import HireShop, make

SCRIPT: Final = """
CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, name TEXT, population TEXT, area_m2 TEXT, zip TEXT,
  opened TEXT);
INSERT INTO halls VALUES (1, 'Old Hall', '24000', '1200.5', '01067', '1998'),
  (2, 'Fish Hall', '9500', '800', '01069', '2004'), (3, 'New Hall', '141000', '12000', '01097', '2015');
CREATE TABLE stalls (stall_id INTEGER PRIMARY KEY, name TEXT, hall_id INTEGER REFERENCES halls(hall_id),
  num_of_helpers VARCHAR(9), width TEXT, rating TEXT, phone TEXT, account TEXT, code TEXT, heated TEXT);
INSERT INTO stalls VALUES (1, 'Plum', 1, '9', '2.5', '4.5', '351123456', '20481', '7', '1'),
  (2, 'Rye', 1, '15', '10', '3.9', '351123457', '20482', '12', '0'),
  (3, 'Cod', 2, '120', '3', '4.10', '351123458', '20499', '9', '1'),
  (4, 'Eel', 2, '7', ' 3.25 ', '', '351123459', '20510', '100', '0'),
  (5, 'Moss', 3, '22', '12', '2.75', '351123460', '20511', '8', '1'),
  (6, 'Fern', 3, NULL, '4', '10', '351123461', '20512', '11', '1');
CREATE TABLE takings (taking_id INTEGER PRIMARY KEY, stall_id INTEGER REFERENCES stalls(stall_id),
  taken_on DATE, amount TEXT, fee TEXT);
INSERT INTO takings VALUES (1, 1, '2022-03-01', '90.50', '9'), (2, 1, '2022-03-02', '100', '10'),
  (3, 2, '2022-03-02', '8.25', '1'), (4, 3, '2023-01-01', '1000', '100'), (5, 5, '2023-01-02', '20', '2'),
  (6, 6, '2023-01-05', 'n/a', '0');
"""

TYPES: Final = {
    "population TEXT": "population INTEGER",
    "area_m2 TEXT": "area_m2 DECIMAL(9,2)",
    "num_of_helpers VARCHAR(9)": "num_of_helpers INTEGER",
    "width TEXT": "width DECIMAL(9,2)",
    "rating TEXT": "rating DECIMAL(9,2)",
    "amount TEXT": "amount DECIMAL(9,2)",
    "fee TEXT": "fee INTEGER",
    "' 3.25 ', ''": "3.25, NULL",
    "'n/a'": "NULL",
}
"""What is other where the same numbers are kept as numbers."""


class MarketHall(HireShop):
    """The database, opened as the product opens it. `typed`: its numbers are no texts."""

    def __init__(self, path: Path, *, typed: bool = False) -> None:
        script = SCRIPT
        for text, number in TYPES.items() if typed else ():
            script = script.replace(text, number)
        self.reader: DatabaseReader = open_reader(SqliteTarget(make(path, script)))
        self.schema = discover(self.reader, "sqlite")
        self.tables = table_catalog(self.schema)
        values = read_values(self.reader, self.schema)

        def rows(statement: Statement, graph: Graph) -> int | None:
            return self._count(statement)

        self.planner: JointPlanner = said_joint(self.tables, self.schema, values, Said(), rows)
