"""States, ends and kinds: what is meant by words that name no column."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.planning.database.surgery import Surgery
from tests.planning.database.test_questions import Block, blocks, check, steps


@pytest.fixture(scope="module")
def surgery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surgery]:
    opened = Surgery(Path(tmp_path_factory.mktemp("surgery")) / "surgery.sqlite")
    yield opened
    opened.reader.close()


@pytest.mark.parametrize("block", blocks("surgery.txt"), ids=lambda block: block[0])
def test_a_question_gives_its_rows(surgery: Surgery, block: Block) -> None:
    ((question, lines),) = steps(block)
    check(surgery.rows(surgery.asked(question)), lines)
