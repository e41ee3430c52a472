"""The page about these verbs says what the code does."""

import re
from pathlib import Path
from typing import Final

import pytest

from dragoman.contracts.verb import Comparison
from dragoman.tables.verbs import RESERVED, DatePart, TableVerb, Word

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "table-verbs.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "word",
    [*(f"T.{verb}" for verb in TableVerb), *(f":{word}" for word in Word), *(f":{c}" for c in Comparison)],
)
def test_every_word_is_explained(word: str) -> None:
    assert word in PAGE


def test_every_part_of_a_date_is_explained() -> None:
    assert all(f"`{part}`" in PAGE for part in DatePart)


def test_every_code_is_listed() -> None:
    folder = ROOT / "src" / "dragoman" / "tables"
    source = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    codes = set(re.findall(r'(?:error|Refused|Diagnostic)\(\s*"([a-z_]+)"', source))
    listed = set(re.findall(r"`([a-z_]+)`", PAGE.partition("## Codes")[2]))
    assert codes == listed


def test_no_word_can_be_a_column() -> None:
    assert {word.value for word in Word} < RESERVED
