"""Conditions in words: what rows must be like, and what must be linked to them."""

from collections.abc import Iterable

from msgspec.structs import replace

from dragoman.answering.words.names import in_words
from dragoman.answering.words.periods import period_in_words
from dragoman.answering.words.places import (
    Named,
    Place,
    column_named,
    dated,
    leads_on,
    link_of,
    link_rows,
    own_column,
    reached_by,
    row_of,
)
from dragoman.answering.words.speaker import Speaker
from dragoman.answering.words.values import value_in_words, values_in_words
from dragoman.contracts.program import Argument, Date, Entry, Map, Nil, Sequence, Text, Value
from dragoman.language.verbs.printer import print_value
from dragoman.tables.verbs import COMPARISONS, PARTS

_ORDERED = ("above", "below", "at-least", "at-most")
_PIECES = ("contains", "starts", "ends")
_TESTS = COMPARISONS | PARTS | {"number", "column"}
"""What a map may say of a column. Anything else speaks of linked rows."""

NOT_A_CONDITION = ("needs", "mode")


def argument_in_words(speaker: Speaker, place: Place, argument: Argument) -> str:
    """One argument that is a condition on a column: `status is open`."""
    column = column_named(speaker, place, argument.name, parts=False)
    scalar = not isinstance(argument.value, Map | Sequence | Nil)
    if not argument.display or not scalar:
        return tested(speaker, place, column, argument.value)
    if speaker.exact:
        key = value_in_words(speaker, place, argument.value)
        return speaker.put("is", subject=column.words, value=f"{argument.display} ({key})")
    # The name of an entity stands for its key: `customer is Alfa Trade`, not `customer ID is 17`.
    own = row_of(speaker, place) if column.words == "ID" else ""
    subject = own or column.words.removesuffix(" ID") or column.words
    return speaker.put("is", subject=subject, value=argument.display)


def tested(speaker: Speaker, place: Place, subject: Named, value: Value) -> str:
    """What a column is tested for."""
    if speaker.too_deep:
        return speaker.put("is", subject=subject.words, value=print_value(value))
    deeper = replace(speaker, depth=speaker.depth + 1)
    match value:
        case Nil():
            return speaker.put("missing", subject=subject.words)
        case Sequence(items=()):
            return speaker.put("never", subject=subject.words)
        case Sequence(items=items) if not any(isinstance(item, Map | Sequence | Nil) for item in items):
            values = speaker.words.either(values_in_words(deeper, place, items, subject.part))
            return speaker.put("one_of" if len(items) > 1 else "is", subject=subject.words, value=values)
        case Sequence(items=items):
            return _either(speaker, [tested(deeper, place, subject, item) for item in items])
        case Map(entries=(Entry(key="column"),)):
            said = value_in_words(deeper, place, value)
            return speaker.put("is", subject=subject.words, value=said)
        case Map(entries=entries) if entries:
            return speaker.words.both(_compared(deeper, place, subject, entry) for entry in entries)
        case _:
            said = value_in_words(speaker, place, value, subject.part)
            return speaker.put("is", subject=subject.words, value=said)


def _compared(speaker: Speaker, place: Place, subject: Named, entry: Entry) -> str:
    key, value = entry.key, entry.value
    if key == "not":
        return _negated(speaker, place, subject, value)
    if key == "between":
        return _between(speaker, place, subject, value)
    if key in PARTS:
        return tested(speaker, place, dated(speaker, place, subject, key), value)
    if key == "number":
        as_number = Named(speaker.put("as_number", column=subject.words))
        return tested(speaker, place, as_number, value)
    said = value_in_words(speaker, place, value, subject.part)
    if key in _ORDERED:
        of_date = isinstance(value, Date) or (subject.is_date and isinstance(value, Text | Map))
        name = key.replace("-", "_") + ("_date" if of_date else "")
        return speaker.put(name, subject=subject.words, value=said)
    if key in _PIECES:
        return speaker.put(key, subject=subject.words, value=said)
    return speaker.put("other_test", subject=subject.words, test=in_words(key), value=said)


def _between(speaker: Speaker, place: Place, subject: Named, value: Value) -> str:
    match value:
        case Sequence(items=(Date(value=first), Date(value=last))) if first <= last:
            period = period_in_words(first, last, speaker.words)
            return speaker.put("in_period", subject=subject.words, period=period)
        case Sequence(items=(least, most)):
            ends = [value_in_words(speaker, place, each, subject.part) for each in (least, most)]
            return speaker.put("between", subject=subject.words, least=ends[0], most=ends[1])
        case _:
            said = value_in_words(speaker, place, value)
            return speaker.put("other_test", subject=subject.words, test="between", value=said)


