"""How often a turn makes the disk write: a child process takes turns under strace, which counts its syncs.

Run as a program it is that child: SYSTEM FILE TURNS.
"""

import re
import subprocess
import sys
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.corridor import langgraph_turns
from benchmarks.corridor.dragoman_turns import take_turn
from benchmarks.corridor.systems import langgraph_sqlite
from dragoman.session.journal import Journal
from dragoman.session.stores.sqlite import open_sqlite_store

SYNC: Final = re.compile(r"\b(?:fsync|fdatasync)\(\d+<([^>]*)>")


@dataclass(frozen=True, slots=True)
class Syncs:
    """Syncs of the log, for each turn, and of the database file, for all turns: those are checkpoints."""

    turns: int
    log_per_turn: float
    database: int


def count_syncs(strace: Path, folder: Path, system: str, turns: int) -> Syncs:
    """The syncs of `turns` turns, without those of opening and closing the store."""
    idle = _traced(strace, folder / f"{system}-0-{turns}.db", system, 0)
    busy = _traced(strace, folder / f"{system}-{turns}.db", system, turns)
    busy.subtract(idle)
    return Syncs(turns, busy["log"] / turns, busy["database"])


def _traced(strace: Path, database: Path, system: str, turns: int) -> Counter[str]:
    trace = database.with_suffix(".trace")
    command = [strace, "-f", "--seccomp-bpf", "-y", "-e", "trace=fsync,fdatasync", "-o", trace]
    child = [sys.executable, "-m", "benchmarks.corridor.syncs", system, database, str(turns)]
    subprocess.run([*command, *child], check=True)
    paths = SYNC.findall(trace.read_text("utf-8", errors="replace"))
    kinds = {str(database): "database", f"{database}-wal": "log"}
    return Counter(kinds.get(path, "other") for path in paths)


def main(system: str, database: str, turns: str) -> None:
    {"dragoman": _dragoman, "langgraph": _langgraph}[system](Path(database), int(turns))


def _dragoman(database: Path, turns: int) -> None:
    with closing(Journal(open_sqlite_store(database))) as journal:
        session = journal.create()
        for number in range(1, turns + 1):
            take_turn(journal, session, number)


def _langgraph(database: Path, turns: int) -> None:
    config = {"configurable": {"thread_id": "syncs"}}
    with langgraph_sqlite(database) as graph:
        graph.get_state(config)
        for number in range(1, turns + 1):
            graph.invoke(langgraph_turns.turn_input(number), config)


if __name__ == "__main__":
    main(*sys.argv[1:])
