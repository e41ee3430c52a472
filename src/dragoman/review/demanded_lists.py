"""All that a message lists: two columns with one noun, what a further sentence asks for, figures beside."""

from collections.abc import Iterator

from dragoman.review.case import Case, is_bare_figure, is_number, path_words, says, shown_paths
from dragoman.review.names import Named, labels_of, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Cue, Word
from dragoman.tables.graph import Column, Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_PAIR = 4
_NEAR = 5
"""So far behind "the maximum" the number may stand that it must have."""


def pairs_of_columns(case: Case) -> Iterator[Objection]:
    """ "Inland and foreign guests" are two columns, where there are `inland_guests` and `foreign_guests`."""
    used = {path.column for path in case.committed.columns}
    joining = case.message.vocabulary.joining - {"of"}
    for at in range(len(case.words) - _PAIR + 1):
        one, joined, other, head = case.words[at : at + _PAIR]
        if joined.form not in joining:
            continue
        for key in case.committed.tables:
            columns = case.graph.tables[key].columns.values()
            first, second = ([c for c in columns if _is_called(c, w, head)] for w in (one, other))
            # "Guests and guests" are one column, said twice.
            missing = [column for column in (*first, *second) if column not in used]
            if len(first) == len(second) == 1 and len(missing) == 1:
                yield case.objection(Code.SHOWN_MISSING, missing[0].name.replace("_", " "))
                return


def _is_called(column: Column, word: Word, head: Word) -> bool:
    parts = parts_of(column.info.name)
    return len(parts) == 2 and bool(parts[0] & word.keys) and bool(parts[1] & head.keys)


def told_columns(case: Case) -> Iterator[Objection]:
    """ "… Also list the berth and its length": what a further sentence names is shown."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or not (shown_paths(request) or request.by):
        return
    paths = (*shown_paths(request), *(() if request.shown else request.by))
    measured = [each.of for each in request.measures if isinstance(each.of, ColumnPath)]
    for cue in case.message.does("which"):
        if not _begins(case, cue):
            continue
        for named in _listed(case, cue.last):
            known = any(key in case.committed.tables for key, _ in named.columns)
            if named.tables or not known or _is_count(case, named):
                continue
            if not any(_is_it(case, request, path, named) for path in (*paths, *measured)):
                yield case.objection(Code.SHOWN_MISSING, case.said_of(named))
                return


def _begins(case: Case, cue: Cue) -> bool:
    """Whether a cue opens a further sentence, or a further question behind "and"."""
    if cue.first == 0:
        return False
    before = case.message.text[: case.words[cue.first].start].rstrip()
    told = case.message.vocabulary
    further = before[-1:] in (".", "?", "!", ";")
    if not further and case.words[cue.first - 1].form in told.also:
        further = before[: -len(case.words[cue.first - 1].text)].rstrip()[-1:] in (".", "?", "!", ";")
    return further or case.words[cue.first - 1].form in told.joining - {"of"}


def _listed(case: Case, at: int) -> list[Named]:
    """The names that "and" and commas join, from a word on."""
    told, found = case.message.vocabulary, list[Named]()
    small = told.articles | told.joining - {"of"}
    while at < len(case.words) and case.words[at].form in small:
        at += 1
    while (named := next((each for each in case.named if each.first == at), None)) is not None:
        found.append(named)
        at = named.last
        while at < len(case.words) and case.words[at].form in small:
            at += 1
        if at == named.last and not case.message.text[case.words[at - 1].end :].startswith(","):
            break
    return found


def _is_count(case: Case, named: Named) -> bool:
    """Whether a name is only part of what asks for a number: the number of berths."""
    return any(cue.first < named.last and named.first < cue.last for cue in case.message.does("count", "sum"))


def _is_it(case: Case, request: ReadRequest, path: ColumnPath, named: Named) -> bool:
    table = case.graph.tables[path.links[-1].target] if path.links else request.table
    word = case.words[named.last - 1]
    called = word.keys & column_words("label") and (
        path.column.name in labels_of(table) or words_of(path.column.info.name) & column_words("called")
    )
    keyed = word.keys & column_words("id") and words_of(path.column.info.name) & column_words("key")
    return (
        bool(called or keyed)
        or (table.key, path.column.name) in named.columns
        or says(word, path_words(path))
    )


def counted_beside(case: Case) -> Iterator[Objection]:
    """ "All kinds of berth and the number of them" is a number for each kind."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.by or not is_bare_figure(request) or case.before:
        return
    joining = case.message.vocabulary.joining - {"of"}
    opening = [cue for cue in case.message.does("which") if cue.first == 0]
    for cue in case.message.does("count") if opening and len(request.measures) == 1 else ():
        before = [w for w in case.words[: cue.first] if w.form not in case.message.vocabulary.articles]
        if not before or before[-1].form not in joining:
            continue
        if any(each.columns and opening[0].last <= each.first < cue.first for each in case.named):
            yield case.demanded(Code.GROUP_MISSING, cue)
            return


