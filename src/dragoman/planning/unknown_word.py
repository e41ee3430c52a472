"""A question over tables that fails by one word: which names are near it, and whether it can be taught.

What is near is offered with the question that it makes, never taken. A word is worth teaching where the rest
of the message speaks of the database; otherwise the message is about something else.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Statement
from dragoman.locales.thesaurus import near
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.schema_names import Things
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.tables.words import stem
from dragoman.planning.tables.words import tokens_of as words_of
from dragoman.reading.tokens import fold, tokens_of

MOST_NAMES: Final = 3
_ALIKE: Final = 0.7
_SHORTEST: Final = 4
_NAMED: Final = 0.9
"""How well a word has to name something to count as known."""


def near_names(things: Things, word: str) -> tuple[str, ...]:
    """The names of tables and columns that are near a word by spelling or by meaning, the nearest first."""
    low = word.casefold()
    if len(low) < _SHORTEST or not low.isalpha():
        return ()
    # Imported when a word is unknown.
    from rapidfuzz import fuzz

    meant = near(low, stem)
    found: dict[str, float] = {}
    for thing in things.all:
        info = thing.table.info if thing.column is None else thing.column.info
        name = " ".join(plain_words(info.name))
        written = name.casefold()
        alike = fuzz.ratio(low, written) / 100 if written[:1] == low[:1] else 0.0
        score = max(meant.get(" ".join(thing.required), 0.0), alike if alike >= _ALIKE else 0.0)
        if score and not thing.is_key:
            found[name] = max(score, found.get(name, 0.0))
    return tuple(sorted(found, key=lambda name: (-found[name], name))[:MOST_NAMES])


def near_readings(
    things: Things, text: str, word: str, sure: Callable[[str], TableReading | None]
) -> tuple[TableReading, ...]:
    """What a message says with the names that are near its unknown word. `sure` is the reading of a text that
    would be taken; where there is none, the name is not offered."""
    found: dict[Statement, TableReading] = {}
    for name in near_names(things, word):
        changed = with_name(text, word, name)
        best = sure(changed) if changed is not None else None
        if best is not None:
            found.setdefault(best.statement, replace(best, uncovered=(word,)))
    return tuple(found.values())


def with_name(text: str, word: str, name: str) -> str | None:
    """The message with a name in the place of the word; None where that is not one word of it."""
    places = [token for token in tokens_of(text) if token.form == fold(word)]
    if len(places) != 1:
        return None
    return text[: places[0].start] + name + text[places[0].end :]


def is_worth_teaching(planner: JointPlanner, text: str, word: str) -> bool:
    """Whether the rest of a message names a part of the database."""
    rest = with_name(text, word, " ")
    if rest is None or not word.isalpha():
        return False
    links = planner.schema_words.linker.links(words_of(planner.in_english(rest) or rest))
    return any(named.score >= _NAMED and not named.slip for each in links.named.values() for named in each)
