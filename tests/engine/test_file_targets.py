"""A run writes new files and its own, somebody's data after a yes, and never what the workspace lives on."""

import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dragoman.contracts.errors import StepRefused, TargetExists, TargetReserved
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.components.files import WRITER
from dragoman.engine.components.files.kinds import _ENDINGS
from dragoman.engine.file_targets import DATA_ENDINGS
from tests.engine.flows import flow_of
from tests.engine.steps import step_context
from tests.engine.workspaces import make_workspace, said, said_json

COLUMNS = (FlowColumn("n", ValueType.INTEGER),)
PROGRAM = """
(sqlite.extractor :connection "@hr" :table "employee" :as @rows)
(duckdb.writer :needs [@rows] :format "csv" :path "{path}" :as @file)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with a database of every kind that is a file, a folder of files, a pack, and settings."""
    root = tmp_path / "work"
    for sub in ("data", "packs", "certificates", ".git", "out"):
        (root / sub).mkdir(parents=True)
    (root / "connections.yaml").write_text(
        "hr: {path: hr.sqlite}\n"
        "facts: {path: Facts.duckdb}\n"
        "files: {path: data}\n"
        "one: {path: one.csv}\n"
        "missing: {path: not-yet.csv}\n"
        "hidden: {path: '${NOBODY_SET_THIS}'}\n"
        "server: {url: 'postgresql://app@db.example.com/x', options: {sslrootcert: certificates/root.csv}}\n",
        encoding="utf-8",
    )
    with sqlite3.connect(root / "hr.sqlite") as database:
        database.executescript("CREATE TABLE employee (name TEXT); INSERT INTO employee VALUES ('Ann')")
    duckdb.connect(str(root / "Facts.duckdb")).close()
    for name in ("data/employee.csv", "one.csv", "certificates/root.csv"):
        (root / name).write_text("n\n1\n", encoding="utf-8")
    (root / "dragoman.yaml").write_text("version: 1\n", encoding="utf-8")
    for name in ("packs/hr.yaml", ".git/config", "notes.txt", "tool.py", "own.csv"):
        (root / name).write_text("mine\n", encoding="utf-8")
    return root


def prepared(folder: Path, path: str, replaces: tuple[str, ...] = ()) -> str:
    config: dict[str, Any] = {"format": "csv", "path": path}
    with step_context(folder, {}, replaces=replaces) as context:
        (change,) = WRITER.prepare(config, COLUMNS, context).changes
    return change


def written(folder: Path, path: str, replaces: tuple[str, ...] = ()) -> None:
    config: dict[str, Any] = {"format": "csv", "path": path}
    with step_context(folder, {}, replaces=replaces) as context:
        writing = WRITER.prepare(config, COLUMNS, context)
        staged = WRITER.stage(config, writing, flow_of(COLUMNS, {"n": [1]}), context)
        WRITER.publish(config, writing, staged, None, context)


@pytest.mark.parametrize(
    "path",
    [
        "hr.sqlite",
        "HR.SQLITE",
        "./out/../hr.sqlite",
        "hr.sqlite-wal",
        "hr.sqlite-shm",
        "hr.sqlite-journal",
        "Facts.duckdb",
        "facts.duckdb.wal",
        "Facts.duckdb.tmp/x.csv",
        "data/employee.csv",
        "data/EMPLOYEE.csv",
        "data/employee.parquet",
        "Data/new.csv",
        "one.csv",
        "not-yet.csv",
        "certificates/root.csv",
        "connections.yaml",
        "Dragoman.yaml",
        "packs/hr.yaml",
        "packs/new/pack.yaml",
    ],
)
def test_what_the_workspace_lives_on_is_refused(folder: Path, path: str) -> None:
    with pytest.raises(TargetReserved):
        prepared(folder, path, replaces=(path,))


@pytest.mark.parametrize("path", [".git/config", ".dragoman/sessions.sqlite", ".Dragoman/runs/x.csv"])
def test_the_folders_of_history_and_state_are_refused(folder: Path, path: str) -> None:
    with pytest.raises(StepRefused):
        prepared(folder, path)


@pytest.mark.parametrize("path", ["hr.sqlite", "one.csv", "packs/hr.yaml", "dragoman.yaml", ".git/config"])
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_is_what_it_leads_to(folder: Path, path: str, link: Any) -> None:
    link(folder / path, folder / "out/innocent.csv")
    with pytest.raises(StepRefused):
        prepared(folder, "out/innocent.csv", replaces=("out/innocent.csv",))


def test_a_hard_link_to_a_store_is_refused(folder: Path) -> None:
    (folder / ".dragoman").mkdir()
    (folder / ".dragoman/sessions.sqlite").write_bytes(b"sessions")
    os.link(folder / ".dragoman/sessions.sqlite", folder / "x.csv")
    with pytest.raises(TargetReserved):
        prepared(folder, "x.csv")


