"""The object in a model's text: messy texts by the hundred, properties, and inputs made to hurt."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.guards.json_text.lenient import extract_object
from dragoman.guards.json_text.model import MAX_CHARACTERS, JsonRefusal
from dragoman.guards.json_text.strict import read_strict
from tests.guards.json_text_invariants import check_extraction, dumped
from tests.guards.model_texts import CASES, Case

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
STRINGS = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    SCALARS | STRINGS, lambda inner: st.lists(inner) | st.dictionaries(STRINGS, inner), max_leaves=20
)
OBJECTS = st.dictionaries(STRINGS, VALUES)
PROSE = st.text(st.characters(codec="utf-8", exclude_characters="{}[]<|`◁"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_text_gives_its_object_or_the_reason(case: Case) -> None:
    found = extract_object(case.text, required_keys=case.keys)
    assert (found.code, dumped(found.value)) == (case.code, dumped(case.value))
    assert tuple(warning.code for warning in found.warnings) == case.warnings
    assert found.ok == (case.code is None)
    assert bool(found.message) == (case.code is not None)


def test_there_are_at_least_a_hundred_messy_texts() -> None:
    messy = {case.text for case in CASES if case.warnings or case.code or not case.text.startswith("{")}
    assert len(messy) >= 100


@given(OBJECTS, PROSE, PROSE)
def test_what_was_written_is_read_wherever_it_stands(value: dict[str, Any], before: str, after: str) -> None:
    text = f"{before}{json.dumps(value)}{after}"
    found = extract_object(text)
    assert dumped(found.value) == dumped(value)
    assert found.warnings == ()


@given(OBJECTS)
def test_what_python_prints_is_read_or_refused_but_never_changed(value: dict[str, Any]) -> None:
    found = extract_object(repr(value))
    if found.ok:
        assert dumped(found.value) == dumped(value)


@given(OBJECTS, st.integers(0, 10_000))
def test_a_text_that_is_cut_off_gives_nothing(value: dict[str, Any], cut: int) -> None:
    text = json.dumps(value)
    found = extract_object(text[: cut % len(text)])
    assert found.value is None


@given(OBJECTS)
def test_trailing_commas_and_comments_do_not_change_the_value(value: dict[str, Any]) -> None:
    # A raw line break stands only between tokens: in a string it is escaped.
    text = json.dumps(value, indent=1).replace("\n}", ",\n}")
    text = text.replace("\n", " // a note {\n")
    found = extract_object(text)
    assert dumped(found.value) == dumped(value)


@given(st.text(st.sampled_from("{}[]\"'“”:,\\/*#\n\tx1.-+eNnu \ud83d\ufeff`<|think>")))
def test_any_text_gets_a_verdict_and_the_value_is_json(text: str) -> None:
    check_extraction(text)


PIECES = (
    *"{}[]:,\"'“’ \n\t\\\xa0\ufeff\x00\ud83dx",
    *(
        '"a"',
        "'b'",
        "“c”",
        '{"a": 1}',
        "{'a': None}",
        "d:",
        "1",
        "+.5",
        "1e999",
        "9" * 1001,
        "NaN",
        "true",
        "True",
    ),
    *(
        "//",
        "/*",
        "*/",
        "#",
        "```json\n",
        "```",
        "<think>",
        "</think>",
        "<|channel|>",
        "final",
        "analysis",
        "\\ud83d",
    ),
)


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_any_row_of_pieces_gets_a_verdict(pieces: list[str]) -> None:
    check_extraction("".join(pieces))


@given(OBJECTS)
def test_what_is_strictly_json_is_read_as_the_strict_profile_reads_it(value: dict[str, Any]) -> None:
    check_extraction(json.dumps(value))
    check_extraction(json.dumps(value, ensure_ascii=False, indent=2))


@pytest.mark.parametrize(
    "case", [case for case in CASES if len(case.text) < 5_000], ids=lambda case: case.name
)
def test_what_is_promised_of_every_text_holds_of_the_messy_ones(case: Case) -> None:
    check_extraction(case.text)


@given(st.binary(max_size=200))
def test_any_bytes_get_a_verdict(data: bytes) -> None:
    check_extraction(data.decode("utf-8", "surrogateescape"))


def test_the_first_object_that_satisfies_the_contract_is_taken() -> None:
    text = '{"n": 1} {"n": 5} {"n": 7}'
    assert extract_object(text, contract=lambda value: value["n"] > 3).value == {"n": 5}
    refused = extract_object(text, contract=lambda value: value["n"] > 9)
    assert (refused.value, refused.code) == (None, "contract_not_satisfied")


def test_a_repair_tells_its_place() -> None:
    (warning,) = extract_object('Here:\n{"a": 1,\n "b": True}').warnings
    assert (warning.code, warning.line, warning.column) == ("python_literal", 3, 7)


def test_repairs_beyond_a_hundred_are_counted() -> None:
    found = extract_object('{"a": [' + "[1,]," * 500 + "]}")
    assert found.value == {"a": [[1]] * 500}
    assert len(found.warnings) == 101
    assert found.warnings[-1].message == "401 more repairs"


def test_more_text_than_is_taken_is_refused() -> None:
    assert extract_object("x" * (MAX_CHARACTERS + 1)).code == "input_too_large"


SIZES = (12_500, pytest.param(50_000, marks=pytest.mark.long))
"""How long the shorter of two hostile texts is. A square shows at either size; the longer one is a proof."""

HOSTILE = {
    "braces": "{",
    "brackets": "[",
    "objects in objects": '{"a":',
    "objects in objects on lines": '{"a":\n',
    "keys without end": '{"',
    "strings in lists": '["x',
    "broken objects": '{"a":1 x ',
    "objects in strings": '"a":"{x:1,//", \n "k":1,',
    "lists with a comma too many": "[1,],",
    "open comments": "{/*",
    "comments": "{//\n",
    "thoughts": "<think>",
    "ends of thoughts": "</think>",
    "channels": "<|channel|>analysis",
    "smart quotes": "{“a”:“b”,",
    "apostrophes": "{'a': 'x",
    "prose": "the quick {brown} fox [1] jumps ",
    "duplicates": '{"a":1,"a":1,',
    "raw newlines": '{"a":"\n',
    "escapes": '{"a":"\\n',
    "spaces": "{ ",
    "numbers": "{a:1.",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("opening", ["", '{"k": ["'])
@pytest.mark.parametrize("size", SIZES)
def test_time_grows_with_the_text_and_no_faster(unit: str, opening: str, size: int) -> None:
    """Four times the text may take four times as long; the square would be sixteen."""
    small, large = (_seconds(opening + unit * (length // len(unit))) for length in (size, 4 * size))
    assert large < size * 6e-6 or large / small < 10


def test_unequal_values_of_one_key_are_compared_once() -> None:
    """A large value and thousands of small ones, for one key: minutes, were each compared."""
    text = '{"a": [' + "1," * 100_000 + "1]" + ', "a": []' * 30_000 + "}"
    begun = time.process_time()
    assert extract_object(text).code == "duplicate_key"
    assert time.process_time() - begun < 10


def _seconds(text: str) -> float:
    best = float("inf")
    for _ in range(2):
        begun = time.process_time()
        extract_object(text)
        best = min(best, time.process_time() - begun)
    return best


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "invalid_json"),
        ('{"a": 1,}', "invalid_json"),
        ("{'a': 1}", "invalid_json"),
        ('{"a": 1} x', "invalid_json"),
        ('{"a": 01}', "invalid_json"),
        ('{"a": 1', "truncated_json"),
        ('{"a": "x', "truncated_json"),
        ('{"a": NaN}', "non_finite_number"),
        ("[-Infinity]", "non_finite_number"),
        ("[1e400]", "number_overflow"),
        ("9" * 1001, "integer_too_long"),
        ('{"a": 1, "a": 1}', "duplicate_key"),
        (r'"\ud800"', "lone_surrogate"),
        ('"\ud800"', "lone_surrogate"),
        ("[" * 257 + "]" * 257, "too_deep"),
        ("[" * 100_000, "too_deep"),
        (" " * (MAX_CHARACTERS + 1), "input_too_large"),
    ],
)
def test_the_strict_profile_repairs_nothing(text: str, code: str) -> None:
    refusal = read_strict(text)
    assert isinstance(refusal, JsonRefusal)
    assert refusal.code == code


@given(VALUES)
def test_the_strict_profile_reads_what_is_json(value: object) -> None:
    assert dumped(read_strict(json.dumps(value))) == dumped(value)
