"""Turns made by hand, for tests of what is below the road: legal, small, and as real as any."""

from pathlib import Path

from dragoman.contracts import events as ev
from dragoman.contracts.program import Plan, PlanStep, Program, Statement
from dragoman.contracts.state import ClarificationState, SuspendedTarget
from dragoman.contracts.vocabulary import (
    AnswerMode,
    ClarificationKind,
    EffectOutcome,
    Notation,
    ResumeFrame,
    Signal,
    Stage,
    TransitionClass,
)
from dragoman.session.continuity import resolve
from dragoman.session.journal import LiveTurn
from dragoman.session.routing import Routing, route

PROGRAM: Program = (Statement("notes.write", binds="notes"),)


def routed(turn: LiveTurn, *signals: Signal) -> tuple[Routing, list[ev.SessionEvent]]:
    routing = route(signals, resolve(turn.before))
    opening: list[ev.SessionEvent] = [
        ev.MessageRead("en", signals),
        ev.TurnRouted(routing.entry_class, routing.carryover, routing.reason),
    ]
    return routing, opening


def chat(turn: LiveTurn, said: str = "hello") -> list[ev.SessionEvent]:
    """T0: nothing but the turn changes."""
    routing, opening = routed(turn, Signal.CHAT)
    return [*opening, ev.TurnClosed(routing.entry_class, routing.carryover, AnswerMode.NONE, said)]


def edit(turn: LiveTurn) -> list[ev.SessionEvent]:
    """X_EDIT: a program in hand, compiled and ready."""
    routing, opening = routed(turn, Signal.ESCAPE_EDIT)
    return [
        *opening,
        ev.CheckpointTaken(),
        ev.ProgramEdited(Notation.VERBS, "(notes.write :as @notes)", PROGRAM),
        ev.SchemaGuardPass(Stage.SYNTAX),
        ev.SchemaGuardPass(Stage.SEMANTICS),
        ev.CompileStart(),
        ev.CompileComplete(Plan("0", (PlanStep("notes", "notes.write"),))),
        ev.TurnClosed(routing.entry_class, routing.carryover, AnswerMode.NONE, "ready"),
    ]


def ask_to_write(turn: LiveTurn) -> list[ev.SessionEvent]:
    """X_EXTEND: a writer is appended, and a yes is waited for."""
    routing, opening = routed(turn, Signal.EXTEND)
    pending = ClarificationState(
        ClarificationKind.CONFIRM_RUN,
        (),
        (),
        "notes.write",
        SuspendedTarget(ResumeFrame.PROGRAM, TransitionClass.X_EXTEND),
    )
    return [
        *opening,
        ev.CheckpointTaken(),
        ev.ClarificationAsked(pending, intent=False),
        ev.TurnClosed(routing.entry_class, routing.carryover, AnswerMode.CLARIFICATION_REQUIRED, "write?"),
    ]


def say_yes(turn: LiveTurn) -> list[ev.SessionEvent]:
    """T7: the yes to a write; the effect itself is the caller's."""
    routing, opening = routed(turn, Signal.FITS_CLARIFICATION)
    return [
        *opening,
        ev.CheckpointTaken(),
        ev.ClarificationCleared(),
        ev.RunStarted("run"),
        ev.RunFinished("run", ok=True, rows=1),
        ev.TurnClosed(routing.entry_class, routing.carryover, AnswerMode.NONE, "written"),
    ]


class Ledger:
    """A real effect outside the store: a file that gets one line for each key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def keys(self) -> list[str]:
        return self.path.read_text().split() if self.path.exists() else []

    def write(self, key: str) -> None:
        with self.path.open("a") as file:
            file.write(f"{key}\n")

    def settle(self, effect: ev.EffectIntended) -> EffectOutcome:
        """What became of an effect: the file tells."""
        return EffectOutcome.DONE if effect.key in self.keys() else EffectOutcome.UNDONE
