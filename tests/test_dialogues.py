"""The acceptance dialogues, held as they are written, on SQLite and on PostgreSQL."""

import json
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import psycopg
import pytest

from dragoman import Workspace
from dragoman.conversation_tests.dialogue_file import read_dialogues
from dragoman.conversation_tests.places import DemoPlace, Place, WorkspacePlace
from dragoman.conversation_tests.runner import run_dialogues
from dragoman.packs.demo import demo_script
from dragoman.packs.pack_files import load_shipped
from tests.called import called

DIALOGUES: Final = Path(__file__).parent / "data" / "trade_dialogues.jsonl"
TURNS: Final = 123


def _hold_all(place: Place) -> None:
    with place:
        turns = list(
            run_dialogues(read_dialogues(DIALOGUES.read_text("utf-8"), DIALOGUES.name).dialogues, place)
        )
    wrong = [
        (t.line.id, t.line.turn, t.turn.user, t.differences, t.line.error) for t in turns if t.differences
    ]
    assert not wrong
    assert len(turns) == TURNS


def test_the_dialogues_go_as_they_are_written_on_sqlite() -> None:
    _hold_all(DemoPlace())


def test_the_dialogues_go_as_they_are_written_on_postgresql(
    postgres_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As somebody would set it up who has the data there: one command, and the pack that ships."""
    with psycopg.connect(postgres_database) as connection:
        connection.execute(demo_script(load_shipped("trade")).encode())
    folder = tmp_path / "workspace"
    init = ("init", postgres_database, "--pack", "trade", "-w", str(folder), "--json")
    made = called(*init)
    assert made.returncode == 0, made.stderr
    for variable in json.loads(made.stdout)["variables"]:
        monkeypatch.setenv(variable, urlsplit(postgres_database).password or "")
    _hold_all(WorkspacePlace(str(folder)))


def _said(workspace: Workspace, *messages: str) -> list[tuple[str, str, str]]:
    session = workspace.new_session()
    results = [workspace.ask(session, message) for message in messages]
    return [(str(result.transition), str(result.answer_mode), result.message) for result in results]


STOCK: Final = "stock of Alfa Trade on 31 March 2020"


@pytest.mark.parametrize(
    ("messages", "transition", "mode", "words"),
    [
        ((STOCK, "the ninth row"), "T10", "unsupported", "the result has 7"),
        ((STOCK, "the last row"), "T3", "confirmed", "Steel shelf 200"),
        ((STOCK, "open the biggest one"), "T3", "confirmed", "Paper A4 Snow"),
        ((STOCK, "Oak desk"), "T3", "clarification_required", "Oak desk 120, Oak desk 160"),
        ((STOCK, "Oak desk", "Oak desk 160"), "T7", "confirmed", "Oak desk 160"),
        ((STOCK, "Oak desk", "the second one"), "T7", "confirmed", "Oak desk 160"),
        ((STOCK, "documents"), "T4", "clarification_required", "Keyboard Slim"),
        ((STOCK, "documents", "Keyboard Slim"), "T7", "confirmed", "Documents of the item Keyboard Slim"),
        ((STOCK, "Vector"), "T10", "unsupported", "isn't part of what we are looking at"),
        ((STOCK, "Oak desk 120", "payments"), "T10", "unsupported", "look that up for it"),
        ((STOCK, "Oak desk 120 and Oak desk 160"), "T10", "unsupported", "one at a time"),
        ((STOCK, "D-120"), "T3", "confirmed", "Oak desk 120"),
        ((STOCK, "stock and sales of Alfa Trade in April 2020"), "T10", "unsupported", "one at a time"),
        (("documents",), "T10", "clarification_required", "Nothing is selected"),
        (("who supplied it?",), "T10", "clarification_required", "Nothing is selected"),
    ],
)
def test_objects_are_picked_named_and_asked_about(
    messages: tuple[str, ...], transition: str, mode: str, words: str, tmp_path: Path
) -> None:
    with Workspace.open(tmp_path) as workspace:
        ended = _said(workspace, *messages)[-1]
    assert ended[:2] == (transition, mode), ended
    assert words in ended[2]


def test_an_object_is_left_with_its_slice(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        for message in (STOCK, "Oak desk 120", "what about Beta Retail?"):
            result = workspace.ask(session, message)
        assert result.transition == "T2"
        assert workspace.state(session).frames.selected_object is None
