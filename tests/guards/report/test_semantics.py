"""The second layer: what a well-formed report must also be. Every cause is collected."""

import json
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.program import Severity
from dragoman.contracts.report import ReportVerdict, Ruling
from dragoman.guards.report import MAX_FINDINGS, check_report
from dragoman.guards.report.text import SPACE, cut_to_units, units
from tests.guards.report.reports import LISTS, text


def errors(verdict: ReportVerdict) -> list[tuple[str, str]]:
    return [(error.code, error.path) for error in verdict.errors]


def warnings(verdict: ReportVerdict) -> list[tuple[str, str]]:
    return [(warning.code, warning.path) for warning in verdict.warnings]


def numbered(field: str, count: int) -> list[str]:
    return [f"{field} {number}" for number in range(count)]


def test_next_focus_is_never_empty() -> None:
    verdict = check_report(text(next_focus=[]))
    assert verdict.code == "semantic_validation_failed"
    assert errors(verdict) == [("next_focus_empty", "next_focus")]
    assert not verdict.is_valid


@pytest.mark.parametrize("field", ["completed_tasks", "in_progress", "blockers"])
def test_the_other_lists_may_be_empty(field: str) -> None:
    assert check_report(text(**{field: []})).verdict is Ruling.ACCEPT


@pytest.mark.parametrize("notes", ["", " ", "\n\t", "\u00a0\ufeff", SPACE])
def test_notes_are_never_blank(notes: str) -> None:
    assert errors(check_report(text(notes=notes))) == [("notes_empty", "notes")]


@pytest.mark.parametrize("notes", [".", "\x00", "\x85", "\u200b", " x "])
def test_notes_of_one_character_are_notes(notes: str) -> None:
    assert check_report(text(notes=notes)).verdict is Ruling.ACCEPT


@pytest.mark.parametrize("field", LISTS)
def test_duplicates_within_a_list_are_one_warning(field: str) -> None:
    verdict = check_report(text(**{field: ["a", "b", "a", "b", "a"]}))
    assert verdict.verdict is Ruling.ACCEPT
    assert verdict.code is None
    assert verdict.is_valid
    assert errors(verdict) == []
    assert warnings(verdict) == [("duplicate_items_detected", field)]
    assert "'a', 'b'" in verdict.warnings[0].message
    assert field in verdict.warnings[0].message


def test_duplicates_in_several_lists_are_one_warning_each() -> None:
    verdict = check_report(text(**{field: [field, field] for field in LISTS}))
    assert warnings(verdict) == [("duplicate_items_detected", field) for field in LISTS]


@pytest.mark.parametrize(("first", "second"), list(combinations(LISTS, 2)))
def test_a_value_in_two_lists_is_a_conflict(first: str, second: str) -> None:
    lists: dict[str, Any] = {field: [f"own {field}"] for field in LISTS}
    lists[first] = [*lists[first], "Task A"]
    lists[second] = [*lists[second], "x", "Task A"]
    verdict = check_report(text(**lists))
    assert verdict.code == "semantic_validation_failed"
    assert errors(verdict) == [("task_list_conflict", f"{second}.2")]
    message = verdict.errors[0].message
    assert "'Task A'" in message
    assert [field for field in LISTS if field in message] == [first, second]


@pytest.mark.parametrize("count", [3, 4])
def test_a_value_in_more_lists_is_one_conflict(count: int) -> None:
    lists = {field: ["A"] if place < count else ["B"] for place, field in enumerate(LISTS)}
    verdict = check_report(text(**lists))
    assert errors(verdict) == [("task_list_conflict", "in_progress.0")]
    assert all(field in verdict.errors[0].message for field in LISTS[:count])


def test_one_conflict_for_each_value_in_the_order_of_the_report() -> None:
    verdict = check_report(
        text(completed_tasks=["A", "B", "C"], in_progress=["C"], blockers=["B", "A"], next_focus=["N", "C"])
    )
    assert errors(verdict) == [
        ("task_list_conflict", "blockers.1"),
        ("task_list_conflict", "blockers.0"),
        ("task_list_conflict", "in_progress.0"),
    ]


def test_the_second_place_is_the_first_one_of_the_second_list() -> None:
    verdict = check_report(text(completed_tasks=["A", "A"], in_progress=["x", "A", "A"], next_focus=["A"]))
    assert errors(verdict) == [("task_list_conflict", "in_progress.1")]
    assert [field for _, field in warnings(verdict)] == ["completed_tasks", "in_progress"]


