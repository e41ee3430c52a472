"""Things that were asked for once, and that a program may list several times."""

from collections.abc import Iterator

from dragoman.locales.thesaurus import near
from dragoman.reading.tokens import fold
from dragoman.review.case import Case, is_bare_figure, leads_to, shown_paths
from dragoman.review.names import is_half, labels_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb


def repeats(case: Case) -> Iterator[Objection]:
    """A list of things that appear once for each of what they are joined with."""
    for request in case.committed.requests:
        if request.verb is not TableVerb.LIST or request.distinct or is_bare_figure(request):
            continue
        if request.top == 1:
            # One row repeats nothing.
            continue
        many = next((n for n, link in enumerate(request.joined) if not link.single), None)
        if many is not None and not any(len(path.links) > many for path in shown_paths(request)):
            yield case.objection(Code.REPEATED_ROWS, request.table.name)
            return
        yield from _asked_once(case, request)


def foreign_columns(case: Case) -> Iterator[Objection]:
    """Rows are repeated for a column of many rows elsewhere, of which no word speaks."""
    for request in case.committed.requests:
        ordered = [each.by for each in request.order if isinstance(each.by, ColumnPath)]
        paths = (*shown_paths(request), *ordered, *request.by)
        for path in paths if not case.before else ():
            names = _behind_many(case, path)
            if names and not case.mentions(names - case.message.small_words) and not _is_meant(case, names):
                yield case.objection(Code.REPEATED_ROWS, request.table.name, path.written)
                return


def _is_meant(case: Case, names: frozenset[str]) -> bool:
    """Whether a word is near one of some names: genre, and a table of categories."""
    return any(near(key).keys() & names for word in case.words for key in word.keys)


def _behind_many(case: Case, path: ColumnPath) -> frozenset[str]:
    """The names of the tables from the first of many rows on."""
    at = next((n for n, link in enumerate(path.links) if not link.single), len(path.links))
    tables = [case.graph.tables[link.target] for link in path.links[at:]]
    names = frozenset().union(*(words_of(table.info.name) for table in tables))
    return names | leads_to(case.graph, tables[-1], path) if tables else names


def is_one_row(case: Case, request: ReadRequest) -> bool:
    """Whether rows are held to what one of them is called by."""
    called = {name for name in labels_of(request.table) if words_of(name) & column_words("label")}
    called |= {c.name for c in request.table.columns.values() if is_half(c, 0) or is_half(c, 1)}
    return any(
        atom.sign == "equal"
        and not (atom.either or atom.negated or atom.links)
        and atom.column.name in called
        for atom in case.committed.atoms
        if atom.column is not None and isinstance(atom.value, str) and atom.table == request.table.key
    )


def _asked_once(case: Case, request: ReadRequest) -> Iterator[Objection]:
    """ "Which cities does she send to", out of a list of parcels."""
    for cue in case.message.does("which"):
        named = next((each for each in case.named if each.first == cue.last), None)
        shown = shown_paths(request)
        if named is None or not shown or request.table.key in named.tables or request.top:
            continue
        if is_one_row(case, request):
            continue
        ends = [path.links[-1].target if path.links else None for path in shown]
        column = shown[0]
        repeated = (
            fold(case.message.said(cue)) in case.message.vocabulary.asks
            and len(shown) == 1
            and not column.links
            and (request.table.key, column.column.name) in named.columns
            and not request.table.determined_by([column.column.info.name])
        )
        if repeated or (named.tables and all(end in named.tables for end in ends)):
            yield case.objection(Code.REPEATED_ROWS, case.said_of(named))
            return
