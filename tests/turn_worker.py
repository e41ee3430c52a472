"""A process that takes turns until it has taken enough, or is killed. Each is acknowledged on stdout.

    python -m tests.turn_worker STORE SESSION FIRST COUNT [LEDGER]

STORE is a SQLite file or a PostgreSQL URL. Turn N has the client key `k-N`. With LEDGER every third turn is a
write that was asked for: its effect is a line in that file.
"""

import sys
from pathlib import Path

from dragoman.session.journal import Journal, LiveTurn
from dragoman.session.stores.protocol import SessionStore
from tests import turns

WAIT_SECONDS = 60.0


def open_store(name: str) -> SessionStore:
    if name.startswith("postgresql://"):
        from dragoman.session.stores.postgres import open_postgres_store

        return open_postgres_store(name)
    from dragoman.session.stores.sqlite import open_sqlite_store

    return open_sqlite_store(Path(name))


def work(journal: Journal, session: str, first: int, count: int, ledger: turns.Ledger | None) -> None:
    for number in range(first, first + count):
        if ledger is not None and number % 3 == 0:
            write(journal, session, f"k-{number}", ledger)
        else:
            talk(journal, session, f"k-{number}")
        sys.stdout.write(f"k-{number}\n")
        sys.stdout.flush()


def talk(journal: Journal, session: str, key: str) -> None:
    with journal.turn(session, key, client_key=key, wait_seconds=WAIT_SECONDS) as turn:
        if isinstance(turn, LiveTurn):
            turn.record(turns.chat(turn, key))


def write(journal: Journal, session: str, key: str, ledger: turns.Ledger) -> None:
    """Three turns: a program, the question whether to write, the yes with its effect."""
    for step, make in (("edit", turns.edit), ("ask", turns.ask_to_write)):
        with journal.turn(session, key, client_key=f"{key}-{step}", wait_seconds=WAIT_SECONDS) as turn:
            if isinstance(turn, LiveTurn):
                turn.record(make(turn))
    with journal.turn(session, key, client_key=key, wait_seconds=WAIT_SECONDS) as turn:
        if isinstance(turn, LiveTurn):
            turn.intend_effect(key, "note", "a line in the ledger")
            ledger.write(key)
            turn.effect_done(key)
            turn.record(turns.say_yes(turn))


def main(store: str, session: str, first: str, count: str, ledger_path: str = "") -> None:
    ledger = turns.Ledger(Path(ledger_path)) if ledger_path else None
    journal = Journal(open_store(store))
    if ledger is not None:
        journal = Journal(journal.store, settle_effect=ledger.settle)
    work(journal, session, int(first), int(count), ledger)


if __name__ == "__main__":
    main(*sys.argv[1:])
