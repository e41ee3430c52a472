"""Two workers over one PostgreSQL are one server: turns of a session through both, and one that is killed."""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from dragoman import Workspace
from tests.web.ground import STREAM, Event, Server, Talk, events, funds, json_of, serving, streamed

TURNS = 12
BUSY = (
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 4000000)"
    " SELECT count(*) AS n FROM c"
)


def holder(server: Server, session: str) -> int:
    """The process that is taking a turn of a session."""
    with Workspace.open(server.folder, store=server.store) as workspace:
        slot = workspace.session(session).slot
    assert slot is not None
    return int(slot.holder.rsplit(" ", 3)[1])


def _until_it_is_killed(
    two: Server, talk: Talk, body: dict[str, object], headers: dict[str, str]
) -> tuple[list[Event], int]:
    """What is heard of a turn whose worker dies while its query runs; and which worker that was."""
    heard: list[Event] = []
    killed = 0
    path = f"/api/session/{talk.id}/chat"
    with talk.client.stream("POST", path, json=body, headers=headers) as response:
        told = events(response.iter_lines())
        while not killed:
            heard.append(next(told))
            if heard[-1].data.get("kind") == "run_started":
                killed = holder(two, talk.id)
                assert killed in two.workers()
                os.kill(killed, signal.SIGKILL)
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            heard.extend(told)
    return heard, killed


@pytest.fixture
def two(tmp_path: Path, postgres_database: str) -> Iterator[Server]:
    with serving(funds(tmp_path), store=postgres_database, workers=2) as server:
        yield server


def test_turns_of_one_session_through_both_workers_at_once(two: Server) -> None:
    token = two.token("ann")
    talk = Talk(two.bearer(token))
    given: list[int] = []

    def ask(number: int) -> None:
        # A connection of its own: whichever worker takes it.
        mine = Talk(two.bearer(token), talk.id)
        given.append(mine.send("POST", "/chat", json={"message": "how many clients"}).status_code)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(TURNS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert given == [200] * TURNS
    assert talk.get()["session"]["revision"] == TURNS
    lines = talk.get("/turns")["turns"]
    assert [line["turn"] for line in lines] == list(range(1, TURNS + 1))
    with Workspace.open(two.folder, store=two.store) as workspace:
        assert workspace.replay(talk.id).records == TURNS + 1


def test_a_worker_is_killed_in_a_turn_and_the_client_goes_on(two: Server) -> None:
    token = two.token("ann")
    talk = Talk(two.bearer(token))
    key = {"Idempotency-Key": "k", "Expected-Revision": "0"}
    body: dict[str, object] = {"message": BUSY, "as_sql": True}
    heard, killed = _until_it_is_killed(two, talk, body, {**STREAM, **key})
    again = Talk(two.bearer(token), talk.id)
    rest = streamed(again, "/chat", body, **key, **{"Last-Event-ID": heard[-1].id})
    assert (rest[0].name, rest[0].data["reason"]) == ("dropped", "interrupted")
    assert rest[0].data["numbers"] == [event.data["number"] for event in heard]
    assert rest[-1].data["answer"]["result"]["rows"] == [[4_000_000]]
    assert (rest[-1].data["turn"], rest[-1].data["revision"]) == (2, 2), (
        "the first is on record as interrupted"
    )
    twice = json_of(again.send("POST", "/chat", json=body, headers={"Idempotency-Key": "k"}))
    assert (twice["repeated"], twice["turn"]) == (True, 2)
    while len(set(two.workers()) - {killed}) < 2:
        pass
    assert again.say("how many clients")["answer"]["mode"] == "confirmed"


def test_a_turn_is_stopped_by_whichever_worker_hears_of_it(two: Server) -> None:
    token = two.token("ann")
    talk = Talk(two.bearer(token))
    endless = BUSY.replace("4000000", "4000000000000")
    with talk.client.stream(
        "POST", f"/api/session/{talk.id}/chat", json={"message": endless, "as_sql": True}, headers=STREAM
    ) as response:
        for event in events(response.iter_lines()):
            if event.data.get("kind") == "run_started":
                # Several connections: one of them reaches the other worker.
                stopped = [Talk(two.bearer(token), talk.id).post("/stop")["stopped"] for _ in range(4)]
                assert stopped[0]
    assert event.data["code"] == "turn_cancelled"
    tokens = [two.bearer(token).get("/api/sessions").status_code for _ in range(4)]
    assert tokens == [200] * 4
