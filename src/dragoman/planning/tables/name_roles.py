"""What becomes of a name in a reading: the roles it may have where it stands."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dragoman.planning.tables.name_linker import Named
from dragoman.planning.tables.partial_reading import Condition, Draft, Having, Measure, Sorting, Waiting
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.value_roles import compared, told
from dragoman.planning.tables.weights import Feature

if TYPE_CHECKING:
    from dragoman.planning.tables.reading_search import Stepper

MOST_SHOWN = 8
MOST_GROUPS = 4
EXACT = 0.97


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
    link.extend(_agreement(stepper, draft, name))
    if kind == "column":
        link.append(("link.key" if name.thing.is_key else "link.plain", 1.0))
        if name.thing.table.key != stepper.scope.root.key:
            link.append(("link.other", 1.0))
        if name.thing.is_key and not _says_key(stepper, name):
            link.append(("link.key.unsaid", 1.0))
    note = f"{' '.join(token.text for token in stepper.tokens[name.start : name.end])} = {told(name.thing)}"
    if kind == "table" and (name.thing in draft.subjects or name.thing in draft.linked):
        if name.score < EXACT and stepper.is_value(name.start, name.end):
            # "How many books are novels": the table was named, the second word says which of its rows.
            return
        link.append(("table.again", 1.0))
        link.append(("table.again.otherwise", 1.0 - name.score))
    if kind == "column" and length == 1 and draft.zone == "show":
        yield from _both_names(stepper, draft, name, link, note)
    roles = _column_roles if kind == "column" else _table_roles
    before, after = stepper.before(name.start), stepper.after(name.end)
    for role, further in roles(stepper, draft, name.thing, name.end):
        place = f"{role}@{draft.zone}:{draft.waiting.main}"
        kinds = [(f"{role}.{_sort(name.thing)}", 1.0)] if kind == "column" else []
        kinds += [(f"{kind}.{role}<{before}", 1.0), (f"{kind}.{role}>{after}", 1.0)]
        if name.score < 0.6:
            kinds.append((f"{role}.weak", 1.0))
        if role in ("having", "limited", "compared"):
            gap = max(0, name.start - draft.waiting.numbered)
            kinds += [(f"{role}.gap", float(min(gap, 3))), (f"{role}.near", float(gap == 0))]
        yield stepper.gained(
            further,
            [*link, (place, 1.0), *kinds],
            notes=(*draft.notes, f"{note} ({role})"),
            before=name.thing,
            ended=name.end,
        )


def _sort(thing: Thing) -> str:
    if thing.is_key:
        return "key"
    return "number" if thing.is_number else "date" if thing.is_date else "text"


def _says_key(stepper: "Stepper", name: Named) -> bool:
    said = {token.stem for token in stepper.tokens[name.start : name.end]}
    return bool(said & {"id", "code", "number", "key", "identifier"}) or not {"id", "code"} & set(
        name.thing.words
    )


def _agreement(stepper: "Stepper", draft: Draft, name: Named) -> list[Feature]:
    """Whether a column and the table named beside it belong together: "student ids", "names of students"."""
    before, thing = draft.before, name.thing
    if before is None:
        return []
    near = name.start - draft.ended
    if before.column is None and thing.column is not None and near == 0:
        return [("agree.compound" if before.table is thing.table else "agree.compound.not", 1.0)]
    if before.column is not None and thing.column is None and 0 < near <= 3:
        between = {token.low for token in stepper.tokens[draft.ended : name.start]}
        if between & {"of", "for", "from"}:
            return [("agree.of" if before.table is thing.table else "agree.of.not", 1.0)]
    if before.column is not None and thing.column is not None and near <= 3:
        return [("agree.row" if before.table is thing.table else "agree.row.not", 1.0)]
    return []


def _both_names(
    stepper: "Stepper", draft: Draft, name: Named, link: list[Feature], note: str
) -> Iterator[Draft]:
    """A person's name, where a table has its two parts."""
    if stepper.tokens[name.start].stem != "name" or set(name.thing.required) != {"first", "name"}:
        return
    parts = stepper.things.names_of(name.thing.table)
    if len(parts) > 1:
        features = [*link, (f"show@{draft.zone}:{draft.waiting.main}", 1.0), ("show.both.names", 1.0)]
        if name.start and stepper.tokens[name.start - 1].low in ("full", "complete"):
            features.append(("show.both.names.full", 1.0))
        shown = (*draft.shown, *(part for part in parts if part not in draft.shown))
        yield stepper.gained(
            draft,
            features,
            shown=shown,
            last=name.thing,
            waiting=Waiting(),
            notes=(*draft.notes, f"{note} (show)"),
        )


def _spent(waiting: Waiting, **kept: object) -> Waiting:
    return Waiting(**kept)  # type: ignore[arg-type]


def _column_roles(stepper: "Stepper", draft: Draft, thing: Thing, end: int) -> Iterator[tuple[str, Draft]]:
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
        if thing.is_number and not thing.is_key:
            # A column may hold numbers of things: they are added up, or just shown.
            yield "count.sum", plain.changed(measures=(*draft.measures, Measure("sum", thing)))
            if len(draft.shown) < MOST_SHOWN and thing not in draft.shown:
                yield "count.show", plain.changed(shown=(*draft.shown, thing))
    if (waiting.grouping or draft.zone == "group") and len(draft.groups) < MOST_GROUPS:
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
        counted = Measure("count", thing, True) if waiting.distinct else None
        yield "extreme.count", plain.changed(extreme=Sorting(None, descending, counted))
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
                plain.changed(conditions=(*draft.conditions, compared(thing, waiting)), held=None),
            )
        if waiting.comparison or draft.zone == "where":
            measure = Measure("count", thing, True) if waiting.distinct else Measure("count")
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
    if waiting.text and thing.is_text:
        condition = Condition(
            thing, waiting.like or "contains", (waiting.text,), waiting.negative, waiting.either
        )
        yield "holds", plain.changed(conditions=(*draft.conditions, condition))
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


def _table_roles(stepper: "Stepper", draft: Draft, thing: Thing, end: int) -> Iterator[tuple[str, Draft]]:
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
    if stepper.names_follow(end):
        # "Club owners": the table only says whose.
        yield "modifier", draft
    if draft.zone in ("show", "group"):
        yield "subject", draft.changed(subjects=(*draft.subjects, thing), waiting=keep)
    else:
        yield "linked", draft.changed(linked=(*draft.linked, thing), waiting=keep)
