"""A pack beside the tables of its database: it adds, and takes nothing away."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode
from tests.answering.places import dragoman

SCRIPT: Final = """
CREATE TABLE artist (artist_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE song (
    song_id INTEGER PRIMARY KEY, name TEXT NOT NULL, artist_id INTEGER REFERENCES artist (artist_id),
    seconds INTEGER, price NUMERIC
);
INSERT INTO artist VALUES (1, 'The Many'), (2, 'Average White Cats'), (3, 'Total Loss');
INSERT INTO song VALUES
    (1, 'How Many More Rivers', 1, 210, 0.99), (2, 'Too Many Rooms', 1, 180, 0.99),
    (3, 'There Are Songs', 2, 240, 1.29), (4, 'List of Stars', 3, 300, 1.29),
    (5, 'Longest Night', 3, 420, 1.99);
"""

QUESTIONS: Final = (
    "how many songs do you know of?",
    "how many artists are there",
    "average seconds of songs",
    "how many songs cost more than 1",
    "names of all songs",
    "what is the total price of songs",
    "which songs are longer than 200 seconds",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "music.sqlite")) as connection, connection:
        connection.executescript(SCRIPT)
    dragoman("init", "music.sqlite", cwd=tmp_path)
    return tmp_path


def answers(folder: Path) -> Iterator[TurnResult]:
    with Workspace.open(folder) as workspace:
        for question in QUESTIONS:
            yield workspace.ask(workspace.new_session(), question)


def draft_pack(folder: Path, *options: str, **changes: str) -> None:
    text = dragoman("pack", "draft", "@music", *options, cwd=folder)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "packs").mkdir(exist_ok=True)
    (folder / "packs" / "music.yaml").write_text(text, "utf-8")


@pytest.mark.parametrize("options", [(), ("--verbs",)], ids=["tables", "verbs"])
def test_what_worked_without_the_pack_works_with_it(folder: Path, options: tuple[str, ...]) -> None:
    before = list(answers(folder))
    assert sum(each.answer_mode is AnswerMode.CONFIRMED for each in before) >= 3
    draft_pack(folder, *options)
    for question, without, beside in zip(QUESTIONS, before, answers(folder), strict=True):
        if without.answer_mode is AnswerMode.CONFIRMED:
            assert (beside.answer_mode, beside.rows) == (AnswerMode.CONFIRMED, without.rows), question


def test_a_word_that_a_pack_has_for_a_table_names_the_table(folder: Path) -> None:
    def ask() -> TurnResult:
        with Workspace.open(folder) as workspace:
            return workspace.ask(workspace.new_session(), "how many ditties are there?")

    assert ask().answer_mode is not AnswerMode.CONFIRMED
    draft_pack(folder, **{"words: {en: [song]": "words: {en: [song, ditty, ditties]"})
    known = ask()
    assert (known.answer_mode, known.rows) == (AnswerMode.CONFIRMED, ((5,),))
