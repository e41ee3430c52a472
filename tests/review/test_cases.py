"""Messages and programs beside each other, and what the second reader says: plain pairs in `cases.txt`."""

from pathlib import Path
from typing import Final

import pytest

from dragoman.review.records import Code
from tests.review.conftest import Codes

TEXT: Final = (Path(__file__).parent / "cases.txt").read_text(encoding="utf-8")
LINES: Final = [line for line in TEXT.splitlines() if line and not line.startswith("#")]
CASES: Final = list(zip(LINES[::3], LINES[1::3], LINES[2::3], strict=True))


@pytest.mark.parametrize(("message", "program", "expected"), CASES)
def test_the_objections_to_a_program(message: str, program: str, expected: str, codes: Codes) -> None:
    assert expected.startswith("=")
    assert codes(message, program) == set(expected[1:].split())


def test_every_objection_is_made_somewhere() -> None:
    assert {code for _, _, expected in CASES for code in expected[1:].split()} == set(Code)
