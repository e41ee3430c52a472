"""Frames from a sketch whose names are chosen: what is asked of which table, and what must hold."""

import datetime as dt
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from dragoman.contracts.record import Record
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.frame import (
    Aggregate,
    Condition,
    Frame,
    Group,
    Having,
    Linked,
    Measure,
    Order,
    Ref,
)
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.resolver import Chosen
from dragoman.planning.database.sketch import Compared, Dated, Kept, Ranked, Sketch, Slot
from dragoman.planning.database.units import UNIT_WORDS
from dragoman.planning.database.vocabulary import Adjective, Words
from dragoman.planning.tables.names import name_words
from dragoman.planning.tables.things import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Link, Table
from dragoman.tables.verbs import DatePart


class Draft(Record, frozen=True, gc=True):
    """A frame, what its choices cost, and what was guessed."""

    frame: Frame
    cost: float = 0.0
    guesses: tuple[str, ...] = ()
    explicit: bool = False


_WEAK = 0.7


class Composer:
    """Builds the frame of one sketch with one choice of names."""

    def __init__(
        self, sketch: Sketch, chosen: Chosen, knowledge: Knowledge, joins: Joins, words: Words, today: dt.date
    ) -> None:
        self.sketch = sketch
        self.chosen = chosen
        self.knowledge = knowledge
        self.joins = joins
        self.words = words
        self.today = today
        self.cost = 0.0
        self.guesses: list[str] = []
        self.conditions: list[Condition] = []
        self.linked: list[Linked] = []
        self.having: list[Having] = []
        self.order: list[Order] = []
        self.groups: list[Group] = []
        self.measures: list[Measure] = []
        self.shown: list[Ref] = []
        self.used: set[int] = set()

    # Things

    def _thing(self, slot: Slot) -> Thing | None:
        return self.chosen.things.get(id(slot))

    def _things(self, slots: Iterable[Slot]) -> list[Thing]:
        return [thing for slot in slots if (thing := self._thing(slot)) is not None]

    def _weak_names(self) -> None:
        """A name by another word for it is a guess."""
        for slot in self.sketch.slots():
            thing = self._thing(slot)
            if thing is None:
                continue
            score = max((n.score for n in slot.segment.names if n.thing.number == thing.number), default=1.0)
            if score < _WEAK:
                self.guesses.append("word")

    def drafts(self) -> Iterator[Draft]:
        self._weak_names()
        subject = self._subject()
        if subject is None:
            return
        self.subject = subject
        self._maybe()
        self._self_link()
        self._keep()
        self._compare()
        self._absent()
        self._link()
        self._measure()
        self._group()
        self._rank()
        self._sort()
        self._date()
        frame = self._frame()
        if frame is None:
            return
        shown = self._things(self.sketch.shown)
        explicit = bool(shown) and all(thing.column is not None for thing in shown)
        yield Draft(frame, self.cost, tuple(self.guesses), explicit)

    def _maybe(self) -> None:
        """ "98 point wines" are those with 98 points, "3 wines" are three."""
        self.wanted_limit = self.sketch.limit
        if self.sketch.maybe is None:
            return
        number, slot = self.sketch.maybe
        thing = self._thing(slot)
        if thing is None:
            return
        if thing.column is not None and self.knowledge.role(thing) is Role.MEASURE and not self.sketch.ranked:
            self.conditions.append(Condition(Ref(thing), "equal", (float(number),)))
        elif self.wanted_limit is None:
            self.wanted_limit = number

    wanted_limit: int | None = None

    def _subject(self) -> Table | None:
        """The table whose rows the question is about."""
        sketch = self.sketch
        maybe = [sketch.maybe[1]] if sketch.maybe is not None else []
        for slots in (sketch.counted, sketch.shown, maybe):
            tables = [thing.table for thing in self._things(slots) if thing.column is None]
            if tables:
                return tables[0]
        ranked = [r.name for r in sketch.ranked if r.name is not None and r.aggregate is None]
        tables = [thing.table for thing in self._things(ranked) if thing.column is None]
        if tables and not sketch.shown:
            return tables[0]
        if sketch.who and not sketch.shown:
            people = self._people()
            if people is not None:
                return people
        for slots in (sketch.counted, sketch.shown, [s for _, s in sketch.measured if s], ranked):
            things = self._things(slots)
            if things:
                context = [t.table for t in self._things(sketch.context) if t.column is None]
                if context and things[0].column is not None and things[0].table.key != context[0].key and slots is sketch.shown:
                    return things[0].table
                return things[0].table
        groups = [slot for slot in sketch.groups if isinstance(slot, Slot)]
        for slots in (sketch.context, sketch.linked, groups, sketch.absent, sketch.missing):
            things = self._things(slots)
            if things:
                return things[0].table
        for compared in sketch.compared:
            things = self._things(slot for slot in (compared.name, compared.after) if slot)
            if things:
                return things[0].table
        for values in self.chosen.values.values():
            return values[0].thing.table
        if sketch.measured or sketch.spent:
            totals = self.knowledge.totals
            if totals:
                return totals[0].table
            if self.knowledge.lines:
                return self.knowledge.lines[0][0].table
        return None

    def _people(self) -> Table | None:
        """The table of people that "who" asks for: the nearest to what else is named."""
        known = list(self.chosen.tables)
        found: list[tuple[float, int, Table]] = []
        verbs = {stem(word) for verb in self.sketch.verbs for word in self.words.date_verbs.get(verb, ())} | set(self.sketch.verbs)
        for place, table in enumerate(self.joins.graph.tables.values()):
            thing = self.knowledge.things.table_thing[table.key]
            labels = self.knowledge.labels(table)
            person = bool(self.words.people & set(thing.words)) or len(labels) == 2
            if not person or not self.knowledge.has_name(table):
                continue
            distance = min((self.joins.distance(table, other) for other in known), default=0.0)
            # A person with the date that the verb speaks of: born, hired.
            dated = any(verbs & set(date.words) for date in self.knowledge.dates(table))
            found.append((distance - (2.0 if dated else 0.0), place, table))
        return min(found, key=lambda each: each[:2])[2] if found else None

    # Conditions

    def _keep(self) -> None:
        sketch = self.sketch
        groups: dict[tuple[int, bool], list[Kept]] = {}
        for kept in sketch.kept:
            values = self.chosen.values.get(id(kept))
            if values is None:
                self.cost += 0.8
                continue
            groups.setdefault((values[0].thing.number, kept.negative), []).append(kept)
        for (number, negative), several in groups.items():
            thing = self.knowledge.things.all[number]
            values = [value.value for kept in several for value in self.chosen.values[id(kept)]]
            ref = Ref(thing, self._role_links(thing, several[0]))
            if several[0].like:
                named = self._thing(several[0].qualifier) if several[0].qualifier else None
                if named is not None and named.is_text:
                    ref = Ref(named)
                self.conditions.append(Condition(ref, several[0].like, (several[0].segment.text,), negative))
                continue
            if len(several) > 1 and not several[-1].either and self.sketch.counts | bool(self.sketch.measured):
                # "Male and female": both together, or one figure for each.
                self.guesses.append("values")
            weak = [v for kept in several for v in self.chosen.values[id(kept)] if v.score < 0.7]
            if weak:
                self.guesses.append("value")
            self.conditions.append(Condition(ref, "equal", tuple(dict.fromkeys(values)), negative))

    def _role_links(self, thing: Thing, kept: Kept) -> tuple[Link, ...] | None:
        """Of several ways to a value the one that its preposition or a word beside it speaks of."""
        if self._self is not None and thing.table.key == self.subject.key and self._self_values(thing):
            return (self._self,)
        ways = [way for way in self.joins.ways(self.subject, thing.table) if way.links]
        if not ways:
            return None
        shortest = [way for way in ways if len(way.links) == len(ways[0].links)]
        said = self.words.directions.get(kept.preposition, frozenset())
        against = self.words.directions.get({"from": "to", "to": "from"}.get(kept.preposition, ""), frozenset())
        if not said:
            if len(shortest) > 1:
                self.guesses.append("way")
            return None
        scored = sorted(shortest, key=lambda way: -_direction(way.links, said, against))
        if _direction(scored[0].links, said, against) < 0:
            self.cost += 0.6
            self.guesses.append("way")
        return scored[0].links if len(shortest) > 1 else None

    _self: Link | None = None

    def _self_values(self, thing: Thing) -> bool:
        return True

    def _self_link(self) -> None:
        """A table that points at itself: whose boss, who reports to whom."""
        self._self = None
        links = self.joins.self_links(self.subject)
        if not links:
            return
        up = [link for link in links if link.single]
        down = [link for link in links if not link.single]
        said = {stem(word) for word in self.sketch.uncovered} | set(self.sketch.verbs)
        said |= {word for slot in self.sketch.slots() for word in (slot.segment.stem,)}
        values = [v[0] for v in self.chosen.values.values() if v[0].thing.table.key == self.subject.key]
        if not values:
            return
        below = said & self.words.below_self
        above = said & self.words.above_self
        if below and up:
            self._self = up[0]
        elif above and down:
            self._self = down[0]
        if self._self is not None:
            for word in [*self.sketch.uncovered]:
                if stem(word) in self.words.below_self | self.words.above_self:
                    self.sketch.uncovered.remove(word)

    def _compare(self) -> None:
        for compared in self.sketch.compared:
            self._compared(compared)

    def _compared(self, compared: Compared) -> None:
        after = self._thing(compared.after) if compared.after else None
        name = self._thing(compared.name) if compared.name else None
        gathered = next((a for a, slot in self.sketch.measured if slot is compared.name and a is not None), None)
        gathered = gathered or compared.aggregate
        if gathered is not None and name is not None and compared.numbers and (self.sketch.shown or self.sketch.groups):
            measure = self._measured(name, gathered)
            if measure is not None:
                most = compared.numbers[1] if len(compared.numbers) > 1 else None
                self.having.append(Having(measure, compared.operation, compared.numbers[0], most))
                return
        thing = self._compared_column(compared, name, after)
        if thing is not None:
            shown = self._things(self.sketch.shown)
            if compared.average and shown and all(t.column is not None and t.number != thing.number for t in shown):
                # "Months with a higher than average delay": groups against all rows.
                measure = Measure(Aggregate.AVERAGE, Ref(thing))
                self.having.append(Having(measure, compared.operation, None))
                return
            if compared.average:
                self.conditions.append(Condition(Ref(thing), "average", (compared.operation,), compared.negative))
                return
            numbers = self._converted(compared, thing)
            if self.knowledge.role(thing) is Role.DATE:
                self._year_compared(thing, compared)
                return
            if compared.operation == "between" and len(numbers) == 2:
                self.conditions.append(Condition(Ref(thing), "between", numbers, compared.negative))
            else:
                self.conditions.append(Condition(Ref(thing), compared.operation, numbers[:1], compared.negative))
            return
        # Not a column: how many rows of another table, or how much money.
        measure = self._having_measure(compared, name, after)
        if measure is None:
            self.cost += 1.0
            self.guesses.append("number")
            return
        number = None if compared.average else compared.numbers[0]
        most = compared.numbers[1] if len(compared.numbers) > 1 else None
        self.having.append(Having(measure, compared.operation, number, most))

    def _having_measure(self, compared: Compared, name: Thing | None, after: Thing | None) -> Measure | None:
        columns = all(t.column is not None for t in self._things(self.sketch.shown)) and bool(self.sketch.shown)
        for thing in (after, name):
            if thing is not None and thing.column is None and (columns or thing.table.key != self.subject.key):
                return Measure(Aggregate.COUNT, counts=thing.table)
        if self.sketch.spent or compared.money:
            return self._money(Aggregate.SUM)
        if name is not None and name.column is None and self.sketch.counted and name.table.key != self.subject.key:
            return Measure(Aggregate.COUNT, counts=name.table)
        return None

    def _compared_column(self, compared: Compared, name: Thing | None, after: Thing | None) -> Thing | None:
        """The column that a number is compared with."""
        for thing in (after, name):
            if thing is not None and thing.column is not None and self._takes_numbers(thing):
                return thing
        table = self.subject
        for thing in (after, name):
            if thing is not None and thing.column is None and compared.adjective is not None:
                table = thing.table
        if compared.unit is not None and compared.unit.dimension in UNIT_WORDS:
            column = self._unit_column(compared, table)
            if column is not None:
                return column
        if compared.adjective is not None:
            found = self._adjective_column(compared.adjective, table)
            if found is not None:
                return found[0]
        columns = all(t.column is not None for t in self._things(self.sketch.shown)) and bool(self.sketch.shown)
        if after is not None and after.column is None and (columns or after.table.key != self.subject.key):
            return None
        if self.sketch.spent:
            return None
        if compared.money:
            money = [f.thing for f in self.knowledge.columns(table) if f.money and f.role is Role.MEASURE]
            if money:
                return money[0]
        if name is not None and name.column is None and compared.operation == "equal" and not compared.average:
            keys = name.table.info.primary_key
            if len(keys) == 1 and name.table.by_real_name[keys[0]].type.value in ("integer",):
                return self.knowledge.things.of_column[(*name.table.key, keys[0])]
        if name is not None and name.column is not None and name.is_number:
            return name
        measures = self.knowledge.measures(table)
        if compared.counted:
            return None
        if len(measures) == 1:
            return measures[0]
        totals = [m for m in measures if m in self.knowledge.totals]
        if len(totals) == 1:
            self.guesses.append("column")
            return totals[0]
        return None

    def _unit_column(self, compared: Compared, table: Table) -> Thing | None:
        """The column that is measured in a unit: one that says so, else one whose name may be."""
        assert compared.unit is not None
        dimension = compared.unit.dimension
        facts = [f for f in self.knowledge.columns(table) if f.role is Role.MEASURE]
        units = [f.thing for f in facts if f.unit is not None and f.unit.dimension == dimension]
        words = [f.thing for f in facts if f.unit is None and UNIT_WORDS[dimension] & set(f.thing.words)]
        graded = {stem(word) for word in compared.adjective.words} if compared.adjective else set()
        found = [*units, *words]
        return max(
            found, key=lambda t: (bool(graded & set(t.words)), t in units, -len(t.words), -t.number), default=None
        )

    def _takes_numbers(self, thing: Thing) -> bool:
        role = self.knowledge.role(thing)
        return role in (Role.MEASURE, Role.YEAR, Role.MONTH, Role.DAY) or (thing.is_number and role is not Role.FLAG) or role is Role.DATE

    def _year_compared(self, thing: Thing, compared: Compared) -> None:
        year = int(compared.numbers[0]) if compared.numbers else 0
        if not 1000 <= year <= 2300:
            self.cost += 1.0
            return
        self.conditions.append(
            Condition(Ref(thing), "part", (float(year),), compared.negative, DatePart("year"))
        )

    def _converted(self, compared: Compared, thing: Thing) -> tuple[float, ...]:
        """Numbers in the unit of the column."""
        facts = self.knowledge.facts.get(thing.number)
        unit = compared.unit
        if unit is None or facts is None:
            return compared.numbers
        if facts.unit is None:
            # "more than 5 hours" of a column that does not say its unit: minutes are likeliest for hours.
            if unit.dimension == "time" and unit.factor >= 3600:
                self.guesses.append("unit")
                return tuple(number * unit.factor / 60.0 for number in compared.numbers)
            return compared.numbers
        if facts.unit.dimension != unit.dimension:
            self.guesses.append("unit")
            return compared.numbers
        return tuple(_clean(number * unit.factor / facts.unit.factor) for number in compared.numbers)

    def _adjective_column(self, adjective: Adjective, table: Table) -> tuple[Thing, bool] | None:
        """The column that an adjective grades, and whether the other end of it is meant."""
        stems = [stem(word) for word in adjective.words]
        down = {stem(word) for word in adjective.down}
        best: tuple[float, int, Thing, bool] | None = None
        for facts in self.knowledge.columns(table):
            thing = facts.thing
            if facts.role in (Role.KEY, Role.FLAG, Role.TEXT, Role.CATEGORY, Role.LABEL):
                continue
            words = set(thing.words)
            score, reverse = 0.0, False
            hits = [len(stems) - place for place, word in enumerate(stems) if word in words]
            if hits:
                score = 2.0 + max(hits) / (len(stems) + 1) - 0.05 * len(thing.required)
            elif down & words:
                score, reverse = 1.5, True
            elif facts.unit is not None and facts.unit.dimension in adjective.units:
                score = 1.8
            elif adjective.money and facts.money:
                score = 1.6
            if score and (best is None or score > best[0]):
                best = (score, thing.number, thing, reverse)
        if best is None:
            measures = self.knowledge.measures(table)
            if adjective.plain and len(measures) == 1:
                return measures[0], False
            return None
        return best[2], best[3]

    def _absent(self) -> None:
        sketch = self.sketch
        for slot in sketch.absent:
            thing = self._thing(slot)
            if thing is None:
                continue
            if thing.column is not None:
                role = self.knowledge.role(thing)
                if role is Role.FLAG:
                    self._flag(thing, negative=True)
                    continue
                qualified = [k for k in sketch.kept if k.qualifier is slot]
                if qualified:
                    continue
                self.conditions.append(Condition(Ref(thing), "missing"))
            elif thing.table.key == self.subject.key:
                self.cost += 0.5
            else:
                inside = tuple(c for c in self.conditions if c.ref.table.key == thing.table.key and not c.negative)
                self.conditions = [c for c in self.conditions if c not in inside]
                self.linked.append(Linked(thing.table, conditions=inside, absent=True))
        for slot in sketch.missing:
            thing = self._thing(slot)
            if thing is not None and thing.column is not None:
                self.conditions.append(Condition(Ref(thing), "missing"))
        for verb in sketch.absent_verbs:
            table = self._record_table(verb)
            if table is None:
                self.cost += 1.0
                sketch.uncovered.append(verb)
            else:
                self.linked.append(Linked(table, absent=True))

    def _record_table(self, verb: str) -> Table | None:
        """The table of what a verb does: sold things are lines of invoices."""
        hints = [stem(word) for word in self.words.record_verbs.get(verb, ())]
        found: list[tuple[float, int, Table]] = []
        for place, table in enumerate(self.joins.graph.tables.values()):
            if table.key == self.subject.key:
                continue
            way = self.joins.way(self.subject, table)
            words = set(self.knowledge.things.table_thing[table.key].words)
            if way is None or not words & {*hints, verb}:
                continue
            found.append((way.cost, place, table))
        return min(found, key=lambda each: each[:2])[2] if found else None

    def _flag(self, thing: Thing, *, negative: bool) -> None:
        facts = self.knowledge.facts[thing.number]
        value = facts.no if negative else facts.yes
        if value:
            self.conditions.append(Condition(Ref(thing), "equal", (value,)))
        else:
            self.conditions.append(Condition(Ref(thing), "equal", (facts.yes or facts.no,), negative=True))

    def _link(self) -> None:
        """Names behind "with" or "who": columns are shown, flags hold, rows of other tables exist."""
        sketch = self.sketch
        qualifiers = {id(kept.qualifier) for kept in sketch.kept if kept.qualifier}
        valued = {values[0].thing.table.key for values in self.chosen.values.values()}
        for slot in sketch.linked:
            thing = self._thing(slot)
            if thing is None or id(slot) in qualifiers:
                continue
            if thing.column is not None:
                if self.knowledge.role(thing) is Role.FLAG:
                    self._flag(thing, negative=False)
                elif self.knowledge.role(thing) is not Role.KEY:
                    self.shown.append(Ref(thing))
                continue
            key = thing.table.key
            if key == self.subject.key or key in valued:
                continue
            compared = {c.ref.table.key for c in self.conditions} | {h.measure.table.key for h in self.having if h.measure.table}
            if key in compared:
                continue
            way = self.joins.way(self.subject, thing.table)
            if way is not None and not way.single:
                self.linked.append(Linked(thing.table))
        for slot in sketch.context:
            thing = self._thing(slot)
            if thing is not None and thing.column is not None and self.knowledge.role(thing) is Role.FLAG:
                self._flag(thing, negative=False)

    # Figures

    def _money(self, aggregate: Aggregate | None) -> Measure | None:
        """Money that changed hands: the nearest total that what is asked for can be gathered by, or lines."""
        wanted = [group.target for group in self.groups] or [
            thing.table for slot in self.sketch.groups if isinstance(slot, Slot) and (thing := self._thing(slot))
        ]
        wanted += [condition.ref.table for condition in self.conditions]
        if self.sketch.shown or self.sketch.ranked:
            wanted.append(self.subject)
        found: list[tuple[float, int, Measure]] = []
        aggregate = aggregate or Aggregate.SUM
        options: list[Measure] = [Measure(aggregate, Ref(total)) for total in self.knowledge.totals]
        for price, quantity, discount in self.knowledge.lines:
            factors = (Ref(price), Ref(quantity), *([Ref(discount)] if discount else []))
            options.append(Measure(aggregate, factors=factors, discounted=discount is not None))
        for place, option in enumerate(options):
            table = option.table
            assert table is not None
            cost = 0.0
            for target in wanted:
                way = self.joins.way(table, target)
                if way is None:
                    cost += 20
                elif not way.single:
                    cost += 6 + way.cost
                else:
                    cost += way.cost
            if not wanted:
                cost += self.joins.distance(table, self.subject)
            found.append((cost + 0.01 * place + (0.3 if option.factors else 0), place, option))
        if not found:
            return None
        return min(found, key=lambda each: each[:2])[2]

    def _quantity(self) -> Measure | None:
        found: list[tuple[float, Thing]] = []
        for thing in self.knowledge.quantities:
            way = self.joins.way(thing.table, self.subject)
            if way is not None and way.single:
                found.append((way.cost, thing))
        return Measure(Aggregate.SUM, Ref(min(found, key=lambda each: each[0])[1])) if found else None

    def _measure(self) -> None:
        sketch = self.sketch
        for slot in sketch.counted:
            thing = self._thing(slot)
            if thing is None:
                continue
            own = self.knowledge.own_count(thing.table) if thing.column is None else None
            if own is not None:
                self.measures.append(Measure(Aggregate.SUM, Ref(own)))
            elif thing.column is None:
                quantity = self._quantity() if sketch.sold and thing.table.key == self.subject.key else None
                self.measures.append(quantity or Measure(Aggregate.COUNT, counts=thing.table))
            elif thing in self.knowledge.labels(thing.table) and not sketch.distinct:
                self.measures.append(Measure(Aggregate.COUNT, counts=thing.table))
            elif self.knowledge.role(thing) is Role.MEASURE and not sketch.distinct and _plural(thing):
                self.measures.append(Measure(Aggregate.SUM, Ref(thing)))
            else:
                self.measures.append(Measure(Aggregate.COUNT, Ref(thing), distinct=True))
        for aggregate, slot in sketch.measured:
            if slot is None:
                money = self._money(aggregate)
                if money is None:
                    self.cost += 1.0
                else:
                    self.measures.append(money)
                continue
            thing = self._thing(slot)
            if thing is None:
                continue
            measure = self._measured(thing, aggregate or Aggregate.SUM)
            if measure is None:
                self.cost += 0.8
            else:
                self.measures.append(measure)
        if sketch.spent and not sketch.shown and not sketch.counted and not self.measures and not sketch.compared and not sketch.ranked:
            money = self._money(None)
            if money is not None:
                self.measures.append(money)
                return
        if sketch.unit is not None:
            self.measures = [self._in_unit(measure) for measure in self.measures]
        if sketch.counts and not sketch.counted and not self.measures and not sketch.ranked:
            if sketch.spent:
                money = self._money(None)
                if money is not None:
                    self.measures.append(money)
                    return
            if sketch.sold and (quantity := self._quantity()) is not None:
                self.measures.append(quantity)
            else:
                shown = self._things(sketch.shown)
                if len(shown) == 1 and shown[0].column is not None and self.knowledge.role(shown[0]) is Role.MEASURE:
                    self.measures.append(Measure(Aggregate.SUM, Ref(shown[0])))
                else:
                    self.measures.append(Measure(Aggregate.COUNT, counts=self.subject))

    def _in_unit(self, measure: Measure) -> Measure:
        """A figure in the unit that it is asked for in."""
        wanted = self.sketch.unit
        facts = self.knowledge.facts.get(measure.ref.thing.number) if measure.ref is not None else None
        if wanted is None or facts is None or facts.unit is None or facts.unit.dimension != wanted.dimension:
            self.guesses.append("unit")
            self.sketch.uncovered.append("unit")
            return measure
        return replace(measure, divisor=_clean(wanted.factor / facts.unit.factor))

    def _measured(self, thing: Thing, aggregate: Aggregate) -> Measure | None:
        """What an aggregate of a name is: of its column, or of the one measure of its table."""
        if thing.column is not None:
            role = self.knowledge.role(thing)
            if role in (Role.MEASURE, Role.YEAR) or (thing.is_number and role is not Role.KEY):
                return Measure(aggregate, Ref(thing))
            if aggregate in (Aggregate.MIN, Aggregate.MAX) and role is Role.DATE:
                return Measure(aggregate, Ref(thing))
            if aggregate is Aggregate.SUM:
                return Measure(Aggregate.COUNT, Ref(thing), distinct=True)
            return None
        money = [f.thing for f in self.knowledge.columns(thing.table) if f.money and f.role is Role.MEASURE]
        totals = [each for each in money if each in self.knowledge.totals]
        measures = self.knowledge.measures(thing.table)
        if totals or money or len(measures) == 1:
            return Measure(aggregate, Ref((totals or money or measures)[0]))
        own = self.knowledge.own_count(thing.table)
        if own is not None:
            return Measure(aggregate, Ref(own))
        if aggregate is Aggregate.SUM:
            return Measure(Aggregate.COUNT, counts=thing.table)
        return None

    def _group(self) -> None:
        for slot in self.sketch.groups:
            if isinstance(slot, str):
                self._dated_group(slot)
                continue
            thing = self._thing(slot)
            if thing is None:
                continue
            plain = self.sketch.shown and not self.measures and not self.sketch.counts
            if plain and self.knowledge.role(thing) is Role.MEASURE:
                # "Show the wines by price" sorts them.
                self.order.append(Order(Ref(thing), self.sketch.ranked[0].descending if self.sketch.ranked else False))
                self.sorted_by = True
                continue
            group = self._grouped(thing)
            role = self._role_before(slot, thing)
            if role is not None:
                group = Group(table=thing.table, through=role)
            elif "id" in slot.segment.text.casefold().split() and thing.column is not None:
                group = Group(Ref(thing))
            self.groups.append(group)

    def _role_before(self, slot: Slot, thing: Thing) -> Thing | None:
        """The key that is named just before its table: the origin airport."""
        for other in self.sketch.context:
            named = self._thing(other)
            if other.segment.end != slot.segment.start or named is None or thing.column is not None:
                continue
            target = self._target(named)
            if target is not None and target.key == thing.table.key:
                return named
        return None

    sorted_by = False

    def _grouped(self, thing: Thing) -> Group:
        if thing.column is None:
            return Group(table=thing.table)
        labels = self.knowledge.labels(thing.table)
        if labels == (thing,) and thing.table.info.primary_key:
            return Group(table=thing.table)
        target = self._target(thing)
        if target is not None and self.knowledge.labels(target):
            return Group(table=target, through=thing)
        if self.knowledge.role(thing) is Role.DATE:
            return Group(Ref(thing), DatePart("day") if thing.column.type.value != "date" else None)
        return Group(Ref(thing))

    def _target(self, thing: Thing) -> Table | None:
        """The table that a key points at."""
        link = self.joins.find_link(thing)
        return None if link is None else self.joins.graph.tables[link.target]

    def _dated_group(self, part: str) -> None:
        table = self._main()
        whole = {"year": Role.YEAR, "month": Role.MONTH, "day": Role.DAY}.get(part)
        numbers = self.knowledge.of_role(table, whole) if whole else []
        date = self._date_column(table, tuple(self.sketch.verbs), None)
        if numbers and (date is None or date.table.key != table.key):
            self.groups.append(Group(Ref(numbers[0])))
        elif date is not None:
            self.groups.append(Group(Ref(date), DatePart(part)))
        else:
            self.cost += 1.5
            self.sketch.uncovered.append(part)

    def _main(self) -> Table:
        """The table that dates are looked for in first: the one that is measured, else the subject."""
        for measure in self.measures:
            if measure.table is not None:
                return measure.table
        return self.subject

    def _date_column(self, table: Table, verbs: tuple[str, ...], near: Thing | None) -> Thing | None:
        """The date that a period speaks of: one that a verb names, the nearest one otherwise."""
        if near is not None and near.is_date:
            return near
        hints: set[str] = set()
        for verb in verbs:
            hints |= {verb} | self.words.date_verbs.get(verb, frozenset())
        found: list[tuple[float, int, Thing]] = []
        for other in self.joins.graph.tables.values():
            way = self.joins.way(table, other)
            if way is None or len(way.links) > 4:
                continue
            for place, date in enumerate(self.knowledge.dates(other)):
                cost = 2.0 * way.cost + (0 if way.single else 1.0) + 0.05 * place
                words = set(date.words)
                if hints & words:
                    cost -= 3.0
                if {"update", "modify", "creat"} & words and not hints & words:
                    cost += 0.8
                named = set(self.knowledge.things.table_thing[table.key].words)
                if named & words:
                    cost -= 0.5
                found.append((cost, date.number, date))
        if not found:
            return None
        found.sort(key=lambda each: each[:2])
        if len(found) > 1 and found[1][0] - found[0][0] < 0.3 and found[1][2].table.key == found[0][2].table.key:
            self.guesses.append("date")
        return found[0][2]

    def _date(self) -> None:
        for dated in self.sketch.dated:
            self._dated(dated)

    def _dated(self, dated: Dated) -> None:
        table = self._main()
        absent = next((each for each in self.linked if each.absent), None)
        if absent is not None and not dated.negative:
            # "No orders in 2019": the period is that of what is not there.
            before = self.conditions
            self.conditions = []
            self._dated_in(absent.table, dated)
            if self.conditions and all(c.ref.table.key == absent.table.key for c in self.conditions):
                place = self.linked.index(absent)
                self.linked[place] = replace(absent, conditions=(*absent.conditions, *self.conditions))
                self.conditions = before
                return
            self.conditions = before
        self._dated_in(table, dated)

    def _dated_in(self, table: Table, dated: Dated) -> None:
        near = self._thing(dated.near) if dated.near else None
        period = dated.period
        numbers = self._calendar(table, period, near)
        if numbers is not None:
            self.conditions.extend(numbers)
            return
        date = self._date_column(table, tuple(self.sketch.verbs), near)
        if date is None:
            numbers = None
            for other in self.chosen.tables:
                numbers = self._calendar(other, period, near)
                if numbers is not None:
                    self.conditions.extend(numbers)
                    return
            self.cost += 2.0
            self.guesses.append("period")
            return
        ref = Ref(date)
        days = period.days(None, self.today)
        if days is None and period.bound is not None:
            days = replace(period, bound=None).days(None, self.today)
        if days is None and period.year is None and period.month is not None and period.day is None and period.until is None:
            self.conditions.append(Condition(ref, "part", (float(period.month),), dated.negative, DatePart("month")))
            return
        if days is None and period.year is None and period.quarter is not None:
            self.conditions.append(Condition(ref, "part", (float(period.quarter),), dated.negative, DatePart("quarter")))
            return
        if days is None:
            self.cost += 1.5
            return
        if not period.absolute:
            self.guesses.append("today")
        self.conditions.append(Condition(ref, "days", (days.first, days.last), dated.negative))

    def _calendar(self, table: Table, period: object, near: Thing | None) -> list[Condition] | None:
        """A period over columns that hold the year, the month and the day as numbers."""
        from dragoman.reading.periods import Bound, PeriodMention

        assert isinstance(period, PeriodMention)
        years = self.knowledge.of_role(table, Role.YEAR)
        months = self.knowledge.of_role(table, Role.MONTH)
        day_columns = self.knowledge.of_role(table, Role.DAY)
        if near is not None and self.knowledge.role(near) is Role.YEAR and near.table.key == table.key:
            years = [near]
        if not years and not months:
            return None
        if self.knowledge.dates(table) and not (near is not None and near in years) and not months:
            return None
        conditions: list[Condition] = []
        if period.until is not None and months and period.month and period.until.month:
            if day_columns and period.day and period.until.day and period.month == period.until.month:
                conditions.append(Condition(Ref(months[0]), "equal", (float(period.month),)))
                conditions.append(Condition(Ref(day_columns[0]), "between", (float(period.day), float(period.until.day))))
            elif period.day is None and period.until.day is None:
                conditions.append(Condition(Ref(months[0]), "between", (float(period.month), float(period.until.month))))
            else:
                return None
            year = period.until.year or period.year
            if year and years:
                conditions.append(Condition(Ref(years[0]), "equal", (float(year),)))
            return conditions
        if period.until is not None and years and period.year and period.until.year and not period.month:
            return [Condition(Ref(years[0]), "between", (float(period.year), float(period.until.year)))]
        operation = {
            Bound.SINCE: "at-least", Bound.FROM: "at-least", Bound.UNTIL: "at-most", Bound.BEFORE: "below", Bound.AFTER: "above",
        }.get(period.bound, "equal") if period.bound else "equal"
        if period.year and not period.month and not period.quarter and years:
            return [Condition(Ref(years[0]), operation, (float(period.year),))]
        if period.quarter and months:
            conditions.append(Condition(Ref(months[0]), "between", (float(period.quarter * 3 - 2), float(period.quarter * 3))))
        elif period.month and months:
            if operation != "equal" and period.day:
                return None
            conditions.append(Condition(Ref(months[0]), operation, (float(period.month),)))
            if period.day:
                if not day_columns:
                    return None
                conditions.append(Condition(Ref(day_columns[0]), "equal", (float(period.day),)))
        else:
            return None
        if period.year:
            if not years:
                return None
            conditions.append(Condition(Ref(years[0]), "equal", (float(period.year),)))
        return conditions

    # Orders

    def _rank(self) -> None:
        sketch = self.sketch
        self.ranked_limit: int | None = None
        for ranked in sketch.ranked:
            self._ranked(ranked)

    def _ranked(self, ranked: Ranked) -> None:
        sketch = self.sketch
        thing = self._thing(ranked.name) if ranked.name is not None else None
        limit = self.wanted_limit if self.wanted_limit is not None else (ranked.limit or 1)
        if ranked.words == "first" and ranked.limit == 0 and self.sorted_by:
            return
        if ranked.words == "first" and ranked.limit == 0:
            found = self._adjective_column(ranked.adjective, self.subject) if ranked.adjective else None
            if self.measures:
                self.order.append(Order(self.measures[0], ranked.descending))
            elif found is not None:
                self.order.append(Order(Ref(found[0]), ranked.descending != found[1]))
            else:
                self.cost += 0.8
            return
        if ranked.words in ("top", "bottom", "best", "worst") and sketch.orders:
            # "top 5 countries by total sales": the order is said elsewhere.
            self.ranked_limit = limit
            if thing is not None:
                self._ranked_group(thing)
            return
        self.ranked_limit = limit
        measure: Measure | None = None
        if ranked.money:
            measure = self._money(ranked.aggregate)
        elif ranked.common and thing is not None:
            self.groups.append(self._grouped(thing))
            measure = Measure(Aggregate.COUNT, counts=self._counted_for(thing))
        elif thing is None:
            self._ranked_alone(ranked)
            return
        elif ranked.aggregate is not None:
            measure = self._measured(thing, ranked.aggregate)
        elif ranked.counted:
            measure = self._count_of(thing)
        elif thing.column is not None:
            self._ranked_column(ranked, thing)
            return
        else:
            measure = self._ranked_table(ranked, thing)
            if measure is None:
                return
        if measure is None:
            self.cost += 0.8
            return
        descending = ranked.descending
        if ranked.words in ("worst", "best") and measure.ref is not None and _BAD & set(measure.ref.thing.words):
            descending = not descending
        self._by_measure(measure, descending)

    def _counted_for(self, thing: Thing) -> Table:
        named = [t.table for t in self._things([*self.sketch.shown, *self.sketch.context, *self.sketch.linked]) if t.column is None and t.table.key != thing.table.key]
        return named[0] if named else thing.table

    def _count_of(self, thing: Thing) -> Measure:
        own = self.knowledge.own_count(thing.table) if thing.column is None else None
        if own is not None:
            return Measure(Aggregate.SUM, Ref(own))
        if thing.column is None:
            return Measure(Aggregate.COUNT, counts=thing.table)
        if self.knowledge.role(thing) is Role.MEASURE:
            return Measure(Aggregate.SUM, Ref(thing))
        return Measure(Aggregate.COUNT, Ref(thing), distinct=True)

    def _by_measure(self, measure: Measure, descending: bool) -> None:
        """Groups ordered by a figure. What is shown is what rows are gathered by."""
        if not self.groups:
            shown = self._things(self.sketch.shown) or [self.knowledge.things.table_thing[self.subject.key]]
            for thing in shown:
                if measure.table is not None and thing.column is None and thing.table.key == measure.table.key and len(shown) > 1:
                    continue
                self.groups.append(self._grouped(thing))
        if measure not in self.measures:
            self.measures.append(measure)
        self.order.append(Order(measure, descending))

    def _ranked_group(self, thing: Thing) -> None:
        if not self.groups:
            self._top_group = thing

    _top_group: Thing | None = None

    def _ranked_table(self, ranked: Ranked, thing: Thing) -> Measure | None:
        """The longest track; the most tracks; the biggest customers."""
        before = [s for s in self.sketch.shown if ranked.name is None or s.segment.start < ranked.name.segment.start]
        others = [t for t in self._things(before) if not (t.column is None and t.table.key == thing.table.key)]
        if ranked.adjective is not None and not (ranked.adjective.plain and others):
            found = self._adjective_column(ranked.adjective, thing.table)
            if found is not None:
                column, reverse = found
                descending = ranked.descending != reverse
                if self.groups and not self.sketch.counts:
                    self._by_measure(Measure(Aggregate.MAX if descending else Aggregate.MIN, Ref(column)), descending)
                    return None
                self.order.append(Order(Ref(column), descending))
                return None
        if others or thing.table.key != self.subject.key:
            return self._count_of(thing)
        # The biggest of a kind that has no size of its own: by money, else by how often it is met.
        if self.measures:
            self.groups = self.groups or [self._grouped(thing)]
            self.order.append(Order(self.measures[0], ranked.descending))
            return None
        if self.sketch.sold or ranked.sold:
            quantity = self._quantity()
            if quantity is not None:
                self.groups = self.groups or [self._grouped(thing)]
                return quantity
        money = self._money(None)
        if money is not None and money.table is not None:
            way = self.joins.way(money.table, thing.table)
            if way is not None and way.single:
                self.guesses.append("rank")
                self.groups = self.groups or [self._grouped(thing)]
                return money
        self.cost += 1.0
        return None

    def _ranked_column(self, ranked: Ranked, thing: Thing) -> None:
        role = self.knowledge.role(thing)
        shown = [t for t in self._things(self.sketch.shown) if t.number != thing.number]
        numeric = role in (Role.MEASURE, Role.DATE, Role.YEAR)
        if not numeric:
            # "the most countries", "top 5 destinations": the column is what is gathered by or counted.
            if shown and not ranked.limit and self.sketch.limit is None and ranked.adjective is None and ranked.words in ("most", "fewest", "least"):
                self._by_measure(Measure(Aggregate.COUNT, Ref(thing), distinct=True), ranked.descending)
                return
            self.groups = self.groups or [self._grouped(thing)]
            adjective = ranked.adjective
            if self.measures:
                self.order.append(Order(self.measures[0], ranked.descending))
                return
            if adjective is not None and (found := self._adjective_column(adjective, thing.table)):
                self.groups = []
                self.shown.append(Ref(thing))
                self.order.append(Order(Ref(found[0]), ranked.descending != found[1]))
                return
            counted = self._counted_for(thing)
            self._by_measure(Measure(Aggregate.COUNT, counts=counted), ranked.descending)
            return
        descending = ranked.descending
        if ranked.adjective is not None and role in (Role.DATE, Role.YEAR) and not ranked.adjective.words[:1] == ("date",):
            stems = {stem(word) for word in ranked.adjective.down}
            if stems & set(thing.words):
                descending = not descending
        if self.groups:
            self.measures.append(Measure(Aggregate.MAX if descending else Aggregate.MIN, Ref(thing)))
            return
        if shown or self.sketch.who or self.sketch.limit is not None:
            one_table = all(t.table.key == thing.table.key for t in shown)
            many = [t for t in shown if (w := self.joins.way(thing.table, t.table)) is None or not w.single]
            if one_table or not many:
                self.subject_base = thing.table
                self.order.append(Order(Ref(thing), descending))
                if not one_table:
                    self.shown.append(Ref(thing))
                return
            self._by_measure(Measure(Aggregate.MAX if descending else Aggregate.MIN, Ref(thing)), descending)
            return
        self.ranked_limit = None
        self.measures.append(Measure(Aggregate.MAX if descending else Aggregate.MIN, Ref(thing)))

    subject_base: Table | None = None

    def _ranked_alone(self, ranked: Ranked) -> None:
        """A superlative without a noun: by what is measured, or by its adjective."""
        if ranked.adjective is not None and not self.measures:
            found = self._adjective_column(ranked.adjective, self.subject)
            if found is not None:
                self.order.append(Order(Ref(found[0]), ranked.descending != found[1]))
                return
        if self.sketch.sold and (quantity := self._quantity()) is not None and not self.measures:
            self._by_measure(quantity, ranked.descending)
            return
        if self.sketch.spent and (money := self._money(None)) is not None and not self.measures:
            self._by_measure(money, ranked.descending)
            return
        if self.measures and (self.groups or self.sketch.shown):
            self._by_measure(self.measures[0], ranked.descending)
            return
        self.cost += 0.8

    def _sort(self) -> None:
        sketch = self.sketch
        ranked = sketch.ranked[0] if sketch.ranked else None
        for key, descending in sketch.orders:
            if key == "direction":
                self._sort_alone(bool(descending))
                continue
            if key == "money":
                measure = self._money(None)
                if measure is not None:
                    self._ordered_by(measure, True if descending is None else descending)
                continue
            if key == "sold":
                self._ordered_by(self._quantity() or Measure(Aggregate.COUNT, counts=self.subject), True if descending is None else descending)
                continue
            if isinstance(key, Slot):
                self._sort_by(key, descending, ranked)

    def _ordered_by(self, measure: Measure, descending: bool) -> None:
        if self._top_group is not None and not self.groups:
            self.groups.append(self._grouped(self._top_group))
        if self.sketch.ranked and self.sketch.ranked[0].words in ("bottom", "worst"):
            descending = False
        self._by_measure(measure, descending)

    def _sort_by(self, slot: Slot, descending: bool | None, ranked: Ranked | None) -> None:
        thing = self._thing(slot)
        if thing is None:
            return
        down = descending if descending is not None else bool(ranked)
        if ranked is not None and ranked.words in ("bottom", "worst"):
            down = False
        if slot.aggregate is Aggregate.COUNT:
            self._ordered_by(self._count_of(thing), True if descending is None else descending)
            return
        if slot.aggregate is not None:
            measure = self._measured(thing, slot.aggregate)
            if measure is not None:
                self._ordered_by(measure, True if descending is None else descending)
            return
        if thing.column is None:
            if thing.table.key == self.subject.key or self.measures:
                for label in self.knowledge.labels(thing.table)[:1]:
                    self.order.append(Order(Ref(label), down))
                return
            self._ordered_by(Measure(Aggregate.COUNT, counts=thing.table), True if descending is None else descending)
            return
        if self._top_group is not None:
            top = self._top_group
            way = self.joins.way(thing.table, top.table)
            if top.column is not None or thing.table.key != top.table.key:
                if self.knowledge.role(thing) is Role.MEASURE and (top.column is not None or (way is not None and way.links)):
                    self._ordered_by(Measure(Aggregate.SUM, Ref(thing)), down)
                    return
        if self.groups or self.measures:
            for measure in self.measures:
                if measure.ref is not None and measure.ref.thing.number == thing.number:
                    self.order.append(Order(measure, down))
                    return
        if self.sketch.first is not None and self.knowledge.role(thing) in (Role.DATE, Role.YEAR):
            stems = {stem(word) for word in self.sketch.first.down}
            if stems & {*thing.words, "date", "year"}:
                down = not down
        self.order.append(Order(Ref(thing), down))

    def _sort_alone(self, descending: bool) -> None:
        if self.measures and not self.sketch.alphabetical:
            self.order.append(Order(self.measures[0], descending))
        elif self.order:
            self.order = [replace(self.order[-1], descending=descending)]
        else:
            labels = self.knowledge.labels(self.subject)
            shown = [t for t in self._things(self.sketch.shown) if t.column is not None]
            for thing in (shown or list(labels))[:1]:
                self.order.append(Order(Ref(thing), descending))

    # The whole

    def _frame(self) -> Frame | None:
        sketch = self.sketch
        subject = self.subject_base or self.subject
        compared = {id(each.name) for each in sketch.compared if each.name is not None}
        several = len(sketch.shown) > 1
        for slot in sketch.shown:
            thing = self._thing(slot)
            if thing is None or (several and id(slot) in compared and thing.column is not None):
                continue
            if thing.column is not None and self.knowledge.role(thing) is Role.FLAG and len(sketch.shown) > 1:
                self._flag(thing, negative=False)
                continue
            if thing.column is not None:
                at = min(len(self.shown), sketch.shown.index(slot))
                target = self._target(thing)
                labels = self.knowledge.labels(thing.table)
                if len(labels) > 1 and thing in labels and slot.segment.stem == "name":
                    self.shown[at:at] = [Ref(label) for label in labels]
                    continue
                if target is not None and self.knowledge.labels(target) and "id" not in slot.segment.text.casefold().split():
                    named = dict.fromkeys((*self.knowledge.natural_key(target), *self.knowledge.labels(target)))
                    self.shown[at:at] = [Ref(label, through=thing) for label in named]
                else:
                    self.shown.insert(at, Ref(thing))
        if sketch.share:
            return self._shared(subject)
        if self.having and not self.groups and not sketch.counts:
            self._gather_having()
        if self.measures or self.groups:
            return self._gathered(subject)
        return self._listed(subject)

    def _gather_having(self) -> None:
        shown = self._things(sketch_shown) if (sketch_shown := self.sketch.shown) else []
        if not self.groups:
            for thing in shown or [self.knowledge.things.table_thing[self.subject.key]]:
                self.groups.append(self._grouped(thing))
        for having in self.having:
            if having.measure not in self.measures:
                self.measures.append(having.measure)

    def _shared(self, subject: Table) -> Frame | None:
        kept = tuple(self.conditions)
        if not kept and not self.groups:
            return None
        dated = tuple(c for c in kept if c.operation in ("days", "part"))
        that = tuple(c for c in kept if c not in dated)
        if not that:
            that, dated = dated, ()
        measures = tuple(m for m in self.measures if m.aggregate is Aggregate.SUM)
        return Frame(subject, measures=measures, groups=tuple(self.groups), conditions=dated, linked=tuple(self.linked), share=that)

    def _gathered(self, subject: Table) -> Frame | None:
        sketch = self.sketch
        measures = tuple(dict.fromkeys(self.measures)) or (Measure(Aggregate.COUNT, counts=subject),)
        groups = tuple(dict.fromkeys(self.groups))
        linked = list(self.linked)
        having = tuple(self.having)
        if having and sketch.counts and not groups:
            # "How many customers have more than 3 orders": rows that have so many.
            for each in having:
                if each.measure.aggregate is Aggregate.COUNT and each.measure.counts is not None and each.number is not None:
                    linked.append(Linked(each.measure.counts, operation=each.operation, number=each.number))
                else:
                    return None
            having = ()
        if groups and not self.measures and not sketch.counts and not self.having:
            measures = (Measure(Aggregate.COUNT, counts=subject),)
        extra = ()
        if groups and sketch.shown:
            keys = {g.target.key for g in groups}
            extra = tuple(r for r in self.shown if r.table.key in keys and Group(r) not in groups)
        limit = self.ranked_limit if self.order else None
        if not groups:
            order: tuple[Order, ...] = ()
        else:
            order = tuple(dict.fromkeys(self.order))
            if not order:
                order = tuple(Order(g.ref) for g in () if g.ref)
        return Frame(
            subject,
            shown=extra,
            measures=measures,
            groups=groups,
            conditions=tuple(dict.fromkeys(self.conditions)),
            linked=tuple(dict.fromkeys(linked)),
            having=having,
            order=order,
            limit=limit if groups else None,
        )

    def _listed(self, subject: Table) -> Frame | None:
        sketch = self.sketch
        shown = list(dict.fromkeys(self.shown))
        tables = [thing.table for thing in self._shown_tables()]
        compared = [each.name for each in sketch.compared if each.name is not None]
        asked_for = [slot for slot in sketch.shown if len(sketch.shown) == 1 or slot not in compared]
        columns = [t for t in self._things(asked_for) if t.column is not None]
        distinct = sketch.distinct
        if sketch.when:
            dates = self._date_column(subject, tuple(sketch.verbs), None)
            if dates is not None:
                shown.append(Ref(dates))
        for adjective in sketch.how:
            column = self._adjective_column(adjective, subject)
            if column is not None:
                shown.append(Ref(column[0]))
            else:
                self.cost += 0.5
        if sketch.place:
            places = [t for t in self.knowledge.things.of_table[subject.key] if self.words.places & set(t.words)]
            shown.extend(Ref(place) for place in places[:3])
        for table in tables:
            if table.key != subject.key:
                shown.extend(Ref(label) for label in self.knowledge.labels(table))
        everything = sketch.everything
        asked = [Ref(o.key.thing) for o in self.order if isinstance(o.key, Ref)]
        asked += [c.ref for c in self.conditions if c.operation not in ("equal", "missing", "contains") and c.ref.table.key == subject.key]
        named = any(t.key == subject.key for t in tables) or not columns or sketch.who
        if named and not everything:
            if not columns and not self.knowledge.identifies(subject):
                everything = True
            else:
                labels = [Ref(t) for t in dict.fromkeys((*self.knowledge.natural_key(subject), *self.knowledge.labels(subject)))]
                shown = [*labels, *[r for r in shown if r not in labels]]
        if not everything and not (columns and not named):
            shown.extend(ref for ref in asked if ref not in shown)
        elif any(r.table.key != subject.key for r in shown):
            own = [Ref(t) for t in self.knowledge.things.of_table[subject.key]]
            shown = [*own, *[r for r in shown if r not in own]]
            everything = False
        if columns and not named and not distinct and not self.order and not self._one_row():
            # Which countries do customers come from: each once. The names of things are as many as there are.
            labels = self.knowledge.labels(subject)
            distinct = not any(thing in labels for thing in columns) and "all" not in sketch.said
        each = any(segment in ("each", "every") for segment in sketch.said)
        if each and columns and not named and not distinct and not everything and subject.info.primary_key:
            # Whose they are: a column of several rows says little without what identifies them.
            keys = [self.knowledge.things.of_column[(*subject.key, name)] for name in subject.info.primary_key]
            named_by = self.knowledge.labels(subject) if self.knowledge.has_name(subject) else tuple(keys)
            shown = [*[Ref(t) for t in named_by if Ref(t) not in shown], *shown]
        limit = self.ranked_limit if self.order else None
        if limit is None and self.wanted_limit is not None:
            limit = self.wanted_limit
        order = tuple(dict.fromkeys(self.order))
        if distinct and any(isinstance(o.key, Ref) and o.key not in shown for o in order):
            distinct = False
        return Frame(
            subject,
            shown=tuple(dict.fromkeys(shown)),
            everything=everything,
            conditions=tuple(dict.fromkeys(self.conditions)),
            linked=tuple(dict.fromkeys(self.linked)),
            order=order,
            limit=limit,
            distinct=distinct,
        )

    def _shown_tables(self) -> Iterator[Thing]:
        """The tables that are shown. One that only stands before the name of a column qualifies it."""
        shown = self.sketch.shown
        for place, slot in enumerate(shown):
            thing = self._thing(slot)
            if thing is None or thing.column is not None:
                continue
            after = self._thing(shown[place + 1]) if place + 1 < len(shown) else None
            if after is not None and any(each.name is shown[place + 1] for each in self.sketch.compared):
                after = None
            compound = after is not None and shown[place + 1].segment.start == slot.segment.end
            if compound and after is not None and after.column is not None and after.table.key == thing.table.key:
                continue
            yield thing

    def _one_row(self) -> bool:
        """Whether the things shown are named: their columns are not gathered."""
        own = (c.ref.thing for c in self.conditions if c.operation == "equal" and c.ref.table.key == self.subject.key)
        return any(thing in self.knowledge.labels(thing.table) or thing.is_key for thing in own)


def _plural(thing: Thing) -> bool:
    """A column of seats counts seats; a column of the advisor does not count advisors."""
    return thing.column is not None and thing.column.info.name.casefold().endswith("s")


_BAD = frozenset(map(stem, "delay error defect complaint fine penalty problem injury loss late cost".split()))
"""Measures of which more is worse."""


def _direction(links: tuple[Link, ...], said: frozenset[str], against: frozenset[str]) -> int:
    words = {word for link in links for word in name_words(link.name.split("-by-")[-1])}
    return len(words & said) - len(words & against)


def _clean(number: float) -> float:
    return float(round(number)) if abs(number - round(number)) < 1e-9 else number
