"""Reading a 200-step OML document with a position on every key and value, beside CSafeLoader without.

python -m benchmarks.language_oml
"""

import statistics
import sys
import time
from collections.abc import Callable

import yaml
from yaml import CSafeLoader

from dragoman.language.oml.oml_reader import read_oml
from dragoman.language.source import Source

ROUNDS = 40
BAR = 1.0

_PAIR = """\
  - id: extract-users-{n}
    component: mysql.extractor
    mode: read
    config:
      query: "SELECT id, name, country FROM users WHERE id % 100 = {n}"
      connection: "@default"
  - id: write-users-csv-{n}
    component: duckdb.writer
    mode: write
    needs: ["extract-users-{n}"]
    config:
      format: csv
      path: "./users-{n}.csv"
      delimiter: ","
      header: true
"""


def document(steps: int) -> str:
    head = 'oml_version: "0.1.0"\nname: mysql-to-csv-export\nsteps:\n'
    return head + "".join(_PAIR.format(n=n) for n in range(steps // 2))


def main() -> int:
    text = document(200)
    if diagnostics := read_oml(Source(text)).diagnostics:
        raise SystemExit(f"the document is wrong: {diagnostics[0]}")
    readers: dict[str, Callable[[], object]] = {
        "read_oml": lambda: read_oml(Source(text)),
        "CSafeLoader": lambda: yaml.load(text, CSafeLoader),
    }
    taken: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(ROUNDS):
        for name, read in readers.items():
            taken[name].append(_cpu(read))
    medians = {name: statistics.median(seconds) for name, seconds in taken.items()}
    print(f"{len(text):,} characters, 200 steps, median of {ROUNDS}")
    for name, seconds in medians.items():
        print(f"{name:<12} {seconds * 1000:7.2f} ms CPU")
    ratio = medians["read_oml"] / medians["CSafeLoader"]
    print(f"bar: read_oml / CSafeLoader at most {BAR}: {ratio:.2f} {'PASS' if ratio <= BAR else 'FAIL'}")
    return 0 if ratio <= BAR else 1


def _cpu(read: Callable[[], object]) -> float:
    start = time.process_time()
    read()
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
