"""The way from a thing to a name is the one that was said: the table beside the name, and no detour."""

from collections.abc import Iterator
from typing import Final

from dragoman.databases.values import ValuePlace
from dragoman.review.case import Case, is_moment, says, shown_paths
from dragoman.review.commitments import Atom, Links
from dragoman.review.likeness import SHORT, supports
from dragoman.review.names import Named, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Column, Link, Table, TableKey
from dragoman.tables.verbs import TableVerb

_STEM: Final = 4
_THROUGH: Final = 2
_SEVERAL: Final = 2
"""So many other tables link the same two."""


def named_places(case: Case) -> Iterator[Objection]:
    """ "The Boots category" is a category, where there is one of that name, and no product."""
    known = case.values
    if known is None:
        return
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.table is None or atom.column is None or atom.negated:
            continue
        beside = _noun_beside(case, str(atom.value))
        if (
            beside is None
            or atom.table in beside.tables
            or says(_last(case, beside), _atom_words(case, atom))
        ):
            continue
        places = [p for p in known.exactly(str(atom.value)) if _is_of(beside, p) and not _leads(case, p)]
        if places:
            yield case.objection(Code.COLUMN_CONTRADICTED, case.said_of(beside), atom.part)
            return


def _last(case: Case, named: Named) -> Word:
    return case.words[named.last - 1]


def _is_of(named: Named, place: ValuePlace) -> bool:
    here = (place.schema, place.table)
    return here in named.tables or any(key == here and name == place.column for key, name in named.columns)


def _leads(case: Case, place: ValuePlace) -> bool:
    """Whether a value is the key of another row: the same is meant either way."""
    table = case.graph.tables.get((place.schema, place.table))
    links = case.graph.links(table).values() if table is not None else ()
    return any(place.column in dict(link.pairs) for link in links)


def _atom_words(case: Case, atom: Atom) -> frozenset[str]:
    names = words_of(atom.column.info.name) if atom.column is not None else frozenset[str]()
    return names | (words_of(case.graph.tables[atom.table].info.name) if atom.table is not None else names)


def _noun_beside(case: Case, value: str) -> Named | None:
    """The name of a table or column right behind the words of a value, or right before them."""
    spots = [at for at, word in enumerate(case.words) if not word.quoted and supports(word, value)]
    quoted = [at for at, word in enumerate(case.words) if word.quoted and supports(word, value)]
    spots += quoted
    if not spots:
        return None
    first, last = min(spots), max(spots)
    if last - first >= len(value.split()) + 1:
        return None
    return next((each for each in case.named if each.first == last + 1 or each.last == first), None)


def detours(case: Case) -> Iterator[Objection]:
    """A link with a role that nobody speaks of is not followed where a plain one leads to the same table."""
    for base, links in _ways(case):
        table = base
        for link in links:
            rival = _plainer(case, table, link)
            if rival is not None and not _is_said(case, link, table):
                yield case.objection(Code.ROLE_MISSING, rival.name, link.name)
                return
            table = case.graph.tables[link.target]


def unsaid_parts(case: Case) -> Iterator[Objection]:
    """ "Issues per user" are those that a user reported, or those that are assigned to one: groups along one
    of several keys to the same rows are along the one that somebody speaks of."""
    if case.before:
        return
    for request in case.committed.requests[-1:]:
        for path in request.by:
            link = path.links[0] if path.links else _link_along(case, request.table, path.column)
            if link is None or link.target == request.table.key or not link.single:
                continue
            if words_of(link.target[-1]) & column_words("time"):
                continue
            others = [
                other
                for other in case.graph.links(request.table).values()
                if other.target == link.target and other.single and other != link
            ]
            role = _role(case, request.table, link)
            if role and others and not _is_said(case, link, request.table):
                yield case.objection(Code.ROLE_MISSING, others[0].name, link.name)
                return


def _link_along(case: Case, table: Table, column: Column) -> Link | None:
    """The link that a key of a table leads along."""
    links = case.graph.links(table).values()
    found = (link for link in links if "-by-" not in link.name and len(link.pairs) == 1)
    return next((link for link in found if link.pairs[0][0] == column.info.name), None)


