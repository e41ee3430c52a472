"""Stand-ins for roles, sources and the look into the database. Each says what it is told to, and keeps what
it was asked."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from dragoman import Workspace
from dragoman.answering.roles.contract import Drafted, GenerateRequest, Retrieved
from dragoman.answering.roles.turn_stages import Roles
from dragoman.answering.roles.writer import EmbeddedWriter
from dragoman.catalog.lookup import look_up
from dragoman.contracts import events as ev
from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.evidence import EvidenceRequest
from dragoman.contracts.roles import (
    AnalystPlan,
    ArchitectSpec,
    EvidenceSource,
    GuardianReport,
    OutputSchemaId,
    RequestType,
    ResponseFormat,
)
from dragoman.contracts.stages import StagesRegion
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.guards.roles.policy import request_policy
from dragoman.planning.contract import Asked, Planner, Proposal
from dragoman.session.routing import Routing
from dragoman.turn import take_turn

S: Final = EvidenceSource
QUESTION: Final = "stock of Alfa Trade on 31 March 2020"
STATUS_TYPES: Final = (RequestType.STATUS_METRIC, RequestType.STATUS_SUMMARY, RequestType.STATUS_LIST)


def item(
    source: EvidenceSource, ref: str, confidence: float = 0.9, snippet: str = "as it stands"
) -> EvidenceItem:
    return EvidenceItem(source, ref, snippet, confidence)


DB: Final = item(S.DB, "shop#1")
RECOUNT: Final = item(S.DB, "shop#1/recount", 1.0, "recounted 7 rows")
GUIDE: Final = item(S.DOC, "docs/guide.md:3-9")
RULE: Final = item(S.POLICY, "policies/closing.md:1-4")


class FixedAnalyst:
    """Says one type of every request, with the sources of its policy unless told."""

    def __init__(self, request_type: RequestType, *sources: EvidenceSource) -> None:
        self._type = request_type
        self._sources = sources or request_policy(request_type).priority

    def plan(self, asked: Asked, proposal: Proposal, routing: Routing) -> AnalystPlan:
        status = self._type in STATUS_TYPES
        return AnalystPlan(
            "a request",
            self._type,
            request_policy(self._type).track,
            self._sources,
            (),
            OutputSchemaId.STATUS_V1_JSON if status else OutputSchemaId.ANSWER_V1_MARKDOWN,
        )


class FixedArchitect:
    """Draws one specification for every answer."""

    def __init__(
        self,
        form: ResponseFormat = ResponseFormat.MARKDOWN,
        *,
        terms: tuple[str, ...] = (),
        forbidden: tuple[str, ...] = (),
        sections: tuple[str, ...] = (),
    ) -> None:
        self._spec = ArchitectSpec(form, terms, forbidden, sections)

    def specify(self, plan: AnalystPlan, found: Retrieved) -> ArchitectSpec:
        return self._spec


class ScriptedWriter:
    """Writes these drafts one after the other, then what the embedded writer would."""

    def __init__(self, *drafts: str) -> None:
        self._drafts = list(drafts)
        self._own = EmbeddedWriter()
        self.asked: list[GenerateRequest] = []
        self.found: list[Retrieved] = []

    def sketch(self, plan: AnalystPlan, found: Retrieved, how: GenerateRequest) -> Drafted:
        return self._next(how, found) or self._own.sketch(plan, found, how)

    def write(self, spec: ArchitectSpec, found: Retrieved, how: GenerateRequest) -> Drafted:
        return self._next(how, found) or self._own.write(spec, found, how)

    def _next(self, how: GenerateRequest, found: Retrieved) -> Drafted | None:
        self.asked.append(how)
        self.found.append(found)
        return Drafted(self._drafts.pop(0)) if self._drafts else None


class Source:
    """Gives these items one try after the other, the last ones for good."""

    def __init__(self, source: EvidenceSource, *tries: Sequence[EvidenceItem]) -> None:
        self._source = source
        self._tries = [tuple(each) for each in tries]
        self.asked: list[EvidenceRequest] = []

    @property
    def source(self) -> EvidenceSource:
        return self._source

    def find(self, request: EvidenceRequest) -> tuple[EvidenceItem, ...]:
        self.asked.append(request)
        return self._tries.pop(0) if len(self._tries) > 1 else self._tries[0]


class Denying:
    """A workspace that forbids everything."""

    def denying(self, request_type: RequestType, query: str, text: str) -> tuple[str, ...]:
        return ("no-stock-talk",)

    def showing(self, request_type: RequestType, columns: Sequence[str]) -> tuple[str, ...]:
        return ()

    def forbidden(self, request_type: RequestType) -> tuple[str, ...]:
        return ()

    def required(self, request_type: RequestType) -> tuple[str, ...]:
        return ()

    def reasons(self, names: Sequence[str]) -> tuple[str, ...]:
        return ()


class Look:
    """The look into the database, with this evidence one try after the other."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, *tries: Sequence[EvidenceItem], checked: bool = True
    ) -> None:
        self.count = 0
        left = [tuple(each) for each in tries]

        def looked_up(*given: Any, **named: Any) -> Any:
            self.count += 1
            found = look_up(*given, **named)
            evidence = left.pop(0) if len(left) > 1 else left[0]
            return replace(found, evidence=evidence, checked=checked)

        monkeypatch.setattr("dragoman.answering.answers.look_up", looked_up)


class Road:
    """One session whose turns are taken with other roles, sources or planners."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.session = workspace.new_session()

    def ask(
        self,
        roles: Roles,
        message: str = QUESTION,
        *,
        planners: tuple[Planner, ...] | None = None,
        on_result: Callable[[ResultRows], None] | None = None,
    ) -> TurnResult:
        services = replace(self.workspace._open_services(), roles=roles)
        if planners is not None:
            services = replace(services, planners=planners)
        return take_turn(services, self.session, message, on_result=on_result)

    @property
    def stages(self) -> StagesRegion:
        return self.workspace.state(self.session).stages

    @property
    def reports(self) -> list[GuardianReport]:
        """What the guardian said of every try of the last turn."""
        turn = self.workspace.session(self.session).version
        events = self.workspace.turn_events(self.session, turn)
        return [each.report for each in events if isinstance(each, ev.DraftJudged)]


@contextmanager
def road(folder: Path) -> Iterator[Road]:
    with Workspace.open(folder) as workspace:
        yield Road(workspace)
