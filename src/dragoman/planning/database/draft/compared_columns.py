"""The column that a number is compared with, and the number in the unit of that column."""

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.draft.adjectives import graded_column
from dragoman.planning.database.draft.ages import is_birth
from dragoman.planning.database.draft.work import Work
from dragoman.planning.database.silent_units import unit_of
from dragoman.planning.database.sketch import Compared, Slot
from dragoman.planning.database.units import UNIT_WORDS, Unit
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table

_AGES = ("above", "below", "at-least", "at-most", "between")
_YOUNGEST, _OLDEST = 5, 110
_KEY_WORDS = frozenset({"id", "ids", "number", "no", "code", "key"})
_NUMBERS = (Role.MEASURE, Role.YEAR, Role.MONTH, Role.DAY, Role.DATE)


def compared_column(work: Work, compared: Compared, name: Thing | None, after: Thing | None) -> Thing | None:
    """The column that a number is compared with: one that is named, one that its unit or adjective speaks of,
    or the only one that it can be."""
    named = _named_columns(work, compared, name, after)
    if named:
        return named[0]
    table = work.subject
    for thing in (after, name):
        spoken = compared.adjective is not None or _has_unit(work, compared, thing)
        if thing is not None and thing.column is None and spoken:
            table = thing.table
    spoken_of = _spoken_of(work, compared, table)
    if spoken_of is not None:
        return spoken_of
    paid = _paid_column(work, compared, table)
    if paid is not None:
        return paid
    if work.counts_rows_of(after) or work.counts_values_of(after) or work.sketch.spent:
        return None
    if compared.money:
        money = [f.thing for f in work.knowledge.columns(table) if f.money and f.role is Role.MEASURE]
        if money:
            return next((each for each in work.knowledge.totals if each in money), money[0])
    return _numbered(work, compared, name) or _age(work, compared) or _only_measure(work, compared, table)


def _has_unit(work: Work, compared: Compared, thing: Thing | None) -> bool:
    """ "More than 35 seconds for a stop": of the rows that last so long."""
    if thing is None or compared.unit is None or compared.unit.dimension != "time":
        return False
    return _unit_column(work, compared, compared.unit, thing.table) is not None


def _is_digits(thing: Thing) -> bool:
    """Whether a column holds numbers, or texts that are written with digits alone."""
    samples = () if thing.column is None else thing.column.info.samples
    return thing.is_number or (bool(samples) and all(sample.isdigit() for sample in samples))


def _named_columns(work: Work, compared: Compared, name: Thing | None, after: Thing | None) -> list[Thing]:
    """The columns that are named around a number and take numbers, those of the subject first."""
    within = work.asked.thing(compared.within)
    slots = ((after, compared.after), (within, compared.within), (name, compared.name))
    found: list[Thing] = []
    for thing, slot in slots:
        if thing is None:
            continue
        own = _own_measure(work, thing) if thing.column is None and not compared.counted else None
        if own is not None:
            found.append(own)
        elif thing.column is not None and _takes_numbers(work, compared, thing, slot):
            found.append(thing)
    return sorted(found, key=lambda each: each.table.key != work.subject.key)


def _own_measure(work: Work, table: Thing) -> Thing | None:
    """The measure that a table is called after: the salary of a row of salaries."""
    own = (each for each in work.knowledge.measures(table.table) if set(each.words) <= set(table.words))
    return next(own, None)


def wage_column(work: Work, compared: Compared) -> Thing | None:
    """ "Earning more than 50000": what people are paid, in their own table or in one that is theirs."""
    words = work.asked.words
    if not words.earning.intersection(work.sketch.verbs) or not compared.numbers:
        return None
    found: list[tuple[float, Thing]] = []
    for table in work.joins.graph.tables.values():
        way = work.joins.way(work.subject, table)
        if way is None or len(way.links) > 1:
            continue
        measures = work.knowledge.measures(table)
        found += [(way.cost, each) for each in measures if words.wages & set(each.words)]
    return min(found, key=lambda each: (each[0], each[1].number))[1] if found else None


def _age(work: Work, compared: Compared) -> Thing | None:
    """ "Students over 22": people are so old."""
    if compared.unit is not None or compared.counted or compared.operation not in _AGES:
        return None
    if "times" in " ".join(work.sketch.said).split():
        # "More than 20 times": so often, not so old.
        return None
    if not all(_YOUNGEST <= number <= _OLDEST for number in compared.numbers):
        return None
    people = work.asked.words.people & set(work.knowledge.things.table_thing[work.subject.key].words)
    found = graded_column(work.asked, work.asked.words.base["old"], work.subject) if people else None
    return found[0] if found is not None and (not found[1] or is_birth(work, found[0])) else None


def _takes_numbers(work: Work, compared: Compared, thing: Thing, slot: Slot | None) -> bool:
    role = work.knowledge.role(thing)
    if compared.average:
        # Keys have no average that means something.
        return role is Role.MEASURE
    if role is Role.KEY:
        # More than 7 clients are many clients, not clients with a great key; client number 7 is one of them.
        said = _says_number(slot)
        counts = compared.after is not None and slot is compared.name and compared.operation != "equal"
        return thing.is_number and not counts and (said or compared.operation == "equal")
    if role is Role.DATE and slot is not None and slot.segment.stem == stem("times"):
        # "More than 3 times" is not a date.
        return False
    if compared.operation == "equal" and thing.is_text and _says_number(slot):
        # "Tracking number 7662", where such numbers are kept as texts.
        return _is_digits(thing)
    return role in _NUMBERS or (thing.is_number and role is not Role.FLAG)


