"""What a language model did in a turn, as events. The program that it wrote has the events of any program."""

from enum import StrEnum
from typing import Literal

from dragoman.contracts.event import Event
from dragoman.contracts.model import TokenUsage
from dragoman.contracts.record import Record
from dragoman.contracts.report import Recovery


class ModelOutcome(StrEnum):
    """What became of asking a model."""

    PROGRAM = "program"
    """It wrote a program that compiles."""
    CHOICE = "choice"
    """It chose among the readings of the embedded planners."""
    QUESTION = "question"
    """It asks which of several programs is meant."""
    NOTHING = "nothing"
    """It says that no program answers the message."""
    REFUSED = "refused"
    """What it wrote did not pass the guards, nor what it wrote instead."""
    EMPTY = "empty"
    FAILED = "failed"
    """No provider answered."""


class ModelTry(Record, frozen=True):
    """One request to one provider: the code of its error, and what was done about it."""

    provider: str
    model: str
    code: str = ""
    recovery: Recovery | None = None


class ModelAsked(Event, frozen=True):
    """A model was asked for a program. `problem` says why nothing came of it."""

    outcome: ModelOutcome
    tries: tuple[ModelTry, ...] = ()
    usage: TokenUsage = TokenUsage()
    cost: str = ""
    problem: str = ""
    v: Literal[1] = 1


class EmptyLlmResponse(Event, frozen=True):
    provider: str
    v: Literal[1] = 1


class QuestionRefused(Event, frozen=True):
    """A model wanted to ask an open question. After discovery only closed ones are asked: it was dropped."""

    question: str
    v: Literal[1] = 1


class RegenerationAttempt(Event, frozen=True):
    attempt: int
    v: Literal[1] = 1


class ModelText(Event, frozen=True):
    """A piece of what a model writes, for whoever listens. It is never recorded. With a new `attempt`,
    counted from 1 in the turn, the text begins anew."""

    attempt: int
    provider: str
    text: str
