"""Which money is meant: what was sold is not what was paid for it, and no number of things is an amount."""

from collections.abc import Iterator
from itertools import pairwise

import msgspec

from dragoman.review.case import Case, is_moment
from dragoman.review.commitments import Atom
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.graph import Table, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured
from dragoman.tables.verbs import TableVerb

_ADDED = (TableVerb.SUM, TableVerb.AVERAGE)
_MOST_WORDS = 2


def sold_or_paid(case: Case) -> Iterator[Objection]:
    """Where a database has both, sales are not the payments that came in, and what was paid is not what was
    ordered."""
    sold, paid = _said(case, "sold"), _said(case, "paid")
    if paid and any(_is_day_of(atom) for atom in case.committed.atoms):
        # "Invoices paid in May" keep to a date of that.
        return
    if bool(sold) == bool(paid) or case.before:
        return
    for request in case.committed.requests:
        for each in request.measures:
            if each.verb not in _ADDED or each.of is None or not _is_money(each):
                continue
            table = _table_of(case, request.table.key, each)
            if sold and _is_payment(table) and _has(case, payments=False):
                yield case.objection(Code.COLUMN_CONTRADICTED, sold, each.written)
                return
            if paid and not _is_payment(table) and _is_trade(table) and _has(case, payments=True):
                yield case.objection(Code.COLUMN_CONTRADICTED, paid, each.written)
                return


def _is_day_of(atom: Atom) -> bool:
    column = atom.column
    return (
        column is not None and is_moment(column.type) and bool(words_of(column.info.name) & {"paid", "pay"})
    )


def _said(case: Case, side: str) -> str:
    """The words that speak of a side, of one word or two."""
    told = case.message.vocabulary.sides.get(side, frozenset())
    for length in (_MOST_WORDS, 1):
        for at in range(len(case.words) - length + 1):
            words = case.words[at : at + length]
            if " ".join(word.form for word in words) in told and not _goes_on(case, at + length):
                return case.message.text[words[0].start : words[-1].end]
    return ""


def _goes_on(case: Case, at: int) -> bool:
    """Whether a noun follows: a sales manager is no money."""
    if at >= len(case.words) or case.message.in_period(case.words[at]):
        return False
    word = case.words[at]
    cue = any(each.first <= at < each.last for each in case.message.cues)
    return not (cue or word.number is not None or word.keys & case.message.small_words)


def _paths(node: object) -> list[ColumnPath]:
    if isinstance(node, ColumnPath):
        return [node]
    if isinstance(node, tuple):
        return [path for each in node for path in _paths(each)]
    if isinstance(node, msgspec.Struct):
        return [path for name in node.__struct_fields__ for path in _paths(getattr(node, name))]
    return []


def _is_money(measured: Measured) -> bool:
    """Whether a figure adds up amounts, or prices times pieces."""
    paths = _paths(measured.of)
    many = any(words_of(path.column.info.name) & column_words("pieces") for path in paths)
    money = any(words_of(path.column.info.name) & column_words("money") for path in paths)
    return money and (not many or len(paths) > 1)


def _table_of(case: Case, own: TableKey, measured: Measured) -> Table:
    links = next((path.links for path in _paths(measured.of)), ())
    return case.graph.tables[links[-1].target if links else own]


def _is_payment(table: Table) -> bool:
    return bool(words_of(table.info.name) & column_words("payment"))


def _is_trade(table: Table) -> bool:
    """Whether rows of a table were sold: they have a price and pieces, or are called so."""
    names = [words_of(column.info.name) for column in table.columns.values()]
    priced = any(each & column_words("price") for each in names)
    # What is left on the shelf was not sold.
    many = [each for each in names if each & column_words("quantity") and not each & column_words("left")]
    lines = priced and bool(many)
    return lines or bool(words_of(table.info.name) & column_words("sale"))


def _has(case: Case, *, payments: bool) -> bool:
    """Whether the database has the other money: amounts that were paid, or rows that were sold."""
    tables = case.graph.tables.values()
    if not payments:
        return any(_is_trade(each) and not _is_payment(each) and _amounts(each) for each in tables)
    return any(_is_payment(each) and _amounts(each) for each in tables)


