"""What a superlative does to a reading: it orders by what it speaks of, measures it, or waits for it."""

from collections.abc import Iterator

import msgspec

from dragoman.planning.tables.cues import Cue
from dragoman.planning.tables.lexicon import Superlative
from dragoman.planning.tables.partial_reading import Draft, Sorting, Waiting
from dragoman.planning.tables.scoped_message import ScopedMessage

_MOST_TOP = 1000


def after_extreme(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    """Every way to take a word for the most or the least of something."""
    waiting, adjective = draft.waiting, cue.superlative
    if draft.ordering and draft.orders:
        *earlier, last = draft.orders
        turned = msgspec.structs.replace(last, descending=cue.kind == "most")
        yield message.gained(draft, [("extreme.direction", 1.0)], orders=(*earlier, turned))
    if waiting.extreme in ("most", "least") and cue.kind in ("most", "least") and waiting.extreme != cue.kind:
        # "The largest and the smallest": both figures.
        both = tuple("max" if each == "most" else "min" for each in (waiting.extreme, cue.kind))
        measured = waiting.also(verbs=(*waiting.verbs, *both), extreme="", adjective=None)
        yield message.gained(draft, [("extreme.both", 1.0)], waiting=measured)
    top, numbers = _first_of(draft)
    then = waiting.also(extreme=cue.kind, adjective=adjective, numbers=numbers)
    if adjective is None or adjective.plain:
        yield draft.changed(waiting=then, top=top)
    if adjective is not None:
        if draft.zone != "order" and not draft.ordering:
            yield from _hinted(message, draft, cue.kind == "most", adjective)
        if not adjective.plain:
            yield message.gained(draft, [("extreme.adjective.open", 1.0)], waiting=then, top=top)


def _first_of(draft: Draft) -> tuple[int | None, tuple[float, ...]]:
    """How many of the first are asked for, and the numbers that wait beside that: "the three oldest"."""
    numbers = draft.waiting.numbers
    if numbers and not draft.waiting.comparison and 1 <= numbers[0] <= _MOST_TOP:
        return int(numbers[0]), ()
    return draft.top, numbers


def _hinted(
    message: ScopedMessage, draft: Draft, descending: bool, adjective: Superlative
) -> Iterator[Draft]:
    """The columns that an adjective speaks of. In some of them the other end is meant: the youngest was born
    last."""
    top, numbers = _first_of(draft)
    waiting: Waiting = draft.waiting
    for hints, flipped in ((adjective.columns, False), (adjective.down, True)):
        for rank, thing in message.hinted(hints):
            order = Sorting(thing, descending is not flipped)
            yield message.gained(
                draft,
                [
                    ("extreme.hinted", 1.0),
                    ("extreme.hint.rank", rank / 4),
                    (f"extreme.hint.flipped={flipped}", 1.0),
                ],
                extreme=order,
                top=top,
                waiting=waiting.also(numbers=numbers, extreme="", adjective=None),
            )
            if not draft.shown and not draft.subjects:
                verb = "max" if order.descending else "min"
                yield message.gained(
                    draft,
                    [("extreme.hinted.measure", 1.0)],
                    waiting=waiting.also(verbs=(*waiting.verbs, verb), numbers=numbers),
                )
