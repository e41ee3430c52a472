"""How often a turn makes the disk write: a child process takes turns under strace, which shows its syncs."""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.corridor.children import command

SYNC: Final = re.compile(r"\b(?:fsync|fdatasync)\(\d+<([^>]*)>")


@dataclass(frozen=True, slots=True)
class Syncs:
    """Syncs of the log, for each turn, and of the database file, for all turns: those are checkpoints."""

    turns: int
    log_per_turn: float
    database: int


def count_syncs(strace: Path, folder: Path, module: str, turns: int) -> Syncs:
    """The syncs of `turns` turns, without those of opening and closing the store."""
    idle = _traced(strace, folder / f"{turns}-idle.db", module, 0)
    busy = _traced(strace, folder / f"{turns}-busy.db", module, turns)
    busy.subtract(idle)
    return Syncs(turns, busy["log"] / turns, busy["database"])


def _traced(strace: Path, database: Path, module: str, turns: int) -> Counter[str]:
    trace = database.with_suffix(".trace")
    # Only the calls that are counted stop the child (--seccomp-bpf): everything else is at full speed.
    tracer = [str(strace), "-f", "--seccomp-bpf", "-y", "-e", "trace=fsync,fdatasync", "-o", str(trace)]
    subprocess.run([*tracer, *command(module, "take", "sqlite", str(database), str(turns))], check=True)
    paths = SYNC.findall(trace.read_text("utf-8", errors="replace"))
    kinds = {str(database): "database", f"{database}-wal": "log"}
    return Counter(kinds.get(path, "other") for path in paths)
