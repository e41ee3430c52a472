"""Prices of one piece: what was sold is so many pieces at so much, and no sum of prices."""

from collections.abc import Iterator
from itertools import chain

from dragoman.review.case import Case
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.graph import Table
from dragoman.tables.paths import ColumnPath, Links
from dragoman.tables.verbs import TableVerb


def summed_prices(case: Case) -> Iterator[Objection]:
    """The total of orders is no sum of the prices in a catalogue, nor of those in lines that have pieces.
    Whoever speaks of prices may have them added up."""
    prices = column_words("price")
    if case.mentions(prices):
        return
    for request in case.committed.requests[-1:]:
        for each in request.measures:
            if each.verb is not TableVerb.SUM or not isinstance(each.of, ColumnPath):
                continue
            if each.written in case.carried or not words_of(each.of.column.info.name) & prices:
                continue
            table = case.graph.tables[each.of.links[-1].target] if each.of.links else request.table
            if _is_of_one_piece(case, table):
                yield case.objection(Code.MEASURE_UNASKED, part=each.written)
                return


def priced_once(case: Case) -> Iterator[Objection]:
    """The prices of "the products in our orders" may be added once for each product, or once for each time
    that it was ordered. A sum over the catalogue knows only the first."""
    for request in case.committed.requests[-1:] if not case.before else ():
        priced = request.of
        if request.verb is not TableVerb.SUM or not isinstance(priced, ColumnPath) or priced.links:
            continue
        if not words_of(priced.column.info.name) & column_words("price"):
            continue
        ways = [each.links for each in case.committed.linkings if not each.absent]
        ways += [atom.links for atom in case.committed.atoms]
        if any(_goes_over_lines(case, links) for links in ways):
            yield case.objection(Code.MEASURE_UNASKED, part=f"sum/{priced.written}")
            return


def _goes_over_lines(case: Case, links: Links) -> bool:
    """Whether a way leads over many rows that link one thing with another."""
    return any(
        not link.single and len(case.graph.tables[link.target].info.foreign_keys) > 1 for link in links
    )


def _is_of_one_piece(case: Case, table: Table) -> bool:
    """Whether rows say how many pieces there were at a price: those of a table, or those that lead to it."""
    lines = (each for each in case.graph.tables.values() if _pieces(each))
    leading = chain.from_iterable(each.info.foreign_keys for each in lines)
    return _pieces(table) or any(key.table == table.info.name for key in leading)


def _pieces(table: Table) -> bool:
    """Whether a table has a number of pieces that are not merely left."""
    names = [words_of(column.info.name) for column in table.columns.values()]
    return any(each & column_words("quantity") and not each & column_words("left") for each in names)
