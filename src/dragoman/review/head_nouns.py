"""Nouns that say what is asked for: rows called so are no value of others, and what stands behind "what" and
"how" is shown."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dragoman.contracts.schema import ValueType
from dragoman.review.case import Case, is_moment
from dragoman.review.commitments import Atom
from dragoman.review.demanded_figures import is_near
from dragoman.review.names import begins_with, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Column, Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import TableVerb

_NEAR: Final = 4


def nouns_as_values(case: Case) -> Iterator[Objection]:
    """ "The five cheapest kits" are not what stands on the shelf "Kit", where rows have a kit number."""
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.sign != "equal" or atom.negated or atom.having:
            continue
        if atom.column is None or atom.table is None or atom.part in case.carried:
            continue
        value = atom.value.casefold()
        at = next((n for n, w in enumerate(case.words) if value in w.keys and w.is_plural), None)
        if at is None or case.words[at].quoted or case.words[at].capital or _is_held(case, atom, at):
            continue
        if any(begins_with(table, case.words[at]) for table in _rows(case, atom)):
            yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            return


def _rows(case: Case, atom: Atom) -> Iterator[Table]:
    """The rows that are asked for, and those that have the value by a key of their own."""
    for request in case.committed.requests:
        if request.table.key != atom.table:
            yield request.table
    for table in case.graph.tables.values():
        links = case.graph.links(table).values()
        if table.key != atom.table and any(link.single and link.target == atom.table for link in links):
            yield table


def _is_held(case: Case, atom: Atom, at: int) -> bool:
    """Whether the column of a value is said beside it: on the shelf "kits"."""
    names = words_of(atom.column.info.name) if atom.column is not None else frozenset()
    beside = [*case.words[max(at - 1, 0) : at], *case.words[at + 1 : at + 2]]
    return any(word.keys & (names - case.message.small_words) for word in beside)


def how_old(case: Case) -> Iterator[Objection]:
    """ "How old is Oren" asks for an age, or for the day from which it is counted."""
    asked = case.message.vocabulary.marks.get("how_old", ())
    for first, second in pairwise(case.words):
        if f"{first.form} {second.form}" not in asked or case.committed.names & column_words("age_of"):
            continue
        yield case.objection(Code.SHOWN_MISSING, f"{first.text} {second.text}")
        return


def what_of_whom(case: Case) -> Iterator[Objection]:
    """ "What fee does Ilka charge" asks for a fee: a key of hers is none."""
    told, words = case.message.vocabulary, case.words
    for at in range(len(words) - 2):
        noun, verb = words[at + 1], words[at + 2]
        if words[at].form not in told.asks or verb.form not in told.doing or noun.quoted or case.before:
            continue
        known = noun.number is not None or noun.keys & (told.vague | case.message.small_words)
        names = case.committed.names
        if known or case.uses_words(noun) or is_near(noun, names) or _is_shown_otherwise(case):
            continue
        if not any(cue.first <= at + 1 < cue.last for cue in case.message.cues):
            yield case.objection(Code.SHOWN_MISSING, noun.text)
            return


def _is_shown_otherwise(case: Case) -> bool:
    """Whether anything but keys and dates is shown, which may be what a noun means."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST:
        return True
    paths = [each for each in request.shown or request.columns if isinstance(each, ColumnPath)]
    held = [atom.column for atom in case.committed.atoms if atom.sign == "equal"]
    return any(
        not words_of(path.column.info.name) & column_words("key")
        and not is_moment(path.column.type)
        and path.column not in held
        for path in paths
    )


def ends_of_ways(case: Case) -> Iterator[Objection]:
    """ "Where do they go" asks for the other end of a way: where they come from is none."""
    told = case.message.vocabulary
    for at, word in enumerate(case.words):
        behind = case.words[at + 1 : at + 1 + _NEAR]
        if word.form not in told.marks.get("where", ()) or not behind or behind[0].form not in told.doing:
            continue
        goes = next((each for each in behind if each.form in told.marks.get("goes", ())), None)
        names = case.committed.names
        if goes is None or names & column_words("to_place") or not names & column_words("from_place"):
            continue
        yield case.objection(Code.ROLE_MISSING, f"{word.text} … {goes.text}")
        return


