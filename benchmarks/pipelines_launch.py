"""Start a program and tell what it took: CPU, wall and memory of it and all that it started.

This is a small process of its own, because the kernel counts the memory of whoever starts a program as that
program's: a large parent would make every contender look large.
"""

import ctypes
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Final

POLL_SECONDS: Final = 0.03
KILO: Final = 1024
SET_PARENT_DEATH_SIGNAL: Final = 1  # PR_SET_PDEATHSIG of Linux's prctl


def tree(pid: int) -> list[int]:
    """A process and its descendants."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []  # It has ended meanwhile.
    return [pid, *(each for child in children for each in tree(int(child)))]


def share(pid: int) -> int:
    """The memory of a process in KiB, where a page that several have counts in part for each."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def launch(command: list[str], limit: float) -> dict[str, float | int]:
    started = time.monotonic()
    prctl = ctypes.CDLL(None).prctl
    child = os.fork()
    if child == 0:
        os.setsid()
        # Whoever ends the benchmark ends the contender.
        prctl(SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL))
        os.execvp(command[0], command)
    peak = 0
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            break
        # Of a process alone the kernel itself keeps the peak.
        processes = tree(child)
        if len(processes) > 1:
            peak = max(peak, sum(map(share, processes)))
        if time.monotonic() - started > limit:
            os.killpg(child, signal.SIGKILL)
            _, status, usage = os.wait4(child, 0)
            break
        time.sleep(POLL_SECONDS)
    return {
        "code": os.waitstatus_to_exitcode(status),
        "cpu": usage.ru_utime + usage.ru_stime,
        "wall": time.monotonic() - started,
        "peak": max(peak, usage.ru_maxrss) * KILO,
    }


if __name__ == "__main__":
    outcome, limit, *command = sys.argv[1:]
    Path(outcome).write_text(json.dumps(launch(command, float(limit))))
