"""The figures that a question asks for."""

from msgspec.structs import replace

from dragoman.locales.short_names import said_for
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.draft.compared_columns import clean
from dragoman.planning.database.draft.figures import figure_of, is_of_rows, quantity_figure, time_figure
from dragoman.planning.database.draft.groups import repeated_label
from dragoman.planning.database.draft.money import money_figure
from dragoman.planning.database.draft.presence import hold_flag
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.frame import Aggregate, Measure, Ref
from dragoman.planning.database.silent_units import unit_of
from dragoman.planning.database.sketch import Slot
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table

_NO_MONEY = 1.0
_QUANTITY = "quantity of"
"""How many pieces, not how many kinds of them."""


def measure_figures(work: Work) -> None:
    sketch = work.sketch
    paid = _paid(work)
    if paid is not None:
        work.measures.append(paid)
        return
    _count(work)
    for aggregate, slot in sketch.measured:
        thing = _worth(work, slot, aggregate) or work.asked.thing(slot)
        if slot is not None and work.having and any(each.name is slot for each in sketch.compared):
            continue
        if slot is None:
            _add(work, money_figure(work, aggregate), 1.0)
        elif thing is not None and not _is_divided(work, aggregate, thing):
            figure = figure_of(work, thing, aggregate or Aggregate.SUM)
            _add(work, figure or _money_beside(work, slot, thing, aggregate), 0.8)
    silent = not sketch.counted and not work.measures and not sketch.ranked
    pieces = sketch.sold and sketch.counts and not sketch.amount
    if silent and sketch.spent and not sketch.shown and not sketch.compared and not pieces:
        money = money_figure(work)
        if money is not None:
            work.measures.append(money)
            return
    if silent and not sketch.counts and not sketch.share:
        _named_figures(work)
    if silent and not work.measures and sketch.sold and sketch.groups and not sketch.counts:
        # "Units sold per month".
        _add(work, quantity_figure(work), 0.5)
    if sketch.unit is not None:
        work.measures = [_in_unit(work, measure) for measure in work.measures]
    if silent and sketch.counts:
        spent = sketch.amount and (sketch.unit is not None or sketch.timed)
        time = time_figure(work) if spent else None
        if time is None:
            work.measures.append(_how_many(work))
        else:
            work.measures.append(time if sketch.unit is None else _in_unit(work, time))


def _money_beside(work: Work, slot: Slot, thing: Thing, aggregate: Aggregate | None) -> Measure | None:
    """ "The average fare", where only a kind of fare is called so: the one amount of money of its rows."""
    if aggregate is None or stem(slot.segment.text.casefold()) not in column_words().money:
        return None
    facts = [each for each in work.knowledge.columns(thing.table) if each.money]
    amounts = [each.thing for each in facts if each.role is Role.MEASURE]
    if len(amounts) != 1:
        return None
    work.guess("word")
    return Measure(aggregate, Ref(amounts[0]))


def _named_figures(work: Work) -> None:
    """ "Repair cost per ward", "quantity received in May": a column that is gathered, or one amount of many
    rows, is added up; what is a price or a rate of each row is averaged."""
    sketch, asked = work.sketch, work.asked
    shown = [asked.thing(slot) for slot in sketch.shown]
    named = [each for each in shown if each is not None and each.column is not None]
    if not named or len(named) < len(shown) or not all(map(asked.is_measure, named)):
        return
    if sketch.groups and not sketch.who:
        work.guess("figure")
        work.measures += [Measure(_adds_up(work, each), Ref(each)) for each in named]
    elif len(named) == 1 and _is_amount(work, sketch.shown[0], named[0]):
        work.measures.append(Measure(Aggregate.SUM, Ref(named[0])))


def _worth(work: Work, slot: Slot | None, aggregate: Aggregate | None) -> Thing | None:
    """ "The average booking value": the total that bookings have, whatever else is called a value."""
    if slot is None or slot.segment.text.casefold() not in english().worth:
        return None
    place = slot.segment
    context = work.sketch.context
    beside = [each for each in context if each.segment.end == place.start or each.segment.start == place.end]
    tables = work.asked.tables(beside)
    keys = {table.key for table in tables}
    own = next((total for total in work.knowledge.totals if total.table.key in keys), None)
    if aggregate not in (None, Aggregate.SUM):
        return own
    # Invoices that have no totals of their own are worth what their lines are.
    lines = (total for total in work.knowledge.totals if any(_is_line(work, total, each) for each in tables))
    return own or next(lines, None)


