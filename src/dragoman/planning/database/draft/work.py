"""What is asked, and the draft in progress that every step adds to."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, field

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.frame import Condition, Group, Having, Linked, Measure, Order, Ref
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.resolver import Chosen
from dragoman.planning.database.sketch import Sketch, Slot
from dragoman.planning.database.vocabulary import Words, english
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Link, Table


@dataclass(frozen=True)
class Asked:
    """A sketch with one choice of names, and what is known of the database. No step changes which names
    are chosen; a step may add to the words of the sketch that are left uncovered, or take from them."""

    sketch: Sketch
    chosen: Chosen
    knowledge: Knowledge
    joins: Joins
    words: Words
    today: dt.date
    below: Slot | None = None
    """Rows below others of their kind: subdocks."""
    whole: Sketch | None = None
    """The sketch as it was before such words were taken out of it."""

    def thing(self, slot: Slot | None) -> Thing | None:
        return None if slot is None else self.chosen.things.get(id(slot))

    def things(self, slots: Iterable[Slot | None]) -> list[Thing]:
        return [thing for slot in slots if (thing := self.thing(slot)) is not None]

    def tables(self, slots: Iterable[Slot | None]) -> list[Table]:
        """Those of the names that are tables, or a kind of their rows."""
        named = [(slot, thing) for slot in slots if (thing := self.thing(slot)) is not None]
        return [thing.table for slot, thing in named if thing.column is None or self.is_kind(slot)]

    def is_kind(self, slot: Slot | None) -> bool:
        """Whether a flag says what rows are: employees are the people whose `IsEmployee` holds."""
        thing = self.thing(slot)
        if slot is None or thing is None or thing.column is None or not self.is_flag(thing):
            return False
        word = slot.segment.text.casefold()
        many = word.endswith(("s", "people", "men")) and word != slot.segment.stem
        return many and len(thing.required) == 1 and thing.column.info.name.casefold().startswith("is")

    def qualifies(self, slot: Slot) -> bool:
        """Whether a table only stands before a column of its own: the customer status."""
        table = self.thing(slot)
        if table is None or table.column is not None:
            return False
        behind = (each for each in self.sketch.shown if each.segment.start == slot.segment.end)
        after = self.thing(next(behind, None))
        return after is not None and after.column is not None and after.table.key == table.table.key

    def says_whose(self, slot: Slot) -> bool:
        """ "Give me the colour and the length of each boat": a whole sentence asks for columns by name, and
        each boat only says whose they are."""
        table = self.thing(slot)
        if table is None or table.column is not None or slot not in self.sketch.each or not self.sketch.whole:
            return False
        before = [each for each in self.sketch.shown if each.segment.end < slot.segment.start]
        things = self.things(before)
        return bool(things) and all(each.column is not None for each in things)

    @property
    def told_behind(self) -> bool:
        """Whether a further sentence names what is to be shown: then that is shown, and nothing beside it."""
        sketch = self.sketch
        if sketch.told_from is None or sketch.figure_too or sketch.everything:
            return False
        before = [slot for slot in sketch.shown if slot.segment.start < sketch.told_from]
        # "Which rooms are free and on which floor? Show the price too": what is asked before is shown too.
        asked_before = [thing for thing in self.things(before) if thing.column is not None]
        return bool(self._columns_told or sketch.names_told) and not asked_before

    @property
    def _columns_told(self) -> list[Thing]:
        begins = self.sketch.told_from
        slots = [] if begins is None else [each for each in self.sketch.shown if each.segment.start > begins]
        return [thing for thing in self.things(slots) if thing.column is not None]

    @property
    def asked_for(self) -> list[Thing]:
        """What is to be shown of what is named: all of it, or what a further sentence says."""
        return self._columns_told if self.told_behind else self.things(self.sketch.shown)

    def columns_by_name(self) -> list[Thing] | None:
        """The columns that a whole sentence asks for by name; None where it asks for something else too."""
        found: list[Thing] = []
        slots = [slot for slot in self.sketch.shown if not self.qualifies(slot)]
        if not slots or not self.sketch.whole or self.sketch.who or self.told_behind:
            return None
        for slot in slots:
            thing = self.thing(slot)
            if thing is None or (thing.column is None and not slot.by_name) or self._points(slot, thing):
                return None
            whole = slot.by_name or slot.segment.stem == "name"
            labels = self.knowledge.labels(thing.table) if self.knowledge.has_name(thing.table) else ()
            if thing.column is None and not labels:
                return None
            found += labels if thing.column is None or (whole and thing in labels) else [thing]
        return list(dict.fromkeys(found))

    def _points(self, slot: Slot, thing: Thing) -> bool:
        """Whether a key is named for what it points at: the agent, and not the id of the agent."""
        by_id = not set(english().codes).isdisjoint(slot.segment.text.casefold().split())
        return thing.column is not None and not by_id and self.target(thing) is not None

    @property
    def explicit(self) -> bool:
        """Only columns are asked for, by name."""
        if self.told_behind or self.columns_by_name() is not None:
            return True
        silent = (self.qualifies, self.says_whose)
        shown = self.things(slot for slot in self.sketch.shown if not any(each(slot) for each in silent))
        if not shown:
            # "The most common colour".
            shown = self.things([each.name for each in self.sketch.ranked if each.common])
        kinds = any(map(self.is_kind, self.sketch.shown))
        named = bool(shown) and all(thing.column is not None for thing in shown) and not kinds
        return (named or self.sketch.only_names) and not self.sketch.who

    @property
    def exact(self) -> bool:
        """A whole sentence asks for columns by name: they are shown, and nothing beside them."""
        return self.explicit and self.sketch.whole and not self.sketch.figure_too

    def is_measure(self, thing: Thing) -> bool:
        return self.knowledge.role(thing) is Role.MEASURE

    def is_flag(self, thing: Thing) -> bool:
        return self.knowledge.role(thing) is Role.FLAG

    def target(self, thing: Thing) -> Table | None:
        """The table that a key points at."""
        link = self.joins.find_link(thing)
        return None if link is None else self.joins.graph.tables[link.target]

    def named_by(self, table: Table) -> list[Thing]:
        """The columns that tell one row of a table from another."""
        return list(dict.fromkeys((*self.knowledge.natural_key(table), *self.knowledge.labels(table))))


@dataclass
class Work:
    """A draft in progress: what the steps so far have made of the question."""

    asked: Asked
    subject: Table
    """The table whose rows the question is about."""
    base: Table | None = None
    """The table whose rows are listed, where a rank moves the question to another than the subject."""
    conditions: list[Condition] = field(default_factory=list)
    linked: list[Linked] = field(default_factory=list)
    having: list[Having] = field(default_factory=list)
    order: list[Order] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    measures: list[Measure] = field(default_factory=list)
    shown: list[Ref] = field(default_factory=list)
    wanted_limit: int | None = None
    """How many rows the question names: three wines."""
    ranked_limit: int | None = None
    """How many rows a superlative leaves; it counts only once an order is known."""
    self_links: tuple[Link, ...] = ()
    """The links from the subject to itself along which values hold: of whom she is the boss."""
    pair: tuple[Ref, ...] = ()
    """What is shown of pairs of rows of the subject: of both."""
    named_by: tuple[Ref, ...] = ()
    """What a row is named by that others are held against: they are told by that too."""
    pairs: Table | None = None
    """The table that pairs rows of the subject: it only links them, and nothing of it is shown."""
    role: Thing | None = None
    """The key that "who" asks for: the manager of a shop, the mentor of a driver."""
    sorted_by_name: bool = False
    """A "by" turned out to sort."""
    top: Thing | None = None
    """What "top" asks for, while the order is still to come."""
    date: Thing | None = None
    """The date that is named for the parts that rows are gathered by."""
    either_money: bool = False
    """Nothing says which money is meant: that of what was sold, or what was paid for it."""
    other_money: bool = False
    """The money that is further away is drafted."""
    either_time: bool = False
    """Amounts of rows that hold for a time are added up, and nothing says of which time."""
    only_current: bool = False
    """Of those the rows that hold now are drafted."""
    cost: float = 0.0
    guesses: list[str] = field(default_factory=list)

    @property
    def sketch(self) -> Sketch:
        return self.asked.sketch

    @property
    def knowledge(self) -> Knowledge:
        return self.asked.knowledge

    @property
    def joins(self) -> Joins:
        return self.asked.joins

    def guess(self, about: str, cost: float = 0.0) -> None:
        self.guesses.append(about)
        self.cost += cost

    def is_money(self, thing: Thing) -> bool:
        facts = self.knowledge.facts.get(thing.number)
        return facts is not None and facts.money

    def counts_values_of(self, thing: Thing | None) -> bool:
        """Whether a number before a column can only say how many of its values there are."""
        if thing is None or thing.column is None:
            return False
        return self.knowledge.role(thing) in (Role.KEY, Role.LABEL, Role.CATEGORY, Role.TEXT)

    def counts_rows_of(self, thing: Thing | None) -> bool:
        """Whether a number that stands with a name says how many of its rows there are: it is a table other
        than the subject, or only columns are shown and so rows are gathered anyway."""
        if thing is None or thing.column is not None:
            return False
        shown = self.sketch.shown
        columns = bool(shown) and all(each.column is not None for each in self.asked.things(shown))
        return columns or thing.table.key != self.subject.key
