"""A workspace behind a gate: what a conversation would write waits for a second call that names its digest.

Programs talk to it. A person who says yes has read what will be written; a program that says yes may have
read nothing. So it says which program it means, by its digest, and whoever opened the workspace has said that
it may write at all.
"""

import hashlib
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from dragoman.answering.effects import Runners, Written
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DigestNeeded, DragomanError, WritesForbidden
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.contracts.taught import TaughtWord
from dragoman.contracts.turn_result import TurnResult
from dragoman.workspace.workspace import Workspace

if TYPE_CHECKING:
    from dragoman.turn import TurnServices


class WaitingWrite(Record, frozen=True):
    """What a yes would write: the program, where it is one, and the digest that stands for it."""

    program: str
    digest: str


class GatedWorkspace(Workspace):
    """Writes nothing, or with `allow_writes` what is named by its digest. Reading is as anywhere."""

    allow_writes = False

    def ask_gated(self, session_id: str, message: str, *, digest: str = "", **options: Any) -> TurnResult:
        """As `ask`. A yes writes only with the digest that `waiting_write` gave for this session."""
        state = self.state(session_id)
        waiting = waiting_write(session_id, state)
        named = waiting.digest if waiting is not None else _digest_of(session_id, state, message)
        refusal: DragomanError | None = None
        if not self.allow_writes:
            refusal = WritesForbidden(
                "nothing is written here: this server only reads",
                hint="start it with --allow-writes, or say yes at the command line: dragoman chat",
            )
        elif digest != named:
            refusal = DigestNeeded(
                "a write needs the digest of what it writes",
                hint="read what would be written, and call again with that digest",
                digest=named,
            )
        else:
            # What the digest was given for must be what is in hand when the turn begins.
            options["expected_version"] = state.version
        with self._gate(refusal):
            return self.ask(session_id, message, **options)

    @contextmanager
    def _gate(self, refusal: DragomanError | None) -> Iterator[None]:
        _held.refusal = refusal
        try:
            yield
        finally:
            del _held.refusal

    def _open_services(self) -> "TurnServices":
        services = super()._open_services()
        # A turn stays in the thread that asks: what it may do is known there, and by no other turn.
        refusal: DragomanError | None = getattr(_held, "refusal", None)
        return services if refusal is None else replace(services, runners=_refusing(services, refusal))


_held = threading.local()


def waiting_write(session_id: str, state: SessionState) -> WaitingWrite | None:
    """What waits for a yes in a session: a program, or a word that would be kept."""
    waiting = state.frames.clarification
    if waiting is None or not waiting.waits_for_yes:
        return None
    program = state.program.source if waiting.teaches is None else ""
    return WaitingWrite(program, _digest_of(session_id, state))


def _digest_of(session_id: str, state: SessionState, message: str = "") -> str:
    """Of what is meant. A turn that was abandoned changes nothing of it, a program that is asked for anew
    does."""
    program = state.program
    meant = (session_id, program.epoch, program.source, state.frames.clarification, message)
    return hashlib.sha256(msgspec.json.encode(meant)).hexdigest()


def _refusing(services: "TurnServices", refusal: DragomanError) -> Runners:
    """What would write refuses to; what only looks is as it was."""

    def run(manifest: bytes, run_id: str, files: tuple[str, ...], cancel: Cancellation | None) -> Written:
        raise refusal

    def write(statement: Statement, run_id: str) -> Written:
        raise refusal

    def keep(words: Iterable[TaughtWord]) -> None:
        raise refusal

    def forget(word: TaughtWord) -> None:
        raise refusal

    return Runners(run, write, services.runners.replaced, keep, forget)
