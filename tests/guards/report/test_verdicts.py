"""The whole guard: the examples of the design, warnings made strict, the shape on the wire, and any text."""

import json
import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.finding import Finding
from dragoman.contracts.program import Severity
from dragoman.contracts.report import OutputFormat, ReportCode, ReportFinding, ReportVerdict, Ruling
from dragoman.guards.json_text.model import JsonCode
from dragoman.guards.report import check_report, check_report_syntax, detect_format
from tests.guards.report.reports import FIELDS, LISTS, VALID, text

DUPLICATES = text(completed_tasks=["A", "A"])
CODES = {*map(str, ReportCode), *map(str, JsonCode)}

EXAMPLES: list[tuple[dict[str, Any], str | None, list[str]]] = [
    (VALID, None, []),
    (
        {
            **VALID,
            "completed_tasks": ["T9.1.2: Batch queue (COMPLETE)", "T9.2.0: Validation prep (COMPLETE)"],
        },
        None,
        [],
    ),
    (
        {**VALID, "blockers": ["MCP service down (waiting for restart)", "Database connection timeout"]},
        None,
        [],
    ),
    ({**VALID, "notes": "Five checks:\n1. Presence\n2. Uniqueness\n\nAll tests passing (47/47)."}, None, []),
    (
        {
            "completed_tasks": ["T9.2.1"],
            "in_progress": [],
            "blockers": [],
            "next_focus": [],
            "notes": "Work done",
        },
        "semantic_validation_failed",
        ["next_focus_empty"],
    ),
    (
        {
            "completed_tasks": ["Task A"],
            "in_progress": ["Task A"],
            "blockers": [],
            "next_focus": ["Task B"],
            "notes": "State error",
        },
        "semantic_validation_failed",
        ["task_list_conflict"],
    ),
    (
        {"completed_tasks": [], "in_progress": [], "blockers": [], "next_focus": ["Task"], "notes": ""},
        "semantic_validation_failed",
        ["notes_empty"],
    ),
    ({**VALID, "next_focus": ["T9.1.2: Batch queue"]}, "semantic_validation_failed", ["task_list_conflict"]),
]


@pytest.mark.parametrize(("report", "code", "causes"), EXAMPLES)
def test_the_examples_of_the_design(report: dict[str, Any], code: str | None, causes: list[str]) -> None:
    verdict = check_report(json.dumps(report))
    assert verdict.code == code
    assert [error.code for error in verdict.errors] == causes
    assert verdict.is_valid == (code is None)


def test_the_examples_with_their_comments_are_no_json() -> None:
    body = json.dumps(VALID, indent=2).replace('"blockers": [],', '"blockers": [],  // none')
    assert check_report(body).code == "invalid_json"


def test_warnings_do_not_reject() -> None:
    verdict = check_report(DUPLICATES)
    assert (verdict.verdict, verdict.code, verdict.is_valid) == (Ruling.ACCEPT, None, True)


def test_warnings_made_strict_reject_and_leave_the_report_valid() -> None:
    verdict = check_report(DUPLICATES, strict_warnings=True)
    assert (verdict.verdict, verdict.code) == (Ruling.REJECT, "semantic_validation_warnings")
    assert verdict.is_valid
    assert [(error.code, error.severity) for error in verdict.errors] == [
        ("duplicate_items_detected", Severity.WARNING)
    ]
    assert len(verdict.warnings) == 1


def test_errors_beside_strict_warnings_decide_the_code() -> None:
    verdict = check_report(text(completed_tasks=["A", "A"], notes=""), strict_warnings=True)
    assert verdict.code == "semantic_validation_failed"
    assert not verdict.is_valid
    assert [(error.code, error.severity) for error in verdict.errors] == [
        ("notes_empty", Severity.ERROR),
        ("duplicate_items_detected", Severity.WARNING),
    ]


@pytest.mark.parametrize("body", ["", "{", "é", text(extra=1), text(notes="")])
def test_strictness_about_warnings_changes_no_other_code(body: str) -> None:
    assert check_report(body, strict_warnings=True) == check_report(body)


def test_a_clean_report_passes_strict() -> None:
    assert check_report(text(), strict_warnings=True).verdict is Ruling.ACCEPT


