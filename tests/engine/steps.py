"""What a component needs around it, without an engine: a database, a folder, and connections."""

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.run import RunLimits
from dragoman.databases.connections import ResolvedConnection, parse_database_url, resolve
from dragoman.engine.component import StepContext
from dragoman.engine.file_targets import FileTargets
from dragoman.engine.reserved_files import ReservedFiles
from dragoman.engine.run_database import RunDatabase
from dragoman.engine.runs.store import RunStore


@contextmanager
def step_context(
    workspace: Path,
    urls: Mapping[str, str],
    *,
    step: str = "step-1",
    run_id: str = "",
    pipeline: str = "trial",
    limits: RunLimits | None = None,
    cancel: Cancellation | None = None,
    replaces: tuple[str, ...] = (),
) -> Iterator[StepContext]:
    """A context whose connections are database URLs by their aliases, `@shop`."""

    def connect(alias: str) -> ResolvedConnection:
        return resolve(parse_database_url(urls[alias.removeprefix("@")]), workspace, {})

    allowed = limits or RunLimits()
    run = run_id or uuid.uuid4().hex
    folder = workspace / ".dragoman" / "runs" / run
    folder.mkdir(parents=True, exist_ok=True)
    with RunDatabase(folder, allowed) as database:
        yield StepContext(
            run_id=run,
            pipeline=pipeline,
            step=step,
            workspace=workspace,
            folder=folder,
            lane=database.lane(),
            limits=allowed,
            cancel=cancel or Cancellation(),
            connect=connect,
            rows=lambda _: None,
            targets=FileTargets(workspace, ReservedFiles(workspace), RunStore(folder.parent)),
            replaces=replaces,
        )
