"""What is easily read past: the verb of a flag, half of a value, the place of a quotation, who did it."""

import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from dragoman.review.case import Case, is_moment, says
from dragoman.review.commitments import measures_of
from dragoman.review.contradictions import days_of
from dragoman.review.demanded_others import paired
from dragoman.review.doers import says_who
from dragoman.review.likeness import split, supports
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Column
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import TableVerb

_FEW: Final = 40
_NEAR: Final = 3
_SORTABLE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_LOOSE: Final = re.compile(r"\d{1,4}[-/. ](?:\d{1,2}|[A-Za-z]{3})[-/. ]\d{1,4}")
_YEAR: Final = re.compile(r"\d{4}[-/.]")
_SORTED: Final = ("above", "below", "at-least", "at-most", "between")


def flag_verbs(case: Case) -> Iterator[Objection]:
    """ "Guests who subscribed" are those with a flag `subscribe`."""
    used = {path.column for path in case.committed.columns}
    for request in case.committed.requests[-1:]:
        for word in case.words:
            if word.quoted or not case.message.vocabulary.verbal.search(word.form) or case.uses_words(word):
                continue
            for column in request.table.columns.values():
                if column not in used and word.keys & words_of(column.info.name) and is_flag(column):
                    yield case.objection(Code.NAME_MISSING, word.text, column.name)
                    return


def is_flag(column: Column) -> bool:
    samples = {sample.casefold() for sample in column.info.samples}
    return column.type.value == "boolean" or (bool(samples) and samples <= column_words("flag"))


def value_parts(case: Case) -> Iterator[Objection]:
    """ "Lost deals" are those whose stage is "Closed Lost"."""
    told = case.message.vocabulary
    for at, word in enumerate(case.words):
        done = word.form in told.done and not case.message.does("negation", "negative")
        if not done or word.quoted or case.uses_words(word) or _is_cue(case, at):
            continue
        if any(supports(word, text) for text in case.committed.texts):
            continue
        for key in case.committed.tables:
            for column in case.graph.tables[key].columns.values():
                if _is_kind(column) and any(
                    word.form in split(s.casefold())[1:] for s in column.info.samples
                ):
                    yield case.objection(Code.VALUE_MISSING, word.text, column.name)
                    return


def _is_cue(case: Case, at: int) -> bool:
    return any(cue.first <= at < cue.last for cue in case.message.cues)


def _is_kind(column: Column) -> bool:
    few = column.info.distinct is None or column.info.distinct <= _FEW
    return column.type.value == "text" and few


def loose_dates(case: Case) -> Iterator[Objection]:
    """Dates written like 2011-8-5 are in no order: no days of them can be compared or sorted; only years that
    they begin with."""
    for atom in case.committed.atoms:
        if atom.column is None or not _are_loose(atom.column) or (atom.value is None and paired(case)):
            continue
        compared = (
            atom.sign not in ("equal", "missing") if is_moment(atom.column.type) else atom.sign in _SORTED
        )
        if compared and not (isinstance(atom.value, str) and _YEAR.fullmatch(atom.value)):
            said = case.message.periods[0].text if case.message.periods else case.message.text
            yield case.objection(Code.PERIOD_MISSING, said, atom.part)
            return
    for request in case.committed.requests[-1:]:
        for each in request.order:
            if isinstance(each.by, ColumnPath) and _are_loose(each.by.column):
                yield case.objection(Code.ORDER_MISSING, case.message.text, each.by.written)
                return


def _are_loose(column: Column) -> bool:
    return any(_LOOSE.match(sample) and not _SORTABLE.match(sample) for sample in column.info.samples)


def summed_rows(case: Case) -> Iterator[Objection]:
    """ "The number of fees" counts them, and adds up no money."""
    told = case.message.vocabulary
    measures = measures_of(case.committed.requests[-1]) if case.committed.requests else ()
    sums = [each for each in measures if each.verb is TableVerb.SUM]
    if case.before or not sums or len(sums) < len(measures):
        return
    for cue in case.message.does("count"):
        noun = case.words[cue.last : cue.last + 1]
        counts = case.message.said(cue).casefold() in told.counts_rows
        if not counts or not noun or noun[0].form in told.pieces.get("pieces", ()):
            continue
        for each in sums:
            if isinstance(each.of, ColumnPath) and _is_money(each.of):
                yield case.objection(Code.COUNTED_MISSING, case.message.said(cue), each.written)
                return


