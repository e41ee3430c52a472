"""What must hold of which thing: the number of the noun behind it, the column of its owner."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from dragoman.review.case import Case, says, shown_paths
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_figures import is_near
from dragoman.review.names import Named, words_of
from dragoman.review.records import Code, Objection
from dragoman.tables.verbs import TableVerb

_FEW_COLUMNS = 3
_BEFORE = 2
_DIGITS = re.compile(r"\d+")


def numbers_of_rows(case: Case) -> Iterator[Objection]:
    """ "Mentors with at least 2 pupils" counts pupils: no column of something else is 2."""
    for at, word in enumerate(case.words):
        if word.number is None or case.message.in_period(word):
            continue
        named = next((each for each in case.named if each.first in (at + 1, at + 3)), None)
        if named is None or not named.tables or named.columns or not _is_compared(case, at):
            continue
        if named.first == at + 3 and not any(cue.first == at + 1 for cue in case.message.does("count")):
            continue
        atoms = [atom for atom in case.committed.atoms if _has(atom, word.number)]
        if atoms and all(_is_other(case, atom, named) for atom in atoms):
            said = f"{word.text} {case.said_of(named)}"
            yield case.objection(Code.COLUMN_CONTRADICTED, said, atoms[0].part)
            return


def numbers_of_records(case: Case) -> Iterator[Objection]:
    """ "At least two records" counts rows: no column is 2."""
    for word, noun in pairwise(case.words):
        if word.number is None or noun.form not in case.message.vocabulary.row_nouns or case.uses_words(noun):
            continue
        atoms = [atom for atom in case.committed.atoms if _has(atom, word.number)]
        if atoms and not any(atom.having or atom.column is None for atom in atoms):
            yield case.objection(Code.COLUMN_CONTRADICTED, f"{word.text} {noun.text}", atoms[0].part)
            return


def compared_names(case: Case) -> Iterator[Objection]:
    """ "A berth count above 100" compares that column, and no sum of something else."""
    signs = case.message.does("above", "below", "at-least", "at-most")
    for named in case.named:
        cue = next((each for each in signs if 0 <= each.first - named.last <= 1), None)
        here = any(key in case.committed.tables for key, _ in named.columns)
        if cue is None or named.tables or not here or cue.last >= len(case.words):
            continue
        number = case.words[cue.last].number
        atoms = [] if number is None else [atom for atom in case.committed.atoms if _has(atom, number)]
        if atoms and all(_is_other_column(case, atom, named) for atom in atoms):
            yield case.objection(Code.COLUMN_CONTRADICTED, case.said_of(named), atoms[0].part)
            return


def _is_other_column(case: Case, atom: Atom, named: Named) -> bool:
    """Whether an atom is about a column that lacks words of a name, and others that mean the same."""
    if atom.column is None or (atom.table is None and not atom.having):
        return False
    names = words_of(atom.column.info.name)
    words = case.words[named.first : named.last]
    return not all(says(word, names) or is_near(word, names) for word in words)


def numbered_columns(case: Case) -> Iterator[Objection]:
    """ "Mooring lines 1 and 2" are two columns, and not two rows."""
    said = {word.form for word in case.words if word.number is not None}
    for request in case.committed.requests:
        limit = str(request.limit or request.top or "")
        for path in shown_paths(request) if limit in said else ():
            digits = _DIGITS.findall(path.column.info.name)
            if not digits or digits[-1] not in said - {limit}:
                continue
            other = path.column.info.name.replace(digits[-1], limit)
            if any(column.name == other for column in request.table.info.columns):
                yield case.objection(Code.SHOWN_MISSING, other.replace("_", " "))
                return


def _is_compared(case: Case, at: int) -> bool:
    signs = ("above", "below", "at-least", "at-most", "exact")
    near = any(0 <= at - cue.last <= 1 for cue in case.message.does(*signs))
    return near or any(0 < at - cue.first <= 4 for cue in case.message.does("between"))


def _has(atom: Atom, number: Decimal) -> bool:
    match atom.value:
        case (first, last):
            return number in (number_of(first), number_of(last))
        case value:
            return number_of(value) == number


def _is_other(case: Case, atom: Atom, named: Named) -> bool:
    """Whether an atom is about a column that has nothing of a noun in its name."""
    if atom.having or atom.column is None:
        return False
    word = case.words[named.last - 1]
    names = words_of(atom.column.info.name)
    return not (says(word, names) or is_near(word, names) or case.mentions(names))


def owners(case: Case) -> Iterator[Objection]:
    """ "Fairs with traders whose details …": the details are the traders'."""
    for at, word in enumerate(case.words):
        if word.form not in case.message.vocabulary.owner:
            continue
        owner = next((each for each in case.named if each.last == at and each.tables), None)
        owned = case.named_after(at + 1, 0)
        if owner is None or owned is None or owned.tables:
            continue
        mine = [place for place in owned.columns if place[0] in owner.tables]
        held = [a for a in case.committed.atoms if a.column and (a.table, a.column.name) in owned.columns]
        if mine and held and all(atom.table not in owner.tables for atom in held):
            said = f"{case.said_of(owner)} {word.text} {case.said_of(owned)}"
            yield case.objection(Code.COLUMN_CONTRADICTED, said, held[0].part)
            return


