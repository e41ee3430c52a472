"""The events of a pending question: asked, answered or given up, dropped for something else."""

from typing import Literal

from dragoman.contracts.event import Event
from dragoman.contracts.state import ClarificationState
from dragoman.contracts.vocabulary import DropReason


class ClarificationAsked(Event, frozen=True):
    """A question was put; `intent` when it concerns the request itself and not a program already written."""

    clarification: ClarificationState
    intent: bool
    v: Literal[1] = 1


class ClarificationCleared(Event, frozen=True):
    v: Literal[1] = 1


class QuestionDropped(Event, frozen=True):
    """A pending question is not waited for any more: which one, and why. The answer says so too."""

    question: ClarificationState
    why: DropReason
    v: Literal[1] = 1