def _is_money(path: ColumnPath) -> bool:
    words = words_of(path.column.info.name)
    return bool(words & column_words("money")) and not words & column_words("pieces")


def asked_columns(case: Case) -> Iterator[Objection]:
    """ "What marks did Ilka get" shows marks, whatever is counted beside."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not request.measures or len(case.words) < _NEAR or case.before:
        return
    if case.words[0].form not in case.message.vocabulary.asks or case.message.does("count"):
        return
    noun = case.words[1]
    if any(each.of is not None for each in request.measures) or case.uses_words(noun):
        return
    keys = [key for key in case.committed.tables if _has_column(case, key, noun)]
    if keys and not noun.keys & case.message.vocabulary.vague:
        yield case.objection(Code.SHOWN_MISSING, noun.text)


def _has_column(case: Case, key: tuple[str, str], word: Word) -> bool:
    return any(word.keys & words_of(column.info.name) for column in case.graph.tables[key].columns.values())


def quoted_places(case: Case) -> Iterator[Objection]:
    """ "Rope" in the title: the title holds it, and perhaps more."""
    told = case.message.vocabulary
    for at, word in enumerate(case.words):
        behind = case.words[at + 1 : at + 1 + _NEAR]
        led = at > 0 and case.words[at - 1].form in told.shown_with.get("with", ())
        if not (word.quoted or led) or not behind or behind[0].form not in told.in_unit:
            continue
        place = next((each for each in behind[1:] if each.keys.isdisjoint(told.articles)), None)
        if place is None:
            continue
        for atom in case.committed.atoms:
            if not isinstance(atom.value, str) or not supports(word, atom.value) or atom.column is None:
                continue
            if atom.sign == "equal" or not says(place, words_of(atom.column.info.name)):
                titled = bool(place.keys & column_words("label"))
                if titled or any(_has_column(case, key, place) for key in case.committed.tables):
                    yield case.objection(Code.COLUMN_CONTRADICTED, f"{word.text} {place.text}", atom.part)
                return


def done_by(case: Case) -> Iterator[Objection]:
    """ "The total number of tours booked by guests from Italy" is one number."""
    told = case.message.vocabulary
    cues = [cue for cue in case.message.does("count") if case.message.said(cue).casefold() in told.whole]
    if not cues or case.message.does("each", "most", "least") or case.before:
        return
    by = case.message.does("by")
    passive = [cue for cue in by if says_who(case, cue)]
    for request in case.committed.requests[-1:]:
        if len(by) == len(passive) and request.by and not request.having:
            yield case.objection(Code.GROUP_UNASKED, part=", ".join(path.written for path in request.by))
            return


def narrowed_periods(case: Case) -> Iterator[Objection]:
    """ "Only the final weeks" lie within the year that was spoken of."""
    if not case.before or not case.words or case.words[0].form not in case.message.vocabulary.narrowing:
        return
    for atom in case.committed.atoms:
        mine = days_of(atom) if atom.sign == "within" else None
        if mine is None or re.search(r"\d{4}", case.message.text):
            continue
        for old in case.before[-1].atoms:
            theirs = days_of(old) if old.sign == "within" and old.column == atom.column else None
            if theirs is not None and _are_apart(mine, theirs):
                yield case.objection(Code.PERIOD_MISSING, case.message.text, atom.part)
                return


def _are_apart(one: tuple[dt.date, dt.date], other: tuple[dt.date, dt.date]) -> bool:
    return one[1] < other[0] or other[1] < one[0]


def counted_first(case: Case) -> Iterator[Objection]:
    """ "Count the claims" asks for a number, also where an amount is shown."""
    first = case.words[0] if case.words else None
    if first is None or first.quoted or first.form not in case.message.vocabulary.counting:
        return
    if case.committed.requests and not case.committed.measures:
        yield case.objection(Code.MEASURE_MISSING, first.text)


def undone(case: Case) -> Iterator[Objection]:
    """ "Boats returned by guests": that they were booked says nothing of it."""
    for word in case.words:
        if word.quoted or word.form not in case.message.vocabulary.undone or case.uses_words(word):
            continue
        if case.committed.read and not any(supports(word, text) for text in case.committed.texts):
            yield case.objection(Code.NAME_MISSING, word.text)
            return
