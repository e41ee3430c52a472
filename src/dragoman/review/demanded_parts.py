"""All of what was asked for is shown: both halves of a name, things beside their dates, both questions."""

from collections.abc import Iterator
from typing import Final

from dragoman.review.case import Case, is_bare_figure, path_words, says, shown_paths
from dragoman.review.demanded_words import is_of_noun
from dragoman.review.likeness import supports
from dragoman.review.names import HALVES, is_half, labels_of, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Column, Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured, ReadRequest
from dragoman.tables.verbs import TableVerb

_BEHIND: Final = 3
_LISTED: Final = 6
"""So far behind "with" what is shown may stand."""


def half_names(case: Case) -> Iterator[Objection]:
    """People are called by two names, unless one of them was asked for."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.message.does("full-name"):
        return
    fixed = {atom.column for atom in case.committed.atoms if atom.sign == "equal"}
    paths = shown_paths(request)
    for path in paths:
        half = next((n for n in range(2) if is_half(path.column, n)), None)
        table = _table_of(case, request, path)
        if half is None or _is_said(case, path.column):
            continue
        others = [column for column in table.columns.values() if is_half(column, 1 - half)]
        there = {each.column for each in paths if each.links == path.links} | fixed
        if others and not any(column in there for column in others):
            yield case.objection(Code.LABEL_MISSING, part=path.written)
            return


def _is_half(column: Column) -> bool:
    return any(is_half(column, half) for half in range(2))


def _is_said(case: Case, column: Column) -> bool:
    """Whether just this half was asked for: last names."""
    words = words_of(column.info.name) - column_words("label")
    known = words.union(*(column_words(kind) for kind, _ in HALVES)) if len(words) else words
    return any(word.keys & known for word in case.words)


def listed_alone(case: Case) -> Iterator[Objection]:
    """ "Orders with their dates" shows which orders, and not dates alone."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or case.before or case.message.does("when"):
        return
    told = case.message.vocabulary.shown_with.get("with", frozenset())
    at = next((n for n, word in enumerate(case.words) if n > case.head and word.form in told), None)
    paths = shown_paths(request)
    if at is None or not paths or len(paths) < len(request.columns):
        return
    if any(not path.links and _calls(request.table, path.column) for path in paths):
        return
    own = words_of(request.table.info.name)
    before = [word for word in case.words[case.head : at] if not word.keys & own]
    behind = case.words[at + 1 :]
    # "With the title Rivers" is a condition.
    texts = case.committed.texts
    if any(word.number is not None or any(supports(word, text) for text in texts) for word in behind):
        return
    if any(_is_of(word, path) for word in before for path in paths):
        return
    if all(any(_is_of(word, path) for word in behind) for path in paths):
        yield case.objection(Code.LABEL_MISSING, part=", ".join(path.written for path in paths))


def _is_of(word: Word, path: ColumnPath) -> bool:
    return says(word, path_words(path))


def _calls(table: Table, column: Column) -> bool:
    """Whether a column tells which row it is."""
    single = column.info.name in table.info.primary_key or column.info.unique
    return single or column.name in labels_of(table)


def second_questions(case: Case) -> Iterator[Objection]:
    """ "The dearest repair, and what was it" asks for more than one thing."""
    told = case.message.vocabulary
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before:
        return
    for at, word in enumerate(case.words[:-1]):
        if at == 0 or word.form not in told.joining:
            continue
        following = case.words[at + 1 : at + 3]
        if following[0].keys & case.message.small_words and following[0].form not in told.asking:
            following = following[1:]
        if not following or following[0].form not in told.asking:
            continue
        columns = request.shown or request.columns
        halves = bool(columns) and all(isinstance(c, ColumnPath) and _is_half(c.column) for c in columns)
        if (
            halves
            or len(columns) == 1
            or (not columns and is_bare_figure(request) and len(request.measures) < 2)
        ):
            yield case.objection(Code.SHOWN_MISSING, case.message.text[word.start :])
            return


