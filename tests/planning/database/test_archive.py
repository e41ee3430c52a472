"""Where verbs have tables of their own, and where a further sentence only says how the answer is shown."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.planning.database.told_endings import with_plain_ending
from tests.planning.database.archive import Archive
from tests.planning.database.test_questions import Block, blocks, check, steps


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    opened = Archive(Path(tmp_path_factory.mktemp("archive")) / "archive.sqlite")
    yield opened
    opened.reader.close()


@pytest.mark.parametrize("block", blocks("archive.txt"), ids=lambda block: block[0])
def test_a_question_gives_its_rows(archive: Archive, block: Block) -> None:
    ((question, lines),) = steps(block)
    check(archive.rows(archive.asked(question)), lines)


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        ("Which rooms lend most? Show the counts as well.", "Which rooms lend most, and how many"),
        ("Who gave most in 2021? Add the totals, please", "Who gave most in 2021? Add the totals, please"),
        ("Who gave most? Add the totals please.", "Who gave most, with the totals"),
        ("Which towns are there? Name every one just once!", "Which towns are there, without duplicates"),
        ("Who is the eldest, and how many gifts did they make", "Who is the eldest, and how many gifts"),
        # What is said alone is about the answer before.
        ("Show the numbers too.", "Show the numbers too."),
        ("List each only once", "List each only once"),
        # Without an "as well" it may be all that is to be shown.
        ("Who is the eldest? Give me their age.", "Who is the eldest? Give me their age."),
    ],
)
def test_an_end_is_put_plainly(message: str, plain: str) -> None:
    assert with_plain_ending(message) == plain


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("which folders include", "include"),
        ("how many loans of each", "of each"),
    ],
)
def test_a_refusal_names_words_that_were_typed(archive: Archive, question: str, word: str) -> None:
    assert word in {each for reading in archive.frames.readings(question) for each in reading.uncovered}