def counted_by_heads(case: Case) -> Iterator[Objection]:
    """How many people a ward has is not how many head it: nobody spoke of its head."""
    heads = column_words("leader")
    counts = [each for each in case.committed.requests[-1:] if each.verb is TableVerb.COUNT and not each.by]
    if not counts or case.before or case.message.hints("leading"):
        return
    if any(says(word, heads) for word in case.words):
        return
    for each in case.committed.linkings:
        for link in each.links:
            if words_of(link.name.rpartition("-by-")[2]) & heads:
                yield case.objection(Code.ROLE_MISSING, part=link.name)
                return


def _ways(case: Case) -> Iterator[tuple[Table, Links]]:
    """Every way along links that the program takes."""
    for request in case.committed.requests[-1:]:
        for each in case.committed.linkings:
            yield request.table, each.links
        for path in case.committed.columns:
            yield request.table, path.links


def _plainer(case: Case, table: Table, link: Link) -> Link | None:
    """Another link to the same table with no word that tells a role, where this one has such a word."""
    if not _role(case, table, link):
        return None
    others = case.graph.links(table).values() if link in case.graph.links(table).values() else ()
    found = [
        other
        for other in others
        if other.target == link.target and other != link and not _role(case, table, other)
    ]
    return found[0] if found else None


def _role(case: Case, table: Table, link: Link) -> frozenset[str]:
    """What a link is called beyond the two tables that it joins."""
    name = link.name.rpartition("-by-")[2]
    ends = words_of(table.info.name) | words_of(case.graph.tables[link.target].info.name)
    return words_of(name) - ends - column_words("key") - case.message.small_words


def _is_said(case: Case, link: Link, table: Table) -> bool:
    role = _role(case, table, link)
    stems = {part[:_STEM] for part in role if len(part) >= _STEM}
    if role & column_words("leader") and case.message.hints("leading"):
        return True
    # What goes to a place has it as its destination.
    told = case.message.vocabulary.ways
    if any(
        word.form in told[way] for way in told if role & column_words(f"{way}_place") for word in case.words
    ):
        return True
    done = case.message.vocabulary.done_by
    if any(done.get(key, frozenset()) & role for word in case.words for key in word.keys):
        return True
    return any(says(word, role) or word.form[:_STEM] in stems for word in case.words)


def own_links(case: Case) -> Iterator[Objection]:
    """Who leads a tour is not a leader of whoever leads it: a verb is followed once."""
    for request in case.committed.requests[-1:]:
        used = any(each.links[:1] and "-by-" in each.links[0].name for each in case.committed.linkings)
        for path in shown_paths(request):
            link = path.links[0] if path.links else None
            if link is None or link.target != request.table.key or "-by-" in link.name:
                continue
            if used and not case.mentions(words_of(link.name)) and not case.before:
                yield case.objection(Code.ROLE_MISSING, link.name, path.written)
                return


def one_way(case: Case) -> Iterator[Objection]:
    """ "From Arden to Brock" starts in one place and ends in the other."""
    told = case.message.vocabulary.sorts.get("before", frozenset())
    texts = [a for a in case.committed.atoms if a.either and isinstance(a.value, str) and a.sign == "equal"]
    if len(texts) != 2:
        return
    spots = []
    for atom in texts:
        at = next((n for n, word in enumerate(case.words) if supports(word, str(atom.value))), None)
        if at is None:
            return
        before = [word.form for word in case.words[max(0, at - _STEM) : at]]
        spots.append(next((form for form in reversed(before) if form in told), ""))
    if all(spots) and spots[0] != spots[1]:
        yield case.objection(Code.BOTH_MISSING, ", ".join(str(atom.value) for atom in texts))


def lone_letters(case: Case) -> Iterator[Objection]:
    """A letter that stands in several columns means the one that was named."""
    known = case.values
    if known is None:
        return
    for atom in case.committed.atoms:
        value = atom.value
        if not isinstance(value, str) or len(value) >= SHORT or atom.column is None or atom.table is None:
            continue
        here = (*atom.table, atom.column.info.name)
        places = {(place.schema, place.table, place.column) for place in known.exactly(value)}
        written = value.isalpha() and any(word.form == value.casefold() for word in case.words)
        near = [place for place in places - {here} if place[:2] in _reached(case)]
        if written and near and not case.mentions(words_of(atom.column.info.name)):
            yield case.objection(Code.COLUMN_CONTRADICTED, value, atom.part)
            return