def _is_line(work: Work, total: Thing, table: Table) -> bool:
    way = work.joins.way(total.table, table)
    return way is not None and way.single and len(way.links) == 1 and not _is_besides(total)


def _is_besides(total: Thing) -> bool:
    """An amount that is not what a sale brought: the tax on it."""
    return bool(column_words().besides & set(total.words))


def _adds_up(work: Work, thing: Thing) -> Aggregate:
    words = set(thing.words)
    each = column_words().wages | column_words().each
    return Aggregate.AVERAGE if words & each and "total" not in words else Aggregate.SUM


def _is_amount(work: Work, slot: Slot, thing: Thing) -> bool:
    """Whether an amount of many rows is asked for as one: no list of amounts, nor that of one row."""
    sketch, text = work.sketch, slot.segment.text.casefold()
    alone = sketch.pieces[0] == slot.segment and not sketch.compared and not sketch.who
    traded = thing in work.knowledge.quantities or thing in work.knowledge.totals
    held = bool(sketch.dated or sketch.kept) and not text.endswith("s")
    return alone and held and (traded or text.startswith("total")) and not sketch.distinct


def _count(work: Work) -> None:
    counted = work.asked.things(work.sketch.counted)
    for thing in counted:
        if work.asked.is_flag(thing) and not work.sketch.distinct:
            # "The number of retired items": the flag says of which.
            hold_flag(work, thing)
            if len(counted) > 1:
                continue
        work.measures.append(_counted(work, thing))


def _paid(work: Work) -> Measure | None:
    """ "How much did customers pay in deposits", "what did all repairs cost us": money, not rows."""
    sketch, asked = work.sketch, work.asked
    tables = asked.tables(sketch.counted)
    said = asked.things((*sketch.shown, *sketch.context))
    named = [each for each in said if each.column is not None and asked.is_measure(each)]
    named = [each for each in named if work.knowledge.facts[each.number].money]
    if tables and not sketch.spent and "how much" in " ".join(sketch.said) and not named:
        # "How much did we collect in fines": rows are not counted so.
        own = [total for total in work.knowledge.totals if total.table.key == tables[0].key]
        return Measure(Aggregate.SUM, Ref(own[0])) if own else None
    if sketch.amount and sketch.spent and tables and len(tables) == len(sketch.counted):
        return Measure(Aggregate.SUM, Ref(named[0])) if named else money_figure(work)
    asks = sketch.said[:1] == ("what",) and bool(asked.words.all.intersection(sketch.said))
    alone = len(sketch.shown) == 2 and not sketch.groups and not sketch.ranked and not sketch.compared
    if asks and alone and named and named[0] == asked.thing(sketch.shown[-1]):
        lines = any(price == named[0] for price, _, _ in work.knowledge.lines)
        return money_figure(work) if lines else Measure(Aggregate.SUM, Ref(named[0]))
    return None


def _add(work: Work, measure: Measure | None, cost: float) -> None:
    if measure is None:
        work.cost += cost
    else:
        work.measures.append(measure)


def _is_divided(work: Work, aggregate: Aggregate | None, thing: Thing) -> bool:
    """Whether an average is one of numbers: "the average number of bookings", or what "the average customer"
    has so many of."""
    if aggregate is not Aggregate.AVERAGE or thing.column is not None:
        return False
    divided = work.sketch.divided and work.knowledge.own_count(thing.table) is None
    return divided or bool(work.asked.tables(work.sketch.counted))


