"""The strict check as a library call: data and what was found, or one error that says everything."""

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dragoman
from dragoman import DragomanError, OutputValidationError, strict_report
from dragoman.contracts.program import Severity
from dragoman.guards.report import check_report
from dragoman.language.outputs import OutputProfile, check_output
from tests.guards.report.reports import FIELDS, LISTS, VALID, text

DUPLICATES = text(blockers=["B", "B"], in_progress=["C", "C"])


def refused(output: Any, *, throw_on_warnings: bool = False) -> OutputValidationError:
    with pytest.raises(OutputValidationError) as caught:
        strict_report(output, throw_on_warnings)
    return caught.value


def test_a_valid_report_is_returned_with_nothing_found() -> None:
    data, semantics = strict = strict_report(text())
    assert {field: getattr(data, field) for field in LISTS} == {field: tuple(VALID[field]) for field in LISTS}
    assert data.notes == VALID["notes"]
    assert (semantics.errors, semantics.warnings, semantics.is_valid) == ((), (), True)
    assert (strict.data, strict.semantics) == (data, semantics)


def test_escapes_come_back_as_letters() -> None:
    assert strict_report(text(notes="остатки 재고")).data.notes == "остатки 재고"


def test_warnings_pass_until_they_are_thrown() -> None:
    semantics = strict_report(DUPLICATES).semantics
    assert semantics.is_valid
    assert [warning.path for warning in semantics.warnings] == ["in_progress", "blockers"]
    error = refused(DUPLICATES, throw_on_warnings=True)
    assert error.code == "semantic_validation_warnings"
    assert {found.severity for found in error.errors} == {Severity.WARNING}
    assert error.warnings == semantics.warnings


@pytest.mark.parametrize(
    ("output", "code", "causes"),
    [
        ("", "empty_json_output", ["empty_json_output"]),
        ("{", "invalid_json", ["truncated_json"]),
        (None, "invalid_json", ["invalid_json"]),
        ('{"notes": "é"}', "non_ascii_output", ["non_ascii_output"]),
        (text(notes=7), "invalid_json_schema", ["notes_not_string"]),
        (text(blockers={}, extra=1), "invalid_json_schema", ["blockers_not_array", "invalid_json_schema"]),
        (
            text(next_focus=[], notes=" ", in_progress=VALID["completed_tasks"]),
            "semantic_validation_failed",
            ["next_focus_empty", "notes_empty", "task_list_conflict"],
        ),
        (text(notes="x" * 5001), "semantic_validation_failed", ["content_boundary_exceeded"]),
    ],
)
def test_an_error_has_the_code_of_the_verdict_and_every_cause(
    output: Any, code: str, causes: list[str]
) -> None:
    error = refused(output)
    assert isinstance(error, DragomanError)
    assert (error.code, [found.code for found in error.errors]) == (code, causes)
    assert error.hint
    assert code in error.message
    assert error.details["errors"]


def test_an_error_of_both_kinds_has_both() -> None:
    error = refused(text(blockers=["B", "B"], notes=""))
    assert [found.code for found in error.errors] == ["notes_empty"]
    assert [warning.code for warning in error.warnings] == ["duplicate_items_detected"]


def test_an_error_crosses_a_process_boundary() -> None:
    error = refused(text(notes=""))
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, OutputValidationError)
    assert (again.code, again.message, again.hint) == (error.code, error.message, error.hint)
    assert again.errors == error.errors


def test_no_secret_is_repeated() -> None:
    token = "ghp_" + "a1B2" * 9
    error = refused(text(completed_tasks=[token], in_progress=[token]))
    assert token not in f"{error.message} {error.details} {error.errors}"


def test_it_is_offered_by_the_package() -> None:
    assert {"strict_report", "OutputValidationError"} <= set(dragoman.__all__)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
reports = st.fixed_dictionaries(
    {**{field: st.lists(st.sampled_from("ABC"), max_size=3) | values for field in LISTS}, "notes": values}
)


@given(reports.map(json.dumps) | st.text(max_size=40), st.booleans())
def test_it_says_what_the_guard_says(output: str, strict: bool) -> None:
    """One verdict, whoever asks: the guard, the library call and the command."""
    verdict = check_report(output, strict_warnings=strict)
    assert check_output(output, OutputProfile.REPORT, strict_warnings=strict) == verdict
    if verdict.accepted:
        passed = strict_report(output, strict)
        assert passed.semantics == verdict.context
        assert set(json.loads(output)) == set(FIELDS)
    else:
        assert refused(output, throw_on_warnings=strict).verdict == verdict
