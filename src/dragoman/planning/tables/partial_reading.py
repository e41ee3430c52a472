"""A reading while it is being made, word by word: what was said so far, and what waits for its object."""

from typing import NamedTuple, Self

import msgspec

from dragoman.contracts.record import Record
from dragoman.planning.tables.lexicon import Superlative
from dragoman.planning.tables.schema_names import Thing


class Condition(Record, frozen=True):
    """What must hold of a column. `operation` is a comparison of table verbs, `equal` or `missing`."""

    thing: Thing
    operation: str
    values: tuple[str | float, ...]
    negative: bool = False
    either: bool = False
    """It stands after an "or"."""


class Measure(Record, frozen=True):
    """What is worked out: a verb over a column, or over the rows where there is none."""

    verb: str
    thing: Thing | None = None
    distinct: bool = False


class Having(Record, frozen=True):
    """What must hold of a group's figure. `of` is the table whose rows are counted."""

    measure: Measure
    operation: str
    number: float
    of: Thing | None = None


class Sorting(Record, frozen=True):
    thing: Thing | None
    descending: bool | None = None
    measure: Measure | None = None
    """With None for both: the rows of a group are counted."""


class Waiting(Record, frozen=True):
    """Words that wait for what they speak of."""

    verbs: tuple[str, ...] = ()
    counting: bool = False
    extreme: str = ""
    """`most`, `least`, `common` or `rare`."""
    adjective: Superlative | None = None
    grouping: bool = False
    comparison: str = ""
    hints: tuple[str, ...] = ()
    numbers: tuple[float, ...] = ()
    numbered: int = 0
    """The word after the last of the numbers."""
    negative: bool = False
    like: str = ""
    distinct: bool = False
    either: bool = False
    lasting: tuple[str, ...] = ()
    """Verbs whose column was just named: another may follow."""
    text: str = ""
    """A quoted text, or a word that nothing knows: the next column named may hold it."""
    first: bool = False
    """`top` or `first` was said, and no number yet."""

    def also(self, **changes: object) -> Self:
        """What waits when more does."""
        return msgspec.structs.replace(self, **changes)

    @property
    def main(self) -> str:
        """The one that decides what becomes of the next thing named."""
        if self.numbers:
            return "compared" if self.comparison else "number"
        if self.grouping:
            return "group"
        if self.counting:
            return "verbcount" if self.verbs else "extremecount" if self.extreme else "count"
        if self.text:
            return "text"
        if self.verbs:
            return "verb"
        if self.extreme:
            return self.extreme
        if self.comparison or self.like:
            return "comparing"
        return "none"


class Draft(msgspec.Struct, frozen=True, gc=False):
    """One way to read the words up to `at`."""

    at: int = 0
    score: float = 0.0
    features: tuple[tuple[str, float], ...] = ()
    zone: str = "show"
    waiting: Waiting = Waiting()
    before: Thing | None = None
    """What was named just before, and the word after it."""
    ended: int = 0
    held: Thing | None = None
    last: Thing | None = None
    shown: tuple[Thing, ...] = ()
    subjects: tuple[Thing, ...] = ()
    linked: tuple[Thing, ...] = ()
    counted: tuple[Thing | None, ...] = ()
    count_distinct: bool = False
    measures: tuple[Measure, ...] = ()
    groups: tuple[Thing, ...] = ()
    conditions: tuple[Condition, ...] = ()
    having: tuple[Having, ...] = ()
    orders: tuple[Sorting, ...] = ()
    extreme: Sorting | None = None
    top: int | None = None
    descending: bool | None = None
    ordering: bool = False
    """An order was asked for."""
    distinct: bool = False
    everything: bool = False
    uncovered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def changed(self, **changes: object) -> Self:
        return msgspec.structs.replace(self, **changes)


class Role(NamedTuple):
    """What becomes of something that was named, and the draft in which it does."""

    name: str
    draft: Draft


def compared(thing: Thing, waiting: Waiting) -> Condition:
    """The condition that the numbers and the comparison that wait make of a column."""
    operation = waiting.comparison or "equal"
    values = waiting.numbers[:2] if operation == "between" else waiting.numbers[-1:]
    return Condition(thing, operation, values, waiting.negative, waiting.either)


_NOTHING = Waiting()


def forgotten(before: Draft, after: Draft) -> list[str]:
    """What waited before, does not wait any more, and left no trace."""
    waited, waits = before.waiting, after.waiting
    if waited == _NOTHING:
        return []
    same = {
        name: getattr(before, name) == getattr(after, name)
        for name in ("measures", "orders", "extreme", "conditions", "having", "counted", "groups", "top")
    }
    found: list[str] = []
    if waited.verbs and not waits.verbs and same["measures"] and same["orders"] and same["extreme"]:
        found.extend(waited.verbs)
    if waited.counting and not waits.counting and same["counted"] and same["orders"] and same["extreme"]:
        found.extend([] if waited.verbs else ["count"])
    if waited.extreme and not waits.extreme and same["extreme"] and same["measures"]:
        found.append(waited.extreme)
    if waited.grouping and not waits.grouping and same["groups"]:
        found.append("group")
    compared = not (same["conditions"] and same["having"] and same["measures"])
    if waited.comparison and not waits.comparison and not compared:
        found.append(waited.comparison)
    if waited.numbers and not waits.numbers and not compared and same["top"]:
        found.extend(f"{number:g}" for number in waited.numbers)
    if waited.text and not waits.text and not any(waited.text in each.values for each in after.conditions):
        found.append(waited.text)
    return found
