"""No text crashes the reader of the verb notation, makes it hang, or makes it promise what does not hold."""

import time
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.program import Program
from dragoman.language.source import Source
from dragoman.language.verbs.printer import print_document, print_program
from dragoman.language.verbs.verb_reader import read_verbs
from tests.conftest import LONG
from tests.language.test_verb_fixtures import CASES, Case
from tests.language.verb_invariants import check_reading
from tests.language.verb_programs import programs


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    check_reading(data.decode("utf-8", "surrogateescape"))
    check_reading(data.decode("latin-1"))


@given(st.text())
def test_any_text(text: str) -> None:
    check_reading(text)


PIECES: Final = (
    *'()[]{}",;:@-.$\\\n\t\r \xa0\ufeff\x00\u2028\u202e\ud800\ude00é',
    *("(a.b", "\n(", ":c ", ":as ", ":as @d", "@d", '"x"', '"""', '"\\u00e9"', '"\\q"', "; x\n", "true", "x"),
    *(
        "1",
        "-2",
        "3.50",
        "007",
        "1e6",
        "2020-03-31",
        "2020-02-30",
        "9" * 20,
        "${params.x}",
        "[1, 2]",
        "{:e 1}",
    ),
)


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_any_row_of_pieces(pieces: list[str]) -> None:
    check_reading("".join(pieces))


edits: Final = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 6), st.sampled_from(PIECES) | st.just("")),
    min_size=1,
    max_size=5,
)
"""Where (a share of the text), how many characters go, and what comes instead."""


def edited(text: str, changes: list[tuple[float, int, str]]) -> str:
    for share, length, piece in changes:
        start = int(share * len(text))
        text = text[:start] + piece + text[start + length :]
    return text


@given(programs, edits)
def test_any_edit_of_a_program(program: Program, changes: list[tuple[float, int, str]]) -> None:
    check_reading(edited(print_program(program), changes))


@given(st.sampled_from([case.input for case in CASES]), edits)
def test_any_edit_of_a_fixture(text: str, changes: list[tuple[float, int, str]]) -> None:
    check_reading(edited(text, changes))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_beginning_of_a_fixture(case: Case) -> None:
    for end in range(len(case.input) + 1):
        check_reading(case.input[:end])


# Size.

REPEATED: Final = (
    *("(", "[", "{", ")", '"', '"""', '""""', ";", ":", "@", ",", "\\", "-", "1", "1.", "a", "a ", "\r", " "),
    *("\xa0", "\ufeff", "\x00", "\ud800", "\u202e ", "${", "${a", ":a", ":a ", "@a", '"x"', '"x" ', '"\\q"'),
    *(";\n", "\n(", "(a\n", "(a.b)", "(a.b)]", "(a.b :c ", "(a.b :c [", "(a.b :c )", "(a.b :c [1)", "{:a "),
    *('(a.b :c "x\n', '(a.b :c """x"""y)\n', "(a.b :c 1 ; x\n", "[1,", ":c 1 ", '"""x"""'),
)
BEFORE: Final = ("", "(a.b :c [", '(a.b :c "', "(a.b :c 1 \n")
LARGE: Final = 1_000_000
CPU_SECONDS: Final = 20
"""For a megabyte, on a slow machine; what is not linear takes hours."""


def check_in_time(text: str) -> None:
    before = time.process_time()
    document = read_verbs(Source(text))
    print_document(document)
    assert time.process_time() - before < CPU_SECONDS


@pytest.mark.parametrize("before", BEFORE, ids=repr)
@pytest.mark.parametrize("piece", REPEATED, ids=ascii)
def test_a_piece_repeated(piece: str, before: str) -> None:
    length = LARGE if LONG else 20_000
    text = before + piece * (length // len(piece))
    check_in_time(text)
    check_reading(text[:3_000])


@pytest.mark.parametrize("piece", ["(", '"""x', ":a", "(a.b :c 1 ; x\n"], ids=repr)
def test_a_megabyte(piece: str) -> None:
    check_in_time("(a.b :c [" + piece * (LARGE // len(piece)))


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("(a.b :c ", ")"), ("[", "]"), ("{:a ", "}"), ("(", ""), ("[{:a (b.c :d ", ")}]"), ("[ ; x\n", "]")],
)
def test_a_hundred_thousand_deep(opening: str, closing: str) -> None:
    text = "(x.y :z " + opening * 100_000 + "1" + closing * 100_000 + ")\n(good.one)"
    check_in_time(text)
    document = read_verbs(Source(text))
    assert "too_deep" in [diagnostic.code for diagnostic in document.diagnostics]
    assert [statement.verb for statement in document.statements] == ["good.one"]