@pytest.mark.parametrize(
    ("one", "other"), [("Task", "task"), ("A", " A"), ("é", "e\u0301"), ("A", "A\u200b")]
)
def test_conflicts_are_exact(one: str, other: str) -> None:
    assert check_report(text(completed_tasks=[one], in_progress=[other])).verdict is Ruling.ACCEPT


def test_an_escape_and_the_letter_are_the_same_value() -> None:
    body = text(completed_tasks=["A"], in_progress=["B"]).replace('"B"', '"\\u0041"')
    assert errors(check_report(body)) == [("task_list_conflict", "in_progress.0")]


@pytest.mark.parametrize("field", LISTS)
def test_a_list_holds_fifty_items(field: str) -> None:
    assert check_report(text(**{field: numbered(field, 50)})).verdict is Ruling.ACCEPT
    verdict = check_report(text(**{field: numbered(field, 51)}))
    assert errors(verdict) == [("content_boundary_exceeded", field)]
    assert field in verdict.errors[0].message


@pytest.mark.parametrize(
    ("notes", "accepted"),
    [
        ("x" * 5000, True),
        ("x" * 5001, False),
        ("é" * 5000, True),
        ("é" * 5001, False),
        ("😀" * 2500, True),
        ("😀" * 2500 + "x", False),
        ("x" + "😀" * 2500, False),
        (" " * 4999 + "x", True),
        (" " * 5000 + "x", False),
    ],
)
def test_notes_are_measured_in_utf16_units(notes: str, accepted: bool) -> None:
    verdict = check_report(text(notes=notes))
    assert (verdict.verdict is Ruling.ACCEPT) == accepted
    assert errors(verdict) == ([] if accepted else [("content_boundary_exceeded", "notes")])


def test_notes_of_blanks_can_be_empty_and_too_long() -> None:
    assert errors(check_report(text(notes=" " * 5001))) == [
        ("notes_empty", "notes"),
        ("content_boundary_exceeded", "notes"),
    ]


def test_every_cause_is_collected_in_the_order_of_the_checks() -> None:
    verdict = check_report(
        text(
            completed_tasks=["A", "A"], in_progress=["A"], blockers=numbered("b", 51), next_focus=[], notes=""
        )
    )
    assert errors(verdict) == [
        ("next_focus_empty", "next_focus"),
        ("notes_empty", "notes"),
        ("task_list_conflict", "in_progress.0"),
        ("content_boundary_exceeded", "blockers"),
    ]
    assert warnings(verdict) == [("duplicate_items_detected", "completed_tasks")]


def test_many_conflicts_are_bounded_and_quick() -> None:
    many = numbered("same", 100_000)
    verdict = check_report(text(completed_tasks=many, in_progress=many[::-1]))
    assert len(verdict.errors) == MAX_FINDINGS + 1
    assert verdict.errors[-1].code == "more_errors"


STRINGS = st.lists(st.sampled_from("abcdef"), max_size=6)


@given(STRINGS, STRINGS, STRINGS, STRINGS)
def test_conflicts_and_duplicates_are_what_sets_say(
    a: list[str], b: list[str], c: list[str], d: list[str]
) -> None:
    lists = dict(zip(LISTS, (a, b, c, d), strict=True))
    verdict = check_report(json.dumps({**lists, "notes": "x"}))
    shared = {item for item in "abcdef" if sum(item in items for items in lists.values()) > 1}
    conflicts = [error for error in verdict.errors if error.code == "task_list_conflict"]
    assert {error.message[1] for error in conflicts} == shared
    assert len(conflicts) == len(shared)
    for error in conflicts:
        field, _, place = error.path.partition(".")
        assert lists[field][int(place)] == error.message[1]
        assert [name for name in LISTS if error.message[1] in lists[name]][1] == field
    doubled = [field for field in LISTS if len(set(lists[field])) < len(lists[field])]
    assert [warning.path for warning in verdict.warnings] == doubled
    assert {error.severity for error in verdict.errors} <= {Severity.ERROR}


@given(st.text(alphabet=st.sampled_from("aé😀"), max_size=30), st.integers(0, 20))
def test_cutting_keeps_as_much_as_fits(given_text: str, limit: int) -> None:
    cut = cut_to_units(given_text, limit)
    assert given_text.startswith(cut)
    assert units(cut) <= limit
    assert cut == given_text or units(given_text[: len(cut) + 1]) > limit
