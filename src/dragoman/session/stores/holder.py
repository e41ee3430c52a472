"""Who holds a turn: a name for this process that another process on the machine can find dead or alive."""

import os
import secrets
from functools import cache
from pathlib import Path


@cache
def _machine() -> str:
    """Boot and PID namespace: only inside both does a process id mean anything."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


def _started(pid: int) -> str:
    """When a process started, in ticks since boot: a reused id has another start."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[19]


def new_holder() -> str:
    """A fresh name for one turn of this process."""
    pid = os.getpid()
    return f"{_machine()} {pid} {_own_start(pid)} {secrets.token_hex(6)}"


@cache
def _own_start(pid: int) -> str:
    return _started(pid)


def is_gone(holder: str) -> bool:
    """True only when the holder is known to be dead: same machine, and no such process any more.

    False means alive, or not to be seen from here; then only its lease tells.
    """
    parts = holder.rsplit(" ", 3)
    if len(parts) != 4 or not parts[0] or parts[0] != _machine() or not parts[2]:
        return False
    return _started(int(parts[1])) != parts[2] if parts[1].isdigit() else False