def wire(verdict: ReportVerdict) -> Any:
    return json.loads(msgspec.json.encode(verdict))


def test_the_verdict_on_the_wire() -> None:
    assert wire(check_report(DUPLICATES, strict_warnings=True)) == {
        "verdict": "reject",
        "code": "semantic_validation_warnings",
        "format": "report",
        "isValid": True,
        "errors": [
            {
                "code": "duplicate_items_detected",
                "path": "completed_tasks",
                "message": "completed_tasks has items more than once: 'A'",
                "severity": "warning",
            }
        ],
        "warnings": [
            {
                "code": "duplicate_items_detected",
                "path": "completed_tasks",
                "message": "completed_tasks has items more than once: 'A'",
            }
        ],
    }


def test_an_accepting_verdict_has_every_field() -> None:
    assert wire(check_report(text())) == {
        "verdict": "accept",
        "code": None,
        "format": "report",
        "isValid": True,
        "errors": [],
        "warnings": [],
    }


def test_the_context_of_the_design() -> None:
    context = check_report(text(notes="", blockers=["A", "A"])).context
    assert list(msgspec.to_builtins(context)) == ["errors", "warnings", "isValid"]
    assert [type(error) for error in context.errors] == [ReportFinding]
    assert [type(warning) for warning in context.warnings] == [Finding]
    assert context.is_valid is False


@pytest.mark.parametrize(
    ("body", "form"),
    [
        ("{", OutputFormat.REPORT),
        ("[1]", OutputFormat.REPORT),
        (" \n\ufeff{}", OutputFormat.REPORT),
        ("\u2028[", OutputFormat.REPORT),
        ("*** Begin Patch\n*** End Patch", OutputFormat.PATCH),
        ("--- a\n+++ b", OutputFormat.PATCH),
        ("```json\n{}\n```", OutputFormat.PATCH),
        ("Here: {}", OutputFormat.PATCH),
        ('"text"', OutputFormat.PATCH),
        ("null", OutputFormat.PATCH),
        ("\x85{}", OutputFormat.PATCH),
        ("", None),
        (" \t\r\n\u3000\ufeff", None),
        (None, None),
        (b"{}", None),
    ],
)
def test_the_format_is_detected_by_the_first_character(body: object, form: OutputFormat | None) -> None:
    assert detect_format(body) is form


def test_an_unknown_kind_is_refused() -> None:
    verdict = check_report(text(), kind="poet")
    assert verdict.code == "unknown_report_kind"
    assert "'poet'" in verdict.errors[0].message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
NEAR = st.fixed_dictionaries({}, optional={field: JSON | st.lists(st.text(max_size=3)) for field in FIELDS})
ANY_TEXT = st.text() | JSON.map(json.dumps) | NEAR.map(json.dumps) | NEAR.map(lambda v: json.dumps(v)[:-2])


@given(ANY_TEXT | st.text(st.characters(categories=["Cs", "Cc", "Zs", "Nd"])), st.booleans())
def test_any_text_gets_a_sound_verdict(body: str, strict: bool) -> None:
    verdict = check_report(body, strict_warnings=strict)
    assert (verdict.verdict is Ruling.ACCEPT) == (verdict.code is None)
    assert verdict.is_valid == all(error.severity is Severity.WARNING for error in verdict.errors)
    assert bool(verdict.errors) == (verdict.code is not None)
    assert {verdict.code, *(error.code for error in verdict.errors)} <= {None, *CODES}
    layer = check_report_syntax(body)
    assert (layer.code is None) == (verdict.code is None or verdict.code.startswith("semantic_"))
    if layer.code is not None:
        assert verdict == layer
    msgspec.json.encode(verdict)


@given(
    st.fixed_dictionaries({**{field: st.lists(st.text(max_size=3), max_size=4) for field in LISTS}}),
    st.text(),
)
def test_the_guard_agrees_with_the_rules_written_plainly(lists: dict[str, list[str]], notes: str) -> None:
    items = [item for field in LISTS for item in set(lists[field])]
    blank = re.fullmatch(
        "[\t\n\x0b\x0c\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*", notes
    )
    good = bool(lists["next_focus"]) and not blank and len(items) == len(set(items))
    assert check_report(json.dumps({**lists, "notes": notes})).is_valid == good