def grouped_keys(case: Case) -> Iterator[Objection]:
    """ "For each customer" is by their names, and not by the numbers of their rows."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not request.by or any(w.keys & column_words("key") for w in case.words):
        return
    shown = [each for each in request.shown if not isinstance(each, Measured)] or list(request.by)
    if len(shown) != 1 or not isinstance(shown[0], ColumnPath) or shown[0].part is not None:
        return
    path = shown[0]
    table = _table_of(case, request, path)
    if not words_of(path.column.info.name) & column_words("id"):
        return
    target = _led_to(case, table, path)
    if target is not None and _has_name(target):
        yield case.objection(Code.LABEL_MISSING, part=path.written)


def _led_to(case: Case, table: Table, path: ColumnPath) -> Table | None:
    name = path.column.info.name
    if table.info.primary_key == (name,) and path.links:
        return table
    for link in case.graph.links(table).values():
        if link.single and "-by-" not in link.name and [here for here, _ in link.pairs] == [name]:
            return case.graph.tables[link.target]
    return _called_so(case, name)


def _called_so(case: Case, name: str) -> Table | None:
    """The table whose key a column is called by, though nothing says that it leads there: `home_port_id`, and
    ports with a `port_id`."""
    low = name.casefold()
    found = [
        table
        for table in case.graph.tables.values()
        for column in table.info.columns
        if "_" in column.name and low.endswith(f"_{column.name.casefold()}") and _is_key(table, column.name)
    ]
    return found[0] if len(found) == 1 else None


def _is_key(table: Table, name: str) -> bool:
    return table.determined_by([name]) or bool(
        table.info.rows and table.by_real_name[name].info.distinct == table.info.rows
    )


def _has_name(table: Table) -> bool:
    """A date of the last change calls nothing."""
    halves = column_words("first_name") | column_words("last_name")
    for column in table.info.columns:
        words = words_of(column.name) & column_words("called")
        if words - halves or (words and words_of(column.name) <= halves):
            return True
    return False


def _table_of(case: Case, request: ReadRequest, path: ColumnPath) -> Table:
    return case.graph.tables[path.links[-1].target] if path.links else request.table


def every_row(case: Case) -> Iterator[Objection]:
    """ "Show every ticket with its owner" counts nothing."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not request.measures or case.before:
        return
    opening = next((cue for cue in case.message.does("which") if cue.first == 0), None)
    if opening is None or case.words[0].form in case.message.vocabulary.asks:
        return
    figures = case.message.does("count", "sum", "average", "share", "most", "least", "extreme", "by")
    each = [cue for cue in case.message.does("each") if 0 <= cue.first - opening.last <= 1]
    beside = any(word.form in case.message.vocabulary.shown_with.get("with", ()) for word in case.words)
    if each and beside and not figures and len(case.message.does("each")) == len(each):
        yield case.demanded(Code.MEASURE_UNASKED, each[0], request.measures[0].written)


def share_of_rows(case: Case) -> Iterator[Objection]:
    """ "What percentage of the staff" is not a list of a column with percentages."""
    if not case.committed.requests or case.committed.requests[-1].verb is not TableVerb.LIST:
        return
    for cue in case.message.does("share"):
        named = case.named_after(cue.last, _BEHIND)
        if is_of_noun(case, cue):
            continue
        if named is None or named.columns or not named.tables or "divided" in repr(case.committed.requests):
            continue
        between = case.words[cue.last - 1 : named.first]
        if all(word.keys & case.message.small_words for word in between[1:]):
            yield case.demanded(Code.MEASURE_MISSING, cue)
            return


def shown_beside(case: Case) -> Iterator[Objection]:
    """ "Visits with the guest" shows the guest, and not the number of a row."""
    request = case.committed.requests[-1] if case.committed.requests else None
    told = case.message.vocabulary.shown_with
    if request is None or request.verb is not TableVerb.LIST or any(_is_key_word(w) for w in case.words):
        return
    paths = shown_paths(request)
    starts = [n for n, word in enumerate(case.words) if n > case.head and word.form in told.get("with", ())]
    for word in case.words[starts[0] + 1 : starts[0] + _LISTED] if starts else ():
        if any(supports(word, text) for text in case.committed.texts):
            continue
        for link in case.graph.links(request.table).values():
            target = case.graph.tables[link.target]
            parts = parts_of(target.info.name)
            if not link.single or "-by-" in link.name or not parts or not word.keys & parts[-1]:
                continue
            keys = {here for here, _ in link.pairs}
            atoms = case.committed.atoms
            held = any(a.links[:1] == (link,) or (a.column and a.column.info.name in keys) for a in atoms)
            named = any(
                p.links[:1] == (link,) or (says(word, path_words(p)) and p.column.info.name not in keys)
                for p in paths
            )
            if not held and not named and _has_name(target):
                yield case.objection(Code.SHOWN_MISSING, word.text, link.name)
                return


def _is_key_word(word: Word) -> bool:
    return bool(word.keys & column_words("id"))


def part_of_each(case: Case) -> Iterator[Objection]:
    """ "The captain of each team" shows captains, and not what teams are called alone."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or case.before:
        return
    told = case.message.vocabulary.of_each
    for cue in case.message.does("each"):
        named = case.named_after(cue.last, 0)
        part = case.words[cue.first - 1] if cue.first else None
        if part is None or named is None or case.message.said(cue).casefold() not in told:
            continue
        if part.keys & case.message.small_words or request.table.key not in named.tables:
            continue
        paths = shown_paths(request)
        alone = bool(paths) and all(not path.links and _calls(request.table, path.column) for path in paths)
        before = case.words[max(0, cue.first - 2) : cue.first]
        if alone and not any(_is_of(word, path) for word in before for path in paths):
            yield case.objection(Code.SHOWN_MISSING, part.text)
            return