def test_a_linked_folder_of_a_connection_is_that_folder(folder: Path) -> None:
    (folder / "elsewhere").symlink_to(folder / "data", target_is_directory=True)
    with pytest.raises(TargetReserved, match="the connection @files"):
        prepared(folder, "elsewhere/employee.csv")


def test_what_a_run_made_is_replaced(folder: Path) -> None:
    assert prepared(folder, "out/new.csv") == "makes the file out/new.csv"
    written(folder, "out/new.csv")
    assert prepared(folder, "out/new.csv") == "replaces the file out/new.csv, which a run made"
    written(folder, "out/new.csv")
    assert (folder / "out/new.csv").read_text(encoding="utf-8") == "n\n1\n"


def test_what_was_changed_or_put_there_since_is_not_what_a_run_made(folder: Path) -> None:
    written(folder, "out/new.csv")
    (folder / "out/new.csv").write_text("by hand\n", encoding="utf-8")
    with pytest.raises(TargetExists):
        prepared(folder, "out/new.csv")
    written(folder, "out/a.csv")
    shutil.move(folder / "out/a.csv", folder / "out/kept.csv")
    with pytest.raises(TargetExists):
        prepared(folder, "out/kept.csv")


@pytest.mark.parametrize("name", ["own.csv", "own.PARQUET", "own.jsonl", "own.json", "own.csv.gz", "own.tsv"])
def test_data_are_replaced_only_where_somebody_agreed(folder: Path, name: str) -> None:
    (folder / name).write_text("mine\n", encoding="utf-8")
    with pytest.raises(TargetExists, match="nobody agreed"):
        prepared(folder, name, replaces=("another.csv",))
    assert prepared(folder, name, replaces=(name,)) == f"replaces the file {name}, which no run made"


@pytest.mark.parametrize("name", ["notes.txt", "tool.py"])
def test_any_other_file_is_refused(folder: Path, name: str) -> None:
    with pytest.raises(TargetExists, match="no run made it"):
        prepared(folder, name, replaces=(name,))


def test_a_file_that_appears_while_a_run_writes_is_not_replaced(folder: Path) -> None:
    config: dict[str, Any] = {"format": "csv", "path": "late.csv"}
    with step_context(folder, {}) as context:
        writing = WRITER.prepare(config, COLUMNS, context)
        staged = WRITER.stage(config, writing, flow_of(COLUMNS, {"n": [1]}), context)
        (folder / "late.csv").write_text("mine\n", encoding="utf-8")
        with pytest.raises(TargetExists):
            WRITER.publish(config, writing, staged, None, context)
    assert (folder / "late.csv").read_text(encoding="utf-8") == "mine\n"


def test_every_format_that_is_written_is_data() -> None:
    assert set(_ENDINGS) <= set(DATA_ENDINGS)


def export(folder: Path, path: str) -> None:
    make_program = PROGRAM.format(path=path)
    (folder / "export.verbs").write_text(make_program, encoding="utf-8")


def test_run_refuses_the_database_before_it_asks(folder: Path) -> None:
    export(folder, "hr.sqlite")
    before = (folder / "hr.sqlite").read_bytes()
    for options in (["--yes"], ["--dry-run"], []):
        told = said_json(folder, "run", "export.verbs", *options, code=1)
        assert told["error"]["code"] == "target_reserved", options
    assert (folder / "hr.sqlite").read_bytes() == before


def test_run_says_what_it_replaces(folder: Path) -> None:
    export(folder, "own.csv")
    told = said_json(folder, "run", "export.verbs", code=None)
    assert told["error"]["code"] == "confirmation_needed"
    assert "this replaces own.csv, which no run made" in told["error"]["message"]
    plan = said(folder, "run", "export.verbs", "--dry-run")
    assert "replaces the file own.csv, which no run made" in plan
    assert (folder / "own.csv").read_text(encoding="utf-8") == "mine\n"
    said(folder, "run", "export.verbs", "--yes")
    assert (folder / "own.csv").read_text(encoding="utf-8") == '"name"\n"Ann"\n'
    assert "which a run made" in said(folder, "run", "export.verbs", "--dry-run")


def test_a_refused_file_of_a_later_step_keeps_the_first_from_writing(tmp_path: Path) -> None:
    program = (
        '(filesystem.extractor :path "in.csv" :as @a)'
        '(duckdb.writer :needs [@a] :format "csv" :path "first.csv" :as @b)'
        '(filesystem.extractor :path "first.csv" :needs [@b] :as @c)'
        '(duckdb.writer :needs [@c] :format "csv" :path "tool.py" :as @d)'
    )
    make_workspace(tmp_path, {}, {"two.verbs": program, "in.csv": "n\n1\n", "tool.py": "pass\n"})
    for options in (["--yes"], ["--dry-run"]):
        told = said_json(tmp_path, "run", "two.verbs", *options, code=1)
        assert "target_exists" in str(told), told
    assert not (tmp_path / "first.csv").exists()
