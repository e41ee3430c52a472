"""The events of words that are taught: kept, taken back."""

from typing import Literal

from dragoman.contracts.event import Event
from dragoman.contracts.taught import TaughtWord


class WordTaught(Event, frozen=True):
    """A word was kept, after the yes to what it means."""

    word: TaughtWord
    v: Literal[1] = 1


class WordForgotten(Event, frozen=True):
    """A word was taken back."""

    word: TaughtWord
    v: Literal[1] = 1
