"""The whole road, with a provider that behaves as its script says: every turn ends well, and in time."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode, ModelOutcome
from dragoman.session.log import Progress
from tests.model_server import (
    LEGACY_PROGRAM,
    PROSE,
    UNFINISHED_PROGRAM,
    Behaviour,
    ModelServer,
    calls,
    cuts,
    disconnects,
    disconnects_midway,
    drips,
    drips_head,
    empty,
    huge,
    says,
    stalls,
    status,
    types,
    waits,
)
from tests.planning.database.hire_shop import make
from tests.planning.model.ground import OFFERED, PLAN, REFUSED, RENT, SURE, arguments

KINDS = pytest.mark.parametrize("kind", ["openai", "anthropic"])
TOOL: Final = "generate_pipeline"
SECONDS: Final = 1
"""The deadline of the provider: a server that never answers costs so much."""


class Road:
    """A workspace whose dragoman.yaml names the providers."""

    def __init__(
        self,
        folder: Path,
        *servers: ModelServer,
        kind: str = "openai",
        retries: int = 0,
        seconds: int = SECONDS,
    ) -> None:
        folder.mkdir(exist_ok=True)
        make(folder / "shop.sqlite")
        (folder / "connections.yaml").write_text("shop: {family: sqlite, path: shop.sqlite}\n")
        suffix = "/v1" if kind == "openai" else ""
        providers = [
            {
                "name": f"p{number}",
                "kind": kind,
                "base_url": f"{server.url}{suffix}",
                "model": "m",
                "retries": retries,
                "deadline_seconds": seconds,
            }
            for number, server in enumerate(servers)
        ]
        (folder / "dragoman.yaml").write_text(json.dumps({"models": {"providers": providers}}))
        self.workspace = Workspace.open(folder)
        self.session = self.workspace.new_session()
        self.told: list[object] = []

    def ask(self, message: str) -> TurnResult:
        self.told = []

        def listen(progress: Progress) -> None:
            self.told.append(progress.event)

        return self.workspace.ask(self.session, message, listeners=[listen])

    @property
    def events(self) -> list[ev.SessionEvent]:
        return self.workspace.turn_events(self.session, self.workspace.state(self.session).version)

    @property
    def asked(self) -> ev.ModelAsked:
        return next(each for each in self.events if isinstance(each, ev.ModelAsked))

    def kinds(self) -> list[str]:
        return [str(type(each).__struct_config__.tag) for each in self.events]


Opening = Callable[..., Road]


@pytest.fixture
def road(tmp_path: Path) -> Iterator[Opening]:
    opened: list[Road] = []

    def opening(*servers: ModelServer, **said: Any) -> Road:
        opened.append(Road(tmp_path / str(len(opened)), *servers, **said))
        return opened[-1]

    yield opening
    for each in opened:
        each.workspace.close()


GOOD: Final = calls(TOOL, arguments(choice=1))
BROKEN: Final = calls(TOOL, arguments(program="(nothing.count)"))


@KINDS
def test_a_good_reply_is_used(road: Opening, kind: str) -> None:
    with ModelServer(GOOD) as server:
        asked = road(server, kind=kind)
        assert asked.ask(OFFERED).answer_mode is AnswerMode.CONFIRMED
        said = asked.asked
        assert (said.outcome, said.input_tokens, said.output_tokens) == (ModelOutcome.CHOICE, 11, 7)


@KINDS
def test_arguments_in_a_text_are_as_good(road: Opening, kind: str) -> None:
    with ModelServer(says(f"Sure:\n```json\n{arguments(choice=1)}\n```")) as server:
        asked = road(server, kind=kind)
        assert asked.ask(OFFERED).answer_mode is AnswerMode.CONFIRMED


@KINDS
@pytest.mark.parametrize("text", [LEGACY_PROGRAM, UNFINISHED_PROGRAM, PROSE])
def test_what_is_broken_first_and_then_good_is_used(road: Opening, kind: str, text: str) -> None:
    with ModelServer(says(text), GOOD) as server:
        asked = road(server, kind=kind)
        assert asked.ask(OFFERED).answer_mode is AnswerMode.CONFIRMED
        assert asked.kinds().count("regeneration_attempt") == 1
        assert asked.kinds().count("schema_guard_fail") == 1
        assert asked.workspace.metrics().recoveries.retries == 1
        assert len(server.requests) == 2


BAD: Final[dict[str, tuple[Behaviour, ModelOutcome, str]]] = {
    "broken twice": (BROKEN, ModelOutcome.REFUSED, "invalid_model_output"),
    "legacy keys": (says(LEGACY_PROGRAM), ModelOutcome.REFUSED, "invalid_model_output"),
    "prose": (says(PROSE), ModelOutcome.REFUSED, "invalid_model_output"),
    "another tool": (calls("run_sql", '{"query": "DROP"}'), ModelOutcome.REFUSED, "invalid_model_output"),
    "empty": (empty(), ModelOutcome.EMPTY, "model_reply_empty"),
    "truncated": (cuts('{"plan": {'), ModelOutcome.FAILED, "model_reply_truncated"),
    "stalls": (stalls(), ModelOutcome.FAILED, "model_timeout"),
    "drips": (drips(), ModelOutcome.FAILED, "model_timeout"),
    "drips headers": (drips_head(), ModelOutcome.FAILED, "model_timeout"),
    "disconnects": (disconnects(), ModelOutcome.FAILED, "model_unreachable"),
    "disconnects midway": (disconnects_midway(), ModelOutcome.FAILED, "model_reply_truncated"),
    "429": (status(429), ModelOutcome.FAILED, "model_overloaded"),
    "401": (status(401), ModelOutcome.FAILED, "model_refused"),
    "another type": (types("text/html"), ModelOutcome.FAILED, "model_reply_malformed"),
    "huge": (huge(), ModelOutcome.FAILED, "model_reply_too_large"),
}


@KINDS
@pytest.mark.parametrize("name", BAD)
def test_whatever_a_provider_does_the_turn_ends_well_and_in_time(road: Opening, kind: str, name: str) -> None:
    behaviour, outcome, code = BAD[name]
    with ModelServer(behaviour) as server:
        asked = road(server, kind=kind)
        asked.ask(SURE)
        began = time.monotonic()
        refused, offered = asked.ask(REFUSED), None
        refusal = asked.asked
        offered = asked.ask(OFFERED)
        took = time.monotonic() - began
    assert refused.answer_mode is AnswerMode.UNSUPPORTED
    assert offered.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
    assert refusal.outcome is asked.asked.outcome is outcome
    assert "anguage model" in refused.message
    assert "anguage model" in offered.message
    assert ("empty_llm_response" in asked.kinds()) is (outcome is ModelOutcome.EMPTY)
    failed = [each.failure.code for each in asked.events if isinstance(each, ev.OutputValidationFailed)]
    assert set(failed) == {code}
    metrics = asked.workspace.metrics()
    assert metrics.failures_by_code[code] == 2 * len(failed)
    assert (metrics.recoveries.failures, metrics.recoveries.reassignments) == (1, 1)
    assert took < 4 * SECONDS + 8


@KINDS
def test_an_open_question_is_dropped_and_told(road: Opening, kind: str) -> None:
    """After discovery only closed questions are asked."""
    asks = calls(TOOL, json.dumps({"plan": PLAN, "question": "Which garden do you mean?"}))
    with ModelServer(asks, GOOD) as server:
        asked = road(server, kind=kind)
        assert asked.ask(OFFERED).answer_mode is AnswerMode.CONFIRMED
        kinds = asked.kinds()
        assert kinds.index("question_refused") < kinds.index("regeneration_attempt")


@KINDS
def test_a_slow_reply_is_waited_for_within_its_deadline(road: Opening, kind: str) -> None:
    gate = threading.Event()
    with ModelServer(waits(gate, arguments(choice=1))) as server:
        asked = road(server, kind=kind, seconds=60)

        def open_gate() -> None:
            server.held.wait(60)
            gate.set()

        opener = threading.Thread(target=open_gate)
        opener.start()
        assert asked.ask(OFFERED).answer_mode is AnswerMode.CONFIRMED
        opener.join()
        assert asked.asked.outcome is ModelOutcome.CHOICE


def test_a_chain_that_is_switched_in_the_middle_keeps_the_conversation(road: Opening) -> None:
    with (
        ModelServer(GOOD, disconnects()) as first,
        ModelServer(calls(TOOL, arguments(program=RENT))) as next_,
    ):
        asked = road(first, next_)
        assert asked.ask(OFFERED).answer_mode is AnswerMode.CONFIRMED
        in_hand = asked.workspace.state(asked.session).program.ast
        result = asked.ask(REFUSED)
        assert result.answer_mode is AnswerMode.CLARIFICATION_REQUIRED
        assert [(each.provider, each.code) for each in asked.asked.tries] == [
            ("p0", "model_unreachable"),
            ("p1", ""),
        ]
        assert "anguage model" not in result.message
        told = json.loads(next_.requests[0].body["messages"][1]["content"].partition("\n")[0])
        assert told["program_in_hand"].startswith("(booking_line.sum")
        assert asked.workspace.state(asked.session).program.history[-1].ast == in_hand
        assert asked.ask("yes").answer_mode is AnswerMode.CONFIRMED
        assert asked.workspace.metrics().recoveries.reassignments == 1


def test_a_failing_provider_is_asked_again(road: Opening) -> None:
    with ModelServer(status(503, retry_after="0"), GOOD) as server:
        asked = road(server, retries=1)
        assert asked.ask(OFFERED).answer_mode is AnswerMode.CONFIRMED
        assert asked.workspace.metrics().recoveries.retries == 1


def test_nothing_of_rows_leaves_where_no_values_may(road: Opening, tmp_path: Path) -> None:
    with ModelServer(GOOD) as server:
        asked = road(server)
        path = tmp_path / "0" / "dragoman.yaml"
        settings = json.loads(path.read_text())
        settings["models"]["send_values"] = False
        path.write_text(json.dumps(settings))
        asked.ask("customers of LEEDS")
        asked.ask("keep the frobnicated firms")
        sent = [request.raw for request in server.requests]
    assert sent
    assert not [each for each in sent if b"Leeds" in each]
