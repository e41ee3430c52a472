"""The first layer: trimming, emptiness, ASCII, strict JSON, the closed schema; each step ends the check."""

import json
from typing import Any

import pytest

from dragoman.contracts.program import Severity
from dragoman.contracts.report import ReportCode, Ruling
from dragoman.guards.report import MAX_FINDINGS, check_report, check_report_syntax
from dragoman.guards.report.text import SPACE
from tests.guards.report.reports import FIELDS, LISTS, VALID, report, text, without

Found = tuple[str, str]


def found(body: object) -> list[Found]:
    return [(error.code, error.path) for error in check_report(body).errors]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(text(), id="one line"),
        pytest.param(json.dumps(VALID, indent=2), id="indented"),
        pytest.param(json.dumps(VALID, indent="\t").replace("\n", "\r\n"), id="tabs and carriage returns"),
        pytest.param(json.dumps(dict(reversed(VALID.items()))), id="fields in another order"),
        pytest.param("\ufeff" + text(), id="byte order mark"),
        pytest.param(SPACE + text() + SPACE, id="every white space around"),
        pytest.param(text(notes="é 北京 😀 \x00 \x7f"), id="escapes of what may not stand there raw"),
        pytest.param(text(completed_tasks=[], in_progress=[]), id="empty lists"),
        pytest.param(text(completed_tasks=["", "  "]), id="blank items are strings"),
        pytest.param(text(notes=" a \n b "), id="notes of several lines"),
    ],
)
def test_valid_structures(body: str) -> None:
    verdict = check_report(body)
    assert (verdict.verdict, verdict.code, verdict.errors, verdict.warnings) == (Ruling.ACCEPT, None, (), ())
    assert verdict.is_valid
    assert check_report_syntax(body) == verdict


@pytest.mark.parametrize("body", ["", " ", "\n\t\r ", "\ufeff", "\u3000\u2028\ufeff\u00a0", SPACE])
def test_nothing_is_empty(body: str) -> None:
    assert check_report(body).code == "empty_json_output"
    assert found(body) == [("empty_json_output", "")]


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("é", "U+00E9"),
        ("\x7f", "U+007F"),
        ("\x00", "U+0000"),
        ("\x0b", "U+000B"),
        ("\x0c", "U+000C"),
        ("\x1f", "U+001F"),
        ("\x85", "U+0085"),
        ("\ud800", "U+D800"),
        ("😀", "U+1F600"),
        ("\ufeff", "U+FEFF"),
    ],
)
def test_a_raw_character_beyond_printable_ascii(raw: str, shown: str) -> None:
    verdict = check_report(text(notes="a\nb").replace("a\\nb", f"a{raw}b"))
    assert verdict.code == "non_ascii_output"
    assert not verdict.is_valid
    assert shown in verdict.errors[0].message


def test_ascii_comes_before_json_and_names_the_place() -> None:
    verdict = check_report('{\n  "a": é')
    assert verdict.code == "non_ascii_output"
    assert "line 2, column 8" in verdict.errors[0].message


@pytest.mark.parametrize("around", ["\x85", "\x1c", "\x1f", "\u200b", "\u180e", "\x00"])
def test_what_only_python_would_trim_is_not_trimmed(around: str) -> None:
    assert check_report(around + text()).code == "non_ascii_output"
    assert check_report(around).code == "non_ascii_output"


@pytest.mark.parametrize(
    ("body", "finer"),
    [
        ("{", "truncated_json"),
        ('{"notes": "x', "truncated_json"),
        ('{"notes": "x",}', "invalid_json"),
        ("{'notes': 'x'}", "invalid_json"),
        ('{"notes": "x" // why\n}', "invalid_json"),
        ("```json\n" + text() + "\n```", "invalid_json"),
        ("done. " + text(), "invalid_json"),
        (text() + text(), "invalid_json"),
        ("not json", "invalid_json"),
        ("*** Begin Patch", "invalid_json"),
        ('{"notes": "a\nb"}', "invalid_json"),
        ('{"notes": NaN}', "non_finite_number"),
        ('{"notes": -Infinity}', "non_finite_number"),
        ('{"notes": 1e999}', "number_overflow"),
        ('{"notes": "\\ud800"}', "lone_surrogate"),
        ('{"notes": "a", "notes": "a"}', "duplicate_key"),
        (text()[:-1] + ', "blockers": []}', "duplicate_key"),
        ("[" * 100_000, "too_deep"),
        ('{"notes": ' + "9" * 1001 + "}", "integer_too_long"),
    ],
)
def test_what_is_not_strict_json(body: str, finer: str) -> None:
    verdict = check_report(body)
    assert verdict.code == "invalid_json"
    assert found(body) == [(finer, "")]
    assert not verdict.is_valid


@pytest.mark.parametrize("value", [[], [VALID], None, True, 1, 1.5, "text"])
def test_a_root_that_is_no_object(value: Any) -> None:
    assert check_report(json.dumps(value)).code == "invalid_json_schema"
    assert found(json.dumps(value)) == [("invalid_json_schema", "")]


