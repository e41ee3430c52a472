"""Near-valid output made valid; every change is said, and none changes what the report says."""

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.finding import Finding
from dragoman.guards.json_text.strict import read_strict
from dragoman.guards.report import normalise_report, resembles_report
from tests.guards.report.reports import FIELDS, LISTS, VALID, report, text, without

_FENCE = re.compile(r"```(?:json)?\n(.*?)```", re.DOTALL)
REPAIR = Finding("trailing_comma", "", "a comma too many")


def extract(body: str) -> tuple[dict[str, Any] | None, tuple[Finding, ...]]:
    """A reader that knows fences and one repair: enough to show how its findings are passed on."""
    fenced = _FENCE.search(body)
    inner = fenced[1] if fenced else body
    repaired = inner.replace(",}", "}")
    value = read_strict(repaired.strip())
    found = value if isinstance(value, dict) else None
    return found, (REPAIR,) if repaired != inner else ()


def nothing(body: str) -> tuple[dict[str, Any] | None, tuple[Finding, ...]]:
    raise AssertionError(f"asked to extract from {body!r}")


def codes(changes: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(change.code, change.path) for change in changes]


@pytest.mark.parametrize(
    "body",
    [
        text(),
        json.dumps(VALID, indent=2),
        "\ufeff " + text(),
        text(notes=" é "),
        text(blockers=[" a", "a", ""]),
    ],
)
def test_a_valid_report_comes_back_as_it_is(body: str) -> None:
    made = normalise_report(body, nothing)
    assert (made.text, made.changes) == (body, ())
    assert made.verdict.accepted


@pytest.mark.parametrize(
    ("body", "changes", "becomes"),
    [
        pytest.param(
            f"Here it is:\n```json\n{text()}\n```\nDone.",
            [("object_extracted", "")],
            VALID,
            id="fence and prose",
        ),
        pytest.param(
            text()[:-1] + ",}", [("object_extracted", ""), ("trailing_comma", "")], VALID, id="a repair"
        ),
        pytest.param(
            json.dumps(report(notes="é 😀"), ensure_ascii=False),
            [("non_ascii_escaped", "")],
            report(notes="é 😀"),
            id="letters beyond ASCII",
        ),
        pytest.param(
            text(notes="a#").replace("#", "\x7f"),
            [("non_ascii_escaped", "")],
            report(notes="a\x7f"),
            id="DEL",
        ),
        pytest.param(
            json.dumps(
                {"completedTasks": [], "In Progress": [], "BLOCKERS": [], "next-focus": ["a"], "Notes": "n"}
            ),
            [("field_renamed", field) for field in FIELDS],
            {"completed_tasks": [], "in_progress": [], "blockers": [], "next_focus": ["a"], "notes": "n"},
            id="other spellings",
        ),
        pytest.param(
            text(blockers="waiting", next_focus="a"),
            [("string_made_list", "blockers"), ("string_made_list", "next_focus")],
            report(blockers=["waiting"], next_focus=["a"]),
            id="lone strings",
        ),
        pytest.param(
            text(blockers=None), [("null_made_empty_list", "blockers")], report(blockers=[]), id="null list"
        ),
        pytest.param(
            without("completed_tasks", "blockers"),
            [("missing_list_added", "completed_tasks"), ("missing_list_added", "blockers")],
            report(completed_tasks=[]),
            id="missing lists",
        ),
        pytest.param(
            text(blockers=["a", "b", "a"]),
            [("duplicate_items_dropped", "blockers")],
            report(blockers=["a", "b"]),
            id="duplicates",
        ),
        pytest.param(
            text(notes=["one", "two"]),
            [("notes_joined", "notes")],
            report(notes="one\ntwo"),
            id="notes as lines",
        ),
        pytest.param(
            text(notes="  n\n", blockers=None),
            [("null_made_empty_list", "blockers"), ("notes_trimmed", "notes")],
            report(notes="n"),
            id="notes with blanks",
        ),
    ],
)
def test_near_valid_becomes_valid(body: str, changes: list[tuple[str, str]], becomes: dict[str, Any]) -> None:
    made = normalise_report(body, extract)
    assert codes(made.changes) == changes
    assert made.verdict.accepted, made.verdict.errors
    assert made.text is not None
    assert made.text.isascii()
    assert json.loads(made.text) == becomes
    assert list(json.loads(made.text)) == list(FIELDS)


