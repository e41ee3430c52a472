"""What a schema says beyond its names: which columns label a row, count time or money, flag or measure."""

from functools import cached_property

from dragoman.contracts.schema import ValueType
from dragoman.databases.values import ValueIndex
from dragoman.planning.database.column_facts import ColumnFacts, Role, facts_of, is_graded
from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.lasting_rows import Ending, ending_of
from dragoman.planning.database.other_names import call_otherwise
from dragoman.planning.database.row_labels import label_columns
from dragoman.planning.database.units import DIMENSIONS
from dragoman.planning.database.vocabulary import english
from dragoman.planning.database.written_dates import DateForm
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.table_notes import NO_NOTES, TableNotes
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table

_MOSTLY = 0.5


class Knowledge:
    """What the schema of one database says to a reader of questions."""

    def __init__(
        self, things: Things, values: ValueIndex | None = None, notes: TableNotes = NO_NOTES
    ) -> None:
        """`notes`: what packs say of the tables. What they leave open is guessed as without them."""
        self.things = things
        self._notes = notes
        self._distinct = _counts(values)
        self.facts: dict[int, ColumnFacts] = {}
        for thing in things.all:
            if thing.column is not None:
                measured = notes.measures.get((*thing.table.key, thing.column.info.name))
                self.facts[thing.number] = facts_of(thing, thing.column, measured)
        self._call_by_units()
        self._call_by_place()
        self._endings: dict[tuple[str, str], Ending | None] = {}
        self._labels: dict[tuple[str, str], tuple[Thing, ...]] = {}
        labels = {table.key: self.labels(table) for table in things.graph.tables.values()}
        call_otherwise(things, labels, values)

    def _call_by_units(self) -> None:
        """A column of milliseconds is a length of time, whatever it is called."""
        for facts in self.facts.values():
            if facts.unit is None or facts.role is not Role.MEASURE:
                continue
            for word in DIMENSIONS.get(facts.unit.dimension, ()):
                known = self.things.by_word.setdefault(word, [])
                own = {self.things.all[number].table.key for number, _ in known}
                # Only where no column of the table is called so.
                if facts.thing.table.key not in own:
                    self.things.aliases.setdefault(word, []).append((facts.thing.number, 0))

    def _call_by_place(self) -> None:
        """A key that points at its own table leads to the row above, whatever it is called: to the boss."""
        named = self.things.by_word
        for table in self.things.graph.tables.values():
            own = [
                key
                for key in table.info.foreign_keys
                if key.table == table.info.name and len(key.columns) == 1
            ]
            thing = self.things.of_column.get((*table.key, own[0].columns[0])) if len(own) == 1 else None
            if thing is None:
                continue
            for word in map(stem, english().above_self):
                if word not in named:
                    self.things.aliases.setdefault(word, []).append((thing.number, 0))

    def is_role(self, thing: Thing) -> bool:
        """Whether a foreign key is called by the part its row plays: destination, support rep."""
        if thing.column is None or thing.column.info.name in thing.table.info.primary_key:
            return False
        for key in thing.table.info.foreign_keys:
            if key.columns == (thing.column.info.name,) and key.target_columns != key.columns:
                target = self.things.table_thing.get((key.schema, key.table)) or self.things.table_thing.get(
                    (thing.table.info.schema, key.table)
                )
                words = set(thing.words) - {"id", "cod", "code", "key", "number"}
                return target is not None and not words <= set(target.words)
        return False

    def columns(self, table: Table) -> list[ColumnFacts]:
        return [self.facts[thing.number] for thing in self.things.of_table[table.key]]

    def role(self, thing: Thing) -> Role | None:
        facts = self.facts.get(thing.number)
        return None if facts is None else facts.role

    def labels(self, table: Table) -> tuple[Thing, ...]:
        """The columns that tell a person which row it is; the key where there are none."""
        found = self._labels.get(table.key)
        if found is None:
            found = self._noted_labels(table) or label_columns(self.things, table)
            self._labels[table.key] = found
        return found

    def _noted_labels(self, table: Table) -> tuple[Thing, ...]:
        """The labels that a pack gives to a table."""
        named = (
            self.things.of_column.get((*table.key, name)) for name in self._notes.labels.get(table.key, ())
        )
        return tuple(thing for thing in named if thing is not None)

    def has_name(self, table: Table) -> bool:
        """Whether rows have a name of their own, and not only a key."""
        labels = self.labels(table)
        if not labels or not all(label.is_text for label in labels):
            return False
        named = {"name", "titl", "last", "first", "surname", "subject", stem("headline")}
        if len(labels) == 1 and set(labels[0].words) <= set(self.things.table_thing[table.key].words):
            # A product called so in its column `product`.
            return True
        return all(named & set(label.words) or label.is_key for label in labels)

    def same_as(self, table: Table) -> Thing | None:
        """The key of rows without a name that is also the key of rows with one: a driver is a person."""
        keys = table.info.primary_key
        if len(keys) != 1 or self.has_name(table):
            return None
        for key in table.info.foreign_keys:
            target = self.things.graph.tables.get((key.schema or table.info.schema, key.table))
            same = (
                key.columns == keys and target is not None and key.target_columns == target.info.primary_key
            )
            if same and target is not None and target.key != table.key and self.has_name(target):
                return self.things.of_column.get((*table.key, keys[0]))
        return None

    def identifies(self, table: Table) -> bool:
        """Whether labels tell the rows of a table apart: people by their names, or names that come once."""
        labels = self.labels(table)
        if not self.has_name(table):
            return False
        if len(labels) > 1:
            return True
        column = labels[0].column
        if column is None or column.info.unique or (column.info.name,) in table.info.unique_keys:
            return True
        rows = table.info.rows
        return rows is not None and self._distinct.get((*table.key, column.info.name), 0) >= 0.98 * rows

    def names_rows(self, table: Table) -> bool:
        """Whether a name stands for a row: few rows share theirs with another."""
        labels = self.labels(table)
        if not self.has_name(table):
            return False
        rows, column = table.info.rows, labels[0].column
        if len(labels) > 1:
            # The names of people; a key of several columns names nothing by one of them.
            return not any(label.is_key for label in labels)
        if rows is None or column is None or self.identifies(table):
            return True
        return self._distinct.get((*table.key, column.info.name), 0) >= _MOSTLY * rows

    def natural_key(self, table: Table) -> tuple[Thing, ...]:
        """The key of a table where it says something to a person: a code, a tail number."""
        keys = [self.things.of_column.get((*table.key, name)) for name in table.info.primary_key]
        found = tuple(key for key in keys if key is not None and key.is_text)
        return found if len(found) == len(keys) == 1 else ()

    def dates(self, table: Table) -> list[Thing]:
        return [each for each in self.things.of_table[table.key] if each.is_date]

    def dated(self, table: Table) -> list[Thing]:
        """Dates, and texts that write dates."""
        own = self.things.of_table[table.key]
        return [each for each in own if each.is_date or self.facts[each.number].form is not None]

    def form(self, thing: Thing) -> DateForm | None:
        facts = self.facts.get(thing.number)
        return None if facts is None else facts.form

    def ending(self, table: Table) -> Ending | None:
        """When rows end that hold for a time; None where they do not."""
        if table.key not in self._endings:
            self._endings[table.key] = ending_of(self.dates(table))
        return self._endings[table.key]

    def of_kind(self, table: Table) -> Table | None:
        """The table whose rows are of the kinds that a table lists: the tickets of `ticket_type`."""
        words = self.things.table_thing[table.key].required
        if len(words) < 2 or table.info.foreign_keys or words[-1] not in column_words().kinds:
            return None
        links = self.things.graph.links(table).values()
        pointing = {link.target for link in links if not link.single}
        found = [key for key in pointing if self.things.table_thing[key].required == words[:-1]]
        return self.things.graph.tables[found[0]] if len(found) == 1 else None

    def own_count(self, table: Table) -> Thing | None:
        """The column that counts what its table is called after: degrees.Degrees."""
        for thing in self.measures(table):
            if thing.column is None or thing.column.info.name.casefold() != table.info.name.casefold():
                continue
            # Marks count nothing: the rating of ratings.
            return None if is_graded(thing, thing.column) else thing
        return None

    def years(self, table: Table) -> list[Thing]:
        return self.of_role(table, Role.YEAR)

    def of_role(self, table: Table, role: Role) -> list[Thing]:
        return [each.thing for each in self.columns(table) if each.role is role]

    def measures(self, table: Table) -> list[Thing]:
        return self.of_role(table, Role.MEASURE)

    @cached_property
    def totals(self) -> list[Thing]:
        """Columns that hold money that changed hands: totals and amounts before prices."""
        words = column_words()
        found = [
            thing
            for thing in self._measured()
            if words.totals & set(thing.words)
            and not words.discounts & set(thing.words)
            and not self._counts_things(thing)
            and not self._is_earned(thing)
        ]

        def rank(thing: Thing) -> tuple[bool, bool, bool, bool, int, bool, int]:
            whole = self.things.table_thing[thing.table.key]
            table = set(whole.required)
            sold = words.turnover & set(thing.words) and not words.prices & set(thing.words)
            return (
                # Payment instalments are no money: the last word says what it is.
                thing.words[-1] not in words.money and _is_whole(thing),
                bool(words.besides & set(thing.words)),
                not words.trade & table,
                not thing.table.info.foreign_keys,
                whole.number,
                # An amount before the discount stands beside the sales amount.
                not sold,
                thing.number,
            )

        return sorted(found, key=rank)

    def _is_earned(self, thing: Thing) -> bool:
        """The income of a customer is what they live on, and no money that changed hands here."""
        person = len(self.labels(thing.table)) > 1 and self.has_name(thing.table)
        return person and bool(column_words().wages & set(thing.words))

    def _counts_things(self, thing: Thing) -> bool:
        """A total that says how many there are: `TotalBoxes` are boxes, `total_cents` are money."""
        if thing.column is None or self.facts[thing.number].unit is not None:
            return False
        last = plain_words(thing.column.info.name)[-1]
        money = bool(column_words().money & set(thing.words[1:]))
        return _is_whole(thing) and thing.words[0] == "total" and last.endswith("s") and not money

    @cached_property
    def lines(self) -> list[tuple[Thing, Thing, Thing | None]]:
        """Tables of lines: a price, a quantity, and perhaps a discount. The price may be that of the thing
        that a line leads to."""
        words = column_words()
        totals = {total.table.key for total in self.totals}
        found: list[tuple[Thing, Thing, Thing | None]] = []
        for quantity in self.quantities:
            table = quantity.table
            measures = self.measures(table)
            price = next((m for m in measures if words.prices & set(m.words)), None)
            discount = next((m for m in measures if words.discounts & set(m.words)), None)
            if price is None and table.key not in totals:
                price = self._price_of(table)
            if price is not None and all(quantity.table.key != known[1].table.key for known in found):
                found.append((price, quantity, discount))
        return found

    @cached_property
    def single_prices(self) -> list[Thing]:
        """Prices of lines that are of one piece each: of rows between a sale and what was sold."""
        words = column_words()
        known = {table.key for table in (each.table for each in (*self.totals, *self.quantities))}
        priced = [m for m in self._measured() if words.prices & set(m.words) and m.table.key not in known]
        return [m for m in priced if len(m.table.info.foreign_keys) > 1 and "cost" not in m.words]

    def _price_of(self, table: Table) -> Thing | None:
        """The price of the one thing that rows of a table lead to."""
        graph, words = self.things.graph, column_words()
        for link in graph.links(table).values():
            if not link.single or link.target == table.key:
                continue
            priced = self.measures(graph.tables[link.target])
            price = next((m for m in priced if words.prices & set(m.words) and "cost" not in m.words), None)
            if price is not None:
                return price
        return None

    @cached_property
    def quantities(self) -> list[Thing]:
        words = column_words()
        traded = [
            t for t in self._measured() if words.quantities & set(t.words) and t.table.info.foreign_keys
        ]
        return [t for t in traded if not words.held & set(t.words)]

    def _measured(self) -> list[Thing]:
        return [each.thing for each in self.facts.values() if each.role is Role.MEASURE]


def _is_whole(thing: Thing) -> bool:
    return thing.column is not None and thing.column.type is ValueType.INTEGER


def _counts(values: ValueIndex | None) -> dict[tuple[str, str, str], int]:
    """How many different values of each column are known."""
    found: dict[tuple[str, str, str], int] = {}
    for place in values.places() if values is not None else ():
        key = (place.schema, place.table, place.column)
        found[key] = found.get(key, 0) + 1
    return found
