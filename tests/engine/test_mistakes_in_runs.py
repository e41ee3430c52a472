"""Runs as a clumsy person, an enemy or an accident would have them: refused in words, and nothing spoilt."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from dragoman.contracts.errors import ManifestRefused, StepRefused, StoreDamaged
from dragoman.contracts.run import RunStatus
from dragoman.engine.ledger import refuse_own
from dragoman.engine.order import read_order
from dragoman.engine.runs.store import RunStore
from dragoman.language.manifest import canonical, fingerprint
from dragoman.workspace.pipelines import Pipelines
from tests.engine.test_local import ONE, Trial, manifest, trial
from tests.engine.workspaces import said, said_json

__all__ = ["trial"]

READ = '(filesystem.extractor :path "u.csv" :as @u)\n'
COPY = """
(sqlite.extractor :connection "@lite" :table "t" :as @read)
(sqlite.writer :needs [@read] :connection "@lite" :table "copy" :write_mode "replace" :as @write)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "u.csv").write_text("id,name\n1,Ada\n2,Bob\n")
    (tmp_path / "connections.yaml").write_text("lite: {path: lite.db}\n")
    return tmp_path


def ran(folder: Path, text: str, *options: str, code: int = 0) -> Any:
    (folder / "x.verbs").write_text(text)
    return said_json(folder, "run", "x.verbs", *options, code=code)


@pytest.mark.parametrize(
    "path",
    [
        "connections.yaml",
        "./Connections.YAML",
        "dragoman.yaml",
        "packs/mine.yaml",
        "packs/a/b.yaml",
        "link.yaml",
    ],
)
def test_a_run_does_not_write_what_steers_the_workspace(folder: Path, path: str) -> None:
    (folder / "link.yaml").symlink_to("connections.yaml")
    before = (folder / "connections.yaml").read_bytes()
    write = f'(duckdb.writer :needs [@u] :format "jsonl" :path "{path}" :as @w)'
    told = ran(folder, READ + write, "--yes", code=1)
    assert told["error"]["code"] == "target_reserved", "there is no run at all"
    assert (folder / "connections.yaml").read_bytes() == before
    assert not (folder / "packs").exists()


def test_a_name_that_only_looks_alike_is_written(folder: Path) -> None:
    write = '(duckdb.writer :needs [@u] :format "csv" :path "out/connections.yaml" :as @w)'
    ran(folder, READ + write, "--yes")
    assert (folder / "out/connections.yaml").exists()


@pytest.mark.parametrize("journal", ["delete", "truncate", "wal"])
@pytest.mark.parametrize("rows", [3, 40_000])
def test_a_sqlite_file_is_copied_into_itself(folder: Path, journal: str, rows: int) -> None:
    database = sqlite3.connect(folder / "lite.db")
    database.execute(f"PRAGMA journal_mode = {journal}")
    database.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")
    database.executemany("INSERT INTO t VALUES (?, ?)", ((n, f"x{n}") for n in range(rows)))
    database.commit()
    told = ran(folder, COPY, "--yes")
    assert [step["rows"] for step in told["run"]["steps"]] == [rows, rows]
    assert all("retries" not in step for step in told["run"]["steps"])
    assert database.execute("SELECT count(*), min(x = 'x' || id) FROM copy").fetchone() == (rows, 1)
    database.close()


@pytest.mark.parametrize("seconds", ["inf", "nan", "1e18", "0", "-1"])
def test_seconds_that_are_no_time(folder: Path, seconds: str) -> None:
    (folder / "x.verbs").write_text(READ)
    said(folder, "run", "x.verbs", "--max-seconds", seconds, code=2)


@pytest.mark.parametrize("run_id", ["-1", "--x", "", "a/b", ".."])
def test_ids_that_could_not_be_named_again(folder: Path, run_id: str) -> None:
    (folder / "x.verbs").write_text(READ)
    said(folder, "run", "x.verbs", f"--run-id={run_id}", code=2)


def test_an_empty_program_plans_nothing(folder: Path) -> None:
    assert ran(folder, "; nothing yet", "--dry-run")["steps"] == []


def test_a_writer_without_rows_is_told_before_another_writes(trial: Trial) -> None:
    later = '(duckdb.writer :needs [@write] :format "csv" :path "b" :as @second)'
    assert trial.run(ONE + later) is RunStatus.FAILED
    assert trial.record.fault is not None
    assert trial.record.fault.message == "second writes, and nothing that it needs gives rows"
    assert trial.shelf.deeds == []


def forged(**changes: Any) -> bytes:
    """A manifest that somebody changed, with a fingerprint that is right."""
    content = json.loads(manifest(ONE))
    content.pop("fingerprint")
    content["steps"][1] |= changes
    return json.dumps(content | {"fingerprint": fingerprint(canonical(content))}).encode()


