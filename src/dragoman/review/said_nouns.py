"""Nouns beside "total quantity", "average of" and "whose": which column and what thing is meant."""

from collections.abc import Iterator
from typing import Final

from dragoman.review.case import Case, is_bare_figure, says
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.graph import Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_FIGURES: Final = ("count", "sum", "average", "share", "most", "least", "extreme")
_BEHIND: Final = 2


def quantities_counted(case: Case) -> Iterator[Objection]:
    """ "The total quantity of pots" adds quantities up, where the rows that are used have one."""
    if case.before or not case.committed.measures:
        return
    if any(each.verb is not TableVerb.COUNT for each in case.committed.measures):
        return
    for cue in case.message.does("sum", "count"):
        word = case.words[cue.first : cue.last + 1]
        noun = next((each for each in word if each.keys & column_words("quantity")), None)
        tables = [case.graph.tables[key] for key in case.committed.tables]
        if noun is not None and any(_has_quantity(table) for table in tables):
            yield case.objection(Code.MEASURE_MISSING, noun.text)
            return


def _has_quantity(table: Table) -> bool:
    return any(words_of(column.info.name) & column_words("quantity") for column in table.measures)


def figures_of_columns(case: Case) -> Iterator[Objection]:
    """ "The average of weight" is of a column that is called so, whatever table is too."""
    for cue in case.message.does("average") if not case.before else ():
        at = cue.last
        if at + 1 >= len(case.words) or case.words[at].form not in case.message.vocabulary.owning:
            continue
        named = next((each for each in case.named if each.first == at + 1), None)
        if named is None or not named.columns or named.last < len(case.words):
            continue
        for each in case.committed.measures:
            path = each.of
            if each.verb is not TableVerb.AVERAGE or not isinstance(path, ColumnPath):
                continue
            if not says(case.words[named.last - 1], words_of(path.column.info.name)):
                yield case.objection(Code.COLUMN_CONTRADICTED, case.said_of(named), each.written)
                return


def things_whose(case: Case) -> Iterator[Objection]:
    """ "Find the guide whose average fee is above that of all" is a guide, and no figure."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or not is_bare_figure(request):
        return
    at = next((n for n, word in enumerate(case.words) if word.form in case.message.vocabulary.owner), None)
    opening = next((cue for cue in case.message.does("which") if cue.first == 0), None)
    if at is None or opening is None or any(cue.first < at for cue in case.message.does(*_FIGURES)):
        return
    # "The salary of the clerk whose …" asks for a figure of one.
    if at - opening.last <= _BEHIND + 1 and request.verb is not TableVerb.COUNT:
        yield case.objection(Code.SHOWN_MISSING, case.words[at - 1].text, str(request.verb))


def prices_summed(case: Case) -> Iterator[Objection]:
    """ "Pots costing more than 50" have such a price, and not such a total of what was sold."""
    sold = case.message.vocabulary.sold
    word = next((word for word in case.words if word.keys & column_words("price")), None)
    if word is None or case.message.does("sum") or any(each.form in sold for each in case.words):
        return
    for request in case.committed.requests:
        sums = [each for each in request.having if each.measured.verb is TableVerb.SUM]
        for path in request.by if sums else ():
            if any(_has_price(table) for table in _grouped_tables(case, request, path)):
                yield case.objection(Code.COLUMN_CONTRADICTED, word.text, sums[0].measured.written)
                return


def _grouped_tables(case: Case, request: ReadRequest, path: ColumnPath) -> list[Table]:
    """The tables whose rows are the groups."""
    if path.links:
        return [case.graph.tables[path.links[-1].target]]
    links = (link for link in case.graph.links(request.table).values() if link.single)
    name = path.column.info.name
    return [case.graph.tables[link.target] for link in links if [here for here, _ in link.pairs] == [name]]


def _has_price(table: Table) -> bool:
    return any(words_of(column.info.name) & column_words("price") for column in table.measures)
