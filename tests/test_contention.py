"""Many writers on one session: nobody's turn is lost, doubled or interleaved."""

import subprocess
import sys
from pathlib import Path

import pytest

from dragoman.contracts import events as ev
from dragoman.session import codec
from dragoman.session.folded import load, replay
from dragoman.session.journal import Journal
from tests.turn_worker import open_store

WRITERS = 8
TURNS = 50
ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_eight_writers_take_fifty_turns_each(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    name = (
        str(tmp_path / "sessions.sqlite")
        if kind == "sqlite"
        else request.getfixturevalue("postgres_database")
    )
    store = open_store(name)
    session = Journal(store).create()
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.turn_worker", name, session, str(1000 * writer), str(TURNS)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for writer in range(WRITERS)
    ]
    acknowledged = [line for worker in workers for line in worker.communicate(timeout=240)[0].split()]
    assert [worker.returncode for worker in workers] == [0] * WRITERS

    records = list(store.records(session))
    assert [record.version for record in records] == list(range(WRITERS * TURNS + 1))
    keys = []
    for record in records[1:]:
        first, *_, last = codec.decode_events(record.events)
        assert isinstance(first, ev.TurnOpened)
        assert isinstance(last, ev.TurnClosed)
        keys.append(first.client_key)
    assert sorted(map(str, keys)) == sorted(acknowledged)
    assert len(set(keys)) == WRITERS * TURNS
    assert load(store, session) == replay(store, session)
    store.close()
