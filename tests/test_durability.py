"""What a turn costs the disk: two syncs without an effect, four with one, however long the session."""

import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from dragoman.session import codec
from dragoman.session.journal import Journal, LiveTurn
from dragoman.session.stores.sqlite import open_sqlite_store
from tests import turns
from tests.patience import until

ROOT = Path(__file__).parent.parent


def syncs(strace: Path, store: Path, session: str, first: int, count: int, ledger: str = "") -> int:
    """How often a worker asked the disk to keep something, from its start to its end."""
    report = store.with_suffix(".strace")
    worker = [sys.executable, "-m", "tests.turn_worker", str(store), session, str(first), str(count)]
    subprocess.run(
        [
            str(strace),
            "-f",
            "-e",
            "trace=fsync,fdatasync",
            "-o",
            str(report),
            *worker,
            *filter(None, [ledger]),
        ],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        check=True,
        timeout=120,
    )
    return len(re.findall(r"\bf(?:data)?sync\(", report.read_text()))


@pytest.fixture
def session(tmp_path: Path) -> str:
    store = open_sqlite_store(tmp_path / "s.sqlite")
    made = Journal(store).create()
    store.close()
    return made


def test_two_syncs_for_a_turn_without_effects(strace: Path, tmp_path: Path, session: str) -> None:
    store = tmp_path / "s.sqlite"
    syncs(strace, store, session, 500, 1)  # the write-ahead log is begun
    few, many = syncs(strace, store, session, 1000, 5), syncs(strace, store, session, 2000, 45)
    assert many - few == 2 * 40
    assert few <= 2 * 5 + 2  # and what opening the store costs


def test_four_syncs_for_a_turn_with_an_effect(strace: Path, tmp_path: Path, session: str) -> None:
    """Numbers divisible by three are writes: two plain turns, then one with an effect."""
    store, ledger = tmp_path / "s.sqlite", str(tmp_path / "ledger")
    syncs(strace, store, session, 500, 1, ledger)
    plain = syncs(strace, store, session, 1, 2, ledger)
    with_write = syncs(strace, store, session, 4, 3, ledger)
    assert with_write - plain == 2 + 2 + 4


def test_two_syncs_of_the_servers_log_for_a_postgres_turn(postgres_database: str) -> None:
    import psycopg

    from dragoman.session.stores.postgres import open_postgres_store

    journal = Journal(open_postgres_store(postgres_database))
    made = journal.create()
    with psycopg.connect(postgres_database, autocommit=True) as connection:

        def flushed() -> int:
            connection.execute("SELECT pg_stat_force_next_flush()")
            row = connection.execute("SELECT wal_sync FROM pg_stat_wal").fetchone()
            assert row is not None
            return int(row[0])

        _talk(journal, made, 3)
        journal.close()
        journal = Journal(open_postgres_store(postgres_database))
        before = flushed()
        _talk(journal, made, 100)
        # A backend reports its counts when it ends, which takes it a moment.
        journal.close()
        until(lambda: flushed() - before >= 2 * 100, "the backend has reported")
        # The server's own processes add a few of theirs.
        assert 2 * 100 <= flushed() - before <= 2 * 100 + 20


def _talk(journal: Journal, session: str, count: int) -> None:
    for _ in range(count):
        with journal.turn(session, "hello") as turn:
            assert isinstance(turn, LiveTurn)
            turn.record(turns.chat(turn))


def test_bytes_do_not_grow_with_the_session(tmp_path: Path) -> None:
    """The file grows by what was said, and by a bounded snapshot: not by the length of the history."""
    file = tmp_path / "s.sqlite"
    store = open_sqlite_store(file)
    journal = Journal(store)
    made = journal.create()
    sizes, payloads = [], []
    for _ in range(4):
        _talk(journal, made, 500)
        payload = sum(len(r.events) for r in store.records(made, journal.state(made).version - 500))
        store._db.scrub()
        sizes.append(file.stat().st_size)
        payloads.append(payload)
    growth = [after - before for before, after in pairwise(sizes)]
    assert max(growth) - min(growth) <= 3 * 4096
    assert growth[-1] <= 1.3 * payloads[-1]
    assert len(codec.encode_state(journal.state(made))) < 4096
    journal.close()
