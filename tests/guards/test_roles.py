"""What the roles may hand over: every field, every rule, every table of the contracts."""

import json
import re
import subprocess
import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.finding import Finding
from dragoman.contracts.roles import (
    AnalystPlan,
    ArchitectSpec,
    EvidenceSource,
    GuardianAction,
    GuardianReport,
    OutputSchemaId,
    RequestType,
    ResponseFormat,
    RiskLevel,
    Role,
    Track,
    Verdict,
)
from dragoman.guards.roles import (
    accepted_role_output,
    evidence_priority,
    retrieval_order,
    role_schema,
    validate_role_output,
)
from dragoman.guards.roles.rules import RuleCode

PLAN: dict[str, Any] = {
    "intent": "design doc generation",
    "request_type": "DESIGN_ARCH",
    "track": "QUALITY",
    "required_sources": ["doc", "policy"],
    "missing_info_questions": [],
    "expected_output_schema": "answer_v1_markdown",
}
SPEC: dict[str, Any] = {
    "response_format": "markdown",
    "domain_terms": ["story", "epic"],
    "forbidden_content": [],
    "required_sections": ["Summary"],
}
REPORT: dict[str, Any] = {
    "verdict": "RETRY",
    "reasons": ["no number is proven"],
    "required_actions": ["RETRIEVE_DB", "ADD_EVIDENCE_REFERENCES"],
    "risk_level": "med",
}
VALID = {"ANALYST": PLAN, "ARCHITECT": SPEC, "GUARDIAN": REPORT}

PRIORITY = {
    "STATUS_METRIC": ["db"],
    "STATUS_SUMMARY": ["db"],
    "STATUS_LIST": ["db"],
    "HOWTO_POLICY": ["policy", "doc"],
    "DESIGN_ARCH": ["doc", "policy"],
    "DATA_DEFINITION": ["policy", "doc"],
    "TROUBLESHOOTING": ["db", "neo4j"],
    "KNOWLEDGE_QA": ["doc", "neo4j"],
    "CASUAL": [],
}

# Each type: sources that are enough, and sources that are not.
NEEDS: dict[str, tuple[list[list[str]], list[list[str]]]] = {
    "STATUS_METRIC": ([["db"], ["policy", "db"], ["db", "neo4j"]], [[], ["neo4j"], ["policy", "neo4j"]]),
    "STATUS_SUMMARY": ([["db"], ["neo4j", "db"]], [[], ["policy"]]),
    "STATUS_LIST": ([["db"], ["db", "db"]], [[], ["neo4j"]]),
    "HOWTO_POLICY": ([["policy"], ["doc"], ["doc", "policy", "db"]], [[], ["db"], ["db", "neo4j"]]),
    "DESIGN_ARCH": ([["doc"], ["policy"], ["policy", "doc"]], [[], ["neo4j"], ["db"]]),
    "DATA_DEFINITION": ([["policy"], ["doc"]], [[], ["db", "neo4j"]]),
    "TROUBLESHOOTING": ([["db"], ["neo4j"], ["doc", "neo4j"]], [[], ["doc"], ["doc", "policy"]]),
    "KNOWLEDGE_QA": ([[], ["doc"], ["policy"], ["db"], ["doc", "neo4j"]], []),
    "CASUAL": ([[], ["db"], ["doc"]], []),
}
STATUS = ["STATUS_METRIC", "STATUS_SUMMARY", "STATUS_LIST"]


def codes(role: str, output: object) -> list[str]:
    return [finding.code for finding in validate_role_output(role, output)]


def places(role: str, output: object) -> list[tuple[str, str]]:
    return [(finding.code, finding.path) for finding in validate_role_output(role, output)]


def plan(**changes: object) -> dict[str, object]:
    return {**PLAN, **changes}


def report(**changes: object) -> dict[str, object]:
    return {**REPORT, **changes}


# --- the examples of the design


def test_a_valid_plan() -> None:
    assert validate_role_output("ANALYST", PLAN) == ()


