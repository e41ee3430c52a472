"""A family that another package brings goes through every ordinary door."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from dragoman import Workspace
from dragoman.cli.application import dragoman
from dragoman.contracts.errors import DatabaseUrlRefused, WorkspaceError
from dragoman.contracts.family import ENTRY_POINTS
from dragoman.databases.connections import load_connections, parse_database_url, resolve, target_of
from dragoman.databases.families.registry import (
    families,
    family,
    own_families,
    registered,
    remove_family,
)
from tests.databases.outside.books import LedgerTarget
from tests.databases.outside.family import LEDGER

ROOT = Path(__file__).parents[2]
SALES = [
    {"sale_id": 1, "town": "Riga", "amount": 120},
    {"sale_id": 2, "town": "Tartu", "amount": 80},
    {"sale_id": 3, "town": "Riga", "amount": 45},
]


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "books").mkdir()
    lines = "".join(json.dumps(sale) + "\n" for sale in SALES)
    (tmp_path / "books" / "sale.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


@pytest.fixture
def folder(books: Path) -> Iterator[Path]:
    with registered(LEDGER):
        said("init", "ledger:///books")
        yield books


def invoked(*arguments: str) -> Result:
    return CliRunner().invoke(dragoman, list(arguments))


def said(*arguments: str) -> str:
    result = invoked(*arguments)
    assert result.exception is None, (result.output, result.exception)
    return result.output


def test_its_url_is_read_and_opens_its_own_target(books: Path) -> None:
    with pytest.raises(DatabaseUrlRefused, match="nothing is known of"):
        parse_database_url("ledger:///books")
    with registered(LEDGER):
        connection = resolve(parse_database_url("ledger:///books"), books)
        assert (connection.family, target_of(connection)) == ("ledger", LedgerTarget(books / "books"))
        assert parse_database_url("year.ledger").family == "ledger"


def test_a_folder_and_its_files_stay_what_they_were(folder: Path) -> None:
    assert parse_database_url("books/", folder).family == "files"
    assert parse_database_url("books/sale.jsonl", folder).family == "files"


def test_discovery_finds_its_tables(folder: Path) -> None:
    schema = json.loads(said("discover", "--json"))
    assert (schema["family"], schema["dialect"]) == ("ledger", "sqlite")
    (table,) = schema["tables"]
    assert (table["name"], table["primary_key"]) == ("sale", ["sale_id"])
    assert [(each["name"], each["type"]) for each in table["columns"]] == [
        ("sale_id", "integer"),
        ("town", "text"),
        ("amount", "integer"),
    ]
    assert set(table["columns"][1]["samples"]) == {"Riga", "Tartu"}


def test_its_connection_is_written_listed_and_examined(folder: Path) -> None:
    assert load_connections(folder).find("@ledgers.books").name == "@ledger.books"
    (listed,) = json.loads(said("connections", "list", "--json"))["connections"]
    assert (listed["name"], listed["family"]) == ("@ledger.books", "ledger")
    assert "answers and can be read" in said("connections", "doctor")
    (folder / "connections.yaml").write_text("books: {family: ledger, path: nowhere}\n", encoding="utf-8")
    missing = invoked("connections", "doctor")
    assert missing.exit_code != 0
    assert "there is no" in missing.output


@pytest.mark.usefixtures("folder")
def test_a_question_is_answered_from_the_command_line() -> None:
    shown = said("ask", "how many sales are there?")
    assert "3" in shown
    assert "[confirmed]" in shown
    assert "[confirmed]" in (total := said("ask", "what is the total amount of sales in Riga?"))
    assert "165" in total


def test_a_question_is_answered_by_the_library(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        assert "3" in workspace.ask(session, "how many sales are there?").message
        # A value out of its data narrows the question: the index of values was read through its reader.
        assert "2" in workspace.ask(session, "how many sales are in Riga?").message


def test_no_table_is_written_there(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        workspace.ask(session, "show all sales")
        answer = workspace.ask(session, "save that to @books")
    assert "@ledger.books" in answer.message


@pytest.mark.usefixtures("folder")
def test_a_program_with_its_verb_is_checked(folder: Path) -> None:
    program = folder / "export.verbs"
    program.write_text('(ledger.extractor :connection "@books" :query "SELECT town FROM sale" :as @s)\n')
    said("check", str(program))
    program.write_text('(ledger.extractor :connection "@books" :query "DELETE FROM sale" :as @s)\n')
    refused = invoked("check", str(program), "--json")
    assert "sql_not_read_only" in refused.output
    program.write_text('(ledger.extractor :connection "@books" :as @s)\n')
    assert "argument_choice" in invoked("check", str(program), "--json").output


@pytest.mark.parametrize(
    "step",
    [
        '(ledger.extractor :connection "@books" :table "sale" :as @sales)',
        '(ledger.extractor :connection "@books" :query "SELECT * FROM sale" :as @sales)',
        "(sale.list :as @sales)",
    ],
)
def test_a_pipeline_reads_it(folder: Path, step: str) -> None:
    writer = '(duckdb.writer :needs [@sales] :format "jsonl" :path "out.jsonl" :as @written)'
    (folder / "export.verbs").write_text(f"{step}\n{writer}\n", encoding="utf-8")
    said("run", "export.verbs", "--yes")
    lines = (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted((json.loads(line) for line in lines), key=lambda each: each["sale_id"]) == SALES


def test_a_family_that_went_away_is_missed_by_name(folder: Path) -> None:
    spec = load_connections(folder).find("@books")
    assert family("ledger") is LEDGER
    remove_family("ledger")
    with pytest.raises(WorkspaceError, match="there is no family ledger"):
        resolve(spec, folder)


def test_what_belongs_to_another_family_cannot_be_claimed() -> None:
    for taken in (
        replace(LEDGER, name="sqlite"),
        replace(LEDGER, spellings=("mariadb",)),
        replace(LEDGER, schemes=("postgres",)),
        replace(LEDGER, endings=(".csv",)),
        replace(LEDGER, components=(("duckdb.writer", "nowhere:WRITER"),)),
    ):
        with pytest.raises(WorkspaceError, match="which belongs to"), registered(taken):
            pass
    assert families() == own_families()


def with_package(site: Path, point: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command in a process that nobody told of the family, with an installed package that offers it."""
    info = site / "outside-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: outside\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\n{point}\n")
    paths = os.pathsep.join(map(str, (site, ROOT, ROOT / "src")))
    return subprocess.run(
        [sys.executable, "-m", "dragoman.cli", *arguments],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.usefixtures("books")
def test_an_installed_package_brings_it(tmp_path: Path) -> None:
    for arguments, expected in (
        (("init", "ledger:///books"), "books"),
        (("ask", "how many sales are there?"), "3"),
        (("discover", "--json"), '"family": "ledger"'),
    ):
        done = with_package(tmp_path / "site", "ledger = tests.databases.outside.family:LEDGER", *arguments)
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout


@pytest.mark.usefixtures("books")
@pytest.mark.parametrize(
    ("point", "complaint"),
    [
        ("odd = json:dumps", "is not a Family"),
        ("odd = no_such_module:FAMILY", "cannot be loaded"),
        ("odd = dragoman.databases.families.sqlite.family:FAMILY", "belongs to sqlite"),
    ],
)
def test_what_is_offered_wrongly_is_said(tmp_path: Path, point: str, complaint: str) -> None:
    done = with_package(tmp_path / "site", point, "init", "odd:///books")
    assert done.returncode != 0
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