def periods_of_deeds(case: Case) -> Iterator[Objection]:
    """ "Courses given in 2018" go by the day on which they were given, where rows on the way have one."""
    told = case.message.vocabulary
    for period in case.message.periods if not case.before else ():
        before = [word for word in case.words if word.end <= period.start][-_NEAR:]
        deeds = [word for word in before if told.passive.search(word.form) and len(word.form) > _NEAR]
        dated = [a for a in case.committed.atoms if a.column is not None and is_moment(a.column.type)]
        dated = [atom for atom in dated if atom.sign != "missing" and atom.column is not None]
        for word in deeds:
            fitting = [c for c in _dates(case) if _is_of(word, c)]
            if fitting and dated and not any(a.column is not None and _is_of(word, a.column) for a in dated):
                yield case.objection(Code.DATE_CONTRADICTED, word.text, dated[0].part)
                return


def _dates(case: Case) -> Iterator[Column]:
    """The dates of every table that the program goes through."""
    keys = {link.target for atom in case.committed.atoms for link in atom.links} | case.committed.tables
    for key in keys:
        yield from case.graph.tables[key].dates


def _is_of(word: Word, column: Column) -> bool:
    return bool(word.keys & words_of(column.info.name))


def kinds_there_are(case: Case) -> Iterator[Objection]:
    """ "What states are there" and "can a ticket have" want each of them once, and of rows that are called
    so."""
    request = case.committed.requests[-1] if case.committed.requests else None
    told = case.message.vocabulary
    if request is None or request.verb is not TableVerb.LIST or request.top or case.before:
        return
    paths = [each for each in request.shown or request.columns if isinstance(each, ColumnPath)]
    if len(paths) != 1 or request.joined or paths[0].column.type is not ValueType.TEXT:
        return
    name, table = paths[0].column.info.name, request.table
    asked = _asked_kind(case, name)
    if asked is None or case.words[asked].keys & words_of(table.info.name):
        return
    there = told.marks.get("there", frozenset())
    behind = case.words[asked + 1].form if asked + 1 < len(case.words) else ""
    if not request.distinct and not table.determined_by([name]) and behind in there:
        yield case.objection(Code.REPEATED_ROWS, case.words[asked].text)
        return
    # The kinds of courses are kept with the courses, and not with what was noted of them.
    first = parts_of(name)[0]
    called = ((t, parts_of(t.info.name)) for t in case.graph.tables.values())
    others = [t for t, parts in called if len(parts) == 1 and parts[0] & first]
    owned = any(name.casefold() == c.info.name.casefold() for t in others for c in t.columns.values())
    plain = not paths[0].links and not case.committed.atoms and not case.mentions(words_of(table.info.name))
    if owned and plain and table not in others:
        yield case.objection(Code.COLUMN_CONTRADICTED, case.words[asked].text, paths[0].written)


def _asked_kind(case: Case, name: str) -> int | None:
    """Where the plural stands that is asked for, one to three words behind "what"."""
    first = next((n for n, w in enumerate(case.words[:2]) if w.form in case.message.vocabulary.asks), None)
    if first is None:
        return None
    for at in range(first + 1, min(first + _NEAR, len(case.words))):
        word = case.words[at]
        said = word.keys | ({word.form[:-2]} if word.form.endswith("es") else set())
        if not said & words_of(name) and not any(_is_half(word, part) for part in words_of(name)):
            return None
        if word.is_plural:
            return at
    return None


def _is_half(word: Word, name: str) -> bool:
    """Whether a word begins or ends a name that is written in one: time zones, and `timezone`."""
    keys = (key for key in word.keys if len(key) >= _NEAR)
    return any(name != key and (name.startswith(key) or name.endswith(key)) for key in keys)
