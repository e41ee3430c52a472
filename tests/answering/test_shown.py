"""What a person sees of a result, and what a program gets: rounded or exact, in words or by name."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman import Workspace
from dragoman.answering.figures import for_the_eye, without_noise
from dragoman.cli.application import dragoman
from dragoman.cli.display import table
from dragoman.contracts.answer import Cell, CellType, Column, Heading
from dragoman.contracts.turn_result import ResultRows, TurnResult

AVERAGE = '(town.average :of "Area" :by "Country" :also "count")'


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("124.866666667", "124.87"),
        ("35.000000000", "35"),
        ("10.500000000", "10.5"),
        ("-0.005", "-0.005"),
        ("0.123456", "0.12"),
        ("0.0012345", "0.0012"),
        ("0.999", "1"),
        ("0", "0"),
        ("0.000", "0"),
        ("1234567.005", "1234567.01"),
        (12, "12"),
        (None, None),
        ("Ulm", "Ulm"),
        ("NaN", "NaN"),
        ("1" * 60 + ".5", "1" * 60 + ".5"),
    ],
)
def test_a_number_is_rounded_for_the_eye(cell: Cell, shown: Cell) -> None:
    assert for_the_eye(cell) == shown


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("125.29999999999998", "125.3"),
        ("-209.40000000000003", "-209.4"),
        ("1e-13", "1e-13"),
        ("0.00000000012", "0.00000000012"),
        ("19.99", "19.99"),
        ("3.14159265", "3.14159265"),
        ("192.168.100.2001234567", "192.168.100.2001234567"),
        ("a.12345678901", "a.12345678901"),
        (7, 7),
        (None, None),
    ],
)
def test_a_sum_is_shown_without_the_noise_of_binary_fractions(cell: Cell, shown: Cell) -> None:
    assert without_noise(cell) == shown


def test_a_table_has_its_headings_and_rounds_only_where_they_say_so() -> None:
    columns = (
        Column("Country", CellType.TEXT),
        Column("lat", CellType.DECIMAL),
        Column("average", CellType.DECIMAL),
    )
    headings = (Heading("Country"), Heading("Lat"), Heading("Average of area", True))
    shown = table(columns, (("DE", "50.73438", "124.866666667"),), headings)
    assert [line.split() for line in shown.splitlines()] == [
        ["Country", "Lat", "Average", "of", "area"],
        ["───────", "────────", "───────────────"],
        ["DE", "50.73438", "124.87"],
    ]
    assert "average" in table(columns, (("DE", "1", "2"),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace whose only table has more rows than an answer keeps."""
    with closing(sqlite3.connect(tmp_path / "towns.sqlite")) as database, database:
        database.execute("CREATE TABLE town (TownId INTEGER PRIMARY KEY, Country TEXT, Area DECIMAL(9,2))")
        rows = [(number, "DE" if number % 3 else "CH", number * 1.25) for number in range(1, 81)]
        database.executemany("INSERT INTO town VALUES (?, ?, ?)", rows)
    made = CliRunner().invoke(dragoman, ["init", str(tmp_path / "towns.sqlite"), "-w", str(tmp_path)])
    assert made.exit_code == 0, made.output
    return tmp_path


def _run(folder: Path, program: str, *options: str) -> str:
    """A program that is sent and then run, with what the command prints."""
    for message in (program, "run it"):
        more = [] if message == program else ["-c", *options]
        shown = CliRunner().invoke(dragoman, ["ask", message, "-w", str(folder), *more])
        assert shown.exit_code == 0, shown.output
    return shown.stdout


def test_the_terminal_shows_words_and_rounded_figures(folder: Path) -> None:
    shown = _run(folder, AVERAGE)
    assert "Average of town area by country, with number of towns" in shown
    lines = [line.split("  ") for line in shown.splitlines()]
    assert [each.strip() for each in lines[-4] if each] == ["Country", "Average of area", "Number of towns"]
    assert "50.63" in shown
    assert "50.625000000" not in shown


def test_json_has_the_real_names_and_the_exact_figures(folder: Path) -> None:
    told = json.loads(_run(folder, AVERAGE, "--json"))
    assert [column["name"] for column in told["columns"]] == ["Country", "average", "count"]
    assert ["DE", "50.625000000", 54] in told["rows"]
    assert [heading["text"] for heading in told["headings"]] == [
        "Country",
        "Average of area",
        "Number of towns",
    ]


def test_a_long_result_is_whole_in_json_and_counted_in_the_terminal(folder: Path) -> None:
    told = json.loads(_run(folder, "(town.list)", "--json"))
    assert len(told["rows"]) == told["row_count"] == 80
    assert "complete" not in told, "what is complete does not say that it is not"
    assert "… 30 more rows" in _run(folder, "(town.list)")


def _run_here(folder: Path) -> tuple[TurnResult, ResultRows]:
    read: list[ResultRows] = []
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        workspace.ask(session, "(town.list)")
        return workspace.ask(session, "run it", on_result=read.append), read[-1]


def test_a_result_that_a_session_keeps_in_part_says_so(folder: Path) -> None:
    result, whole = _run_here(folder)
    assert (len(result.rows), len(whole.rows)) == (50, 80)
    assert (result.complete, result.rows_total) == (False, 80)


def test_a_result_that_was_cut_says_how_many_rows_there_are(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dragoman.catalog.lookup.MOST_ROWS", 20)
    result, whole = _run_here(folder)
    assert (len(result.rows), len(whole.rows)) == (20, 20)
    assert (result.complete, result.rows_total) == (False, 80)
    told = json.loads(_run(folder, "(town.list)", "--json"))
    assert (told["complete"], told["rows_total"], len(told["rows"])) == (False, 80, 20)
    assert "… 60 more rows" in _run(folder, "(town.list)")
