"""The library: what it offers, its calls from Python, and the same calls for programs that use asyncio."""

import asyncio
import inspect
from pathlib import Path
from typing import Any, Final

import pytest

import dragoman
from dragoman import AsyncWorkspace, Workspace
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import (
    ConfirmationNeeded,
    DigestNeeded,
    ProgramRefused,
    TurnCancelled,
    WritesForbidden,
)
from dragoman.contracts.events import CompileComplete
from dragoman.contracts.run import RunStatus
from dragoman.contracts.vocabulary import AnswerMode, Notation
from dragoman.workspace.gated import GatedWorkspace, waiting_write
from dragoman.workspace.text import Source
from tests.orders_shop import COUNT, ENDLESS, EXPORT, QUESTION, make_shop
from tools.checkout import ROOT

PUBLIC: Final = {
    *("AsyncWorkspace", "DragomanError", "OutputValidationError", "TurnResult", "Workspace"),
    *("__version__", "strict_report"),
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return make_shop(tmp_path)


# What is offered.


def test_the_package_offers_these_names_and_its_types() -> None:
    assert set(dragoman.__all__) == PUBLIC
    assert all(getattr(dragoman, name) is not None for name in PUBLIC)
    assert (ROOT / "src" / "dragoman" / "py.typed").exists()


ASYNC: Final = (
    *("ask", "run", "new_session", "sessions", "state", "turn_result"),
    *("check", "compile", "resolve", "prepare", "replay", "close"),
)


@pytest.mark.parametrize("name", ASYNC)
def test_an_awaited_call_takes_what_the_call_takes(name: str) -> None:
    awaited, plain = getattr(AsyncWorkspace, name), getattr(Workspace, name)
    assert inspect.iscoroutinefunction(awaited)
    assert inspect.signature(awaited) == inspect.signature(plain)
    assert awaited.__doc__ == plain.__doc__


SIGNATURES: Final = {
    "check": "(self, program, *, notation=None, stage=None, profile=None, parameters=None)",
    "compile": "(self, program, *, notation=None, profile=None, parameters=None)",
    "resolve": "(self, program, *, notation=None, picks=None, skips=(), profile=None, parameters=None)",
    "prepare": "(self, program, *, notation=None, profile=None, parameters=None)",
    "run": "(self, program, *, notation=None, profile=None, parameters=None, yes=False, limits=None, "
    "run_id=None, cancel=None, listeners=())",
    "replay": "(self, session_id)",
}


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_call_takes_what_it_took(name: str) -> None:
    signature = inspect.signature(getattr(Workspace, name))
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    assert (
        str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)) == SIGNATURES[name]
    )


# Its calls.


def test_a_program_is_checked_compiled_resolved_and_run(shop: Path) -> None:
    with Workspace.open(shop) as workspace:
        assert workspace.check(COUNT).ok
        assert [each.code for each in workspace.check("(orders.count").diagnostics] == ["unclosed_bracket"]
        compiled = workspace.compile(COUNT)
        assert compiled.manifest is not None
        assert workspace.prepare(COUNT).order.fingerprint == compiled.manifest.plan.fingerprint
        assert workspace.resolve(COUNT).ready
        outcome = workspace.run(COUNT)
        assert outcome.record.status is RunStatus.DONE
        assert outcome.looks["count"].rows == [(3,)]
        oml = workspace.programs.convert(Source(EXPORT), Notation.VERBS, Notation.OML)
        assert isinstance(oml, str)
        # The text tells how it is written.
        assert workspace.check(oml).ok


def test_names_become_keys(tmp_path: Path) -> None:
    program = '(inventory.stock :organization "Alfa Trade" :as-of 2020-03-31)\n'
    with Workspace.open(tmp_path) as workspace:
        assert ':organization "1"' in workspace.resolve(program).source
        unknown = workspace.resolve(program.replace("Alfa Trade", "Alfaa"))
        (waiting,) = unknown.open
        picked = workspace.resolve(
            program.replace("Alfa Trade", "Alfaa"), picks={waiting.ref.ref_id: waiting.matches[0].entity_id}
        )
        assert picked.ready
        skipped = workspace.resolve(program.replace("Alfa Trade", "Alfaa"), skips=[waiting.ref.ref_id])
        assert skipped.partial