@pytest.mark.parametrize("field", FIELDS)
def test_a_missing_field(field: str) -> None:
    verdict = check_report(without(field))
    assert verdict.code == "invalid_json_schema"
    assert [(error.code, error.path) for error in verdict.errors] == [("invalid_json_schema", field)]
    assert field in verdict.errors[0].message


@pytest.mark.parametrize("field", LISTS)
@pytest.mark.parametrize("held", [None, "a", 1, 1.5, True, {}, {"0": "a"}])
def test_a_list_of_the_wrong_type(field: str, held: Any) -> None:
    verdict = check_report(text(**{field: held}))
    assert verdict.code == "invalid_json_schema"
    assert [(error.code, error.path) for error in verdict.errors] == [(f"{field}_not_array", field)]
    assert field in verdict.errors[0].message


@pytest.mark.parametrize("held", [None, [], ["a"], 0, False, {}])
def test_notes_of_the_wrong_type(held: Any) -> None:
    assert check_report(text(notes=held)).code == "invalid_json_schema"
    assert found(text(notes=held)) == [("notes_not_string", "notes")]


@pytest.mark.parametrize("item", [None, 1, 1.5, True, [], ["a"], {"id": "a"}])
def test_an_item_that_is_no_string(item: Any) -> None:
    assert found(text(blockers=["a", "b", "c", item])) == [("invalid_json_schema", "blockers.3")]


@pytest.mark.parametrize("name", ["extra", "Notes", "completedTasks", "__proto__", "notes-"])
def test_an_unknown_field(name: str) -> None:
    verdict = check_report(text(**{name: "x"}))
    assert [(error.code, error.path) for error in verdict.errors] == [("invalid_json_schema", name)]
    assert repr(name) in verdict.errors[0].message


def test_every_schema_error_at_once() -> None:
    body = json.dumps({"completed_tasks": "x", "in_progress": [1, "a", None], "notes": 3, "extra": 1})
    assert found(body) == [
        ("completed_tasks_not_array", "completed_tasks"),
        ("invalid_json_schema", "in_progress.0"),
        ("invalid_json_schema", "in_progress.2"),
        ("invalid_json_schema", "blockers"),
        ("invalid_json_schema", "next_focus"),
        ("notes_not_string", "notes"),
        ("invalid_json_schema", "extra"),
    ]


def test_every_item_of_a_full_report_is_listed() -> None:
    verdict = check_report(json.dumps({**{field: [0] * 50 for field in LISTS}, "notes": 1, "more": 2}))
    assert len(verdict.errors) == 202
    assert {error.severity for error in verdict.errors} == {Severity.ERROR}


def test_the_number_of_findings_is_bounded() -> None:
    verdict = check_report(text(blockers=[0] * 5 * MAX_FINDINGS))
    assert len(verdict.errors) == MAX_FINDINGS + 1
    assert verdict.errors[-1].code == ReportCode.MORE_ERRORS
    exactly = check_report(text(blockers=[0] * MAX_FINDINGS))
    assert len(exactly.errors) == MAX_FINDINGS
    assert exactly.errors[-1].code != ReportCode.MORE_ERRORS


def test_the_first_layer_stops_the_second() -> None:
    body = text(next_focus=[], notes="", blockers=["T9.1.2: Batch queue"], extra=1)
    assert found(body) == [("invalid_json_schema", "extra")]


def test_the_first_layer_alone_does_not_ask_for_meaning() -> None:
    assert check_report(text(next_focus=[])).code == "semantic_validation_failed"
    assert check_report_syntax(text(next_focus=[])).code is None
    assert check_report_syntax("{").code == "invalid_json"


@pytest.mark.parametrize("body", [None, b"{}", 1, [], {}, report()])
def test_what_is_no_text_is_refused(body: object) -> None:
    assert check_report(body).code == "invalid_json"
    assert check_report_syntax(body).code == "invalid_json"


TOKEN = "ghp_" + "a1B2" * 8


@pytest.mark.parametrize(
    "body",
    [
        text(**{TOKEN: 1}),
        text()[:-1] + f', "{TOKEN}": 1, "{TOKEN}": 2}}',
        text(blockers=[TOKEN, TOKEN], next_focus=[TOKEN]),
        text(**{"p" * 70 + " " + TOKEN: 1}),
    ],
)
def test_no_secret_is_repeated(body: str) -> None:
    verdict = check_report(body, strict_warnings=True)
    assert verdict.verdict is Ruling.REJECT
    assert "a1B2" not in repr(verdict)


def test_messages_quote_little() -> None:
    long = "q" * 100_000
    verdict = check_report(text(blockers=[long, long], next_focus=[long]), strict_warnings=True)
    named = check_report(text(**{long: 1}))
    for finding in (*verdict.errors, *named.errors):
        assert finding.message.count("q") <= 82
        assert finding.path.count("q") <= 82
