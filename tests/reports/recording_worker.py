"""A process that records checks in a metrics file until it has recorded enough, or is killed.

    python -m tests.reports.recording_worker FILE COUNT

Each record is acknowledged on stdout.
"""

import sys
import time
from pathlib import Path

from dragoman.contracts.report import Recovery, ValidationMode
from dragoman.reports.metrics_file import MetricsFile


def main(path: Path, count: int) -> None:
    with MetricsFile(path, busy_seconds=60.0) as metrics:
        for number in range(count):
            if number % 4 == 3:
                metrics.record_recovery(Recovery.RETRY)
            else:
                metrics.record_check(
                    time.time(), ValidationMode.SHADOW, "invalid_json" if number % 2 else None
                )
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
