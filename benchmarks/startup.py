"""CPU it takes to start: a bare interpreter, `dragoman --version`, a first question, a small run.

./do bench startup
./do bench startup --runs 5

Every command is a fresh process. Folders are made and asked once beforehand, so that modules are compiled and
databases discovered, as they are for everybody but the very first time. Dragoman is measured as it would be
installed, in the environment of the tests: beside the peers there are numpy and pandas, which pyarrow imports
wherever it finds them.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = 15
TESTS = Path(__file__).resolve().parent.parent / ".venv" / "dev" / "bin" / "python"
PYTHON = str(TESTS) if TESTS.exists() else sys.executable
DRAGOMAN = (PYTHON, "-m", "dragoman.cli")
DEMO_QUESTION = "receivables of Beta Retail as of 31 May 2020"
QUESTION = "how many documents are there since 2020-04-01?"
PIPELINE = (
    '(sqlite.extractor :connection "@trade" :table "document" :as @documents)\n'
    '(duckdb.writer :needs [@documents] :format "csv" :path "documents.csv" :as @file)\n'
)
BARS = {
    "dragoman --version": 0.15,
    "ask, the demo": 0.4,
    "ask, a discovered database": 0.5,
    "run, 32 rows to CSV": 0.4,
}

Command = tuple[tuple[str, ...], Path]
"""What is started, and in which folder."""


def commands(folder: Path) -> dict[str, Command]:
    """The commands by their names, with the folders that they need made."""
    demo, own = folder / "demo", folder / "own"
    demo.mkdir()
    own.mkdir()
    _started((*DRAGOMAN, "ask", DEMO_QUESTION), demo)
    _started((*DRAGOMAN, "init", str(demo / ".dragoman/demo/trade.sqlite")), own)
    (own / "export.verbs").write_text(PIPELINE, "utf-8")
    return {
        "python -c pass": ((PYTHON, "-c", "pass"), folder),
        "dragoman --version": ((*DRAGOMAN, "--version"), folder),
        "dragoman --help": ((*DRAGOMAN, "--help"), folder),
        "import the library": ((PYTHON, "-c", "from dragoman import Workspace"), folder),
        "ask, the demo": ((*DRAGOMAN, "ask", DEMO_QUESTION), demo),
        "ask, a discovered database": ((*DRAGOMAN, "ask", QUESTION), own),
        "run, 32 rows to CSV": ((*DRAGOMAN, "run", "export.verbs", "--yes"), own),
    }


def cpu_seconds(command: Command) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _started(*command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def _started(arguments: tuple[str, ...], folder: Path) -> None:
    # Whoever forbids Python to keep what it compiled would measure the compiler.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quiet = subprocess.DEVNULL
    subprocess.run(arguments, check=True, cwd=folder, env=kept, stdout=quiet, stderr=quiet)


def main() -> None:
    parser = argparse.ArgumentParser(description="CPU it takes to start.")
    parser.add_argument("--runs", type=int, default=RUNS, help="how often each command is started")
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as place:
        measured = commands(Path(place))
        for command in measured.values():
            _started(*command)
        # By turns, so that a machine that is slow for a while is slow for all.
        taken = [{name: cpu_seconds(command) for name, command in measured.items()} for _ in range(runs)]
    for name in measured:
        seconds = [each[name] for each in taken]
        bar = BARS.get(name)
        said = "" if bar is None else f"   bar {bar} s: {_verdict(statistics.median(seconds), bar)}"
        print(f"{name:<27} {statistics.median(seconds):.3f} s CPU, least {min(seconds):.3f}{said}")


def _verdict(seconds: float, bar: float) -> str:
    return "reached" if seconds <= bar else "MISSED"


if __name__ == "__main__":
    main()
