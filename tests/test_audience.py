"""Sessions and runs are their viewer's: where policies hold, nobody else looks at them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.contracts.errors import SessionOfAnother
from dragoman.contracts.schema import Dialect
from tests.catalog.test_commands import dragoman
from tests.engine.guarded_ground import Company, canaries_in, company

_ASKED = "what is the highest salary of an employee?"


@pytest.fixture
def hr(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Company]:
    with company(Dialect.SQLITE, tmp_path, request) as made:
        yield made


@pytest.fixture(scope="module")
def asked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Company, str]]:
    """The company, and a session in which the boss has asked."""
    with company(Dialect.SQLITE, tmp_path_factory.mktemp("asked"), request) as made:
        yield made, boss_asked(made)


def boss_asked(hr: Company) -> str:
    with Workspace.open(hr.seen_by("boss")) as workspace:
        session = workspace.new_session(title=_ASKED)
        assert canaries_in(str(workspace.ask(session, _ASKED).rows))
        return session


_LOOKS: dict[str, Callable[[Workspace, str], object]] = {
    "ask": lambda workspace, session: workspace.ask(session, "what did we find so far?"),
    "session": lambda workspace, session: workspace.session(session),
    "state": lambda workspace, session: workspace.state(session),
    "turn_events": lambda workspace, session: workspace.turn_events(session, 1),
    "turn_result": lambda workspace, session: workspace.turn_result(session, 1),
    "asked_sql": lambda workspace, session: workspace.asked_sql(session),
    "asked_sql of a turn": lambda workspace, session: workspace.asked_sql(session, 1),
    "report": lambda workspace, session: workspace.report(session),
    "report of a turn": lambda workspace, session: workspace.report(session, 1),
    "turns": lambda workspace, session: list(workspace.turns(session)),
    "history": lambda workspace, session: list(workspace.history(session)),
    "replay": lambda workspace, session: workspace.replay(session),
    "export": lambda workspace, session: workspace.export_session(session),
    "close": lambda workspace, session: workspace.close_session(session),
    "delete": lambda workspace, session: workspace.delete_session(session),
}


@pytest.mark.parametrize("look", _LOOKS)
def test_a_session_is_not_opened_by_another_viewer(asked: tuple[Company, str], look: str) -> None:
    hr, session = asked
    with Workspace.open(hr.seen_by("analyst")) as workspace:
        assert workspace.sessions() == []
        with pytest.raises(SessionOfAnother) as caught:
            _LOOKS[look](workspace, session)
        assert not canaries_in(str(caught.value))
    with Workspace.open(hr.seen_by("boss")) as workspace:
        assert [head.id for head in workspace.sessions()] == [session]
        assert workspace.turn_result(session, 1).rows


@pytest.mark.parametrize("roles", ["boss, analyst", ""])
def test_other_roles_are_another_viewer(asked: tuple[Company, str], roles: str) -> None:
    hr, session = asked
    with Workspace.open(hr.seen_by(roles)) as workspace, pytest.raises(SessionOfAnother):
        workspace.state(session)


def test_every_look_at_a_session_is_held_to_its_viewer() -> None:
    """Every method that takes the id of a session is in the table above."""
    named = {
        name
        for name, method in vars(Workspace).items()
        if not name.startswith("_") and "session_id" in getattr(method, "__annotations__", {})
    }
    looked = {look.split()[0] for look in _LOOKS}
    looked |= {f"{look}_session" for look in looked}
    assert named
    assert named <= looked


def test_without_policies_sessions_are_everybodys(hr: Company) -> None:
    session = boss_asked(hr)
    (hr.folder / "packs" / "hr.yaml").unlink()
    with Workspace.open(hr.seen_by("analyst")) as workspace:
        assert workspace.turn_result(session, 1).rows


def test_the_commands_show_ones_own_sessions_and_runs(hr: Company) -> None:
    session = boss_asked(hr)
    (hr.folder / "all.verbs").write_text(
        '(sqlite.extractor :connection "@hr" :query "SELECT name, salary FROM employee" :as @rows)', "utf-8"
    )
    done = dragoman("run", "all.verbs", "--json", cwd=hr.folder)
    run = json.loads(done.stdout)["run"]["id"]
    folder = hr.seen_by("analyst")
    shown = [
        dragoman(*command, cwd=folder)
        for command in (
            ("ask", "-c", "what did we find so far?"),
            ("sessions", "list"),
            ("sessions", "show", session),
            ("sessions", "export", session),
            ("replay", session),
            ("why", "--session", session),
            ("runs", "list"),
            ("runs", "show", run),
            ("runs", "show", run, "--json"),
            ("runs", "cancel", run),
            ("runs", "resume", run),
        )
    ]
    for each in shown:
        assert not canaries_in(each.stdout, each.stderr), each.args
        assert "salary" not in each.stdout + each.stderr, each.args
    assert shown[7].returncode == 1
    assert "run_of_another" in shown[8].stdout
    assert run in dragoman("runs", "list", "--as-operator", cwd=folder).stdout
    assert dragoman("runs", "show", run, "--as-operator", cwd=folder).returncode == 0


def test_a_run_of_an_operator_is_not_shown_to_the_viewer(hr: Company) -> None:
    folder = hr.seen_by("analyst")
    (folder / "all.verbs").write_text(
        '(sqlite.extractor :connection "@hr" :query "SELECT salary, nothing FROM employee" :as @rows)',
        "utf-8",
    )
    failed = dragoman("run", "all.verbs", "--as-operator", "--json", cwd=folder)
    run = json.loads(failed.stdout)["run"]["id"]
    for command in (("runs", "show", run), ("runs", "show", run, "--json"), ("runs", "list")):
        each = dragoman(*command, cwd=folder)
        assert "salary" not in each.stdout + each.stderr
        assert "all" not in each.stdout or command[1] == "show"
