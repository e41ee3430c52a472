"""A number is held against what the words beside it name, and not against a column that nobody spoke of."""

from collections.abc import Iterator
from typing import Final

from dragoman.reading.tokens import fold
from dragoman.review.case import Case, is_called_so, is_counted_by_its_day, says
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_figures import is_slip, is_spoken_of, may_mean
from dragoman.review.demanded_numbers import Number, holds, numbers_in
from dragoman.review.demanded_others import paired
from dragoman.review.likeness import supports
from dragoman.review.names import parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import TableVerb

_COMPARING: Final = frozenset({"above", "below", "at-least", "at-most", "within"})
_BEHIND: Final = 3
_OPAQUE: Final = 3


def strange_columns(case: Case) -> Iterator[Objection]:
    """ "At least 5 medals" is no position above 5, and "over two hours" no price."""
    for number in numbers_in(case):
        if not _is_plain(case, number):
            continue
        for atom in case.committed.atoms:
            if atom.sign not in _COMPARING or atom.having or atom.column is None:
                continue
            if number_of(atom.value) is None or atom.part in case.carried or not holds(atom, number):
                continue
            if words_of(atom.column.info.name) & column_words("capacity"):
                # What holds 500 people has that capacity.
                continue
            said = _said_of(case, number)
            if said and not _is_meant(case, atom, number, said):
                text = case.message.text[case.words[number.at].start : said[-1].end]
                yield case.objection(Code.COLUMN_CONTRADICTED, text, atom.part)
                return


def _is_plain(case: Case, number: Number) -> bool:
    """Whether a number is compared by words that say nothing of what: "more than", and not "older than"."""
    told = case.message.vocabulary
    signs = case.message.does("above", "below", "at-least", "at-most")
    if any(
        0 <= number.at - cue.last <= 1 and fold(case.message.said(cue)) in told.plain_numbers for cue in signs
    ):
        return True
    return any(0 <= cue.first - number.last <= 1 for cue in case.message.does("or-more", "or-less"))


def _said_of(case: Case, number: Number) -> tuple[Word, ...]:
    """What a number is a number of: the unit or the noun behind it."""
    money = case.message.vocabulary.money
    for at in range(number.last, min(number.last + _BEHIND, len(case.words))):
        word = case.words[at]
        between = any(cue.first <= at < cue.last for cue in case.message.does("or-more", "or-less"))
        if between:
            continue
        cue = any(cue.first <= at < cue.last for cue in case.message.cues)
        plain = bool(word.keys & case.message.small_words) or word.number is not None
        if cue or plain or case.message.in_period(word) or any(word.form in each for each in money.values()):
            return ()
        return (word,)
    return ()


def _is_meant(case: Case, atom: Atom, number: Number, said: tuple[Word, ...]) -> bool:
    told, word = case.message.vocabulary, said[0]
    name = atom.column.info.name if atom.column is not None else ""
    names = words_of(name)
    if all(len(part) <= _OPAQUE for part in names):
        # What a name of two or three letters is short for, nobody can tell.
        return True
    if word.form in told.pieces.get("pieces", ()) and parts_of(name):
        # Units are no price of a unit.
        return not parts_of(name)[-1] & column_words("money")
    if number.unit:
        # What other amounts are kept as has too many names.
        known = told.kept_as.get(number.kind, names)
        fits = {part for part in names if told.units.get(part, ("", ""))[0] == number.kind}
        return bool(fits or names & known) or is_spoken_of(case, names)
    if says(word, names) or may_mean(word, names) or is_spoken_of(case, names):
        return True
    # "More than 10 products": how many there are may be a column of theirs.
    return bool(names & column_words("pieces"))


def counted_things(case: Case) -> Iterator[Objection]:
    """ "How many passengers" counts passengers: where nothing is called so, no other rows will do."""
    told = case.message.vocabulary
    if case.before or not case.committed.requests:
        return
    # Pupils are added up where a column of enrolments says how many there are.
    figures = (TableVerb.SUM, TableVerb.AVERAGE)
    added = [each.of for each in case.committed.measures if each.verb in figures]
    if any(isinstance(of, ColumnPath) and is_spoken_of(case, words_of(of.column.info.name)) for of in added):
        return
    for cue in case.message.does("count"):
        if fold(case.message.said(cue)) not in told.counts_rows or cue.last >= len(case.words):
            continue
        word = case.words[cue.last]
        small = word.keys & case.message.small_words or word.number is not None
        if small or not word.is_plural or word.capital or word.keys & (told.idle | told.vague):
            continue
        # Copies and units may be of anything.
        if word.form in told.measured or (paired(case) and word.form in told.same["pairs"]):
            continue
        if any(each.first <= cue.last < each.last for each in case.message.cues):
            continue
        if not (_is_known(case, word) or is_counted_by_its_day(case, word)):
            yield case.objection(Code.COUNTED_MISSING, word.text)
            return


def _is_known(case: Case, word: Word) -> bool:
    names = case.committed.names
    if case.uses_words(word) or may_mean(word, names) or word.form in case.message.vocabulary.units:
        return True
    if any(supports(word, text) for text in (*case.committed.texts, *names)):
        return True
    # A classroom is a room.
    if any(is_slip(word, name) or name.endswith(tuple(word.keys)) for name in names):
        return True
    leading = case.graph.links(case.committed.requests[-1].table).values()
    return is_called_so(case, word, case.committed.tables) or any(
        word.keys & words_of(link.name) for link in leading if "-by-" not in link.name
    )
