"""Every state of 001, reached and reported over HTTP, and the ways out of each."""

from collections.abc import Callable
from typing import Final

import pytest

from dragoman.contracts.vocabulary import Phase
from dragoman.web.state_view import TAGS
from tests.web.ground import Json, Talk, funds, json_of, serving, state_of, streamed

ALLIANZ: Final = "19eba7a4-52c1-4d0e-9a63-0c5f8e2b7d11"
CIRCLE: Final = (
    '(duckdb.writer :needs [@two] :format "csv" :path "one.csv" :as @one)\n'
    '(duckdb.writer :needs [@one] :format "csv" :path "two.csv" :as @two)'
)
AT_REST: Final[dict[str, Callable[[Talk], Json]]] = {
    "New": lambda talk: talk.get()["chat"],
    "IntentCapture": lambda talk: (talk.say("show allianz cbu"), talk.post("/none"))[1],
    "IntentClarify": lambda talk: talk.say("create a fund Kestrel Star for Kestrel Macro in pounds"),
    "SyntaxError": lambda talk: talk.edit('(cbu.show :cbu "x") (cbu.show'),
    "SemanticError": lambda talk: talk.edit('(cbu.nothing :cbu "x")'),
    "UnresolvedRefs": lambda talk: talk.say("show allianz cbu"),
    "DependencyError": lambda talk: talk.edit(CIRCLE),
    "ReadyToRun": lambda talk: talk.edit(f'(cbu.show :cbu "{ALLIANZ}")'),
    "Executed": lambda talk: talk.say("how many clients"),
    "Cancelled": lambda talk: talk.post("/cancel"),
    "Closed": lambda talk: talk.post("/close")["chat"],
}
"""The states in which a session can be found, each with a way to get there."""

PASSED: Final = {
    "IntentCapture",
    "DslAssembly",
    "SyntaxValidation",
    "SemanticValidation",
    "DependencyResolution",
    "ReadyToRun",
    "Executing",
    "Executed",
}
"""The states that a read passes within one turn."""

ENDED: Final = ("Cancelled", "Closed")
IN_RESOLUTION: Final = ("UnresolvedRefs",)


def test_all_states_are_named() -> None:
    rests = {TAGS[phase] for phase in Phase} | set(ENDED)
    assert rests == {*AT_REST, *PASSED, "Discovery", "Regenerate"}


@pytest.mark.parametrize("state", AT_REST)
def test_a_state_is_reached_reported_and_found_again(state: str, talk: Talk) -> None:
    response = AT_REST[state](talk)
    assert state_of(response) == state
    found = talk.get()["chat"]
    assert found["session_state"] == response["session_state"], "it is the same for whoever reads it later"
    assert found["available_actions"] == response["available_actions"]


def test_what_each_state_brings(talk: Talk) -> None:
    def reach(state: str) -> Json:
        return AT_REST[state](Talk(talk.client))

    broken = reach("SyntaxError")
    assert broken["session_state"]["errors"] == broken["errors"] != []
    assert broken["errors"][0]["span"]["line"] == 1
    assert broken["session_state"]["partial_ast"][0]["verb"] == "cbu.show"
    assert broken["dsl_status"]["stage"] == {"stage": "Parsing"}
    assert broken["user_edited"]
    unknown = reach("SemanticError")
    assert [each["code"] for each in unknown["errors"]] == ["unknown_verb"]
    assert unknown["dsl_status"]["stage"] == {"stage": "SemanticValidation"}
    circle = reach("DependencyError")
    assert circle["dsl_status"]["stage"] == {"stage": "DependencyResolution"}
    assert circle["errors"]
    question = reach("IntentClarify")
    assert question["original_message"] == "create a fund Kestrel Star for Kestrel Macro in pounds"
    assert question["session_state"]["original_message"] == question["original_message"]
    assert question["session_state"]["options"] == question["intent_options"]
    ready = reach("ReadyToRun")
    assert ready["can_execute"]
    assert ready["dsl_status"] == {"stage": {"stage": "Ready"}, "progress": None, "warnings": []}
    done = reach("Executed")
    assert done["session_state"]["success"]
    assert done["session_state"]["results"] == [done["answer"]["result"]]
    assert done["commands"][-1] == {
        "command": "show_result",
        "result_set": done["answer"]["result"]["result_set"],
    }


