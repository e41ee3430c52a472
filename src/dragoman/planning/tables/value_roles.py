"""What becomes of a value of the data in a reading: a condition, and what speaks for and against it."""

from collections.abc import Iterator

from dragoman.planning.tables.lexicon import lexicons
from dragoman.planning.tables.partial_reading import Condition, Draft, Waiting
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.scoped_message import ScopedMessage
from dragoman.planning.tables.value_linker import Valued
from dragoman.planning.tables.weights import Feature
from dragoman.planning.tables.words import stem

_CATEGORIES = 12
"""A column with so few values holds kinds of something."""


def after_value(message: ScopedMessage, draft: Draft, value: Valued) -> Iterator[Draft]:
    """The draft with the condition that a column has the value."""
    waiting, thing = draft.waiting, value.thing
    condition = Condition(thing, waiting.like or "equal", (value.value,), waiting.negative, waiting.either)
    yield message.gained(
        draft,
        _features(message, draft, value),
        conditions=(*draft.conditions, condition),
        held=None,
        last=thing,
        waiting=_left(waiting),
        notes=(*draft.notes, f"{value.value} = {thing.full_name}"),
    )


def _left(waiting: Waiting) -> Waiting:
    """What still waits behind a value: what it cannot have been meant for."""
    return Waiting(
        verbs=waiting.verbs,
        extreme=waiting.extreme,
        adjective=waiting.adjective,
        counting=waiting.counting,
        grouping=waiting.grouping,
        comparison=waiting.comparison,
        numbers=waiting.numbers,
        first=waiting.first,
    )


def _features(message: ScopedMessage, draft: Draft, value: Valued) -> list[Feature]:
    thing = value.thing
    features: list[Feature] = [
        ("value", value.score),
        ("value.words", float(value.end - value.start - 1)),
        (_written(message, value), 1.0),
        (f"value@{draft.zone}", 1.0),
        ("value.key", 1.0 if thing.is_key else 0.0),
    ]
    if not value.quoted:
        features.extend(_chance(message, value))
    elif value.value != message.tokens[value.start].text:
        features.append(("value.slip", 1.0))
    features.extend(_near(draft, thing))
    if draft.waiting.like:
        features.append(("value.like", 1.0))
    if thing.table.key != message.scope.root.key:
        features.append(("value.other", 1.0))
    return features


def _written(message: ScopedMessage, value: Valued) -> str:
    if value.quoted:
        return "value.quoted"
    # The first word of a message is always written large.
    capital = message.tokens[value.start].text[:1].isupper() and value.start
    return "value.capital" if capital else "value.small"


def _near(draft: Draft, thing: Thing) -> list[Feature]:
    """Whether its column was named just before, or has a condition already."""
    found: list[Feature] = []
    if draft.held is not None:
        found.append(("value.held" if draft.held is thing else "value.held.other", 1.0))
    elif draft.last is thing:
        found.append(("value.last", 1.0))
    if draft.conditions and draft.conditions[-1].thing is thing:
        found.append(("value.again", 1.0))
    return found


def _chance(message: ScopedMessage, value: Valued) -> list[Feature]:
    """What speaks against a word that stands in the data by chance: it is also a name, or one of many."""
    found: list[Feature] = []
    info, rows = value.thing.column.info if value.thing.column else None, value.thing.table.info.rows
    small = not message.tokens[value.start].text[:1].isupper()
    if info is not None and info.distinct is not None and rows:
        few = info.distinct <= _CATEGORIES or info.distinct * 4 <= rows
        found.append((f"value.{'few' if few else 'many'}{'.small' if small else ''}", 1.0))
    if message.names_exactly(value.start, value.end):
        found.append(("value.named", 1.0))
    if value.value.isupper() and small:
        found.append(("value.upper", 1.0))
    found.extend(_directed(message, value))
    if value.value == " ".join(token.text for token in message.tokens[value.start : value.end]):
        found.append(("value.same", 1.0))
    return found


def _directed(message: ScopedMessage, value: Valued) -> list[Feature]:
    """Whether the preposition before a value fits its column: "from Oslo" is not a destination."""
    before = message.tokens[value.start - 1].low if value.start else ""
    directions = lexicons()[0].directions
    if before not in directions:
        return []
    words = set(value.thing.words)
    if words & {stem(word) for word in directions[before]}:
        return [("value.directed", 1.0)]
    others = {stem(word) for name, told in directions.items() if name != before for word in told}
    return [("value.directed.not", 1.0)] if words & others else []
