"""Turns told while they are taken: numbered, gone on with, stopped, taken back."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest

from dragoman import Workspace
from tests.web.ground import STREAM, Event, Server, Talk, events, funds, serving, state_of, streamed

ENDLESS: Final = (
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1000000000000)"
    " SELECT count(*) AS n FROM c"
)
FAILING: Final = "SELECT abs(-9223372036854775807 - 1) AS n"


@contextmanager
def telling(talk: Talk, body: dict[str, object], **headers: str) -> Iterator[Iterator[Event]]:
    with talk.client.stream(
        "POST", f"/api/session/{talk.id}/chat", json=body, headers={**STREAM, **headers}
    ) as response:
        assert response.status_code == 200, response.read()
        yield events(response.iter_lines())


def ids(told: list[Event]) -> list[str]:
    return [event.id for event in told]


def test_events_are_numbered_and_end_in_the_response(talk: Talk) -> None:
    told = streamed(talk, "/chat", {"message": "clients in Ireland"})
    assert [event.name for event in told] == ["stage"] * (len(told) - 1) + ["response"]
    assert [event.data["number"] for event in told[:-1]] == list(range(1, len(told)))
    assert {event.data["turn"] for event in told[:-1]} == {1}
    assert told[-1].data == talk.get("/turns/1")
    assert talk.get("/turns/1/stages")["stages"] == [event.data for event in told[:-1]]


def test_whoever_comes_back_hears_the_rest(talk: Talk) -> None:
    body: dict[str, object] = {"message": "clients in Ireland"}
    with telling(talk, body, **{"Idempotency-Key": "once"}) as stream:
        first = [next(stream) for _ in range(3)]
    rest = streamed(talk, "/chat", body, **{"Idempotency-Key": "once", "Last-Event-ID": first[-1].id})
    whole = streamed(talk, "/chat", body, **{"Idempotency-Key": "once"})
    assert ids(first) + ids(rest) == ids(whole)
    assert rest[-1].data["message"] == whole[-1].data["message"]
    assert talk.get()["session"]["revision"] == 1, "it was one turn"
    other = talk.send(
        "POST", "/chat", json={"message": "funds"}, headers={**STREAM, "Idempotency-Key": "once"}
    )
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")


def test_the_record_tells_the_rest_when_the_server_is_another(tmp_path: Path) -> None:
    funds(tmp_path)
    body: dict[str, object] = {"message": "clients in Ireland"}
    with serving(tmp_path) as server:
        talk = Talk(server.client())
        whole = streamed(talk, "/chat", body, **{"Idempotency-Key": "once"})
    with serving(tmp_path) as server:
        again = Talk(server.client(), talk.id)
        for heard in (0, 5, len(whole) - 2):
            rest = streamed(
                again, "/chat", body, **{"Idempotency-Key": "once", "Last-Event-ID": whole[heard].id}
            )
            assert ids(rest) == ids(whole[heard + 1 :])
        nothing = streamed(again, "/chat", body, **{"Idempotency-Key": "once", "Last-Event-ID": whole[-1].id})
        assert nothing == [], "whoever has heard the end has heard all"
        assert rest[-1].data["repeated"]


def test_what_cannot_be_gone_on_with_is_said(talk: Talk) -> None:
    body = {"message": "clients in Ireland"}
    for headers in ({"Last-Event-ID": "1-1-00000000"}, {"Last-Event-ID": "x", "Idempotency-Key": "k"}):
        given = talk.send("POST", "/chat", json=body, headers={**STREAM, **headers})
        assert (given.status_code, given.json()["code"]) == (409, "resume_impossible")
    assert talk.get()["session"]["revision"] == 0
    talk.say("clients in Ireland", headers={"Idempotency-Key": "k"})
    other = talk.send("POST", "/chat", json={"message": "funds"}, headers={"Idempotency-Key": "k"})
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")


def test_an_action_sent_twice_is_done_once(talk: Talk) -> None:
    talk.say("show allianz cbu")
    once = talk.post("/skip", headers={"Idempotency-Key": "s"})
    again = talk.post("/skip", headers={"Idempotency-Key": "s"})
    assert again["repeated"]
    assert {**again, "repeated": False} == once


def test_what_was_told_and_taken_back_is_said(talk: Talk) -> None:
    told = streamed(talk, "/chat", {"message": FAILING, "as_sql": True})
    dropped = told[-2]
    assert (dropped.name, dropped.data["reason"]) == ("dropped", "taken_back")
    kinds = {event.data["number"]: event.data["kind"] for event in told if event.name == "stage"}
    assert "run_started" in {kinds[number] for number in dropped.data["numbers"]}
    kept = [kind for number, kind in kinds.items() if number not in dropped.data["numbers"]]
    assert kept == [stage["kind"] for stage in talk.get("/turns/1/stages")["stages"]]
    assert told[-1].data["transition"]["id"] == "T10"


def test_a_turn_is_stopped_and_the_session_goes_on(server: Server) -> None:
    owner = server.token("dora")
    talk = Talk(server.bearer(owner))
    assert talk.post("/stop") == {"stopped": False}
    told: list[Event] = []
    with telling(talk, {"message": ENDLESS, "as_sql": True}) as stream:
        for event in stream:
            told.append(event)
            if event.data.get("kind") == "run_started":
                assert talk.get()["session"]["taking_turn"]
                assert Talk(server.bearer(owner), talk.id).post("/stop") == {"stopped": True}
    assert [event.name for event in told[-2:]] == ["dropped", "error"]
    assert told[-2].data["numbers"] == list(range(1, len(told) - 1))
    assert told[-1].data["code"] == told[-2].data["reason"] == "turn_cancelled"
    assert state_of(talk.say("how many clients")) == "Executed"


def test_a_wish_in_the_store_stops_a_turn_of_another_server(server: Server) -> None:
    talk = Talk(server.client())
    with telling(talk, {"message": ENDLESS, "as_sql": True}) as stream:
        for event in stream:
            if event.data.get("kind") == "run_started":
                with Workspace.open(server.folder) as workspace:
                    assert workspace.stop_turn(talk.id)
    assert event.data["code"] == "turn_cancelled"


def test_a_reader_who_leaves_takes_nothing_along(talk: Talk) -> None:
    with telling(talk, {"message": "clients in Ireland"}) as stream:
        next(stream)
    while talk.get()["session"]["revision"] == 0:
        pass
    assert talk.get("/turns/1")["answer"]["mode"] == "confirmed"


def test_a_slow_reader_keeps_nobody_waiting(server: Server) -> None:
    token = server.token("slow")
    talk = Talk(server.bearer(token))
    place = urlsplit(server.url)
    body = b'{"message": "clients in Ireland"}'
    head = (
        f"POST /api/session/{talk.id}/chat HTTP/1.1",
        f"Host: {place.netloc}",
        f"Authorization: Bearer {token}",
        "Accept: text/event-stream",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    )
    request = "".join(f"{line}\r\n" for line in (*head, ""))
    with socket.create_connection((place.hostname, place.port), timeout=60) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1_024)
        connection.sendall(request.encode() + body)
        assert connection.recv(16)
        others = [Talk(server.bearer(token)) for _ in range(4)]
        threads = [threading.Thread(target=other.say, args=("how many clients",)) for other in others]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        assert [other.state() for other in others] == ["Executed"] * 4
        while talk.get()["session"]["revision"] == 0:
            pass
        read = b""
        while b"event: response" not in read:
            read += connection.recv(512)


def test_a_model_is_no_part_of_this(talk: Talk) -> None:
    """Without one nobody hears a text that is being written."""
    assert not any(event.name == "text" for event in streamed(talk, "/chat", {"message": "funds"}))


def test_stored_stages_are_told_as_events(talk: Talk) -> None:
    talk.say("how many clients")
    url = f"/api/session/{talk.id}/turns/1/stages"
    with talk.client.stream("GET", url, headers=STREAM) as response:
        whole = list(events(response.iter_lines()))
    with talk.client.stream("GET", url, headers={**STREAM, "Last-Event-ID": whole[3].id}) as response:
        assert ids(list(events(response.iter_lines()))) == ids(whole[4:])


@pytest.mark.parametrize("path", ["/undo", "/run", "/confirm", "/select"])
def test_a_refusal_comes_before_a_stream_begins(path: str, talk: Talk) -> None:
    bodies = {"/confirm": {"yes": True}, "/select": {"row": 1, "result_set": "rows-1"}}
    given = talk.send("POST", path, json=bodies.get(path), headers=STREAM)
    assert (given.status_code, given.json()["code"]) == (409, "action_refused")