def _reached(case: Case) -> set[TableKey]:
    return {*case.committed.tables}


def roles(case: Case) -> Iterator[Objection]:
    """The head of a department is not everybody in it: a link that was named is followed."""
    used = {link for _, links in _ways(case) for link in links}
    pairs = {pair for link in used for here, there in link.pairs for pair in ((here, there), (there, here))}
    for key in case.committed.tables:
        table = case.graph.tables[key]
        for link in case.graph.links(table).values():
            if "-by-" in link.name or link.target not in case.committed.tables or link.target == key:
                continue
            role = _role(case, table, link)
            word = next((word for word in case.words if word.keys & role and not word.quoted), None)
            if word is None or case.uses_words(word) or set(link.pairs) & pairs:
                continue
            yield case.objection(Code.NAME_MISSING, word.text, link.name)
            return


def other_dates(case: Case) -> Iterator[Objection]:
    """ "Guests whose visit ended in May": the end of the visit, and of nothing else."""
    bare = {each.links for each in case.committed.linkings if each.bare and not each.absent}
    for atom in case.committed.atoms:
        if atom.column is None or atom.table is None or not atom.links or not is_moment(atom.column.type):
            continue
        if atom.sign == "missing" or case.mentions(words_of(case.graph.tables[atom.table].info.name)):
            continue
        for links in bare:
            table = case.graph.tables[links[-1].target]
            if links != atom.links and table.dates and case.mentions(words_of(table.info.name)):
                said = case.message.periods[0].text if case.message.periods else table.name
                yield case.objection(Code.DATE_CONTRADICTED, said, atom.part)
                return


def dates_of_links(case: Case) -> Iterator[Objection]:
    """ "Since when has she been in charge of it": the day of that, and not the one on which she was hired."""
    told = case.message.vocabulary
    asks = any(word.form in told.dates_asked for word in case.words)
    for request in case.committed.requests[-1:]:
        shown = [path for path in shown_paths(request) if is_moment(path.column.type)]
        if not asks or not shown or any(path.links or _is_dated_by(case, path.column) for path in shown):
            continue
        for atom in case.committed.atoms:
            passed = [case.graph.tables[link.target] for link in atom.links if not link.single]
            if any(table.dates for table in passed):
                yield case.objection(Code.DATE_CONTRADICTED, case.message.text, shown[0].written)
                return


def _is_dated_by(case: Case, column: Column) -> bool:
    """Whether a word says which date is meant: its name, or a verb that speaks of it."""
    names = words_of(column.info.name)
    verbs = case.message.vocabulary.date_verbs.items()
    said = any(
        name in names and not each.isdisjoint(word.keys) for name, each in verbs for word in case.words
    )
    return said or case.mentions(names - column_words("time"))


def parallel_ways(case: Case) -> Iterator[Objection]:
    """ "Who played for the Foxes": of several tables that bring people and teams together, none of which is
    named, the program has picked one."""
    if case.before:
        return
    for request in case.committed.requests[-1:]:
        ways = (atom.links[:_THROUGH] for atom in case.committed.atoms if len(atom.links) >= _THROUGH)
        for links in dict.fromkeys(ways):
            first, last = links
            if first.single or not last.single or _is_spoken_of(case, first):
                continue
            rivals = [
                table
                for table in case.graph.tables.values()
                if table.key not in (first.target, request.table.key, last.target)
                and {request.table.key, last.target} <= _single_targets(case, table)
            ]
            if len(rivals) >= _SEVERAL:
                yield case.objection(Code.FILTER_UNASKED, part=first.name)
                return


def _single_targets(case: Case, table: Table) -> set[TableKey]:
    return {link.target for link in case.graph.links(table).values() if link.single}


def _is_spoken_of(case: Case, link: Link) -> bool:
    """Whether a word names the table between, or begins as its name does: batted, of `batting`."""
    names = words_of(case.graph.tables[link.target].info.name)
    stems = {name[:_STEM] for name in names if len(name) >= _STEM}
    return case.mentions(names) or any(word.form[:_STEM] in stems for word in case.words)
