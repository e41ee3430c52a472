"""Manifests: the same inputs give the same bytes everywhere, other inputs give another fingerprint."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from dragoman.contracts.errors import BuildFailed
from dragoman.contracts.program import Integer, Text, Value
from dragoman.contracts.verb import VerbSignature
from dragoman.contracts.vocabulary import Notation
from dragoman.engine.builds import write_build
from dragoman.language.compiler import compile_document
from dragoman.language.front import read_program
from dragoman.language.manifest import Manifest
from dragoman.language.source import Source
from dragoman.workspace.programs import Programs
from tests.language.shop_catalog import ShopCatalog

EXAMPLE: Final = """\
oml_version: "0.1.0"
name: mysql-to-csv-export
steps:
  - id: extract-users
    component: mysql.extractor
    mode: read
    config:
      query: "SELECT * FROM users"
      connection: "@default"
  - id: write-users-csv
    component: duckdb.writer
    mode: write
    needs: ["extract-users"]
    config:
      format: csv
      path: "./users.csv"
      delimiter: ","
      header: true
"""

PARAMETRIC: Final = """\
oml_version: "0.1.0"
name: recent-users
params:
  least: {type: int, default: 7}
  table: {type: string, default: users}
profiles:
  big: {least: 100}
steps:
  - id: extract
    component: mysql.extractor
    mode: read
    config: {connection: "@shop", query: "SELECT * FROM ${params.table} WHERE n >= ${params.least}"}
