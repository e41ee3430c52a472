"""Which taught words a message has: what was not said means nothing there.

A word is said in its own form or in another number: late order, late orders. Verbs are told apart by their
endings: who taught what shipped means has said nothing of shipping.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from dragoman.contracts.program import Map, Text, Value
from dragoman.contracts.schema import ValueType
from dragoman.contracts.taught import TAUGHT, TaughtKind, TaughtWord
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.locales.registry import FALLBACK, language
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.words import in_one, is_verb_form, stem
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.teaching import teaching_words
from dragoman.tables.graph import Graph

_REMEMBERED: Final = 512
_DATES: Final = frozenset({ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT})


@lru_cache(maxsize=_REMEMBERED)
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
    pieces = tuple(_pieces(text))
    said, timely = frozenset(pieces), _speaks_of_time(text)
    return tuple(
        word
        for word in words
        if _pieces_of(word.word) <= said
        and (timely or not is_dated_verb(word, graph))
        and not (word.is_condition and _says_more(word, pieces, graph))
    )


def _says_more(word: TaughtWord, pieces: tuple[str, ...], graph: Graph) -> bool:
    """Whether the word of a condition is said of a column that it does not test: those who bat left-handed,
    where it is known how they throw; what was shipped in March, where there is a ship date."""
    table, meaning = graph.by_name.get(word.of), meaning_of(word)
    if table is None or not isinstance(meaning, Map):
        return False
    tested = {entry.key for entry in meaning.entries}
    others = [
        frozenset(map(stem, plain_words(column.info.name)))
        for name, column in table.columns.items()
        if name not in tested and column.info.native != TAUGHT
    ]
    at = _place(word, pieces)
    before, rows = pieces[at - 1] if at > 0 else "", set(map(stem, plain_words(table.info.name)))
    if stem(before) not in rows and frozenset({stem(before)}) in others:
        return True
    if not is_verb_form(word.word.casefold()) or not any(stem(word.word) in each for each in others):
        return False
    end = at + len(_ordered(word.word))
    after = pieces[end] if at >= 0 and end < len(pieces) else ""
    return bool(after) and stem(after) not in rows


def _place(word: TaughtWord, pieces: tuple[str, ...]) -> int:
    """Where a word begins in a message; below nought where its parts stand apart."""
    parts = _ordered(word.word)
    return next((at for at in range(len(pieces)) if pieces[at : at + len(parts)] == parts), -1)


@cache
def _ordered(word: str) -> tuple[str, ...]:
    return tuple(_pieces(word))


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
