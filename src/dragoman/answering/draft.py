"""A turn while it is being made: its events as they come, and how it ends."""

from collections.abc import Callable, Sequence
from typing import Final

from dragoman.contracts import events as ev
from dragoman.contracts.model_events import ModelText
from dragoman.contracts.record import Record
from dragoman.contracts.run import RunEvent
from dragoman.contracts.turn_result import ResultRows
from dragoman.contracts.vocabulary import AnswerMode, CarryoverDepth, TransitionClass
from dragoman.session.journal import LiveTurn
from dragoman.session.log import Listener, Progress
from dragoman.session.routing import Routing

_OF_THE_WEIGHING: Final = (
    ev.MessageRead,
    ev.ReadingsWeighed,
    ev.RivalsRun,
    ev.ReadingReviewed,
    ev.TurnRouted,
    ev.ModelAsked,
    ev.EmptyLlmResponse,
    ev.QuestionRefused,
    ev.OutputValidationFailed,
    ev.PlanMade,
    ev.SpecDrawn,
    ev.DraftJudged,
)
"""What was noticed and decided, before anything was done about it and about what was done, and what failed on
the way."""


class Conclusion(Record, frozen=True):
    """How a turn ends: the events that make it so, and what is said."""

    outcome: TransitionClass
    answer_mode: AnswerMode
    message: str
    events: tuple[ev.SessionEvent, ...] = ()


class Draft:
    """The events of a turn as it goes along; listeners hear of each at once."""

    def __init__(
        self,
        turn: LiveTurn,
        listeners: Sequence[Listener],
        new_id: Callable[[], str],
        on_result: Callable[[ResultRows], None] | None = None,
    ) -> None:
        self.turn = turn
        self._listeners = listeners
        self._on_result = on_result
        self._whole: ResultRows | None = None
        self.new_id = new_id
        self.before = turn.before
        self.events: list[ev.SessionEvent] = []
        self.tried: list[ev.SessionEvent] = []
        """All that was noted, also what a boundary took back: the log has it."""
        self._tell(turn.opened)

    def note(self, *events: ev.SessionEvent) -> None:
        for event in events:
            self.events.append(event)
            self.tried.append(event)
            self._tell(event)

    def tried_in_vain(self, *events: ev.SessionEvent) -> None:
        """Tell and log what is no part of the turn's record: a program that nobody was given."""
        for event in events:
            self.tried.append(event)
            self._tell(event)

    def heard(self, event: ev.SessionEvent | ModelText) -> None:
        """What a planner tells while it works. What it weighed is recorded; what it wrote is only logged,
        until somebody is given it; a text that is being written is only told."""
        if isinstance(event, ModelText):
            self._tell(event)
        elif isinstance(event, _OF_THE_WEIGHING):
            self.note(event)
        else:
            self.tried_in_vain(event)

    def whole_result(self, result: ResultRows) -> None:
        """A result as it was read, for whoever asked for all of it. It is handed over as the turn ends."""
        self._whole = result

    def take_back(self) -> None:
        """What was tried is not in hand: nothing is left of it but what was noticed and decided."""
        self.events = [each for each in self.events if isinstance(each, _OF_THE_WEIGHING)]
        self._whole = None

    def conclude(self, conclusion: Conclusion, routing: Routing, *reported: ev.SessionEvent) -> None:
        """Add how the turn ended, and its report. After a boundary what was tried is on record, but not in
        hand."""
        depth = routing.carryover
        # A boundary leaves program and frames as they were (ADR 0006). What was noticed, weighed and routed
        # stays, so that `why` can explain the refusal.
        if conclusion.outcome is TransitionClass.T10:
            depth = CarryoverDepth.NONE
            self.take_back()
        # Not before: what the guardian does not let out is shown to nobody.
        if self._whole is not None and self._on_result is not None:
            self._on_result(self._whole)
        closed = ev.TurnClosed(conclusion.outcome, depth, conclusion.answer_mode, conclusion.message)
        self.note(*conclusion.events, *reported, closed)

    def run_goes_on(self, event: RunEvent) -> None:
        """How far a run has come is told, and kept by the run itself."""
        self._tell(event)

    def _tell(self, event: ev.SessionEvent | ModelText | RunEvent) -> None:
        opened = self.turn.opened
        progress = Progress(self.turn.ticket.session_id, self.turn.ticket.version, opened.trace_id, event)
        for listener in self._listeners:
            listener(progress)
