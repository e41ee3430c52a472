"""What is counted beside a number or a noun: units are no rows, dates are no orders."""

from collections.abc import Iterator

from dragoman.review.case import Case, leads_to, says
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_numbers import holds, numbers_in
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.graph import Table, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb


def counted_units(case: Case) -> Iterator[Objection]:
    """ "More than 35 minutes" is held against no number of rows."""
    counts = [atom for atom in case.committed.atoms if atom.having and atom.column is None]
    if any(each.of is not None for each in case.committed.measures):
        # What is counted, or added up, may well be hours.
        return
    for number in numbers_in(case) if counts else ():
        if not number.unit or case.uses_words(case.words[number.last]):
            continue
        atom = next((each for each in counts if holds(each, number)), None)
        if atom is not None and atom.part not in case.carried:
            text = f"{number.text} {case.words[number.last].text}"
            yield case.objection(Code.UNIT_MISSING, text, atom.part)
            return


def counted_dates(case: Case) -> Iterator[Objection]:
    """ "How many orders" is no number of different days, where a key leads to a table of days."""
    told = case.message.vocabulary
    if any(word.keys & (told.parts | told.timed) for word in case.words):
        return
    for request in case.committed.requests:
        for each in request.measures:
            if each.verb is not TableVerb.COUNT or not each.distinct or not isinstance(each.of, ColumnPath):
                continue
            if _leads_to_days(case, request, each.of):
                yield case.objection(Code.MEASURE_UNASKED, part=each.written)
                return


def _leads_to_days(case: Case, request: ReadRequest, path: ColumnPath) -> bool:
    table = case.graph.tables[path.links[-1].target] if path.links else request.table
    days = case.message.vocabulary.parts | column_words("time") | {"calendar"}
    return any(
        link.single
        and "-by-" not in link.name
        and any(here == path.column.info.name for here, _ in link.pairs)
        and words_of(case.graph.tables[link.target].info.name) & days
        for link in case.graph.links(table).values()
    )


def different_summed(case: Case) -> Iterator[Objection]:
    """ "How many different boats" adds no pieces up."""
    counts = [cue.last for cue in case.message.does("count")]
    for cue in case.message.does("distinct"):
        if cue.first not in counts or case.before:
            continue
        measures = case.committed.measures
        if measures and all(each.verb is TableVerb.SUM for each in measures):
            yield case.demanded(Code.DISTINCT_MISSING, cue, measures[0].written)
            return


def counted_elsewhere(case: Case) -> Iterator[Objection]:
    """ "How many boats of each kind" counts boats, and not those of their repairs that have one."""
    if case.before or not case.committed.requests:
        return
    request = case.committed.requests[-1]
    counts = [each for each in request.measures if each.verb is TableVerb.COUNT]
    if not request.by or not counts or any(each.of is not None for each in counts):
        return
    for cue in case.message.does("count"):
        named = _counted(case, cue.last)
        if named is None or case.mentions(words_of(request.table.info.name)):
            continue
        reached = {key: case.graph.tables[key] for key in _reached(request) if key != request.table.key}
        table = next((t for t in reached.values() if _is_called(case, t, named)), None)
        if table is not None:
            yield case.objection(Code.COUNTED_MISSING, case.words[named].text, table.name)
            return


def _counted(case: Case, at: int) -> int | None:
    """Where the noun stands that a count is of."""
    while at < len(case.words) and case.words[at].keys & case.message.small_words:
        at += 1
    return at if at < len(case.words) and case.words[at].is_plural else None


def _reached(request: ReadRequest) -> set[TableKey]:
    return {link.target for path in request.by for link in path.links}


def _is_called(case: Case, table: Table, at: int) -> bool:
    return says(case.words[at], words_of(table.info.name))


def grouped_counts(case: Case) -> Iterator[Objection]:
    """ "Per agent" makes no groups by `employee_count`: a number of things tells no things apart."""
    for request in case.committed.requests:
        for path in request.by:
            words = words_of(path.column.info.name)
            if path.part is not None or path.column.type.value == "text" or not words & _NUMBERED:
                continue
            table = case.graph.tables[path.links[-1].target] if path.links else request.table
            if path.column in table.measures and not case.mentions(words & _NUMBERED) and not case.before:
                yield case.objection(Code.GROUP_UNASKED, part=path.written)
                return


_NUMBERED = frozenset({"count", "total", "amount", "quantity", "sum", "average"})


def rates_as_groups(case: Case) -> Iterator[Objection]:
    """ "The hourly wage of each potter" makes no groups of hours."""
    told = case.message.vocabulary
    for at, word in enumerate(case.words[:-1]):
        if word.form not in told.timed or case.words[at + 1].form not in told.rates:
            continue
        if any(path.part is not None for request in case.committed.requests for path in request.by):
            yield case.objection(Code.GROUP_UNASKED, word.text, case.words[at + 1].text)
            return


def years_compared(case: Case) -> Iterator[Objection]:
    """ "Longer than the average" holds no year against the average year."""
    told = case.message.vocabulary
    if any(word.keys & told.parts or word.form in told.newer for word in case.words):
        return
    for atom in case.committed.atoms:
        if atom.column is None or atom.having or atom.value is not None or atom.sign in ("missing", "equal"):
            continue
        if _is_part_of_date(atom):
            yield case.objection(Code.COLUMN_CONTRADICTED, case.message.text, atom.part)
            return


def _is_part_of_date(atom: Atom) -> bool:
    """Whether a column holds the years, months or weeks of dates: `year`, `tyear`."""
    name = atom.column.info.name.casefold() if atom.column is not None else ""
    return any(name.endswith(part) for part in ("year", "month", "week", "day", "quarter"))


def odd_units(case: Case) -> Iterator[Objection]:
    """ "More than 30 minutes" is held against no column whose least number is 600: it holds something smaller
    than minutes."""
    for number in numbers_in(case):
        for atom in case.committed.atoms if number.unit else ():
            if atom.column is None or atom.having or atom.part in case.carried or not holds(atom, number):
                continue
            value, least, most = number_of(atom.value), atom.column.info.least, atom.column.info.most
            if value is None or least is None or most is None or value != number.value:
                continue
            low = atom.sign in ("above", "at-least") and value < least
            if low or (atom.sign in ("below", "at-most") and value > most):
                text = f"{number.text} {case.words[number.last].text}"
                yield case.objection(Code.UNIT_MISSING, text, atom.part)
                return


def counted_anew(case: Case) -> Iterator[Objection]:
    """ "And how many ended there" counts what was counted before, and not the places of it."""
    last = case.before[-1].requests[-1] if case.before and case.before[-1].requests else None
    request = case.committed.requests[-1] if case.committed.requests else None
    if (
        last is None
        or request is None
        or request.table.key != last.table.key
        or case.message.does("distinct")
    ):
        return
    if not last.measures or any(each.verb is not TableVerb.COUNT or each.of for each in last.measures):
        return
    for each in request.measures:
        if each.verb is not TableVerb.COUNT or not each.distinct or not isinstance(each.of, ColumnPath):
            continue
        names = words_of(each.of.column.info.name) | leads_to(case.graph, request.table, each.of)
        nouns = [word for word in case.words if word.is_plural and says(word, names)]
        if not nouns:
            yield case.objection(Code.COUNTED_MISSING, case.message.text, each.written)
            return
