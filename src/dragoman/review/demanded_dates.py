"""Which date a period, a group or an order is about: births, deaths and changes only where they were said."""

from collections.abc import Iterator
from typing import Final

from dragoman.review.case import Case, is_moment, path_words, says
from dragoman.review.commitments import Atom, Committed, Links
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.graph import Column, Table
from dragoman.tables.paths import ColumnPath

_SPECIAL: Final = ("birth", "death", "debut", "bookkeeping")
_LATE: Final = "late_date"

Place = tuple[Links, Column, Table]


def special_dates(case: Case) -> Iterator[Objection]:
    """A year that nobody calls one of birth or death is none; nor one of a change, if rows have another."""
    if case.before and not case.message.periods and not _says_newest(case):
        return
    for links, column, table in _times(case):
        words = words_of(column.info.name)
        kind = next((kind for kind in _SPECIAL if words & column_words(kind)), None)
        if kind is None or _speaks_of(case, kind) or _is_carried(case, column):
            continue
        if case.mentions(words - column_words("time") - column_words("plain") - case.message.small_words):
            continue
        # The time of a change may be all that rows have.
        if kind != "bookkeeping" or _has_other(case, table):
            said = case.message.periods[0].text if case.message.periods else ""
            yield case.objection(Code.DATE_CONTRADICTED, said, _written(links, column))
            return


def _says_newest(case: Case) -> bool:
    """Whether the message itself orders by a time: "newest first"."""
    told = case.message.vocabulary.timely
    return any(word.form in told for word in case.words)


def _speaks_of(case: Case, kind: str) -> bool:
    """Whether any word is of a birth, an age, a death, a change."""
    known = case.message.vocabulary.hints.get(kind, frozenset())
    return any(word.keys & (known | column_words(kind)) for word in case.words)


def _has_other(case: Case, table: Table) -> bool:
    """Whether rows have a date of another kind: in their own table, or in one that leads here."""
    tables = [table, *(request.table for request in case.committed.requests)]
    return any(
        _is_time(column) and not any(words_of(column.info.name) & column_words(kind) for kind in _SPECIAL)
        for each in tables
        for column in each.columns.values()
    )


def _times(case: Case) -> Iterator[Place]:
    """The columns of time that decide rows, groups or their order."""
    for atom in case.committed.atoms:
        if atom.column is not None and atom.table is not None and _is_time(atom.column) and _is_held(atom):
            yield atom.links, atom.column, case.graph.tables[atom.table]
    for request in case.committed.requests:
        ordered = [each.by for each in request.order if isinstance(each.by, ColumnPath)]
        for path in (*request.by, *ordered):
            if _is_time(path.column):
                table = case.graph.tables[path.links[-1].target] if path.links else request.table
                yield path.links, path.column, table


def _is_held(atom: Atom) -> bool:
    return atom.sign != "missing" and not isinstance(atom.value, bool)


def _is_time(column: Column) -> bool:
    words = words_of(column.info.name)
    return is_moment(column.type) or bool(words & (column_words("year") | column_words("birthday")))


def _written(links: Links, column: Column) -> str:
    return "/".join([*(link.name for link in links), column.name])


def _is_carried(case: Case, column: Column) -> bool:
    return any(column in _columns(before) for before in case.before)


def _columns(committed: Committed) -> set[Column]:
    return {path.column for path in committed.columns} | {
        atom.column for atom in committed.atoms if atom.column is not None
    }


def same_date(case: Case) -> Iterator[Objection]:
    """ "And in 1989?" is about the date that the turn before was about."""
    for before in case.before:
        dates = {
            atom.column
            for atom in before.atoms
            if atom.column is not None and is_moment(atom.column.type) and atom.value is not None
        }
        for atom in case.committed.atoms:
            if atom.column is None or not dates or not is_moment(atom.column.type) or not _is_held(atom):
                continue
            if atom.column in dates or _is_of_new_rows(case, atom, before):
                continue
            if not case.mentions(_telling(case, atom.column)):
                yield case.objection(Code.DATE_CONTRADICTED, case.message.text, atom.part)
                return


def _is_of_new_rows(case: Case, atom: Atom, before: Committed) -> bool:
    """ "How many visits did they have in May" of guests who joined in April: a date of the rows that the
    message itself asks for."""
    if atom.links or atom.table is None or any(each.table.key == atom.table for each in before.requests):
        return False
    return case.mentions(words_of(case.graph.tables[atom.table].info.name))


def _telling(case: Case, column: Column) -> frozenset[str]:
    return words_of(column.info.name) - column_words("time") - case.message.small_words


def late_dates(case: Case) -> Iterator[Objection]:
    """ "Tickets of 2024" are not those that were closed then, where it is known when they came."""
    for links, column, table in _times(case):
        words = words_of(column.info.name)
        if not is_moment(column.type) or not words & column_words(_LATE) or _is_carried(case, column):
            continue
        plain = [c for c in table.dates if not words_of(c.info.name) & _unlikely()]
        verbs = case.message.vocabulary.date_verbs.values()
        said = any(word.keys & verb for word in case.words for verb in verbs)
        if (
            plain
            and not said
            and not case.message.does("negation", "negative")
            and not _is_near(case, column)
        ):
            yield case.objection(Code.DATE_CONTRADICTED, "", _written(links, column))
            return


def _unlikely() -> frozenset[str]:
    return frozenset().union(*(column_words(kind) for kind in (*_SPECIAL, _LATE)))


def _is_near(case: Case, column: Column) -> bool:
    """Whether a word begins as a word of a column does: expire, of `expiration_date`."""
    words = [part for part in _telling(case, column) if len(part) >= 4]
    return case.mentions(_telling(case, column)) or any(
        word.form[:4] == part[:4] for word in case.words for part in words
    )


def far_dates(case: Case) -> Iterator[Objection]:
    """Issues that were created in March, and not the projects that they are in."""
    for request in case.committed.requests:
        for dated in request.dated:
            path = dated.path
            own = request.table.by_real_name.get(path.column.info.name)
            known = _was_held(case, path) or _is_said(case, path)
            if path.links and own is not None and is_moment(own.type) and not known:
                yield case.objection(Code.DATE_CONTRADICTED, "", path.written)
                return


def _was_held(case: Case, path: ColumnPath) -> bool:
    """ "How many posts does each of them have" of the members who joined in March: the turn before was about
    that date."""
    table = path.links[-1].target if path.links else None
    held = {(atom.table, atom.column) for before in case.before for atom in before.atoms}
    return not case.message.periods and (table, path.column) in held


def _is_said(case: Case, path: ColumnPath) -> bool:
    names = path_words(path) - words_of(path.column.info.name)
    return any(says(word, names) for word in case.words)


def numbers_as_years(case: Case) -> Iterator[Objection]:
    """ "More than 2000" is not a year."""
    told = case.message.vocabulary
    for cue in case.message.does("above", "below", "at-least", "at-most"):
        number = case.words[cue.last : cue.last + 1]
        if (
            not number
            or not number[0].text.isdigit()
            or case.message.said(cue).casefold() not in told.plain_numbers
        ):
            continue
        values = [atom for atom in case.committed.atoms if number[0].text in str(atom.value)]
        if values and all(atom.column is not None and is_moment(atom.column.type) for atom in values):
            yield case.objection(Code.COLUMN_CONTRADICTED, number[0].text, values[0].part)
            return
