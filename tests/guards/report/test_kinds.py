"""Schemas per kind of agent: they tighten the status report or are another contract, never loosen it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.report import Ruling
from dragoman.guards.report import STATUS, FieldType, Limits, check_report, normalise_report, report_kinds
from tests.guards.report.reports import LISTS, text
from tests.guards.report.test_normalisation import extract

ROLES = ("analyst", "architect", "guardian")
STATUS_KINDS = [name for name, kind in report_kinds().items() if not kind.role]


def test_the_kinds() -> None:
    assert set(report_kinds()) == {STATUS, "turn", "run", *ROLES}
    assert [report_kinds()[role].role for role in ROLES] == ["ANALYST", "ARCHITECT", "GUARDIAN"]


def test_status_is_the_first_version() -> None:
    status = report_kinds()[STATUS]
    assert status.version == "1.0"
    assert status.limits == Limits(50, 50, 50, 50, 5000)
    assert status.optional == {}
    assert status.item_characters is None


@pytest.mark.parametrize("name", STATUS_KINDS)
def test_no_kind_loosens_the_status_report(name: str) -> None:
    limits, widest = report_kinds()[name].limits, report_kinds()[STATUS].limits
    for field in (*LISTS, "notes"):
        assert 0 < limits.items(field) <= widest.items(field)


@pytest.mark.parametrize("name", STATUS_KINDS)
def test_each_limit_of_each_kind_is_checked(name: str) -> None:
    limits = report_kinds()[name].limits
    for field in LISTS:
        full = [f"{field} {number}" for number in range(limits.items(field))]
        assert check_report(text(**{field: full}), kind=name).verdict is Ruling.ACCEPT
        over = check_report(text(**{field: [*full, "one more"]}), kind=name)
        assert [(error.code, error.path) for error in over.errors] == [("content_boundary_exceeded", field)]
    assert check_report(text(notes="x" * limits.notes), kind=name).verdict is Ruling.ACCEPT
    over = check_report(text(notes="x" * (limits.notes + 1)), kind=name)
    assert [(error.code, error.path) for error in over.errors] == [("content_boundary_exceeded", "notes")]


@pytest.mark.parametrize("name", ["turn", "run"])
def test_an_item_has_a_length(name: str) -> None:
    assert check_report(text(blockers=["a", "x" * 500]), kind=name).verdict is Ruling.ACCEPT
    over = check_report(text(blockers=["a", "😀" * 251]), kind=name)
    assert [(error.code, error.path) for error in over.errors] == [
        ("content_boundary_exceeded", "blockers.1")
    ]
    assert check_report(text(blockers=["x" * 100_000])).verdict is Ruling.ACCEPT


@pytest.mark.parametrize("name", STATUS_KINDS)
def test_optional_fields_belong_to_their_kind(name: str) -> None:
    optional = report_kinds()[name].optional
    good = {FieldType.STRING: "s", FieldType.STRINGS: ["s"], FieldType.INTEGER: 3}
    for field, wanted in optional.items():
        assert check_report(text(**{field: good[wanted]}), kind=name).verdict is Ruling.ACCEPT
        assert check_report(text(**{field: good[wanted]})).code == "invalid_json_schema"
        for wrong in (None, True, 1.5, {}, *(held for key, held in good.items() if key is not wanted)):
            verdict = check_report(text(**{field: wrong}), kind=name)
            assert [(error.code, error.path) for error in verdict.errors] == [("invalid_json_schema", field)]
    assert check_report(text(unknown=1), kind=name).code == "invalid_json_schema"


def test_optional_texts_have_a_length_too() -> None:
    verdict = check_report(text(run_id="x" * 501, outputs=["a", "x" * 501, "b"]), kind="run")
    assert [(error.code, error.path) for error in verdict.errors] == [
        ("content_boundary_exceeded", "outputs.1"),
        ("content_boundary_exceeded", "run_id"),
    ]
    items = check_report(text(outputs=["a", 1]), kind="run")
    assert [(error.code, error.path) for error in items.errors] == [("invalid_json_schema", "outputs.1")]


REPORTS = st.fixed_dictionaries(
    {**{field: st.lists(st.text(max_size=5), max_size=3) for field in LISTS}, "notes": st.text(max_size=9)}
)


@pytest.mark.parametrize("name", ["turn", "run"])
@given(REPORTS)
def test_what_a_kind_accepts_without_more_fields_is_a_status_report(
    name: str, report: dict[str, object]
) -> None:
    body = json.dumps(report)
    if check_report(body, kind=name).verdict is Ruling.ACCEPT:
        assert check_report(body).verdict is Ruling.ACCEPT


OUTPUTS: dict[str, dict[str, object]] = {
    "analyst": {
        "intent": "design doc generation",
        "request_type": "DESIGN_ARCH",
        "track": "QUALITY",
        "required_sources": ["doc", "policy"],
        "missing_info_questions": [],
        "expected_output_schema": "answer_v1_markdown",
    },
    "architect": {
        "response_format": "markdown",
        "domain_terms": [],
        "forbidden_content": [],
        "required_sections": ["Résumé"],
    },
    "guardian": {"verdict": "PASS", "reasons": [], "required_actions": [], "risk_level": "low"},
}


@pytest.mark.parametrize("role", ROLES)
def test_a_role_is_held_to_its_contract(role: str) -> None:
    pytest.importorskip("dragoman.guards.roles")
    assert check_report(json.dumps(OUTPUTS[role]), kind=role).verdict is Ruling.ACCEPT
    verdict = check_report("{}", kind=role)
    assert verdict.code == "invalid_json_schema"
    assert verdict.errors
    assert not verdict.is_valid
    assert check_report(text(), kind=role).verdict is Ruling.REJECT


@pytest.mark.parametrize("role", ROLES)
def test_a_role_speaks_the_same_wire(role: str) -> None:
    assert check_report(" ", kind=role).code == "empty_json_output"
    assert check_report('{"a": "é"}', kind=role).code == "non_ascii_output"
    assert check_report("{", kind=role).code == "invalid_json"


def test_a_role_is_normalised_only_on_the_wire() -> None:
    pytest.importorskip("dragoman.guards.roles")
    output = json.dumps(OUTPUTS["architect"], ensure_ascii=False)
    made = normalise_report(f"Sure:\n```json\n{output}\n```", extract, kind="architect")
    assert [change.code for change in made.changes] == ["object_extracted", "non_ascii_escaped"]
    assert made.text == json.dumps(OUTPUTS["architect"])
    assert made.verdict.verdict is Ruling.ACCEPT
