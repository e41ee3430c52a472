"""Words for a state, and participles that are denied, are held by some condition: still open, not shipped."""

from collections.abc import Iterator
from itertools import pairwise

from dragoman.contracts.schema import ValueType
from dragoman.review.case import Case, is_moment
from dragoman.review.commitments import Atom, number_of
from dragoman.review.likeness import supports
from dragoman.review.names import parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Column

_NEAR = 3
"""So far behind a negation what it denies may stand."""
_STEM = 4


def states(case: Case) -> Iterator[Objection]:
    """ "Open orders" are fewer than orders, whatever it is that tells them apart."""
    told = case.message.vocabulary.states | case.message.vocabulary.lasting
    for word in case.words:
        if word.form not in told or word.quoted or case.uses_words(word) or _opens_a_column(case, word):
            continue
        # "Still away": what lasts is said by the words beside it.
        new = any(atom.part not in case.carried for atom in case.committed.atoms)
        lasts = word.form in case.message.vocabulary.lasting and new
        held = lasts or any(_may_hold(case, atom, word) for atom in case.committed.atoms)
        if held or any(each.absent or each.bare for each in case.committed.linkings):
            continue
        yield case.objection(Code.NAME_MISSING, word.text)
        return


def _may_hold(case: Case, atom: Atom, word: Word) -> bool:
    """Whether a condition says what a state is, and not what other words ask for."""
    if atom.part in case.carried:
        return False
    if not isinstance(atom.value, str):
        number = number_of(atom.value)
        said = number is not None and any(each.number == number for each in case.words)
        dated = isinstance(atom.value, tuple) or hasattr(atom.value, "year")
        return not said and not (dated and case.message.periods)
    others = [each for each in case.words if each is not word]
    return supports(word, atom.value) or not any(supports(each, atom.value) for each in others)


def _opens_a_column(case: Case, word: Word) -> bool:
    """ "Closed date" is a column's name."""
    return any(
        case.words[named.first].start <= word.start < case.words[named.last - 1].end and named.columns
        for named in case.named
        if named.last - named.first > 1
    )


def denied_columns(case: Case) -> Iterator[Objection]:
    """ "Not shipped" is about `shipped_on`, where there is such a column, and not about missing lines."""
    for request in case.committed.requests:
        for stem, word in _denied(case):
            known = [c for c in request.table.columns.values() if _tells(c) and _is_of(stem, c)]
            if known and not any(column in _used(case) for column in known):
                yield case.objection(Code.NAME_MISSING, word.text, known[0].name)
                return


def turned_flags(case: Case) -> Iterator[Objection]:
    """ "Available rooms" are those that a flag `unavailable` does not hold for."""
    negative = case.message.vocabulary.negating
    used = _used(case) | {path.column for path in case.committed.columns}
    for request in case.committed.requests:
        for column in request.table.columns.values():
            stems = {negative.sub("", part) for part in words_of(column.info.name) if negative.match(part)}
            word = next((word for word in case.words if word.form in stems and not word.quoted), None)
            if word is not None and column not in used and column.type is not ValueType.TEXT:
                yield case.objection(Code.NAME_MISSING, word.text, column.name)
                return


def turned(case: Case, column: Column | None) -> Word | None:
    """The word that says of rows that a flag does not hold: open, of `is_closed`."""
    if column is None:
        return None
    words = words_of(column.info.name)
    told = case.message.vocabulary.turned
    return next((word for word in case.words if told.get(word.form, frozenset()) & words), None)


def turned_round(case: Case) -> Iterator[Objection]:
    """ "Open issues" are not those that are closed."""
    if case.message.does("negation"):
        return
    for atom in case.committed.atoms:
        word = turned(case, atom.column)
        holds = (str(atom.value).casefold() in column_words("holds")) is not atom.negated
        if word is None or atom.column is None or atom.sign != "equal" or case.uses_words(word):
            continue
        if holds and not any(word.keys & words_of(atom.column.info.name) for word in case.words):
            yield case.objection(Code.NEGATION_MISSING, word.text, atom.part)
            return


def turned_twice(case: Case) -> Iterator[Objection]:
    """ "Not inactive" is active."""
    opposites = case.message.vocabulary.turned
    for cue in case.message.does("negation"):
        word = case.words[cue.last] if cue.last < len(case.words) else None
        if word is None or word.quoted:
            continue
        for atom in case.committed.atoms:
            names = words_of(atom.column.info.name) if atom.column is not None else frozenset[str]()
            denied = (str(atom.value).casefold() in column_words("no")) is not atom.negated
            if denied and opposites.get(word.form, frozenset()) & names:
                yield case.demanded(Code.NEGATION_MISSING, cue, atom.part)
                return


def described(case: Case) -> Iterator[Objection]:
    """ "Paid orders" are those whose status says so, whatever date is called by the same verb."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if case.values is None or request is None:
        return
    table = request.table
    parts = parts_of(table.info.name)
    for word, noun in pairwise(case.words):
        if word.quoted or len(word.form) < _STEM or not parts or not noun.keys & parts[-1]:
            continue
        if (
            not case.message.vocabulary.verbal.search(word.form)
            and word.form not in case.message.vocabulary.done
        ):
            continue
        places = case.values.exactly(word.text)
        found = [p for p in places if (p.schema, p.table) == table.key and p.column in table.by_real_name]
        if not found or any(supports(word, text) for text in case.committed.texts):
            continue
        if not any(table.by_real_name[p.column] in _used(case) for p in found):
            yield case.objection(Code.VALUE_MISSING, word.text, found[0].column)
            return


def missing_keys(case: Case) -> Iterator[Objection]:
    """The key of a row is never missing: "not the id" says what to show."""
    for atom in case.committed.atoms:
        if atom.sign != "missing" or atom.negated or atom.column is None or atom.table is None:
            continue
        if case.graph.tables[atom.table].info.primary_key == (atom.column.info.name,):
            yield case.objection(Code.NEGATION_UNASKED, part=atom.part)
            return


def _denied(case: Case) -> Iterator[tuple[str, Word]]:
    """What is denied: the verbs behind a negation, and what is left of unshipped."""
    negative = case.message.vocabulary.negating
    for word in case.words:
        found = negative.match(word.form)
        if found and len(word.form) - found.end() > _STEM:
            yield word.form[found.end() :], word
    for cue in case.message.does("negation"):
        for word in case.words[cue.last : cue.last + _NEAR]:
            if case.message.vocabulary.verbal.search(word.form):
                yield word.form, word


def _is_of(stem: str, column: Column) -> bool:
    names = [part for part in words_of(column.info.name) if len(part) >= _STEM]
    return any(part == stem or (len(part) > _STEM and stem.startswith(part)) for part in names)


def _tells(column: Column) -> bool:
    return is_moment(column.type) or column.type is ValueType.BOOLEAN


def _used(case: Case) -> set[Column]:
    return {atom.column for atom in case.committed.atoms if atom.column is not None}
