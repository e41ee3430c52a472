"""What becomes of a name, a number or a value in a reading: the roles it may have where it stands."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from dragoman.planning.tables.linking import Named, Valued
from dragoman.planning.tables.reading import Condition, Draft, Having, Measure, Sorting, Waiting
from dragoman.planning.tables.things import Thing
from dragoman.planning.tables.weighing import Feature
from dragoman.planning.tables.words import Token

if TYPE_CHECKING:
    from dragoman.planning.tables.stepping import Stepper

MOST_SHOWN = 8
_YEARS = (1000, 2100)


def after_name(stepper: "Stepper", draft: Draft, name: Named) -> Iterator[Draft]:
    kind = "column" if name.thing.column is not None else "table"
    length = name.end - name.start
    link: list[Feature] = [
        (f"link.{kind}", name.score),
        (f"named.{kind}", 1.0),
        (f"link.{kind}.exact", 1.0 if name.score > 0.97 else 0.0),
        ("link.words", float(length - 1)),
        (f"link.{kind}.weak", 1.0 if name.score < 0.6 else 0.0),
    ]
    if kind == "column":
        link.append((f"link.key" if name.thing.is_key else "link.plain", 1.0))
        if name.thing.table.key != stepper.scope.root.key:
            link.append(("link.other", 1.0))
    note = f"{' '.join(token.text for token in stepper.tokens[name.start : name.end])} = {_told(name.thing)}"
    if kind == "column" and length == 1 and draft.zone == "show":
        yield from _both_names(stepper, draft, name, link, note)
    roles = _column_roles if kind == "column" else _table_roles
    for role, further in roles(stepper, draft, name.thing):
        place = f"{role}@{draft.zone}:{draft.waiting.main}"
        yield stepper.gained(further, [*link, (place, 1.0)], notes=(*draft.notes, f"{note} ({role})"))


def _both_names(
    stepper: "Stepper", draft: Draft, name: Named, link: list[Feature], note: str
) -> Iterator[Draft]:
    """A person's name, where a table has its two parts."""
    if stepper.tokens[name.start].stem != "name" or set(name.thing.required) != {"first", "name"}:
        return
    parts = stepper.things.names_of(name.thing.table)
    if len(parts) > 1:
        features = [*link, (f"show@{draft.zone}:{draft.waiting.main}", 1.0), ("show.both.names", 1.0)]
        shown = (*draft.shown, *(part for part in parts if part not in draft.shown))
        yield stepper.gained(
            draft,
            features,
            shown=shown,
            last=name.thing,
            waiting=Waiting(),
            notes=(*draft.notes, f"{note} (show)"),
        )


def _told(thing: Thing) -> str:
    return thing.table.name if thing.column is None else f"{thing.table.name}.{thing.column.name}"


def _spent(waiting: Waiting, **kept: object) -> Waiting:
    return Waiting(**kept)  # type: ignore[arg-type]


