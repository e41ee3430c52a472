"""A small company with secrets, the same on every engine: rows and columns that an analyst may not see.

Whatever is hidden is a canary, a value that stands nowhere else.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import duckdb
import psycopg
import pytest

from dragoman.contracts.schema import Dialect
from dragoman.workspace.databases import Databases
from dragoman.workspace.setup import make_from_database

SCRIPT: Final = """
CREATE TABLE department (id INTEGER PRIMARY KEY, name VARCHAR(40), city VARCHAR(40));
CREATE TABLE employee (
  id INTEGER PRIMARY KEY, name VARCHAR(60), region VARCHAR(20), salary INTEGER, note VARCHAR(60),
  department_id INTEGER, twice INTEGER GENERATED ALWAYS AS (salary * 2) VIRTUAL
);
CREATE TABLE task (id INTEGER PRIMARY KEY, title VARCHAR(60), employee_id INTEGER);
INSERT INTO department VALUES (1, 'Sales', 'Ulm'), (2, 'Research', 'Bonn');
INSERT INTO employee (id, name, region, salary, note, department_id) VALUES
  (1, 'Ada North', 'north', 717171, 'canary-note-1', 1),
  (2, 'Bo North', 'north', 727272, 'canary-note-2', 2),
  (3, 'Canary Hidden', 'canary-south', 737373, 'canary-note-3', 1),
  (4, 'Canary Secret', 'canary-south', 747474, 'canary-note-4', 2);
INSERT INTO task VALUES (1, 'Write the report', 1), (2, 'Plan the year', 2), (3, 'Pay the bills', 3);
CREATE VIEW staff AS SELECT id, name, salary, region FROM employee;
CREATE VIEW payroll AS
  SELECT department_id, SUM(salary) AS total, COUNT(*) AS people FROM employee GROUP BY department_id;
CREATE VIEW well_paid AS SELECT id, name FROM employee WHERE salary > 720000;
CREATE VIEW team AS SELECT s.name AS member, d.name AS department
  FROM staff AS s JOIN employee AS e ON s.id = e.id JOIN department AS d ON d.id = e.department_id;
CREATE VIEW cities AS SELECT city FROM department;
"""
WITHOUT_COLUMNS: Final = """
CREATE TABLE department (id INTEGER PRIMARY KEY, name VARCHAR(40), city VARCHAR(40));
CREATE TABLE employee (
  id INTEGER PRIMARY KEY, name VARCHAR(60), region VARCHAR(20), department_id INTEGER
);
CREATE TABLE task (id INTEGER PRIMARY KEY, title VARCHAR(60), employee_id INTEGER);
INSERT INTO department VALUES (1, 'Sales', 'Ulm'), (2, 'Research', 'Bonn');
INSERT INTO employee VALUES
  (1, 'Ada North', 'north', 1), (2, 'Bo North', 'north', 2),
  (3, 'Canary Hidden', 'canary-south', 1), (4, 'Canary Secret', 'canary-south', 2);
INSERT INTO task VALUES (1, 'Write the report', 1), (2, 'Plan the year', 2), (3, 'Pay the bills', 3);
CREATE VIEW staff AS SELECT id, name, region FROM employee;
CREATE VIEW payroll AS SELECT department_id, COUNT(*) AS people FROM employee GROUP BY department_id;
CREATE VIEW team AS SELECT s.name AS member, d.name AS department
  FROM staff AS s JOIN employee AS e ON s.id = e.id JOIN department AS d ON d.id = e.department_id;
CREATE VIEW cities AS SELECT city FROM department;
"""
"""The same company, which never had the hidden columns, nor the view that needs one of them."""
PACK: Final = """\
pack: hr
title: {{en: Staff}}
dialect: {dialect}
connection: "@hr"
policies:
  - {{table: employee, unless: [boss], hide: [salary, note], rows: "region = 'north'"}}
"""
CANARIES: Final = (
    "717171",
    "727272",
    "737373",
    "747474",
    "1454545",
    "1474747",
    "canary",
    "1464646",
    "2929290",
    "1434342",
    "1454544",
    "1474746",
    "1494494",
)
"""What is hidden, twice that, and the sums of it: in small letters, since they are looked for in any case."""
DIALECTS: Final = (
    Dialect.SQLITE,
    Dialect.DUCKDB,
    pytest.param(Dialect.MYSQL, marks=pytest.mark.mariadb),
    pytest.param(Dialect.POSTGRES, marks=pytest.mark.postgres),
)
EXTRACTORS: Final = {
    Dialect.SQLITE: "sqlite.extractor",
    Dialect.DUCKDB: "duckdb.extractor",
    Dialect.MYSQL: "mysql.extractor",
    Dialect.POSTGRES: "postgres.extractor",
}


@dataclass(frozen=True)
class Company:
    """A workspace over the company's database, with the policy."""

    folder: Path
    dialect: Dialect
    run: Callable[[str], None]
    """Any SQL, as its administrator runs it."""

    def seen_by(self, role: str) -> Path:
        """Set who asks."""
        text = f"version: 1\nviewer: {{name: ann, roles: [{role}]}}\n" if role else "version: 1\n"
        (self.folder / "dragoman.yaml").write_text(text, "utf-8")
        return self.folder

    def discover(self) -> None:
        """What was changed in the database is discovered."""
        databases = Databases(self.folder)
        databases.discover(databases.find("@hr"), refresh=True)


@contextmanager
def company(
    dialect: Dialect, folder: Path, request: pytest.FixtureRequest, script: str = SCRIPT
) -> Iterator[Company]:
    """The company on one engine; the analyst asks."""
    with _database(dialect, folder, request) as (url, run), pytest.MonkeyPatch.context() as patch:
        # PostgreSQL keeps what others compute when they read.
        run(script.replace("VIRTUAL", "STORED") if dialect is Dialect.POSTGRES else script)
        work = folder / "work"
        made_of = make_from_database(work, url, alias="hr")
        for variable in made_of.variables:
            patch.setenv(variable, urlsplit(url).password or "")
        (work / "packs" / "hr.yaml").write_text(PACK.format(dialect=dialect.value), "utf-8")
        made = Company(work, dialect, run)
        made.seen_by("analyst")
        yield made


@contextmanager
def _database(
    dialect: Dialect, folder: Path, request: pytest.FixtureRequest
) -> Iterator[tuple[str, Callable[[str], None]]]:
    match dialect:
        case Dialect.SQLITE:
            path = folder / "hr.sqlite"

            def run(sql: str) -> None:
                with closing(sqlite3.connect(path)) as connection:
                    connection.executescript(sql)

            yield str(path), run
        case Dialect.DUCKDB:
            path = folder / "hr.duckdb"

            def run(sql: str) -> None:
                with closing(duckdb.connect(str(path))) as connection:
                    connection.execute(sql)

            yield str(path), run
        case Dialect.MYSQL:
            server = request.getfixturevalue("mariadb_server")
            with server.database() as name:
                yield server.url_of(name), lambda sql: server.query(sql, name) and None
        case Dialect.POSTGRES:
            server = request.getfixturevalue("postgres_server")
            with server.database() as url:

                def run(sql: str) -> None:
                    with psycopg.connect(url, autocommit=True) as connection:
                        connection.execute(sql.encode())

                yield url, run


def canaries_in(*texts: str) -> list[str]:
    """Which secrets stand in what somebody was shown."""
    whole = "\n".join(texts).casefold()
    return [canary for canary in CANARIES if canary in whole]