def _negated(speaker: Speaker, place: Place, subject: Named, value: Value) -> str:
    match value:
        case Nil():
            return speaker.put("present", subject=subject.words)
        case Map(entries=(Entry(key=key, value=Text() as piece),)) if key in _PIECES:
            said = value_in_words(speaker, place, piece)
            return speaker.put(f"{key}_not", subject=subject.words, value=said)
        case Sequence(items=items) if items and not any(
            isinstance(item, Map | Sequence | Nil) for item in items
        ):
            values = speaker.words.either(values_in_words(speaker, place, items, subject.part))
            return speaker.put("is_not", subject=subject.words, value=values)
        case Map() | Sequence():
            return speaker.put("negated", condition=tested(speaker, place, subject, value))
        case _:
            said = value_in_words(speaker, place, value, subject.part)
            return speaker.put("is_not", subject=subject.words, value=said)


def where_in_words(speaker: Speaker, place: Place, value: Value) -> list[str]:
    """The conditions of a `:where`: a map holds all of them, a list any."""
    if speaker.too_deep:
        return [print_value(value)]
    deeper = replace(speaker, depth=speaker.depth + 1)
    match value:
        case Map(entries=entries):
            return [said for entry in entries for said in _entry(deeper, place, entry)]
        case Sequence(items=items):
            return [_either(speaker, [_all(where_in_words(deeper, place, item), speaker) for item in items])]
        case _:
            return [value_in_words(speaker, place, value)]


def _entry(speaker: Speaker, place: Place, entry: Entry) -> list[str]:
    key, value = entry.key, entry.value
    column = own_column(place.table, key) if place.table is not None else None
    if key == "all" and column is None and isinstance(value, Sequence):
        return [
            speaker.put("bracket", text=_all(where_in_words(speaker, place, i), speaker)) for i in value.items
        ]
    nested = isinstance(value, Map) and any(each.key not in _TESTS for each in value.entries)
    if column is not None and not (nested and leads_on(place, key)):
        return [tested(speaker, place, column_named(speaker, place, key, parts=False), value)]
    if column is None and not nested and not leads_on(place, key):
        return [tested(speaker, place, column_named(speaker, place, key, parts=False), value)]
    return [_linked(speaker, place, key, value)]


def _linked(speaker: Speaker, place: Place, step: str, value: Value) -> str:
    """What must be linked to a row, or must not."""
    link = link_of(place, step)
    single = link.single if link is not None else "-by-" not in step
    rows = link_rows(speaker, place, step)
    if place.reached and not speaker.exact:
        rows = speaker.put("rows_of_linked", rows=rows, row=place.reached)
    there = reached_by(speaker, place, step)
    if not single:
        # Seen from one of many rows, its columns need no name before them: the sentence has said whose.
        there = Place(there.name, there.graph, there.table)
    match value:
        case Nil():
            return speaker.put("has_no_one" if single else "has_none", rows=rows)
        case Map(entries=(Entry(key="not", value=Nil()),)):
            return speaker.put("has_one" if single else "has_some", rows=rows)
        case Map(entries=(Entry(key="not", value=inner),)):
            said = _all(where_in_words(speaker, there, inner), speaker)
            if single:
                return speaker.put("negated", condition=said)
            return speaker.put("has_none_where", rows=rows, conditions=said)
        case Map(entries=entries) if any(each.key == "how-many" for each in entries):
            return _how_many(speaker, place, there, rows, entries)
        case _:
            said = _all(where_in_words(speaker, there, value), speaker)
            return said if single else speaker.put("has_some_where", rows=rows, conditions=said)


def _how_many(speaker: Speaker, place: Place, there: Place, rows: str, entries: tuple[Entry, ...]) -> str:
    """How many linked rows there are, of those that meet the other entries."""
    others = tuple(each for each in entries if each.key != "how-many")
    counted = speaker.put("count", rows=rows)
    if others:
        conditions = _all(where_in_words(speaker, there, Map(others)), speaker)
        counted = speaker.put("bracket", text=counted + speaker.put("where", conditions=conditions))
    wanted = [each.value for each in entries if each.key == "how-many"]
    said = [tested(speaker, place, Named(counted), value) for value in wanted]
    return speaker.words.both(said)


def _all(conditions: Iterable[str], speaker: Speaker) -> str:
    return speaker.words.both(conditions)


def _either(speaker: Speaker, choices: list[str]) -> str:
    if not choices:
        return speaker.put("no_choice")
    if len(choices) == 1:
        return choices[0]
    return speaker.put("bracket", text=speaker.words.either(choices))


def unwrapped(text: str) -> str:
    """A text without the brackets around all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    inner = text[1:-1]
    depth = 0
    for letter in inner:
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            return text
    return inner
