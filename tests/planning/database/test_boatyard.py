"""Links that nobody declared: states in lists, parts that people play, rows above and below."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.planning.database.boatyard import Boatyard
from tests.planning.database.test_questions import Block, blocks, check, steps


@pytest.fixture(scope="module")
def boatyard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Boatyard]:
    opened = Boatyard(Path(tmp_path_factory.mktemp("boatyard")) / "boatyard.sqlite")
    yield opened
    opened.reader.close()


@pytest.mark.parametrize("block", blocks("boatyard.txt"), ids=lambda block: block[0])
def test_a_question_gives_its_rows(boatyard: Boatyard, block: Block) -> None:
    ((question, lines),) = steps(block)
    check(boatyard.rows(boatyard.asked(question)), lines)
