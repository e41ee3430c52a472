"""Words that a database teaches about itself: short comments are names, lists of codes are meanings.

They are used as taught words are, with two differences: a person's word wins over them, and they never keep a
message from being read otherwise. What is ambiguous teaches nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from dragoman.contracts.program import Boolean, Entry, Integer, Map, Text, Value
from dragoman.contracts.schema import DatabaseSchema, ValueType
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.language.verbs.printer import print_value
from dragoman.locales.registry import FALLBACK, every_language
from dragoman.locales.script import LATIN, script_of
from dragoman.planning.tables.name_words import name_words
from dragoman.planning.tables.words import stem
from dragoman.planning.teaching.comments import Comment, read_comment
from dragoman.tables.graph import Column, Graph, Table
from dragoman.tables.verbs import NUMBERS

_TRUTHS: Final = {
    "1": True,
    "t": True,
    "y": True,
    "true": True,
    "0": False,
    "f": False,
    "n": False,
    "false": False,
}
_CODE: Final = 4
"""A longer word is a code where a row has it."""
_TEXTS: Final = frozenset({ValueType.TEXT, ValueType.OTHER})


def declared_words(schema: DatabaseSchema, taught: Iterable[TaughtWord] = ()) -> tuple[TaughtWord, ...]:
    """The words that the comments of a schema teach, without those that a person taught."""
    graph = Graph(schema)
    known = frozenset(_stems(each.word) for each in taught)
    named = frozenset(word for table in graph.tables.values() for word in _name_stems(table))
    found = [
        *_unambiguous(_table_names(graph, named)),
        *(word for table in graph.tables.values() for word in _unambiguous(_of_columns(table, named))),
    ]
    return tuple(each for each in found if _stems(each.word) not in known)


def _table_names(graph: Graph, named: frozenset[str]) -> Iterator[TaughtWord]:
    for table in graph.tables.values():
        said = read_comment(table.info.comment).name.split()
        # Of several words the last says what the rows are, in English; a phrase is no name of a table.
        word = said[-1] if said and (len(said) == 1 or script_of(said[0]) == LATIN) else ""
        if word.isalpha() and stem(word) not in named:
            yield _told(word, TaughtKind.TABLE, table, "", table.info.comment)


def _of_columns(table: Table, named: frozenset[str]) -> Iterator[TaughtWord]:
    own = {frozenset(name_words(column.info.name)) for column in table.columns.values()}
    for column in table.columns.values():
        comment = read_comment(column.info.comment)
        is_key = _is_key(table, column)
        said = _stems(comment.name)
        # Of a key only another word is taken: beside it a key has no columns that are like it.
        new = not said & named if len(said) == 1 else not is_key and said not in own
        if comment.name and new:
            means = print_value(Text(column.name))
            yield _told(comment.name, TaughtKind.COLUMN, table, means, column.info.comment)
        if not is_key:
            yield from _meanings(table, column, comment, own)


def _meanings(
    table: Table, column: Column, comment: Comment, own: set[frozenset[str]]
) -> Iterator[TaughtWord]:
    values = [(meaning, code, _value(column, code)) for code, meaning in comment.codes]
    if any(value is None for _, _, value in values) or not _fits(column, [code for _, code, _ in values]):
        return
    table_words = frozenset(name_words(table.info.name))
    for meaning, _, value in values:
        if value is not None and _stems(meaning) not in own and _stems(meaning) != table_words:
            where = print_value(Map((Entry(column.name, value),)))
            yield _told(meaning, TaughtKind.CONDITION, table, where, column.info.comment)


def _fits(column: Column, codes: list[str]) -> bool:
    """Whether the codes of a comment are those of the column, by what is declared or was seen of it."""
    info = column.info
    if column.type is ValueType.BOOLEAN:
        return True
    if info.options:
        return set(codes) <= set(info.options)
    seen = set(info.samples)
    whole = info.distinct is not None and 0 < info.distinct <= len(info.samples)
    return not (whole and seen.isdisjoint(codes)) and all(
        len(code) <= _CODE or code in seen for code in codes
    )


def _value(column: Column, code: str) -> Value | None:
    if column.type is ValueType.BOOLEAN:
        truth = _TRUTHS.get(code.casefold())
        return None if truth is None else Boolean(truth)
    if column.type in NUMBERS:
        return Integer(int(code)) if code.removeprefix("-").isdecimal() and code.isascii() else None
    return Text(code) if column.type in _TEXTS else None


def _is_key(table: Table, column: Column) -> bool:
    name = column.info.name
    return name in table.info.primary_key or any(name in key.columns for key in table.info.foreign_keys)


def _unambiguous(words: Iterable[TaughtWord]) -> Iterator[TaughtWord]:
    """The words that mean one thing among these."""
    found = list(words)
    times = Counter(_stems(each.word) for each in found)
    return (each for each in found if times[_stems(each.word)] == 1)


def _name_stems(table: Table) -> Iterator[str]:
    for name in (table.info.name, *table.by_real_name):
        yield from name_words(name)
        yield stem(name.casefold())


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.casefold().split()))


def _told(word: str, kind: TaughtKind, table: Table, means: str, comment: str) -> TaughtWord:
    script = script_of(word)
    code = next((each.code for each in every_language() if each.script == script != LATIN), FALLBACK)
    return TaughtWord(word, kind, table.name, means, comment, code)
