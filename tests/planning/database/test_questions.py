"""Questions of every kind and what is said after them, with the rows that answer: two plain files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.planning.database.hire_shop import HireShop

FOLDER: Final = Path(__file__).parent
Block = list[str]


def blocks(name: str) -> list[Block]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [block.splitlines() for block in text.split("\n\n") if not block.lstrip().startswith("#")]


def steps(block: Block) -> Iterator[tuple[str, Block]]:
    """The messages of a conversation, each with its lines of rows."""
    starts = [0, *(at for at, line in enumerate(block) if line.startswith("+ "))]
    for start, end in zip(starts, [*starts[1:], len(block)], strict=True):
        yield block[start].removeprefix("+ "), block[start + 1 : end]


QUESTIONS: Final = blocks("questions.txt")
CONVERSATIONS: Final = blocks("follow_ups.txt")


def check(rows: list[str], lines: Block) -> None:
    marks = {line[:2] for line in lines}
    expected = [line[2:] for line in lines]
    assert marks in ({"= "}, {"> "}), "rows are in one order or in any"
    assert (rows if marks == {"> "} else sorted(rows)) == (expected if marks == {"> "} else sorted(expected))


@pytest.mark.parametrize("block", QUESTIONS, ids=lambda block: block[0])
def test_a_question_gives_its_rows(hire_shop: HireShop, block: Block) -> None:
    ((question, lines),) = steps(block)
    check(hire_shop.rows(hire_shop.asked(question)), lines)


@pytest.mark.parametrize(
    "block", CONVERSATIONS, ids=lambda block: " ".join(line for line in block if line[0] not in "=>")
)
def test_every_step_of_a_conversation_gives_its_rows(hire_shop: HireShop, block: Block) -> None:
    (question, _), *rest = steps(block)
    statement = hire_shop.asked(question)
    for message, lines in rest:
        statement = hire_shop.asked(message, statement)
        check(hire_shop.rows(statement), lines)


def test_nothing_is_asked_twice() -> None:
    assert len({block[0] for block in QUESTIONS}) == len(QUESTIONS) > 150
    assert sum(len(list(steps(block))) - 1 for block in CONVERSATIONS) > 25
