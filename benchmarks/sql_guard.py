"""CPU of the SQL guard for one query, over the queries of its corpus that must pass.

./do bench sql_guard

Each query is read, checked, written anew, and read and checked once more, with the tables it may read and
with a limit put in. The first query of a process, which loads the parser, is not counted.
"""

import statistics
import sys
import time
from typing import Final

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql import judge_sql
from tests.guards.sql.corpus import Legitimate, legitimate

BAR: Final = 0.003
RUNS: Final = 20


def seconds(query: Legitimate, dialect: Dialect) -> float:
    """The median of several calls: one alone may meet the collector of garbage."""
    taken = []
    for _ in range(RUNS):
        before = time.process_time()
        verdict = judge_sql(query.sql, dialect, allowed_tables=query.tables, row_limit=1_000)
        taken.append(time.process_time() - before)
        assert verdict.is_allowed, verdict.reason
    return statistics.median(taken)


def main() -> int:
    judge_sql("SELECT 1", Dialect.POSTGRES)
    every: list[float] = []
    for dialect in Dialect:
        taken = [seconds(query, dialect) for query in legitimate(dialect)]
        every += taken
        middle, most = statistics.median(taken) * 1000, max(taken) * 1000
        print(f"{dialect:<10} {len(taken):>3} queries  median {middle:.2f} ms CPU, slowest {most:.2f} ms")
    middle, high = statistics.median(every), statistics.quantiles(every, n=100)[98]
    passed = True
    for title, value in (("median", middle), ("p99", high)):
        good = value <= BAR
        passed &= good
        print(f"bar: {title} at most {BAR * 1000:g} ms: {value * 1000:.2f} ms {'PASS' if good else 'FAIL'}")
    return int(not passed)


if __name__ == "__main__":
    sys.exit(main())
