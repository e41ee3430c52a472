"""Values in words: what a column is compared with, and what is worked out from columns."""

import datetime as dt
from typing import assert_never

from msgspec.structs import replace

from dragoman.answering.words.names import in_words
from dragoman.answering.words.places import Named, Place, column_named, dated
from dragoman.answering.words.speaker import Speaker
from dragoman.contracts.program import (
    Boolean,
    Call,
    Date,
    Entry,
    Integer,
    Map,
    Nil,
    Number,
    Sequence,
    Statement,
    Symbol,
    Text,
    Value,
)
from dragoman.language.verbs.printer import print_value
from dragoman.tables.verbs import PARTS

LONGEST_TEXT = 80
"""How much of a text a sentence has room for."""

MOST_WORDS = 2
"""A longer text is quoted: where it ends must not be a guess."""
MOST_VALUES = 12
"""How many values of a list a sentence names."""

_PAIR = 2
_SECONDS = {60: "minutes_between", 3600: "hours_between", 86400: "exact_days_between"}
"""How many seconds the units have that moments are apart in, and their phrases."""
_CALCULATED = ("times", "plus", "minus", "divided")


def value_in_words(speaker: Speaker, place: Place, value: Value, part: str = "") -> str:
    """A value; with `part` as a number of that part of a date: 7 is July."""
    match value:
        case Text(value=text):
            return _text(speaker, text)
        case Integer(value=number):
            return _part_name(speaker, part, number) or str(number)
        case Number(value=digits):
            return digits
        case Boolean(value=truth):
            return speaker.put("true_value" if truth else "false_value")
        case Nil():
            return speaker.put("nothing_value")
        case Date(value=day):
            return _day(speaker, day)
        case Symbol(name=name):
            return _of_step(speaker, name)
        case Call(statement=statement):
            return _nested(speaker, statement)
        case Sequence(items=items) if not speaker.too_deep:
            deeper = replace(speaker, depth=speaker.depth + 1)
            said = values_in_words(deeper, place, items, part)
            return speaker.put("bracket", text=speaker.words.both(said))
        case Map() if not speaker.too_deep:
            return column_value(speaker, place, value).words
        case Sequence() | Map():
            return print_value(value)
        case _:
            assert_never(value)


def values_in_words(speaker: Speaker, place: Place, items: tuple[Value, ...], part: str = "") -> list[str]:
    """The first of some values, and how many more there are."""
    shown = items if len(items) <= MOST_VALUES else items[: MOST_VALUES - 1]
    said = [value_in_words(speaker, place, item, part) for item in shown]
    return said if shown is items else [*said, speaker.put("more", n=len(items) - len(shown))]


def column_value(speaker: Speaker, place: Place, value: Value) -> Named:
    """What a column path, a part of a date, or an expression over columns is called."""
    match value:
        case Text(value=text):
            return column_named(speaker, place, text)
        case Map(entries=(Entry(key="column", value=Text(value=text)),)):
            return column_named(speaker, place, text)
        case Map(entries=(Entry(key="number", value=inner),)) if not speaker.too_deep:
            found = column_value(replace(speaker, depth=speaker.depth + 1), place, inner)
            return Named(speaker.put("as_number", column=found.words), own=found.own)
        case Map(entries=(Entry(key=key, value=Text(value=text)),)) if key in PARTS:
            return dated(speaker, place, column_named(speaker, place, text, parts=False), key)
        case Map(entries=(Entry(key=key, value=Sequence(items=items)),)) if not speaker.too_deep and items:
            return Named(_calculated(speaker, place, key, items), own=False)
        case Map() | Sequence():
            return Named(print_value(value), own=False)
        case _:
            return Named(value_in_words(speaker, place, value), own=False)


def _calculated(speaker: Speaker, place: Place, key: str, items: tuple[Value, ...]) -> str:
    deeper = replace(speaker, depth=speaker.depth + 1)
    said = [_operand(deeper, place, item) for item in items]
    if key == "days" and len(said) == _PAIR:
        return speaker.put("days_between", first=said[1], last=said[0])
    if key == "seconds" and len(said) == _PAIR:
        return speaker.put("seconds_between", first=said[1], last=said[0])
    if key == "divided" and (span := _span(speaker, place, items)) is not None:
        return span
    if key in _CALCULATED:
        return speaker.put(f"sign_{key}").join(said)
    return f"{in_words(key)} {speaker.put('bracket', text=speaker.words.both(said))}"


def _span(speaker: Speaker, place: Place, items: tuple[Value, ...]) -> str | None:
    """Seconds between two moments that are shown as minutes, hours or days."""
    match items:
        case (
            Map(entries=(Entry(key="seconds", value=Sequence(items=(last, first))),)),
            Integer(value=unit),
        ) if unit in _SECONDS:
            deeper = replace(speaker, depth=speaker.depth + 1)
            said = {"last": _operand(deeper, place, last), "first": _operand(deeper, place, first)}
            return speaker.put(_SECONDS[unit], **said)
        case _:
            return None


def _operand(speaker: Speaker, place: Place, item: Value) -> str:
    words = column_value(speaker, place, item).words
    inner = isinstance(item, Map) and any(isinstance(entry.value, Sequence) for entry in item.entries)
    return speaker.put("bracket", text=words) if inner else words


def _text(speaker: Speaker, text: str) -> str:
    """A text as it is where it reads like a word or two; otherwise in quotes, and no longer than a line."""
    if not text.isprintable():
        return print_value(Text(text))
    if len(text) > LONGEST_TEXT and not speaker.exact:
        return speaker.quoted(f"{text[: LONGEST_TEXT - 1]}…")
    words = text.split()
    plain = "".join(words).replace("-", "").isalnum() and len(words) <= MOST_WORDS and text == " ".join(words)
    return text if plain and not speaker.exact else speaker.quoted(text)


def _day(speaker: Speaker, day: dt.date) -> str:
    return speaker.words.phrases.day(day)


def _part_name(speaker: Speaker, part: str, number: int) -> str:
    """What the month or the day of the week of this number is called; empty where it has no name."""
    names = speaker.words.listed(f"{part}_names") if part in ("month", "weekday") else ()
    return names[number - 1] if 1 <= number <= len(names) else ""


def _of_step(speaker: Speaker, name: str) -> str:
    """What another statement of the program found; or the symbol itself."""
    found = speaker.steps.get(name)
    if found is None:
        return f"@{name}"
    # A step is not said inside itself, whatever a program that does not compile claims.
    others = {binds: step for binds, step in speaker.steps.items() if binds != name}
    return _nested(replace(speaker, steps=others), found)


def _nested(speaker: Speaker, statement: Statement) -> str:
    if speaker.too_deep:
        return print_value(Call(statement))
    said = speaker.tell(replace(speaker, depth=speaker.depth + 1), statement)
    # What has conditions of its own must not run into those around it.
    compound = len(statement.arguments) > 1
    return speaker.put("nested_compound" if compound else "nested", phrase=said)


def items_of(value: Value | None) -> tuple[Value, ...]:
    """The items of a list; one value is a list of one."""
    match value:
        case None:
            return ()
        case Sequence(items=items):
            return items
        case _:
            return (value,)
