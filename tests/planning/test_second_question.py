"""A question of its own means in a session what it means alone, whatever was asked before it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import AnswerMode

SCRIPT: Final = """
CREATE TABLE skippers (id INTEGER PRIMARY KEY, name TEXT, harbour TEXT);
INSERT INTO skippers VALUES (1, 'Asta', 'Bergen'), (2, 'Birk', 'Bergen'), (3, 'Celia', 'Hobro');
CREATE TABLE trips (id INTEGER PRIMARY KEY, skipper_id INTEGER REFERENCES skippers(id), sailed_on DATE,
  miles INTEGER, weather TEXT);
INSERT INTO trips VALUES (1, 1, '2022-03-05', 12, 'calm'), (2, 1, '2022-04-08', 30, 'storm'),
  (3, 2, '2023-03-11', 25, 'calm'), (4, 3, '2023-05-20', 7, 'calm'), (5, 3, '2023-06-02', 40, 'storm');
"""

QUESTIONS: Final = (
    "how many trips in 2023",
    "skippers in Bergen",
    "total miles per skipper",
    "how many skippers are there",
    "trips by weather in 2022",
    "which skippers never sailed in 2023",
    "average miles of trips in calm weather",
    "top 2 skippers by miles",
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("second")
    with closing(sqlite3.connect(folder / "harbour.sqlite")) as connection:
        connection.executescript(SCRIPT)
    with Workspace.open_database(Path(folder / "harbour.sqlite"), folder / "workspace") as opened:
        yield opened


@pytest.mark.parametrize("apart", [1, 3, 5])
def test_a_change_of_subject_changes_no_answer(workspace: Workspace, apart: int) -> None:
    alone = {each: workspace.ask(workspace.new_session(), each) for each in QUESTIONS}
    session = workspace.new_session()
    sure = 0
    for place in range(len(QUESTIONS)):
        question = QUESTIONS[place * apart % len(QUESTIONS)]
        found = workspace.ask(session, question)
        if found.answer_mode is not AnswerMode.CONFIRMED:
            # It may rest on what was said before, so it takes more to be sure: its own sense is offered.
            assert found.answer_mode is AnswerMode.CLARIFICATION_REQUIRED, (question, found.message)
            found = workspace.ask(session, "1" if len(found.options) > 1 else "yes")
        else:
            sure += 1
        assert found.rows == alone[question].rows, question
    assert sure >= len(QUESTIONS) // 2


def test_what_leans_on_the_answer_before_still_changes_it(workspace: Workspace) -> None:
    session = workspace.new_session()
    workspace.ask(session, "how many trips in 2023")
    assert workspace.ask(session, "only the calm ones").rows == ((2,),)
    assert workspace.ask(session, "and in 2022?").rows == ((1,),)
