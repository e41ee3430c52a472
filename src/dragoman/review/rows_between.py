"""Rows between two things, of which nobody speaks: where the two are linked themselves, that is the way."""

from collections.abc import Iterator
from typing import Final

from dragoman.locales.thesaurus import near
from dragoman.review.case import Case, says
from dragoman.review.commitments import Links
from dragoman.review.demanded_figures import is_near
from dragoman.review.likeness import supports
from dragoman.review.names import parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Link, Table, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_LIKELY: Final = 0.65
_STEM: Final = 4


def counted_between(case: Case) -> Iterator[Objection]:
    """ "Who reported 40 tickets" counts the tickets of each, and not those that stand in their hours, where
    tickets lead to people themselves."""
    for request in case.committed.requests if not case.before else ():
        if request.verb is not TableVerb.COUNT or not request.by or _is_spoken_of(case, request.table):
            continue
        counted = [each.of for each in request.measures if each.distinct and isinstance(each.of, ColumnPath)]
        ends = {key for path in request.by for key in _ends(case, request, path)}
        for path in counted:
            for key in _ends(case, request, path):
                links = case.graph.links(case.graph.tables[key]).values()
                if any(link.single and link.target in ends - {key} for link in links):
                    yield case.objection(Code.COUNTED_MISSING, request.table.name, path.written)
                    return


def _ends(case: Case, request: ReadRequest, path: ColumnPath) -> set[TableKey]:
    """The tables whose keys a column of the request's own table holds."""
    if path.links:
        return {path.links[-1].target}
    return {
        link.target
        for link in case.graph.links(request.table).values()
        if link.single and "-by-" not in link.name and any(h == path.column.info.name for h, _ in link.pairs)
    }


def _is_spoken_of(case: Case, table: Table) -> bool:
    names = words_of(table.info.name)
    return case.mentions(names) or any(is_near(word, names) for word in case.words)


def near_tables(case: Case) -> Iterator[Objection]:
    """ "The top 3 genres" are categories, where a table is called so: a plural behind a number or "which" is
    what is shown."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before:
        return
    for at in _heads(case):
        word = case.words[at]
        if not word.is_plural or word.capital or word.quoted or word.keys & _idle(case):
            continue
        if case.uses_words(word) or any(supports(word, text) for text in case.committed.texts):
            continue
        tables = [t for t in case.graph.tables.values() if _is_near_last(word, t)]
        known = any(named.first <= at < named.last for named in case.named)
        if tables and not known and not is_near(word, case.committed.names):
            yield case.objection(Code.NAME_MISSING, word.text, tables[0].name)
            return


def _heads(case: Case) -> Iterator[int]:
    """Where nouns stand that say what is asked for: right behind "which" or a number, or one word later."""
    starts = {cue.last for cue in case.message.does("which", "count")}
    for start in starts | {at + 1 for at, word in enumerate(case.words) if word.number is not None}:
        while start < len(case.words) and case.words[start].number is not None:
            start += 1
        yield from (at for at in (start, start + 1) if at < len(case.words))


def _idle(case: Case) -> frozenset[str]:
    told = case.message.vocabulary
    return told.idle | told.vague | case.message.small_words


def _is_near_last(word: Word, table: Table) -> bool:
    parts = parts_of(table.info.name)
    return bool(parts) and any(
        weight >= _LIKELY for key in word.keys for other, weight in near(key).items() if other in parts[-1]
    )


def unsaid_roles(case: Case) -> Iterator[Objection]:
    """ "People with 40 tickets" may own them or have written them: of two links to people, each with a role
    of its own, none is taken where no word tells which."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before:
        return
    for base, links in dict.fromkeys(_ways(case, request)):
        table = base
        for link in links:
            if not _are_days(case, link) and _is_one_of_several(case, table, link):
                yield case.objection(Code.ROLE_MISSING, case.message.text, link.name)
                return
            table = case.graph.tables[link.target]


def _ways(case: Case, request: ReadRequest) -> Iterator[tuple[Table, Links]]:
    """The ways along which rows are gathered or held to something."""
    for each in dict.fromkeys(path.links for path in request.by if path.links):
        yield request.table, each
    for path in request.by:
        for link in case.graph.links(request.table).values():
            if not path.links and link.single and (path.column.info.name,) == tuple(h for h, _ in link.pairs):
                yield request.table, (link,)
    for each in dict.fromkeys(atom.links for atom in case.committed.atoms if atom.links):
        yield request.table, each


def _is_rival(other: Link, link: Link) -> bool:
    return other != link and other.target == link.target and other.single == link.single


def _role(case: Case, table: Table, link: Link) -> frozenset[str]:
    ends = words_of(table.info.name) | words_of(case.graph.tables[link.target].info.name)
    return words_of(link.name.rpartition("-by-")[2]) - ends - column_words("key") - case.message.small_words


def _is_one_of_several(case: Case, table: Table, link: Link) -> bool:
    """Whether a link has a role of people that no word tells, and another to the same table has one too."""
    role = _role(case, table, link)
    rivals = [each for each in case.graph.links(table).values() if _is_rival(each, link)]
    if not rivals or not all(_is_of_people(_role(case, table, each)) for each in (link, *rivals)):
        return False
    return not any(_tells(case, word, role) for word in case.words)


def _are_days(case: Case, link: Link) -> bool:
    """Whether rows of a calendar are linked: an order has the day of the order, and others."""
    return bool(words_of(case.graph.tables[link.target].info.name) & (column_words("time") | {"calendar"}))


def _is_of_people(role: frozenset[str]) -> bool:
    """Whether a role is one that somebody has by doing something: author, assigned to."""
    ends = ("start", "end", *column_words("from_place"), *column_words("to_place"), *column_words("time"))
    plain = all(part.isalpha() for part in role) and not role & column_words("bookkeeping")
    return bool(role) and plain and not role & frozenset(ends)


def _tells(case: Case, word: Word, role: frozenset[str]) -> bool:
    stems = {part[:_STEM] for part in role if len(part) >= _STEM}
    told = case.message.vocabulary
    ways = (way for way in told.ways if role & column_words(f"{way}_place"))
    if any(word.form in told.ways[way] for way in ways):
        return True
    verbs = frozenset[str]().union(*(told.date_verbs.get(part, frozenset()) for part in role))
    return says(word, role) or is_near(word, role) or word.form[:_STEM] in stems or bool(word.keys & verbs)
