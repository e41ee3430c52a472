"""Names that say nothing of rows: of the whole database, of headers, of numbers that only order."""

import datetime as dt
import sqlite3
from pathlib import Path

import pytest

from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect
from dragoman.databases.access import open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.values import read_values
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.tables.catalog import table_catalog

_SCRIPT = """
CREATE TABLE mill_bakers (baker_id INTEGER PRIMARY KEY, name TEXT, style_mark INTEGER);
INSERT INTO mill_bakers VALUES (1, 'Ruta', 0), (2, 'Emil', 0), (3, 'Sanna', 0);
CREATE TABLE mill_parcel_header (parcel_id INTEGER PRIMARY KEY,
  baker_id INTEGER REFERENCES mill_bakers(baker_id), sent_to TEXT, sent_date DATE, status INTEGER);
INSERT INTO mill_parcel_header VALUES (1, 1, 'Bergen', '2023-01-05', 5), (2, 1, 'Bergen', NULL, 2),
  (3, 1, 'Oslo', '2023-02-05', 5), (4, 2, 'Oslo', '2023-03-05', 5);
CREATE TABLE mill_parcel_fees (parcel_id INTEGER REFERENCES mill_parcel_header(parcel_id),
  fee_sequential INTEGER, fee_type TEXT, fee_value REAL);
INSERT INTO mill_parcel_fees VALUES (1, 1, 'stamp', 4.5), (1, 2, 'cash', 6.5), (3, 1, 'stamp', 5.5);
CREATE TABLE mill_parcel_lines (parcel_id INTEGER REFERENCES mill_parcel_header(parcel_id), flour TEXT);
INSERT INTO mill_parcel_lines VALUES (1, 'rye'), (1, 'oat'), (2, 'rye'), (3, 'rye'), (4, 'oat');
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many parcels are there in total", [(4,)]),
        ("bakers with more than 2 parcels", [("Ruta", 3)]),
        ("parcels by status", [(2, 1), (5, 3)]),
        ("what is the average fee", [(5.5,)]),
    ],
)
def test_a_question_gives_its_rows(tmp_path: Path, question: str, rows: list[tuple[Value, ...]]) -> None:
    path = tmp_path / "mill.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(_SCRIPT)
    connection.commit()
    connection.close()
    reader = open_reader(SqliteTarget(path))
    schema = discover(reader, "sqlite")
    tables = table_catalog(schema)
    planner = QuestionPlanner(tables, schema, read_values(reader, schema))
    statement = planner.readings(question, (), dt.date(2024, 1, 15))[0].statement
    compiled = tables.compile(statement, Dialect.SQLITE)
    assert not isinstance(compiled, tuple), compiled
    found = reader.read(compiled.query).rows
    reader.close()
    assert [tuple(row) for row in found] == rows
