"""A component is tested with a context of its own: a folder, a run's database, and no engine."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from dragoman_lines import EXTRACTOR

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import SourceFailed, StepRefused
from dragoman.contracts.run import RunLimits
from dragoman.databases.connections import ResolvedConnection
from dragoman.engine.component import Extractor, StepContext
from dragoman.engine.file_targets import FileTargets
from dragoman.engine.reserved_files import ReservedFiles
from dragoman.engine.run_database import RunDatabase
from dragoman.engine.runs.store import RunStore


@contextmanager
def context_in(folder: Path) -> Iterator[StepContext]:
    def connect(alias: str) -> ResolvedConnection:
        raise AssertionError(alias)

    limits = RunLimits()
    with RunDatabase(folder, limits) as database:
        yield StepContext(
            run_id="run",
            pipeline="trial",
            step="lines",
            workspace=folder,
            folder=folder,
            lane=database.lane(),
            limits=limits,
            cancel=Cancellation(),
            connect=connect,
            rows=lambda count: None,
            targets=FileTargets(folder, ReservedFiles(folder), RunStore(folder)),
        )


def test_lines(tmp_path: Path) -> None:
    (tmp_path / "app.log").write_text("INFO begin\nERROR no\n\nERROR again", encoding="utf-8")
    config = {"path": "app.log", "containing": "ERROR"}
    assert isinstance(EXTRACTOR, Extractor)
    with context_in(tmp_path) as context:
        extraction = EXTRACTOR.plan(config, None, None, context)
        with EXTRACTOR.open(config, extraction, None, context) as flow:
            rows = flow.batches(context.lane).read_all().to_pydict()
    assert rows == {"line": [2, 4], "text": ["ERROR no", "ERROR again"]}


@pytest.mark.parametrize(("path", "error"), [("../app.log", StepRefused), ("none.log", SourceFailed)])
def test_what_cannot_be_read(tmp_path: Path, path: str, error: type[Exception]) -> None:
    with context_in(tmp_path) as context, pytest.raises(error):
        EXTRACTOR.plan({"path": path}, None, None, context)
