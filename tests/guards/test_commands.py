"""`dragoman guard`, `report` and `metrics` as a user runs them, one by one and in batches."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.called import called

VALID = {"completed_tasks": [], "in_progress": [], "blockers": [], "next_focus": ["b"], "notes": "x"}
PLAN = {
    "intent": "count stories",
    "request_type": "STATUS_METRIC",
    "track": "QUALITY",
    "required_sources": ["db"],
    "missing_info_questions": [],
    "expected_output_schema": "status_v1_json",
}


def dragoman(
    *arguments: str, stdin: bytes | str = b"", cwd: Path | None = None, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return called(*arguments, stdin=stdin, cwd=cwd, env=env or {})


def batch(command: Sequence[str], lines: Sequence[object]) -> list[dict[str, Any]]:
    """The verdicts on a batch. A line that is no object already is sent as it stands."""
    sent = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    done = dragoman(*command, "--jsonl", stdin=b"\n".join(sent) + b"\n")
    assert done.returncode == 0, done.stderr
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(verdicts) == len(lines)
    return verdicts


def test_a_batch_of_texts_gets_one_verdict_for_each_line_under_its_id() -> None:
    first, second, third, fourth = batch(
        ["guard", "json"],
        [
            {"id": 1, "text": 'Sure: {"a": 1,}'},
            {"id": "two", "text": "no"},
            {"id": [3], "text": '{"x": 1} {"y": 2}', "required_keys": ["y"]},
            {"id": None, "text": f"{{}} {json.dumps(PLAN)}", "contract": "ANALYST"},
        ],
    )
    assert (first["id"], first["ok"], first["value"], first["code"]) == (1, True, {"a": 1}, None)
    assert [warning["code"] for warning in first["warnings"]] == ["trailing_comma"]
    assert second == {
        "id": "two",
        "ok": False,
        "value": None,
        "code": "no_json_object_found",
        "warnings": [],
    }
    assert (third["id"], third["value"]) == ([3], {"y": 2})
    assert (fourth["id"], fourth["value"]) == (None, PLAN)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", "invalid_json"),
        (b"not json", "invalid_json"),
        (b"[1]", "invalid_json"),
        (b'{"id": NaN}', "invalid_json"),
        (b'{"id": 1', "invalid_json"),
        (b'{"text": "x"}', "missing_id"),
        (b'{"id": 1, "id": 2, "text": ""}', "duplicate_key"),
        (b'{"id": "\xff"}', "not_utf8"),
        (b'{"id": 1, "text": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "too_deep"),
    ],
)
def test_a_malformed_line_gets_a_verdict_without_an_id_and_the_next_is_judged(line: bytes, code: str) -> None:
    malformed, following = batch(["guard", "json"], [line, {"id": 2, "text": "{}"}])
    assert (malformed["id"], malformed["ok"], malformed["code"]) == (None, False, code)
    assert (following["id"], following["ok"]) == (2, True)


def test_a_line_of_sixteen_megabytes_is_judged_and_a_longer_one_refused() -> None:
    def line(size: int) -> bytes:
        frame = json.dumps({"id": 1, "text": '{"a": ""}'}).encode()
        return frame.replace(b'\\"\\"', b'\\"' + b"x" * (size - len(frame)) + b'\\"')

    limit = 16 * 1024 * 1024
    fits, exceeds, after = batch(["guard", "json"], [line(limit), line(limit + 1), {"id": 2, "text": "{}"}])
    assert (fits["id"], fits["ok"]) == (1, True)
    assert len(fits["value"]["a"]) > limit - 100
    assert (exceeds["id"], exceeds["code"]) == (None, "line_too_long")
    assert (after["id"], after["ok"]) == (2, True)


@pytest.mark.parametrize(
    ("command", "line", "code"),
    [
        ("guard json", {"id": 1}, "missing_field"),
        ("guard json", {"id": 1, "text": 5}, "invalid_field"),
        ("guard json", {"id": 1, "text": "", "required_keys": [1]}, "invalid_field"),
        ("guard json", {"id": 1, "text": "", "contract": "NOBODY"}, "unknown_contract"),
        ("guard role", {"id": 1, "role": "ANALYST"}, "missing_field"),
        ("guard track", {"id": 1, "request_type": "CASUAL"}, "missing_field"),
        ("guard path", {"id": 1, "root": "/", "path": 5}, "invalid_field"),
        ("report check", {"id": 1, "text": "", "profile": "letter"}, "invalid_field"),
        ("report check", {"id": 1, "text": "", "strict_warnings": "yes"}, "invalid_field"),
        ("report mode", {"id": 1, "env": {"A": 1}}, "invalid_field"),
    ],
)
def test_a_line_with_a_wrong_field_keeps_its_id(command: str, line: dict[str, Any], code: str) -> None:
    (verdict,) = batch(command.split(), [line])
    assert (verdict["id"], verdict["ok"], verdict["code"]) == (1, False, code)


def test_text_that_is_half_a_character_is_judged_and_comes_back_escaped() -> None:
    (verdict,) = batch(["guard", "json"], [b'{"id": "\\ud800", "text": "{\\"a\\": \\"\\ud800\\"}"}'])
    assert (verdict["id"], verdict["code"]) == ("\ud800", "lone_surrogate")


def test_a_batch_of_roles() -> None:
    said = f"My plan:\n```json\n{json.dumps(PLAN)}\n```"
    right, spoken, unknown, wrong, silent, none = batch(
        ["guard", "role"],
        [
            {"id": 1, "role": "ANALYST", "output": PLAN},
            {"id": 2, "role": "ANALYST", "output": said},
            {"id": 3, "role": "CLOWN", "output": PLAN},
            {"id": 4, "role": "ANALYST", "output": {**PLAN, "required_sources": ["doc"], "extra": 1}},
            {"id": 5, "role": "GUARDIAN", "output": "I would pass it."},
            {"id": 6, "role": None, "output": None},
        ],
    )
    assert right == {"id": 1, "ok": True, "errors": []}
    assert spoken == {"id": 2, "ok": True, "errors": []}
    assert [error["code"] for error in unknown["errors"]] == ["unknown_role"]
    codes = {(error["code"], error["path"]) for error in wrong["errors"]}
    assert codes == {
        ("schema_violation", "extra"),
        ("required_source_missing", "required_sources"),
        ("forbidden_source", "required_sources.0"),
    }
    assert [error["code"] for error in silent["errors"]] == ["no_json_object_found"]
    assert [error["code"] for error in none["errors"]] == ["unknown_role"]


def test_a_batch_of_tracks_and_paths(tmp_path: Path) -> None:
    fast, hinted = batch(
        ["guard", "track"],
        [
            {"id": 1, "request_type": "CASUAL", "query": "goodbye"},
            {"id": 2, "request_type": "CASUAL", "query": "권한이 필요해"},
        ],
    )
    assert fast == {"id": 1, "track": "FAST", "reason": "track_policy:default(rt=CASUAL)"}
    assert hinted == {"id": 2, "track": "QUALITY", "reason": "track_policy:force_quality_by_hint(rt=CASUAL)"}
    inside, outside = batch(
        ["guard", "path"],
        [
            {"id": 1, "root": str(tmp_path), "path": "a/b.csv"},
            {"id": 2, "root": str(tmp_path), "path": "../b.csv"},
        ],
    )
    assert inside == {"id": 1, "verdict": "allow", "code": None}
    assert outside == {"id": 2, "verdict": "deny", "code": "outside_workspace"}


def test_a_batch_of_reports_and_patches() -> None:
    patch = "*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch"
    accepted, strict, patched, empty, broken = batch(
        ["report", "check"],
        [
            {"id": 1, "text": json.dumps(VALID), "profile": "report", "strict_warnings": False},
            {
                "id": 2,
                "text": json.dumps({**VALID, "next_focus": ["b", "b"]}),
                "profile": "report",
                "strict_warnings": True,
            },
            {"id": 3, "text": patch, "profile": "auto", "strict_warnings": False},
            {"id": 4, "text": " \ufeff", "profile": "auto", "strict_warnings": False},
            {"id": 5, "text": "[1", "profile": "auto", "strict_warnings": False},
        ],
    )
    assert accepted == {
        "id": 1,
        "verdict": "accept",
        "code": None,
        "format": "report",
        "isValid": True,
        "errors": [],
        "warnings": [],
    }
    assert (strict["verdict"], strict["code"]) == ("reject", "semantic_validation_warnings")
    assert [warning["code"] for warning in strict["warnings"]] == ["duplicate_items_detected"]
    assert (patched["verdict"], patched["format"]) == ("accept", "patch")
    assert (empty["verdict"], empty["code"], empty["format"]) == ("reject", "empty_output", None)
    assert (broken["verdict"], broken["code"], broken["format"]) == ("reject", "invalid_json", "report")


def test_auto_looks_at_the_form_alone() -> None:
    text = json.dumps({**VALID, "next_focus": [], "notes": ""})
    auto, whole = batch(
        ["report", "check"],
        [{"id": 1, "text": text, "profile": "auto"}, {"id": 2, "text": text, "profile": "report"}],
    )
    assert auto["verdict"] == "accept"
    assert {error["code"] for error in whole["errors"]} == {"next_focus_empty", "notes_empty"}
    assert whole["code"] == "semantic_validation_failed"


@pytest.mark.parametrize(
    ("profile", "code"),
    [("report", "empty_json_output"), ("patch", "empty_diff_output"), ("auto", "empty_output")],
)
def test_nothing_has_a_code_of_its_own_in_each_profile(profile: str, code: str) -> None:
    (verdict,) = batch(["report", "check"], [{"id": 1, "text": "\ufeff\n", "profile": profile}])
    assert (verdict["verdict"], verdict["code"]) == ("reject", code)


@pytest.mark.parametrize(
    ("env", "configured", "effective", "canary"),
    [
        ({}, "shadow", "shadow", False),
        ({"DRAGOMAN_OUTPUT_VALIDATION_MODE": " Enforce "}, "enforce", "shadow", False),
        (
            {"DRAGOMAN_OUTPUT_VALIDATION_MODE": "enforce", "DRAGOMAN_OUTPUT_VALIDATION_CANARY": "Yes"},
            "enforce",
            "enforce",
            True,
        ),
        ({"WVO_OUTPUT_VALIDATION_MODE": "disabled"}, "disabled", "disabled", False),
        ({"DRAGOMAN_OUTPUT_VALIDATION_MODE": "loud"}, "shadow", "shadow", False),
    ],
)
def test_the_mode_is_shown_as_configured_and_as_it_holds(
    env: dict[str, str], configured: str, effective: str, canary: bool
) -> None:
    expected = {"configuredMode": configured, "effectiveMode": effective, "canaryAcknowledged": canary}
    assert json.loads(dragoman("report", "mode", "--json", env=env).stdout) == expected
    assert batch(["report", "mode"], [{"id": 1, "env": env}]) == [{"id": 1, **expected}]


def test_one_text_is_judged_with_an_exit_code() -> None:
    found = dragoman("guard", "json", stdin="{'a': 1}")
    assert (found.returncode, json.loads(found.stdout)) == (0, {"a": 1})
    assert "single quotes" in found.stderr
    missing = dragoman("guard", "json", "--json", stdin="nothing")
    assert (missing.returncode, json.loads(missing.stdout)["code"]) == (1, "no_json_object_found")
    strict = dragoman("guard", "json", "--strict", "--json", stdin="{'a': 1}")
    assert (strict.returncode, json.loads(strict.stdout)["code"]) == (1, "invalid_json")


def test_a_report_is_normalised_and_every_change_is_said() -> None:
    done = dragoman("report", "normalise", "--json", stdin='```json\n{"nextFocus": "b", "notes": "Да",}\n```')
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert json.loads(told["text"]) == {**VALID, "notes": "Да"}
    assert told["text"].isascii()
    assert {"field_renamed", "string_made_list", "trailing_comma", "non_ascii_escaped"} <= {
        change["code"] for change in told["changes"]
    }


def test_every_turn_leaves_a_report_that_its_guard_accepts(tmp_path: Path) -> None:
    first, *further = (
        "stock of Alfa Trade on 31 March 2020",
        "and for April?",
        "sales",
        "what is the weather",
        "undo",
        "help",
        "which companies do you have",
    )
    assert dragoman("ask", first, cwd=tmp_path).returncode == 0
    for message in further:
        assert dragoman("ask", "--continue", message, cwd=tmp_path).returncode == 0
    (session,) = json.loads(dragoman("sessions", "list", "--json", cwd=tmp_path).stdout)
    for turn in range(1, 8):
        shown = dragoman("report", "show", session["session_id"], str(turn), cwd=tmp_path)
        assert shown.stdout.isascii()
        checked = dragoman("report", "check", "--strict-warnings", "--agent", "turn", stdin=shown.stdout)
        assert checked.returncode == 0, checked.stdout
    counted = json.loads(dragoman("metrics", "--json", cwd=tmp_path).stdout)
    assert (counted["totalFailures"], counted["mode"]) == (0, "shadow")
    assert "dragoman_output_validation_" in dragoman("metrics", "--prometheus", cwd=tmp_path).stdout


def test_a_workspace_without_turns_has_metrics_and_no_reports(tmp_path: Path) -> None:
    assert json.loads(dragoman("metrics", "--json", cwd=tmp_path).stdout)["totalFailures"] == 0
    assert not list(tmp_path.iterdir())
