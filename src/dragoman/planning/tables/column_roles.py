"""The roles that a column may have where it is named: measured, counted, grouped by, ordered by, shown …"""

from collections.abc import Iterator

from dragoman.planning.tables.partial_reading import (
    Condition,
    Draft,
    Having,
    Measure,
    Role,
    Sorting,
    Waiting,
    compared,
)
from dragoman.planning.tables.schema_names import Thing

_MOST_SHOWN = 8
_MOST_GROUPS = 4
_MOST_TOP = 1000


def column_roles(draft: Draft, thing: Thing) -> Iterator[Role]:
    """Every role, and the draft with the column in it. Words that waited for the column wait no more."""
    waiting = draft.waiting
    plain = draft.changed(last=thing, waiting=Waiting(either=waiting.either, negative=waiting.negative))
    if waiting.verbs or waiting.lasting:
        yield from _measured(draft, plain, thing)
    if waiting.counting:
        yield from _counted(draft, plain, thing)
    if (waiting.grouping or draft.zone == "group") and len(draft.groups) < _MOST_GROUPS:
        yield Role("group", plain.changed(groups=(*draft.groups, thing)))
    if draft.zone == "order":
        yield from _ordered(draft, plain, thing)
    if waiting.extreme in ("most", "least"):
        yield from _extreme(draft, plain, thing)
    if waiting.extreme in ("common", "rare"):
        order = Sorting(None, waiting.extreme == "common")
        yield Role("common", plain.changed(shown=(*draft.shown, thing), extreme=order))
    if waiting.numbers:
        yield from _numbered(draft, plain, thing)
    if len(draft.shown) < _MOST_SHOWN and thing not in draft.shown and not waiting.grouping:
        left = Waiting(first=waiting.first, verbs=waiting.verbs if waiting.distinct else ())
        yield Role("show", plain.changed(shown=(*draft.shown, thing), waiting=left))
    if waiting.text and thing.is_text:
        condition = Condition(
            thing, waiting.like or "contains", (waiting.text,), waiting.negative, waiting.either
        )
        yield Role("holds", plain.changed(conditions=(*draft.conditions, condition)))
    if draft.held is None:
        yield Role("hold", draft.changed(last=thing, held=thing, waiting=_until_value(waiting)))
    yield Role("pass", draft.changed(last=thing))


def _measured(draft: Draft, plain: Draft, thing: Thing) -> Iterator[Role]:
    """The verbs keep waiting: in "average price and size" both are averaged."""
    verbs, lasting = draft.waiting.verbs, draft.waiting.lasting
    if verbs and (thing.is_number or all(verb in ("max", "min") for verb in verbs)):
        added = tuple(Measure(verb, thing) for verb in verbs)
        then = plain.changed(measures=(*draft.measures, *added), held=None, waiting=Waiting(lasting=verbs))
        yield Role("measure", then)
    if lasting and thing.is_number:
        again = tuple(Measure(verb, thing) for verb in lasting)
        then = plain.changed(measures=(*draft.measures, *again), waiting=Waiting(lasting=lasting))
        yield Role("measure.again", then)


def _counted(draft: Draft, plain: Draft, thing: Thing) -> Iterator[Role]:
    distinct = draft.count_distinct or draft.waiting.distinct
    yield Role("count", plain.changed(counted=(*draft.counted, thing), count_distinct=distinct))
    if thing.is_number and not thing.is_key:
        # A column may hold numbers of things: they are added up, or just shown.
        yield Role("count.sum", plain.changed(measures=(*draft.measures, Measure("sum", thing))))
        if len(draft.shown) < _MOST_SHOWN and thing not in draft.shown:
            yield Role("count.show", plain.changed(shown=(*draft.shown, thing)))


def _ordered(draft: Draft, plain: Draft, thing: Thing) -> Iterator[Role]:
    verbs = draft.waiting.verbs
    if verbs:
        order = Sorting(None, draft.descending, Measure(verbs[-1], thing))
    elif not draft.waiting.counting:
        order = Sorting(thing, draft.descending)
    else:
        return
    yield Role("order", plain.changed(orders=(*draft.orders, order)))


def _extreme(draft: Draft, plain: Draft, thing: Thing) -> Iterator[Role]:
    """The row with the most of a column, the most itself, or whatever has the most rows."""
    waiting = draft.waiting
    descending = waiting.extreme == "most"
    if thing.is_number or thing.is_date or thing.is_text:
        if waiting.verbs:
            order = Sorting(None, descending, Measure(waiting.verbs[-1], thing))
            yield Role("extreme", plain.changed(extreme=order))
        else:
            yield Role("extreme", plain.changed(extreme=Sorting(thing, descending)))
            if thing.is_number or thing.is_date:
                measure = Measure("max" if descending else "min", thing)
                yield Role("measured", plain.changed(measures=(*draft.measures, measure)))
    counted = Measure("count", thing, True) if waiting.distinct else None
    yield Role("extreme.count", plain.changed(extreme=Sorting(None, descending, counted)))


def _numbered(draft: Draft, plain: Draft, thing: Thing) -> Iterator[Role]:
    """What a number before a column may say: what the column is, how many there are, how many to show."""
    waiting = draft.waiting
    number = waiting.numbers[-1]
    if thing.is_number:
        conditions = (*draft.conditions, compared(thing, waiting))
        yield Role("compared", plain.changed(conditions=conditions, held=None))
    if waiting.comparison or draft.zone == "where":
        measure = Measure("count", thing, True) if waiting.distinct else Measure("count")
        having = Having(measure, waiting.comparison or "equal", number)
        yield Role("having", plain.changed(having=(*draft.having, having)))
    if not waiting.comparison and draft.zone == "show" and draft.top is None and 0 < number < _MOST_TOP:
        yield Role("limited", plain.changed(shown=(*draft.shown, thing), top=int(number)))


def _until_value(waiting: Waiting) -> Waiting:
    """What still waits while a column is held for its value."""
    return Waiting(
        comparison=waiting.comparison,
        like=waiting.like,
        negative=waiting.negative,
        either=waiting.either,
        verbs=waiting.verbs,
        hints=waiting.hints,
    )
