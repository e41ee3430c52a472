"""The roles that a table may have where it is named: counted, gathered by, asked for, or only linked."""

from collections.abc import Iterator

from dragoman.planning.tables.partial_reading import Draft, Having, Measure, Role, Sorting, Waiting
from dragoman.planning.tables.schema_names import Thing

_MOST_TOP = 1000


def table_roles(draft: Draft, thing: Thing, *, is_modifier: bool) -> Iterator[Role]:
    """Every role, and the draft with the table in it. `is_modifier`: a column follows right behind it."""
    waiting = draft.waiting
    plain = draft.changed(
        waiting=Waiting(verbs=waiting.verbs, negative=waiting.negative, either=waiting.either)
    )
    if waiting.counting:
        yield _counted(draft, plain, thing)
    if waiting.grouping or draft.zone == "group":
        yield Role("group", plain.changed(groups=(*draft.groups, thing)))
    if waiting.extreme in ("most", "least"):
        yield _most_rows(draft, plain, thing)
    if waiting.extreme in ("common", "rare"):
        order = Sorting(None, waiting.extreme == "common")
        yield Role("common", plain.changed(subjects=(*draft.subjects, thing), extreme=order))
    if waiting.numbers:
        yield from _numbered(draft, plain, thing)
    if is_modifier:
        # "Club owners": the table only says whose.
        yield Role("modifier", draft)
    left = _until_object(waiting)
    if draft.zone in ("show", "group"):
        yield Role("subject", draft.changed(subjects=(*draft.subjects, thing), waiting=left))
    else:
        yield Role("linked", draft.changed(linked=(*draft.linked, thing), waiting=left))


def _counted(draft: Draft, plain: Draft, thing: Thing) -> Role:
    """Its rows are counted: to order by them, to find who has the most, or as the figure asked for."""
    if draft.zone == "order":
        return Role("order.count", plain.changed(orders=(*draft.orders, Sorting(None, draft.descending))))
    if draft.waiting.extreme in ("most", "least"):
        return _most_rows(draft, plain, thing)
    counted = plain.changed(
        counted=(*draft.counted, thing),
        count_distinct=draft.count_distinct or draft.waiting.distinct,
        subjects=(*draft.subjects, thing),
    )
    return Role("count", counted)


def _most_rows(draft: Draft, plain: Draft, thing: Thing) -> Role:
    order = Sorting(None, draft.waiting.extreme == "most")
    return Role("extreme.rows", plain.changed(extreme=order, linked=(*draft.linked, thing)))


def _numbered(draft: Draft, plain: Draft, thing: Thing) -> Iterator[Role]:
    """A number before a table: so many of its rows must there be, or so many are shown."""
    waiting = draft.waiting
    number = waiting.numbers[-1]
    having = Having(Measure("count"), waiting.comparison or "equal", number, thing)
    yield Role("having", plain.changed(having=(*draft.having, having), linked=(*draft.linked, thing)))
    if not waiting.comparison and draft.zone == "show" and 0 < number < _MOST_TOP:
        yield Role("limited", plain.changed(subjects=(*draft.subjects, thing), top=int(number)))


def _until_object(waiting: Waiting) -> Waiting:
    """What still waits behind a table: all but counting, grouping and texts, which were meant for it."""
    return Waiting(
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
