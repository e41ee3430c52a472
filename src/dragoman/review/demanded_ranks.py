"""What rows are ranked and ordered by is what the words beside a superlative or an order name."""

from collections.abc import Iterator

from dragoman.contracts.schema import ValueType
from dragoman.reading.tokens import fold
from dragoman.review.case import Case, path_words, says
from dragoman.review.names import Named, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Cue
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured, ReadRequest
from dragoman.tables.verbs import DATES, NUMBERS, TableVerb

_BETWEEN = 1
"""So many words may stand between a cue and what it is about: "sorted by the price"."""


def ranked(case: Case) -> Iterator[Objection]:
    """ "The highest price" ranks by price, and "the most orders" counts orders."""
    keys = [key for request in case.committed.requests for key in _rank_keys(request)]
    if not keys:
        return
    for cue in case.message.does("most", "least"):
        named = case.named_after(cue.last, 0)
        if named is None or case.message.does("descending", "ascending", "order"):
            continue
        own = any(request.table.key in named.tables for request in case.committed.requests)
        kind = "rows" if own or (named.tables and not named.columns) else "columns"
        if fold(case.message.said(cue)) not in case.message.vocabulary.amounts.get(kind, frozenset()):
            continue
        if not any(_is_about(case, key, named) for key in keys):
            said = f"{case.message.said(cue)} {case.said_of(named)}"
            yield case.objection(Code.RANK_MISSING, said)
            return


def spelled(case: Case) -> Iterator[Objection]:
    """The most of something is not a text that comes last in the alphabet."""
    amounts = case.message.vocabulary.amounts.get("rows", frozenset())
    for cue in case.message.does("most", "least"):
        if fold(case.message.said(cue)) not in amounts:
            continue
        for request in case.committed.requests:
            for key in _rank_keys(request):
                if isinstance(key, ColumnPath) and key.type is ValueType.TEXT and not request.by:
                    yield case.objection(Code.RANK_MISSING, case.message.said(cue), key.written)
                    return


def counted_instead(case: Case) -> Iterator[Objection]:
    """ "The longest bridge" is not the one that appears most often."""
    told = case.message.vocabulary
    counted = any(each.verb is TableVerb.COUNT for before in case.before for each in before.measures)
    if counted or case.message.does("count", "by", "each", "sum", "average"):
        return
    for cue in case.message.does("most", "least", "extreme"):
        said = fold(case.message.said(cue))
        if cue.last - cue.first > 1 or not (
            told.superlative.search(said) or said in told.amounts.get("best", ())
        ):
            continue
        if said in told.amounts.get("rows", ()):
            continue
        keys = [key for request in case.committed.requests for key in _rank_keys(request)]
        if keys and all(isinstance(key, Measured) and key.verb is TableVerb.COUNT for key in keys):
            yield case.objection(Code.RANK_MISSING, case.message.said(cue), "count")
            return


def ages(case: Case) -> Iterator[Objection]:
    """The youngest have the least age, and the latest date of birth."""
    told = case.message.vocabulary.ages
    for request in case.committed.requests:
        if not request.order or request.top is None or not isinstance(request.order[0].by, ColumnPath):
            continue
        words = path_words(request.order[0].by)
        born, aged = words & column_words("birth"), words & column_words("age")
        for word in case.words if born or aged else ():
            old, young = word.form in told.get("old", ()), word.form in told.get("young", ())
            if (old or young) and request.order[0].descending is (old if born else young):
                yield case.objection(Code.DIRECTION_MISSING, word.text, request.order[0].by.written)
                return


def unborn(case: Case) -> Iterator[Objection]:
    """The youngest clerk is not the one who was hired last."""
    young = case.message.vocabulary.ages.get("young", frozenset())
    word = next((word for word in case.words if word.form in young), None)
    if word is None:
        return
    born = column_words("birth") | column_words("age")
    for request in case.committed.requests:
        by = request.order[0].by if request.order and request.top is not None else None
        if isinstance(by, ColumnPath) and by.type in DATES and not path_words(by) & born:
            yield case.objection(Code.COLUMN_CONTRADICTED, word.text, by.written)
            return


def _rank_keys(request: ReadRequest) -> list[object]:
    """What decides who comes first, and what is looked for the greatest or the least of."""
    extremes = [each for each in request.measures if each.verb in (TableVerb.MAX, TableVerb.MIN)]
    first: list[object] = [each.by for each in request.order[:1]] if request.top or request.limit else []
    if (request.top or request.limit) and not request.order:
        first = list(request.measures[:1]) if request.measures else []
    if request.verb is TableVerb.TOP and request.of is not None:
        first.append(request.of)
    return [*extremes, *first]


def _is_about(case: Case, key: object, named: Named) -> bool:
    word = case.words[named.last - 1]
    match key:
        case Measured(of=ColumnPath() as path):
            if named.tables and key.verb is TableVerb.COUNT:
                return True
            return says(word, path_words(path)) or bool(named.tables and _speaks(case, path, named))
        case ColumnPath():
            return says(word, path_words(key) | _table_words(case, key)) and not _only_table(case, key, named)
        case _:
            return True


def _table_words(case: Case, path: ColumnPath) -> frozenset[str]:
    return words_of(case.graph.tables[path.links[-1].target].info.name) if path.links else frozenset()


def _only_table(case: Case, path: ColumnPath, named: Named) -> bool:
    """ "The most orders" is not a column of an order, unless the column is called so."""
    return not named.columns and not says(case.words[named.last - 1], path_words(path))


def _speaks(case: Case, path: ColumnPath, named: Named) -> bool:
    """Sums and the like are of something of the rows that were named."""
    return bool(_table_words(case, path)) or any(
        path.column in case.graph.tables[table].columns.values() for table in named.tables
    )


def ordered(case: Case) -> Iterator[Objection]:
    """ "Sorted by price" orders by price."""
    keys = [each.by for request in case.committed.requests for each in request.order]
    if not keys:
        return
    for cue in case.message.does("order"):
        named = case.named_after(cue.last, _BETWEEN)
        here = named is not None and any(table in case.committed.tables for table, _ in named.columns)
        if named is None or not here or _counted_between(case, cue, named):
            continue
        if not any(_orders(case, key, named) for key in keys):
            yield case.objection(Code.RANK_MISSING, f"{case.message.said(cue)} {case.said_of(named)}")
            return


def _orders(case: Case, key: object, named: Named) -> bool:
    path = key.of if isinstance(key, Measured) else key
    if not isinstance(path, ColumnPath):
        return True
    return says(case.words[named.last - 1], path_words(path) | _table_words(case, path)) or bool(named.tables)


def _counted_between(case: Case, cue: Cue, named: Named) -> bool:
    return any(
        cue.last <= other.first < named.first for other in case.message.does("count", "sum", "average")
    )


def ranked_down(case: Case) -> Iterator[Objection]:
    """ "Ranked by attendance" begins with the greatest, unless a direction is said."""
    message = case.message
    if message.does("ascending", "descending", "least", "most", "extreme"):
        return
    cues = [cue for cue in message.does("order") if fold(message.said(cue)) in message.vocabulary.ranking]
    for request in case.committed.requests if cues else ():
        for each in request.order[:1]:
            path = each.by.of if isinstance(each.by, Measured) else each.by
            number = isinstance(each.by, Measured) or (isinstance(path, ColumnPath) and path.type in NUMBERS)
            place = isinstance(path, ColumnPath) and words_of(path.column.info.name) & column_words("rank")
            if number and not place and not each.descending:
                yield case.demanded(Code.DIRECTION_MISSING, cues[0])
                return
