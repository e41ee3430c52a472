"""A hire shop whose questions a scripted model helps to answer."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.model import (
    EndReason,
    ModelReply,
    ModelRequest,
    OnText,
    TextPiece,
    TokenUsage,
    ToolCall,
)
from dragoman.contracts.model_settings import ModelUse
from dragoman.contracts.places import STATE_FOLDER
from dragoman.contracts.turn_result import TurnResult
from dragoman.planning.model.settings import OwnModel, PlannerSettings
from tests.planning.database.hire_shop import SCRIPT, make

SURE: Final = "how many customers are there"
OFFERED: Final = "best customers"
"""Nobody is sure: revenue is offered first, then the number of bookings."""
REFUSED: Final = "average rent of garden items"
RENT: Final = '(item.average :of "daily_price" :where {:category {:name "Garden"}})'

PLAN: Final = {
    "intent": "what is asked",
    "request_type": "STATUS_METRIC",
    "track": "QUALITY",
    "required_sources": ["db"],
    "missing_info_questions": [],
    "expected_output_schema": "answer_v1_markdown",
}

Said = str | Mapping[str, Any] | Exception


def arguments(**given: object) -> str:
    return json.dumps({"plan": PLAN, **given})


class ScriptedModel:
    """Says one thing after the other, and then the last one again: arguments of the tool, a text, or an
    error."""

    def __init__(self, *script: Said) -> None:
        self.script = list(script)
        self.requests: list[ModelRequest] = []
        self.deadlines: list[float] = []

    def complete(
        self,
        request: ModelRequest,
        *,
        deadline_seconds: float,
        cancel: Cancellation | None = None,
        on_text: OnText | None = None,
    ) -> ModelReply:
        said = self.script[min(len(self.requests), len(self.script) - 1)]
        self.requests.append(request)
        self.deadlines.append(deadline_seconds)
        if isinstance(said, Exception):
            raise said
        text = said if isinstance(said, str) else ""
        if on_text is not None and text:
            on_text(TextPiece(1, "scripted", text))
        calls = () if isinstance(said, str) else (ToolCall("1", "generate_pipeline", arguments(**said)),)
        ended = EndReason.TOOL_CALLS if calls else EndReason.STOP
        return ModelReply(text, calls, ended, TokenUsage(100, 20), "scripted", "one")


class Shop:
    """The workspace of a hire shop with a model."""

    def __init__(
        self,
        folder: Path,
        *script: Said,
        when: ModelUse = ModelUse.UNSURE,
        choose: bool = False,
        sql: str = SCRIPT,
    ) -> None:
        self.model = ScriptedModel(*script)
        settings = PlannerSettings(when, choose=choose)
        folder.mkdir(parents=True, exist_ok=True)
        database = make(folder / "shop.sqlite", sql)
        self.folder = folder / "work"
        self.workspace = Workspace.open_database(database, self.folder, model=OwnModel(self.model, settings))
        self.session = self.workspace.new_session()
        self.told: list[Any] = []

    def ask(self, *messages: str) -> TurnResult:
        """The result of the last of some messages."""
        for message in messages:
            self.told = []
            result = self.workspace.ask(
                self.session, message, listeners=[lambda progress: self.told.append(progress.event)]
            )
        return result

    @property
    def events(self) -> Sequence[ev.SessionEvent]:
        """What is recorded of the last turn."""
        return self.workspace.turn_events(self.session, self.workspace.state(self.session).version)

    def kinds(self) -> list[str]:
        return [_kind(each) for each in self.events]

    def logged(self) -> list[str]:
        """The kinds of the last turn's events in the log."""
        path = self.folder / STATE_FOLDER / "logs" / f"{self.session}.jsonl"
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        return [line["event"]["kind"] for line in lines if line["turn"] == lines[-1]["turn"]]

    def offered(self) -> list[str]:
        """The programs that the pending question offers."""
        pending = self.workspace.state(self.session).frames.clarification
        return [" ".join(each.key.split()) for each in pending.candidate_scopes] if pending else []

    @property
    def asked(self) -> ev.ModelAsked:
        return next(each for each in self.events if isinstance(each, ev.ModelAsked))

    def data(self, request: int = 0) -> dict[str, Any]:
        """What the model was told as data."""
        found: dict[str, Any] = json.loads(self.model.requests[request].messages[1].text)
        return found


def _kind(event: ev.SessionEvent) -> str:
    return str(type(event).__struct_config__.tag)
