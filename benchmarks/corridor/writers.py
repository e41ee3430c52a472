"""Two processes take turns on one session at the same time: what was acknowledged, and what is there after.

Run as a program it is one of the two: SYSTEM TARGET SESSION NAME TURNS.
"""

import json
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import psycopg

from benchmarks.corridor import langgraph_turns
from benchmarks.corridor.dragoman_turns import take_turn
from benchmarks.corridor.systems import langgraph_postgres, langgraph_sqlite
from dragoman.contracts import events as ev
from dragoman.contracts.errors import SessionConflict, StoreBusy
from dragoman.session.journal import Journal
from dragoman.session.stores.postgres import open_postgres_store
from dragoman.session.stores.protocol import SessionStore
from dragoman.session.stores.sqlite import open_sqlite_store

WRITERS: Final = ("a", "b")
WAIT_SECONDS: Final = 30.0
MARK: Final = re.compile(r"\[([ab]-\d+)\]$")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Turns that both writers sent, that were acknowledged, and acknowledged ones that are not there."""

    sent: int
    acknowledged: int
    lost: int
    seconds: float


STORES: Final[dict[str, Callable[[str], SessionStore]]] = {
    "dragoman-sqlite": lambda target: open_sqlite_store(Path(target)),
    "dragoman-postgres": open_postgres_store,
}
GRAPHS: Final[dict[str, Callable[[str], AbstractContextManager[Any]]]] = {
    "langgraph-sqlite": lambda target: langgraph_sqlite(Path(target)),
    "langgraph-postgres": langgraph_postgres,
}


def contend(system: str, target: str, turns: int) -> Outcome:
    """Open a session with one turn, let two writers take `turns` each, and look for what they were told."""
    session = _opened(system, target)
    started = time.monotonic()
    acknowledged = _acknowledged(system, target, session, turns)
    seconds = time.monotonic() - started
    present = set(_present(system, target, session))
    return Outcome(turns * len(WRITERS), len(acknowledged), len(acknowledged - present), seconds)


def _opened(system: str, target: str) -> str:
    if system in STORES:
        with closing(Journal(STORES[system](target))) as journal:
            session = journal.create()
            take_turn(journal, session, 1)
        return session
    with GRAPHS[system](target) as graph:
        graph.invoke(langgraph_turns.turn_input(1), _thread("shared"))
    return "shared"


def _thread(name: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": name}}


def _acknowledged(system: str, target: str, session: str, turns: int) -> set[str]:
    module = "benchmarks.corridor.writers"
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", module, system, target, session, name, str(turns)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in WRITERS
    ]
    try:
        for process in processes:
            _line(process)
        for process in processes:
            _tell(process, "go")
        return {mark for process in processes for mark in json.loads(_line(process))}
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _line(process: "subprocess.Popen[str]") -> str:
    line = process.stdout.readline() if process.stdout else ""
    if not line:
        raise ChildProcessError(f"a writer ended early, with code {process.wait()}")
    return line


def _tell(process: "subprocess.Popen[str]", word: str) -> None:
    if process.stdin:
        process.stdin.write(f"{word}\n")
        process.stdin.flush()


def _present(system: str, target: str, session: str) -> Iterator[str]:
    """The marks of the turns that the session has."""
    for message in _messages(system, target, session):
        found = MARK.search(message)
        if found:
            yield found[1]


def _messages(system: str, target: str, session: str) -> Iterator[str]:
    if system in STORES:
        with closing(Journal(STORES[system](target))) as journal:
            for version in range(1, journal.state(session).version + 1):
                events = journal.events(session, version) or []
                yield from (event.message for event in events if isinstance(event, ev.TurnOpened))
        return
    with GRAPHS[system](target) as graph:
        for message in graph.get_state(_thread(session)).values["messages"]:
            yield message["content"]


def main(system: str, target: str, session: str, name: str, turns: str) -> None:
    """Take the turns, once told to go, and say which of them were acknowledged."""
    if system in STORES:
        with closing(Journal(STORES[system](target))) as journal:
            _write(partial(_dragoman_turn, journal, session), name, int(turns))
    else:
        with GRAPHS[system](target) as graph:
            _write(partial(_langgraph_turn, graph, session), name, int(turns))


def _write(turn: Callable[[int, str], bool], name: str, turns: int) -> None:
    print("ready", flush=True)
    sys.stdin.readline()
    numbers = range(2, turns + 2)
    print(json.dumps([f"{name}-{n}" for n in numbers if turn(n, f" [{name}-{n}]")]), flush=True)


def _dragoman_turn(journal: Journal, session: str, number: int, mark: str) -> bool:
    deadline = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < deadline:
        try:
            take_turn(journal, session, number, mark=mark, wait_seconds=WAIT_SECONDS)
        except (SessionConflict, StoreBusy):
            continue
        return True
    return False


def _langgraph_turn(graph: Any, session: str, number: int, mark: str) -> bool:
    try:
        graph.invoke(langgraph_turns.turn_input(number, mark), _thread(session))
    except (sqlite3.Error, psycopg.Error):
        return False
    return True


if __name__ == "__main__":
    main(*sys.argv[1:])
