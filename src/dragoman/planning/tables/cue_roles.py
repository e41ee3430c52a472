"""What a cue does to a reading: it changes the zone, or waits for what it speaks of."""

from collections.abc import Callable, Iterator

import msgspec

from dragoman.planning.tables.cues import Cue
from dragoman.planning.tables.extreme_roles import after_extreme
from dragoman.planning.tables.partial_reading import Condition, Draft, Having, Measure, Sorting, Waiting
from dragoman.planning.tables.scoped_message import ScopedMessage

Role = Callable[[ScopedMessage, Draft, Cue], Iterator[Draft]]


def after_cue(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    """Every way a phrase may be taken. One that only joins words is passed over."""
    role = _ROLES.get(cue.kind)
    return iter((draft,)) if role is None else role(message, draft, cue)


# Figures.


def _counted(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    zone = "show" if draft.zone == "group" else draft.zone
    yield draft.changed(waiting=draft.waiting.also(counting=True), zone=zone)


def _measured(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    waiting, verb = draft.waiting, cue.kind
    zone = "show" if draft.zone == "group" and not waiting.grouping else draft.zone
    alone = waiting.also(verbs=(*waiting.verbs, verb))
    yield message.gained(draft, [(f"cue.verb@{draft.zone}", 1.0)], waiting=alone, zone=zone)
    if waiting.extreme in ("most", "least"):
        # "The highest and average score": both are figures.
        first = "max" if waiting.extreme == "most" else "min"
        both = waiting.also(verbs=(*waiting.verbs, first, verb), extreme="", adjective=None)
        yield message.gained(draft, [("extreme.both", 1.0)], waiting=both, zone=zone)


def _times(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    """How often: rows are compared, counted, or the most of them asked for."""
    waiting = draft.waiting
    yield draft
    if waiting.numbers:
        having = Having(Measure("count"), waiting.comparison or "equal", waiting.numbers[0])
        yield message.gained(
            draft, [("having.times", 1.0)], having=(*draft.having, having), waiting=Waiting()
        )
    elif waiting.counting:
        yield message.gained(
            draft,
            [("count.rows", 1.0)],
            counted=(*draft.counted, None),
            waiting=waiting.also(counting=False),
        )
    elif waiting.extreme in ("most", "least"):
        order = Sorting(None, waiting.extreme == "most")
        yield message.gained(draft, [("extreme.rows", 1.0)], extreme=order, waiting=Waiting())


# Groups and orders.


def _grouped(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    waiting = draft.waiting.also(grouping=True)
    yield message.gained(draft, [("cue.group", 1.0)], waiting=waiting, zone="group")


def _ordered(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    yield message.gained(draft, [("cue.order", 1.0)], waiting=Waiting(), zone="order", ordering=True)


def _directed(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    descending = cue.kind == "descending"
    if draft.descending and not descending:
        # "Reverse alphabetical order" stays reversed.
        yield draft
        return
    if draft.orders and draft.orders[-1].descending is None:
        orders = tuple(
            order if order.descending is not None else msgspec.structs.replace(order, descending=descending)
            for order in draft.orders
        )
        yield draft.changed(orders=orders, ordering=True)
        return
    yield message.gained(draft, [("cue.direction", 1.0)], descending=descending, zone="order", ordering=True)


def _by(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    """After what is asked for, "by" may begin an order, and beside figures also groups."""
    yield draft
    said = draft.shown or draft.subjects or draft.counted or draft.measures
    if said and draft.zone in ("show", "where"):
        yield message.gained(draft, [("cue.by.order", 1.0)], zone="order", ordering=True)
        if draft.counted or draft.measures:
            grouping = draft.waiting.also(grouping=True)
            yield message.gained(draft, [("cue.by.group", 1.0)], waiting=grouping, zone="group")


# Conditions.


def _compared(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    operation = "equal" if cue.kind == "exactly" else cue.kind
    yield draft.changed(waiting=draft.waiting.also(comparison=operation, hints=cue.columns))


def _or_more(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    """ "Or more" changes what was said of a number before it."""
    operation = "at-least" if cue.kind == "or-more" else "at-most"
    if draft.waiting.numbers:
        yield draft.changed(waiting=draft.waiting.also(comparison=operation))
    if draft.conditions and draft.conditions[-1].operation == "equal":
        *before, last = draft.conditions
        changed = msgspec.structs.replace(last, operation=operation)
        yield draft.changed(conditions=(*before, changed))


def _like(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    if draft.waiting.like and cue.kind == "contains":
        yield draft
    else:
        yield draft.changed(waiting=draft.waiting.also(like=cue.kind))


def _negated(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    asked = draft.zone == "show" and (draft.shown or draft.subjects)
    yield draft.changed(waiting=draft.waiting.also(negative=True), zone="where" if asked else draft.zone)


def _missing(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    subject = draft.held or draft.last
    if subject is not None:
        condition = Condition(subject, "missing", (), draft.waiting.negative)
        yield message.gained(
            draft,
            [("condition.missing", 1.0)],
            conditions=(*draft.conditions, condition),
            held=None,
            waiting=Waiting(),
        )


def _where(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    said = draft.shown or draft.subjects or draft.counted or draft.measures or draft.groups
    yield draft.changed(zone="where" if said else draft.zone)
    if said and draft.zone == "show":
        yield message.gained(draft, [("cue.where.kept", 1.0)])


def _with(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    said = draft.subjects or draft.shown or draft.counted
    yield draft.changed(zone="where" if said and draft.zone != "group" else draft.zone)
    if said and draft.zone == "show":
        yield message.gained(draft, [("cue.with.kept", 1.0)])


def _either(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    yield draft.changed(waiting=draft.waiting.also(either=True))


# What is shown.


def _distinct(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    yield draft.changed(waiting=draft.waiting.also(distinct=True), distinct=True)


def _everything(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    yield message.gained(draft, [(f"cue.everything@{draft.zone}", 1.0)], everything=True)


def _shown(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    yield draft.changed(zone="show") if draft.zone in ("where", "group", "show") else draft


def _limited(message: ScopedMessage, draft: Draft, cue: Cue) -> Iterator[Draft]:
    waiting = draft.waiting
    if waiting.numbers:
        yield message.gained(
            draft,
            [("limit.after", 1.0)],
            waiting=waiting.also(numbers=(), first=True),
            top=int(waiting.numbers[0]),
        )
    yield draft.changed(waiting=waiting.also(first=True))


_ROLES: dict[str, Role] = {
    "count": _counted,
    **dict.fromkeys(("average", "sum", "max", "min"), _measured),
    **dict.fromkeys(("most", "least", "common", "rare"), after_extreme),
    "times": _times,
    "group": _grouped,
    "order": _ordered,
    **dict.fromkeys(("ascending", "descending"), _directed),
    "by": _by,
    **dict.fromkeys(("above", "below", "at-least", "at-most", "between", "exactly"), _compared),
    **dict.fromkeys(("or-more", "or-less"), _or_more),
    **dict.fromkeys(("contains", "starts", "ends"), _like),
    "not": _negated,
    "missing": _missing,
    "where": _where,
    "with": _with,
    "or": _either,
    "distinct": _distinct,
    "everything": _everything,
    "show": _shown,
    "limit": _limited,
}
