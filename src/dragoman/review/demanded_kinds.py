"""What kind of answer a message asks for: a list of prices tells whose they are, cities are told once, and
"more often" counts."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dragoman.review.case import Case, is_bare_figure, path_words, shown_paths
from dragoman.review.names import labels_of, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_COMPARING: Final = frozenset({"above", "below", "at-least", "at-most"})
_PART: Final = 4
"""So long is a word, at least, by which a column may be called in part."""


def lists_of(case: Case) -> Iterator[Objection]:
    """ "The price list of the boats" tells which boat each price is of."""
    request = _listed(case)
    if request is None or case.before:
        return
    shown = shown_paths(request)
    for first, second in pairwise(case.words):
        if second.form not in case.message.vocabulary.lists or not shown:
            continue
        said = all(first.keys & words_of(path.column.info.name) for path in shown)
        bare = not any(path.column.name in labels_of(request.table) for path in shown)
        if said and bare and labels_of(request.table):
            written = ", ".join(path.written for path in shown)
            yield case.objection(Code.LABEL_MISSING, second.text, written)
            return


def kinds_once(case: Case) -> Iterator[Objection]:
    """ "Which cities do they come from" wants each city once, though every row of people has one."""
    request = _listed(case)
    if request is None or case.before or request.distinct or request.top or is_bare_figure(request):
        return
    shown = shown_paths(request)
    if len(shown) != 1 or shown[0].links or request.joined:
        return
    column, table = shown[0].column.info.name, request.table
    if table.determined_by([column]) or shown[0].column.name in labels_of(table)[1:]:
        return
    asks = case.message.vocabulary.asks
    first = next((at for at, word in enumerate(case.words[:_PART]) if word.form in asks), _PART)
    # "Which pot shapes": the noun may have another before it.
    start = first + 1
    while start < _PART and start < len(case.words) and not case.words[start].is_plural:
        if not case.words[start].keys & words_of(column):
            return
        start += 1
    for second in case.words[start : start + 1]:
        if second.is_plural and second.keys & words_of(column):
            if not second.keys & words_of(table.info.name):
                yield case.objection(Code.REPEATED_ROWS, second.text)
            return


def frequencies(case: Case) -> Iterator[Objection]:
    """ "Who came more often than average" counts, whatever else can be more."""
    told = case.message.vocabulary
    said = next((b for a, b in pairwise(case.words) if a.form in told.oftener and b.form in told.often), None)
    if said is None:
        return
    counts = any(each.verb is TableVerb.COUNT for each in case.committed.measures)
    if not counts and not case.committed.names & (column_words("pieces") | told.often):
        yield case.objection(Code.COMPARISON_MISSING, said.text)


def _listed(case: Case) -> ReadRequest | None:
    request = case.committed.requests[-1] if case.committed.requests else None
    return request if request is not None and request.verb is TableVerb.LIST else None


def sold_once(case: Case) -> Iterator[Objection]:
    """ "How many boats sold above average" counts boats: what was sold of them is what is compared."""
    sold = case.message.vocabulary.sold
    said = [word for word in case.words if word.keys & sold]
    compared = [
        atom
        for atom in case.committed.atoms
        if atom.sign in _COMPARING and atom.column is not None and words_of(atom.column.info.name) & sold
    ]
    if case.before or not compared or len(said) != 1:
        return
    for each in case.committed.measures:
        pieces = isinstance(each.of, ColumnPath) and words_of(each.of.column.info.name) & column_words(
            "pieces"
        )
        if each.verb is TableVerb.SUM and pieces:
            yield case.objection(Code.MEASURE_UNASKED, part=each.written)
            return


def numbers_for_names(case: Case) -> Iterator[Objection]:
    """ "Which boats cost more" wants their names, where they have some, and not their stock numbers."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or any(word.keys & column_words("key") for word in case.words):
        return
    paths = shown_paths(request) if request.verb is TableVerb.LIST else request.by
    if len(paths) != 1 or not words_of(paths[0].column.info.name) & column_words("key"):
        return
    if any(atom.column == paths[0].column and isinstance(atom.value, str) for atom in case.committed.atoms):
        # "Kits against spares": the codes themselves were said.
        return
    table = case.graph.tables[paths[0].links[-1].target] if paths[0].links else request.table
    named = any(words_of(c.info.name) & column_words("label") for c in table.columns.values())
    others = [each for each in request.shown if isinstance(each, ColumnPath) and each != paths[0]]
    # "Kits" says nothing of a `kit_stock_number` yet, where the rows are called otherwise.
    parts = parts_of(paths[0].column.info.name)
    own = len(parts) < 3 or bool(parts[0] & words_of(table.info.name))
    said = words_of(paths[0].column.info.name) - (frozenset() if own else parts[0])
    if named and not others and not case.mentions(said):
        yield case.objection(Code.LABEL_MISSING, part=paths[0].written)


def shown_too(case: Case) -> Iterator[Objection]:
    """ "Show the email as well" shows it beside the rows that were listed."""
    last = case.before[-1].requests[-1] if case.before and case.before[-1].requests else None
    request = case.committed.requests[-1] if case.committed.requests else None
    also = case.message.vocabulary.shown_with.get("also", frozenset())
    asks = any(cue.first == 0 for cue in case.message.does("which"))
    if last is None or request is None or not asks or not any(word.form in also for word in case.words[-1:]):
        return
    if last.verb is not TableVerb.LIST or request.verb is not TableVerb.LIST:
        return
    told = frozenset().union(*(path_words(path) for path in shown_paths(request)))
    tables = [case.graph.tables[key] for key in case.committed.tables]
    ends = [parts_of(c.info.name)[-1] for table in tables for c in table.columns.values()]
    for word in case.words:
        small = word.keys & (case.message.small_words | told)
        if not small and any(word.keys & end for end in ends):
            yield case.objection(Code.SHOWN_MISSING, word.text)
            return
