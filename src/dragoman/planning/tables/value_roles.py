"""What becomes of a number, a value or a quoted text in a reading."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from dragoman.planning.tables.lexicon import lexicons
from dragoman.planning.tables.partial_reading import Condition, Draft, Having, Measure, Waiting
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.value_linker import Valued
from dragoman.planning.tables.weights import Feature
from dragoman.planning.tables.words import Kind, Token, stem

if TYPE_CHECKING:
    from dragoman.planning.tables.reading_search import Stepper

_MOMENT = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{4}")
_BY_YEAR = ("year", "date", "time")
_CATEGORIES = 12
_YEARS = (1000, 2100)


def told(thing: Thing) -> str:
    return thing.table.name if thing.column is None else f"{thing.table.name}.{thing.column.name}"


def compared(thing: Thing, waiting: Waiting) -> Condition:
    operation = waiting.comparison or "equal"
    values = waiting.numbers[:2] if operation == "between" else waiting.numbers[-1:]
    return Condition(thing, operation, values, waiting.negative, waiting.either)


def after_number(stepper: "Stepper", draft: Draft, number: float, token: Token) -> Iterator[Draft]:
    waiting = draft.waiting
    spelled = not token.low[:1].isdigit() and not token.low.startswith("-")
    word: list[Feature] = [("number.spelled", 1.0 if spelled else 0.0)]
    if token.low in lexicons()[0].times:
        having = Having(Measure("count"), waiting.comparison or "equal", number)
        yield stepper.gained(
            draft, [("having.times", 1.0)], having=(*draft.having, having), waiting=Waiting()
        )
        return
    numbers = (*waiting.numbers, number)
    if waiting.comparison == "between" and len(numbers) < 2:
        yield draft.changed(waiting=msgspec.structs.replace(waiting, numbers=numbers))
        return
    ready = msgspec.structs.replace(waiting, numbers=numbers, numbered=draft.at + 1)
    subject = draft.held
    if subject is not None and (subject.is_number or subject.is_date or subject.is_text):
        role = f"number.held:{'comparing' if waiting.comparison else 'none'}"
        fits: list[Feature] = [("number.held.text", 1.0)] if subject.is_text else []
        if subject.is_text and waiting.comparison not in ("", "equal"):
            fits.append(("number.held.text.ordered", 1.0))
        yield stepper.gained(
            draft,
            [*word, (role, 1.0), *fits],
            conditions=(*draft.conditions, compared(subject, ready)),
            held=None,
            last=subject,
            waiting=Waiting(),
            notes=(*draft.notes, f"{token.text} = {told(subject)}"),
        )
    if draft.conditions and waiting.either and not waiting.comparison and subject is None:
        before = draft.conditions[-1]
        again = Condition(before.thing, before.operation, (number,), before.negative, either=True)
        yield stepper.gained(
            draft, [*word, ("number.again", 1.0)], conditions=(*draft.conditions, again), waiting=Waiting()
        )
    if draft.conditions and not waiting.comparison and subject is None and not waiting.either:
        *earlier, first = draft.conditions
        if (
            first.operation == "equal"
            and len(first.values) == 1
            and isinstance(first.values[0], float)
            and first.values[0] < number
        ):
            both = Condition(first.thing, "between", (first.values[0], number), first.negative, first.either)
            yield stepper.gained(
                draft, [*word, ("number.range", 1.0)], conditions=(*earlier, both), waiting=Waiting()
            )
    if draft.measures and waiting.comparison and subject is None:
        *before_measures, last_measure = draft.measures
        having = Having(last_measure, waiting.comparison, number)
        yield stepper.gained(
            draft,
            [*word, ("number.having.measure", 1.0)],
            measures=tuple(before_measures),
            having=(*draft.having, having),
            waiting=Waiting(),
        )
    if waiting.hints:
        is_year = _YEARS[0] <= number <= _YEARS[1] and "year" in waiting.hints
        for rank, thing in stepper.hinted(_BY_YEAR if is_year else waiting.hints):
            condition = compared(thing, ready)
            yield stepper.gained(
                draft,
                [*word, ("number.hinted", 1.0), ("number.hint.rank", rank / 4)],
                conditions=(*draft.conditions, condition),
                waiting=Waiting(),
            )
    elif _YEARS[0] <= number <= _YEARS[1] and subject is None and not spelled and number == int(number):
        for rank, thing in stepper.hinted(("year", "date", "time")):
            condition = compared(thing, ready)
            yield stepper.gained(
                draft,
                [("number.year", 1.0), ("number.hint.rank", rank / 4)],
                conditions=(*draft.conditions, condition),
                waiting=Waiting(),
            )
    if (
        (waiting.first or waiting.extreme)
        and not waiting.comparison
        and number == int(number)
        and 0 < number < 1000
    ):
        yield stepper.gained(
            draft,
            [*word, ("number.limit", 1.0)],
            top=int(number),
            waiting=msgspec.structs.replace(waiting, first=False),
        )
    if draft.last is not None and draft.last is not subject and waiting.comparison and draft.last.is_number:
        yield stepper.gained(
            draft,
            [*word, ("number.last", 1.0)],
            conditions=(*draft.conditions, compared(draft.last, ready)),
            waiting=Waiting(),
            shown=tuple(each for each in draft.shown if each is not draft.last)
            if draft.zone == "where"
            else draft.shown,
        )
    yield stepper.gained(draft, [*word, ("number.wait", 1.0)], waiting=ready)


def after_value(stepper: "Stepper", draft: Draft, value: Valued) -> Iterator[Draft]:
    waiting = draft.waiting
    thing = value.thing
    words = value.end - value.start
    said = stepper.tokens[value.start].text
    features: list[Feature] = [
        ("value", value.score),
        ("value.words", float(words - 1)),
        (
            "value.quoted"
            if value.quoted
            else "value.capital"
            if said[:1].isupper() and value.start
            else "value.small",
            1.0,
        ),
        (f"value@{draft.zone}", 1.0),
        ("value.key", 1.0 if thing.is_key else 0.0),
    ]
    if not value.quoted:
        features.extend(_chance(stepper, value))
    if value.quoted and value.value != stepper.tokens[value.start].text:
        features.append(("value.slip", 1.0))
    if draft.held is not None:
        features.append(("value.held" if draft.held is thing else "value.held.other", 1.0))
    elif draft.last is thing:
        features.append(("value.last", 1.0))
    if draft.conditions and draft.conditions[-1].thing is thing:
        features.append(("value.again", 1.0))
    operation = waiting.like or "equal"
    if waiting.like:
        features.append(("value.like", 1.0))
    if thing.table.key != stepper.scope.root.key:
        features.append(("value.other", 1.0))
    condition = Condition(thing, operation, (value.value,), waiting.negative, waiting.either)
    yield stepper.gained(
        draft,
        features,
        conditions=(*draft.conditions, condition),
        held=None,
        last=thing,
        waiting=Waiting(
            verbs=waiting.verbs,
            extreme=waiting.extreme,
            adjective=waiting.adjective,
            counting=waiting.counting,
            grouping=waiting.grouping,
            comparison=waiting.comparison,
            numbers=waiting.numbers,
            first=waiting.first,
        ),
        notes=(*draft.notes, f"{value.value} = {told(thing)}"),
    )


def _chance(stepper: "Stepper", value: Valued) -> list[Feature]:
    """What speaks against a word that stands in the data by chance: it is also a name, or one of many."""
    found: list[Feature] = []
    info, rows = value.thing.column.info if value.thing.column else None, value.thing.table.info.rows
    small = not stepper.tokens[value.start].text[:1].isupper()
    if info is not None and info.distinct is not None and rows:
        few = info.distinct <= _CATEGORIES or info.distinct * 4 <= rows
        found.append((f"value.{'few' if few else 'many'}{'.small' if small else ''}", 1.0))
    if stepper.names_exactly(value.start, value.end):
        found.append(("value.named", 1.0))
    if value.value.isupper() and small:
        found.append(("value.upper", 1.0))
    found.extend(_directed(stepper, value))
    if value.value == " ".join(token.text for token in stepper.tokens[value.start : value.end]):
        found.append(("value.same", 1.0))
    return found


def _directed(stepper: "Stepper", value: Valued) -> list[Feature]:
    """Whether the preposition before a value fits its column: "from Oslo" is not a destination."""
    before = stepper.tokens[value.start - 1].low if value.start else ""
    directions = lexicons()[0].directions
    if before not in directions:
        return []
    words = set(value.thing.words)
    if words & {stem(word) for word in directions[before]}:
        return [("value.directed", 1.0)]
    others = {stem(word) for name, told in directions.items() if name != before for word in told}
    return [("value.directed.not", 1.0)] if words & others else []


def is_moment(token: Token) -> bool:
    return token.kind is Kind.WORD and _MOMENT.match(token.text) is not None


def after_moment(stepper: "Stepper", draft: Draft, token: Token) -> Iterator[Draft]:
    """A day or a moment in digits speaks of a date."""
    waiting = draft.waiting
    dates = [thing for thing in stepper.columns if thing.is_date or {"date", "time"} & set(thing.words)]
    subjects = [draft.held] if draft.held is not None else dates[:4]
    operation = waiting.comparison or "equal"
    for subject in subjects:
        condition = Condition(subject, operation, (token.text,), waiting.negative, waiting.either)
        yield stepper.gained(
            draft,
            [("moment.held" if draft.held is subject else "moment", 1.0)],
            conditions=(*draft.conditions, condition),
            held=None,
            last=subject,
            waiting=Waiting(),
            notes=(*draft.notes, f"{token.text} = {told(subject)}"),
        )


def after_quoted(stepper: "Stepper", draft: Draft, token: Token) -> Iterator[Draft]:
    """A quoted text need not stand in the data: it speaks of the column that was named before it."""
    waiting = draft.waiting
    spelled = (
        [] if token.kind is Kind.QUOTED else [("literal", 1.0), ("literal.long", float(len(token.text) > 2))]
    )
    operation = waiting.like or "equal"
    if not waiting.like and waiting.either and draft.conditions:
        # "Contains a or b": what was said of the first holds of the second.
        operation = draft.conditions[-1].operation
    subjects = [draft.held or draft.last]
    if draft.conditions:
        subjects.append(draft.conditions[-1].thing)
    for subject in dict.fromkeys(each for each in subjects if each is not None):
        if not subject.is_text and not subject.is_date:
            continue
        condition = Condition(subject, operation, (token.text,), waiting.negative, waiting.either)
        role = "quoted.held" if subject is draft.held else "quoted.last"
        shown = draft.shown
        yield stepper.gained(
            draft,
            [(role, 1.0), (f"quoted.{operation}", 1.0), (f"quoted@{draft.zone}", 1.0), *spelled],
            conditions=(*draft.conditions, condition),
            held=None,
            last=subject,
            waiting=Waiting(),
            shown=shown,
            notes=(*draft.notes, f"{token.text} = {told(subject)}"),
        )
    yield stepper.gained(
        draft, [("quoted.wait", 1.0), *spelled], waiting=msgspec.structs.replace(waiting, text=token.text)
    )
    if not draft.held:
        for thing in stepper.columns:
            if thing.is_text and ("name" in thing.words or "titl" in thing.words):
                condition = Condition(thing, operation, (token.text,), waiting.negative, waiting.either)
                yield stepper.gained(
                    draft,
                    [("quoted.name", 1.0), (f"quoted.{operation}", 1.0), *spelled],
                    conditions=(*draft.conditions, condition),
                    waiting=Waiting(),
                    last=thing,
                )
