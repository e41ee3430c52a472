"""Rows that nobody speaks of, where others are asked for; and what numbers and comparisons are of."""

from collections.abc import Iterator
from typing import Final

from dragoman.review.case import Case, is_moment, is_number, leads_to, says, shown_paths
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_figures import is_near
from dragoman.review.names import Named, noun_of_key, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.stronger_names import is_met
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Link, Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_NEAR: Final = 2
_FEWEST: Final = 2
_BEFORE: Final = 4


def unsaid_rows(case: Case) -> Iterator[Objection]:
    """ "The ages of gymnasts" are none of people who do no gymnastics, and the newest order is not the one
    that was shipped last: rows are asked for that a word calls by their table."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or request.joined or case.before:
        return
    if _is_called(case, request.table):
        return
    for named in case.named:
        if not named.tables or named.columns or request.table.key in named.tables:
            continue
        paths = shown_paths(request)
        order = [path for each in request.order if isinstance(path := each.by, ColumnPath)]
        if _is_optional(case, (*paths, *order), named) or _is_only_led(case, request, named):
            yield case.objection(Code.SHOWN_MISSING, case.said_of(named), request.table.name)
            return


def _is_called(case: Case, table: Table) -> bool:
    """Whether any word may mean the rows of a table."""
    # A table between two others may be called by both: each of its words must be said.
    parts = parts_of(table.info.name)
    if parts and all(any(says(word, part) or is_near(word, part) for word in case.words) for part in parts):
        return True
    if any(word.keys & noun_of_key(table) for word in case.words):
        return True
    return len(parts) > 1 and any(says(word, parts[-1]) for word in case.words)


def _is_optional(case: Case, paths: tuple[ColumnPath, ...], named: Named) -> bool:
    """Whether rows that are asked for are only looked up beside others, which need not have any."""
    held = {link.target for atom in case.committed.atoms for link in atom.links}
    held |= {link.target for each in case.committed.linkings if not each.absent for link in each.links}
    if held.intersection(named.tables):
        return False
    return any(_leads_back(path.links) in named.tables for path in paths if path.links)


def _leads_back(links: tuple[Link, ...]) -> object:
    """Where a way leads that goes against the keys at first."""
    return links[-1].target if "-by-" in links[0].name else None


def _is_only_led(case: Case, request: ReadRequest, named: Named) -> bool:
    """Whether all that is shown of rows is the key of those that are asked for, in an order of their own."""
    paths = shown_paths(request)
    called = words_of(case.words[named.last - 1].form) | case.words[named.last - 1].keys
    if not request.order or len(paths) != 1 or paths[0].links:
        return False
    return bool(leads_to(case.graph, request.table, paths[0]) & called) and any(
        case.graph.tables[key].dates for key in named.tables
    )


def counts_as_prices(case: Case) -> Iterator[Objection]:
    """ "Kinds with at least two pots" are no pots that cost two: a number right before rows counts them."""
    for atom in case.committed.atoms:
        number, column = number_of(atom.value), atom.column
        if number is None or atom.having or column is None or atom.part in case.carried:
            continue
        parts = parts_of(column.info.name)
        for at, word in enumerate(case.words[:-1]):
            noun = case.words[at + 1]
            if word.number != number or not noun.is_plural or len(parts) < _FEWEST:
                continue
            money = parts[-1] & (column_words("money") | column_words("price"))
            rows = any(noun.keys & parts_of(t.info.name)[-1] for t in case.graph.tables.values())
            if money and rows and any(noun.keys & part for part in parts[:-1]):
                yield case.objection(Code.COLUMN_CONTRADICTED, f"{word.text} {noun.text}", atom.part)
                return


def different_numbers(case: Case) -> Iterator[Objection]:
    """ "How many different carts" are no different numbers of free carts: a figure is no name of things."""
    for each in case.committed.measures:
        path = each.of
        if each.verb is not TableVerb.COUNT or not each.distinct or not isinstance(path, ColumnPath):
            continue
        parts = parts_of(path.column.info.name)
        if case.before or not is_number(path) or len(parts) < _FEWEST or is_led(case, path):
            continue
        rest = [part for part in parts if not any(word.keys & part and word.is_plural for word in case.words)]
        keyed = any(part & (column_words("key") | column_words("id")) for part in parts)
        unsaid = [part for part in rest if not any(says(w, part) or is_near(w, part) for w in case.words)]
        if unsaid and len(rest) < len(parts) and not keyed:
            yield case.objection(Code.COUNTED_MISSING, path.column.name, each.written)
            return


def is_led(case: Case, path: ColumnPath) -> bool:
    """Whether a column holds keys of other rows, or of its own."""
    keys = (
        {path.links[-1].target} if path.links else {request.table.key for request in case.committed.requests}
    )
    tables = [case.graph.tables[key] for key in keys]
    name = path.column.info.name
    return any(
        name in {*table.info.primary_key, *(n for key in table.info.foreign_keys for n in key.columns)}
        for table in tables
    )


def dates_of_other_deeds(case: Case) -> Iterator[Objection]:
    """ "Guests discharged by May" go by the day of no booking: what was done says which rows of theirs are
    meant, and those have another name."""
    told = case.message.vocabulary
    for atom in case.committed.atoms if not case.before else ():
        if atom.column is None or not is_moment(atom.column.type) or not atom.links or atom.links[0].single:
            continue
        if atom.sign == "missing" or atom.negated:
            continue
        names = words_of(atom.column.info.name)
        for link in atom.links:
            names |= words_of(link.name.partition("-by-")[0]) | words_of(case.graph.tables[link.target].name)
        if any(says(word, names) or is_near(word, names) for word in case.words):
            continue
        for period in case.message.periods:
            before = [word for word in case.words if word.end <= period.start][-_BEFORE:]
            deeds = [word for word in before if told.passive.search(word.form) and len(word.form) > _BEFORE]
            if deeds and not deeds[-1].keys & (
                told.bought | told.sold | told.done | case.message.small_words
            ):
                yield case.objection(Code.DATE_CONTRADICTED, deeds[-1].text, atom.part)
                return


def numbers_as_names(case: Case) -> Iterator[Objection]:
    """ "Two or more regions" looks for nothing that is called Two."""
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.part in case.carried:
            continue
        for at, word in enumerate(case.words):
            if word.number is None or word.quoted or word.form != atom.value.casefold():
                continue
            sides = case.message.does("or-more", "or-less", "at-least", "at-most", "above", "below")
            if any(cue.first == at + 1 or cue.last == at for cue in sides):
                yield case.objection(Code.FILTER_UNASKED, part=atom.part)
                return


def other_dimensions(case: Case) -> Iterator[Objection]:
    """ "Taller than 1.85" is held against a height, where there is one, and against no amount of money."""
    told = case.message.vocabulary.dimensions
    for at, word in enumerate(case.words):
        names = told.get(word.form, frozenset())
        number = next((w.number for w in case.words[at + 1 : at + 1 + _NEAR] if w.number is not None), None)
        if not names or number is None:
            continue
        for atom in case.committed.atoms:
            if number_of(atom.value) != number or atom.column is None or atom.having:
                continue
            if not words_of(atom.column.info.name) & names and _is_somewhere(case, atom, names):
                yield case.objection(Code.COLUMN_CONTRADICTED, word.text, atom.part)
                return


def _is_somewhere(case: Case, atom: Atom, names: frozenset[str]) -> bool:
    """Whether the table of a condition, or one beside it, has a column that is called so."""
    if atom.table is None:
        return False
    table = case.graph.tables[atom.table]
    beside = [case.graph.tables[link.target] for link in case.graph.links(table).values()]
    return any(words_of(c.info.name) & names for each in (table, *beside) for c in each.columns.values())


def names_of_nobody(case: Case) -> Iterator[Objection]:
    """ "The names of the districts hit by storms" are none of storms: a word says one thing, and what another
    word says is not what a word means that nothing is called by."""
    told = case.message.vocabulary
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or not (request.shown or request.columns):
        return
    for at, word in enumerate(case.words[:-1]):
        if not word.keys & column_words("label") or case.words[at + 1].form not in told.owning:
            continue
        head = _noun_behind(case, at + 2)
        if head is not None and not is_met(case, head) and _is_of_others(case, request, head):
            yield case.objection(Code.NAME_MISSING, head.text)
        return


def _noun_behind(case: Case, at: int) -> Word | None:
    """The plural right behind articles, if it is one word."""
    told = case.message.vocabulary
    while at < len(case.words) and case.words[at].form in (*told.articles, *told.all_of):
        at += 1
    word = case.words[at] if at < len(case.words) else None
    cue = any(cue.first <= at < cue.last for cue in case.message.cues)
    if word is None or cue or word.quoted or word.capital or not word.is_plural:
        return None
    return None if word.keys & (case.message.small_words | told.idle | told.vague) else word


def _is_of_others(case: Case, request: ReadRequest, head: Word) -> bool:
    """Whether all that is shown is of rows that other words speak of."""
    paths = [path for path in request.shown or request.columns if isinstance(path, ColumnPath)]
    keys = {path.links[-1].target if path.links else request.table.key for path in paths}
    others = [word for word in case.words if word is not head and not word.quoted]
    named = [parts_of(case.graph.tables[key].info.name)[-1] for key in keys]
    return bool(named) and all(any(word.keys & part for word in others) for part in named)
