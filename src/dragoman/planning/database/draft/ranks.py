"""Superlatives: what is ranked, by what, and how many are left."""

from itertools import pairwise

from dragoman.planning.database.draft.adjectives import graded_column
from dragoman.planning.database.draft.figures import count_of, figure_of, quantity_figure
from dragoman.planning.database.draft.frequency import counting_column, frequency, graded_elsewhere
from dragoman.planning.database.draft.groups import (
    gather_by_default,
    gather_by_figure,
    group_of,
    repeated_label,
)
from dragoman.planning.database.draft.money import money_figure
from dragoman.planning.database.draft.people import is_people
from dragoman.planning.database.draft.ranked_columns import counted_for, rank_by_column
from dragoman.planning.database.draft.ranked_days import rank_days
from dragoman.planning.database.draft.spans import rank_by_difference, rank_by_span
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Group, Measure, Order, Ref
from dragoman.planning.database.sketch import Ranked
from dragoman.planning.database.vocabulary import Adjective, english
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table

_PLACES = ("top", "bottom", "best", "worst")
_JUDGED = ("best", "worst")
_SO_MANY = ("most", "the most", "fewest", "least")
_ENDS = (("min", "max"), ("max", "min"))
_TWO_COLUMNS = 2.0
_UNMEASURED = 1.0
_DONE_TO_OTHERS = 0.5


def rank_rows(work: Work) -> None:
    for ranked in work.sketch.ranked:
        if ranked.words == "first" and ranked.limit == 0:
            _rank_first(work, ranked)
        else:
            _rank(work, ranked)
            work.cost += _TWO_COLUMNS if _is_column(work, ranked) else 0.0


def _is_column(work: Work, ranked: Ranked) -> bool:
    """ "Min and max wage", where a column has the other end in its own name: so has the first, and nothing is
    ranked."""
    thing, slot = work.asked.thing(ranked.name), ranked.name
    if thing is None or slot is None or thing.column is None:
        return False
    other = slot.segment.text.casefold()[:3]
    return (ranked.words[:3], other) in _ENDS and any(word.startswith(other) for word in thing.words)


def _rank_first(work: Work, ranked: Ranked) -> None:
    """ "The biggest first": an order that leaves everything."""
    if work.sorted_by_name:
        return
    if work.groups and not work.measures and (ranked.adjective is None or ranked.adjective.plain):
        # "Bookings by status, the biggest group first": groups are as big as they have rows.
        work.measures.append(Measure(Aggregate.COUNT, counts=work.subject))
    if work.measures:
        work.order.append(Order(work.measures[0], ranked.descending))
    elif (column := _only_figure(work, ranked)) is not None:
        work.order.append(Order(Ref(column), ranked.descending))
    elif not _ordered_by_adjective(work, ranked):
        work.cost += 0.8


def _only_figure(work: Work, ranked: Ranked) -> Thing | None:
    """ "With their weight, the largest first": by the one number that is shown, whatever else is large."""
    if ranked.adjective is not None and not ranked.adjective.plain:
        return None
    shown = work.asked.things((*work.sketch.shown, *work.sketch.linked))
    figures = [thing for thing in shown if thing.column is not None and work.asked.is_measure(thing)]
    return figures[0] if len(set(figures)) == 1 else None


def _ordered_by_adjective(work: Work, ranked: Ranked) -> bool:
    found = graded_column(work.asked, ranked.adjective, work.subject) if ranked.adjective else None
    if found is None:
        return False
    work.order.append(Order(Ref(found[0]), ranked.descending != found[1]))
    return True


def _rank(work: Work, ranked: Ranked) -> None:
    thing = work.asked.thing(ranked.name)
    work.ranked_limit = work.wanted_limit if work.wanted_limit is not None else (ranked.limit or 1)
    if ranked.common and thing is None:
        # "Which film was lent most often": what is shown is what is ranked.
        maybe = [work.sketch.maybe[1]] if work.sketch.maybe is not None else []
        thing = next(iter(work.asked.things((*work.sketch.shown, *maybe))), None)
    if thing is not None and work.role is not None and _leads(work, thing, work.role):
        work.groups.append(Group(table=work.subject, through=work.role))
        _rank_by_figure(work, ranked, Measure(Aggregate.COUNT, counts=work.subject))
    elif ranked.between is not None or ranked.lasts:
        _rank_by_difference(work, ranked)
    elif work.sorted_by_name or (work.sketch.orders and _order_is_said(work, ranked)):
        # "top 4 branches by money lent": the order is said elsewhere.
        if thing is not None and not work.groups:
            work.top = thing
    elif thing is not None and (column := counting_column(work, ranked, thing)) is not None:
        work.order.append(Order(Ref(column), ranked.descending))
    elif ranked.money or (thing is not None and (ranked.common or ranked.aggregate or ranked.counted)):
        measure = _figure(work, ranked, thing)
        if measure is None:
            work.cost += 0.8
        else:
            _rank_by_figure(work, ranked, measure)
    elif thing is None:
        _rank_alone(work, ranked)
    elif thing.column is not None:
        rank_by_column(work, ranked, thing)
    elif not _rank_by_size(work, ranked, thing):
        measure = _figure_of_table(work, ranked, thing)
        if measure is not None:
            _rank_by_figure(work, ranked, measure)


