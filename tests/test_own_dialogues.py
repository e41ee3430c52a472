"""Dialogues over the trade demo, written from the rules. Each goes as it is written, in one process."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman.contracts.vocabulary import TransitionClass
from dragoman.conversation_tests.dialogue import Dialogue, Expectation
from dragoman.conversation_tests.dialogue_file import read_dialogues
from dragoman.conversation_tests.places import DemoPlace, Place
from tests.told_dialogues import told_otherwise

FEWEST: Final = 10
"""Dialogues that show a class, at least."""

FILES: Final = sorted((Path(__file__).parent / "dialogues").glob("*.jsonl"))
DIALOGUES: Final = [
    dialogue for file in FILES for dialogue in read_dialogues(file.read_text("utf-8"), file.name).dialogues
]


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with DemoPlace() as place:
        yield place


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue.id)
def test_a_dialogue_goes_as_it_is_written(dialogue: Dialogue, place: Place) -> None:
    told = told_otherwise(dialogue, place)
    assert not told, "\n".join(told)


def test_every_class_is_shown_by_enough_dialogues() -> None:
    shown = Counter(
        expected
        for dialogue in DIALOGUES
        for expected in {turn.expected.get(Expectation.TRANSITION) for turn in dialogue.turns}
        if expected is not None
    )
    assert {str(kind): shown[kind] for kind in TransitionClass if shown[kind] < FEWEST} == {}


def test_there_are_enough_and_each_has_its_own_name() -> None:
    assert len(DIALOGUES) >= 200
    assert len({dialogue.id for dialogue in DIALOGUES}) == len(DIALOGUES)


def test_every_turn_expects_something() -> None:
    assert [dialogue.source for dialogue in DIALOGUES if not all(t.expected for t in dialogue.turns)] == []
