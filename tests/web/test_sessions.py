"""Sessions over HTTP: forks, pages of results, exports, what a page asks of a workspace."""

import csv
import io
from pathlib import Path

import pyarrow.parquet as pq
from msgspec.structs import replace

from dragoman import Workspace
from tests.web.ground import Json, Server, Talk, funds, json_of, serving, state_of


def test_a_fork_goes_on_from_the_state_after_a_turn(server: Server) -> None:
    talk = Talk(server.client())
    talk.say("clients in Ireland")
    second = talk.say("pension schemes only")
    talk.say("open the last one")
    fork = Talk(talk.client, talk.post_fork(2))
    found = fork.get()
    assert found["forked"] == {"session": talk.id, "turn": 2}
    assert {**found["chat"], "session_id": talk.id} == {**second, "session_id": talk.id}
    assert len(fork.get("/turns")["turns"]) == 2
    went_on = fork.say("open the first one")
    assert went_on["transition"]["id"] == "T3"
    assert talk.get()["session"]["revision"] == 3, "the other is as it was"
    with Workspace.open(server.folder) as workspace:
        for session in (fork.id, talk.id):
            assert workspace.replay(session).records > 1
        one, other = workspace.state_after(fork.id, 2), workspace.state_after(talk.id, 2)
        assert one == replace(other, opened_at=one.opened_at)
        text = workspace.export_session(fork.id)
        assert workspace.replay(workspace.import_session(text, new_id=True)).records > 1
    undone = fork.post("/undo")
    assert state_of(undone) == "ReadyToRun"


def test_what_cannot_be_forked(talk: Talk) -> None:
    talk.say("how many clients")
    talk.post("/cancel")
    assert talk.send("POST", "/fork", json={"turn": 9}).json()["code"] == "turn_not_found"
    assert talk.send("POST", "/fork", json={}).json()["code"] == "session_read_only"
    before = Talk(talk.client, talk.post_fork(1))
    assert state_of(before.get()["chat"]) == "Executed"
    assert state_of(Talk(talk.client, talk.post_fork(0)).get()["chat"]) == "New"


def test_pages_of_a_result_that_is_larger_than_an_answer_keeps(talk: Talk) -> None:
    numbers = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 220) SELECT x FROM c"
    result = talk.post("/chat", {"message": numbers, "as_sql": True})["answer"]["result"]
    assert len(result["rows"]) == 50
    rows: list[list[int]] = []
    while True:
        page = talk.get(f"/results/{result['result_set']}", params={"offset": len(rows), "limit": 64})
        assert page["total"] == 220
        if not page["rows"]:
            break
        rows += page["rows"]
    assert rows == [[number] for number in range(1, 221)]
    first = talk.get(f"/results/{result['result_set']}", params={"limit": 50})
    assert (first["read_again"], page["read_again"]) == (False, True)
    text = talk.send("GET", f"/results/{result['result_set']}/file").text
    assert list(csv.reader(io.StringIO(text))) == [["x"], *([str(number)] for number in range(1, 221))]
    data = talk.send("GET", f"/results/{result['result_set']}/file", params={"format": "parquet"}).content
    assert pq.read_table(io.BytesIO(data)).num_rows == 220
    assert talk.send("GET", "/results/rows-77").json()["code"] == "result_not_found"


def test_a_row_is_selected_by_reference(talk: Talk) -> None:
    shown = talk.say("clients in Ireland")["answer"]["result"]
    opened = talk.post("/select", {"result_set": shown["result_set"], "row": 3})
    assert opened["transition"]["id"] == "T3"
    assert opened["answer"]["result"]["rows"][0][0] == shown["rows"][2][0]
    zoomed = opened["commands"][-1]
    assert (zoomed["command"], zoomed["display"]) == ("zoom", shown["rows"][2][0])
    for body in ({"result_set": shown["result_set"], "row": 99}, {"result_set": "rows-9", "row": 1}):
        assert talk.send("POST", "/select", json=body).json()["code"] == "action_refused"


