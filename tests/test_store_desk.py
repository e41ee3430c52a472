"""What servers over one store share beside sessions: tokens and wishes, in every store alike."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.contracts.errors import LabelRefused, TokenNotFound, Unauthorized
from dragoman.session.journal import Journal
from dragoman.session.stores.memory import MemoryStore
from dragoman.session.stores.protocol import SessionStore, TokenKind
from dragoman.session.stores.sqlite import open_sqlite_store
from dragoman.workspace.access_tokens import AccessTokens
from tests.test_stores import take

OpenStore = Callable[[], SessionStore]
ALL = tuple(TokenKind)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OpenStore]:
    """Opens the store anew at each call, as another server would."""
    opened: list[SessionStore] = [MemoryStore()]

    def reopen() -> SessionStore:
        match request.param:
            case "memory":
                return opened[0]
            case "sqlite":
                opened.append(open_sqlite_store(tmp_path / "sessions.sqlite"))
            case _:
                from dragoman.session.stores.postgres import open_postgres_store

                opened.append(open_postgres_store(request.getfixturevalue("postgres_database")))
        return opened[-1]

    yield reopen
    for store in opened:
        store.close()


def test_a_token_is_known_to_every_server_until_it_is_revoked(open_store: OpenStore) -> None:
    one, other = AccessTokens(open_store().desk), AccessTokens(open_store().desk)
    issued = one.issue("ann", title="notebook")
    assert other.owner_of(issued.token, ALL).owner == "ann"
    assert [token.title for token in other.list()] == ["notebook"]
    with pytest.raises(Unauthorized):
        other.owner_of(issued.token, (TokenKind.COOKIE,))
    with pytest.raises(Unauthorized):
        other.owner_of(issued.token[:-1], ALL)
    one.revoke(issued.stored.id)
    with pytest.raises(Unauthorized):
        other.owner_of(issued.token, ALL)
    with pytest.raises(TokenNotFound):
        other.revoke(issued.stored.id)
    with pytest.raises(LabelRefused):
        one.issue(" ")


def test_a_link_is_good_for_one_of_two_who_use_it_at_once(open_store: OpenStore) -> None:
    servers = [AccessTokens(open_store().desk), AccessTokens(open_store().desk)]
    link = servers[0].issue("", title="serve", kind=TokenKind.LINK, seconds=60).token

    def exchanged(server: AccessTokens) -> str:
        try:
            return server.exchange(link).token
        except Unauthorized:
            return ""

    with ThreadPoolExecutor(2) as pool:
        cookies = [cookie for cookie in pool.map(exchanged, servers) if cookie]
    assert len(cookies) == 1
    assert servers[1].owner_of(cookies[0], (TokenKind.COOKIE,)).owner == ""
    servers[0].forget_local("serve")
    with pytest.raises(Unauthorized):
        servers[1].owner_of(cookies[0], ALL)


def test_what_is_expired_opens_nothing(open_store: OpenStore) -> None:
    access = AccessTokens(open_store().desk)
    for kind in TokenKind:
        issued = access.issue("ann", kind=kind, seconds=-1.0)
        with pytest.raises(Unauthorized):
            access.owner_of(issued.token, ALL)
        with pytest.raises(Unauthorized):
            access.exchange(issued.token)


def test_a_wish_is_found_once_by_whoever_takes_the_turn(open_store: OpenStore) -> None:
    one, other = open_store().desk, open_store().desk
    one.wish("turn")
    one.wish("turn")
    one.wish("another")
    assert other.wished(("turn", "third")) == {"turn"}
    assert other.wished(("turn", "third")) == frozenset()
    assert one.wished(("another",)) == {"another"}


def test_the_turn_of_a_key_is_found(open_store: OpenStore) -> None:
    store = open_store()
    with closing(Journal(MemoryStore())) as unused:
        assert unused.store.desk.tokens() == []
    journal = Journal(store)
    session = journal.create()
    take(journal, session, "hello", "k")
    found = store.desk.turn_of(session, "k")
    assert found is not None
    assert found.version == 1
    assert store.desk.turn_of(session, "other") is None
    journal.close()


def test_a_store_of_the_schema_before_gets_what_it_lacks(tmp_path: Path) -> None:
    """Sessions stay as they are, and a token can be kept."""
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session(owner="ann")
    file = tmp_path / ".dragoman" / "sessions.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("DROP TABLE tokens; DROP TABLE wishes; PRAGMA user_version = 1;")
    with Workspace.open(tmp_path) as workspace:
        assert workspace.session(session).owner == "ann"
        assert workspace.access.issue("ann").stored.created_at <= time.time()
