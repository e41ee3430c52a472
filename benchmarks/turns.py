"""What a turn costs: Dragoman beside LangGraph, in process, on SQLite and on PostgreSQL.

One turn has ten stages and leaves about 5 KB behind; the history grows with every turn. Both sides do the
same work for the same words. Measured are processor time, wall time, bytes, syncs to the disk, and what
becomes of turns that two processes take on one session.
"""

import argparse
import json
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import msgspec

from benchmarks.corridor import children, costs, langgraph_turns, storage, syncs, writers
from benchmarks.corridor.dragoman_turns import take_turn
from benchmarks.corridor.findings import DRAGOMAN, LANGGRAPH, Findings, bars
from benchmarks.corridor.measurement import Cost
from benchmarks.corridor.report import report
from benchmarks.corridor.tracks import SHORTEST
from dragoman.session import codec
from dragoman.session.journal import Journal
from dragoman.session.stores.memory import MemoryStore
from tests.servers import MissingError, locate, running_postgres
from tools.binaries import STRACE

LENGTHS: Final = (10, 100, 1_000, 5_000)
QUICK_LENGTHS: Final = (10, 100)
ROUNDS: Final = 11
QUICK_ROUNDS: Final = 3
SYNCED_TURNS: Final = 200
CHECKPOINTED_TURNS: Final = 2_000
LANGGRAPH_SYNCED_TURNS: Final = 20
CONTENDED_TURNS: Final = 100
FULL_STATE_TURNS: Final = 40


def main() -> None:
    options = _options()
    # To be told to end is like Ctrl-C: the server and the other processes are ended first.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    lengths, rounds = (QUICK_LENGTHS, QUICK_ROUNDS) if options.quick else (LENGTHS, ROUNDS)
    findings = Findings(versions=_versions(), lengths=lengths, state_bytes=_state_bytes())
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder)))
        _tell("in process")
        findings.costs["memory"] = costs.measure(costs.systems("memory", lambda name: ""), lengths, rounds)
        _measure_store("sqlite", lambda name: str(folder / f"{name}.db"), findings, rounds)
        findings.fresh_file = _fresh_file_cost(folder)
        _measure_syncs(folder, findings)
        try:
            server = stack.enter_context(running_postgres())
        except MissingError as missing:
            findings.not_measured.append(f"PostgreSQL: {missing}")
        else:
            _measure_store("postgres", lambda name: stack.enter_context(server.database()), findings, rounds)
    print(report(findings))
    if options.json:
        options.json.write_text(json.dumps(_as_json(findings), indent=2) + "\n", "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer lengths and rounds: to see that it works")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the findings to FILE as well")
    parser.add_argument("--folder", type=Path, help="keep the SQLite files here while measuring")
    return parser.parse_args()


def _measure_store(kind: str, new_target: Callable[[str], str], findings: Findings, rounds: int) -> None:
    """Everything that is measured on a durable store. `new_target` makes an empty database of that name."""
    _tell(f"{kind}: costs")
    findings.costs[kind] = costs.measure(costs.systems(kind, new_target), findings.lengths, rounds)
    _tell(f"{kind}: bytes")
    ours, theirs = new_target("bytes-dragoman"), new_target("bytes-langgraph")
    findings.growth[kind] = storage.dragoman_growth(kind, ours, findings.lengths)
    findings.langgraph_growth[kind] = storage.langgraph_growth(kind, theirs, findings.lengths)
    _tell(f"{kind}: two writers")
    findings.writers[kind] = {
        DRAGOMAN: writers.contend_dragoman(kind, new_target("writers-dragoman"), CONTENDED_TURNS),
        LANGGRAPH: writers.contend_langgraph(kind, new_target("writers-langgraph"), CONTENDED_TURNS),
    }


def _fresh_file_cost(folder: Path) -> Cost:
    """The costs above are those of a store in use. In a new file every commit makes the log longer."""
    ours = costs.systems("sqlite", lambda name: str(folder / f"fresh-{name}.db"))[:1]
    return costs.measure(ours, (SHORTEST,), QUICK_ROUNDS)[DRAGOMAN][SHORTEST]


def _measure_syncs(folder: Path, findings: Findings) -> None:
    _tell("sqlite: syncs")
    try:
        strace = locate(STRACE)
    except MissingError as missing:
        findings.not_measured.append(f"syncs: no strace: {missing}")
        return
    long = f"{DRAGOMAN}, longer"
    for name, module, turns in (
        (DRAGOMAN, children.DRAGOMAN, SYNCED_TURNS),
        (long, children.DRAGOMAN, CHECKPOINTED_TURNS),
        (LANGGRAPH, children.LANGGRAPH, LANGGRAPH_SYNCED_TURNS),
    ):
        findings.syncs[name] = syncs.count_syncs(strace, folder, module, turns)


def _versions() -> dict[str, str]:
    names = ("dragoman", "langgraph", "langgraph-checkpoint-sqlite", "langgraph-checkpoint-postgres")
    python = ".".join(map(str, sys.version_info[:3]))
    return {"Python": python, "SQLite": sqlite3.sqlite_version, **{name: version(name) for name in names}}


def _state_bytes() -> dict[str, int]:
    """The state as JSON: after one turn, and of ours also when it keeps all the past that it ever does."""
    journal = Journal(MemoryStore())
    session = journal.create()
    states = [take_turn(journal, session, number) for number in range(1, FULL_STATE_TURNS + 1)]
    values: dict[str, Any] = langgraph_turns.compiled().invoke(langgraph_turns.turn_input(1))
    del values["messages"]
    return {
        f"{DRAGOMAN} after one turn": len(codec.encode_state(states[0])),
        "with all the answers and undo steps it keeps at most": len(codec.encode_state(states[-1])),
        f"{LANGGRAPH} without its history": len(msgspec.json.encode(values)),
    }


def _as_json(findings: Findings) -> dict[str, Any]:
    return {**asdict(findings), "bars": [asdict(bar) for bar in bars(findings)]}


def _tell(what: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
