"""Words that are found as a value, or as a flag, of rows that nobody speaks of."""

from collections.abc import Iterator
from typing import Final

from dragoman.contracts.schema import ValueType
from dragoman.review.case import Case, says
from dragoman.review.commitments import Atom, Links
from dragoman.review.demanded_figures import is_near
from dragoman.review.likeness import supports
from dragoman.review.names import parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Link, Table

_FAR: Final = 2
_ENDING: Final = 3


def far_values(case: Case) -> Iterator[Objection]:
    """ "Tickets that the crew closed" asks for no plan called "Crew": a plain word is a value of rows that a
    thing has many of, only where something speaks of these."""
    for atom in case.committed.atoms if not case.before else ():
        many = _many(atom.links)
        if not many or atom.having or atom.column is None or atom.part in case.carried:
            continue
        if _is_plain_value(case, atom, many) and not _are_spoken_of(case, atom):
            yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            return


def _many(links: Links) -> Links:
    """The steps from the first on that leads to several rows."""
    first = next((at for at, link in enumerate(links) if not link.single), len(links))
    return links[first:]


def _is_plain_value(case: Case, atom: Atom, many: Links) -> bool:
    """Whether a value is one word that stands in the message as that of a thing: whoever does something, or
    what is asked for."""
    if atom.column is not None and atom.column.type is ValueType.BOOLEAN:
        return isinstance(atom.value, bool)
    if not isinstance(atom.value, str) or atom.sign != "equal" or len(many) < _FAR:
        return False
    spots = [at for at, word in enumerate(case.words) if supports(word, str(atom.value))]
    if len(spots) != 1 or case.words[spots[0]].quoted or case.words[spots[0]].capital:
        return False
    return spots[0] == case.head or _does_something(case, spots[0])


def _does_something(case: Case, at: int) -> bool:
    """ "Did the crew close": a word between an article and a verb, behind one that helps."""
    told = case.message.vocabulary
    before = [word.form for word in case.words[max(at - 2, 0) : at]]
    return len(before) == _FAR and before[0] in told.helping and before[1] in told.articles


def _are_spoken_of(case: Case, atom: Atom) -> bool:
    flag = atom.column is None or atom.column.type is ValueType.BOOLEAN
    # The word of a flag says nothing of the rows that have it.
    names = frozenset[str]() if flag or atom.column is None else words_of(atom.column.info.name)
    for link in atom.links:
        names |= words_of(link.name.partition("-by-")[0]) | words_of(case.graph.tables[link.target].info.name)
    names -= case.message.small_words | column_words("key") | column_words("plain")
    words = [word for word in case.words if flag or not supports(word, str(atom.value))]
    return any(says(word, names) or is_near(word, names) for word in words)


def deeds_as_states(case: Case) -> Iterator[Objection]:
    """ "Boats that land in Arden" asks for no status "Landed": what things do is no state of theirs."""
    told = case.message.vocabulary
    for atom in case.committed.atoms:
        value = atom.value.casefold() if isinstance(atom.value, str) else ""
        if not value.isalpha() or not told.verbal.search(value) or atom.part in case.carried:
            continue
        said = [word for word in case.words if supports(word, value)]
        if said and all(_is_deed(case, word, value) for word in said):
            yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            return


def _is_deed(case: Case, word: Word, value: str) -> bool:
    """Whether a verb stands as it is, and says what else the program does; the value has an ending."""
    stem = word.form.removesuffix("s")
    ended = word.form != value and value.startswith(stem) and len(value) - len(stem) <= _ENDING
    links = {link.name for path in case.committed.columns for link in path.links}
    said = any(part.startswith(stem) for name in links for part in words_of(name))
    return ended and not word.quoted and said and len(stem) > _ENDING


def own_first(case: Case) -> Iterator[Objection]:
    """ "Tickets of every status" are told apart by their own status, and not by that of the customer."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or case.before:
        return
    places = [(path.links, path.column.info.name, path.written) for path in request.by]
    places += [
        (atom.links, atom.column.info.name, atom.part)
        for atom in case.committed.atoms
        if atom.column is not None and not atom.having and atom.part not in case.carried
    ]
    for links, name, part in places:
        if links and _has_own(case, request.table, links, words_of(name)) and not _is_way_said(case, links):
            yield case.objection(Code.COLUMN_CONTRADICTED, name.replace("_", " "), part)
            return


def _has_own(case: Case, table: Table, links: Links, names: frozenset[str]) -> bool:
    """Whether rows of a table have what a word names themselves: as a column, or by a link."""
    said = frozenset(name for name in names - column_words("label") if _is_there(case, name))
    if not said:
        return False
    own: list[Link] = [
        link for link in case.graph.links(table).values() if link.single and "-by-" not in link.name
    ]
    called = [parts_of(link.name) for link in own if link != links[0]]
    called += [parts_of(column.info.name) for column in table.columns.values()]
    keys = column_words("key")
    bare = ([part for part in parts if not part & keys] for parts in called)
    return any(len(parts) == 1 and parts[0] & said for parts in bare)


def _is_there(case: Case, name: str) -> bool:
    return any(name in word.keys for word in case.words)


def _is_way_said(case: Case, links: Links) -> bool:
    names = frozenset().union(*(words_of(link.name) for link in links))
    names |= frozenset().union(*(words_of(case.graph.tables[link.target].info.name) for link in links))
    return case.mentions(names - case.message.small_words - column_words("key"))


def nearer_values(case: Case) -> Iterator[Objection]:
    """ "The glaze is Ashen": where a column is named that holds just what was said, no other column is meant
    that holds something like it."""
    known = case.values
    if known is None:
        return
    told = case.message.vocabulary
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.sign != "equal" or atom.part in case.carried:
            continue
        words = [word for word in case.words if supports(word, atom.value)]
        if len(words) != 1 or words[0].quoted or words[0].form == atom.value.casefold():
            continue
        for place in known.exactly(words[0].text):
            names = words_of(place.column) - told.vague - column_words("plain")
            named = any(word.keys & names for word in case.words if word != words[0])
            if named and atom.column is not None and atom.column.info.name != place.column:
                yield case.objection(Code.COLUMN_CONTRADICTED, words[0].text, atom.part)
                return
