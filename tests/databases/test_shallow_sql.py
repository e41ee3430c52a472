"""A figure held against figures held against figures: SQLite reads it, however deep it is."""

import sqlite3
from pathlib import Path

from sqlglot import parse_one

from dragoman.contracts.schema import Dialect
from dragoman.databases.access import open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.shallow_sql import shallow
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.tables.catalog import table_catalog

# A table may be called as a step would be.
SCRIPT = """
CREATE TABLE step1 (id INTEGER PRIMARY KEY, size INTEGER, age INTEGER);
INSERT INTO step1 VALUES (1, 10, 1), (2, 20, 2), (3, 30, 3), (4, 40, 10);
CREATE TABLE sales (id INTEGER PRIMARY KEY, thing_id INTEGER REFERENCES step1(id), pieces INTEGER);
INSERT INTO sales VALUES (1, 1, 5), (2, 3, 7), (3, 4, 11), (4, 4, 13);
"""


def _nested(deep: int) -> str:
    above = '(step1.average :of "size")'
    for _ in range(deep):
        above = f'(step1.average :of "size" :where {{:age {{:at-most 100}} :size {{:above {above}}}}})'
    return f'(sales.sum :of "pieces" :where {{:thing {{:size {{:above {above}}}}}}})'


def test_figures_within_figures_are_read(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "deep.sqlite")
    connection.executescript(SCRIPT)
    connection.close()
    with open_reader(SqliteTarget(tmp_path / "deep.sqlite")) as reader:
        tables = table_catalog(discover(reader, "sqlite"))
        found = []
        for deep in range(3):
            compiled = tables.compile(read_verbs(Source(_nested(deep))).statements[0], Dialect.SQLITE)
            assert not isinstance(compiled, tuple), compiled
            found.append([tuple(row) for row in reader.read(compiled.query).rows])
    # Above 25, above the 35 of those, above the 40 of those.
    assert found == [[(31,)], [(24,)], [(None,)]]


def test_what_is_not_deep_stays_as_it_is() -> None:
    sql = 'SELECT "q"."n" FROM (SELECT COUNT(*) AS "n" FROM "a") AS "q"'
    assert shallow(parse_one(sql, read="sqlite")).sql(dialect="sqlite") == sql