@pytest.mark.parametrize("state", AT_REST)
def test_the_actions_that_a_state_offers_are_those_that_it_accepts(state: str, talk: Talk) -> None:
    """Each is tried in a fork: what is offered is done, anything else is refused and changes nothing."""
    offered = AT_REST[state](talk)["available_actions"]
    if state in ENDED:
        assert offered == []
        assert talk.send("POST", "/undo").status_code == 409
        return
    tries = {
        "Clear": ("POST", "/clear", None),
        "Undo": ("POST", "/undo", None),
        "Cancel": ("POST", "/cancel", None),
        "Skip": ("POST", "/skip", None),
        "CreateNew": ("POST", "/create", None),
        "Edit": ("PUT", "/program", {"source": "(cbu.list)"}),
    }
    for action, (method, path, body) in tries.items():
        fork = Talk(talk.client, talk.post_fork())
        before = fork.get()["session"]["revision"]
        response = fork.send(method, path, json=body)
        after = fork.get()["session"]["revision"]
        if action in offered:
            assert response.status_code == 200, (state, action, response.text)
            assert after == before + 1
        else:
            assert (response.status_code, after) == (409, before), (state, action, response.text)


@pytest.mark.parametrize("state", [state for state in AT_REST if state not in ENDED])
def test_the_escape_hatches_lead_where_they_should(state: str, talk: Talk) -> None:
    response = AT_REST[state](talk)
    stood = state_of(response)

    def fork() -> Talk:
        return Talk(talk.client, talk.post_fork())

    helped = fork().post("/help")
    assert (state_of(helped), helped["transition"]["id"]) == (stood, "X_HELP")
    assert helped["dsl_source"] == response["dsl_source"]
    assert state_of(fork().post("/clear")) == "New"
    ended = fork()
    assert state_of(ended.post("/cancel")) == "Cancelled"
    assert ended.send("POST", "/clear").status_code == 409
    edited = fork()
    assert state_of(edited.edit("(cbu.list)")) == "ReadyToRun"
    undone = edited.post("/undo")
    assert undone["dsl_source"] == response["dsl_source"], "what the edit replaced is back"
    assert state_of(undone) == {"Executed": "ReadyToRun"}.get(stood, stood), "what has run may run again"
    if state in IN_RESOLUTION:
        assert state_of(fork().post("/skip")) == "IntentCapture"
        searched = fork().post("/search", {})
        assert state_of(searched) == "UnresolvedRefs"
        assert searched["unresolved_refs"][0]["matches"] == []
        made = fork().post("/create")
        assert made["clarification"]["route"] == "cbu.create"
    if response["clarification"]:
        assert fork().post("/none")["transition"]["id"] == "X_NONE"


def test_the_states_within_a_turn_are_told(talk: Talk) -> None:
    told = [
        event.data["session_state"] for event in streamed(talk, "/chat", {"message": "how many clients"})[:-1]
    ]
    assert [state for state in dict.fromkeys(told) if state != "New"] == [
        "IntentCapture",
        "DslAssembly",
        "SyntaxValidation",
        "SemanticValidation",
        "DependencyResolution",
        "ReadyToRun",
        "Executing",
        "Executed",
    ]


def test_001_part_3_call_by_call(talk: Talk) -> None:
    """Intent, parse, lint, the configuration of the entity, the resolution, the plan, the run."""
    stages = streamed(talk, "/chat", {"message": "show allianz cbu"})
    told = list(dict.fromkeys(event.data["session_state"] for event in stages[:-1]))
    assert told[1:] == [
        "IntentCapture",
        "DslAssembly",
        "SyntaxValidation",
        "SemanticValidation",
        "UnresolvedRefs",
    ]
    asked = stages[-1].data
    assert '"allianz"' in asked["dsl_source"], "the editor shows the program with the open name"
    assert asked["dsl_status"] == {
        "stage": {"stage": "RefResolution", "current": 1, "total": 1},
        "progress": {"done": 0, "total": 1},
        "warnings": [],
    }
    (ref,) = asked["unresolved_refs"]
    assert asked["session_state"] == {"state": "UnresolvedRefs", "refs": [ref], "current_index": 0}
    assert (ref["search_value"], ref["entity_type"], ref["status"]) == (
        "allianz",
        "cbu",
        {"status": "Pending"},
    )
    assert (ref["location"]["statement_index"], ref["location"]["verb"]) == (0, "cbu.show")
    span = ref["location"]["span"]
    assert asked["dsl_source"][span["start"] : span["end"]] == '"allianz"'
    assert [key["name"] for key in ref["config"]["search_keys"]] == ["name", "short_name"]
    assert "jurisdiction" in [each["name"] for each in ref["config"]["discriminators"]]
    assert (ref["config"]["resolution_mode"], ref["config"]["return_key_type"]) == ("SearchModal", "uuid")
    assert {"entity_id": ALLIANZ, "display": "ALLIANZ FUNDS"}.items() <= ref["initial_matches"][1].items()
    assert asked["commands"] == [
        {"command": "open_resolution", "ref_id": ref["ref_id"]},
        {"command": "focus_span", "span": span},
    ]
    assert not asked["can_execute"]
    assert asked["original_message"] == "show allianz cbu"
    callout = {"ref_id": ref["ref_id"], "entity_id": ALLIANZ, "display": "ALLIANZ FUNDS"}
    stages = streamed(talk, "/resolve", callout)
    told = list(dict.fromkeys(event.data["session_state"] for event in stages[:-1]))
    assert told[1:] == ["SemanticValidation", "DependencyResolution", "ReadyToRun", "Executing", "Executed"]
    done = stages[-1].data
    assert f'"{ALLIANZ}" ; ALLIANZ FUNDS' in done["dsl_source"]
    assert done["session_state"]["results"][0]["rows"][0][0] == "ALLIANZ FUNDS"
    assert {"command": "close_resolution"} in done["commands"]