def test_a_plan_with_too_many_questions() -> None:
    output = {
        "intent": "x",
        "request_type": "KNOWLEDGE_QA",
        "track": "FAST",
        "required_sources": [],
        "missing_info_questions": ["q1", "q2"],
        "expected_output_schema": "answer_v1_markdown",
    }
    assert places("ANALYST", output) == [
        ("schema_violation", "missing_info_questions"),
        ("question_on_fast_track", "missing_info_questions"),
    ]
    assert all("missing_info_questions" in found.message for found in validate_role_output("ANALYST", output))


def test_a_pass_with_actions() -> None:
    output = {"verdict": "PASS", "reasons": [], "required_actions": ["RETRIEVE_DB"], "risk_level": "low"}
    assert places("GUARDIAN", output) == [("pass_with_actions", "required_actions")]


# --- roles


@pytest.mark.parametrize("role", VALID)
def test_every_role_has_a_valid_output(role: str) -> None:
    assert validate_role_output(role, VALID[role]) == ()


@pytest.mark.parametrize("role", ["", "analyst", "ANALYST ", "WRITER", "가", "\ud800", None, 5, [], {}])
def test_an_unknown_role(role: Any) -> None:
    (found,) = validate_role_output(role, PLAN)
    assert (found.code, found.path) == ("unknown_role", "")
    assert "ANALYST, ARCHITECT, GUARDIAN" in found.message
    if role == "WRITER":
        assert "'WRITER'" in found.message
    with pytest.raises(ValueError, match="ARCHITECT"):
        role_schema(role)


@pytest.mark.parametrize("role", VALID)
@pytest.mark.parametrize("output", [None, True, 1, 1.5, "{}", "", [], [PLAN], (), b"{}", object()])
def test_an_output_that_is_no_object(role: str, output: object) -> None:
    (found,) = validate_role_output(role, output)
    assert (found.code, found.path) == ("schema_violation", "")
    assert "object" in found.message


# --- the form of each field

FIELDS = [(role, field) for role, output in VALID.items() for field in output]
LISTS = [(role, field) for role, field in FIELDS if isinstance(VALID[role][field], list)]
TEXTS = [(role, field) for role, field in FIELDS if isinstance(VALID[role][field], str)]
WORDS: dict[str, type[StrEnum]] = {
    "request_type": RequestType,
    "track": Track,
    "expected_output_schema": OutputSchemaId,
    "response_format": ResponseFormat,
    "verdict": Verdict,
    "risk_level": RiskLevel,
}
ITEM_WORDS: dict[str, type[StrEnum]] = {
    "required_sources": EvidenceSource,
    "required_actions": GuardianAction,
}


@pytest.mark.parametrize(("role", "field"), FIELDS)
def test_a_missing_field(role: str, field: str) -> None:
    output = {name: value for name, value in VALID[role].items() if name != field}
    (found,) = validate_role_output(role, output)
    assert (found.code, found.path) == ("schema_violation", field)
    assert found.message.startswith(f"{field} is missing")


@pytest.mark.parametrize(("role", "field"), TEXTS)
@pytest.mark.parametrize("value", [None, True, 0, 1.5, [], ["x"], {}, b"FAST", ""])
def test_a_text_of_another_type(role: str, field: str, value: object) -> None:
    assert places(role, {**VALID[role], field: value}) == [("schema_violation", field)]


@pytest.mark.parametrize(("role", "field"), LISTS)
@pytest.mark.parametrize("value", [None, False, 0, 1.5, "db", {}, {"0": "db"}, ("db",)])
def test_a_list_of_another_type(role: str, field: str, value: object) -> None:
    assert places(role, {**VALID[role], field: value}) == [("schema_violation", field)]


@pytest.mark.parametrize(("role", "field"), LISTS)
@pytest.mark.parametrize("item", [None, True, 1, [], {}, ["db"], b"db", "\ud800"])
def test_an_item_of_another_type(role: str, field: str, item: object) -> None:
    output = {**VALID[role], field: [*VALID[role][field], item]}
    place = f"{field}.{len(VALID[role][field])}"
    (found,) = validate_role_output(role, output)
    assert (found.code, found.path) == ("schema_violation", place)
    assert place in found.message


