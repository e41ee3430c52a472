"""Which words of a message are the trouble, where no reading of it will do."""

from collections.abc import Sequence
from typing import Protocol

from dragoman.contracts.objection import Objection
from dragoman.planning.contract import Asked, Candidate
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.tables.words import tokens_of
from dragoman.review.records import Code

_LIKELIEST = 3
_NAMED = 0.9
"""How well a word has to name something to be known."""
_ABOUT_WORDS = frozenset(
    each.value for each in (Code.NAME_MISSING, Code.VALUE_MISSING, Code.COUNTED_MISSING, Code.SHOWN_MISSING)
)
"""Objections that are about a word, and not about what is done."""


def left_words(readings: Sequence[TableReading]) -> tuple[str, ...]:
    """The words that the best reading leaves out; those of them that no other likely one accounts for, where
    there are such."""
    if not readings:
        return ()
    best, near = readings[0].uncovered, readings[:_LIKELIEST]
    never = tuple(word for word in best if all(word in each.uncovered for each in near))
    return never or best


class Reader(Protocol):
    """Who reads messages over one database, and whose readings a second reader objects to."""

    @property
    def planner(self) -> JointPlanner: ...

    def objections(self, asked: Asked, candidate: Candidate) -> tuple[Objection, ...]: ...


def unknown_words(reader: Reader, asked: Asked, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """The words that a second reader misses in the best reading and that name nothing here: what has a name
    was understood, and only not how it is meant."""
    objections = reader.objections(asked, candidates[0]) if candidates else ()
    found = dict.fromkeys(
        word for each in objections if each.code in _ABOUT_WORDS for word in each.words if word.isalpha()
    )
    planner = reader.planner.hearing(asked.text, asked.reading.language) if found else reader.planner
    return tuple(word for word in found if not _is_named(word, planner))


def _is_named(word: str, planner: JointPlanner) -> bool:
    named = planner.schema_words.linker.links(tokens_of(word)).named.values()
    return any(each.score >= _NAMED and not each.slip for found in named for each in found)