def _column_roles(stepper: "Stepper", draft: Draft, thing: Thing) -> Iterator[tuple[str, Draft]]:
    waiting = draft.waiting
    plain = draft.changed(last=thing, waiting=Waiting(either=waiting.either, negative=waiting.negative))
    if waiting.verbs:
        # The verbs keep waiting: in "average price and size" both are averaged.
        added = tuple(Measure(verb, thing) for verb in waiting.verbs)
        if thing.is_number or all(verb in ("max", "min") for verb in waiting.verbs):
            lasting = Waiting(lasting=waiting.verbs)
            yield "measure", plain.changed(measures=(*draft.measures, *added), held=None, waiting=lasting)
    if waiting.lasting and thing.is_number:
        again = tuple(Measure(verb, thing) for verb in waiting.lasting)
        yield (
            "measure.again",
            plain.changed(measures=(*draft.measures, *again), waiting=Waiting(lasting=waiting.lasting)),
        )
    if waiting.counting:
        yield (
            "count",
            plain.changed(
                counted=(*draft.counted, thing), count_distinct=draft.count_distinct or waiting.distinct
            ),
        )
    if waiting.grouping or draft.zone == "group":
        if len(draft.groups) < 4:
            yield "group", plain.changed(groups=(*draft.groups, thing))
    if draft.zone == "order" and not waiting.verbs and not waiting.counting:
        yield "order", plain.changed(orders=(*draft.orders, Sorting(thing, draft.descending)))
    if draft.zone == "order" and waiting.verbs:
        yield (
            "order",
            plain.changed(
                orders=(*draft.orders, Sorting(None, draft.descending, Measure(waiting.verbs[-1], thing)))
            ),
        )
    if waiting.extreme in ("most", "least"):
        descending = waiting.extreme == "most"
        top = draft.top
        if thing.is_number or thing.is_date or thing.is_text:
            verbs = waiting.verbs
            if not verbs:
                yield "extreme", plain.changed(extreme=Sorting(thing, descending), top=top)
                if thing.is_number or thing.is_date:
                    yield (
                        "measured",
                        plain.changed(
                            measures=(*draft.measures, Measure("max" if descending else "min", thing))
                        ),
                    )
            else:
                yield (
                    "extreme",
                    plain.changed(extreme=Sorting(None, descending, Measure(verbs[-1], thing)), top=top),
                )
        yield "extreme.count", plain.changed(extreme=Sorting(None, descending, Measure("count", thing, True)))
    if waiting.extreme in ("common", "rare"):
        yield (
            "common",
            plain.changed(shown=(*draft.shown, thing), extreme=Sorting(None, waiting.extreme == "common")),
        )
    if waiting.numbers:
        number = waiting.numbers[-1]
        if thing.is_number:
            yield (
                "compared",
                plain.changed(conditions=(*draft.conditions, _compared(thing, waiting)), held=None),
            )
        if waiting.comparison or draft.zone == "where":
            measure = Measure("count", thing, True)
            having = Having(measure, waiting.comparison or "equal", number)
            yield "having", plain.changed(having=(*draft.having, having))
        if not waiting.comparison and draft.zone == "show" and draft.top is None and 0 < number < 1000:
            yield "limited", plain.changed(shown=(*draft.shown, thing), top=int(number))
    if len(draft.shown) < MOST_SHOWN and thing not in draft.shown and not waiting.grouping:
        yield (
            "show",
            plain.changed(
                shown=(*draft.shown, thing),
                waiting=_spent(waiting, first=waiting.first, verbs=waiting.verbs if waiting.distinct else ()),
                distinct=draft.distinct,
            ),
        )
    if draft.held is None:
        keep = Waiting(
            comparison=waiting.comparison,
            like=waiting.like,
            negative=waiting.negative,
            either=waiting.either,
            verbs=waiting.verbs,
            hints=waiting.hints,
        )
        yield "hold", draft.changed(last=thing, held=thing, waiting=keep)
    yield "pass", draft.changed(last=thing)


def _compared(thing: Thing, waiting: Waiting) -> Condition:
    operation = waiting.comparison or "equal"
    values = waiting.numbers[:2] if operation == "between" else waiting.numbers[-1:]
    return Condition(thing, operation, values, waiting.negative, waiting.either)


def _table_roles(stepper: "Stepper", draft: Draft, thing: Thing) -> Iterator[tuple[str, Draft]]:
    waiting = draft.waiting
    plain = draft.changed(
        waiting=Waiting(verbs=waiting.verbs, negative=waiting.negative, either=waiting.either)
    )
    if waiting.counting:
        if draft.zone == "order":
            yield "order.count", plain.changed(orders=(*draft.orders, Sorting(None, draft.descending)))
        elif waiting.extreme in ("most", "least"):
            yield (
                "extreme.rows",
                plain.changed(
                    extreme=Sorting(None, waiting.extreme == "most"), linked=(*draft.linked, thing)
                ),
            )
        else:
            yield (
                "count",
                plain.changed(
                    counted=(*draft.counted, thing),
                    count_distinct=draft.count_distinct or waiting.distinct,
                    subjects=(*draft.subjects, thing),
                ),
            )
    if waiting.grouping or draft.zone == "group":
        yield "group", plain.changed(groups=(*draft.groups, thing))
    if waiting.extreme in ("most", "least"):
        yield (
            "extreme.rows",
            plain.changed(extreme=Sorting(None, waiting.extreme == "most"), linked=(*draft.linked, thing)),
        )
    if waiting.extreme in ("common", "rare"):
        yield (
            "common",
            plain.changed(
                subjects=(*draft.subjects, thing), extreme=Sorting(None, waiting.extreme == "common")
            ),
        )
    if waiting.numbers:
        having = Having(Measure("count"), waiting.comparison or "equal", waiting.numbers[-1], thing)
        yield "having", plain.changed(having=(*draft.having, having), linked=(*draft.linked, thing))
        if not waiting.comparison and draft.zone == "show" and 0 < waiting.numbers[-1] < 1000:
            yield "limited", plain.changed(subjects=(*draft.subjects, thing), top=int(waiting.numbers[-1]))
    keep = Waiting(
        verbs=waiting.verbs,
        extreme=waiting.extreme,
        adjective=waiting.adjective,
        first=waiting.first,
        negative=waiting.negative,
        comparison=waiting.comparison,
        numbers=waiting.numbers,
        either=waiting.either,
        like=waiting.like,
        distinct=waiting.distinct,
        hints=waiting.hints,
    )
    if draft.zone in ("show", "group"):
        yield "subject", draft.changed(subjects=(*draft.subjects, thing), waiting=keep)
    else:
        yield "linked", draft.changed(linked=(*draft.linked, thing), waiting=keep)