@pytest.mark.parametrize("field", WORDS)
def test_a_word_outside_its_vocabulary(field: str) -> None:
    role = next(role for role, name in FIELDS if name == field)
    right = VALID[role][field]
    for wrong in (right.swapcase(), f" {right}", f"{right}\0", "NOPE", "", "\ud800"):
        (found,) = validate_role_output(role, {**VALID[role], field: wrong})
        assert (found.code, found.path) == ("schema_violation", field)
        assert found.message.startswith(f"{field} must be one of {', '.join(WORDS[field])}, not ")


@pytest.mark.parametrize("field", ITEM_WORDS)
def test_an_item_outside_its_vocabulary(field: str) -> None:
    role = next(role for role, name in FIELDS if name == field)
    (found,) = validate_role_output(role, {**VALID[role], field: [*VALID[role][field], "graph"]})
    assert found.path == f"{field}.2"
    assert found.message == f"{field}.2 must be one of {', '.join(ITEM_WORDS[field])}, not 'graph'"


def test_the_vocabularies_are_those_of_the_design() -> None:
    assert set(RequestType) == set(PRIORITY)
    assert list(EvidenceSource) == ["db", "neo4j", "doc", "policy"]
    assert list(Track) == ["FAST", "QUALITY"]
    assert list(OutputSchemaId) == ["answer_v1_markdown", "status_v1_json"]
    assert list(ResponseFormat) == ["markdown", "json", "hybrid"]
    assert list(Verdict) == ["PASS", "FAIL", "RETRY"]
    assert list(RiskLevel) == ["low", "med", "high"]
    assert list(GuardianAction) == [
        "ADD_EVIDENCE",
        "RETRIEVE_MORE",
        "DIVERSIFY_SOURCES",
        "RETRIEVE_DB",
        "RETRIEVE_NEO4J",
        "RETRIEVE_DOC",
        "RETRIEVE_POLICY",
        "REMOVE_DOC_EVIDENCE",
        "USE_DB_ONLY",
        "REFINE_QUERY",
        "ADD_REQUIRED_SECTIONS",
        "REGENERATE_DRAFT",
        "REMOVE_FORBIDDEN_CONTENT",
        "USE_DOMAIN_TERMS",
        "ASK_MINIMAL_QUESTION",
        "SAFE_REFUSAL",
        "ADD_EVIDENCE_REFERENCES",
        "FIX_JSON_FORMAT",
    ]


@pytest.mark.parametrize("action", GuardianAction)
def test_every_action_may_be_asked_for(action: GuardianAction) -> None:
    assert codes("GUARDIAN", report(required_actions=[action.value])) == []


@pytest.mark.parametrize("intent", ["", " ", "\n\t", "\u3000"])
def test_an_intent_says_something(intent: str) -> None:
    assert places("ANALYST", plan(intent=intent)) == [("schema_violation", "intent")]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("requestType", "request_type"),
        ("Intent", "intent"),
        ("required-sources", "required_sources"),
        ("required_source", "required_sources"),
        ("trck", "track"),
    ],
)
def test_an_unknown_field_is_answered_with_the_nearest(name: str, meant: str) -> None:
    (found,) = validate_role_output("ANALYST", {**PLAN, name: 1})
    assert (found.code, found.path) == ("schema_violation", name)
    assert found.message.startswith(f"{name} is no field of")
    assert found.message.endswith(f"did you mean {meant}?")


def test_a_field_of_another_role_is_unknown() -> None:
    (found,) = validate_role_output("ARCHITECT", {**SPEC, "missing_info_questions": ["a", "b"]})
    assert (found.code, found.path) == ("schema_violation", "missing_info_questions")


@pytest.mark.parametrize("name", [1, None, True, (1, 2), b"intent"])
def test_the_name_of_a_field_is_a_text(name: object) -> None:
    output: dict[object, object] = {name: 1}
    output.update(PLAN)
    assert places("ANALYST", output) == [("schema_violation", "")]


