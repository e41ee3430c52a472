"""What a phrase does to a reading: it changes the zone, or waits for what it speaks of."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from dragoman.planning.tables.cues import Cue
from dragoman.planning.tables.partial_reading import Condition, Draft, Measure, Sorting, Waiting

if TYPE_CHECKING:
    from dragoman.planning.tables.reading_search import Stepper

_COMPARISONS = frozenset({"above", "below", "at-least", "at-most", "between"})
_LIKE = frozenset({"contains", "starts", "ends"})


def after_cue(stepper: "Stepper", draft: Draft, cue: Cue) -> Iterator[Draft]:
    """Every way a phrase may be taken."""
    waiting = draft.waiting
    kind = cue.kind
    if kind in ("fill", "and", "times") and kind != "times":
        yield draft
        return
    match kind:
        case "count":
            zone = "show" if draft.zone in ("group",) else draft.zone
            yield _with(draft, _also(waiting, counting=True), zone=zone)
        case "average" | "sum" | "max" | "min":
            zone = "show" if draft.zone in ("group",) and not waiting.grouping else draft.zone
            yield stepper.gained(
                _with(draft, _also(waiting, verbs=(*waiting.verbs, kind)), zone=zone),
                [(f"cue.verb@{draft.zone}", 1.0)],
            )
            if waiting.extreme in ("most", "least"):
                # "The highest and average score": both are figures.
                first = "max" if waiting.extreme == "most" else "min"
                both = _also(waiting, verbs=(*waiting.verbs, first, kind), extreme="", adjective=None)
                yield stepper.gained(_with(draft, both, zone=zone), [("extreme.both", 1.0)])
        case "most" | "least" | "common" | "rare":
            yield from _extreme(stepper, draft, cue)
        case "group":
            yield stepper.gained(
                _with(draft, _also(waiting, grouping=True), zone="group"), [("cue.group", 1.0)]
            )
        case "order":
            yield stepper.gained(_with(draft, Waiting(), zone="order", ordering=True), [("cue.order", 1.0)])
        case "ascending" | "descending":
            yield from _directed(stepper, draft, kind == "descending")
        case "above" | "below" | "at-least" | "at-most" | "between" | "exactly":
            operation = "equal" if kind == "exactly" else kind
            yield _with(draft, _also(waiting, comparison=operation, hints=cue.columns), zone=draft.zone)
        case "or-more" | "or-less":
            yield from _or_more(stepper, draft, "at-least" if kind == "or-more" else "at-most")
        case "contains" | "starts" | "ends":
            if waiting.like and kind == "contains":
                yield draft
            else:
                yield _with(draft, _also(waiting, like=kind))
        case "not":
            yield _with(
                draft,
                _also(waiting, negative=True),
                zone="where" if draft.zone == "show" and (draft.shown or draft.subjects) else draft.zone,
            )
        case "missing":
            subject = draft.held or draft.last
            if subject is not None:
                condition = Condition(subject, "missing", (), waiting.negative)
                yield stepper.gained(
                    draft,
                    [("condition.missing", 1.0)],
                    conditions=(*draft.conditions, condition),
                    held=None,
                    waiting=Waiting(),
                )
        case "distinct":
            yield _with(draft, _also(waiting, distinct=True), distinct=True)
        case "or":
            yield _with(draft, _also(waiting, either=True))
        case "where":
            said = draft.shown or draft.subjects or draft.counted or draft.measures or draft.groups
            yield _with(draft, waiting, zone="where" if said else draft.zone)
            if said and draft.zone == "show":
                yield stepper.gained(draft, [("cue.where.kept", 1.0)])
        case "with":
            said = draft.subjects or draft.shown or draft.counted
            yield draft.changed(zone="where" if said and draft.zone != "group" else draft.zone)
            if said and draft.zone == "show":
                yield stepper.gained(draft, [("cue.with.kept", 1.0)])
        case "of":
            yield draft
        case "by":
            yield draft
            said = draft.shown or draft.subjects or draft.counted or draft.measures
            if said and draft.zone in ("show", "where"):
                yield stepper.gained(draft.changed(zone="order", ordering=True), [("cue.by.order", 1.0)])
                if draft.counted or draft.measures:
                    grouping = _also(waiting, grouping=True)
                    yield stepper.gained(_with(draft, grouping, zone="group"), [("cue.by.group", 1.0)])
        case "everything":
            yield stepper.gained(draft, [(f"cue.everything@{draft.zone}", 1.0)], everything=True)
        case "times":
            yield draft
            if (waiting.numbers and waiting.comparison) or waiting.numbers:
                yield from _having_rows(stepper, draft)
            elif waiting.counting:
                yield stepper.gained(
                    draft,
                    [("count.rows", 1.0)],
                    counted=(*draft.counted, None),
                    waiting=_also(waiting, counting=False),
                )
            elif waiting.extreme in ("most", "least"):
                order = Sorting(None, waiting.extreme == "most")
                yield stepper.gained(draft, [("extreme.rows", 1.0)], extreme=order, waiting=Waiting())
        case "show":
            yield draft.changed(zone="show") if draft.zone in ("where", "group", "show") else draft
        case "limit":
            if waiting.numbers:
                yield stepper.gained(
                    _with(draft, _also(waiting, numbers=(), first=True)),
                    [("limit.after", 1.0)],
                    top=int(waiting.numbers[0]),
                )
            yield _with(draft, _also(waiting, first=True))
        case _:
            yield draft


def _also(waiting: Waiting, **changes: object) -> Waiting:
    return msgspec.structs.replace(waiting, **changes)


def _with(draft: Draft, waiting: Waiting, **changes: object) -> Draft:
    return draft.changed(waiting=waiting, **changes)


def _extreme(stepper: "Stepper", draft: Draft, cue: Cue) -> Iterator[Draft]:
    waiting = draft.waiting
    adjective = cue.superlative
    top = draft.top
    numbers = waiting.numbers
    if numbers and not waiting.comparison and 1 <= numbers[0] <= 1000:
        top, numbers = int(numbers[0]), ()
    if draft.ordering and draft.orders:
        *earlier, last = draft.orders
        turned = msgspec.structs.replace(last, descending=cue.kind == "most")
        yield stepper.gained(draft, [("extreme.direction", 1.0)], orders=(*earlier, turned))
    if waiting.extreme in ("most", "least") and cue.kind in ("most", "least") and waiting.extreme != cue.kind:
        # "The largest and the smallest": both figures.
        both = tuple("max" if each == "most" else "min" for each in (waiting.extreme, cue.kind))
        measured = _also(waiting, verbs=(*waiting.verbs, *both), extreme="", adjective=None)
        yield stepper.gained(_with(draft, measured), [("extreme.both", 1.0)])
    then = _also(waiting, extreme=cue.kind, adjective=adjective, numbers=numbers, counting=waiting.counting)
    open_ended = adjective is None or adjective.plain
    if open_ended:
        yield _with(draft, then, top=top)
    if adjective is not None:
        descending = cue.kind == "most"
        for hints, flipped in ((adjective.columns, False), (adjective.down, True)):
            for rank, thing in stepper.hinted(hints):
                order = Sorting(thing, descending is not flipped)
                features = [
                    ("extreme.hinted", 1.0),
                    ("extreme.hint.rank", rank / 4),
                    (f"extreme.hint.flipped={flipped}", 1.0),
                ]
                if draft.zone == "order" or draft.ordering:
                    continue
                yield stepper.gained(
                    draft,
                    features,
                    extreme=order,
                    top=top,
                    waiting=_also(waiting, numbers=numbers, extreme="", adjective=None),
                    zone=draft.zone,
                )
                if not draft.shown and not draft.subjects:
                    verb = "max" if order.descending else "min"
                    yield stepper.gained(
                        draft,
                        [("extreme.hinted.measure", 1.0)],
                        waiting=_also(waiting, verbs=(*waiting.verbs, verb), numbers=numbers),
                    )
        if not open_ended:
            yield stepper.gained(_with(draft, then, top=top), [("extreme.adjective.open", 1.0)])


def _directed(stepper: "Stepper", draft: Draft, descending: bool) -> Iterator[Draft]:
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
    yield stepper.gained(draft, [("cue.direction", 1.0)], descending=descending, zone="order", ordering=True)


def _or_more(stepper: "Stepper", draft: Draft, operation: str) -> Iterator[Draft]:
    waiting = draft.waiting
    if waiting.numbers:
        yield _with(draft, _also(waiting, comparison=operation))
    if draft.conditions and draft.conditions[-1].operation == "equal":
        *before, last = draft.conditions
        changed = msgspec.structs.replace(last, operation=operation)
        yield draft.changed(conditions=(*before, changed))


def _having_rows(stepper: "Stepper", draft: Draft) -> Iterator[Draft]:
    from dragoman.planning.tables.partial_reading import Having

    waiting = draft.waiting
    having = Having(Measure("count"), waiting.comparison or "equal", waiting.numbers[0])
    yield stepper.gained(draft, [("having.times", 1.0)], having=(*draft.having, having), waiting=Waiting())
