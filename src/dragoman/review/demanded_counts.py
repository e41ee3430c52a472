"""What is counted: things once each, and never rows where an amount was asked for."""

from collections.abc import Iterator
from itertools import pairwise

from dragoman.contracts.schema import ValueType
from dragoman.review.case import Case, is_moment, is_number, says, shown_paths
from dragoman.review.demanded_figures import is_near
from dragoman.review.demanded_others import paired
from dragoman.review.demanded_values import distinct_of
from dragoman.review.likeness import split, supports
from dragoman.review.names import labels_of, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Cue, Word
from dragoman.tables.graph import Column, Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured, ReadRequest
from dragoman.tables.verbs import TableVerb

_FEW = 50
_TIMES = 5
"""A column that holds few values, each of them so often, is a kind of thing and no name."""


def amounts(case: Case) -> Iterator[Objection]:
    """ "Order value per month" sums values, and does not count orders."""
    if case.message.does("count", "most", "least", "extreme") or not case.committed.requests:
        return
    request = case.committed.requests[-1]
    if not request.measures or any(not _is_row_count(each) for each in request.measures) or case.before:
        return
    for word in case.words[case.head : case.head + 2]:
        if case.uses_words(word) or case.message.in_period(word):
            continue
        if _are_rows(case, word) or any(word.form in split(text.casefold()) for text in case.committed.texts):
            continue
        if word.form in case.message.vocabulary.measured or _is_measure(request.table, word):
            yield case.objection(Code.MEASURE_MISSING, word.text)
            return


def _are_rows(case: Case, word: Word) -> bool:
    """Copies are rows, where no column of the database says how many pieces there are."""
    if word.form not in case.message.vocabulary.pieces.get("pieces", frozenset()):
        return False
    columns = (column for table in case.graph.tables.values() for column in table.columns.values())
    return not any(words_of(column.info.name) & column_words("pieces") for column in columns)


def _is_row_count(measured: Measured) -> bool:
    return measured.verb is TableVerb.COUNT and measured.of is None


def _is_measure(table: Table, word: Word) -> bool:
    """Whether a word begins the name of a number: mrr of `mrr_cents`."""
    names = [parts_of(column.info.name) for column in table.measures]
    return any(parts and parts[0] & word.keys for parts in names) and not says(
        word, words_of(table.info.name)
    )


def weighed_shares(case: Case) -> Iterator[Objection]:
    """ "The share of revenue" is not a share of rows."""
    shares = [each for each in case.committed.measures if str(each.verb) == "share"]
    if not shares or any(each.of is not None for each in shares):
        return
    for cue in case.message.does("share"):
        for word in case.words[cue.last : cue.last + 3]:
            if word.form in case.message.vocabulary.measured and not case.uses_words(word):
                yield case.objection(Code.MEASURE_MISSING, f"{case.message.said(cue)} {word.text}")
                return


def counted_values(case: Case) -> Iterator[Objection]:
    """ "How many beds" is no number of different figures in a column."""
    if case.message.does("distinct"):
        return
    for request in case.committed.requests:
        for each in request.measures:
            path = each.of
            if not each.distinct or not isinstance(path, ColumnPath) or path.part is not None:
                continue
            table = case.graph.tables[path.links[-1].target] if path.links else request.table
            figure = path.column in table.measures or is_moment(path.type) or _is_written_number(path.column)
            timed = any(
                word.keys & case.message.vocabulary.parts
                for cue in case.message.does("count")
                for word in case.words[cue.last : cue.last + 2]
            )
            # "On how many days": days are counted, and the hours that something took are not.
            if figure and not (timed and path.column not in table.measures):
                yield case.objection(Code.MEASURE_UNASKED, part=each.written)
                return


def _is_written_number(column: Column) -> bool:
    """Whether a column of pieces or money holds numbers as texts."""
    samples = column.info.samples
    amounts = column_words("pieces") | column_words("money") | column_words("counted")
    named = bool(words_of(column.info.name) & amounts)
    return named and bool(samples) and all(sample.replace(".", "", 1).isdigit() for sample in samples)


def different_things(case: Case) -> Iterator[Objection]:
    """ "Different tests" are the kinds of test in a table of results, each once."""
    if paired(case):
        return
    for cue in case.message.does("distinct"):
        for request in case.committed.requests:
            if request.distinct and (not _shows_rows(request) or _shows_said(case, request)):
                continue
            if request.by or any(each.distinct for each in request.measures):
                continue
            repeated = _kind_named(case, request, cue)
            if repeated is not None:
                yield case.demanded(Code.DISTINCT_MISSING, cue, repeated.name)
                return


def _kind_named(case: Case, request: ReadRequest, cue: Cue) -> Column | None:
    """The column of a request's table that words behind a cue name, where its values repeat."""
    table = request.table
    own = parts_of(table.info.name)[-1:]
    for word in case.words[cue.last : cue.last + 2]:
        if own and word.keys & own[0]:
            labels = _labels(table)
            halves = column_words("first_name") | column_words("last_name")
            if sum(bool(words_of(column.name) & halves) for column in labels) > 1:
                # People who share a first name are different people.
                return None
            return next((column for column in labels if _repeats(case, table, column)), None)
        for column in table.columns.values():
            named = word.keys & words_of(column.info.name) and column.type is ValueType.TEXT
            if named and not table.determined_by([column.info.name]) and not _is_only(request, column):
                return column
    return None