def test_half_of_a_character_in_a_name_hides_nothing() -> None:
    found = validate_role_output("ANALYST", {**PLAN, "intent": 1, "\ud800": 1})
    assert [finding.path for finding in found] == ["intent", "\\ud800"]
    msgspec.json.encode(found)


def test_a_secret_is_not_repeated() -> None:
    secret = "ghp_abcdefghijklmnopqrstuvwxyz012345"
    found = [
        *validate_role_output("ANALYST", {**PLAN, "track": secret, secret: 1, "x" * 70 + " " + secret: 2}),
        *validate_role_output(secret, PLAN),
    ]
    assert len(found) == 4
    assert not any("abcdefgh" in finding.path + finding.message for finding in found)


def test_texts_of_a_subclass_are_texts() -> None:
    class Text(str):
        __slots__ = ()

    output = {
        Text(name): Text(value) if isinstance(value, str) else [Text(v) for v in value]
        for name, value in PLAN.items()
    }
    assert accepted_role_output("ANALYST", output) == accepted_role_output("ANALYST", PLAN)


# --- the analyst's rules


@pytest.mark.parametrize(
    ("request_type", "sources"),
    [(kind, sources) for kind, (enough, _) in NEEDS.items() for sources in enough],
)
def test_sources_that_are_enough(request_type: str, sources: list[str]) -> None:
    assert codes("ANALYST", plan(request_type=request_type, required_sources=sources)) == []


@pytest.mark.parametrize(
    ("request_type", "sources"), [(kind, sources) for kind, (_, short) in NEEDS.items() for sources in short]
)
def test_sources_that_are_not_enough(request_type: str, sources: list[str]) -> None:
    output = plan(request_type=request_type, required_sources=sources)
    (found,) = validate_role_output("ANALYST", output)
    assert (found.code, found.path) == ("required_source_missing", "required_sources")
    assert request_type in found.message


@pytest.mark.parametrize("request_type", STATUS)
def test_a_status_does_not_come_from_documents(request_type: str) -> None:
    output = plan(request_type=request_type, required_sources=["db", "doc"])
    assert places("ANALYST", output) == [("forbidden_source", "required_sources.1")]
    assert sorted(codes("ANALYST", plan(request_type=request_type, required_sources=["doc"]))) == [
        "forbidden_source",
        "required_source_missing",
    ]


@pytest.mark.parametrize("request_type", [kind for kind in RequestType if kind not in STATUS])
def test_documents_are_free_elsewhere(request_type: RequestType) -> None:
    output = plan(request_type=request_type.value, required_sources=["doc", "db"])
    assert codes("ANALYST", output) == []


@pytest.mark.parametrize(
    ("track", "questions", "expected"),
    [
        ("QUALITY", [], []),
        ("QUALITY", ["which year?"], []),
        ("QUALITY", ["which year?", "which team?"], ["schema_violation"]),
        ("FAST", [], []),
        ("FAST", ["which year?"], ["question_on_fast_track"]),
        ("FAST", ["which year?", "which team?"], ["schema_violation", "question_on_fast_track"]),
        ("FAST", [""], ["question_on_fast_track"]),
    ],
)
def test_questions(track: str, questions: list[str], expected: list[str]) -> None:
    assert codes("ANALYST", plan(track=track, missing_info_questions=questions)) == expected


@pytest.mark.parametrize(("request_type", "sources"), PRIORITY.items())
def test_where_evidence_is_looked_for_first(request_type: str, sources: list[str]) -> None:
    assert evidence_priority(RequestType(request_type)) == tuple(sources)


