"""Which taught words a message has: what was not said means nothing there.

A word is said in its own form or in another number: late order, late orders. Verbs are told apart by their
endings: who taught what shipped means has said nothing of shipping.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from dragoman.contracts.program import Text, Value
from dragoman.contracts.schema import ValueType
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.locales.registry import FALLBACK, language
from dragoman.planning.tables.words import in_one, is_verb_form
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.teaching import teaching_words
from dragoman.tables.graph import Graph

_DATES: Final = frozenset({ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT})


def meaning_of(word: TaughtWord) -> Value | None:
    """The meaning of a word as a value of a program; None where it is none."""
    read = read_verbs(Source(f"(x.y :v {word.means})"))
    if read.diagnostics or len(read.statements) != 1:
        return None
    found = read.statements[0].argument("v")
    return found.value if found is not None else None


def words_said(text: str, words: Iterable[TaughtWord], graph: Graph) -> tuple[TaughtWord, ...]:
    """The taught words that a message has. A verb that means a date is one of them where the message speaks
    of a time: how many were sold is no question for a date."""
    said = frozenset(_pieces(text))
    found = tuple(word for word in words if _pieces_of(word.word) <= said)
    if any(is_dated_verb(word, graph) for word in found) and not _speaks_of_time(text):
        return tuple(word for word in found if not is_dated_verb(word, graph))
    return found


def is_dated_verb(word: TaughtWord, graph: Graph) -> bool:
    """Whether a word is what is done at a date: sold means the order date."""
    if word.kind is not TaughtKind.COLUMN or not is_verb_form(word.word.casefold()):
        return False
    table, meaning = graph.by_name.get(word.of), meaning_of(word)
    column = table.column(meaning.value) if table is not None and isinstance(meaning, Text) else None
    return column is not None and column.type in _DATES


def _pieces(text: str) -> Iterable[str]:
    for word in text.replace("-", " ").replace("’s", "").replace("'s", "").split():
        plain = word.strip(_MARKS).casefold()
        if plain:
            yield in_one(plain)


@cache
def _pieces_of(word: str) -> frozenset[str]:
    return frozenset(_pieces(word))


def _speaks_of_time(text: str) -> bool:
    times = teaching_words(language(FALLBACK)).times
    return not times.isdisjoint(_pieces(text)) or any(period_grammar().find(text))


_MARKS: Final = ".,;:!?()[]{}\"“”„«»‘’`'"