@pytest.mark.parametrize(
    ("body", "remaining"),
    [
        pytest.param(text(blockers=[1], notes=" n "), [("invalid_json_schema", "blockers.0")], id="a number"),
        pytest.param(
            text(blockers=[True, None]), [("invalid_json_schema", f"blockers.{n}") for n in (0, 1)], id="more"
        ),
        pytest.param(text(blockers={"a": 1}), [("blockers_not_array", "blockers")], id="an object"),
        pytest.param(text(blockers=0), [("blockers_not_array", "blockers")], id="zero is not nothing"),
        pytest.param(text(notes=None), [("notes_not_string", "notes")], id="no notes"),
        pytest.param(text(notes=["a", 1]), [("notes_not_string", "notes")], id="notes with a number"),
        pytest.param(text(notes=[]), [("notes_not_string", "notes")], id="notes of no lines"),
        pytest.param(text(notes="  "), [("notes_empty", "notes")], id="blank notes"),
        pytest.param(without("notes"), [("invalid_json_schema", "notes")], id="missing notes"),
        pytest.param(without("next_focus"), [("invalid_json_schema", "next_focus")], id="nothing next"),
        pytest.param(
            text(next_focus=[" "], blockers=None), [("next_focus_empty", "next_focus")], id="blank next"
        ),
        pytest.param(text(next_focus=None), [("next_focus_empty", "next_focus")], id="null next"),
        pytest.param(text(extra=1), [("invalid_json_schema", "extra")], id="unknown field"),
        pytest.param(
            text(completed_tasks=["a"], in_progress=["a"], blockers=["b", "b"]),
            [("task_list_conflict", "in_progress.0")],
            id="conflict",
        ),
        pytest.param(text(notes="x" * 5001), [("content_boundary_exceeded", "notes")], id="too long"),
        pytest.param(
            text(blockers=[f"b{n}" for n in range(51)]),
            [("content_boundary_exceeded", "blockers")],
            id="too many",
        ),
        pytest.param(text(Notes="other"), [("invalid_json_schema", "Notes")], id="a field in two spellings"),
    ],
)
def test_what_would_be_guessed_stays_an_error(body: str, remaining: list[tuple[str, str]]) -> None:
    made = normalise_report(body, extract)
    assert made.text is not None
    assert [(error.code, error.path) for error in made.verdict.errors] == remaining


def test_trimmed_empty_and_repeated_items_are_counted() -> None:
    made = normalise_report(text(blockers=[" a ", "b", "", "\t", "a"], completed_tasks=None), extract)
    assert codes(made.changes) == [
        ("null_made_empty_list", "completed_tasks"),
        ("items_trimmed", "blockers"),
        ("empty_items_dropped", "blockers"),
        ("duplicate_items_dropped", "blockers"),
    ]
    assert [change.message[0] for change in made.changes[1:]] == ["1", "2", "1"]
    assert made.text == json.dumps(report(completed_tasks=[], blockers=["a", "b"]))


@pytest.mark.parametrize("body", ["", "no object", "[1]", "[" * 1000, '{"notes": NaN}', "\x00", None, 3])
def test_without_an_object_there_is_nothing_to_normalise(body: object) -> None:
    made = normalise_report(body, extract)
    assert (made.text, made.changes) == (None, ())
    assert not made.verdict.accepted


def test_an_unknown_kind_is_refused() -> None:
    made = normalise_report(text(), extract, kind="poet")
    assert (made.text, made.verdict.code) == (None, "unknown_report_kind")


@pytest.mark.parametrize(
    ("value", "so"),
    [
        (VALID, True),
        ({"nextFocus": []}, True),
        ({"notes": "x"}, False),
        ({}, False),
        ([], False),
        ({"a": 1}, False),
    ],
)
def test_what_resembles_a_report(value: object, so: bool) -> None:
    assert resembles_report(value) is so


def test_many_fields_in_bounded_time() -> None:
    made = normalise_report(json.dumps({f"f{number}": 0 for number in range(200_000)}), extract)
    assert not made.verdict.accepted


SPELLINGS = [*FIELDS, *("completedTasks", "Completed Tasks", "in-progress", "NEXT_FOCUS", "Notes", "extra")]
HELD = (
    st.none() | st.booleans() | st.integers() | st.text(st.sampled_from(" aé\x7f😀"), max_size=4)
    | st.lists(st.none() | st.integers() | st.sampled_from(["a", " a", "b", "", " "]), max_size=5)
)  # fmt: skip
NEAR = st.dictionaries(st.sampled_from(SPELLINGS), HELD, max_size=7)
NEAR_FULL = st.fixed_dictionaries(
    {**{field: st.lists(st.sampled_from(["a", " a", "b", "c", "é", ""]), max_size=4) for field in LISTS}},
    optional={"notes": HELD, "extra": HELD},
)


@given(NEAR | NEAR_FULL, st.booleans(), st.sampled_from(["", "```json\n", " "]))
def test_normalising_twice_is_normalising_once(value: dict[str, Any], ascii_only: bool, before: str) -> None:
    body = before + json.dumps(value, ensure_ascii=ascii_only) + ("\n```" if before.strip() else "")
    once = normalise_report(body, extract)
    assert once.text is not None
    again = normalise_report(once.text, nothing)
    assert (again.text, again.changes, again.verdict) == (once.text, (), once.verdict)
    assert (once.text == body) == (not once.changes)


@given(NEAR_FULL)
def test_every_item_that_says_something_is_still_there(value: dict[str, Any]) -> None:
    made = normalise_report(json.dumps(value), extract)
    assert made.text is not None
    after = json.loads(made.text)
    for field in LISTS:
        assert {item.strip() for item in after[field]} - {""} == {item.strip() for item in value[field]} - {
            ""
        }