@pytest.mark.parametrize(
    ("request_type", "sources", "order"),
    [
        ("HOWTO_POLICY", ["doc", "policy"], ["policy", "doc"]),
        ("DESIGN_ARCH", ["policy", "doc"], ["doc", "policy"]),
        ("DATA_DEFINITION", ["db", "doc", "policy"], ["policy", "doc", "db"]),
        ("TROUBLESHOOTING", ["policy", "neo4j", "db"], ["db", "neo4j", "policy"]),
        ("KNOWLEDGE_QA", ["policy", "neo4j", "db"], ["neo4j", "policy", "db"]),
        ("CASUAL", ["doc", "db", "doc"], ["doc", "db"]),
        ("STATUS_METRIC", ["policy", "db", "db"], ["db", "policy"]),
        ("KNOWLEDGE_QA", [], []),
    ],
)
def test_the_order_of_the_search(request_type: str, sources: list[str], order: list[str]) -> None:
    accepted = accepted_role_output("ANALYST", plan(request_type=request_type, required_sources=sources))
    assert isinstance(accepted, AnalystPlan)
    assert retrieval_order(accepted) == tuple(order)


# --- the architect's and the guardian's rules


def test_an_architect_may_ask_for_nothing() -> None:
    output = {"response_format": "json", "domain_terms": [], "forbidden_content": [], "required_sections": []}
    assert codes("ARCHITECT", output) == []


@pytest.mark.parametrize(
    ("verdict", "reasons", "actions", "expected"),
    [
        ("PASS", [], [], []),
        ("PASS", ["well proven"], [], []),
        ("PASS", [], ["RETRIEVE_DB"], [("pass_with_actions", "required_actions")]),
        ("RETRY", ["why"], ["RETRIEVE_DB"], []),
        ("RETRY", [], ["RETRIEVE_DB"], [("retry_without_reasons", "reasons")]),
        ("RETRY", ["", " "], ["RETRIEVE_DB"], [("retry_without_reasons", "reasons")]),
        ("RETRY", ["why"], [], [("retry_without_actions", "required_actions")]),
        (
            "RETRY",
            [],
            [],
            [("retry_without_reasons", "reasons"), ("retry_without_actions", "required_actions")],
        ),
        ("FAIL", ["why"], [], []),
        ("FAIL", ["why"], ["SAFE_REFUSAL"], []),
        ("FAIL", [], [], [("fail_without_reasons", "reasons")]),
        ("FAIL", [], ["SAFE_REFUSAL"], [("fail_without_reasons", "reasons")]),
    ],
)
def test_verdicts(
    verdict: str, reasons: list[str], actions: list[str], expected: list[tuple[str, str]]
) -> None:
    output = report(verdict=verdict, reasons=reasons, required_actions=actions)
    assert places("GUARDIAN", output) == expected


# --- all at once


def test_every_error_of_a_plan_at_once() -> None:
    output = {
        "intent": "",
        "request_type": "STATUS_LIST",
        "track": "FAST",
        "required_sources": ["web", "doc", 7],
        "missing_info_questions": ["a", 2],
        "colour": "red",
    }
    assert places("ANALYST", output) == [
        ("schema_violation", "intent"),
        ("schema_violation", "required_sources.0"),
        ("schema_violation", "required_sources.2"),
        ("schema_violation", "missing_info_questions.1"),
        ("schema_violation", "expected_output_schema"),
        ("schema_violation", "missing_info_questions"),
        ("schema_violation", "colour"),
        ("question_on_fast_track", "missing_info_questions"),
        ("required_source_missing", "required_sources"),
        ("forbidden_source", "required_sources.1"),
    ]


def test_rules_are_judged_beside_other_errors() -> None:
    assert places("GUARDIAN", {"verdict": "PASS", "required_actions": ["DO_IT"], "reasons": 1}) == [
        ("schema_violation", "reasons"),
        ("schema_violation", "required_actions.0"),
        ("schema_violation", "risk_level"),
        ("pass_with_actions", "required_actions"),
    ]


def test_rules_are_silent_about_malformed_fields() -> None:
    assert places("GUARDIAN", report(verdict="RETRY", reasons=None, required_actions="x")) == [
        ("schema_violation", "reasons"),
        ("schema_violation", "required_actions"),
    ]
    assert places("ANALYST", plan(request_type="STATUS", required_sources=[])) == [
        ("schema_violation", "request_type")
    ]


# --- what passes becomes a record


