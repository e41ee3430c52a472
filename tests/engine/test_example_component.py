"""The component in examples/ is found by its entry point, as an installed one is, and used in a pipeline."""

import importlib.metadata
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from dragoman.catalog.components import COMPONENTS, lone_components
from dragoman.contracts.run import RunStatus
from dragoman.contracts.vocabulary import Notation
from dragoman.engine.component import Extractor
from dragoman.engine.components.files import WRITER
from dragoman.language.source import Source
from dragoman.workspace.pipelines import Pipelines
from dragoman.workspace.programs import Programs
from tests.engine.steps import step_context

EXAMPLE = Path(__file__).parents[2] / "examples" / "component"


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an installer would leave behind: the package on the path, and its metadata beside it."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    site = tmp_path / "site"
    info = site / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
    )
    points = project["entry-points"][COMPONENTS]
    lines = [f"[{COMPONENTS}]", *(f"{name} = {place}" for name, place in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(EXAMPLE / "src"))
    monkeypatch.syspath_prepend(str(site))


@pytest.mark.usefixtures("installed")
def test_it_is_found_and_runs(tmp_path: Path) -> None:
    (point,) = (p for p in importlib.metadata.entry_points(group=COMPONENTS) if p.name == "lines.extractor")
    offered = point.load()
    assert isinstance(offered, Extractor)
    assert offered.signature.name == point.name
    (tmp_path / "app.log").write_text("one\ntwo\n", encoding="utf-8")
    source, target = {"path": "app.log"}, {"format": "jsonl", "path": "lines.jsonl"}
    with step_context(tmp_path, {}) as context:
        extraction = offered.plan(source, None, None, context)
        writing = WRITER.prepare(target, extraction.columns, context)
        with offered.open(source, extraction, None, context) as flow:
            staged = WRITER.stage(target, writing, flow, context)
        WRITER.publish(target, writing, staged, None, context)
    lines = [json.loads(line) for line in (tmp_path / "lines.jsonl").read_text().splitlines()]
    assert lines == [{"line": 1, "text": "one"}, {"line": 2, "text": "two"}]


@pytest.mark.usefixtures("installed")
def test_a_pipeline_names_it(tmp_path: Path) -> None:
    """The compiler and the engine find it by its verb, as they find their own."""
    lone_components.cache_clear()
    (tmp_path / "app.log").write_text("one\ntwo\n", encoding="utf-8")
    program = """
    (lines.extractor :path "app.log" :as @lines)
    (duckdb.writer :needs [@lines] :format "csv" :path "lines.csv" :as @written)
    """
    try:
        compiled = Programs.open(tmp_path).compile(Source(program), Notation.VERBS)
        assert compiled.manifest is not None, compiled.diagnostics
        outcome = Pipelines(tmp_path).run(compiled.manifest.data)
    finally:
        lone_components.cache_clear()
        assert outcome.record.status is RunStatus.DONE, outcome.record.fault
    assert (tmp_path / "lines.csv").read_text().splitlines()[1:] == ['1,"one"', '2,"two"']


def test_its_own_test_passes() -> None:
    paths = [str(EXAMPLE / "src"), *(path for path in sys.path if path)]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-c",
            os.devnull,
            str(EXAMPLE / "tests"),
        ],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
