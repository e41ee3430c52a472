"""A message that asks for two things gets both: "who took it, and which customer was it for"."""

from collections.abc import Iterator

from dragoman.contracts.schema import ValueType
from dragoman.review.case import Case, path_words, says, shown_paths
from dragoman.review.demanded_figures import is_near
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.words import Word
from dragoman.tables.graph import Link, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import TableVerb

_Owner = tuple[TableKey, tuple[Link, ...]]
_SHORTEST = 4
"""So many words has "what have they ordered", at least."""


def second_things(case: Case) -> Iterator[Objection]:
    """Somebody is asked for and, behind an "and", something else: names of one kind are not both."""
    told = case.message.vocabulary
    who = next((word for word in case.words if word.form in told.who), None)
    if who is None or case.before or not case.committed.requests:
        return
    request = case.committed.requests[-1]
    if request.verb is not TableVerb.LIST:
        return
    things = [word for word in _asked_beside(case) if not _is_part_of_date(case, word)]
    if not things:
        return
    paths = shown_paths(request)
    unsaid = [word for word in things if not any(_is_of(word, path, request) for path in paths)]
    owners = {_owner(path, request) for path in paths if path.type is ValueType.TEXT}
    if unsaid and len(owners) <= len(things):
        yield case.objection(Code.SHOWN_MISSING, unsaid[0].text)
    elif not unsaid and len(owners) < 2 and _are_rows(case, things):
        yield case.objection(Code.SHOWN_MISSING, who.text)


def things_done(case: Case) -> Iterator[Objection]:
    """ "What have our customers ordered" asks for what they did it with, and not for them."""
    told, words = case.message.vocabulary, case.words
    if len(words) < _SHORTEST or words[0].form not in told.things or words[1].form not in told.helping:
        return
    doers = next((each for each in case.named if each.first > 1 and each.tables), None)
    request = case.committed.requests[-1] if case.committed.requests else None
    if doers is None or request is None or request.verb is not TableVerb.LIST or case.before:
        return
    paths = shown_paths(request)
    own = {_owner(path, request)[0] for path in paths if path.type is ValueType.TEXT}
    if own and own <= set(doers.tables) and len(own) == len({_owner(path, request)[0] for path in paths}):
        yield case.objection(Code.SHOWN_MISSING, words[0].text)


def _asked_beside(case: Case) -> Iterator[Word]:
    """The nouns behind "and which", "and from what"."""
    told, words = case.message.vocabulary, case.words
    for at, word in enumerate(words[:-1]):
        if word.form not in told.asking or word.form in told.who or not at:
            continue
        before = words[at - 1]
        joined = before.form in told.joining or (
            at > 1 and bool(before.keys & case.message.small_words) and words[at - 2].form in told.joining
        )
        noun = words[at + 1]
        if joined and noun.number is None and not noun.keys & case.message.small_words:
            yield noun


def _is_part_of_date(case: Case, word: Word) -> bool:
    told = case.message.vocabulary
    return bool(word.keys & (told.parts | told.timed))


def _is_of(word: Word, path: ColumnPath, request: ReadRequest) -> bool:
    table = path.links[-1].target[-1] if path.links else request.table.info.name
    names = path_words(path) | words_of(table)
    return says(word, names) or is_near(word, names)


def _owner(path: ColumnPath, request: ReadRequest) -> _Owner:
    return (path.links[-1].target if path.links else request.table.key, path.links)


def _are_rows(case: Case, things: list[Word]) -> bool:
    """Whether tables are called so: a column of the one who is asked for needs no other row."""
    names = frozenset().union(*(words_of(table.info.name) for table in case.graph.tables.values()))
    return any(says(word, names) for word in things)
