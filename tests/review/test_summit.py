"""Words that are names elsewhere in a database, and what resembles them: plain pairs in `summit.txt`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.review.conftest import Outfitter, opened

HERE: Final = Path(__file__).parent
TEXT: Final = (HERE / "summit.txt").read_text(encoding="utf-8")
LINES: Final = [line for line in TEXT.splitlines() if line and not line.startswith("#")]
CASES: Final = list(zip(LINES[::3], LINES[1::3], LINES[2::3], strict=True))


@pytest.fixture(scope="module")
def summit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outfitter]:
    script = (HERE / "summit.sql").read_text(encoding="utf-8")
    with opened(tmp_path_factory.mktemp("summit") / "summit.sqlite", script) as found:
        yield found


@pytest.mark.parametrize(("message", "program", "expected"), CASES)
def test_the_objections_to_a_program(message: str, program: str, expected: str, summit: Outfitter) -> None:
    assert expected.startswith("=")
    codes = {str(each.code) for each in summit.review(message, program).objections}
    assert codes == set(expected[1:].split())
