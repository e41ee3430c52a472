"""Words that stand in the data as a whole value are used, in whatever case they are written."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final
from weakref import WeakKeyDictionary

from dragoman.databases.values import ValueIndex, ValuePlace
from dragoman.review.case import Case, is_called_so
from dragoman.review.demanded_figures import may_mean
from dragoman.review.doers import is_deed
from dragoman.review.likeness import is_code, supports
from dragoman.review.names import begins_with, parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.words import Word
from dragoman.tables.graph import Column, Table

_LONGEST: Final = 6
_FEW: Final = 40
_SHORTEST: Final = 4
"""Shorter words are too often something else."""


def values(case: Case) -> Iterator[Objection]:
    known = case.values
    if known is None:
        return
    small = case.message.small_words
    plain = [_is_plain(case, at, small) for at in range(len(case.words))]
    at = 0
    while at < len(case.words):
        size = _size(case, known, at, plain)
        words = case.words[at : at + size]
        if size and not _is_used(case, words):
            yield case.objection(Code.VALUE_MISSING, case.message.text[words[0].start : words[-1].end])
            return
        at += max(size, 1)


def things_as_values(case: Case) -> Iterator[Objection]:
    """ "Who never placed an order" speaks of orders, where there is a table of them, and not of a mailing
    whose outcome was an order."""
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.column is None or atom.part in case.carried:
            continue
        if any(atom.column in {path.column for path in each.by} for each in case.committed.requests):
            # "Without order" of mailings by their outcome: one of the groups.
            continue
        value = atom.value.casefold()
        place = next((at for at, word in enumerate(case.words) if value in word.keys), None)
        if place is None or case.words[place].quoted or not _is_thing(case, place):
            continue
        tables = [t for t in case.graph.tables.values() if t.key != atom.table]
        if any(value in parts_of(table.info.name)[-1] for table in tables if parts_of(table.info.name)):
            yield case.objection(Code.ROLE_MISSING, case.words[place].text, atom.part)
            return


def _is_thing(case: Case, at: int) -> bool:
    """Whether a word is said as that of a thing: an order, the latest order."""
    small = at > 0 and bool(case.words[at - 1].keys & case.message.small_words)
    ranked = any(cue.last == at for cue in case.message.does("most", "least", "extreme"))
    return small or ranked


def _size(case: Case, known: ValueIndex, at: int, plain: Sequence[bool]) -> int:
    """How many words from here on are a value that nothing else explains."""
    for size in range(min(_LONGEST, len(case.words) - at), 0, -1):
        words = case.words[at : at + size]
        if any(word.quoted for word in words) or all(plain[at : at + size]):
            continue
        text = case.message.text[words[0].start : words[-1].end]
        plain_word = size == 1 and not words[0].capital
        # A value may be said in the plural: the clerks.
        texts = (text, *sorted(words[0].keys)) if size == 1 else (text,)
        if any(len(each) >= _SHORTEST and _is_certain(known, each, plain=plain_word) for each in texts):
            return size
    return 0


def _is_certain(known: ValueIndex, text: str, *, plain: bool) -> bool:
    """A plain word counts only where few values stand beside it: a colour, and not a book called Blue."""
    places = known.exactly(text)
    return bool(places) and (not plain or any(_values(known)[_column(each)] <= _FEW for each in places))


_kept: WeakKeyDictionary[ValueIndex, Counter[tuple[str, str, str]]] = WeakKeyDictionary()


def _values(known: ValueIndex) -> Counter[tuple[str, str, str]]:
    """How many values each column has. They are counted once for each database."""
    found = _kept.get(known)
    if found is None:
        found = _kept[known] = Counter(_column(place) for place in known.places())
    return found


def distinct_of(case: Case, table: Table, column: Column) -> int | None:
    """How many different values a column has, as far as that is known."""
    if column.info.distinct is not None or case.values is None:
        return column.info.distinct
    return _values(case.values)[table.info.schema, table.info.name, column.info.name] or None


def _column(place: ValuePlace) -> tuple[str, str, str]:
    return place.schema, place.table, place.column


def _is_plain(case: Case, at: int, small: frozenset[str]) -> bool:
    """Whether a word is something else already: a cue, a name, a number, a part of a period."""
    word = case.words[at]
    told = case.message.vocabulary
    return (
        word.number is not None
        or not (word.keys.isdisjoint(small) and word.keys.isdisjoint(told.vague))
        or not word.keys.isdisjoint(told.capitals)
        or any(cue.first <= at < cue.last for cue in case.message.cues)
        or any(named.first <= at < named.last for named in case.named)
        or case.message.in_period(word)
        or word.form in told.units
        or is_deed(case, at)
    )


def _calls_rows(case: Case, word: Word) -> bool:
    """Whether links call the rows of the program's tables so: the players, who are kept as people. That some
    other table has a value of the same name means nothing then; that one of these has, does."""
    if case.values is None or word.capital:
        return False
    keys = case.committed.tables
    if word.is_plural and any(begins_with(case.graph.tables[key], word) for key in keys):
        return True
    places = [place for key in word.keys for place in case.values.exactly(key)]
    few = [place for place in places if _values(case.values)[_column(place)] <= _FEW]
    leading = [link for key in keys for link in case.graph.links(case.graph.tables[key]).values()]
    # Tickets lead to their kind: what is one there, is said of them.
    at = case.words.index(word)
    led = at > 0 and case.words[at - 1].form in case.message.vocabulary.articles
    kinds = {link.target for link in leading if led and link.single and "-by-" not in link.name}
    if any((place.schema, place.table) in keys | kinds for place in few):
        return False
    names = [words_of(link.name) for link in leading if "-by-" not in link.name]
    return is_called_so(case, word, keys) or any(word.keys & each for each in names)


def _is_near(case: Case, word: Word) -> bool:
    return any(
        name[:_SHORTEST] == word.form[:_SHORTEST] for name in case.committed.names if len(name) >= _SHORTEST
    )


def _is_used(case: Case, words: Sequence[Word]) -> bool:
    texts = [text.casefold() for text in case.committed.texts]
    initials = "".join(word.form[0] for word in words)
    if any(supports(word, text) or is_code(text, word.form) for word in words for text in texts):
        return True
    if len(words) == 1 and _calls_rows(case, words[0]):
        return True
    if len(words) == 1 and may_mean(words[0], case.committed.names):
        # What means about the same as something in use is no value elsewhere.
        return True
    if len(words) > 1 and initials in texts:
        return True
    return any(case.uses_words(word) or _is_near(case, word) for word in words) or any(
        word.form in text or any(key in text for key in word.keys) for word in words for text in texts
    )
