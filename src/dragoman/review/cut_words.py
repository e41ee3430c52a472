"""Words that names are cut from, and names that are made of two words: the longest that was said is meant."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dragoman.locales.thesaurus import near_words
from dragoman.review.case import Case
from dragoman.review.likeness import alike, split, supports
from dragoman.review.names import parts_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Table

_LONG: Final = 6
_CUT: Final = 4
_TWO: Final = 2
_LISTED: Final = frozenset("<>,;|")


def cut_columns(case: Case) -> Iterator[Objection]:
    """ "Subdivisions" are those of a column `subdiv_nm`, and not those of `div_nm`."""
    used = {path.column for path in case.committed.columns}
    for word in case.words:
        if len(word.form) < _LONG or word.quoted or word.capital or _is_explained(case, word):
            continue
        for key in case.committed.tables:
            name = _cut_of(case.graph.tables[key], word)
            if name and case.graph.tables[key].columns[name] not in used:
                yield case.objection(Code.NAME_MISSING, word.text, name)
                return


def _is_explained(case: Case, word: Word) -> bool:
    at = case.words.index(word)
    return (
        case.uses_words(word)
        or bool(word.keys & case.message.small_words)
        or case.message.in_period(word)
        or any(cue.first <= at < cue.last for cue in case.message.cues)
        or any(named.first <= at < named.last for named in case.named)
        or any(supports(word, text) for text in case.committed.texts)
    )


def _cut_of(table: Table, word: Word) -> str:
    """The column whose name begins with a word that is cut short: what is a word itself, is not cut."""
    for column in table.columns.values():
        parts = parts_of(column.info.name)
        # What is a form of the word is not cut.
        for part in sorted(parts[0]) if parts and not parts[0] & word.keys else ():
            cut = len(part) >= _CUT and part not in column_words("plain") and word.form.startswith(part)
            if cut and part not in near_words():
                return column.name
    return ""


def two_words(case: Case) -> Iterator[Objection]:
    """ "North Havenish" is of North Haven, where there is one, and not of something called North."""
    known = case.values
    texts = [text.casefold() for text in case.committed.texts]
    for one, other in pairwise(case.words) if known is not None else ():
        if not (one.text[:1].isupper() and other.capital) or "," in case.message.text[one.end : other.start]:
            continue
        if not any(text == one.form for text in texts):
            continue
        for place in known.holding(one.form) if known is not None else ():
            parts = split(place.value.casefold())
            said = len(parts) == _TWO and parts[0] == one.form and alike(other, parts[1])
            if said and place.value.casefold() not in texts:
                yield case.objection(Code.VALUE_MISSING, f"{one.text} {other.text}", place.value)
                return


def listed_values(case: Case) -> Iterator[Objection]:
    """ "Tagged oak" is more than the rows with that tag alone, where a column holds lists of them."""
    for atom in case.committed.atoms if case.values is not None else ():
        value = atom.value
        if not isinstance(value, str) or atom.sign != "equal" or atom.column is None or atom.table is None:
            continue
        core = value.strip("".join(_LISTED) + " ")
        if not core or atom.part in case.carried or any(mark in core for mark in _LISTED):
            continue
        places = case.values.holding(core) if case.values is not None else ()
        here = (*atom.table, atom.column.info.name)
        longer = [p.value for p in places if (p.schema, p.table, p.column) == here and p.value != value]
        if sum(any(mark in each.strip("<> ") for mark in _LISTED) for each in longer) >= _TWO and all(
            core in split(each.casefold()) or core.casefold() in each.casefold() for each in longer
        ):
            yield case.objection(Code.COLUMN_CONTRADICTED, core, atom.part)
            return
