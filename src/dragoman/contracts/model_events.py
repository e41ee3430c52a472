"""What a language model did in a turn, as events. The program that it wrote has the events of any program."""

from typing import Literal

from dragoman.contracts.event import Event
from dragoman.contracts.record import Record
from dragoman.contracts.report import Recovery
from dragoman.contracts.vocabulary import ModelOutcome


class ModelTry(Record, frozen=True):
    """One request to one provider: the code of its error, and what was done about it."""

    provider: str
    model: str
    code: str = ""
    recovery: Recovery | None = None


class ModelAsked(Event, frozen=True):
    """A model was asked for a program, or to play a role. `problem` says why nothing came of it. Tokens are
    `estimated` where a provider did not count them; `cost` is empty where its prices are not known."""

    outcome: ModelOutcome
    tries: tuple[ModelTry, ...] = ()
    input_tokens: int = 0
    output_tokens: int = 0
    estimated: bool = False
    cost: str = ""
    problem: str = ""
    role: str = ""
    """The role that it was to play; empty where it was asked for a program."""
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
