"""Links between rows of one table are followed, the right way round: who reports to whom."""

from collections.abc import Iterator

from dragoman.review.case import Case
from dragoman.review.commitments import Atom
from dragoman.review.likeness import supports
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.computation import columns_in
from dragoman.tables.graph import Link, Table

_STEM = 4
_NEAR, _TWICE = 5, 2
"""So far from the word of a link its name may stand."""


def self_links(case: Case) -> Iterator[Objection]:
    """Who reports to Nina: rows whose link leads to her. Whom does Nina report to: where her link leads."""
    for request in case.committed.requests:
        for link in case.graph.links(request.table).values():
            place = _place(case, link, request.table) if _is_own(link, request.table) else None
            if place is None:
                continue
            if not _follows(case, request.table):
                yield case.objection(Code.ROLE_MISSING, case.words[place].text, link.name)
                return
            if any(_is_turned(case, atom, link, place) for atom in case.committed.atoms):
                yield case.objection(Code.ROLE_MISSING, case.words[place].text, link.name)
                return


def bookkeeping_links(case: Case) -> Iterator[Objection]:
    """Somebody's posts are not those that they changed last, where another link leads to the owner."""
    used = [link for path in case.committed.columns for link in path.links]
    used += [link for each in case.committed.linkings for link in each.links]
    for link in dict.fromkeys(used):
        words = words_of(link.name) & column_words("bookkeeping")
        rivals = [
            other
            for table in case.graph.tables.values()
            for other in case.graph.links(table).values()
            if link in case.graph.links(table).values() and other.target == link.target and other != link
        ]
        spoken = case.message.vocabulary.hints.get("bookkeeping", frozenset()) | words
        if words and rivals and not any(word.keys & spoken for word in case.words):
            yield case.objection(Code.ROLE_MISSING, case.message.text, link.name)
            return


def agents(case: Case) -> Iterator[Objection]:
    """Whom does Nina manage: rows whose manager is Nina. Who manages Nina: the row that is her manager."""
    for request in case.committed.requests:
        for link in case.graph.links(request.table).values():
            place = _verb_place(case, link) if _is_own(link, request.table) else None
            if place is None:
                continue
            shows = any(link in path.links for each in request.columns for path in columns_in(each))
            if any(_is_turned_about(case, atom, link, place, shows=shows) for atom in case.committed.atoms):
                yield case.objection(Code.ROLE_MISSING, case.words[place].text, link.name)
                return


def _is_turned_about(case: Case, atom: Atom, link: Link, place: int, *, shows: bool) -> bool:
    """Whether a name before a verb is not at the end of its link, or one behind it is."""
    if not isinstance(atom.value, str) or atom.negated:
        return False
    spot = next((at for at, word in enumerate(case.words) if supports(word, str(atom.value))), None)
    if spot is None or abs(spot - place) > _NEAR:
        return False
    if spot < place:
        return link not in atom.links
    # "Who manages Nina" may be her own row with the manager beside it.
    return link in atom.links or (not shows and not atom.links)


def _verb_place(case: Case, link: Link) -> int | None:
    """Where the verb of what a link is called by stands: manages, of `manager`."""
    nouns = [part for part in words_of(link.name) if case.message.vocabulary.agent.search(part)]
    stems = {case.message.vocabulary.agent.sub("", part) for part in nouns}
    for at, word in enumerate(case.words):
        stem = next((stem for stem in stems if len(stem) >= _STEM and word.form.startswith(stem)), None)
        if stem is None or word.keys & words_of(link.name):
            continue
        if case.message.vocabulary.inflected.fullmatch(word.form[len(stem) :]):
            return at
    return None


def _is_own(link: Link, table: Table) -> bool:
    return link.target == table.key and "-by-" not in link.name


def _place(case: Case, link: Link, table: Table) -> int | None:
    """Where the message speaks of a link."""
    words = words_of(link.name) - words_of(table.info.name) - case.message.small_words
    return next((at for at, word in enumerate(case.words) if word.keys & words), None)


def _follows(case: Case, table: Table) -> bool:
    """Whether the program follows a link between rows of a table, or looks at its key."""
    links = [link for path in case.committed.columns for link in path.links]
    links += [link for linking in case.committed.linkings for link in linking.links]
    if any(link.target == table.key and _is_between(case, link, table) for link in links):
        return True
    keys = {
        here for link in case.graph.links(table).values() if _is_own(link, table) for here, _ in link.pairs
    }
    return any(not path.links and path.column.info.name in keys for path in case.committed.columns)


def _is_between(case: Case, link: Link, table: Table) -> bool:
    return link in case.graph.links(table).values()


def _is_turned(case: Case, atom: Atom, link: Link, place: int) -> bool:
    """Whether a name is looked for at the wrong end of a link."""
    if not isinstance(atom.value, str) or atom.negated:
        return False
    spots = [at for at, word in enumerate(case.words) if supports(word, str(atom.value))]
    near = [at for at in spots if abs(at - place) <= _NEAR]
    if not near:
        return False
    through = link in atom.links
    if min(near) > place:
        own = words_of(case.graph.tables[link.target].info.name)
        after = next((word for word in case.words[place + 1 :] if not word.keys & own), None)
        leads = after is not None and after.form in case.message.vocabulary.ends.get("there", ())
        starts = after is not None and after.form in case.message.vocabulary.ends.get("here", ())
        return (leads and not through) or (starts and through)
    return through and max(near) < place


def twice_linked(case: Case) -> Iterator[Objection]:
    """ "No guest takes part in" says once how guests are linked: not that others take part."""
    absent = [each for each in case.committed.linkings if each.absent]
    for each in case.committed.linkings:
        if (
            case.before
            or each.absent
            or not each.bare
            or any(each.links[0] in other.links for other in absent)
        ):
            continue
        names = words_of(case.graph.tables[each.links[-1].target].info.name)
        ways = (case.graph.tables[link.target].info.name for other in absent for link in other.links)
        said = [word for word in case.words if word.keys & names]
        if len(said) < _TWICE and any(names < words_of(name) for name in ways):
            yield case.objection(Code.FILTER_UNASKED, part=each.links[-1].name)
            return
