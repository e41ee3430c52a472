"""What no program can mean, whatever was asked: periods that exclude each other, keys as figures."""

import datetime as dt
from collections.abc import Iterator
from typing import Final

from dragoman.reading.tokens import fold
from dragoman.review.case import Case, is_number, shown_paths
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_periods import day_of
from dragoman.review.records import Code, Objection
from dragoman.tables.conditions import Against, AllTests, ColumnCondition
from dragoman.tables.graph import Table
from dragoman.tables.paths import ColumnPath

_ORDERED: Final = frozenset({"above", "below", "at-least", "at-most"})

Days = tuple[dt.date, dt.date]


def disjoint_periods(case: Case) -> Iterator[Objection]:
    """No row is of 2015 and of 2017: the second period was meant instead of the first."""
    spans: dict[str, list[tuple[Days, Atom]]] = {}
    for atom in case.committed.atoms:
        days = days_of(atom)
        if days is None or atom.column is None or atom.negated or atom.either:
            continue
        place = "/".join([*(link.name for link in atom.links), atom.column.name])
        spans.setdefault(place, []).append((days, atom))
    for found in spans.values():
        latest, atom = max(found, key=lambda each: each[0][0])
        # A row may have several linked rows, each of another time.
        if latest[0] > min(days[1] for days, _ in found) and all(link.single for link in atom.links):
            said = case.message.periods[0].text if case.message.periods else case.message.text
            yield case.objection(Code.DATE_CONTRADICTED, said, atom.part)
            return


def days_of(atom: Atom) -> Days | None:
    match atom.value:
        case (first, last):
            low, high = day_of(first), day_of(last)
        case value:
            day = day_of(value)
            if day is None:
                return None
            low = day if atom.sign in ("above", "at-least", "equal") else None
            high = day if atom.sign in ("below", "at-most", "equal") else None
    return (low or dt.date.min, high or dt.date.max)


def absent_and_present(case: Case) -> Iterator[Objection]:
    """Who has no visits has none in May, and none to show."""
    absent = [each.links for each in case.committed.linkings if each.absent and each.bare]
    there = [each.links for each in case.committed.linkings if not each.absent]
    there += [path.links for request in case.committed.requests for path in shown_paths(request)]
    for links in absent:
        if any(other[: len(links)] == links for other in there):
            yield case.objection(Code.COLUMN_CONTRADICTED, case.message.text, links[-1].name)
            return


def compared_texts(case: Case) -> Iterator[Objection]:
    """A text is not at least a word."""
    for atom in case.committed.atoms:
        if atom.sign not in _ORDERED or not isinstance(atom.value, str) or atom.having:
            continue
        if not any(letter.isdigit() for letter in atom.value):
            yield case.objection(Code.COLUMN_CONTRADICTED, atom.value, atom.part)
            return


def compared_with_keys(case: Case) -> Iterator[Objection]:
    """Nobody earns more than the number of a row."""
    for request in case.committed.requests:
        for condition in request.conditions:
            if not isinstance(condition, ColumnCondition) or condition.column not in request.table.measures:
                continue
            tests = condition.test.tests if isinstance(condition.test, AllTests) else (condition.test,)
            for test in tests:
                if isinstance(test, Against) and _is_key(_ends(case, request.table, test.path), test.path):
                    yield case.objection(Code.COLUMN_CONTRADICTED, condition.column.name, test.path.written)
                    return


def _ends(case: Case, table: Table, path: ColumnPath) -> Table:
    return case.graph.tables[path.links[-1].target] if path.links else table


def _is_key(table: Table, path: ColumnPath) -> bool:
    keys = {*table.info.primary_key, *(name for key in table.info.foreign_keys for name in key.columns)}
    return path.column.info.name in keys


def any_rows(case: Case) -> Iterator[Objection]:
    """The best five are ranked by something; five rows of no order are any five."""
    told = case.message.vocabulary
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.limit is None or request.order:
        return
    for cue in case.message.does("most", "least", "extreme"):
        if fold(case.message.said(cue)) not in told.unranked:
            yield case.demanded(Code.SUPERLATIVE_MISSING, cue)
            return


def split_ranges(case: Case) -> Iterator[Objection]:
    """ "Between 2000 and 4000" is one range of one column."""
    for cue in case.message.does("between"):
        numbers = [word.number for word in case.words[cue.last : cue.last + 4] if word.number is not None]
        if len(numbers) != 2 or "from" in fold(case.message.said(cue)):
            continue
        held = [atom for atom in case.committed.atoms if number_of(atom.value) in numbers]
        dated = any(days_of(atom) is not None for atom in case.committed.atoms)
        if dated and len({atom.part for atom in held}) == 1 and held[0].sign == "equal":
            said = case.message.text[case.words[cue.first].start :]
            yield case.objection(Code.COMPARISON_MISSING, said, held[0].part)
            return


def added_keys(case: Case) -> Iterator[Objection]:
    """What numbers the rows of a thing is not an amount of it."""
    for request in case.committed.requests:
        for each in request.measures:
            path = each.of
            if not isinstance(path, ColumnPath) or str(each.verb) not in ("sum", "average"):
                continue
            if is_number(path) and path.links and _is_key(_ends(case, request.table, path), path):
                yield case.objection(Code.COLUMN_CONTRADICTED, case.message.text, each.written)
                return
