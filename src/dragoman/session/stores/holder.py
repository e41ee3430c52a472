"""Who holds a turn: a name for this process that another process on the machine can find dead or alive."""

import os
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


_held_here: set[str] = set()
"""The turns that this process holds now. One that it let go of without freeing the slot is not among them."""


def new_holder() -> str:
    """A fresh name for one turn of this process, held until `retire`."""
    pid = os.getpid()
    holder = f"{_machine()} {pid} {_own_start(pid)} {os.urandom(6).hex()}"
    _held_here.add(holder)
    return holder


def retire(holder: str) -> None:
    """Give a name up: whatever it still holds may be taken over at once."""
    _held_here.discard(holder)


@cache
def _own_start(pid: int) -> str:
    return _started(pid)


def is_gone(holder: str) -> bool:
    """True only when the holder is known to be gone: same machine, and its process ended or gave it up.

    False means alive, or not to be seen from here; then only its lease tells.
    """
    match holder.rsplit(" ", 3):
        case [machine, pid, start, _] if machine and machine == _machine() and pid.isdigit() and start:
            if int(pid) == os.getpid() and start == _own_start(int(pid)):
                return holder not in _held_here
            return _started(int(pid)) != start
        case _:
            return False