def test_what_passes_becomes_a_record() -> None:
    assert accepted_role_output("ANALYST", PLAN) == AnalystPlan(
        intent="design doc generation",
        request_type=RequestType.DESIGN_ARCH,
        track=Track.QUALITY,
        required_sources=(EvidenceSource.DOC, EvidenceSource.POLICY),
        missing_info_questions=(),
        expected_output_schema=OutputSchemaId.ANSWER_V1_MARKDOWN,
    )
    assert accepted_role_output("ARCHITECT", SPEC) == ArchitectSpec(
        response_format=ResponseFormat.MARKDOWN,
        domain_terms=("story", "epic"),
        forbidden_content=(),
        required_sections=("Summary",),
    )
    assert accepted_role_output("GUARDIAN", REPORT) == GuardianReport(
        verdict=Verdict.RETRY,
        reasons=("no number is proven",),
        required_actions=(GuardianAction.RETRIEVE_DB, GuardianAction.ADD_EVIDENCE_REFERENCES),
        risk_level=RiskLevel.MED,
    )


@pytest.mark.parametrize("role", VALID)
def test_a_record_is_the_output_again(role: str) -> None:
    assert json.loads(msgspec.json.encode(accepted_role_output(role, VALID[role]))) == VALID[role]


def test_what_does_not_pass_becomes_its_findings() -> None:
    output = plan(track="SLOW")
    assert accepted_role_output("ANALYST", output) == validate_role_output("ANALYST", output) != ()


# --- schemas


@pytest.mark.parametrize("role", Role)
def test_schemas_are_closed_and_stand_alone(role: Role) -> None:
    schema = role_schema(role)
    assert schema["additionalProperties"] is False
    assert schema["required"] == list(schema["properties"]) == list(VALID[role])
    assert "$ref" not in json.dumps(schema)
    for name, words in WORDS.items():
        if name in schema["properties"]:
            assert schema["properties"][name] == {"enum": list(words), "type": "string"}
    for name, words in ITEM_WORDS.items():
        if name in schema["properties"]:
            assert schema["properties"][name]["items"] == {"enum": list(words), "type": "string"}


def test_limits_stand_in_the_schema() -> None:
    properties = role_schema("ANALYST")["properties"]
    assert properties["missing_info_questions"]["maxItems"] == 1
    assert properties["intent"]["minLength"] == 1


# --- large outputs


def test_findings_are_bounded() -> None:
    found = validate_role_output("ANALYST", {**PLAN, "required_sources": [0] * 250, "x": 1, "y": 2})
    assert len(found) == 102
    assert found[100].code == "required_source_missing"
    assert found[101] == Finding("more_errors", "", "152 more errors in the form of the output")


@pytest.mark.parametrize(
    "output",
    [
        {**PLAN, "required_sources": [0] * 3_000_000},
        {**PLAN, "required_sources": ["doc"] * 3_000_000},
        {**PLAN, "track": "F" * 10_000_000, "f" * 10_000_000: 1},
        {f"{number}": number for number in range(500_000)},
    ],
    ids=["items", "valid items", "long texts", "fields"],
)
def test_a_huge_output_takes_a_moment(output: dict[str, object]) -> None:
    validate_role_output("ANALYST", PLAN)
    started = time.process_time()
    found = validate_role_output("ANALYST", output)
    assert time.process_time() - started < 3
    assert 0 < len(found) < 110
    assert sum(len(finding.path) + len(finding.message) for finding in found) < 50_000


def test_a_deep_output_is_refused() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert places("ANALYST", plan(intent=deep)) == [("schema_violation", "intent")]


# --- properties

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters())
names = st.sampled_from([field for _, field in FIELDS]) | st.text(st.characters(), max_size=8)
vocabulary = st.sampled_from([*RequestType, *Track, *EvidenceSource, *Verdict, *GuardianAction])
anything: st.SearchStrategy[Any] = st.recursive(
    scalars | vocabulary.map(str),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names, inner, max_size=8),
    max_leaves=30,
)


@given(st.sampled_from([*VALID, "WRITER"]), anything)
def test_any_value_has_a_verdict(role: str, output: object) -> None:
    found = validate_role_output(role, output)
    assert found == validate_role_output(role, output)
    assert all(finding.code and finding.message for finding in found)
    msgspec.json.encode(found)
    accepted = accepted_role_output(role, output)
    assert accepted == found if found else not isinstance(accepted, tuple)


