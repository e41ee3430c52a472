"""What becomes of a number in a reading: it is compared, it says how many rows, or it waits."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from dragoman.planning.tables.lexicon import lexicons
from dragoman.planning.tables.partial_reading import Condition, Draft, Having, Measure, Waiting, compared
from dragoman.planning.tables.scoped_message import ScopedMessage
from dragoman.planning.tables.weights import Feature
from dragoman.planning.tables.words import Token

_BY_YEAR = ("year", "date", "time")
_YEARS = (1000, 2100)
_MOST_TOP = 1000


class _Said(NamedTuple):
    """A number of the message. `ready`: what waits once the number does too."""

    number: float
    text: str
    spelled: bool
    ready: Waiting

    @property
    def features(self) -> list[Feature]:
        return [("number.spelled", 1.0 if self.spelled else 0.0)]

    @property
    def is_whole(self) -> bool:
        return self.number == int(self.number)

    @property
    def is_year(self) -> bool:
        return _YEARS[0] <= self.number <= _YEARS[1]


def after_number(message: ScopedMessage, draft: Draft, number: float, token: Token) -> Iterator[Draft]:
    """Every way to take a number."""
    waiting = draft.waiting
    if token.low in lexicons()[0].times:
        having = Having(Measure("count"), waiting.comparison or "equal", number)
        yield message.gained(
            draft, [("having.times", 1.0)], having=(*draft.having, having), waiting=Waiting()
        )
        return
    numbers = (*waiting.numbers, number)
    if waiting.comparison == "between" and len(numbers) < 2:
        yield draft.changed(waiting=waiting.also(numbers=numbers))
        return
    spelled = not token.low[:1].isdigit() and not token.low.startswith("-")
    said = _Said(number, token.text, spelled, waiting.also(numbers=numbers, numbered=draft.at + 1))
    if draft.held is not None:
        yield from _of_held(message, draft, said)
    else:
        yield from _beside_condition(message, draft, said)
        yield from _of_measure(message, draft, said)
    yield from _of_hinted(message, draft, said)
    yield from _limited(message, draft, said)
    yield from _of_last(message, draft, said)
    yield message.gained(draft, [*said.features, ("number.wait", 1.0)], waiting=said.ready)


def _of_held(message: ScopedMessage, draft: Draft, said: _Said) -> Iterator[Draft]:
    """The column that was named for it holds the number."""
    subject, comparison = draft.held, draft.waiting.comparison
    if subject is None or not (subject.is_number or subject.is_date or subject.is_text):
        return
    features = [*said.features, (f"number.held:{'comparing' if comparison else 'none'}", 1.0)]
    if subject.is_text:
        features.append(("number.held.text", 1.0))
        if comparison not in ("", "equal"):
            features.append(("number.held.text.ordered", 1.0))
    yield message.gained(
        draft,
        features,
        conditions=(*draft.conditions, compared(subject, said.ready)),
        held=None,
        last=subject,
        waiting=Waiting(),
        notes=(*draft.notes, f"{said.text} = {subject.full_name}"),
    )


def _beside_condition(message: ScopedMessage, draft: Draft, said: _Said) -> Iterator[Draft]:
    """Another number for the last condition, or the other end of it: "from 3 to 5"."""
    if not draft.conditions or draft.waiting.comparison:
        return
    *earlier, last = draft.conditions
    if draft.waiting.either:
        again = Condition(last.thing, last.operation, (said.number,), last.negative, either=True)
        conditions, feature = (*earlier, last, again), "number.again"
    elif _begins_range(last, said.number):
        both = Condition(last.thing, "between", (*last.values, said.number), last.negative, last.either)
        conditions, feature = (*earlier, both), "number.range"
    else:
        return
    yield message.gained(draft, [*said.features, (feature, 1.0)], conditions=conditions, waiting=Waiting())


def _begins_range(condition: Condition, number: float) -> bool:
    if condition.operation != "equal" or len(condition.values) != 1:
        return False
    (first,) = condition.values
    return isinstance(first, float) and first < number


def _of_measure(message: ScopedMessage, draft: Draft, said: _Said) -> Iterator[Draft]:
    """The last figure is not asked for but compared: "with an average age above 30"."""
    if draft.measures and draft.waiting.comparison:
        *before, last = draft.measures
        having = Having(last, draft.waiting.comparison, said.number)
        yield message.gained(
            draft,
            [*said.features, ("number.having.measure", 1.0)],
            measures=tuple(before),
            having=(*draft.having, having),
            waiting=Waiting(),
        )


def _of_hinted(message: ScopedMessage, draft: Draft, said: _Said) -> Iterator[Draft]:
    """The columns that a comparative speaks of ("older than 30"), and dates where it may be a year."""
    hints = draft.waiting.hints
    if hints:
        wanted = _BY_YEAR if said.is_year and "year" in hints else hints
        features = [*said.features, ("number.hinted", 1.0)]
    elif said.is_year and draft.held is None and not said.spelled and said.is_whole:
        wanted, features = _BY_YEAR, [("number.year", 1.0)]
    else:
        return
    for rank, thing in message.hinted(wanted):
        yield message.gained(
            draft,
            [*features, ("number.hint.rank", rank / 4)],
            conditions=(*draft.conditions, compared(thing, said.ready)),
            waiting=Waiting(),
        )


def _limited(message: ScopedMessage, draft: Draft, said: _Said) -> Iterator[Draft]:
    """So many of the first."""
    waiting = draft.waiting
    asked = (waiting.first or waiting.extreme) and not waiting.comparison
    if asked and said.is_whole and 0 < said.number < _MOST_TOP:
        yield message.gained(
            draft,
            [*said.features, ("number.limit", 1.0)],
            top=int(said.number),
            waiting=msgspec.structs.replace(waiting, first=False),
        )


def _of_last(message: ScopedMessage, draft: Draft, said: _Said) -> Iterator[Draft]:
    """The number column that was named last; inside a condition it is not shown then."""
    last = draft.last
    if last is None or last is draft.held or not draft.waiting.comparison or not last.is_number:
        return
    shown = draft.shown
    if draft.zone == "where":
        shown = tuple(each for each in shown if each is not last)
    yield message.gained(
        draft,
        [*said.features, ("number.last", 1.0)],
        conditions=(*draft.conditions, compared(last, said.ready)),
        waiting=Waiting(),
        shown=shown,
    )