@pytest.mark.parametrize(
    "changes",
    [
        {"needs": ["nobody"]},
        {"needs": ["write"]},
        {"id": "read"},
        {"config": {"path": {"date": "soon"}}},
        {"config": {"path": {"decimal": "much"}}},
        {"mode": "destroy"},
    ],
)
def test_a_forged_manifest_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ManifestRefused):
        read_order(forged(**changes))


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"\xff", b"[" * 100_000, b'{"a":' * 5_000 + b"1" + b"}" * 5_000]
)
def test_what_is_no_manifest(data: bytes) -> None:
    with pytest.raises(ManifestRefused):
        read_order(data)


@pytest.mark.parametrize("mode", ["read", "transform"])
def test_a_writer_that_is_said_to_read_does_not_write(trial: Trial, mode: str) -> None:
    outcome = trial.pipelines.run(forged(mode=mode))
    assert outcome.record.fault is not None
    assert outcome.record.fault.code == "manifest_refused"
    assert ("publish", "write") not in trial.shelf.deeds


@pytest.mark.parametrize("table", ["dragoman_ledger", "Dragoman_Cursors", "dragoman_stage_1"])
def test_tables_of_our_own_are_not_written(table: str) -> None:
    with pytest.raises(StepRefused):
        refuse_own(table)


def test_one_broken_run_does_not_keep_others_from_running(folder: Path) -> None:
    ran(folder, READ, "--run-id", "one")
    with sqlite3.connect(folder / ".dragoman/runs/runs.sqlite") as database:
        database.execute(
            "UPDATE runs SET status = 'running', manifest = CAST('{}' AS BLOB),"
            """ record = CAST(replace(CAST(record AS TEXT), '"done"', '"running"') AS BLOB)"""
        )
    (settled,) = Pipelines(folder).settle()
    assert isinstance(settled.problem, ManifestRefused)
    ran(folder, READ)


@pytest.mark.parametrize("damage", ["UPDATE runs SET record = CAST('{}' AS BLOB)", None])
def test_damaged_records_are_said_to_be(folder: Path, damage: str | None) -> None:
    ran(folder, READ, "--run-id", "one")
    file = folder / ".dragoman/runs/runs.sqlite"
    if damage is None:
        file.write_bytes(b"not a database " * 1_000)
    else:
        with sqlite3.connect(file) as database:
            database.execute(damage)
    with pytest.raises(StoreDamaged):
        RunStore(file.parent).list()
    assert said_json(folder, "runs", "list", code=4)["error"]["code"] == "store_damaged"


FILE = '(duckdb.writer :needs [@u] :format "csv" :path "w.csv" :as @w)'
TABLE = '(sqlite.writer :needs [@u] :connection "@lite" :table "w" :as @x)'
TWICE = FILE + TABLE
PASSED_ON = '(duckdb.transform :needs [@u] :query "SELECT * FROM u" :as @t)'


@pytest.mark.parametrize("takers", ["", FILE, TABLE, TWICE, PASSED_ON])
@pytest.mark.parametrize(
    ("source", "said"),
    [
        ('(filesystem.extractor :path "x.csv" :types {:a "integer"} :as @u)', "the column a has a value"),
        ('(filesystem.extractor :path "x.jsonl" :types {:a "integer"} :as @u)', "the column a has a value"),
        ('(filesystem.extractor :path "long.csv" :types {:a "text"} :as @u)', "long.csv, line 3: "),
        ('(sqlite.extractor :connection "@bent" :table "t" :as @u)', "the column a"),
    ],
)
def test_a_bad_value_is_told_by_its_source_whoever_takes_it(
    folder: Path, source: str, said: str, takers: str
) -> None:
    (folder / "connections.yaml").write_text("lite: {path: lite.db}\nbent: {path: bent.db}\n")
    (folder / "x.csv").write_text("a\n1\nx\n")
    (folder / "x.jsonl").write_text('{"a":1}\n{"a":"x"}\n')
    (folder / "long.csv").write_text("a\n1\n" + "x" * 17_000_000 + "\n")
    with sqlite3.connect(folder / "bent.db") as database:
        database.executescript("CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (1), ('x')")
    fault = ran(folder, source + takers, "--yes", code=1)["run"]["fault"]
    assert said in fault["message"]


@pytest.mark.parametrize("line", ['{"a":' + "[" * 5_000 + "]" * 5_000 + "}", '{"":1}', "{}"])
def test_lines_that_have_no_columns(folder: Path, line: str) -> None:
    (folder / "x.jsonl").write_text(line + "\n")
    fault = ran(folder, '(filesystem.extractor :path "x.jsonl" :as @u)', code=1)["run"]["fault"]
    assert fault["code"] == "source_failed"
    assert fault["message"].startswith("x.jsonl")
