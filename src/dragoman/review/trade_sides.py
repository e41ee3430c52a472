"""Which side of a trade is meant: what a company sells is not what it buys from its suppliers."""

from collections.abc import Iterator

from dragoman.review.case import Case
from dragoman.review.commitments import Links
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Table, TableKey

_SELLING = "selling"
_BUYING = "buying"


def other_side(case: Case) -> Iterator[Objection]:
    """ "Top products by sales" are read from sales, where the database keeps purchase orders too; what was
    ordered from suppliers is read from those."""
    side, word = _said_side(case)
    if word is None or case.before:
        return
    other = _BUYING if side == _SELLING else _SELLING
    sides = {key: _side_of(table) for key, table in case.graph.tables.items()}
    if side not in sides.values():
        return
    used = {sides[key] for key in _used(case)}
    if other in used and side not in used:
        yield case.objection(Code.COLUMN_CONTRADICTED, word.text, other)


def _said_side(case: Case) -> tuple[str, Word | None]:
    """The side that the words speak of; none where they speak of both."""
    told = case.message.vocabulary.sides
    found = {
        side: next((word for word in case.words if not word.quoted and word.form in told.get(side, ())), None)
        for side in (_SELLING, _BUYING)
    }
    said = [(side, word) for side, word in found.items() if word is not None]
    return said[0] if len(said) == 1 else ("", None)


def _side_of(table: Table) -> str:
    """What the name of a table says: a bare order or invoice may be of either side."""
    name = words_of(table.info.name)
    sides = [side for side in (_SELLING, _BUYING) if name & column_words(f"{side}_tables")]
    return sides[0] if len(sides) == 1 else ""


def _used(case: Case) -> Iterator[TableKey]:
    """The tables of the rows that are read, and those on the way to what is shown, counted or held to."""
    for request in case.committed.requests:
        yield request.table.key
    for links in _ways(case):
        yield from (link.target for link in links)


def _ways(case: Case) -> Iterator[Links]:
    yield from (each.links for each in case.committed.linkings)
    yield from (path.links for path in case.committed.columns)
