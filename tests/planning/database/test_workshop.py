"""Names as schemas write them, and words that deny what a flag says."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.planning.database.test_questions import Block, blocks, check, steps
from tests.planning.database.workshop import Workshop


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workshop]:
    opened = Workshop(Path(tmp_path_factory.mktemp("workshop")) / "workshop.sqlite")
    yield opened
    opened.reader.close()


@pytest.mark.parametrize("block", blocks("workshop.txt"), ids=lambda block: block[0])
def test_a_question_gives_its_rows(workshop: Workshop, block: Block) -> None:
    ((question, lines),) = steps(block)
    check(workshop.rows(workshop.asked(question)), lines)
