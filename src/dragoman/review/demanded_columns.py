"""Columns that are named in full: they are the ones that are used, and what is asked for by name is shown."""

from collections.abc import Iterator

from dragoman.reading.tokens import fold
from dragoman.review.case import Case, is_bare_figure, path_words, says, shown_paths
from dragoman.review.demanded_figures import is_near
from dragoman.review.names import HALVES, Named, is_half, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured, ReadRequest
from dragoman.tables.verbs import TableVerb

_LONG = 2
"""A name of so many words is that of no other column."""


def full_columns(case: Case) -> Iterator[Objection]:
    """ "The boat type description" is that one, and not the `port_type_description`."""
    if case.before or not case.committed.requests:
        return
    used = {path.column.name for path in case.committed.columns}
    for named in case.named:
        short = named.last - named.first < _LONG or "," in case.said_of(named)
        if short or named.tables or any(name in used for _, name in named.columns):
            continue
        other = next((p for p in case.committed.columns if _is_rival(case, p, named)), None)
        if other is not None:
            yield case.objection(Code.COLUMN_CONTRADICTED, case.said_of(named), other.written)
            return


def _is_rival(case: Case, path: ColumnPath, named: Named) -> bool:
    """Whether a column is the same kind of thing, of something that nobody spoke of."""
    parts = parts_of(path.column.info.name)
    if len(parts) < _LONG or not parts[-1] & named.keys:
        return False
    said = frozenset().union(*(word.keys for word in case.words))
    # `FName` is the first name.
    if any(is_half(path.column, half) and said & column_words(kind) for half, (kind, _) in enumerate(HALVES)):
        return False
    unsaid = [part for part in parts if not part & said]
    return bool(unsaid) and not any(is_near(w, part) or says(w, part) for part in unsaid for w in case.words)


def shown_columns(case: Case) -> Iterator[Objection]:
    """ "What are the names and heights of boats": both are shown."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or case.before:
        return
    paths = shown_paths(request)
    if not paths or len(paths) < len(request.columns):
        return
    for named in _asked(case):
        if named.tables or any(_is_it(case, request, path, named) for path in paths):
            continue
        if any(key in case.committed.tables for key, _ in named.columns):
            yield case.objection(Code.SHOWN_MISSING, case.said_of(named))
            return


def _asked(case: Case) -> list[Named]:
    """The names at the beginning of a message that "and" and commas join."""
    told, found = case.message.vocabulary, list[Named]()
    at = case.head
    if not any(cue.last <= at for cue in case.message.does("which")):
        return []
    small = told.articles | told.joining - {"of"}
    while (named := next((each for each in case.named if each.first == at), None)) is not None:
        found.append(named)
        at = named.last
        while at < len(case.words) and case.words[at].form in small:
            at += 1
        between = case.message.text[
            case.words[named.last - 1].end : case.words[min(at, len(case.words) - 1)].start
        ]
        if at == named.last and "," not in between:
            break
    return found if len(found) > 1 else []


def _is_it(case: Case, request: ReadRequest, path: ColumnPath, named: Named) -> bool:
    table = case.graph.tables[path.links[-1].target] if path.links else request.table
    word = case.words[named.last - 1]
    return (table.key, path.column.name) in named.columns or says(word, path_words(path))


def latest(case: Case) -> Iterator[Objection]:
    """The latest comes first by a time, and not by how many there are."""
    told = case.message.vocabulary.timely
    for cue in case.message.does("most", "least", "extreme"):
        if fold(case.message.said(cue)) not in told or case.before:
            continue
        for request in case.committed.requests:
            key = request.order[0].by if request.order and (request.top or request.limit) else None
            if isinstance(key, Measured) and key.verb in (TableVerb.COUNT, TableVerb.SUM):
                yield case.objection(Code.RANK_MISSING, case.message.said(cue), key.written)
                return


def highest_averages(case: Case) -> Iterator[Objection]:
    """ "The highest average grade" ranks averages: the highest of all grades is something else."""
    averages = case.message.does("average")
    for cue in case.message.does("most", "least"):
        behind = [each for each in averages if each.first == cue.last]
        if not behind or "," in case.message.text[case.words[cue.first].start : case.words[cue.last].start]:
            continue
        extremes = {TableVerb.MAX, TableVerb.MIN}
        for request in case.committed.requests:
            loose = any(each.verb in extremes for each in request.measures) and not request.order
            if loose and any(each.verb is TableVerb.AVERAGE for each in request.measures):
                yield case.demanded(Code.RANK_MISSING, cue)
                return


def chosen_by_extremes(case: Case) -> Iterator[Objection]:
    """ "The average pay in the shop with the highest rent" is of one shop."""
    told = case.message.vocabulary
    if len(case.committed.requests) != 1:
        return
    request = case.committed.requests[0]
    extremes = [each for each in request.measures if each.verb in (TableVerb.MAX, TableVerb.MIN)]
    if not is_bare_figure(request) or not extremes or len(extremes) == len(request.measures):
        return
    for cue in case.message.does("most", "least"):
        before = [word.form for word in case.words[max(0, cue.first - 2) : cue.first]]
        if len(before) == 2 and before[0] in told.relative and before[1] in told.articles:
            yield case.demanded(Code.RANK_MISSING, cue, extremes[0].written)
            return


def half_named(case: Case) -> Iterator[Objection]:
    """ "How many boats had crew records": all of the boats have something to do with no crew."""
    committed, told = case.committed, case.message.vocabulary
    if case.before or len(committed.requests) != 1 or committed.atoms or committed.linkings:
        return
    request = committed.requests[0]
    if request.by or request.order or request.joined or request.verb not in (TableVerb.COUNT, TableVerb.LIST):
        return
    begun = False
    for at, word in enumerate(case.words):
        begun = begun or (at > case.head and word.form in told.clauses)
        if not begun or _is_idle(case, word):
            continue
        if any(word.keys & words_of(column.info.name) for column in request.table.columns.values()):
            yield case.objection(Code.VALUE_MISSING, word.text)
            return


def _is_idle(case: Case, word: Word) -> bool:
    told = case.message.vocabulary
    small = word.keys & case.message.small_words or word.keys & told.idle or word.form in told.vague
    return bool(small) or len(word.form) < 4 or case.uses_words(word) or word.number is not None
