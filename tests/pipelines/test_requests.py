"""Requests for pipelines as people say them, each with the program that it has to become."""

from collections.abc import Iterator

import pytest

from dragoman import Workspace
from dragoman.locales.script import script_of
from tests.pipelines.requests_file import Dialogue, read_dialogues
from tests.pipelines.studio import make_studio
from tests.pipelines.told import told

DIALOGUES = read_dialogues()


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = make_studio(tmp_path_factory.mktemp("studio"))
    with Workspace.open(folder) as workspace:
        yield workspace


@pytest.mark.parametrize("dialogue", DIALOGUES, ids=lambda dialogue: dialogue.name)
def test_what_is_said_becomes_its_program(studio: Workspace, dialogue: Dialogue) -> None:
    session = studio.new_session()
    for turn in dialogue.turns:
        result = studio.ask(session, turn.message)
        assert told(studio, session, result) == turn.expected, f"{turn.message}\n{result.message}"


def test_there_are_requests_of_every_kind() -> None:
    turns = [turn for dialogue in DIALOGUES for turn in dialogue.turns]
    later = [turn for dialogue in DIALOGUES for turn in dialogue.turns[1:]]
    refused = [turn for turn in turns if turn.expected[0].startswith("!")]
    scripts = [script_of(turn.message) for turn in turns]
    assert len(turns) >= 120
    assert len(later) >= 40
    assert len(refused) >= 20
    assert all(
        sum(any(script_of(c) == name for c in t.message) for t in turns) >= 15
        for name in ("cyrillic", "hangul")
    ), scripts
