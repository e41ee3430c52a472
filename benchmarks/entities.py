"""A million names: building the index, finding them by four kinds of text, and binding only what is meant.

./do bench entities
"""

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from rapidfuzz import fuzz, process

from benchmarks import entity_names
from benchmarks.entity_queries import Maker, Queries
from dragoman.entities import (
    EntityIndex,
    EntityIndexConfig,
    EntityRow,
    SearchKey,
    build_index,
    open_index,
)

NAMES: Final = 1_000_000
QUERIES: Final = 1_000
SCANS: Final = 3
ABSENT: Final = 3_000
SEED: Final = 20

BUILD_BAR: Final = 15.0
P99_BAR: Final = 0.010
RECALL_BAR: Final = 0.98
RATIO_BAR: Final = 20.0
PRECISION_BAR: Final = 0.999
WRONG_BAR: Final = 1.0

CONFIG: Final = EntityIndexConfig("company", (SearchKey("name"),))


class Asked(NamedTuple):
    """A query, and the key of the name that it was made of."""

    text: str
    key: str


def verdict(title: str, passed: bool) -> bool:
    print(f"bar: {title} {'PASS' if passed else 'FAIL'}")
    return passed


def cpu(work: Callable[[], object]) -> float:
    """CPU of all threads of the process."""
    before = time.process_time()
    work()
    return time.process_time() - before


def asked(names: list[str], make: Maker, count: int, chance: random.Random) -> Iterator[Asked]:
    made = 0
    while made < count:
        number = chance.randrange(len(names))
        text = make(names[number])
        if text is not None:
            made += 1
            yield Asked(text, str(number))


def building(folder: Path, names: list[str]) -> bool:
    rows = [EntityRow(str(number), name, (name,)) for number, name in enumerate(names)]
    taken = cpu(lambda: build_index(folder, CONFIG, rows, "benchmark"))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{NAMES:,} names built in {taken:.1f} s CPU, {size / 1e6:.0f} MB")
    return verdict(f"build at most {BUILD_BAR:g} s CPU: {taken:.1f} s", taken <= BUILD_BAR)


def finding(index: EntityIndex, names: list[str], queries: Queries, chance: random.Random) -> bool:
    passed = []
    every: list[float] = []
    for kind, make in queries.kinds.items():
        taken, found, first = [], 0, 0
        for query in list(asked(names, make, QUERIES, chance)):
            before = time.process_time()
            matches = index.search(query.text).matches
            taken.append(time.process_time() - before)
            keys = [match.key for match in matches]
            found += query.key in keys
            first += keys[:1] == [query.key]
        taken.sort()
        every += taken
        p99 = taken[QUERIES * 99 // 100]
        print(
            f"{kind:<11} p50 {taken[QUERIES // 2] * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms CPU; "
            f"recall@5 {found / QUERIES:.3f}, first {first / QUERIES:.3f}"
        )
        passed.append(verdict(f"{kind}: p99 at most {P99_BAR * 1000:g} ms of CPU", p99 <= P99_BAR))
        passed.append(verdict(f"{kind}: recall@5 at least {RECALL_BAR}", found / QUERIES >= RECALL_BAR))
    passed.append(scanning(names, queries, sum(every) / len(every), chance))
    return all(passed)


def scanning(names: list[str], queries: Queries, taken: float, chance: random.Random) -> bool:
    """The same without an index: every name is compared, by the plain ratio and by rapidfuzz's default."""
    texts = [query.text for make in queries.kinds.values() for query in asked(names, make, SCANS, chance)]
    least = float("inf")
    for scorer in (fuzz.ratio, fuzz.WRatio):
        before = time.process_time()
        for text in texts:
            process.extract(text, names, scorer=scorer, limit=5)
        scan = (time.process_time() - before) / len(texts)
        least = min(least, scan / taken)
        print(
            f"scan by {scorer.__name__}: {scan * 1000:.0f} ms CPU a query, {scan / taken:.0f} times as much"
        )
    return verdict(f"at least {RATIO_BAR:g} times faster than a scan: {least:.0f}", least >= RATIO_BAR)


def binding(index: EntityIndex, names: list[str], queries: Queries, chance: random.Random) -> bool:
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for kind, make in {**queries.kinds, **queries.spoken}.items():
        for query in asked(names, make, QUERIES, chance):
            bound = index.search(query.text).bound
            if bound is not None:
                (right if bound.key == query.key else wrong)[kind] += 1
                if "--wrong" in sys.argv and bound.key != query.key:
                    print(f"  {query.text!r} is {names[int(query.key)]!r}, bound {bound}")
        print(f"{kind:<13} bound {(right[kind] + wrong[kind]) / QUERIES:.3f}, of these wrong {wrong[kind]}")
    precision = right.total() / (right.total() + wrong.total())
    misled = absent(index, queries)
    title = f"wrong bindings of 100 absent names at most {WRONG_BAR:g}: {misled:.2f}"
    return all(
        [
            verdict(f"precision at least {PRECISION_BAR}: {precision:.4f}", precision >= PRECISION_BAR),
            verdict(title, misled <= WRONG_BAR),
        ]
    )


def absent(index: EntityIndex, queries: Queries) -> float:
    """How many of 100 names that nobody has are bound to somebody."""
    strangers = [name for name in entity_names.names(ABSENT * 2, SEED + 1) if not queries.is_present(name)]
    hows = Counter(
        bound.how.value for name in strangers[:ABSENT] if (bound := index.search(name).bound) is not None
    )
    print(f"{min(len(strangers), ABSENT):,} absent names, bound all the same: {dict(hows) or 'none'}")
    return 100 * hows.total() / min(len(strangers), ABSENT)


def main() -> int:
    chance = random.Random(SEED)
    names = list(entity_names.names(NAMES, SEED))
    with tempfile.TemporaryDirectory() as folder:
        passed = [building(Path(folder), names)]
        queries = Queries(names, chance)
        index = open_index(Path(folder))
        index.search("warm")
        passed.append(finding(index, names, queries, chance))
        passed.append(binding(index, names, queries, chance))
    print(f"entities: {'PASS' if all(passed) else 'FAIL'}")
    return int(not all(passed))


if __name__ == "__main__":
    sys.exit(main())
