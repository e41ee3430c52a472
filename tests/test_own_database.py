"""A database of one's own, asked from the command line as a newcomer would."""

import datetime as dt
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import duckdb
import pytest
from click.testing import CliRunner

from dragoman.cli.application import dragoman
from dragoman.contracts.errors import DragomanError

REPEATED: Final = (("csv", "csv"), ("parquet", "parquet"), ("json", "parquet"))
"""Formats of a file and of what is saved from it, each of which stands in another pair too."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect(tmp_path / "towns.sqlite")) as database, database:
        database.execute("CREATE TABLE town (town_id INTEGER PRIMARY KEY, name TEXT, note TEXT)")
        rows = [(f"Town {number}", "\x1b[31mred") for number in range(1, 9)]
        database.executemany("INSERT INTO town (name, note) VALUES (?, ?)", rows)
        database.execute("CREATE TABLE letter (letter_id INTEGER PRIMARY KEY, body TEXT)")
        database.execute("INSERT INTO letter (body) VALUES (?)", ("long " * 20_000,))
    assert said("init", "towns.sqlite")
    return tmp_path


def said(*arguments: str) -> str:
    """Everything that is printed; an error is told by its code, its message and its hint."""
    result = CliRunner().invoke(dragoman, list(arguments))
    error = result.exception
    if isinstance(error, DragomanError):
        return f"{result.output}{error.code}: {error.message}\n{error.hint}"
    assert error is None or isinstance(error, SystemExit), error
    return result.output


@pytest.mark.usefixtures("folder")
def test_rows_of_one_column_that_the_sentence_does_not_name_are_shown() -> None:
    shown = said("ask", "show the names of all towns")
    assert all(f"Town {number}" in shown for number in range(1, 9)), shown


@pytest.mark.usefixtures("folder")
def test_what_controls_a_terminal_does_not_reach_it() -> None:
    shown = said("ask", "show the notes of all towns")
    assert "red" in shown
    assert "\x1b" not in shown


@pytest.mark.usefixtures("folder")
def test_a_sentence_does_not_repeat_a_whole_letter() -> None:
    assert len(said("ask", "show the body of all letters")) < 2_000


@pytest.mark.usefixtures("folder")
def test_without_a_pack_no_empty_example_is_given() -> None:
    shown = said("ask", "save that as csv")
    assert "no result to save or send yet" in shown
    assert "example" not in shown


def test_of_two_databases_that_can_answer_it_is_asked_which(folder: Path) -> None:
    (folder / "more.sqlite").write_bytes((folder / "towns.sqlite").read_bytes())
    said("init", "more.sqlite")
    shown = said("ask", "how many towns are there?")
    assert "number of towns in @towns" in shown
    assert "number of towns in @more" in shown


@pytest.mark.parametrize("text", ["{", "towns: [", "5", "towns: {family: nope}", "towns: 5"])
def test_connections_written_with_a_mistake_are_named(folder: Path, text: str) -> None:
    (folder / "connections.yaml").write_text(text, "utf-8")
    assert "mend connections.yaml: line 1" in said("ask", "how many towns are there?")


def test_a_database_that_was_never_looked_at_is(folder: Path) -> None:
    for file in (folder / ".dragoman" / "schemas").iterdir():
        file.unlink()
    assert "Number of towns: 8." in said("ask", "how many towns are there?")


def test_a_table_that_came_later_is_found(folder: Path) -> None:
    for file in (folder / ".dragoman" / "schemas").iterdir():
        os.utime(file, (0, 0))
    with closing(sqlite3.connect(folder / "towns.sqlite")) as database, database:
        database.execute("CREATE TABLE planet (name TEXT)")
    assert "Number of planets: 0." in said("ask", "how many planets are there?")


def test_of_a_database_that_is_gone_no_word_is_called_unknown(folder: Path) -> None:
    (folder / "towns.sqlite").rename(folder / "away.sqlite")
    shown = said("ask", "how many towns have the name Town 3?")
    assert "database_not_found" in shown
    assert "I couldn't make sense of" not in shown
    (folder / "away.sqlite").rename(folder / "towns.sqlite")
    assert "Number of towns: 8." in said("ask", "-c", "how many towns are there?")


@pytest.mark.parametrize(
    ("ending", "wanted"),
    [
        ("csv", "parquet"),
        ("parquet", "csv"),
        ("json", "csv"),
        *(pytest.param(*pair, marks=pytest.mark.long) for pair in REPEATED),
    ],
)
def test_an_answer_out_of_files_can_be_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, wanted: str
) -> None:
    monkeypatch.chdir(tmp_path)
    made = (
        "SELECT * FROM (VALUES ('Ann', 1.50::DECIMAL(9, 2), DATE '2020-01-31', true),"
        " ('Bob, jr', NULL, NULL, NULL)) AS guest(name, paid, came, ok)"
    )
    duckdb.execute(f"COPY ({made}) TO '{tmp_path}/guest.{ending}'")
    said("init", f"guest.{ending}")
    said("ask", '(guest.list :columns ["name" "paid" "came" "ok"])')
    said("ask", "-c", "run it")
    said("ask", "-c", f"save that as {wanted}")
    assert "2 rows" in said("ask", "-c", "yes")
    saved = duckdb.sql(f"SELECT name, paid::VARCHAR::DOUBLE, came::DATE, ok FROM 'guest-list.{wanted}'")
    assert saved.fetchall() == [("Ann", 1.5, dt.date(2020, 1, 31), True), ("Bob, jr", None, None, None)]


def test_a_database_without_tables_is_called_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.sqlite").touch()
    said("init", "empty.sqlite")
    assert "no tables" in said("ask", "how many guests are there?")
