"""The language in one run: both readers beside others, then compiling, cold and warm, small and large.

./do bench language
"""

import gc
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from benchmarks import language_oml, language_verbs
from dragoman.contracts.vocabulary import Notation
from dragoman.language.source import Source
from dragoman.workspace.programs import Programs

COLD_BAR: Final = 0.4
WARM_BAR: Final = 0.001
GROWTH_BAR: Final = 1.35
"""Ten times the program may take this many times ten times the CPU: caches are smaller than the program."""

COLD_RUNS: Final = 9
WARM_RUNS: Final = 200
STATEMENTS: Final = 10_000

_PAIR: Final = (
    '(filesystem.extractor :path "u-{n}.csv" :format "csv" :header true :as @extract-{n})\n'
    '(duckdb.writer :needs [@extract-{n}] :format "parquet" :path "u-{n}.parquet" :as @write-{n})\n'
)


def program(statements: int) -> str:
    return "".join(_PAIR.format(n=n) for n in range(statements // 2))


def verdict(title: str, taken: float, bar: float, unit: str) -> bool:
    passed = taken <= bar
    print(f"bar: {title} at most {bar:g}{unit}: {taken:.3g}{unit} {'PASS' if passed else 'FAIL'}")
    return passed


def cold_seconds(file: Path, folder: Path) -> float:
    """CPU of the whole command, from nothing to the manifest on disk."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "dragoman.cli", "compile", str(file), "--out", str(folder / "builds")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def compiled(bench: Programs, text: str, notation: Notation) -> None:
    done = bench.compile(Source(text), notation)
    if done.manifest is None:
        raise SystemExit(f"the program is wrong: {done.diagnostics[:1]}")


def cpu_seconds(work: Callable[[], object]) -> float:
    gc.collect()
    before = time.process_time()
    work()
    return time.process_time() - before


def warm_seconds(work: Callable[[], object]) -> float:
    """The median of many calls in a row, as a server makes them: nothing is cleared up between."""
    work()
    taken = []
    for _ in range(WARM_RUNS):
        before = time.process_time()
        work()
        taken.append(time.process_time() - before)
    return statistics.median(taken)


def compiling() -> bool:
    bench = Programs()
    text = language_oml.document(2)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "pipeline.yaml").write_text(text, encoding="utf-8")
        cold = statistics.median(cold_seconds(folder / "pipeline.yaml", folder) for _ in range(COLD_RUNS))
    warm = warm_seconds(lambda: compiled(bench, text, Notation.OML))
    short, long = program(STATEMENTS), program(STATEMENTS * 10)
    small = statistics.median(cpu_seconds(lambda: compiled(bench, short, Notation.VERBS)) for _ in range(3))
    large = cpu_seconds(lambda: compiled(bench, long, Notation.VERBS))
    print(f"2 steps, cold command   {cold:.3f} s CPU (median of {COLD_RUNS})")
    print(f"2 steps, in process     {warm * 1000:.2f} ms CPU (median of {WARM_RUNS})")
    print(f"{STATEMENTS:,} statements       {small:.2f} s CPU")
    growth = large / (10 * small)
    print(f"{STATEMENTS * 10:,} statements      {large:.2f} s CPU, {growth:.2f} times ten times as long")
    return all(
        [
            verdict("compiling 2 steps from the cold command", cold, COLD_BAR, " s"),
            verdict("compiling 2 steps in process", warm, WARM_BAR, " s"),
            verdict("growth to 100,000 statements", growth, GROWTH_BAR, ""),
        ]
    )


SECTIONS: Final[dict[str, Callable[[], bool]]] = {
    "verb notation beside lark": lambda: language_verbs.main() == 0,
    "OML beside CSafeLoader": lambda: language_oml.main() == 0,
    "compiling": compiling,
}


def main() -> int:
    failed = []
    for title, section in SECTIONS.items():
        print(f"── {title}")
        if not section():
            failed.append(title)
    print(f"language: {'FAIL: ' + ', '.join(failed) if failed else 'PASS'}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
