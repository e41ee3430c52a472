"""A number is held against what the noun behind it names: 10 tickets are no 10 clerks, and never a key."""

from collections.abc import Iterator

from dragoman.review.case import Case, says
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_numbers import holds_hundredths
from dragoman.review.names import Named, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word

_COMPARING = frozenset({"above", "below", "at-least", "at-most", "within"})
_BEHIND = 4
"""So many words may stand between a number and its noun: 3 or more of our books."""


def compared_keys(case: Case) -> Iterator[Objection]:
    """More or less of a key means nothing."""
    if any(word.keys & column_words("key") for word in case.words):
        return
    for atom in case.committed.atoms:
        if atom.sign in _COMPARING and number_of(atom.value) is not None and _is_key(case, atom):
            yield case.objection(Code.COLUMN_CONTRADICTED, str(atom.value), atom.part)
            return


def _is_key(case: Case, atom: Atom) -> bool:
    if atom.column is None or atom.table is None or atom.having:
        return False
    info = case.graph.tables[atom.table].info
    name = atom.column.info.name
    if words_of(name) & column_words("year"):
        return False
    alone = [key.columns for key in info.foreign_keys if key.columns == (name,)]
    return bool(alone) or info.primary_key == (name,)


def counted_nouns(case: Case) -> Iterator[Objection]:
    """ "More than 10 tickets" counts tickets."""
    for at, word in enumerate(case.words):
        if word.number is None or case.message.in_period(word) or not _is_compared(case, at):
            continue
        named = _noun_behind(case, at)
        if named is None or not named.tables or named.columns or _is_part(case, named):
            continue
        atoms = [
            a for a in case.committed.atoms if number_of(a.value) == word.number and a.sign in _COMPARING
        ]
        if any(a.column and words_of(a.column.info.name) & column_words("capacity") for a in atoms):
            # What holds 500 people has that capacity.
            continue
        if atoms and not any(atom.having or _is_of(case, atom, named) for atom in atoms):
            said = f"{word.text} {case.said_of(named)}"
            yield case.objection(Code.COLUMN_CONTRADICTED, said, atoms[0].part)
            return


def single_rows(case: Case) -> Iterator[Objection]:
    """ "More than one payment" counts payments, whatever column is called so too: nobody says one payment for
    an amount."""
    for at, thing in enumerate(case.words[1:]):
        word = case.words[at]
        if word.form not in case.message.vocabulary.singles or not _is_compared(case, at):
            continue
        for atom in case.committed.atoms:
            compares = atom.sign in _COMPARING and number_of(atom.value) == 1 and not atom.having
            if not compares or atom.column is None or atom.table is None:
                continue
            if says(thing, words_of(case.graph.tables[atom.table].info.name)):
                yield case.objection(Code.COLUMN_CONTRADICTED, f"{word.text} {thing.text}", atom.part)
                return


def _is_compared(case: Case, at: int) -> bool:
    cues = case.message.does("above", "below", "at-least", "at-most", "or-more", "or-less", "between")
    return any(0 <= at - cue.last <= 1 or cue.first == at + 1 for cue in cues)


def _noun_behind(case: Case, at: int) -> Named | None:
    """The first name behind a number with only small words, cues and one other word between."""
    free = 1
    for place in range(at + 1, min(at + 1 + _BEHIND, len(case.words))):
        named = next((each for each in case.named if each.first <= place < each.last), None)
        if named is not None:
            return named
        if any(cue.first <= place < cue.last for cue in case.message.does("each", "by")):
            return None
        small = case.words[place].keys & case.message.small_words
        behind = any(cue.first <= place < cue.last for cue in case.message.does("or-more", "or-less"))
        if case.words[place].form in case.message.vocabulary.units or case.words[place].number is not None:
            return None
        if not small and not behind:
            free -= 1
        if free < 0:
            return None
    return None


def _is_part(case: Case, named: Named) -> bool:
    """Whether the name only begins another one: more than 5 order lines."""
    following = case.words[named.last : named.last + 1]
    return bool(following) and any(each.first == named.last for each in case.named)


def _is_of(case: Case, atom: Atom, named: Named) -> bool:
    """Whether a column holds a number of what is named: `ticket_count`, or a ready figure of that table."""
    if atom.column is None or says(case.words[named.last - 1], words_of(atom.column.info.name)):
        return True
    return atom.table in named.tables and not atom.links and not _tells_rows(case, atom)


def _tells_rows(case: Case, atom: Atom) -> bool:
    return atom.table is not None and atom.column not in case.graph.tables[atom.table].measures


def hundredths(case: Case) -> Iterator[Objection]:
    """ "$50" is 5000 where a column holds cents."""
    for word in case.words:
        if word.number is None or not _is_money(case, word):
            continue
        for atom in case.committed.atoms:
            if holds_hundredths(case, atom) and number_of(atom.value) == word.number:
                yield case.objection(Code.UNIT_MISSING, word.text, atom.part)
                return


def _is_money(case: Case, word: Word) -> bool:
    """Whether a sign stands before a number, or the name of money behind it."""
    whole = case.message.vocabulary.money.get("whole", frozenset())
    before, behind = case.message.text[: word.start].rstrip(), case.message.text[word.end :].split()
    return before[-1:] in whole or bool(behind and behind[0].casefold().strip(".,?!") in whole)


def multiples(case: Case) -> Iterator[Objection]:
    """ "More than three times the average": the program compares with no such thing, and 3 is not it."""
    told = case.message.vocabulary
    for cue in case.message.does("average"):
        before = case.words[max(0, cue.first - _BEHIND) : cue.first]
        telling = [word for word in before if word.form not in case.message.small_words]
        if telling and telling[-1].form in told.multiples:
            yield case.objection(Code.COMPARISON_MISSING, telling[-1].text)
            return