"""


def manifest_of(text: str, catalog: ShopCatalog | None = None, **parameters: Value) -> Manifest:
    source = Source(text)
    notation = Notation.OML if text.startswith("oml_version") else Notation.VERBS
    document = read_program(source, notation)
    done = compile_document(document, source, catalog or ShopCatalog(), parameters=parameters)
    assert done.manifest is not None, done
    return done.manifest


def content_of(manifest: Manifest) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(manifest.data)
    return content


def test_the_example_compiles_as_it_stands() -> None:
    done = Programs().compile(Source(EXAMPLE), Notation.OML)
    assert done.diagnostics == ()
    assert done.manifest is not None
    content = content_of(done.manifest)
    assert content["name"] == "mysql-to-csv-export"
    assert content["steps"] == [
        {
            "id": "extract-users",
            "component": "mysql.extractor",
            "mode": "read",
            "needs": [],
            "config": {"query": "SELECT * FROM users", "connection": "@default"},
        },
        {
            "id": "write-users-csv",
            "component": "duckdb.writer",
            "mode": "write",
            "needs": ["extract-users"],
            "config": {"format": "csv", "path": "./users.csv", "delimiter": ",", "header": True},
        },
    ]
    plan = done.manifest.plan
    assert [(step.id, step.verb, step.needs) for step in plan.steps] == [
        ("extract-users", "mysql.extractor", ()),
        ("write-users-csv", "duckdb.writer", ("extract-users",)),
    ]
    assert content["fingerprint"] == plan.fingerprint


def test_every_example_of_a_component_is_good_but_for_what_it_needs() -> None:
    bench = Programs()
    for name in bench.catalog.verb_names():
        signature = bench.catalog.signature(name)
        assert signature is not None
        for example in signature.examples:
            before = '(filesystem.extractor :path "x.csv" :as @extract-users)\n'
            text = before + example if "[@extract-users]" in example else example
            assert bench.compile(Source(text), Notation.VERBS).ok, example


def test_a_manifest_is_canonical() -> None:
    data = manifest_of(PARAMETRIC, table=Text("größe"), least=Integer(1)).data
    content = json.loads(data)
    assert data == (json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode()
    assert set(content) == {
        "manifest_version",
        "name",
        "steps",
        "parameters",
        "fingerprints",
        "fingerprint",
    }
    assert set(content["fingerprints"]) == {"source", "catalog", "parameters", "compiler"}


def test_values_that_json_has_no_word_for_stay_apart() -> None:
    values = ["1.50", '"1.50"', "2020-01-01", '"2020-01-01"', "nil", '"nil"', "1", "{:date 1}", '["date" 1]']
    values += ["1.5", "{}", "[]", '{:map [["a" 1]]}', "{:a 1}"]
    configs = {
        json.dumps(content_of(manifest_of(f"(duckdb.everything :json {value})"))["steps"][0]["config"])
        for value in values
    }
    assert len(configs) == len(values)


# Fingerprints change when, and only when, what they stand for does.


def changed(one: Manifest, other: Manifest) -> set[str]:
    before, after = content_of(one)["fingerprints"], content_of(other)["fingerprints"]
    assert (one.data == other.data) is (one.plan.fingerprint == other.plan.fingerprint)
    assert (one.plan.fingerprint != other.plan.fingerprint) is (before != after)
    return {name for name in before if before[name] != after[name]}


READ: Final = '(mysql.extractor :connection "@shop" :table "users")'


class _Renamed(ShopCatalog):
    """The same catalog, but for the title of one verb."""

    def __init__(self, verb: str) -> None:
        super().__init__()
        self._verb = verb

    def signature(self, verb: str, connection: str = "") -> VerbSignature | None:
        found = super().signature(verb)
        if found is None or verb != self._verb:
            return found
        return VerbSignature(found.name, found.domain, "Another", found.effect, found.arguments)


def test_the_same_inputs_change_nothing() -> None:
    assert changed(manifest_of(READ), manifest_of(READ)) == set()
    assert manifest_of(READ).data == manifest_of(READ).data


def test_another_source_changes_the_source() -> None:
    assert changed(manifest_of(READ), manifest_of(f"{READ}\n")) == {"source"}
    assert changed(manifest_of(READ), manifest_of(READ.replace("users", "orders"))) == {"source"}


def test_the_catalog_counts_as_far_as_it_is_used() -> None:
    assert changed(manifest_of(READ), manifest_of(READ, ShopCatalog(without="duckdb.writer"))) == set()
    assert changed(manifest_of(READ), manifest_of(READ, _Renamed("mysql.writer"))) == set()
    assert changed(manifest_of(READ), manifest_of(READ, _Renamed("mysql.extractor"))) == {"catalog"}


def test_other_parameters_change_the_parameters() -> None:
    def of(least: int, table: str = "users") -> Manifest:
        return manifest_of(PARAMETRIC, least=Integer(least), table=Text(table))

    assert changed(of(1), of(1)) == set()
    assert changed(of(1), of(2)) == {"parameters"}
    assert changed(of(1), of(1, "orders")) == {"parameters"}
    queries = [content_of(of(n))["steps"][0]["config"]["query"] for n in (1, 2)]
    assert queries == ["SELECT * FROM users WHERE n >= 1", "SELECT * FROM users WHERE n >= 2"]


# The same bytes in every process.


def compile_command(file: Path, out: Path, folder: Path, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, "-m", "dragoman.cli", "compile", str(file), "--out", str(out), "--json"],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    manifest: str = json.loads(run.stdout)["manifest"]
    return manifest


def test_bytes_are_the_same_in_every_process_and_folder(tmp_path: Path) -> None:
    texts = set()
    for number, (seed, zone, locale) in enumerate(
        [("0", "UTC", "C"), ("1", "Asia/Seoul", "C.UTF-8"), ("4242", "America/Lima", "POSIX")]
    ):
        folder = tmp_path / f"folder-{number}"
        folder.mkdir()
        file = folder / f"program-{number}.yaml"
        file.write_text(PARAMETRIC + "    # größe\n", encoding="utf-8")
        out = compile_command(file, folder / "out", folder, PYTHONHASHSEED=seed, TZ=zone, LC_ALL=locale)
        texts.add((folder / out).read_bytes())
    assert len(texts) == 1
    assert str(tmp_path) not in texts.pop().decode()


# Builds.


def test_a_build_is_kept_under_its_fingerprint_and_latest_points_at_the_newest(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "builds"
    first, second = manifest_of(READ), manifest_of(READ.replace("users", "orders"))
    for manifest in (first, second, second):
        path = write_build(out, manifest)
        assert path == out / manifest.plan.fingerprint / "manifest.json"
        assert path.read_bytes() == manifest.data
        assert (out / "LATEST").read_text() == f"{manifest.plan.fingerprint}\n"
    left = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    fingerprints = sorted([first.plan.fingerprint, second.plan.fingerprint])
    assert left == sorted(["LATEST", *(f"{each}/manifest.json" for each in fingerprints)])
    write_build(out, first)
    assert (out / "LATEST").read_text() == f"{first.plan.fingerprint}\n"


def test_a_folder_that_cannot_be_written_is_an_error_with_a_code(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    with pytest.raises(BuildFailed) as failure:
        write_build(file / "builds", manifest_of(READ))
    assert failure.value.code == "build_failed"
    assert "--out" in failure.value.hint
    assert file.read_text() == "in the way"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for the administrator")
def test_a_folder_that_is_read_only_is_an_error_with_a_code(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(BuildFailed):
            write_build(tmp_path / "builds", manifest_of(READ))
    finally:
        tmp_path.chmod(0o700)


def test_a_build_that_fails_half_way_leaves_no_half_file(tmp_path: Path) -> None:
    manifest = manifest_of(READ)
    (tmp_path / "LATEST").mkdir()
    with pytest.raises(BuildFailed):
        write_build(tmp_path, manifest)
    assert [path.name for path in tmp_path.rglob("*") if "partial" in path.name] == []
