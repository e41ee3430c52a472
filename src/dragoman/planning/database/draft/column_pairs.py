"""Two columns of one row against each other: a date and the day that was planned, stock and its minimum."""

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.draft.adjectives import graded_column
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Condition, Ref
from dragoman.planning.database.sketch import Compared
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link, Table

_TURNED = {"above": "below", "below": "above", "at-least": "at-most", "at-most": "at-least"}


def compare_columns(work: Work, compared: Compared) -> None:
    """Adds the condition, or leaves the words over where there are no such columns."""
    above = None if compared.late else _above(work, compared)
    if above is not None:
        work.conditions.append(above)
        return
    pair = _late(work) if compared.late else _named(work, compared)
    if pair is None:
        work.cost += 1.0
        work.sketch.uncovered.append(compared.words)
        return
    first, second = pair
    work.conditions.append(
        Condition(Ref(first), compared.operation, negative=compared.negative, other=Ref(second))
    )


def _above(work: Work, compared: Compared) -> Condition | None:
    """ "Who earns more than their manager": the same column of the row that a key leads to."""
    key = work.asked.thing(compared.other)
    link = None if key is None else _link_up(work, key)
    if key is None or link is None:
        return None
    rows = key.table if key.column is not None else work.subject
    first, operation = work.asked.thing(compared.name), compared.operation
    if (
        first is None or first.column is None or first.number == key.number
    ) and compared.adjective is not None:
        graded = graded_column(work.asked, compared.adjective, rows)
        first = None if graded is None else graded[0]
        # Whoever is older was born earlier.
        operation = _TURNED.get(operation, operation) if graded is not None and graded[1] else operation
    if first is not None and first.table.key != rows.key:
        return None
    if first is None or first.column is None or work.knowledge.role(first) is Role.KEY:
        return None
    name = first.column.info.name
    second = work.knowledge.things.of_column.get((*link.target, name))
    if second is None:
        return None
    if "both" in work.sketch.said:
        # "Show both": the one above is shown too.
        target = work.joins.graph.tables[link.target]
        work.shown.extend(Ref(label, (link,)) for label in work.asked.named_by(target))
        work.sketch.dropped[:] = [word for word in work.sketch.dropped if word != "both"]
    other = Ref(second, (link,))
    return Condition(Ref(first), operation, negative=compared.negative, other=other)


def _link_up(work: Work, key: Thing) -> Link | None:
    """The link to the row above: along a key that is called by its part, or the only one to a table."""
    if key.column is not None:
        found = work.joins.find_link(key)
        own = found is not None and found.target == key.table.key
        return found if own or work.knowledge.is_role(key) else None
    links = work.joins.links(work.subject).values()
    up = [each for each in links if each.target == key.table.key and each.single and "-by-" not in each.name]
    return up[0] if len(up) == 1 else None


def _named(work: Work, compared: Compared) -> tuple[Thing, Thing] | None:
    other = work.asked.thing(compared.other)
    if other is None or other.column is None:
        return None
    name = work.asked.thing(compared.name)
    if name is not None and name.column is not None and _alike(name, other):
        return name, other
    first = _done(work, other, compared.verb) if other.is_date else _in_stock(work, other)
    return None if first is None else (first, other)


def _alike(first: Thing, second: Thing) -> bool:
    return (
        first.number != second.number
        and first.table.key == second.table.key
        and (first.is_date, first.is_number) == (second.is_date, second.is_number)
    )


def _done(work: Work, planned: Thing, verb: str = "") -> Thing | None:
    """The date of what was done, beside the one that it is compared with: the one that a verb speaks of."""
    words = work.asked.words
    dates = [each for each in work.knowledge.dates(planned.table) if each.number != planned.number]
    said = [verb] if verb else [*work.sketch.verbs, *work.sketch.said_stems()]
    # "Shipments delivered late" are not late because they were shipped.
    own = work.knowledge.things.table_thing[planned.table.key].required
    said = said if verb else [each for each in said if each not in own]

    def worth(date: Thing) -> tuple[float, int, int]:
        verbs = max((closeness(words, each, date) for each in said), default=0.0)
        shared = len(set(date.words) & set(planned.words) - words.any_date)
        # Of several that are called alike the last one is where it ended.
        return verbs - (0.5 if words.planned & set(date.words) else 0.0), shared, date.number

    return max((date for date in dates if worth(date)[0] > 0 or worth(date)[1]), key=worth, default=None)


def _late(work: Work) -> tuple[Thing, Thing] | None:
    """The date that was planned and the one that it became, in the table nearest to the subject."""
    tables = [work.subject, *work.asked.chosen.tables, *_around(work)]
    for table in dict.fromkeys(tables):
        for planned in work.knowledge.dates(table):
            if not work.asked.words.planned & set(planned.words):
                continue
            first = _done(work, planned) or _finished(work, planned)
            if first is not None:
                return first, planned
    return None


def _finished(work: Work, planned: Thing) -> Thing | None:
    """Where no verb says what was late: the date on which something ended."""
    ends = work.asked.words.unasked_dates | work.asked.words.done_dates
    dates = work.knowledge.dates(planned.table)
    return next(
        (each for each in dates if ends & set(each.words) and not work.asked.words.planned & set(each.words)),
        None,
    )


def _around(work: Work) -> list[Table]:
    found = []
    for table in work.joins.graph.tables.values():
        way = work.joins.way(work.subject, table)
        if way is not None and len(way.links) == 1:
            found.append((way.cost, table))
    return [table for _, table in sorted(found, key=lambda each: each[0])]


def _in_stock(work: Work, limit: Thing) -> Thing | None:
    """What a limit limits, where only the limit is named: the stock of a minimum."""
    stock = work.asked.words.stock
    measures = [each for each in work.knowledge.measures(limit.table) if each.number != limit.number]
    return next((each for each in measures if stock & set(each.words)), None)
