"""Pipelines beside others on real servers: CPU, time, memory, and whether every cell arrives as it was.

./do bench pipelines [--rows N] [--routes ...] [--peers ...] [--repeat N] [--skip-memory] [--json FILE]
"""

import argparse
import json
import signal
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from benchmarks.pipelines_bars import judge, reference_of
from benchmarks.pipelines_check import Checked, check
from benchmarks.pipelines_contenders import ENTRANTS
from benchmarks.pipelines_data import SMALL, TABLE, fill, grow, make_truth
from benchmarks.pipelines_job import Contender, Family, Place, Route, Taken
from benchmarks.pipelines_runs import Failed, Runs
from tests.servers import locate, running_mariadb, running_postgres
from tools.binaries import POSTGRES, find_program

ROWS: Final = 2_000_000
REPEAT: Final = 3
SLOW_SECONDS: Final = 60.0
"""What takes longer is run once."""
SIZES: Final = (500_000, 1_000_000, 2_000_000, 4_000_000)
GROWING: Final = "growing"
GROWING_ROUTES: Final = (Route.MARIADB_PARQUET, Route.POSTGRES_PARQUET, Route.MARIADB_POSTGRES)
FIRST_ROUTES: Final = (Route.MARIADB_PARQUET, Route.POSTGRES_PARQUET, Route.PARQUET_POSTGRES)
MEMORY_SWING: Final = 0.15
MEMORY_BAR: Final = 400e6
FIRST_ROW_BAR: Final = 0.7


class Entry(NamedTuple):
    """What a contender took on a route, and what arrived."""

    taken: Taken
    runs: int
    checked: Checked


@dataclass
class Entered:
    """A contender on a route, as its runs come in."""

    taken: list[Taken] = field(default_factory=list)
    checked: Checked | None = None
    failed: str = ""

    @property
    def goes_on(self) -> bool:
        return not self.failed and not any(each.wall > SLOW_SECONDS for each in self.taken)


def verdict(title: str, passed: bool) -> bool:
    print(f"bar: {title} {'PASS' if passed else 'FAIL'}")
    return passed


class Bench:
    """One run of the benchmark; `told` is what goes into the file of figures."""

    def __init__(self, runs: Runs, rows: int, repeat: int, peers: Sequence[Contender]) -> None:
        self._runs = runs
        self._rows = rows
        self._repeat = repeat
        self._peers = peers
        self.told: dict[str, Any] = {"rows": rows, "routes": {}}

    def route(self, route: Route) -> bool:
        print(f"── {route.heading}, {self._rows:,} rows", flush=True)
        entered = {each: Entered() for each in ENTRANTS[route] if each in self._peers}
        # By turns: a machine that is slow for a while is slow for all.
        for _ in range(self._repeat):
            for contender, entered_by in entered.items():
                if entered_by.goes_on:
                    self._run(contender, route, entered_by)
        entries = {each: entry_of(by.taken, by.checked) for each, by in entered.items() if by.checked}
        exact = {each for each, entry in entries.items() if entry.checked.exact}
        reference = reference_of(route, {each: entry.taken.cpu for each, entry in entries.items()}, exact)
        unit = entries[reference].taken.cpu if reference else None
        for each, entry in entries.items():
            print(line(each, entry, unit), flush=True)
        self.told["routes"][route] = {
            each: figures(entries[each]) if each in entries else {"failed": by.failed}
            for each, by in entered.items()
        }
        return self._bars(route, entries)

    def _run(self, contender: Contender, route: Route, entered: Entered) -> None:
        with self._runs.job(contender, route, TABLE) as job:
            try:
                entered.taken.append(self._runs.taken(job))
            except Failed as failed:
                entered.failed = str(failed)
                print(f"{contender:<12} failed: {failed}", flush=True)
            else:
                entered.checked = entered.checked or check(job)

    def _bars(self, route: Route, entries: dict[Contender, Entry]) -> bool:
        ours = entries.get(Contender.DRAGOMAN)
        if ours is None:
            return Contender.DRAGOMAN not in self._peers or verdict(f"{route.heading}: it runs", False)
        exact = {each for each, entry in entries.items() if entry.checked.exact}
        cpu = {each: entry.taken.cpu for each, entry in entries.items()}
        passed = [verdict(title, well) for title, well in judge(route, cpu, exact)]
        if reference_of(route, cpu, exact) is None:
            print("bar: not judged, since nobody ran that it is measured by")
        return all([verdict("no wrong cell", ours.checked.exact), *passed])

    def memory(self, mariadb: Place, postgres: Place) -> bool:
        print("── memory of ours as the rows grow", flush=True)
        peaks: dict[Route, list[int]] = {route: [] for route in GROWING_ROUTES}
        for before, size in zip((0, *SIZES), SIZES, strict=False):
            grow(GROWING, before, size, self._rows, mariadb, postgres)
            for route in GROWING_ROUTES:
                with self._runs.job(Contender.DRAGOMAN, route, GROWING) as job:
                    try:
                        taken = self._runs.taken(job)
                        peaks[route].append(taken.peak)
                        print(f"{route.heading:<24} {size:>9,} rows {taken.peak / 1e6:7.0f} MB", flush=True)
                    except Failed as failed:
                        print(f"{route.heading} failed: {failed}", flush=True)
        self.told["memory"] = {route: dict(zip(SIZES, each, strict=False)) for route, each in peaks.items()}
        flat = [self._flat(route, each) for route, each in peaks.items()]
        return all(flat)

    def _flat(self, route: Route, peaks: list[int]) -> bool:
        if len(peaks) < len(SIZES):
            return verdict(f"{route.heading}: it runs", False)
        middle = (max(peaks) + min(peaks)) / 2
        swing = (max(peaks) - middle) / middle
        bar = f"within ± {MEMORY_SWING:.0%} and under {MEMORY_BAR / 1e6:.0f} MB: ± {swing:.1%}"
        return verdict(f"{route.heading}: {bar}", swing <= MEMORY_SWING and max(peaks) < MEMORY_BAR)

    def first_row(self) -> bool:
        print("── from the start of the process to the first row", flush=True)
        self.told["first_row"] = {}
        passed = []
        for route in FIRST_ROUTES:
            try:
                cpu = median(self._first(route) for _ in range(self._repeat))
            except Failed as failed:
                print(f"{route.source} failed: {failed}", flush=True)
                passed.append(verdict(f"{route.source}: it runs", False))
                continue
            self.told["first_row"][route.source] = cpu
            title = f"first row of {route.source} within {FIRST_ROW_BAR} s of CPU: {cpu:.2f} s"
            passed.append(verdict(title, cpu <= FIRST_ROW_BAR))
        return all(passed)

    def _first(self, route: Route) -> float:
        with self._runs.job(Contender.DRAGOMAN, route, SMALL) as job:
            self._runs.taken(job, "first")
            return float((job.folder / "first.txt").read_text())


