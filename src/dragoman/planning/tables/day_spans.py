"""Periods of a message, as the one grammar of dates found them, at their places among its tokens."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.planning.tables.partial_reading import Condition, Draft, Waiting
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import Token

if TYPE_CHECKING:
    from dragoman.planning.tables.reading_search import Stepper

_MOST_DATES = 4


class DaySpan(Record, frozen=True):
    """Days that a part of the message names, both ends included; an end that is None is open."""

    start: int
    end: int
    text: str
    first: dt.date | None
    last: dt.date | None


class PlacedSpan(Record, frozen=True):
    """A span among the tokens of a message: it takes those up to `end`."""

    end: int
    days: DaySpan


def placed(spans: Sequence[DaySpan], tokens: Sequence[Token]) -> dict[int, PlacedSpan]:
    """The spans by the token that they begin with."""
    found: dict[int, PlacedSpan] = {}
    for span in spans:
        inside = [at for at, token in enumerate(tokens) if span.start <= token.start < span.end]
        if inside:
            found[inside[0]] = PlacedSpan(inside[-1] + 1, span)
    return found


def covered(spans: Mapping[int, PlacedSpan]) -> frozenset[int]:
    """Every token that a span takes."""
    return frozenset(at for start, span in spans.items() for at in range(start, span.end))


def after_span(stepper: "Stepper", draft: Draft, span: PlacedSpan) -> Iterator[Draft]:
    """The days are asked of the date that was just named, or of any date of the scope."""
    if draft.waiting.comparison and not draft.waiting.numbers:
        # "Over 10 in March 2020": the grammar of dates may have taken the number that is compared.
        return
    held = draft.held
    dates = [thing for thing in stepper.columns if thing.is_date]
    subjects = [held] if held is not None and held.is_date else dates[:_MOST_DATES]
    for subject in subjects:
        condition = _condition(subject, span.days, draft.waiting)
        if condition is None:
            continue
        yield stepper.gained(
            draft,
            [("moment.held" if held is subject else "moment", 1.0)],
            conditions=(*draft.conditions, condition),
            held=None,
            last=subject,
            waiting=_left(draft.waiting),
            notes=(*draft.notes, f"{span.days.text} = {_told(subject)}"),
        )


def _left(waiting: Waiting) -> Waiting:
    """What still waits after the days were taken: a number keeps its comparison, "over 100 in March"."""
    return replace(waiting, negative=False, either=False, like="")


def _condition(subject: Thing, days: DaySpan, waiting: Waiting) -> Condition | None:
    """What holds of the date."""
    first, last = days.first, days.last
    if first is not None and last is not None:
        if first == last and subject.column is not None and subject.column.type is ValueType.DATE:
            return Condition(subject, "equal", (first.isoformat(),), waiting.negative, waiting.either)
        values = (first.isoformat(), last.isoformat())
        return Condition(subject, "between", values, waiting.negative, waiting.either)
    if first is not None:
        return Condition(subject, "at-least", (first.isoformat(),), waiting.negative, waiting.either)
    if last is not None:
        return Condition(subject, "at-most", (last.isoformat(),), waiting.negative, waiting.either)
    return None


def _told(thing: Thing) -> str:
    return f"{thing.table.name}.{thing.column.name}" if thing.column is not None else thing.table.name