def _labels(table: Table) -> list[Column]:
    """The columns with names and titles."""
    names = dict.fromkeys(labels_of(table))
    return [table.columns[name] for name in names if words_of(name) & column_words("label")]


def _repeats(case: Case, table: Table, column: Column) -> bool:
    """Whether most values of a column stand in several rows, as far as that is known."""
    many = distinct_of(case, table, column)
    return many is not None and many * 2 < (table.info.rows or 0)


def _shows_said(case: Case, request: ReadRequest) -> bool:
    """Whether one column is shown, by its name."""
    shown = shown_paths(request)
    return len(shown) == 1 and case.mentions(words_of(shown[0].column.info.name))


def _is_only(request: ReadRequest, column: Column) -> bool:
    return request.distinct and [path.column for path in shown_paths(request)] == [column]


def _shows_rows(request: ReadRequest) -> bool:
    return request.table.determined_by(
        path.column.info.name for path in shown_paths(request) if not path.links
    )


def kinds(case: Case) -> Iterator[Objection]:
    """ "What sizes do we have": a list of a column with few values names each once."""
    if not case.committed.requests or case.committed.atoms or case.committed.linkings:
        return
    request = case.committed.requests[-1]
    paths = shown_paths(request)
    if request.verb is not TableVerb.LIST or request.distinct or request.joined or request.top:
        return
    table, asks = request.table, case.message.vocabulary.asks
    opening = any(cue.first == 0 and case.words[0].form in asks for cue in case.message.does("which"))
    if len(request.columns) == len(paths) == 1 and not paths[0].links and not is_number(paths[0]):
        if opening and _is_kind(case, table, paths[0].column):
            yield case.objection(Code.REPEATED_ROWS, paths[0].column.name.replace("_", " "))
    elif opening and any(word.form in case.message.vocabulary.once for word in case.words[1:]):
        for column in _labels(table):
            if (
                case.mentions(words_of(column.info.name))
                and _repeats(case, table, column)
                and _shows_rows(request)
            ):
                yield case.objection(Code.REPEATED_ROWS, column.name.replace("_", " "))


def _is_kind(case: Case, table: Table, column: Column) -> bool:
    many = distinct_of(case, table, column)
    return many is not None and many <= _FEW and many * _TIMES <= (table.info.rows or 0)


def lone_rows(case: Case) -> Iterator[Objection]:
    """One row is counted where its own name is the condition: "how many bugs are in Apollo", of projects."""
    if not case.committed.requests or not case.message.does("count"):
        return
    request = case.committed.requests[-1]
    if request.verb is not TableVerb.COUNT or request.by or request.of is not None or request.joined:
        return
    own = words_of(request.table.info.name)
    if case.mentions(own) or any(is_near(word, own) for word in case.words):
        return
    labels = set(labels_of(request.table))
    for atom in case.committed.atoms:
        if atom.column is None or atom.links or atom.column.name not in labels:
            continue
        single = atom.column.info.unique or atom.column.info.distinct == request.table.info.rows
        if single and atom.sign == "equal" and not atom.negated and not atom.either:
            yield case.objection(Code.COUNTED_MISSING, request.table.name, atom.part)
            return


def unasked_parts(case: Case) -> Iterator[Objection]:
    """ "The best selling pear by revenue" asks for no day."""
    known = case.message.vocabulary
    said = any(word.keys & (known.parts | known.timed) for word in case.words)
    if not known.timed or said or case.before or case.message.periods:
        return
    for request in case.committed.requests:
        for path in request.by:
            if path.part is not None:
                yield case.objection(Code.GROUP_UNASKED, part=path.written)
                return


def amounts_counted(case: Case) -> Iterator[Objection]:
    """ "How much do the pickers earn" asks for an amount, and not how many they are."""
    known = case.message.vocabulary
    asked = [
        word
        for before, word in pairwise(case.words)
        if word.form in known.much and before.form in known.asking
    ]
    for request in case.committed.requests[-1:] if asked and not case.before else ():
        if request.measures and all(each.verb is TableVerb.COUNT for each in request.measures):
            yield case.objection(Code.MEASURE_MISSING, asked[0].text)


def named_shares(case: Case) -> Iterator[Objection]:
    """ "The win percentage" is the share of wins: the word before it is in the program somewhere."""
    told = [each for each in case.committed.measures if each.verb is TableVerb.SHARE]
    for cue in case.message.does("share") if told and not case.before else ():
        word = case.words[cue.first - 1] if cue.first else None
        if word is None or word.keys & case.message.small_words or word.number is not None:
            continue
        if any(each.first <= cue.first - 1 < each.last for each in case.message.cues):
            continue
        if case.uses_words(word) or any(supports(word, text) for text in case.committed.texts):
            continue
        if not is_near(word, case.committed.names):
            yield case.demanded(Code.MEASURE_MISSING, Cue(cue.does, cue.first - 1, cue.last))
            return