def entry_of(taken: Sequence[Taken], checked: Checked) -> Entry:
    """The medians of the runs."""
    cpu, wall, peak = (median(figure) for figure in zip(*taken, strict=True))
    return Entry(Taken(cpu, wall, round(peak)), len(taken), checked)


def line(contender: Contender, entry: Entry, unit: float | None) -> str:
    """`unit` is the CPU of the one that the bar is measured by."""
    taken, checked = entry.taken, entry.checked
    wrong = ", ".join(f"{kind} {share:.3g} %" for kind, share in checked.wrong.items() if share)
    changed = ", ".join(f"{name} is {kind}" for name, kind in checked.changed.items())
    notes = [f"wrong: {wrong or 'none'}", f"({changed})" if changed else ""]
    notes.append("run once" if entry.runs == 1 else "")
    ratio = f"{taken.cpu / unit:6.2f} ×" if unit else "       –"
    return (
        f"{contender:<12} {taken.cpu:8.2f} s CPU {ratio} {taken.wall:7.1f} s {taken.peak / 1e6:6.0f} MB  "
        + " ".join(note for note in notes if note)
    )


def figures(entry: Entry) -> dict[str, Any]:
    return {
        **entry.taken._asdict(),
        "runs": entry.runs,
        "wrong_percent": entry.checked.wrong,
        "changed_types": entry.checked.changed,
    }


def arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="pipelines", description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--routes", type=Route, nargs="+", default=list(Route), metavar="ROUTE")
    parser.add_argument("--peers", type=Contender, nargs="+", default=list(Contender), metavar="NAME")
    parser.add_argument("--repeat", type=int, default=REPEAT)
    parser.add_argument("--skip-memory", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args(words)


def main() -> int:
    asked = arguments()
    # Told to end, it leaves in good order: servers stopped, folders removed.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(1))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="dragoman-pipelines-")))
        my, pg = stack.enter_context(running_mariadb()), stack.enter_context(running_postgres())
        my.query("CREATE DATABASE bench CHARACTER SET utf8mb4")
        pg.execute("CREATE DATABASE bench")
        mariadb = Place(
            Family.MARIADB, str(find_program("mariadb")), my.host, my.port, my.user, my.password, "bench"
        )
        psql = str(locate(POSTGRES) / "psql")
        postgres = Place(Family.POSTGRES, psql, pg.host, pg.port, pg.user, pg.password, "bench")
        truth = folder / "truth.parquet"
        make_truth(truth, asked.rows)
        fill(truth, folder, mariadb, postgres)
        bench = Bench(Runs(folder, truth, mariadb, postgres), asked.rows, asked.repeat, asked.peers)
        passed = [bench.route(route) for route in asked.routes]
        if Contender.DRAGOMAN in asked.peers:
            passed.append(bench.first_row())
            if not asked.skip_memory:
                passed.append(bench.memory(mariadb, postgres))
    if asked.json:
        asked.json.write_text(json.dumps(bench.told, indent=1) + "\n")
    if Contender.DRAGOMAN not in asked.peers:
        print("pipelines: no bar judged, since ours did not run")
        return 0
    print(f"pipelines: {'PASS' if all(passed) else 'FAIL'}")
    return int(not all(passed))


if __name__ == "__main__":
    sys.exit(main())
