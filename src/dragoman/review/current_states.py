"""What is over and what goes on, what is there and what has been achieved: each is a condition of its own."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dragoman.review.case import Case, is_moment
from dragoman.review.commitments import Atom
from dragoman.review.names import Named, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.tables.graph import Column, Table

_NEAR: Final = 3


def ended(case: Case) -> Iterator[Objection]:
    """What is no longer sold has a day on which that ended; what is still sold has none."""
    over = case.message.does("over")
    lasts = [word for word in case.words if word.form in case.message.vocabulary.lasting]
    for atom in case.committed.atoms:
        if atom.sign != "missing" or not is_end(atom) or atom.part in case.carried:
            continue
        if over and not atom.negated:
            yield case.demanded(Code.NEGATION_MISSING, over[0], atom.part)
            return
        if lasts and not over and atom.negated and not case.message.does("negation"):
            yield case.objection(Code.NEGATION_UNASKED, lasts[0].text, atom.part)
            return


def is_end(atom: Atom) -> bool:
    """Whether a condition is about the day on which something is over."""
    if atom.column is None or not is_moment(atom.column.type):
        return False
    return bool(words_of(atom.column.info.name) & column_words("end"))


def is_stock(case: Case, atom: Atom) -> bool:
    """Whether a condition says that something is there, or is not, where the message speaks of a stock."""
    if atom.column is None or not words_of(atom.column.info.name) & column_words("left"):
        return False
    return any(word.form in case.message.vocabulary.stock for word in case.words)


def is_achieved(case: Case, atom: Atom) -> bool:
    """Whether a flag says that somebody got into what is named."""
    if atom.column is None or atom.table is None or str(atom.value).casefold() in column_words("no"):
        return False
    named = any(atom.table in each.tables for each in _got_into(case))
    return named and atom.column in _outcomes(case, case.graph.tables[atom.table])


def stocked(case: Case) -> Iterator[Objection]:
    """ "Which of them are in stock" holds the stock to something, where a column has it."""
    told = case.message.vocabulary
    left = column_words("left")
    if case.message.does("count", "sum", "average", "most", "least"):
        return
    for at, (before, word) in enumerate(pairwise(case.words)):
        if word.form not in told.stock or before.form not in told.in_unit or not at:
            continue
        # Units in stock are shown.
        noun = case.words[at - 1]
        if noun.keys & told.pieces.get("pieces", frozenset()) or case.message.does("above", "below"):
            continue
        tables = [case.graph.tables[key] for key in case.committed.tables]
        known = [column for table in tables for column in table.measures if words_of(column.info.name) & left]
        held = {atom.column for atom in case.committed.atoms}
        if known and not any(column in held for column in known):
            yield case.objection(Code.COMPARISON_MISSING, f"{before.text} {word.text}")
            return


def achieved(case: Case) -> Iterator[Objection]:
    """Who got into the guild was admitted, where its records say of each whether that was so."""
    used = {path.column for path in case.committed.columns}
    for named in _got_into(case):
        for key in named.tables:
            if key not in case.committed.tables:
                continue
            flags = _outcomes(case, case.graph.tables[key])
            if flags and not any(column in used for column in flags):
                yield case.objection(Code.NAME_MISSING, case.said_of(named), flags[0].name)
                return


def _got_into(case: Case) -> Iterator[Named]:
    told = case.message.vocabulary
    for named in case.named:
        before = case.words[max(named.first - _NEAR, 0) : named.first]
        if any(word.form in told.into for word in before):
            yield named


def _outcomes(case: Case, table: Table) -> list[Column]:
    """The flags that are called by what was done: admitted, accepted."""
    told = case.message.vocabulary
    found = []
    for column in table.columns.values():
        samples = {sample.casefold() for sample in column.info.samples}
        flag = column.type.value == "boolean" or (bool(samples) and samples <= column_words("flag"))
        if flag and told.verbal.search(column.info.name.casefold()):
            found.append(column)
    return found


def pointed_periods(case: Case) -> Iterator[Objection]:
    """ "Who won that year" keeps to a time; where rows are counted or added up, to the time of just these."""
    told = case.message.vocabulary
    said = next(
        (
            (before, word)
            for before, word in pairwise(case.words)
            if before.form in told.pointing and word.form in told.parts
        ),
        None,
    )
    if said is None:
        return
    text = f"{said[0].text} {said[1].text}"
    timed = [atom for atom in case.committed.atoms if _is_timed(atom)]
    if not timed and not any(path.part is not None for r in case.committed.requests for path in r.by):
        yield case.objection(Code.PERIOD_MISSING, text)
        return
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or not request.measures or not timed:
        return
    if all(_turns_back(atom, request.table) for atom in timed):
        yield case.objection(Code.PERIOD_MISSING, text, timed[0].part)


def _is_timed(atom: Atom) -> bool:
    if atom.column is None:
        return False
    return is_moment(atom.column.type) or bool(words_of(atom.column.info.name) & column_words("time"))


def _turns_back(atom: Atom, table: Table) -> bool:
    """Whether a condition leaves a table and comes back to other rows of it, or of one that it passed."""
    passed = [table.key, *(link.target for link in atom.links)]
    return len(set(passed)) < len(passed)