def after_number(stepper: "Stepper", draft: Draft, number: float, token: Token) -> Iterator[Draft]:
    waiting = draft.waiting
    spelled = not token.low[:1].isdigit() and not token.low.startswith("-")
    word: list[Feature] = [("number.spelled", 1.0 if spelled else 0.0)]
    numbers = (*waiting.numbers, number)
    if waiting.comparison == "between" and len(numbers) < 2:
        yield draft.changed(waiting=msgspec.structs.replace(waiting, numbers=numbers))
        return
    ready = msgspec.structs.replace(waiting, numbers=numbers)
    subject = draft.held
    if subject is not None and (subject.is_number or subject.is_date or subject.is_text):
        role = f"number.held:{'comparing' if waiting.comparison else 'none'}"
        fits = [("number.held.text", 1.0)] if subject.is_text else []
        yield stepper.gained(
            draft,
            [*word, (role, 1.0), *fits],
            conditions=(*draft.conditions, _compared(subject, ready)),
            held=None,
            last=subject,
            waiting=Waiting(),
            notes=(*draft.notes, f"{token.text} = {_told(subject)}"),
        )
    if draft.conditions and waiting.either and not waiting.comparison and subject is None:
        before = draft.conditions[-1]
        again = Condition(before.thing, before.operation, (number,), before.negative, either=True)
        yield stepper.gained(
            draft, [*word, ("number.again", 1.0)], conditions=(*draft.conditions, again), waiting=Waiting()
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
        for rank, thing in stepper.hinted(waiting.hints):
            condition = _compared(thing, ready)  # type: ignore[arg-type]
            yield stepper.gained(
                draft,
                [*word, ("number.hinted", 1.0), ("number.hint.rank", rank / 4)],
                conditions=(*draft.conditions, condition),
                waiting=Waiting(),
            )
    elif _YEARS[0] <= number <= _YEARS[1] and subject is None and not spelled and number == int(number):
        for rank, thing in stepper.hinted(("year", "date", "time")):
            condition = _compared(thing, ready)  # type: ignore[arg-type]
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
            conditions=(*draft.conditions, _compared(draft.last, ready)),
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
    held = None if draft.held is None or draft.held is thing or draft.held.table is not thing.table else None
    yield stepper.gained(
        draft,
        features,
        conditions=(*draft.conditions, condition),
        held=held,
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
        notes=(*draft.notes, f"{value.value} = {_told(thing)}"),
    )


def after_quoted(stepper: "Stepper", draft: Draft, token: Token) -> Iterator[Draft]:
    """A quoted text need not stand in the data: it speaks of the column that was named before it."""
    waiting = draft.waiting
    operation = waiting.like or "equal"
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
            [(role, 1.0), (f"quoted.{operation}", 1.0)],
            conditions=(*draft.conditions, condition),
            held=None,
            last=subject,
            waiting=Waiting(),
            shown=shown,
            notes=(*draft.notes, f"{token.text} = {_told(subject)}"),
        )
    if not draft.held:
        for thing in stepper.columns:
            if thing.is_text and ("name" in thing.words or "titl" in thing.words):
                condition = Condition(thing, operation, (token.text,), waiting.negative, waiting.either)
                yield stepper.gained(
                    draft,
                    [("quoted.name", 1.0), (f"quoted.{operation}", 1.0)],
                    conditions=(*draft.conditions, condition),
                    waiting=Waiting(),
                    last=thing,
                )