def _leads(work: Work, thing: Thing, role: Thing) -> bool:
    """ "Who manages the most people": those below somebody are counted."""
    target = work.asked.target(role)
    own = target is not None and target.key == role.table.key == work.subject.key
    return own and thing.column is None and thing.table.key == work.subject.key


def _rank_by_difference(work: Work, ranked: Ranked) -> None:
    if ranked.between is not None:
        done = rank_by_difference(work, ranked, ranked.between)
    else:
        done = _ordered_by_adjective(work, ranked) or rank_by_span(work, ranked, work.subject)
    if not done:
        work.cost += 0.8


def _order_is_said(work: Work, ranked: Ranked) -> bool:
    if ranked.words in _PLACES:
        return True
    said = [key for key, _ in work.sketch.orders if key != "direction"]
    # "Best selling by quantity": which figure of the sale is said.
    sold = ranked.sold or not set(english().sold).isdisjoint(ranked.words.split())
    traded = sold and any(key in ("sold", "money") for key in said)
    return bool(said) and (ranked.common or ranked.adjective is not None or traded)


def _rank_by_figure(work: Work, ranked: Ranked, measure: Measure) -> None:
    descending = ranked.descending
    # The worst delays are the longest ones.
    if ranked.words in _JUDGED and measure.ref is not None:
        descending ^= bool(work.asked.words.unwelcome & set(measure.ref.thing.words))
    gather_by_figure(work, measure, descending)


def _figure(work: Work, ranked: Ranked, thing: Thing | None) -> Measure | None:
    """The figure that the superlative itself names: the most money, the most common, the highest average."""
    if ranked.money or thing is None:
        return money_figure(work, ranked.aggregate)
    if ranked.common:
        if ranked.verb and _others_shown(work, ranked, thing):
            # "Which clerk has the most cancelled bookings": nothing is cancelled more than once.
            work.cost += _DONE_TO_OTHERS
        return _how_often(work, ranked, thing)
    if ranked.aggregate is not None:
        return figure_of(work, thing, ranked.aggregate)
    return count_of(work, thing)


def _how_often(work: Work, ranked: Ranked, thing: Thing) -> Measure | None:
    """How often something is met: rows that share its name, records that are named or that lead to it."""
    counted = counted_for(work.asked, thing)
    rows = Measure(Aggregate.COUNT, counts=counted)
    work.groups.append(group_of(work.asked, thing))
    unlike = thing.column is not None or repeated_label(work.knowledge, thing.table) is not None
    if counted.key != thing.table.key or (unlike and not ranked.verb):
        return rows
    return frequency(work, ranked, thing) or rows


def _others_shown(work: Work, ranked: Ranked, thing: Thing) -> bool:
    """Whether something else than what is ranked is shown, and said before it."""
    name = ranked.name
    before = [s for s in work.sketch.shown if name is None or s.segment.start < name.segment.start]
    return any(t.column is not None or t.table.key != thing.table.key for t in work.asked.things(before))


def _rank_by_size(work: Work, ranked: Ranked, thing: Thing) -> bool:
    """The longest rope: the adjective grades a column of what is ranked."""
    adjective = ranked.adjective
    if adjective is None:
        return False
    if adjective.plain and _others_shown(work, ranked, thing) and not _is_one(ranked, adjective):
        return False
    found = graded_column(work.asked, adjective, thing.table)
    if found is None and "time" in adjective.units:
        return rank_by_span(work, ranked, thing.table)
    if found is None:
        return _rank_as_same(work, ranked, thing) or _rank_by_records(work, ranked, thing)
    column, reverse = found
    descending = ranked.descending != reverse
    if column.is_date and "date" in work.sketch.uncovered:
        # "The latest booking date": the date itself is asked for.
        work.sketch.uncovered.remove("date")
        rank_by_column(work, ranked, column)
    elif work.groups and work.sketch.each:
        # "The latest visit of each patient": every one of them has one.
        work.measures.append(Measure(Aggregate.MAX if descending else Aggregate.MIN, Ref(column)))
    elif work.groups and not work.sketch.counts:
        end = Aggregate.MAX if descending else Aggregate.MIN
        gather_by_figure(work, Measure(end, Ref(column)), descending)
    else:
        way = work.joins.way(thing.table, work.subject)
        if thing.table.key != work.subject.key and way is not None and way.single:
            # "The last order, and by which customer": orders are ranked, and have one customer each.
            work.base = thing.table
        work.order.append(Order(Ref(column), descending))
    return True


