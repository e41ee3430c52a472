"""A workspace that was closed says so, whatever is asked of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.errors import WorkspaceClosed, WorkspaceError

QUESTION: Final = "stock of Alfa Trade on 31 March 2020"
ASKED: Final[dict[str, Callable[[Workspace, str], object]]] = {
    "ask": lambda workspace, session: workspace.ask(session, QUESTION),
    "new_session": lambda workspace, session: workspace.new_session(),
    "sessions": lambda workspace, session: workspace.sessions(),
    "session": lambda workspace, session: workspace.session(session),
    "state": lambda workspace, session: workspace.state(session),
    "turns": lambda workspace, session: list(workspace.turns(session)),
    "turn_events": lambda workspace, session: workspace.turn_events(session, 1),
    "report": lambda workspace, session: workspace.report(session),
    "replay": lambda workspace, session: workspace.replay(session),
    "export_session": lambda workspace, session: workspace.export_session(session),
    "close_session": lambda workspace, session: workspace.close_session(session),
    "delete_session": lambda workspace, session: workspace.delete_session(session),
}


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, str]:
    folder = tmp_path_factory.mktemp("closed")
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        workspace.ask(session, QUESTION)
    return workspace, session


@pytest.mark.parametrize("name", ASKED)
def test_a_closed_workspace_has_an_error_of_its_own(closed: tuple[Workspace, str], name: str) -> None:
    with pytest.raises(WorkspaceClosed) as refused:
        ASKED[name](*closed)
    assert isinstance(refused.value, WorkspaceError)
    assert refused.value.code == "workspace_closed"
    assert "Workspace.open" in refused.value.hint


def test_closing_twice_is_closing_once(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path)
    workspace.close()
    workspace.close()


def test_what_was_recorded_is_there_when_it_is_opened_again(closed: tuple[Workspace, str]) -> None:
    workspace, session = closed
    with Workspace.open(workspace.folder) as again:
        assert again.session(session).version == 1