def two_at_once(case: Case) -> Iterator[Objection]:
    """No row has two values in one column."""
    found: dict[tuple[object, ...], Atom] = {}
    # What a value is compared with may be read from other rows.
    for atom in case.committed.atoms if len(case.committed.requests) == 1 else ():
        if atom.sign != "equal" or atom.either or atom.negated or atom.column is None or atom.having:
            continue
        if not all(link.single for link in atom.links) or atom.value is None:
            continue
        place = (atom.table, atom.column.name, *(link.name for link in atom.links))
        other = found.setdefault(place, atom)
        if other.value != atom.value:
            yield case.objection(Code.BOTH_MISSING, f"{other.value}, {atom.value}", atom.part)
            return


def exact_ones(case: Case) -> Iterator[Objection]:
    """ "Exactly one berth" is a number too."""
    if Decimal(1) in case.committed.numbers or not case.message.vocabulary.single:
        return
    exact = case.message.does("exact")
    for at, word in enumerate(case.words[:-1]):
        if word.form not in case.message.vocabulary.single:
            continue
        if not any(0 <= at - cue.last < _BEFORE for cue in exact):
            continue
        if any(named.first == at + 1 for named in case.named):
            yield case.objection(Code.NUMBER_MISSING, f"{word.text} {case.words[at + 1].text}")
            return


def open_periods(case: Case) -> Iterator[Objection]:
    """ "In 2001 or before" is not 2001 alone."""
    for cue in case.message.does("or-more", "or-less"):
        word = case.words[cue.first - 1] if cue.first else None
        if word is None or not case.message.in_period(word):
            continue
        held = [atom for atom in case.committed.atoms if word.form in str(atom.value)]
        if held and _is_closed(held):
            said = case.message.text[word.start : case.words[cue.last - 1].end]
            yield case.objection(Code.DIRECTION_MISSING, said, held[0].part)
            return


def _is_closed(atoms: list[Atom]) -> bool:
    """Whether atoms keep to a time with a first and a last day."""
    signs = {atom.sign for atom in atoms}
    ends = signs & {"above", "at-least"} and signs & {"below", "at-most"}
    return bool(ends) or signs <= {"equal", "within"}


def everything(case: Case) -> Iterator[Objection]:
    """ "All information about the berths" is more than one column."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or case.before:
        return
    shown = shown_paths(request)
    if not shown or len(shown) >= _FEW_COLUMNS or len(request.table.columns) <= len(shown):
        return
    for cue in case.message.does("everything"):
        said = frozenset().union(*(word.keys for word in case.words[cue.first : cue.last]))
        if not all(case.mentions(words_of(path.column.info.name) - said) for path in shown):
            yield case.demanded(Code.SHOWN_MISSING, cue)
            return
