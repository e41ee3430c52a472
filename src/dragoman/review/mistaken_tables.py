"""The rows that a message speaks of, and others that are called or linked much like them."""

from collections.abc import Iterator
from typing import Final

from dragoman.review.case import Case, is_bare_figure, is_called_so, shown_paths
from dragoman.review.demanded_values import distinct_of
from dragoman.review.doers import is_deed
from dragoman.review.likeness import supports
from dragoman.review.names import labels_of, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Link, Table
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_STEM: Final = 5
_CODE: Final = 3
_TWICE: Final = 2


def last_nouns(case: Case) -> Iterator[Objection]:
    """ "How many firings were there" counts firings, where a table is called so, and nothing like them."""
    request = _request(case)
    if request is None or case.before:
        return
    at = case.head
    word = case.words[at] if at < len(case.words) else None
    if word is None or not word.is_plural or word.quoted or case.uses_words(word) or is_deed(case, at):
        return
    if word.keys & (case.message.vocabulary.vague | case.message.vocabulary.idle):
        return
    if is_called_so(case, word, frozenset({request.table.key})):
        return
    if any(supports(word, text) for text in case.committed.texts):
        return
    ends = {link.target for link in case.graph.links(request.table).values() if link.single}
    tables = [t for t in case.graph.tables.values() if word.keys & parts_of(t.info.name)[-1]]
    # Each line has one product: products are counted by their lines.
    if tables and not any(table.key in ends for table in tables):
        yield case.objection(Code.NAME_MISSING, word.text, tables[0].name)


def _request(case: Case) -> ReadRequest | None:
    return case.committed.requests[-1] if case.committed.requests else None


def deeds_of_tables(case: Case) -> Iterator[Objection]:
    """ "How many potters have enlisted": not all there are, where a table of enlistments says who has."""
    request = _request(case)
    told = case.message.vocabulary
    if request is None or case.before or case.committed.atoms or case.committed.linkings:
        return
    if request.verb is not TableVerb.COUNT or request.by or request.dated:
        return
    near = [case.graph.tables[link.target] for link in case.graph.links(request.table).values()]
    for at, word in enumerate(case.words):
        helped = at > 0 and case.words[at - 1].form in told.helping
        if not helped or not told.verbal.search(word.form) or case.uses_words(word):
            continue
        stem = word.form[:_STEM]
        tables = [table for table in near if _begins(table, stem)]
        if tables and len(word.form) > _STEM and not any(n.startswith(stem) for n in case.committed.names):
            yield case.objection(Code.NAME_MISSING, word.text, tables[0].name)
            return


def _begins(table: Table, stem: str) -> bool:
    return any(name.startswith(stem) for part in parts_of(table.info.name) for name in part)


def codes_by_chance(case: Case) -> Iterator[Objection]:
    """ "Above sea level" asks for nothing with the code SEA: half of a word is no code."""
    told = case.message.vocabulary
    ways = told.places.union(*told.ways.values())
    for atom in case.committed.atoms:
        value = atom.value
        if not isinstance(value, str) or len(value) != _CODE or not value.isupper() or not value.isalpha():
            continue
        words = [word for word in case.words if word.form == value.casefold()]
        if len(words) != 1 or words[0].text.isupper() or words[0].quoted or atom.part in case.carried:
            continue
        said = atom.column is not None and case.mentions(words_of(atom.column.info.name))
        at = case.words.index(words[0])
        said = said or (at > 0 and case.words[at - 1].form in ways)
        if not said and _goes_on(case, at + 1):
            yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            return


def _goes_on(case: Case, at: int) -> bool:
    """Whether a noun stands at a place that nothing accounts for."""
    if at >= len(case.words) or case.message.in_period(case.words[at]):
        return False
    word, told = case.words[at], case.message.vocabulary
    if word.number is not None or word.keys & (case.message.small_words | told.idle):
        return False
    return not (case.uses_words(word) or any(cue.first <= at < cue.last for cue in case.message.cues))


def tables_first(case: Case) -> Iterator[Objection]:
    """ "The top 3 glazes" are rows of the table of glazes, where there is one: what a column of other rows
    has in their place are mostly codes."""
    request = _request(case)
    if request is None or case.before or request.joined:
        return
    paths = request.by or (shown_paths(request) if request.distinct else ())
    if len(paths) != 1 or paths[0].links or (request.by and len(request.shown) > _TWICE):
        return
    column = paths[0].column
    names = words_of(column.info.name)
    for link in case.graph.links(request.table).values():
        there = case.graph.tables[link.target]
        own = link.single and "-by-" not in link.name
        keyed = any(here == column.info.name for here, _ in link.pairs)
        if not own or keyed or there.key in case.committed.tables or not labels_of(there):
            continue
        if len(parts_of(there.info.name)) == 1 and names & words_of(there.info.name):
            word = next((w for w in case.words if w.is_plural and w.keys & words_of(there.info.name)), None)
            if word is not None:
                yield case.objection(Code.LABEL_MISSING, word.text, paths[0].written)
                return


