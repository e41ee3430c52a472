"""CPU it takes to start: `dragoman --version` beside a bare interpreter and beside an import of the library.

./do bench startup
"""

import resource
import statistics
import subprocess
import sys

RUNS = 15
BAR = 0.15

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "dragoman --version": [sys.executable, "-m", "dragoman.cli", "--version"],
    "dragoman --help": [sys.executable, "-m", "dragoman.cli", "--help"],
    "import the library": [sys.executable, "-c", "from dragoman import Workspace"],
}


def cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def main() -> None:
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(RUNS):
        for name, command in COMMANDS.items():
            taken[name].append(cpu_seconds(command))
    for name, seconds in taken.items():
        print(f"{name:<20} {statistics.median(seconds):.3f} s CPU (median of {RUNS})")
    reached = statistics.median(taken["dragoman --version"]) <= BAR
    print(f"bar: dragoman --version under {BAR} s CPU: {'PASS' if reached else 'FAIL'}")


if __name__ == "__main__":
    main()
