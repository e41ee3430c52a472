"""A word for the part that rows play leads to them: it is no value of a column, and it is not left out."""

from collections.abc import Iterator
from typing import Final

from dragoman.review.case import Case
from dragoman.review.demanded_figures import is_near
from dragoman.review.demanded_names import shows
from dragoman.review.likeness import supports
from dragoman.review.names import parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Link
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import TableVerb

_STEM: Final = 4
_SEVERAL: Final = 2


def roles_as_values(case: Case) -> Iterator[Objection]:
    """ "Fixers with three repairs" are those whom repairs have as their fixer: that somebody has the duty
    "fixer" is something else."""
    followed = list(_followed(case))
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.negated or atom.having or atom.part in case.carried:
            continue
        words = [word for word in case.words if supports(word, atom.value)]
        if len(words) != 1 or words[0].quoted or words[0].capital:
            continue
        for link in followed:
            led = link.target == atom.table or "-by-" in link.name
            if led and words[0].keys & _role(case, link):
                yield case.objection(Code.FILTER_UNASKED, part=atom.part)
                return


def _followed(case: Case) -> Iterator[Link]:
    """The links that a program follows, also by the keys that it groups by."""
    for each in case.committed.linkings:
        yield from each.links
    for path in case.committed.columns:
        yield from path.links
    for request in case.committed.requests:
        yield from request.joined
        keys = {path.column.info.name for path in request.by if not path.links}
        for link in case.graph.links(request.table).values() if keys else ():
            if _is_own(link) and any(here in keys for here, _ in link.pairs):
                yield link


def _is_own(link: Link) -> bool:
    return link.single and "-by-" not in link.name


def _role(case: Case, link: Link) -> frozenset[str]:
    """What a link says of the rows that it leads to, where that is not what their table is called."""
    ends = words_of(case.graph.tables[link.target].info.name)
    role = words_of(link.name.rpartition("-by-")[2])
    return role - ends - column_words("key") - case.message.small_words - case.message.vocabulary.vague


def roles_left_out(case: Case) -> Iterator[Objection]:
    """ "Show the fixer and the pot of each repair" shows who fixed it."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or (request.verb is not TableVerb.LIST and not request.by):
        return
    links = [link for link in case.graph.links(request.table).values() if _is_own(link)]
    for at, word in enumerate(case.words):
        if _is_explained(case, at, word) or not _is_listed(case, at):
            continue
        link = next((link for link in links if word.keys & _role(case, link)), None)
        if link is not None:
            yield case.objection(Code.NAME_MISSING, word.text, link.name)
            return


def both_shown(case: Case) -> Iterator[Objection]:
    """ "Show the potter and the workshop" shows both, each by a column of its own."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or request.by:
        return
    if not any(cue.first == 0 for cue in case.message.does("which")):
        return
    listed = [each for each in case.named if each.tables and _is_listed(case, each.first)]
    for named in listed if len(listed) >= _SEVERAL else ():
        if not case.words[named.last - 1].quoted and not shows(case, request, named):
            yield case.objection(Code.SHOWN_MISSING, case.said_of(named))
            return


def _is_listed(case: Case, at: int) -> bool:
    """Whether a word stands where what is to be shown does: show the, and the."""
    told = case.message.vocabulary
    before = case.words[at - 1].form if at else ""
    led = before in told.articles - told.one_of
    if any(cue.last in (at, at - led) for cue in case.message.does("which")):
        return True
    if led:
        before = case.words[at - 2].form if at > 1 else ""
    return before in told.joining - told.owning


def _is_explained(case: Case, at: int, word: Word) -> bool:
    if word.number is not None or word.quoted or word.keys & case.message.small_words:
        return True
    if case.message.in_period(word) or any(cue.first <= at < cue.last for cue in case.message.cues):
        return True
    if case.uses_words(word) or any(supports(word, text) for text in case.committed.texts):
        return True
    return is_near(word, case.committed.names)


def deeds_of_roles(case: Case) -> Iterator[Objection]:
    """ "Pots fixing which …": what is done by the rows of a link is said of that link, and of no other."""
    told = case.message.vocabulary
    for at, word in enumerate(case.words):
        if not told.verbal.search(word.form) or _is_explained(case, at, word):
            continue
        for key in sorted(case.committed.tables):
            table = case.graph.tables[key]
            names = [link.name for link in case.graph.links(table).values() if _is_own(link)]
            roles = {link.name: _role(case, link) for link in case.graph.links(table).values()}
            # A part may be played without a declared link: `major`.
            alone = [column.name for column in table.columns.values() if len(parts_of(column.name)) == 1]
            for name in (
                *names,
                *(alone if word.form.endswith(tuple(told.marks.get("ongoing", ()))) else ()),
            ):
                if any(_is_deed(word, part) for part in roles.get(name, words_of(name))):
                    yield case.objection(Code.NAME_MISSING, word.text, name)
                    return


def _is_deed(word: Word, part: str) -> bool:
    """Whether a verb is made of a part that is played: majoring, of `major`."""
    return len(part) >= _STEM and word.form != part and part in word.form[: len(part)]


def rows_unspoken(case: Case) -> Iterator[Objection]:
    """ "Those whose pots were repaired" asks for no plans of workshops that such things hold of: rows that
    no word speaks of, all of whose conditions are of one thing they belong to, are not what is asked for."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before or request.verb is not TableVerb.LIST or request.joined or request.by:
        return
    # A condition of linked rows says itself that there are some.
    ways = [atom.links for atom in case.committed.atoms]
    ways += [each.links for each in case.committed.linkings if each.bare]
    shown = [path for path in (request.shown or request.columns) if isinstance(path, ColumnPath)]
    first = {way[:1] for way in ways}
    if len(ways) < _SEVERAL or len(first) != 1 or any(path.links for path in shown) or request.order:
        return
    (link,) = first.pop() or (None,)
    if link is None or not _is_own(link) or link.target == request.table.key:
        return
    names = words_of(request.table.info.name).union(*(words_of(path.column.info.name) for path in shown))
    known = names - words_of(case.graph.tables[link.target].info.name) - case.message.small_words
    if not case.mentions(known) and not any(is_near(word, known) for word in case.words):
        yield case.objection(Code.SHOWN_MISSING, case.message.text, request.table.name)
