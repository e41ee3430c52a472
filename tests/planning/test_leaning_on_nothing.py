"""A message that goes on from something, where nothing was spoken of: it is never confirmed."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import AnswerMode

BIKES = Path(__file__).parents[1] / "table_dialogues" / "bikes.sql"


@pytest.fixture(scope="module")
def bikes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("bikes")
    with sqlite3.connect(folder / "bikes.sqlite") as database:
        database.executescript(BIKES.read_text("utf-8"))
    workspace = Workspace.open_database(folder / "bikes.sqlite", folder / "workspace")
    yield workspace
    workspace.close()


@pytest.mark.parametrize(
    "message",
    [
        "and only those of Petra Vogel?",
        "what about Petra Vogel?",
        "how many of those started in June 2023?",
        "who rode it?",
        "how many riders of it are there?",
    ],
)
@pytest.mark.parametrize("before", [(), ("qwertz the footfall",)], ids=["first", "after a refusal"])
def test_it_is_never_confirmed(bikes: Workspace, before: tuple[str, ...], message: str) -> None:
    session = bikes.new_session()
    for each in before:
        bikes.ask(session, each)
    assert bikes.ask(session, message).answer_mode in (
        AnswerMode.CLARIFICATION_REQUIRED,
        AnswerMode.UNSUPPORTED,
    )


@pytest.mark.parametrize("message", ["and how many riders are there?", "what about the number of riders?"])
def test_a_message_that_names_its_table_stands_alone(bikes: Workspace, message: str) -> None:
    result = bikes.ask(bikes.new_session(), message)
    assert (result.answer_mode, result.rows) == (AnswerMode.CONFIRMED, ((5,),))
