"""A word stands for one thing: half of a name is no other name, and what is done is nobody's name."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dragoman.review.case import Case
from dragoman.review.commitments import Atom
from dragoman.review.demanded_states import turned
from dragoman.review.likeness import SHORT, split, supports
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word

_FAR: Final = 2
_SHORTEST: Final = 4


def halves_of_names(case: Case) -> Iterator[Objection]:
    """ "The Arden Rowing Club" is that club, and not one of members born in Arden."""
    texts = [atom for atom in case.committed.atoms if isinstance(atom.value, str) and atom.sign == "equal"]
    runs = [(atom, run) for atom in texts if (run := _run(case, str(atom.value)))]
    for atom in texts:
        spots = _spots(case, str(atom.value))
        for other, run in runs:
            apart = other.column != atom.column or other.links != atom.links
            fewer = len(split(str(atom.value))) < len(run) and set(spots) < set(run)
            if spots and apart and fewer and atom.part not in case.carried:
                yield case.objection(Code.FILTER_UNASKED, part=atom.part)
                return


def halves_of_codes(case: Case) -> Iterator[Objection]:
    """What we keep in the yard has nothing to do with people of the role "yard_keeper"."""
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or not atom.links or atom.part in case.carried:
            continue
        parts = atom.value.casefold().split("_")
        if len(parts) < _FAR or not all(part.isalpha() for part in parts):
            continue
        spots = [at for at, word in enumerate(case.words) if word.keys.intersection(parts)]
        said = [part for part in parts if any(part in case.words[at].keys for at in spots)]
        behind = [word for at in spots for word in case.words[at + 1 : at + 2]]
        if said and parts[-1] not in said and not any(case.uses_words(word) for word in behind):
            yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            return


def _run(case: Case, value: str) -> range:
    """Where the words of a value of several words stand, one behind the other."""
    parts = split(value.casefold())
    if len(parts) < 2:
        return range(0)
    for at in range(len(case.words) - len(parts) + 1):
        if all(part in word.keys for part, word in zip(parts, case.words[at:], strict=False)):
            return range(at, at + len(parts))
    return range(0)


def _spots(case: Case, value: str) -> list[int]:
    """Where words stand that say a value, or the words that a code is the first letters of."""
    spots = [at for at, word in enumerate(case.words) if supports(word, value) or _is_in(word, value)]
    if spots or len(value) > SHORT:
        return spots
    letters = "".join(word.form[:1] for word in case.words)
    at = letters.find(value.casefold())
    return [] if at < 0 else list(range(at, at + len(value)))


def _is_in(word: Word, value: str) -> bool:
    return word.form in split(value.casefold())


def deeds_as_names(case: Case) -> Iterator[Objection]:
    """ "Clubs that drew a crowd" asks for nobody called Drew, and what was released for no song "Release"."""
    told = case.message.vocabulary
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.part in case.carried or not _calls(atom):
            continue
        value = atom.value.casefold()
        words = [word for word in case.words if supports(word, atom.value)]
        if not words or len(split(value)) > 1 or any(word.capital or word.quoted for word in words):
            continue
        # What another column of the program is called by, names nobody.
        others = (
            words_of(path.column.info.name) for path in case.committed.columns if path.column != atom.column
        )
        told_apart = frozenset[str]().union(*others)
        words = [word for word in words if not word.keys & told_apart or told.verbal.search(word.form)]
        # A name may well end like a verb, but then it stands as it is.
        if words and all(
            _is_deed(case, w) or (told.verbal.search(w.form) and w.form != value) for w in words
        ):
            yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            return


def _is_deed(case: Case, word: Word) -> bool:
    """Whether a word that is also a name stands where things are said to do something: clubs that drew."""
    told, at = case.message.vocabulary, case.words.index(word)
    if word.form not in told.deeds or not at:
        return False
    before = case.words[at - 1]
    named = any(named.last == at and named.tables and before.is_plural for named in case.named)
    return named or before.form in told.relative


def _calls(atom: Atom) -> bool:
    return atom.column is not None and bool(words_of(atom.column.info.name) & column_words("called"))


def far_flags(case: Case) -> Iterator[Objection]:
    """A word that is half of a flag's name asks for no such flag of rows many tables away."""
    for atom in case.committed.atoms:
        if atom.column is None or len(atom.links) < _FAR or atom.part in case.carried or not _is_flag(atom):
            continue
        if words_of(atom.column.info.name) & column_words("key"):
            continue
        if all(link.single for link in atom.links):
            continue
        names = words_of(atom.column.info.name) - case.message.small_words
        tabled = any(atom.table in named.tables for named in case.named)
        whole = [named for named in case.named if (atom.table, atom.column.name) in named.columns]
        said = frozenset(name for name in names if any(name in word.keys for word in case.words))
        word = turned(case, atom.column)
        ends = [named.last for named in whole] + ([case.words.index(word) + 1] if word is not None else [])
        unsaid = not tabled and not whole and said != names and word is None
        if unsaid or any(_describes_another(case, atom, end) for end in ends):
            yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            return


def _describes_another(case: Case, atom: Atom, end: int) -> bool:
    """ "Active customers" are not those of products that are not discontinued: what is said of a thing is a
    flag of its own rows."""
    return any(named.first == end and named.tables and atom.table not in named.tables for named in case.named)


def _is_flag(atom: Atom) -> bool:
    return isinstance(atom.value, bool) or str(atom.value).casefold() in column_words("flag")


def columns_of_verbs(case: Case) -> Iterator[Objection]:
    """ "Who edits ticket 4" asks for its `editor`, and not for what is called by the ticket."""
    told = case.message.vocabulary
    if not case.words or case.words[0].form not in told.who or case.before:
        return
    used = {path.column for path in case.committed.columns}
    for request in case.committed.requests[-1:]:
        for word in case.words[1:]:
            stems = {key for key in word.keys if len(key) >= _SHORTEST and not word.quoted}
            for column in request.table.columns.values():
                agents = {part for part in words_of(column.info.name) if told.agent.search(part)}
                if agents & case.committed.names or column in used or case.uses_words(word):
                    continue
                verbs = {told.agent.sub("", part) for part in agents}
                if any(_is_deed_of(stem, verb) for stem in stems for verb in verbs):
                    yield case.objection(Code.NAME_MISSING, word.text, column.name)
                    return


def _is_deed_of(stem: str, verb: str) -> bool:
    return len(verb) >= _SHORTEST and stem in (verb, verb + "e")


def shown_times(case: Case) -> Iterator[Objection]:
    """ "List them with the year" shows a year."""
    told = case.message.vocabulary
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or (request.measures and not request.by):
        return
    shown = (*(request.shown or request.columns), *request.by)
    for before, word in pairwise(case.words):
        at = case.words.index(before)
        led = before.form in told.articles and at > 0 and case.words[at - 1].form in told.shown_with["with"]
        if not led or word.form not in told.parts or not _closes(case, word):
            continue
        if shown and not any(_tells(path, word) for path in shown):
            yield case.objection(Code.SHOWN_MISSING, word.text)
            return


def _closes(case: Case, word: Word) -> bool:
    """Whether nothing but a mark or a small word stands behind a word."""
    behind = [each for each in case.words if each.start > word.start][:1]
    return not behind or bool(behind[0].keys & case.message.small_words)


def _tells(path: object, word: Word) -> bool:
    column = getattr(path, "column", None)
    if column is None:
        return False
    names = words_of(column.info.name)
    return bool(names & (word.keys | column_words("time"))) or column.type.value.startswith("date")
