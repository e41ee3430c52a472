"""A workspace of the projects pack whose roles are played by a model that a scripted server stands for."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.roles import GuardianReport
from dragoman.contracts.stages import StagesRegion
from dragoman.contracts.turn_result import TurnResult
from tests.answering.places import pack_workspace
from tests.model_server import ModelServer

STATUS: Final = "stories by status on 2024-03-20"
HOWTO: Final = "how do I open a blocker?"
TERM: Final = "what does velocity mean?"
LEADS: Final = "version: 1\nviewer: {name: demo, roles: [lead, scrum-master]}\n"


def plan(request_type: str = "STATUS_METRIC", *sources: str, **said: Any) -> str:
    status = request_type.startswith("STATUS_")
    return json.dumps(
        {
            "intent": "what is asked",
            "request_type": request_type,
            "track": "QUALITY",
            "required_sources": list(sources) or ["db"],
            "missing_info_questions": [],
            "expected_output_schema": "status_v1_json" if status else "answer_v1_markdown",
            **said,
        }
    )


def spec(form: str = "json", **said: Any) -> str:
    empty: dict[str, Any] = {"domain_terms": [], "forbidden_content": [], "required_sections": []}
    return json.dumps({"response_format": form, **empty, **said})


def report(verdict: str = "PASS", *reasons: str, actions: Sequence[str] = (), risk: str = "low") -> str:
    return json.dumps(
        {
            "verdict": verdict,
            "reasons": list(reasons),
            "required_actions": list(actions),
            "risk_level": risk,
        }
    )


def made(folder: Path) -> Path:
    """The workspace, without any model."""
    pack_workspace("projects", folder)
    (folder / "dragoman.yaml").write_text(LEADS, "utf-8")
    return folder


class RoleRoad:
    """One session in it."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.session = workspace.new_session()

    def ask(self, *messages: str) -> TurnResult:
        for message in messages:
            result = self.workspace.ask(self.session, message)
        return result

    @property
    def stages(self) -> StagesRegion:
        return self.workspace.state(self.session).stages

    @property
    def events(self) -> list[ev.SessionEvent]:
        return self.workspace.turn_events(self.session, self.workspace.state(self.session).version)

    @property
    def reports(self) -> list[GuardianReport]:
        return [each.report for each in self.events if isinstance(each, ev.DraftJudged)]

    @property
    def reasons(self) -> list[tuple[str, ...]]:
        return [each.reasons for each in self.reports]

    @property
    def played(self) -> list[tuple[str, str]]:
        """Which roles a model was asked to play, and what came of it."""
        return [(each.role, str(each.outcome)) for each in self.events if isinstance(each, ev.ModelAsked)]


@contextmanager
def played_by(
    folder: Path, server: ModelServer | None, *roles: str, kind: str = "openai", **settings: Any
) -> Iterator[RoleRoad]:
    """A session whose roles the server plays; without one the embedded ones do."""
    models: dict[str, Any] = {}
    if server is not None:
        provider = {
            "name": "scripted",
            "kind": kind,
            "base_url": f"{server.url}/v1" if kind == "openai" else server.url,
            "model": "m",
            "retries": 0,
            "deadline_seconds": 20,
        }
        models = {"models": {"when": "never", "roles": list(roles), "providers": [provider], **settings}}
    viewer = {"version": 1, "viewer": {"name": "demo", "roles": ["lead", "scrum-master"]}}
    path = folder / "dragoman.yaml"
    before = path.read_text("utf-8")
    path.write_text(json.dumps({**viewer, **models}), "utf-8")
    try:
        with Workspace.open(folder) as workspace:
            yield RoleRoad(workspace)
    finally:
        path.write_text(before, "utf-8")


def told(server: ModelServer, number: int) -> dict[str, Any]:
    """The data of a request, without the values beside it."""
    text: str = server.requests[number].body["messages"][1]["content"]
    found: dict[str, Any] = json.loads(text.partition("\n")[0])
    return found
