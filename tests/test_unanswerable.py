"""Never wrong and sure: questions that their database cannot answer hardly ever get a confirmed answer."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import msgspec
import pytest
from click.testing import CliRunner

from dragoman.cli.init import init
from dragoman.contracts.vocabulary import AnswerMode
from dragoman.conversation_tests.dialogue import Dialogue
from dragoman.conversation_tests.dialogue_file import read_dialogues
from dragoman.conversation_tests.places import DatabasesPlace, DemoPlace, Place, WorkspacePlace
from dragoman.conversation_tests.runner import run_dialogues

FOLDER: Final = Path(__file__).parent / "unanswerable"
QUESTIONS: Final[dict[str, tuple[Dialogue, ...]]] = {
    file.stem: read_dialogues(file.read_text("utf-8"), file.name).dialogues
    for file in sorted(FOLDER.glob("*.jsonl"))
}
DEMO: Final = "trade"
PACKS: Final = ("projects", "funds")
AT_MOST: Final = 0.02


@contextmanager
def _place(database: str, folder: Path) -> Iterator[Place]:
    """The demo, a workspace with a pack that ships, or a database that nobody wrote a pack for."""
    if database == DEMO:
        place: Place = DemoPlace()
    elif database in PACKS:
        made = CliRunner().invoke(init, ["--pack", database, "--workspace", str(folder)])
        assert made.exit_code == 0, made.output
        place = WorkspacePlace(str(folder))
    else:
        with closing(sqlite3.connect(folder / f"{database}.sqlite")) as connection:
            connection.executescript((FOLDER / f"{database}.sql").read_text("utf-8"))
        place = DatabasesPlace(folder)
    with place:
        yield place


def _sure_answers(database: str, folder: Path) -> list[str]:
    """The questions about a database that were answered as facts, with what was said."""
    questions = QUESTIONS[database]
    with _place(database, folder) as place:
        if not isinstance(place, DatabasesPlace):
            questions = tuple(msgspec.structs.replace(question, db=None) for question in questions)
        lines = [tested.line for tested in run_dialogues(questions, place)]
    assert [line.error for line in lines if line.error is not None] == []
    return [
        f"{line.id}: {line.user} -> {line.program} {line.message}"
        for line in lines
        if line.answer_mode == AnswerMode.CONFIRMED
    ]


@pytest.fixture(scope="module")
def sure(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return [told for name in QUESTIONS for told in _sure_answers(name, tmp_path_factory.mktemp(name))]


def test_what_cannot_be_answered_is_hardly_ever_confirmed(sure: list[str]) -> None:
    asked = sum(map(len, QUESTIONS.values()))
    assert len(sure) <= AT_MOST * asked, "\n".join(sure)


def test_there_are_enough_questions_and_no_two_are_the_same() -> None:
    asked = Counter((question.db, question.turns[0].user) for some in QUESTIONS.values() for question in some)
    assert len(asked) >= 300
    assert max(asked.values()) == 1