def _rank_as_same(work: Work, ranked: Ranked, thing: Thing) -> bool:
    """ "The oldest driver", where drivers are people and people have an age."""
    same = work.knowledge.same_as(thing.table) or _person(work, thing.table)
    target = None if same is None else work.asked.target(same)
    if ranked.adjective is None or target is None or work.groups or thing.table.key != work.subject.key:
        return False
    found = graded_column(work.asked, ranked.adjective, target)
    if found is None:
        return False
    work.order.append(Order(Ref(found[0], through=same), ranked.descending != found[1]))
    return True


def _person(work: Work, table: Table) -> Thing | None:
    """The key to the one person that a row without a name is about: the candidate, the entrepreneur."""
    if work.knowledge.has_name(table):
        return None
    keys = work.knowledge.things.of_table[table.key]
    found = [key for key in keys if (it := work.asked.target(key)) is not None and is_people(work.asked, it)]
    return found[0] if len(found) == 1 else None


def _is_one(ranked: Ranked, adjective: Adjective) -> bool:
    """ "Who got the largest grant": one grant is large, not many of them."""
    name = ranked.name
    return adjective.money and name is not None and not name.segment.text.casefold().endswith("s")


def _rank_by_records(work: Work, ranked: Ranked, thing: Thing) -> bool:
    """The best paid are ranked by the rows that say what they are paid."""
    adjective = ranked.adjective
    if adjective is None or adjective.plain or adjective.money or adjective.dates or adjective.units:
        return False
    stems = tuple(stem(word) for word in adjective.words)
    column = graded_elsewhere(work, stems, thing.table)
    if column is None:
        return False
    work.base = column.table
    work.shown.extend(Ref(label) for label in work.asked.named_by(thing.table))
    work.order.append(Order(Ref(column), ranked.descending))
    return True


def _figure_of_table(work: Work, ranked: Ranked, thing: Thing) -> Measure | None:
    """The most loans, the biggest members."""
    adjective = ranked.adjective
    if adjective is not None and (adjective.units or adjective.dates) and not adjective.plain:
        # What is heavy or old is so by its weight or its age, and not by how many there are.
        work.cost += _UNMEASURED
    by_part = any(group.part is not None for group in work.groups)
    if thing.table.key != work.subject.key or _others_shown(work, ranked, thing):
        return count_of(work, thing)
    if by_part and not work.measures and ranked.adjective is None and ranked.words in _SO_MANY:
        # "Which month had the most rentals".
        return count_of(work, thing)
    # The biggest of a kind that has no size of its own: by what is measured, by pieces sold, by money.
    if work.measures:
        gather_by_default(work, thing)
        work.order.append(Order(work.measures[0], ranked.descending))
        return None
    quantity = quantity_figure(work) if work.sketch.sold or ranked.sold else None
    if quantity is not None:
        gather_by_default(work, thing)
        return quantity
    money = money_figure(work)
    way = work.joins.way(money.table, thing.table) if money is not None and money.table is not None else None
    if way is not None and way.single:
        work.guess("rank")
        gather_by_default(work, thing)
        return money
    work.cost += 1.0
    return None


def _ranked_kind(work: Work) -> Table | None:
    """ "Who has the most wins", where a result is a win: the rows that are of that kind, of many for each."""
    behind = [b for a, b in pairwise(work.sketch.pieces) if a.kinds & {"most", "least"}]
    for kept in work.sketch.kept:
        values = work.asked.chosen.values.get(id(kept))
        if values and kept.segment in behind and kept.segment.text.casefold().endswith("s"):
            table = values[0].thing.table
            way = work.joins.way(work.subject, table)
            return table if way is not None and not way.single else None
    return None


def _rank_alone(work: Work, ranked: Ranked) -> None:
    """A superlative without a noun: by what is measured, or by its adjective."""
    sketch = work.sketch
    if rank_days(work, ranked):
        return
    if work.measures:
        if work.groups or sketch.shown:
            gather_by_figure(work, work.measures[0], ranked.descending)
        else:
            work.cost += 0.8
        return
    if _ordered_by_adjective(work, ranked):
        return
    kind = _ranked_kind(work)
    if kind is not None and sketch.shown:
        gather_by_figure(work, Measure(Aggregate.COUNT, counts=kind), ranked.descending)
        return
    measure = (quantity_figure(work) if sketch.sold else None) or (
        money_figure(work) if sketch.spent else None
    )
    if measure is None:
        work.cost += 0.8
    else:
        gather_by_figure(work, measure, ranked.descending)
