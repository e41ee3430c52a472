"""A word that is a name elsewhere in the database is not met by something that only resembles it.

Every word has one meaning, and the strongest is meant: a name of two words before each of them, a and
a column whose own words were said before its sibling.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dragoman.review.case import Case, is_moment, is_number, says
from dragoman.review.demanded_figures import is_near
from dragoman.review.likeness import supports
from dragoman.review.names import Parts, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Column, Table, TableKey
from dragoman.tables.paths import ColumnPath

_STEM: Final = 5
"""So many first letters in common make a deed and a noun one: enrolled, enrolment."""


def is_open(case: Case, at: int) -> bool:
    """Whether a word may name something: it is neither small nor a number, nor part of a cue or a period."""
    word = case.words[at]
    if word.number is not None or word.quoted or case.message.in_period(word):
        return False
    if word.keys & (case.message.small_words | case.message.vocabulary.idle):
        return False
    return not any(cue.first <= at < cue.last for cue in case.message.cues)


def is_met(case: Case, word: Word) -> bool:
    """Whether anything in the program accounts for a word."""
    if case.uses_words(word) or is_near(word, case.committed.names):
        return True
    return any(supports(word, text) for text in case.committed.texts)


def longer_names(case: Case) -> Iterator[Objection]:
    """ "Catalogue entries" are told by `catalogue_entry_name`, and are no catalogues."""
    for at, (one, other) in enumerate(pairwise(case.words) if not case.before else ()):
        if one.number is not None or one.quoted or one.keys & case.message.small_words:
            continue
        if not is_open(case, at + 1) or _is_parted(case, one, other):
            continue
        if not case.uses_words(one) or is_met(case, other):
            continue
        for name in _names_with(case, one, other):
            yield case.objection(Code.NAME_MISSING, f"{one.text} {other.text}", name)
            return


def _is_parted(case: Case, one: Word, other: Word) -> bool:
    return not case.message.text[one.end : other.start].isspace()


def _names_with(case: Case, one: Word, other: Word) -> Iterator[str]:
    """The names that have two words side by side, those of columns behind those of their table."""
    for table in case.graph.tables.values():
        called = parts_of(table.info.name)
        if _has_both(called, one, other):
            yield table.name
        for column in table.columns.values():
            parts = parts_of(column.info.name)
            own = len(parts) == 1 and bool(parts[0] & other.keys) and bool(called and called[0] & one.keys)
            if own or _has_both(parts, one, other):
                yield column.name


def _has_both(parts: Parts, one: Word, other: Word) -> bool:
    return any(first & one.keys and second & other.keys for first, second in pairwise(parts))


def sibling_columns(case: Case) -> Iterator[Objection]:
    """ "The amount that was settled" is `amount_settled`, and no `amount_claimed`."""
    used = {path.column for path in case.committed.columns}
    tables = {key: case.graph.tables[key] for key in case.committed.tables if not case.before}
    for column, table in _used(case, tables):
        mine = parts_of(column.info.name)
        for sibling in table.columns.values():
            if sibling in used or not _is_alike(column, sibling):
                continue
            theirs = parts_of(sibling.info.name)
            shared = [part for part in mine if any(part & other for other in theirs)]
            # Keys are told by what they lead to.
            if not shared or any(part & column_words("key") for part in (*mine, *theirs)):
                continue
            rest = [part for part in mine if part not in shared]
            # What the rows are called says nothing of their columns: the date of orders.
            own = words_of(table.info.name)
            their_rest = [part for part in theirs if not any(part & other for other in (*shared, own))]
            if not rest or not their_rest or any(_word_of(case, part, near=True) for part in rest):
                continue
            said = [_word_of(case, part, near=False) for part in their_rest]
            if all(said):
                yield case.objection(Code.COLUMN_CONTRADICTED, said[0], column.name)
                return


def _used(case: Case, tables: dict[TableKey, Table]) -> Iterator[tuple[Column, Table]]:
    for path in dict.fromkeys(case.committed.columns):
        for table in tables.values():
            if table.columns.get(path.column.name) is path.column:
                yield path.column, table


def _is_alike(one: Column, other: Column) -> bool:
    mine, theirs = ColumnPath((), one), ColumnPath((), other)
    numbers = is_number(mine) and is_number(theirs)
    return numbers or (is_moment(one.type) and is_moment(other.type))


def _word_of(case: Case, part: frozenset[str], *, near: bool) -> str:
    """The word that says a part of a name, as it is or by its beginning."""
    for at, word in enumerate(case.words):
        if near and (says(word, part) or is_near(word, part)):
            return word.text
        if is_open(case, at) and (word.keys & part or any(_begins_alike(word.form, key) for key in part)):
            return word.text
    return ""


def _begins_alike(one: str, other: str) -> bool:
    size = min(len(one), len(other))
    common = next((n for n in range(size) if one[n] != other[n]), size)
    # What differs is an ending.
    return common >= _STEM and max(len(one), len(other)) - common <= _STEM


def names_of_columns(case: Case, words: tuple[Word, ...]) -> bool:
    """Whether the last of some words is in the name of a column of the program's tables."""
    return bool(words) and any(
        words[-1].keys & words_of(column.info.name)
        for key in case.committed.tables
        for column in case.graph.tables[key].columns.values()
    )