def _amounts(table: Table) -> bool:
    return any(
        words_of(column.info.name) & (column_words("money") | column_words("price"))
        for column in table.measures
    )


def order_values(case: Case) -> Iterator[Objection]:
    """The value of orders is what was ordered, at its price: neither pieces, nor payments, nor prices of a
    catalogue."""
    told = case.message.vocabulary.pieces
    value = next((word for word in case.words if word.form in told.get("value", ())), None)
    of_orders = any(word.form in told.get("ordered", ()) for word in case.words)
    if value is None or not of_orders or case.before or not _has(case, payments=False):
        return
    for request in case.committed.requests[-1:]:
        for each in request.measures:
            if each.verb not in _ADDED or each.of is None:
                continue
            table = _table_of(case, request.table.key, each)
            ordered = _is_trade(table) or bool(words_of(table.info.name) & told.get("ordered", frozenset()))
            if not ordered or not _is_money(each) or _is_payment(table):
                yield case.objection(Code.COLUMN_CONTRADICTED, value.text, each.written)
                return


def counted_money(case: Case) -> Iterator[Objection]:
    """ "How many" asks for a number of things: it is never answered with an amount of money."""
    told = case.message.vocabulary
    for cue in case.message.does("count"):
        if case.message.said(cue).casefold() not in told.counts_rows or case.before:
            continue
        behind = case.words[cue.last : cue.last + 1]
        names = told.money.get("whole", frozenset()) | told.money.get("hundredths", frozenset())
        if not behind or behind[0].form in names:
            continue
        measures = [each for request in case.committed.requests[-1:] for each in request.measures]
        amounts = [each for each in measures if each.verb in _ADDED and _is_money(each)]
        if amounts and len(amounts) == len(measures) and not _names_amount(case, amounts):
            yield case.objection(Code.COUNTED_MISSING, behind[0].text, amounts[0].written)
            return


def uncounted_money(case: Case) -> Iterator[Objection]:
    """ "How much money came in" is no number of rows, nor of months."""
    told = case.message.vocabulary
    named = told.pieces.get("money", frozenset())
    for much, money in pairwise(case.words):
        if much.form not in told.much or money.form not in named:
            continue
        measures = [each for request in case.committed.requests[-1:] for each in request.measures]
        if measures and all(each.verb is TableVerb.COUNT for each in measures):
            yield case.objection(Code.MEASURE_MISSING, money.text, measures[0].written)
            return


def links_as_sales(case: Case) -> Iterator[Objection]:
    """The best selling kinds are not those that most things are of: rows that only link others were never
    sold."""
    word = next((word for word in case.words if word.form in case.message.vocabulary.sold), None)
    if word is None:
        return
    for request in case.committed.requests[-1:]:
        counts = [each for each in request.measures if each.verb is TableVerb.COUNT]
        if counts and _only_links(request.table) and not _is_trade(request.table):
            yield case.objection(Code.COLUMN_CONTRADICTED, word.text, counts[0].written)
            return


def counted_earnings(case: Case) -> Iterator[Objection]:
    """The top earning doctors are not those with the most visits."""
    told = case.message.vocabulary
    ranks = {cue.last for cue in case.message.does("most", "least", "extreme")}
    earning = [word for at, word in enumerate(case.words) if at in ranks and word.form in told.earning]
    for request in case.committed.requests[-1:] if earning and not case.before else ():
        counts = [each for each in request.measures if each.verb is TableVerb.COUNT]
        if counts and len(counts) == len(request.measures):
            yield case.objection(Code.COLUMN_CONTRADICTED, earning[0].text, counts[0].written)
            return


def _only_links(table: Table) -> bool:
    """Whether rows are nothing but pairs; when they were changed says nothing of them."""
    leading = {name for key in table.info.foreign_keys for name in key.columns}
    own = [each.info.name for each in table.columns.values() if each.info.name not in leading]
    told = [name for name in own if not words_of(name) & column_words("bookkeeping")]
    return len(table.info.foreign_keys) > 1 and all(name in table.info.primary_key for name in told)


def _names_amount(case: Case, amounts: list[Measured]) -> bool:
    """Whether a word of the message is the name of what is added up."""
    names = [words_of(path.column.info.name) for each in amounts for path in _paths(each.of)]
    return len(names) == 1 and case.mentions(names[0])