def test_a_write_waits_for_a_yes(shop: Path) -> None:
    with Workspace.open(shop) as workspace:
        with pytest.raises(ConfirmationNeeded, match=r"orders\.csv"):
            workspace.run(EXPORT)
        with pytest.raises(ProgramRefused) as refused:
            workspace.run("(orders.count :colour 5)", yes=True)
        assert refused.value.details["diagnostics"]
        assert not (shop / "orders.csv").exists()
        ready = workspace.prepare(EXPORT)
        assert ready.intents == ("orders.csv (duckdb.writer)",)
        assert workspace.run(ready, yes=True).record.status is RunStatus.DONE
    assert (shop / "orders.csv").exists()


# The same, awaited.


def test_questions_are_asked_at_the_same_time(shop: Path) -> None:
    async def talk() -> list[Any]:
        async with await AsyncWorkspace.open(shop) as workspace:
            sessions = [await workspace.new_session() for _ in range(4)]
            asked = (workspace.ask(session, QUESTION) for session in sessions)
            results = await asyncio.gather(*asked)
            again = await workspace.replay(sessions[0])
            assert again.records == 2
            return [result.rows for result in results]

    assert asyncio.run(talk()) == [((3,),)] * 4


def test_a_task_that_is_cancelled_stops_its_query(shop: Path) -> None:
    async def talk() -> None:
        async with await AsyncWorkspace.open(shop) as workspace:
            session, loop, running = (
                await workspace.new_session(),
                asyncio.get_running_loop(),
                asyncio.Event(),
            )

            def listen(progress: Any) -> None:
                if isinstance(progress.event, CompileComplete):
                    loop.call_soon_threadsafe(running.set)

            asked = asyncio.create_task(workspace.ask(session, ENDLESS, listeners=(listen,)))
            await running.wait()
            asked.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            # It is awaited until the query has ended: the session is free at once.
            after = await workspace.ask(session, QUESTION, wait_seconds=0.0)
            assert after.rows == ((3,),)

    asyncio.run(talk())


def test_an_error_of_a_call_is_an_error_of_its_task(tmp_path: Path) -> None:
    async def talk() -> None:
        async with await AsyncWorkspace.open(tmp_path) as workspace:
            with pytest.raises(ProgramRefused):
                await workspace.run("(no.such)")

    asyncio.run(talk())


# Behind a gate.


@pytest.mark.parametrize("allowed", [False, True])
def test_a_gate_lets_nothing_through_without_the_digest(allowed: bool, shop: Path) -> None:
    with GatedWorkspace.open(shop) as workspace:
        workspace.allow_writes = allowed
        session = workspace.new_session()
        workspace.ask_gated(session, "show all customers")
        workspace.ask_gated(session, "save that as csv")
        waiting = waiting_write(session, workspace.state(session))
        assert waiting is not None
        said = workspace.ask_gated(session, "yes", digest=waiting.digest if not allowed else "0" * 64)
        assert said.answer_mode is AnswerMode.UNSUPPORTED
        wanted = DigestNeeded.code if allowed else WritesForbidden.code
        assert said.reason_codes == (wanted,)
        assert not list(shop.glob("*.csv"))
        # Reading goes on, and so does the conversation.
        assert workspace.ask_gated(session, QUESTION).rows == ((3,),)


def test_a_word_is_kept_and_forgotten_by_its_digest_alone(shop: Path) -> None:
    with GatedWorkspace.open(shop) as workspace:
        workspace.allow_writes = True
        session = workspace.new_session()
        workspace.ask_gated(session, "goods are orders")
        waiting = waiting_write(session, workspace.state(session))
        assert waiting is not None
        with pytest.raises(DigestNeeded):
            workspace.ask_gated(session, "yes")
        workspace.ask_gated(session, "yes", digest=waiting.digest)
        with pytest.raises(DigestNeeded) as needed:
            workspace.ask_gated(session, "forget goods")
        digest = needed.value.details["digest"]
        assert isinstance(digest, str)
        assert workspace.ask_gated(session, "forget goods", digest=digest).transition == "X_TEACH"


def test_a_turn_that_was_cancelled_before_it_began_raises(shop: Path) -> None:
    cancel = Cancellation()
    cancel.cancel()
    with Workspace.open(shop) as workspace, pytest.raises(TurnCancelled):
        workspace.ask(workspace.new_session(), QUESTION, cancel=cancel)
