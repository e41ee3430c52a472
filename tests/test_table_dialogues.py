"""Dialogues over tables without a pack: rows that are opened, what is said of them, and follow-ups."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from dragoman.conversation_tests.dialogue import Dialogue
from dragoman.conversation_tests.dialogue_file import read_dialogues
from dragoman.conversation_tests.places import DatabasesPlace, Place
from tests.told_dialogues import told_otherwise

FOLDER: Final = Path(__file__).parent / "table_dialogues"
DIALOGUES: Final = [
    dialogue
    for file in sorted(FOLDER.glob("*.jsonl"))
    for dialogue in read_dialogues(file.read_text("utf-8"), file.name).dialogues
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("databases")
    for script in FOLDER.glob("*.sql"):
        with closing(sqlite3.connect(folder / f"{script.stem}.sqlite")) as connection:
            connection.executescript(script.read_text("utf-8"))
    with DatabasesPlace(folder) as place:
        yield place


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue.id)
def test_a_dialogue_goes_as_it_is_written(dialogue: Dialogue, place: Place) -> None:
    told = told_otherwise(dialogue, place)
    assert not told, "\n".join(told)


def test_each_dialogue_has_its_own_name() -> None:
    assert len({dialogue.id for dialogue in DIALOGUES}) == len(DIALOGUES) >= 13