def for_different(case: Case) -> Iterator[Objection]:
    """ "The least pay in different shops" is one for each of them."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not is_bare_figure(request) or request.verb is TableVerb.COUNT or case.before:
        return
    for cue in case.message.does("distinct"):
        if cue.first and case.words[cue.first - 1].form in case.message.vocabulary.places:
            yield case.demanded(Code.GROUP_MISSING, cue)
            return


def fixed_counts(case: Case) -> Iterator[Objection]:
    """What a condition or a group fixes to one value is not counted: it is one."""
    for request in case.committed.requests:
        for each in request.measures:
            path = each.of
            if not each.distinct or not isinstance(path, ColumnPath) or each.verb is not TableVerb.COUNT:
                continue
            if path in request.by:
                yield case.objection(Code.COUNTED_MISSING, case.message.text, each.written)
                return
            for atom in case.committed.atoms:
                same = atom.column == path.column and atom.links == path.links
                if same and atom.sign == "equal" and not (atom.negated or atom.either or request.by):
                    yield case.objection(Code.COUNTED_MISSING, case.message.text, each.written)
                    return


def paired_rows(case: Case) -> Iterator[Objection]:
    """ "How many different ports" are not the rows that lead to ports."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.COUNT or request.of is not None or request.by:
        return
    if request.joined or request.distinct or case.before:
        return
    for cue in case.message.does("distinct"):
        for word in case.words[cue.last : cue.last + 2]:
            column = _leading(request.table, word)
            if column is not None:
                yield case.demanded(Code.DISTINCT_MISSING, cue, column)
                return


def _leading(table: Table, word: Word) -> str | None:
    """The key to other rows that a word names, where several rows of a table may hold the same."""
    for key in table.info.foreign_keys:
        if (
            len(key.columns) != 1
            or tuple(key.columns) == table.info.primary_key
            or key.table == table.info.name
        ):
            continue
        parts = [part for part in parts_of(key.columns[0]) if not part & column_words("key")]
        if parts and all(part & word.keys for part in parts):
            return key.columns[0]
    return None


def with_the_most(case: Case) -> Iterator[Objection]:
    """ "The room with the maximum load" is one, though a column is called `max_load`."""
    request = case.committed.requests[-1] if case.committed.requests else None
    told = case.message.vocabulary
    if (
        request is None
        or len(case.committed.requests) > 1
        or request.order
        or request.measures
        or case.before
    ):
        return
    for cue in case.message.does("most", "least"):
        before = [word.form for word in case.words[max(0, cue.first - 2) : cue.first]]
        if len(before) < 2 or before[0] not in told.relative or before[1] not in told.articles:
            continue
        tested = [words_of(atom.column.info.name) for atom in case.committed.atoms if atom.column]
        held = any(says(case.words[cue.first], names) for names in tested)
        number = any(
            word.number is not None or word.quoted for word in case.words[cue.last : cue.last + _NEAR]
        )
        if not held and not number:
            yield case.demanded(Code.SUPERLATIVE_MISSING, cue)
            return


def most_popular(case: Case) -> Iterator[Objection]:
    """ "What is the most popular kind" is one, though a column is called `most_popular_in`."""
    told, alone = case.message.vocabulary, len(case.committed.requests) == 1
    if not alone or case.committed.requests[0].order or case.committed.measures or case.before:
        return
    opening = next((cue for cue in case.message.does("which") if cue.first == 0), None)
    for cue in case.message.does("most", "least") if opening is not None else ():
        between = case.words[opening.last : cue.first] if opening is not None else ()
        if cue.last - cue.first > 1 and all(word.form in told.articles for word in between):
            yield case.demanded(Code.SUPERLATIVE_MISSING, cue)
            return


def unspoken_tests(case: Case) -> Iterator[Objection]:
    """ "A maximum load above 85" is no other maximum, whose own words nobody said."""
    used = {path.column for path in case.committed.columns}
    for atom in case.committed.atoms:
        if atom.sign in ("equal", "missing") or atom.column is None or atom.having or atom.table is None:
            continue
        if not is_number(ColumnPath((), atom.column)) or _is_spoken_of(case, atom.column):
            continue
        table = case.graph.tables[atom.table]
        for other in table.columns.values():
            if other in used or not is_number(ColumnPath((), other)):
                continue
            if _shares(case, atom.column, other) and _is_spoken_of(case, other):
                yield case.objection(Code.COLUMN_CONTRADICTED, other.name.replace("_", " "), atom.part)
                return


def _statistics(case: Case) -> frozenset[str]:
    told = case.message.vocabulary
    return frozenset().union(*(told.like(each) for each in ("sum", "average", "most", "least")))


def _shares(case: Case, one: Column, other: Column) -> bool:
    """Whether two columns hold the same statistic: both are maximums."""
    return bool(words_of(one.info.name) & words_of(other.info.name) & _statistics(case))


def _is_spoken_of(case: Case, column: Column) -> bool:
    plain = _statistics(case)
    parts = [part for part in parts_of(column.info.name) if not part & plain and max(map(len, part)) > 2]
    return any(says(word, part) for part in parts for word in case.words)
