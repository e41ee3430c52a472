"""The page about the second reader says what the code does."""

import re
from pathlib import Path
from typing import Final

import pytest

from dragoman.review.records import Code
from tests.review.conftest import Codes

PAGE: Final = (Path(__file__).parents[2] / "docs" / "review.md").read_text(encoding="utf-8")
EXAMPLES: Final = re.findall(r"^(.+)\n(\(.+\))\n= ([a-z_ ]+)$", PAGE, re.MULTILINE)


def test_every_code_is_listed_once() -> None:
    assert sorted(re.findall(r"`([a-z_]+)`", PAGE.partition("## Codes")[2].partition("## How")[0])) == sorted(
        Code
    )


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == PAGE.count("\n= ")


@pytest.mark.parametrize(("message", "program", "expected"), EXAMPLES)
def test_an_example_is_what_is_said(message: str, program: str, expected: str, codes: Codes) -> None:
    assert codes(message, program) == set(expected.split())