def _counted(work: Work, thing: Thing) -> Measure:
    """How many of what is named."""
    knowledge, sketch = work.knowledge, work.sketch
    rows = Measure(Aggregate.COUNT, counts=thing.table)
    if thing.column is None:
        if sketch.distinct and (label := repeated_label(knowledge, thing.table)) is not None:
            return Measure(Aggregate.COUNT, Ref(label), distinct=True)
        own = knowledge.own_count(thing.table)
        if own is not None:
            return Measure(Aggregate.SUM, Ref(own))
        pieces = sketch.sold or _QUANTITY in sketch.said
        sold = pieces and thing.table.key == work.subject.key
        return (quantity_figure(work) if sold else None) or rows
    people = work.asked.target(thing)
    if people is not None and len(knowledge.labels(people)) > 1 and not sketch.sold:
        # "How many employees earn more": each once, however many rows of theirs there are.
        return Measure(Aggregate.COUNT, Ref(thing), distinct=True)
    named = thing in knowledge.labels(thing.table) or work.asked.is_flag(thing) or is_of_rows(work, thing)
    if named and not sketch.distinct:
        # "How many bookings" are rows, where only a date is called so.
        return rows
    said_so = sketch.amount or _counts(work, thing) or _of_each_row(work, thing)
    if work.asked.is_measure(thing) and not sketch.distinct and said_so:
        return Measure(Aggregate.SUM, Ref(thing))
    return Measure(Aggregate.COUNT, Ref(thing), distinct=True)


def _of_each_row(work: Work, thing: Thing) -> bool:
    """ "The title and the number of credits of each course": every row has its own number."""
    grouped = [slot for slot in work.sketch.groups if isinstance(slot, Slot)]
    names = work.asked.things(grouped)
    labels = work.knowledge.labels(thing.table)
    rows = any(each.column is None or each in labels for each in names)
    return rows and all(each.table.key == thing.table.key for each in names)


def _how_many(work: Work) -> Measure:
    """A "how many" that names nothing to count: money, pieces sold, a column that counts, else rows."""
    sketch = work.sketch
    money = money_figure(work) if sketch.spent else None
    quantity = quantity_figure(work) if sketch.sold else None
    # "How many units did we sell" asks for pieces, "how much did we sell" for money.
    figures = (money, quantity) if sketch.amount or not sketch.sold else (quantity, money)
    figure = next((each for each in figures if each is not None), None)
    figure = figure or (_wages(work) if sketch.spent and sketch.amount else None)
    if figure is not None:
        return figure
    if sketch.spent and sketch.amount:
        # "How much did she make" is no number of rows.
        work.cost += _NO_MONEY
    shown = work.asked.things(sketch.shown)
    if len(shown) == 1 and shown[0].column is not None and work.asked.is_measure(shown[0]):
        return Measure(Aggregate.SUM, Ref(shown[0]))
    return Measure(Aggregate.COUNT, counts=work.subject)


def _wages(work: Work) -> Measure | None:
    """ "How much did she make": what people are paid, where nothing is sold."""
    said = {word for text in work.sketch.said for word in text.split()}
    if said.isdisjoint(english().earning):
        return None
    found: list[tuple[float, Thing]] = []
    for facts in work.knowledge.facts.values():
        way = work.joins.way(facts.thing.table, work.subject)
        paid = facts.role is Role.MEASURE and column_words().wages & set(facts.thing.words)
        if paid and way is not None and way.single:
            found.append((way.cost, facts.thing))
    return Measure(Aggregate.SUM, Ref(min(found, key=lambda each: each[0])[1])) if found else None


def _in_unit(work: Work, measure: Measure) -> Measure:
    """A figure in the unit that it is asked for in."""
    wanted = work.sketch.unit
    facts = work.knowledge.facts.get(measure.ref.thing.number) if measure.ref is not None else None
    own = None if facts is None else unit_of(facts)
    if wanted is None or own is None or own.dimension != wanted.dimension:
        work.guess("unit")
        work.sketch.uncovered.append("unit")
        return measure
    return replace(measure, divisor=clean(wanted.factor / own.factor))


def _counts(work: Work, thing: Thing) -> bool:
    """Whether a column says how many: of seats, not of prices or ages."""
    if thing.column is None:
        return False
    name = thing.column.info.name
    # What is cut down to a few letters was a plural: the wins of `W`.
    plural = name.casefold().endswith("s") or bool(said_for(name))
    return plural or bool({*thing.words, *thing.optional} & column_words().counts)
