"""What is closed is gone: no thread, no memory, no object of a workspace outlives it."""

import enum
import gc
import importlib
import pkgutil
import sqlite3
import subprocess
import sys
import threading
import time
import typing
import weakref
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, get_type_hints

import msgspec
import pytest

import dragoman
from dragoman import Workspace
from dragoman.session.journal import Journal
from dragoman.session.lease_keeper import THREAD_NAME
from dragoman.session.stores.memory import MemoryStore


def keepers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == THREAD_NAME]


def taken(journal: Journal, session: str) -> None:
    """One turn that is begun and let go."""
    with journal.turn(session, "hello"):
        assert keepers()


def until(state: Callable[[], bool]) -> bool:
    """Whether a state comes about, waited for as long as a busy machine may need."""
    end = time.monotonic() + 60
    while not state() and time.monotonic() < end:
        time.sleep(0.005)
    return state()


def test_no_lease_is_kept_for_ever() -> None:
    """Not even by a journal that nobody closes; and the next turn is kept again."""
    journal = Journal(MemoryStore(), lease_seconds=0.03)
    session = journal.create()
    for _ in range(3):
        taken(journal, session)
        assert until(lambda: not keepers())
    taken(journal, session)
    journal.close()
    assert not keepers()


def test_all_turns_of_a_journal_have_one_keeper() -> None:
    with closing(Journal(MemoryStore())) as journal:
        sessions = [journal.create() for _ in range(16)]
        gate = threading.Barrier(16)

        def take(session: str) -> None:
            with journal.turn(session, "hello"):
                gate.wait()
                assert len(keepers()) == 1
                gate.wait()

        threads = [threading.Thread(target=take, args=(session,)) for session in sessions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not gate.broken
    assert not keepers()


def _over_the_demo(folder: Path) -> Workspace:
    return Workspace.open(folder)


def _over_tables(folder: Path) -> Workspace:
    database = folder.parent / "towns.sqlite"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE town (town_id INTEGER PRIMARY KEY, name TEXT)")
        connection.execute("INSERT INTO town (name) VALUES ('Ulm')")
    return Workspace.open_database(database, folder)


@pytest.mark.parametrize("opened", [_over_the_demo, _over_tables])
def test_a_closed_workspace_is_freed(opened: Callable[[Path], Workspace], tmp_path: Path) -> None:
    with opened(tmp_path / "folder") as workspace:
        session = workspace.new_session()
        for message in (
            "how many towns are there?",
            "stock of Alfa Trade on 31 March 2020",
            "save it as csv",
        ):
            workspace.ask(session, message)
        seen = weakref.ref(workspace)
        journal = weakref.ref(workspace._journal)
    del workspace
    gc.collect()
    assert seen() is None
    assert journal() is None
    assert not keepers()


GROWTH: Final = """
import sys, threading
from pathlib import Path
from dragoman import Workspace

def memory():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 // 2**20

def opened(times):
    for _ in range(times):
        with Workspace.open(sys.argv[1]) as workspace:
            session = workspace.new_session()
            workspace.ask(session, "stock of Alfa Trade on 31 March 2020")
            workspace.ask(session, "and for April?")

opened(5)
before = memory()
opened(25)
print(memory() - before, threading.active_count())
"""


def test_many_workspaces_take_no_more_memory_than_a_few(tmp_path: Path) -> None:
    """Counted in megabytes: a workspace that stays has read two or three, and here are 25."""
    ran = subprocess.run([sys.executable, "-c", GROWTH, str(tmp_path)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    grown, threads = map(int, ran.stdout.split())
    assert grown < 20
    assert threads == 1


# Records that the garbage collector does not look at.


def test_records_that_are_not_looked_at_hold_values_only() -> None:
    """A record without `gc` is never found in a ring of references. One that holds a catalog, a store or a
    function may stand in such a ring, and would keep everything in it for ever."""
    unseen = [each for each in _records() if not each.__struct_config__.gc]
    assert len(unseen) > 300
    holding = {
        f"{each.__module__}.{each.__name__}.{name}": kind
        for each in unseen
        for name, hint in get_type_hints(each).items()
        if name in each.__struct_fields__ and (kind := _live(hint))
    }
    assert holding == {}, "give these records gc=True"


_VALUES: Final = ("Table", "SecretText", "WordForm")
"""Classes of ours that are no records and still hold nothing but values."""


def _records() -> Iterator[type[msgspec.Struct]]:
    for module in pkgutil.walk_packages(dragoman.__path__, "dragoman."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    waiting = [msgspec.Struct]
    while waiting:
        made = waiting.pop()
        waiting += made.__subclasses__()
        if made.__module__.startswith("dragoman."):
            yield made


def _live(hint: object) -> str:
    """What in a type can refer back to the record that holds it; nothing where it is a value."""
    if typing.get_origin(hint) is Callable:
        return "a function"
    parts = typing.get_args(hint)
    if parts:
        return next(filter(None, map(_live, parts)), "")
    ours = isinstance(hint, type) and hint.__module__.startswith("dragoman.")
    if not isinstance(hint, type) or not ours or issubclass(hint, msgspec.Struct | enum.Enum):
        return ""
    return "" if hint.__name__ in _VALUES else hint.__name__
