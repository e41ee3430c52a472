"""A message that points at something that was named: "in that course" after who passed Drawing is Drawing.

It is read as if the name had been said. What else held of the rows in hand was said of them, and not of what
is pointed at now.
"""

from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from dragoman.planning.contract import Asked
from dragoman.planning.database.first_row import parted
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.lean import said_phrases
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.database.unwriter import frame_of
from dragoman.planning.tables.lexicon import others_spoken
from dragoman.planning.tables.words import tokens_of

_POINTING: Final = frozenset({"singular"})
_GOVERNING: Final = "governing"


def with_name_in_hand(asked: Asked, planner: JointPlanner) -> Asked:
    """The message with a name in the place of what points at it; as it is where nothing does, or where what
    is pointed at is what the rows in hand are."""
    in_hand = asked.continuity.in_hand
    if len(in_hand) != 1 or others_spoken(asked.text):
        return asked
    place = _pointing(asked.text, planner.schema_words)
    if place is None:
        return asked
    start, end, table = place
    if table == in_hand[0].verb.rpartition(".")[0]:
        return asked
    knowledge = planner.schema_words.knowledge
    frame = frame_of(parted(in_hand[0])[0], knowledge, planner.joins)
    named = [
        each
        for each in (() if frame is None else frame.conditions)
        if each.operation == "equal"
        and not each.negative
        and each.ref.table.name == table
        and each.ref.thing in knowledge.labels(each.ref.table)
    ]
    name = named[0].values[0] if len(named) == 1 and len(named[0].values) == 1 else None
    if not isinstance(name, str):
        return asked
    return replace(asked, text=f"{asked.text[:start]}{name}{asked.text[end:]}")


def _pointing(text: str, words: SchemaWords) -> tuple[int, int, str] | None:
    """Where a preposition and "that" stand before what a table is called, and which table that is."""
    tokens = tokens_of(text)
    for before, phrase in pairwise(said_phrases(text)):
        if _GOVERNING not in before.kinds or not phrase.kinds & _POINTING or phrase.last >= len(tokens):
            continue
        table = words.table_at(text, phrase.last)
        if table is not None:
            return phrase.start, tokens[phrase.last].end, table
    return None