texts = st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=5)
said = st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)


@st.composite
def valid_outputs(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    role = draw(st.sampled_from(list(VALID)))
    match role:
        case "ANALYST":
            kind = draw(st.sampled_from(list(NEEDS)))
            track = draw(st.sampled_from(["FAST", "QUALITY"]))
            return role, {
                "intent": draw(said),
                "request_type": kind,
                "track": track,
                "required_sources": draw(st.sampled_from(NEEDS[kind][0])),
                "missing_info_questions": draw(st.lists(said, max_size=int(track == "QUALITY"))),
                "expected_output_schema": draw(st.sampled_from([*OutputSchemaId])).value,
            }
        case "ARCHITECT":
            return role, {
                "response_format": draw(st.sampled_from([*ResponseFormat])).value,
                "domain_terms": draw(texts),
                "forbidden_content": draw(texts),
                "required_sections": draw(texts),
            }
        case _:
            verdict = draw(st.sampled_from([*Verdict])).value
            actions = st.lists(st.sampled_from([str(action) for action in GuardianAction]), min_size=1)
            return role, {
                "verdict": verdict,
                "reasons": draw(st.lists(said, min_size=1)),
                "required_actions": [] if verdict == "PASS" else draw(actions),
                "risk_level": draw(st.sampled_from([*RiskLevel])).value,
            }


@given(valid_outputs())
def test_every_valid_output_passes(valid: tuple[str, dict[str, Any]]) -> None:
    role, output = valid
    accepted = accepted_role_output(role, output)
    assert json.loads(msgspec.json.encode(accepted)) == output


@given(valid_outputs(), st.data())
def test_one_wrong_thing_is_found_where_it_is(valid: tuple[str, dict[str, Any]], data: st.DataObject) -> None:
    role, output = valid
    field = data.draw(st.sampled_from(list(output)))
    right = output[field]
    wrong: object = data.draw(
        st.sampled_from([None, 5, True, {}, {"a": []}])
        | (st.just("text") if isinstance(right, list) else st.just(["text"]))
    )
    match data.draw(st.sampled_from(["lost", "other type", "bad item", "unknown field"])):
        case "lost":
            broken, path = {name: value for name, value in output.items() if name != field}, field
        case "bad item" if isinstance(right, list):
            at = data.draw(st.integers(0, len(right)))
            item: object = data.draw(st.sampled_from([None, 5, True, {}, []]))
            broken, path = {**output, field: [*right[:at], item, *right[at:]]}, f"{field}.{at}"
        case "unknown field":
            path = data.draw(st.from_regex(r"[a-z]{1,20}", fullmatch=True).filter(lambda n: n not in output))
            broken = {**output, path: right}
        case _:
            broken, path = {**output, field: wrong}, field
    found = validate_role_output(role, broken)
    assert ("schema_violation", path) in [(finding.code, finding.path) for finding in found]
    assert any(path in finding.message for finding in found if finding.path == path)


def test_the_policy_of_types_needs_no_checker() -> None:
    program = (
        "import sys; from dragoman.guards.roles import evidence_priority, validate_role_output;"
        "evidence_priority('CASUAL'); assert 'pydantic' not in sys.modules;"
        "validate_role_output('ANALYST', {}); assert 'pydantic' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


# --- the page


def test_the_page_tells_the_truth() -> None:
    page = (Path(__file__).parents[2] / "docs" / "roles.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(\w+)` \| \S", page, re.MULTILINE))
    assert {*RuleCode, "unknown_role", "schema_violation", "more_errors"} <= named
    assert all(f"`{action}`" in page for action in GuardianAction)
    for kind, sources in PRIORITY.items():
        (row,) = re.findall(rf"^\| `{kind}` \|([^|]*)\|", page, re.MULTILINE)
        assert row.strip() == ", ".join(sources)
    program = page.partition("```python\n")[2].partition("```")[0]
    exec(program, {})
