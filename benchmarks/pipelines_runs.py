"""Runs of contenders: a fresh folder and a fresh process for each, and nothing left of them."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from benchmarks import pipelines_launch
from benchmarks.pipelines_contenders import command, make_workspace
from benchmarks.pipelines_data import clear_target
from benchmarks.pipelines_job import Contender, Job, Place, Route, Taken

LIMIT_SECONDS: Final = 1800
SAID_CHARACTERS: Final = 900
MAKES_ITS_TABLE: Final = {Contender.DRAGOMAN, Contender.PANDAS, Contender.DLT, Contender.DLT_PYARROW}


class Failed(Exception):
    """A contender did not come to its end; the message is the end of what it said."""


class Runs:
    def __init__(self, folder: Path, truth: Path, mariadb: Place, postgres: Place) -> None:
        self._folder = folder
        self._truth = truth
        self._mariadb = mariadb
        self._postgres = postgres

    @contextmanager
    def job(self, contender: Contender, route: Route, table: str) -> Iterator[Job]:
        """A job in a folder of its own, and a target without what others wrote."""
        with tempfile.TemporaryDirectory(prefix=f"{contender}-", dir=self._folder) as folder:
            job = Job(contender, route, Path(folder), table, self._truth, self._mariadb, self._postgres)
            if route.target == "postgres":
                clear_target(self._postgres, make=contender not in MAKES_ITS_TABLE)
            make_workspace(job)
            yield job

    def taken(self, job: Job, *extra: str) -> Taken:
        """Run the job in its own process and say what it took."""
        told, outcome, said = (job.folder / name for name in ("job.json", "taken.json", "said.txt"))
        told.write_bytes(job.encoded())
        launcher = [sys.executable, "-S", pipelines_launch.__file__, str(outcome), str(LIMIT_SECONDS)]
        with said.open("wb") as output:
            subprocess.run(
                [*launcher, *command(job, told), *extra],
                env=_environment(job),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=True,
            )
        figures = json.loads(outcome.read_text())
        if figures["code"] != 0:
            words = " ".join(said.read_text(errors="replace").split())
            raise Failed(f"code {figures['code']}: … {words[-SAID_CHARACTERS:]}")
        return Taken(figures["cpu"], figures["wall"], figures["peak"])


def _environment(job: Job) -> dict[str, str]:
    # Whoever forbids Python to keep what it compiled would measure the compiler, and of us alone: the others
    # were compiled when they were installed.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **job.mariadb.secret, **job.postgres.secret}