def said_twice(case: Case) -> Iterator[Objection]:
    """ "In Arden, and more than the average in Arden": what is said twice holds of the rows and of the
    average."""
    if len(case.committed.requests) < _TWICE:
        return
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.negated:
            continue
        words = [word for word in case.words if word.capital and supports(word, atom.value)]
        same = [each for each in case.committed.atoms if each.tail == atom.tail]
        if len(words) == _TWICE and words[0].form == words[1].form and len(same) < _TWICE:
            yield case.objection(Code.VALUE_MISSING, words[1].text, atom.part)
            return


def places_reached(case: Case) -> Iterator[Objection]:
    """ "Where does the Heron sail to" asks for the other end of a way."""
    told = case.message.vocabulary
    if len(case.words) < _CODE or case.words[0].form not in told.marks.get("where", ()):
        return
    way = next((way for way, forms in told.ways.items() if case.words[-1].form in forms), None)
    if way is None:
        return
    ends = column_words(f"{way}_place")
    tables = case.graph.tables.values()
    known = any(words_of(c.info.name) & ends for table in tables for c in table.columns.values())
    if known and not case.committed.names & ends:
        yield case.objection(Code.ROLE_MISSING, f"{case.words[0].text} … {case.words[-1].text}")


def of_everyone(case: Case) -> Iterator[Objection]:
    """ "And the total over everyone" is one number."""
    told = case.message.vocabulary
    request = _request(case)
    if request is None or not request.by or not case.before or not case.message.does("sum", "average"):
        return
    if case.message.does("each", "by", "most", "least"):
        return
    word = next((word for word in case.words if word.form in told.marks.get("everyone", ())), None)
    if word is not None:
        yield case.objection(Code.GROUP_UNASKED, word.text, request.by[0].written)


def counted_by_many(case: Case) -> Iterator[Objection]:
    """ "How many rooms were booked in May" counts booked rooms, each time that one was, where rows are called
    so; rooms that were booked at some time are fewer."""
    request = _request(case)
    if request is None or case.before or request.verb is not TableVerb.COUNT or not is_bare_figure(request):
        return
    links = {atom.links[:1] for atom in case.committed.atoms}
    if len(links) != 1 or any(each.distinct for each in request.measures):
        return
    for link in links.pop():
        if link.single or not _is_called_alike(case, request.table, link):
            continue
        for cue in case.message.does("count"):
            word: Word | None = case.words[cue.last] if cue.last < len(case.words) else None
            if word is not None and word.keys & parts_of(request.table.info.name)[-1]:
                yield case.objection(Code.COUNTED_MISSING, word.text, request.table.name)
                return


def _is_called_alike(case: Case, table: Table, link: Link) -> bool:
    """Whether the rows at the end of a link are called by the same noun."""
    there = case.graph.tables[link.target]
    alike = parts_of(there.info.name)[-1] & parts_of(table.info.name)[-1]
    return bool(alike) and len(parts_of(table.info.name)) > 1


def counted_labels(case: Case) -> Iterator[Objection]:
    """ "How many different potters" counts potters: two of them may have the same name."""
    request = _request(case)
    if request is None or case.before or request.verb is not TableVerb.COUNT:
        return
    for each in request.measures:
        of = each.of
        if not each.distinct or not isinstance(of, ColumnPath) or of.links:
            continue
        table, column = request.table, of.column.info.name
        extra = words_of(column) - words_of(table.info.name)
        if not table.info.primary_key or _tells_apart(case, table, column) or case.mentions(extra):
            continue
        keys = {name for key in table.info.foreign_keys for name in key.columns}
        for cue in case.message.does("count") if extra and not request.by else ():
            named = case.named_after(cue.last)
            if named is not None and table.key in named.tables and column not in keys:
                yield case.objection(Code.COUNTED_MISSING, case.said_of(named), of.written)
                return


def _tells_apart(case: Case, table: Table, column: str) -> bool:
    """Whether no two rows have the same value of a column, as far as that is known."""
    if table.determined_by([column]):
        return True
    key = table.by_real_name[table.info.primary_key[0]]
    values = distinct_of(case, table, table.by_real_name[column])
    return values is not None and values == key.info.distinct


def far_parts(case: Case) -> Iterator[Objection]:
    """ "Enlistments per month" are gathered by their own months, and not by those in which potters joined."""
    request = _request(case)
    if request is None or case.before or not request.table.dates:
        return
    for path in request.by:
        if path.part is None or not path.links or not all(link.single for link in path.links):
            continue
        there = words_of(case.graph.tables[path.links[-1].target].info.name)
        names = words_of(path.column.info.name) - column_words("time")
        if not case.mentions((there | names) - words_of(request.table.info.name) - case.message.small_words):
            yield case.objection(Code.COLUMN_CONTRADICTED, path.part.value, path.written)
            return
