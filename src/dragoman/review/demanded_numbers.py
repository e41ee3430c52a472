"""Numbers of a message: each is in the program, compared the way that was said, in the right unit."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Final

from dragoman.review.case import Case
from dragoman.review.commitments import Atom, number_of
from dragoman.review.demanded_others import paired
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.words import AND_A_HALF, Word

_IN_BASE: Final[dict[str, Fraction]] = {
    "millisecond": Fraction(1, 1000),
    "second": Fraction(1),
    "minute": Fraction(60),
    "hour": Fraction(3600),
    "day": Fraction(86400),
    "centimetre": Fraction(1, 100),
    "metre": Fraction(1),
    "kilometre": Fraction(1000),
    "mile": Fraction(1609344, 1000),
    "foot": Fraction(3048, 10000),
    "inch": Fraction(254, 10000),
    "gram": Fraction(1),
    "kilogram": Fraction(1000),
    "pound": Fraction(45359237, 100000),
    "tonne": Fraction(1000000),
    "byte": Fraction(1),
    "kilobyte": Fraction(1024),
    "megabyte": Fraction(1024**2),
    "gigabyte": Fraction(1024**3),
}
_NEAR: Final = Fraction(1, 50)
"""Units are mostly converted with few digits."""


def _is_scale(case: Case, at: int) -> bool:
    """Whether a word multiplies the number before it. A letter does only where it is written onto it: 6 m are
    metres."""
    word, before = case.words[at], case.words[at - 1]
    return word.form in case.message.vocabulary.scales and (len(word.form) > 1 or before.end == word.start)


class Number:
    """A number of a message with what stands around it."""

    def __init__(self, case: Case, at: int) -> None:
        told = case.message.vocabulary
        words = case.words
        self.at, self.last = at, at + 1
        self.value = Fraction(words[at].number or Decimal(0))
        while self.last < len(words) and _is_scale(case, self.last):
            self.value *= told.scales[words[self.last].form]
            self.last += 1
        if tuple(word.form for word in words[self.last : self.last + 3]) == AND_A_HALF:
            # "Two and a half hours".
            self.value += Fraction(1, 2)
            self.last += len(AND_A_HALF)
        if words[at].form in told.halves:
            # "Half an hour".
            self.last += 1
        following = words[self.last : self.last + 1]
        unit = told.units.get(following[0].form) if following else None
        self.clock = bool(following) and bool(following[0].keys & told.clock)
        self.kind, self.unit = unit if unit is not None else ("", "")
        self.text = case.message.text[words[at].start : words[self.last - 1].end]

    def scaled(self) -> list[Fraction]:
        """The number as other units of its kind would have it."""
        if self.clock:
            hours = (self.value, self.value + 12)
            return [hour * scale for hour in hours for scale in (1, 60, 100)]
        if not self.unit:
            return []
        base = self.value * _IN_BASE[self.unit]
        return [base / other for other in _IN_BASE.values()]


def numbers_in(case: Case) -> Iterator[Number]:
    """The numbers of a message that are none of a period or a name."""
    last = 0
    for at, word in enumerate(case.words):
        if word.number is None or at < last or case.message.in_period(word) or _is_name(case, at):
            continue
        found = Number(case, at)
        last = found.last
        yield found


def _is_name(case: Case, at: int) -> bool:
    """A number that is part of a name or a value: Route 66, address line 2."""
    word = case.words[at]
    limits = case.message.vocabulary.limits.get("before", frozenset())
    # "Top 3" is not a time of day that somebody wrote as 3.
    cut = at > 0 and case.words[at - 1].form in limits and word.form in case.committed.texts
    texts = () if cut else case.committed.texts
    return word.form in case.committed.names or any(_has(text, word) for text in texts)


def _has(text: str, word: Word) -> bool:
    return word.form in text.casefold()


_PAIR = 2


def numbers(case: Case) -> Iterator[Objection]:
    there = {Fraction(each) for each in case.committed.numbers} | _whole_money(case)
    compared = {
        Fraction(number)
        for atom in case.committed.atoms
        if atom.sign != "equal" and (number := number_of(atom.value)) is not None
    }
    dated = any(atom.sign == "within" or hasattr(atom.value, "year") for atom in case.committed.atoms)
    for each in numbers_in(case):
        near = {each.value + 1, each.value - 1}
        if (
            {each.value, each.value / 100} & there
            or near & compared
            or any(_is_near(one, other) for one in each.scaled() for other in there)
        ):
            continue
        # Two that are alike are a pair.
        if each.value == _PAIR and paired(case):
            continue
        # "All three ports" are all of them.
        if each.at and case.words[each.at - 1].form in case.message.vocabulary.all_of and not each.unit:
            continue
        # "The last 7 days" are dates by the time a program is written.
        if each.kind == "time" and dated:
            continue
        yield case.objection(Code.NUMBER_MISSING, each.text)


def _whole_money(case: Case) -> set[Fraction]:
    """Numbers of columns that hold cents, as people say them."""
    return {
        Fraction(number) / 100
        for atom in case.committed.atoms
        if holds_hundredths(case, atom) and (number := number_of(atom.value)) is not None
    }


def holds_hundredths(case: Case, atom: Atom) -> bool:
    small = case.message.vocabulary.money.get("hundredths", frozenset())
    return atom.column is not None and bool(words_of(atom.column.info.name) & small)


def _is_near(one: Fraction, other: Fraction) -> bool:
    return abs(one - other) <= abs(one) * _NEAR


def limits(case: Case) -> Iterator[Objection]:
    """ "Top 5" and "5 cheapest" are five rows."""
    told = case.message.vocabulary.limits
    cut = {each for r in case.committed.requests for each in (r.top, r.limit) if each is not None}
    for each in numbers_in(case):
        before = case.words[each.at - 1].form if each.at else ""
        behind = case.words[each.last : each.last + 1]
        # "Over 500, biggest first" closes what is compared.
        parted = any("," in case.message.text[case.words[each.last - 1].end : word.start] for word in behind)
        after = behind[0].form if behind and not parted else ""
        asked = before in told.get("before", ()) or after in told.get("after", ())
        if asked and not each.unit and each.value not in cut and case.committed.read:
            yield case.objection(Code.LIMIT_MISSING, each.text)


_SIGNS: Final = {
    "above": ("above", "at-least"),
    "at-least": ("above", "at-least"),
    "below": ("below", "at-most"),
    "at-most": ("below", "at-most"),
}
_BEHIND: Final = {"or-more": "at-least", "or-less": "at-most"}


def comparisons(case: Case) -> Iterator[Objection]:
    """A number is compared in the direction that was said."""
    for each in numbers_in(case):
        wanted = _direction(case, each)
        atoms = [atom for atom in case.committed.atoms if holds(atom, each)]
        if wanted and atoms and not any(_agrees(case, atom, wanted, each.value) for atom in atoms):
            yield case.objection(Code.DIRECTION_MISSING, f"{wanted[1]} {each.text}")


def compared(case: Case) -> Iterator[Objection]:
    """ "Wider than the average" compares with something, whatever it is."""
    signs = {"above", "below", "at-least", "at-most", "within"}
    if any(atom.sign in signs for atom in case.committed.atoms):
        return
    told = case.message.vocabulary
    for cue in case.message.does(*_SIGNS):
        following = range(cue.last, min(cue.last + 4, len(case.words)))
        numbered = any(
            case.words[at].number is not None and not case.message.in_period(case.words[at])
            for at in following
        )
        # "At least a member" is any.
        behind = case.words[cue.last : cue.last + 1]
        any_one = cue.does == "at-least" and behind and behind[0].form in told.articles | told.single
        if any_one and (case.committed.linkings or any(r.joined for r in case.committed.requests)):
            continue
        averaged = any(other.first in following for other in case.message.does("average", "most", "least"))
        if (cue.last - cue.first > 1 or numbered or averaged) and not case.is_used_cue(cue):
            yield case.demanded(Code.COMPARISON_MISSING, cue)
            return


def _direction(case: Case, number: Number) -> tuple[str, str] | None:
    for cue in case.message.does(*_SIGNS):
        if 0 <= number.at - cue.last <= 1:
            return cue.does, case.message.said(cue)
    bare = case.words[number.at - 1].form if number.at else ""
    for does, forms in case.message.vocabulary.bare_signs.items():
        if bare in forms:
            return does, case.words[number.at - 1].text
    for cue in case.message.does(*case.message.vocabulary.behind):
        if 0 <= cue.first - number.last <= 1:
            return cue.does, case.message.said(cue)
    for cue in case.message.does(*_BEHIND):
        if 0 <= cue.first - number.last <= 1:
            return _BEHIND[cue.does], case.message.said(cue)
    return None


def holds(atom: Atom, number: Number) -> bool:
    """Whether an atom is about a number, in whatever unit."""
    value = number_of(atom.value)
    if value is None:
        return False
    return abs(Fraction(value) - number.value) <= 1 or any(
        _is_near(one, Fraction(value)) for one in number.scaled()
    )


def _agrees(case: Case, atom: Atom, wanted: tuple[str, str], asked: Fraction) -> bool:
    """ "More than 5" is above 5 or at least 6; with a negation, the opposite of the opposite."""
    value = Fraction(number_of(atom.value) or 0)
    signs = _SIGNS[wanted[0]]
    if atom.negated:
        return atom.sign not in signs or bool(case.message.does("negation"))
    if atom.sign not in signs:
        return False
    strict = {
        "above": ("at-least", 1),
        "at-least": ("above", -1),
        "below": ("at-most", -1),
        "at-most": ("below", 1),
    }
    if abs(value - asked) > 1:
        return True
    other, step = strict[wanted[0]]
    return (atom.sign == wanted[0] and value == asked) or (atom.sign == other and value == asked + step)


def units(case: Case) -> Iterator[Objection]:
    """ "5 hours" is 300 where a column holds minutes."""
    for each in numbers_in(case):
        if not each.unit:
            continue
        for atom in case.committed.atoms:
            if atom.column is None or number_of(atom.value) is None:
                continue
            kind, unit = _unit_of(case, atom)
            value = Fraction(number_of(atom.value) or 0)
            if kind != each.kind or unit == each.unit or value != each.value:
                continue
            yield case.objection(Code.UNIT_MISSING, f"{each.text} {case.words[each.last].text}", atom.part)


def _unit_of(case: Case, atom: Atom) -> tuple[str, str]:
    """The unit that the name of a column has."""
    words = words_of(atom.column.info.name) if atom.column is not None else frozenset[str]()
    found = {case.message.vocabulary.units[word] for word in words if word in case.message.vocabulary.units}
    return found.pop() if len(found) == 1 else ("", "")
