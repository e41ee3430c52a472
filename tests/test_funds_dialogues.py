"""Dialogues over the funds demo: names that are resolved, kinds that are listed, orders to change data."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman.conversation_tests.dialogue import Dialogue
from dragoman.conversation_tests.dialogue_file import read_dialogues
from dragoman.conversation_tests.places import Place, WorkspacePlace
from tests.answering.places import pack_workspace
from tests.told_dialogues import told_otherwise

FILES: Final = sorted((Path(__file__).parent / "funds_dialogues").glob("*.jsonl"))
DIALOGUES: Final = [
    dialogue for file in FILES for dialogue in read_dialogues(file.read_text("utf-8"), file.name).dialogues
]


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return pack_workspace("funds", tmp_path_factory.mktemp("funds") / "workspace")


@pytest.fixture
def place(untouched: Path, tmp_path: Path) -> Iterator[Place]:
    """A workspace for each dialogue: some of them change the data."""
    folder = shutil.copytree(untouched, tmp_path / "workspace")
    with WorkspacePlace(str(folder)) as place:
        yield place


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue.id)
def test_a_dialogue_goes_as_it_is_written(dialogue: Dialogue, place: Place) -> None:
    told = told_otherwise(dialogue, place)
    assert not told, "\n".join(told)


def test_each_dialogue_has_its_own_name() -> None:
    assert len({dialogue.id for dialogue in DIALOGUES}) == len(DIALOGUES) >= 30
