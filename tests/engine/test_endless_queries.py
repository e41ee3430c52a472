"""Queries made to take all time, all memory or all disk: each ends by a limit, and within a bound of memory.

What is asserted is how it ends and how much memory it had; how long it took is only bounded by the tests' own
time limits.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from dragoman.databases.families.duckdb.duckdb_reader import MEMORY_BYTES
from tests.engine.endless import BOMBS, ENGINES, Endless, endless

MOST_BYTES: Final = 700_000_000
"""What a command, and each process it reads in, may hold at its peak. Before it reads anything it has about
150 MB, and DuckDB may have 256 MB in a run."""
MOST_READ_BYTES: Final = {"duckdb": MOST_BYTES + MEMORY_BYTES}
"""A read of DuckDB may have what docs/access.md says, and how much of that it takes before its time is over
depends on the machine."""

SHORT: Final = ("rows", "cross join", "one step")
EVERY: Final = [
    pytest.param(engine, bomb, marks=() if bomb in SHORT else pytest.mark.long)
    for engine in ENGINES
    for bomb in BOMBS[engine]
]
ONE_EACH: Final = [
    pytest.param(engine, bomb, marks=() if bomb == "cross join" else pytest.mark.long)
    for engine in ENGINES
    for bomb in BOMBS[engine]
]
"""Who said the limit makes no difference to the query that it ends."""
READS: Final = """
import sys
from dragoman.contracts.errors import AccessError
from dragoman.contracts.query import Query, ReadLimits
from dragoman.databases.connections import load_connections, open_connection, resolve
from pathlib import Path

folder = Path.cwd()
with open_connection(resolve(load_connections(folder).find("@db"), folder)) as reader:
    try:
        found = reader.read(Query(sys.argv[1]), ReadLimits(rows=100_000, seconds=2.0), user_sql=True)
        print("cut" if found.truncated else "whole")
    except AccessError as error:
        print(error.code)
"""


@pytest.fixture
def make(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[str], Endless]:
    return lambda engine: endless(engine, tmp_path, request)


_MEASURES: Final = """
import pathlib, resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
pathlib.Path(sys.argv[1]).write_text(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(code)
"""


def measured(folder: Path, *command: str) -> tuple[int, str, int]:
    """The exit code of a command, all that it said, and the most memory that it or a process of its had.

    Linux counts what a process was forked from as its own. So the command is started by a small process, and
    not by that of the tests, which may be large.
    """
    with tempfile.NamedTemporaryFile() as most:
        done = subprocess.run(
            [sys.executable, "-c", _MEASURES, most.name, *command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, int(Path(most.name).read_text()) * 1024


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("engine", "bomb"), EVERY)
def test_a_run_ends_by_its_limit(make: Callable[[str], Endless], engine: str, bomb: str) -> None:
    _run_ends(make(engine), bomb, given=True)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("engine", "bomb"), ONE_EACH)
def test_a_run_ends_by_the_limit_of_its_workspace(
    make: Callable[[str], Endless], engine: str, bomb: str
) -> None:
    _run_ends(make(engine), bomb, given=False)


def _run_ends(ground: Endless, bomb: str, *, given: bool) -> None:
    # Rows are written; what is only looked at ends after a thousand of them.
    file = ground.write(bomb, writes=True)
    arguments = ["--max-seconds", "3"] if given else []
    if not given:
        (ground.folder / "dragoman.yaml").write_text("limits: {run_seconds: 3}\n")
    code, said, peak = measured(
        ground.folder, sys.executable, "-m", "dragoman.cli", "run", file, "--yes", "--json", *arguments
    )
    assert code == 1, said
    assert '"run_limit_exceeded"' in said, said
    assert peak < MOST_BYTES
    assert list((ground.folder / "out").glob("*")) == []
    ground.rests([])


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("engine", "bomb"), EVERY)
def test_a_read_ends_by_its_limit(make: Callable[[str], Endless], engine: str, bomb: str) -> None:
    ground = make(engine)
    code, said, peak = measured(ground.folder, sys.executable, "-c", READS, BOMBS[engine][bomb])
    # A server may compute all rows of a series before it gives the first.
    expected = ("cut", "query_timeout") if bomb == "rows" else ("query_timeout",)
    assert (code, said.strip() in expected) == (0, True), said
    assert peak < MOST_READ_BYTES.get(engine, MOST_BYTES)
    ground.rests([])


@pytest.mark.timeout(300)
def test_a_recursion_that_mariadb_ends_by_itself_is_no_answer(make: Callable[[str], Endless]) -> None:
    ground = make("mariadb")
    sql = BOMBS["sqlite"]["recursion"]
    (ground.folder / "endless.verbs").write_text(
        f'(mysql.extractor :connection "@db" :query "{sql}" :as @read)'
    )
    code, said, _ = measured(
        ground.folder, sys.executable, "-m", "dragoman.cli", "run", "endless.verbs", "--yes", "--json"
    )
    assert (code, '"source_failed"' in said, "warning 1931" in said) == (1, True, True), said