def test_a_program_by_hand_waits_for_run(talk: Talk) -> None:
    (ref,) = talk.edit('(cbu.show :cbu "allianz")')["unresolved_refs"]
    ready = talk.post("/resolve", {"ref_id": ref["ref_id"], "entity_id": ALLIANZ})
    assert (state_of(ready), ready["can_execute"], ready["user_edited"]) == ("ReadyToRun", True, True)
    assert state_of(talk.post("/run")) == "Executed"


def test_references_are_settled_in_any_order(talk: Talk) -> None:
    asked = talk.edit('(cbu.show :cbu "allianz" :as @one)\n(cbu.funds :cbu "kestrel" :as @two)')
    first, second = asked["unresolved_refs"]
    assert asked["dsl_status"]["progress"] == {"done": 0, "total": 2}
    found = json_of(
        talk.client.get(
            "/api/entities", params={"type": "cbu", "text": "kestrel", "filter": "jurisdiction:LU"}
        )
    )
    key = found["matches"][0]["entity_id"]
    after = talk.post("/resolve", {"ref_id": second["ref_id"], "entity_id": key})
    assert [each["status"]["status"] for each in after["unresolved_refs"]] == ["Pending", "Resolved"]
    assert (after["current_index"], after["dsl_status"]["progress"]) == (0, {"done": 1, "total": 2})
    again = talk.send("POST", "/resolve", json={"ref_id": second["ref_id"], "entity_id": key})
    assert (again.status_code, again.json()["code"]) == (409, "reference_settled")
    skipped = talk.post("/skip")
    assert state_of(skipped) == "ReadyToRun"
    assert [each["code"] for each in skipped["dsl_status"]["warnings"]] == ["left_out"]
    assert first["ref_id"] != second["ref_id"]


def test_what_is_created_is_what_the_reference_means(talk: Talk) -> None:
    asked = talk.say("show cbu zanzibar")
    assert "CreateNew" in asked["available_actions"]
    made = talk.post("/create")
    for _ in made["clarification"]["options"]:
        if made["clarification"]["kind"] == "confirm_run":
            break
        made = talk.post("/choose", {"place": 1})
    assert made["clarification"]["kind"] == "confirm_run"
    assert '"zanzibar"' in made["dsl_source"]
    done = talk.post("/confirm", {"yes": True})
    assert state_of(done) == "Executed"
    assert done["answer"]["result"]["rows"][0][0] == "zanzibar"
    (ref,) = Talk(talk.client, talk.post_fork(1)).get()["chat"]["unresolved_refs"]
    assert ref["status"] == {"status": "Pending"}, "the fork is of the time before"


def test_discovery_is_told_where_tables_are_asked(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = funds(tmp_path_factory.mktemp("tables"))
    (folder / "packs" / "funds.yaml").unlink()
    with serving(folder) as server:
        talk = Talk(server.client())
        told = streamed(talk, "/chat", {"message": "how many funds are there?"})
    assert "Discovery" in [event.data.get("session_state") for event in told[:-1]]
    assert told[-1].data["answer"]["result"]["row_count"] == 1