def test_a_row_of_tables_is_selected_in_any_language(tmp_path: Path) -> None:
    funds(tmp_path)
    (tmp_path / "packs" / "funds.yaml").unlink()
    with serving(tmp_path) as server:
        talk = Talk(server.client())
        shown = talk.post("/chat", {"message": "SELECT * FROM manco ORDER BY name", "as_sql": True})
        assert shown["answer"]["result"]["row_count"] > 2
        listed = talk.say("list all mancos")["answer"]["result"]
        opened = talk.post("/select", {"result_set": listed["result_set"], "row": 2})
        assert opened["transition"]["id"] == "T3", opened["message"]
        assert set(map(str, listed["rows"][1])) & set(map(str, opened["answer"]["result"]["rows"][0]))


def test_a_run_belongs_to_its_session(talk: Talk, server: Server) -> None:
    talk.say("clients in Ireland")
    asked = talk.say("save that as csv")
    assert asked["clarification"]["kind"] == "confirm_run"
    done = talk.post("/confirm", {"yes": True})
    assert done["session_state"]["success"]
    (run,) = talk.get("/runs")["records"]
    assert run["status"] == "done"
    kinds = [each["kind"] for each in talk.get(f"/runs/{run['id']}/events")["records"]]
    assert (kinds[0], kinds[-1]) == ("run_begun", "run_ended")
    other = Talk(talk.client)
    assert other.get("/runs")["records"] == []
    assert other.send("GET", f"/runs/{run['id']}").json()["code"] == "run_not_found"


def test_what_a_page_asks_of_a_workspace(talk: Talk) -> None:
    client = talk.client
    catalog = json_of(client.get("/api/catalog"))
    assert "cbu.show" in catalog["verbs"]
    assert {"cbu", "manco"} <= {each["type"] for each in catalog["entities"]}
    assert "cbu" in {table["name"] for each in catalog["connections"] for table in each["tables"]}
    verb = json_of(client.get("/api/catalog/verbs/cbu.show"))
    assert [each["name"] for each in verb["arguments"]] == ["cbu"]
    assert client.get("/api/catalog/verbs/no.such").status_code == 404
    found = json_of(client.get("/api/completion", params={"line": "(cbu.sho"}))["completions"]
    assert "cbu.show" in [each["text"] for each in found]
    declared = json_of(client.get("/api/transitions"))
    assert len(declared["transitions"]) == 23
    assert declared["phases"]["edges"]
    program = {"source": "(cbu.list :as @all)", "notation": "verbs", "to": "oml"}
    converted = json_of(client.post("/api/convert", json=program))["source"]
    back = {"source": converted, "notation": "oml", "to": "verbs"}
    assert "(cbu.list :as @all)" in json_of(client.post("/api/convert", json=back))["source"]
    assert (
        json_of(client.post("/api/format", json={"source": "( cbu.list )"}))["source"].strip() == "(cbu.list)"
    )
    talk.say("how many clients")
    assert talk.get("/turns/1/report")["accepted"]
    assert talk.get("/turns/1/why")["records"][0]["message"] == "how many clients"
    metrics = client.get("/api/metrics").text
    assert 'dragoman_http_requests_total{worker="' in metrics
    assert "dragoman_output_validation_failures_total" in metrics
    assert client.get("/ready").json()["status"] == "ready"


def test_a_session_is_closed_exported_and_deleted(talk: Talk, server: Server) -> None:
    talk.say("how many clients")
    closed = talk.post("/close")
    assert (state_of(closed["chat"]), closed["session"]["lifecycle"]) == ("Closed", "closed")
    assert talk.send("POST", "/chat", json={"message": "hi"}).json()["code"] == "session_closed"
    text = talk.send("GET", "/export").text
    with Workspace.open(server.folder) as workspace:
        assert workspace.replay(workspace.import_session(text, new_id=True)).records > 1
    assert talk.send("DELETE", "").status_code == 204
    assert talk.send("GET", "").status_code == 404


def test_the_same_answer_as_by_the_library(server: Server, talk: Talk) -> None:
    message = "active clients of Kestrel Management Company"
    over_http: Json = talk.say(message)
    with Workspace.open(server.folder) as workspace:
        result = workspace.ask(workspace.new_session(), message)
    assert over_http["message"] == result.message
    assert over_http["dsl_source"] == result.program
    assert [tuple(row) for row in over_http["answer"]["result"]["rows"]] == list(result.rows)
    assert [each["ref"].partition("#")[0] for each in over_http["evidence"]] == [
        each.ref.partition("#")[0] for each in result.evidence
    ]
