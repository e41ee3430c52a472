"""SIGKILL at random moments: what was acknowledged is there once, nothing by halves, work goes on."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dragoman.contracts import events as ev
from dragoman.contracts.vocabulary import EffectOutcome
from dragoman.session import codec
from dragoman.session.folded import load, replay
from dragoman.session.journal import Journal, LiveTurn
from tests import turns
from tests.conftest import LONG
from tests.turn_worker import open_store

KILLS = 200 if LONG else 20
ENOUGH = 100_000
ROOT = Path(__file__).parent.parent

LAST_EVENTS = (ev.TurnClosed, ev.TurnAbandoned, ev.TurnSettled)


@pytest.fixture(params=["sqlite", "postgres"])
def store_name(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "sessions.sqlite")
    url: str = request.getfixturevalue("postgres_database")
    return url


@pytest.mark.timeout(1200)
def test_killed_at_random_moments(store_name: str, tmp_path: Path) -> None:
    store = open_store(store_name)
    session = Journal(store).create()
    ledger = turns.Ledger(tmp_path / "ledger")
    chance = random.Random(20260101)
    acknowledged: list[str] = []
    tried = 0
    for _ in range(KILLS):
        acknowledged += _killed_run(store_name, session, tried, ledger, chance)
        tried = 1 + max((int(key.split("-")[1]) for key in acknowledged), default=-1)

    settled = Journal(store, settle_effect=ledger.settle)
    with settled.turn(session, "and on it goes") as turn:
        assert isinstance(turn, LiveTurn)
        turn.record(turns.chat(turn))

    assert len(acknowledged) > KILLS, "the workers were killed before they did anything"
    records = [codec.decode_events(record.events) for record in store.records(session)]
    _check_records(records, acknowledged)
    _check_effects(records, ledger)
    assert load(store, session) == replay(store, session)
    interrupted = [events for events in records[1:] if not isinstance(events[-1], ev.TurnClosed)]
    assert interrupted, "no kill met a turn half way: the test proves nothing"
    settled.close()


def _killed_run(
    store_name: str, session: str, first: int, ledger: turns.Ledger, chance: random.Random
) -> list[str]:
    """Start a worker, let it acknowledge a turn, kill it a moment later; what it acknowledged."""
    worker = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.turn_worker",
            store_name,
            session,
            str(first),
            str(ENOUGH),
            str(ledger.path),
        ],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert worker.stdout is not None
    heard = worker.stdout.readline()
    time.sleep(chance.uniform(0, 0.03))
    worker.send_signal(signal.SIGKILL)
    rest = worker.stdout.read()
    worker.wait()
    assert worker.returncode == -signal.SIGKILL, "the worker ended by itself"
    # A line without its end was cut off by the kill: it acknowledges nothing.
    return [line.strip() for line in (heard + rest).splitlines(keepends=True) if line.endswith("\n")]


def _check_records(records: list[list[ev.SessionEvent]], acknowledged: list[str]) -> None:
    """Every record is whole, and every key stands behind at most one turn that happened."""
    happened: dict[str, int] = {}
    for version, events in enumerate(records[1:], 1):
        first, last = events[0], events[-1]
        assert isinstance(first, ev.TurnOpened)
        assert isinstance(last, LAST_EVENTS)
        assert first.expected_version == version - 1
        if first.client_key is not None and not isinstance(last, ev.TurnAbandoned):
            happened[first.client_key] = happened.get(first.client_key, 0) + 1
    assert all(count == 1 for count in happened.values())
    missing = [key for key in acknowledged if key not in happened]
    assert missing == []
    assert len(acknowledged) == len(set(acknowledged))


def _check_effects(records: list[list[ev.SessionEvent]], ledger: turns.Ledger) -> None:
    """An effect happened once or not at all, and the record says which."""
    written = ledger.keys()
    assert len(written) == len(set(written))
    told: dict[str, EffectOutcome] = {}
    for events in records:
        for event in events:
            if isinstance(event, ev.EffectDone):
                told[event.key] = event.outcome
            if isinstance(event, ev.TurnSettled):
                told.update({effect.key: effect.outcome for effect in event.effects})
    assert {key for key, outcome in told.items() if outcome is EffectOutcome.DONE} == set(written)
    assert EffectOutcome.UNKNOWN not in told.values()
