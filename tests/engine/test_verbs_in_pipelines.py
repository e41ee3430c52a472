"""Verbs of tables at the beginning of a pipeline: the same rows from every engine, whatever is asked with."""

import json
from pathlib import Path

import duckdb
import psycopg
import pymysql
import pytest

from tests.engine.test_pairs import mysql_options
from tests.engine.workspaces import make_workspace, said, said_json
from tests.servers import MariadbServer

TEXTS = (
    "plain",
    "it's",
    'quo"te',
    "back\\slash",
    "\\",
    "\\'",
    "a\nb",
    "%s",
    "--",
    "; DROP TABLE t",
    "?",
    "😀",
    ":x",
    "$1",
)
ROWS = [(number, text, f"{number}.50", f"2020-01-{number + 1:02}") for number, text in enumerate(TEXTS)]
DDL = "CREATE TABLE things (id INT PRIMARY KEY, name VARCHAR(60), price DECIMAL(8,2), day DATE)"


@pytest.fixture(params=["sqlite", "duckdb", "mysql", "postgres"])
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    match request.param:
        case "sqlite":
            import sqlite3

            file = sqlite3.connect(tmp_path / "things.sqlite")
            file.execute(DDL)
            file.executemany("INSERT INTO things VALUES (?, ?, ?, ?)", ROWS)
            file.commit()
            file.close()
            url = f"sqlite:///{tmp_path}/things.sqlite"
        case "duckdb":
            with duckdb.connect(str(tmp_path / "things.duckdb")) as database:
                database.execute(DDL)
                database.executemany("INSERT INTO things VALUES (?, ?, ?, ?)", ROWS)
            url = f"duckdb:///{tmp_path}/things.duckdb"
        case "mysql":
            server: MariadbServer = request.getfixturevalue("mariadb_server")
            url = server.url_of(request.getfixturevalue("mariadb_database"))
            options = mysql_options(url)
            with pymysql.connect(**options, charset="utf8mb4", autocommit=True) as connection:
                cursor = connection.cursor()
                cursor.execute(DDL)
                cursor.executemany("INSERT INTO things VALUES (%s, %s, %s, %s)", ROWS)
        case _:
            url = request.getfixturevalue("postgres_database")
            with psycopg.connect(url) as session:
                session.execute(DDL)
                session.cursor().executemany("INSERT INTO things VALUES (%s, %s, %s, %s)", ROWS)
    make_workspace(tmp_path, {"things": url}, {})
    said(tmp_path, "discover", "@things", "--json")
    return tmp_path


def test_a_value_is_only_a_value(workspace: Path) -> None:
    lines = (
        f"(things.list :name {json.dumps(text, ensure_ascii=False)} :as @found-{number})"
        for number, text in enumerate(TEXTS)
    )
    (workspace / "find.verbs").write_text("\n".join(lines), encoding="utf-8")
    found = said_json(workspace, "run", "find.verbs")["rows"]
    for number, text in enumerate(TEXTS):
        assert found[f"found-{number}"]["columns"] == ["id", "name", "price", "day"]
        assert found[f"found-{number}"]["rows"] == [
            [number, text, f"{number}.50", f"2020-01-{number + 1:02}"]
        ]


def test_a_question_becomes_a_file(workspace: Path) -> None:
    program = """
    (things.sum :of "price" :on "day" :during [2020-01-02 2020-01-04] :price {:above 1.75} :as @total)
    (duckdb.writer :needs [@total] :format "csv" :path "total.csv" :as @file)
    """
    (workspace / "total.verbs").write_text(program, encoding="utf-8")
    said(workspace, "run", "total.verbs", "--yes")
    assert (workspace / "total.csv").read_text().splitlines()[1].strip('"') == "6.00"
