"""What becomes of a period or a day in a reading: it is asked of a date."""

import re
from collections.abc import Iterator

from dragoman.contracts.schema import ValueType
from dragoman.planning.tables.day_spans import DaySpan, PlacedSpan
from dragoman.planning.tables.partial_reading import Condition, Draft, Waiting
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.scoped_message import ScopedMessage
from dragoman.planning.tables.words import Kind, Token

_DAY = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{4}")
_MOST_DATES = 4


def after_span(message: ScopedMessage, draft: Draft, span: PlacedSpan) -> Iterator[Draft]:
    """The days are asked of the date that was just named, or of any date of the scope."""
    waiting, held = draft.waiting, draft.held
    if waiting.comparison and not waiting.numbers:
        # "Over 10 in March 2020": the grammar of dates may have taken the number that is compared.
        return
    dates = [thing for thing in message.columns if thing.is_date]
    subjects = [held] if held is not None and held.is_date else dates[:_MOST_DATES]
    # A number keeps its comparison: "over 100 in March".
    left = waiting.also(negative=False, either=False, like="")
    for subject in subjects:
        condition = _within(subject, span.days, waiting)
        if condition is not None:
            yield _asked(message, draft, condition, span.days.text, left)


def is_day(token: Token) -> bool:
    """Whether a word is a day or a moment in digits."""
    return token.kind is Kind.WORD and _DAY.match(token.text) is not None


def after_day(message: ScopedMessage, draft: Draft, token: Token) -> Iterator[Draft]:
    """A day or a moment in digits speaks of a date."""
    waiting = draft.waiting
    dates = [thing for thing in message.columns if thing.is_date or {"date", "time"} & set(thing.words)]
    subjects = [draft.held] if draft.held is not None else dates[:_MOST_DATES]
    operation = waiting.comparison or "equal"
    for subject in subjects:
        condition = Condition(subject, operation, (token.text,), waiting.negative, waiting.either)
        yield _asked(message, draft, condition, token.text, Waiting())


def _asked(message: ScopedMessage, draft: Draft, condition: Condition, text: str, waiting: Waiting) -> Draft:
    subject = condition.thing
    return message.gained(
        draft,
        [("moment.held" if draft.held is subject else "moment", 1.0)],
        conditions=(*draft.conditions, condition),
        held=None,
        last=subject,
        waiting=waiting,
        notes=(*draft.notes, f"{text} = {subject.full_name}"),
    )


def _within(subject: Thing, days: DaySpan, waiting: Waiting) -> Condition | None:
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