def _says_number(slot: Slot | None) -> bool:
    return slot is not None and not _KEY_WORDS.isdisjoint(slot.segment.text.casefold().split())


def _paid_column(work: Work, compared: Compared, table: Table) -> Thing | None:
    """ "Bookings that cost more than the average one": the total that each of them has."""
    if not (work.sketch.spent and compared.average):
        return None
    own = (total for total in work.knowledge.totals if total.table.key == table.key)
    wages = (each for each in work.knowledge.measures(table) if column_words().wages & set(each.words))
    return next(own, None) or next(wages, None)


def _spoken_of(work: Work, compared: Compared, table: Table) -> Thing | None:
    """The column that the unit or the adjective beside a number speaks of."""
    unit, adjective = compared.unit, compared.adjective
    column = _unit_column(work, compared, unit, table) if unit is not None else None
    if column is None and unit is not None and unit.dimension != "share":
        column = _unit_column_beside(work, compared, unit, table)
    if column is not None or adjective is None:
        return column
    found = graded_column(work.asked, adjective, table)
    return None if found is None else found[0]


def _unit_column_beside(work: Work, compared: Compared, unit: Unit, table: Table) -> Thing | None:
    """The column that is measured in a unit, of the row that each row leads to, where it says so."""
    if work.asked.things((compared.name, compared.after)) or work.knowledge.measures(table):
        return None
    found: list[tuple[float, int, Thing]] = []
    for other in work.joins.graph.tables.values():
        way = work.joins.way(table, other)
        column = _unit_column(work, compared, unit, other) if way is not None and way.single else None
        if way is not None and column is not None and len(way.links) == 1:
            found.append((way.cost, column.number, column))
    return min(found, key=lambda each: each[:2])[2] if found else None


def _unit_column(work: Work, compared: Compared, unit: Unit, table: Table) -> Thing | None:
    """The column that is measured in a unit: one that says so, else one whose name may be."""
    if unit.dimension not in UNIT_WORDS:
        return None
    facts = [f for f in work.knowledge.columns(table) if f.role is Role.MEASURE]
    units = [f.thing for f in facts if f.unit is not None and f.unit.dimension == unit.dimension]
    words = [f.thing for f in facts if f.unit is None and UNIT_WORDS[unit.dimension] & set(f.thing.words)]
    graded = {stem(word) for word in compared.adjective.words} if compared.adjective else set()

    def fit(thing: Thing) -> tuple[bool, bool, int, int]:
        return bool(graded & set(thing.words)), thing in units, -len(thing.words), -thing.number

    return max([*units, *words], key=fit, default=None)


def _numbered(work: Work, compared: Compared, name: Thing | None) -> Thing | None:
    """The number of a thing: "customer 12" is the one with this key."""
    if name is None:
        return None
    if name.column is None and compared.operation == "equal" and not compared.average:
        number = _own_number(work, name)
        if number is not None:
            return number
        keys = name.table.info.primary_key
        if len(keys) == 1 and _is_digits(key := work.knowledge.things.of_column[(*name.table.key, keys[0])]):
            return key
    counted = work.knowledge.role(name) is Role.KEY and compared.operation != "equal"
    return name if name.is_number and not counted else None


def _own_number(work: Work, name: Thing) -> Thing | None:
    """The column that numbers the rows of a table for people: the number of a room, which is not its key."""
    for thing in work.knowledge.things.of_table[name.table.key]:
        if thing.is_key or thing.words[-1] not in column_words().numbering or thing.is_date:
            continue
        samples = () if thing.column is None else thing.column.info.samples
        lettered = bool(samples) and not any(sample.isdigit() for sample in samples)
        if set(thing.words[:-1]) <= set(name.words) and not lettered:
            return thing
    return None


def _only_measure(work: Work, compared: Compared, table: Table) -> Thing | None:
    if compared.counted:
        return None
    measures = work.knowledge.measures(table)
    if len(measures) == 1:
        return measures[0]
    totals = [measure for measure in measures if measure in work.knowledge.totals]
    whole = [each for each in totals if stem("total") in each.words]
    if len(totals) == 1 or len(whole) == 1:
        # "Bills over 500": of several amounts of a bill, its total.
        work.guess("column")
        return totals[0] if len(totals) == 1 else whole[0]
    return None


def converted(work: Work, compared: Compared, thing: Thing) -> tuple[float, ...]:
    """Numbers in the unit of the column."""
    facts = work.knowledge.facts.get(thing.number)
    unit = compared.unit
    if facts is not None and facts.unit is not None and facts.unit.dimension == "money":
        # A column of cents: people speak of whole money.
        return tuple(clean(number / facts.unit.factor) for number in compared.numbers)
    if unit is None or facts is None:
        return compared.numbers
    if unit.dimension == "share" and _is_fraction(thing):
        return tuple(clean(number / 100) for number in compared.numbers)
    silent = unit_of(facts)
    if silent is None:
        # "more than 5 hours" of a column that does not say its unit: minutes are likeliest for hours.
        if unit.dimension == "time" and unit.factor >= 3600:
            work.guess("unit")
            return tuple(number * unit.factor / 60.0 for number in compared.numbers)
        return compared.numbers
    if silent.dimension != unit.dimension:
        work.guess("unit")
        return compared.numbers
    return tuple(clean(number * unit.factor / silent.factor) for number in compared.numbers)


def clean(number: float) -> float:
    """A whole number stays whole through a conversion."""
    return float(round(number)) if abs(number - round(number)) < 1e-9 else number


def _is_fraction(thing: Thing) -> bool:
    """Whether a column holds parts of one, where people speak of percent."""
    most = None if thing.column is None else thing.column.info.most
    return most is not None and most <= 1
