"""A database of one's own on a server, asked in words: odd names, nothing in cells, a server that is gone."""

from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pymysql
import pytest
from click.testing import CliRunner

from dragoman import Workspace
from dragoman.cli.application import dragoman
from dragoman.contracts.vocabulary import AnswerMode
from tests.servers import MariadbServer

ROWS = [("Ann", "Turku", None), ("Bob; DROP TABLE guest", "Oulu", "x\ny"), ("%_'\"", None, None)]


def _filled(url: str, *, quote: str) -> None:
    name = f"{quote}order{quote}"
    statements = (
        f"CREATE TABLE guest (id INT PRIMARY KEY, name VARCHAR(80), city VARCHAR(80), {name} TEXT)",
        f"CREATE TABLE {quote}Мой select{quote} (id INT PRIMARY KEY, {quote}count{quote} INT)",
    )
    insert = "INSERT INTO guest VALUES (%s, %s, %s, %s)"
    rows = [(number, *row) for number, row in enumerate(ROWS)]
    if url.startswith("postgres"):
        with psycopg.connect(url, autocommit=True) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement.encode())
            cursor.executemany(insert, rows)
        return
    parts = urlsplit(url)
    with pymysql.connect(
        host=parts.hostname,
        port=parts.port or 3306,
        user=parts.username,
        password=parts.password or "",
        database=parts.path.lstrip("/"),
        autocommit=True,
    ) as other:
        for statement in statements:
            other.cursor().execute(statement)
        other.cursor().executemany(insert, rows)


def _asked(url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    made = CliRunner().invoke(dragoman, ["init", url, "--alias", "own"])
    assert made.exit_code == 0, (made.output, made.exception)
    monkeypatch.setenv("OWN_PASSWORD", urlsplit(url).password or "")
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        counted = workspace.ask(session, "how many guests are in Turku?")
        assert (counted.answer_mode, counted.rows) == (AnswerMode.CONFIRMED, ((1,),)), counted.message
        workspace.ask(session, "(guest.list)")
        listed = workspace.ask(session, "run it")
        assert listed.row_count == len(ROWS)
        workspace.ask(session, "save that as csv")
        assert workspace.ask(session, "yes").answer_mode is AnswerMode.CONFIRMED
        workspace.ask(session, "users; drop table guest")
        assert workspace.ask(session, "how many guests are there?").rows == ((len(ROWS),),)
    text = (folder / "connections.yaml").read_text("utf-8")
    port = str(urlsplit(url).port)
    assert port in text
    (folder / "connections.yaml").write_text(text.replace(port, "1"), "utf-8")
    with Workspace.open(folder) as workspace:
        refused = workspace.ask(workspace.new_session(), "how many guests are in Turku?")
    assert refused.answer_mode is AnswerMode.UNSUPPORTED
    assert "connection_refused" in refused.reason_codes


def test_on_postgresql(postgres_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _filled(postgres_database, quote='"')
    _asked(postgres_database, tmp_path, monkeypatch)


def test_on_mariadb(
    mariadb_server: MariadbServer, mariadb_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = mariadb_server.url_of(mariadb_database)
    _filled(url, quote="`")
    _asked(url, tmp_path, monkeypatch)
