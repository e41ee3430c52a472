"""A date of a kind that nobody speaks of is not taken where rows have a plain one, or others have the one
that was said."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dragoman.review.case import Case, is_moment, says
from dragoman.review.demanded_figures import is_near
from dragoman.review.names import parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Column, Table
from dragoman.tables.paths import ColumnPath

_STEM: Final = 4
_LONG_STEM: Final = 5
_SHORTEST: Final = 3
_PARTICLES: Final = frozenset({"in", "out", "up", "off", "down"})
"""Schemas are written in English."""


def unsaid_dates(case: Case) -> Iterator[Objection]:
    """ "Tickets of 2024" are those that were made then, and not those that are planned to begin then."""
    if case.before or not case.message.periods:
        return
    for atom in case.committed.atoms:
        column, key = atom.column, atom.table
        if column is None or key is None or not is_moment(column.type) or atom.sign == "missing":
            continue
        table = case.graph.tables[key]
        kind = _kind(case, column, table)
        if not kind or _is_said(case, kind) or atom.having:
            continue
        others = [other for other in table.dates if other != column]
        # Who signed up came to be: a sign-in is told by the same verb.
        told = not _is_plain(case, column, table) and any(_is_told(case, each, table) for each in others)
        if told or any(_is_plain(case, other, table) for other in others):
            said = case.message.periods[0].text
            yield case.objection(Code.DATE_CONTRADICTED, said, atom.part)
            return


def _kind(case: Case, column: Column, table: Table) -> frozenset[str]:
    """What a date is called beyond being one of the rows of its table."""
    plain = words_of(table.info.name) | column_words("time") | column_words("plain") | column_words("held")
    telling = (part for part in parts_of(column.info.name) if not part & plain)
    return frozenset[str]().union(*telling) - case.message.small_words


def _is_plain(case: Case, column: Column, table: Table) -> bool:
    kind = _kind(case, column, table)
    return not kind or bool(kind & column_words("made"))


def _is_told(case: Case, column: Column, table: Table) -> bool:
    """Whether a word certainly speaks of a date: discharges, of `dischtime`."""
    kind = _kind(case, column, table)
    stems = {part[:_LONG_STEM] for part in kind if len(part) >= _LONG_STEM}
    return any(word.keys & kind or word.form[:_LONG_STEM] in stems for word in case.words)


def _is_said(case: Case, kind: frozenset[str]) -> bool:
    told = case.message.vocabulary.date_verbs
    verbs = frozenset[str]().union(*(told.get(each, frozenset()) for each in kind))
    columns = case.message.vocabulary.date_columns
    verbs |= frozenset[str]().union(*(told.get(v, frozenset()) for v, c in columns.items() if c & kind))
    stems = {part[:_STEM] for part in kind if len(part) >= _STEM}
    if any(word.keys & verbs or word.form[:_STEM] in stems for word in case.words):
        return True
    return any(says(word, kind) or is_near(word, kind) for word in case.words)


def dates_of_deeds(case: Case) -> Iterator[Objection]:
    """ "Boats that were returned in May" came back then: a date of the boat is none of its return."""
    if case.before or not case.message.periods:
        return
    for atom in case.committed.atoms:
        if atom.column is None or atom.links or atom.table is None or not is_moment(atom.column.type):
            continue
        kind = _kind(case, atom.column, case.graph.tables[atom.table])
        if not kind or _is_said(case, kind):
            continue
        for each in case.committed.linkings:
            table = case.graph.tables[each.links[-1].target]
            if each.bare and not each.absent and _has_days(case, table):
                yield case.objection(Code.DATE_CONTRADICTED, case.message.periods[0].text, atom.part)
                return


def _has_days(case: Case, table: Table) -> bool:
    """Whether rows have a date, or lead to a table of days."""
    days = column_words("time") | {"calendar"}
    links = (link for link in case.graph.links(table).values() if link.single and "-by-" not in link.name)
    return bool(table.dates) or any(
        words_of(case.graph.tables[link.target].info.name) & days for link in links
    )


def other_particles(case: Case) -> Iterator[Objection]:
    """Who signed up did not sign in: a verb is told from another by the small word behind it."""
    moments = [atom.column for atom in case.committed.atoms if atom.column is not None]
    moments += [
        each.by.column
        for request in case.committed.requests
        for each in request.order
        if isinstance(each.by, ColumnPath)
    ]
    for column in moments:
        if not is_moment(column.type):
            continue
        parts = parts_of(column.info.name)
        bare = next((word for part in parts if (word := _without(case, part)) is not None), None)
        if bare is not None:
            yield case.objection(Code.DATE_CONTRADICTED, bare.text, column.name)
            return
        for verb, small in pairwise(parts):
            mine = small & _PARTICLES
            said = next((w for v, w in pairwise(case.words) if v.keys & verb and w.form in _PARTICLES), None)
            if mine and said is not None and said.form not in mine:
                yield case.objection(Code.DATE_CONTRADICTED, said.text, column.name)
                return


def _without(case: Case, part: frozenset[str]) -> Word | None:
    """The verb of a message, if a name has it with a small word written onto it and they lack it: who
    logged hours has no login."""
    if case.mentions(part):
        return None
    for small in _PARTICLES:
        verbs = {
            n.removesuffix(small) for n in part if n.endswith(small) and len(n) >= len(small) + _SHORTEST
        }
        said = [at for at, word in enumerate(case.words) if word.keys & verbs]
        if said and not any(word.form == small for at in said for word in case.words[at + 1 : at + 2]):
            return case.words[said[0]]
    return None


def dates_of_others(case: Case) -> Iterator[Objection]:
    """ "Boats that were built in 2017" are not those with a sailing then: a date of many other rows, of which
    nobody speaks, is none of a thing that has its own."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or not case.message.periods or not request.table.dates:
        return
    for atom in case.committed.atoms:
        if atom.column is None or atom.table is None or not is_moment(atom.column.type):
            continue
        if atom.sign == "missing" or all(link.single for link in atom.links) or atom.having:
            continue
        names = words_of(case.graph.tables[atom.table].info.name) - case.message.small_words
        names = names.union(*(words_of(link.name.partition("-by-")[0]) for link in atom.links))
        kind = _kind(case, atom.column, case.graph.tables[atom.table])
        said = case.mentions(names) or any(is_near(word, names) for word in case.words)
        if not said and not (kind and _is_said(case, kind)):
            yield case.objection(Code.DATE_CONTRADICTED, case.message.periods[0].text, atom.part)
            return
