"""Start a program and tell what it took: CPU, wall and memory of it and all that it started.

This is a small process of its own, because the kernel counts the memory of whoever starts a program as that
program's: a large parent would make every contender look large.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Final

POLL_SECONDS: Final = 0.02
KILO: Final = 1024


def resident(pid: int) -> int:
    """Resident memory of a process and its descendants, in KiB."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0  # It has ended meanwhile.
    own = next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")), 0)
    return own + sum(resident(int(child)) for child in children)


def launch(command: list[str], limit: float) -> dict[str, float | int]:
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.execvp(command[0], command)
    peak = 0
    while True:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            break
        peak = max(peak, resident(child))
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
