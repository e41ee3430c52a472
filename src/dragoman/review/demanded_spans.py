"""How long something takes: numbers with a unit of time, and figures that are asked for in one."""

from collections.abc import Iterator
from fractions import Fraction

from dragoman.review.case import Case
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_numbers import Number, numbers_in
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Cue
from dragoman.tables.computation import SPANS, Computed, Expressed
from dragoman.tables.paths import ColumnPath

_TIME = "time"


def measures_time(case: Case, cue: Cue) -> bool:
    """ "How many days does it take": whether days are asked for, and a figure of time is worked out."""
    behind = case.words[cue.last : cue.last + 1]
    unit = case.message.vocabulary.units.get(behind[0].form) if behind else None
    if unit is None or unit[0] != _TIME:
        return False
    if any(each.of is not None and _is_time(case, each.of) for each in case.committed.measures):
        return True
    # "And how many seconds did it take": a length of time that rows are ranked by is shown.
    keys = [each.by for request in case.committed.requests for each in request.order if request.top]
    return any(isinstance(each, ColumnPath | Computed) and _is_time(case, each) for each in keys)


def _is_time(case: Case, of: Expressed) -> bool:
    match of:
        case Computed(operator=operator, operands=operands):
            return operator in SPANS or any(
                _is_time(case, each) for each in operands if isinstance(each, ColumnPath | Computed)
            )
        case ColumnPath():
            known = case.message.vocabulary.kept_as.get(_TIME, frozenset())
            return bool(words_of(of.column.info.name) & known)


def silent_units(case: Case) -> Iterator[Objection]:
    """ "More than 30 minutes" is no 30 where a column says no unit, and all that it holds is far from 30."""
    for each in numbers_in(case):
        if each.kind != _TIME:
            continue
        for atom in case.committed.atoms:
            if not atom.having and _is_raw(atom, each) and _is_elsewhere(atom, each):
                said = f"{each.text} {case.words[each.last].text}"
                yield case.objection(Code.UNIT_MISSING, said, atom.part)
                return


def _is_raw(atom: Atom, number: Number) -> bool:
    """Whether a number is held against a column just as it was said, and its name has no unit."""
    value = number_of(atom.value)
    if atom.column is None or value is None or Fraction(value) != number.value:
        return False
    return not words_of(atom.column.info.name) & column_words("counted")


def _is_elsewhere(atom: Atom, number: Number) -> bool:
    """Whether the number is none that the column could hold, and would be one in another unit."""
    info = atom.column.info if atom.column is not None else None
    if info is None or info.least is None or info.most is None:
        return False
    least, most = Fraction(info.least), Fraction(info.most)
    if least <= number.value <= most:
        return False
    return any(least <= each <= most for each in number.scaled())
