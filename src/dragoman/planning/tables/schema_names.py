"""The tables and columns of a database, each with the words of its name."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.contracts.taught import TAUGHT
from dragoman.planning.tables.name_words import DECORATIONS, is_made_of_words, name_words, plain_words
from dragoman.planning.tables.table_areas import table_areas
from dragoman.planning.tables.table_notes import NO_NOTES, TableNotes
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Column, Graph, Table
from dragoman.tables.verbs import DATES, NUMBERS


class Thing(Record, frozen=True):
    """A table, or with `column` one of its columns. `words` are the stems of its name; those in `optional` go
    without saying: the table's own words in the names of its columns."""

    number: int
    table: Table
    column: Column | None
    words: tuple[str, ...]
    optional: frozenset[str]
    verbs: frozenset[str] = frozenset()
    """Of a date: stems of verbs that speak of it because a pack says so."""
    unsaid: frozenset[str] = frozenset()
    """Stems of verbs that a pack keeps for another date of the table."""

    @property
    def required(self) -> tuple[str, ...]:
        return tuple(word for word in self.words if word not in self.optional) or self.words

    @property
    def full_name(self) -> str:
        return self.table.name if self.column is None else f"{self.table.name}.{self.column.name}"

    @property
    def is_key(self) -> bool:
        if self.column is None:
            return False
        name = self.column.info.name
        return name in self.table.info.primary_key or any(
            name in key.columns for key in self.table.info.foreign_keys
        )

    @property
    def is_taught(self) -> bool:
        """Whether it is a column that somebody taught."""
        return self.column is not None and self.column.info.native == TAUGHT

    @property
    def is_number(self) -> bool:
        return self.column is not None and self.column.type in NUMBERS

    @property
    def is_date(self) -> bool:
        return self.column is not None and self.column.type in DATES

    @property
    def is_text(self) -> bool:
        return self.column is not None and self.column.type in (ValueType.TEXT, ValueType.OTHER)


class Things:
    """Everything of a database that a word can name, numbered in the order of its schema."""

    def __init__(
        self,
        graph: Graph,
        called: Mapping[str, Iterable[str]] | None = None,
        *,
        by_roles: bool = False,
        notes: TableNotes = NO_NOTES,
    ) -> None:
        """`called`: what a pack or a person calls tables, and columns as `table.column`, by their names in
        the database. `by_roles`: a key goes by the part alone that its row plays. `notes`: what packs say of
        tables."""
        self.graph = graph
        self._notes = notes
        self.all: list[Thing] = []
        self.of_table: dict[tuple[str, str], list[Thing]] = {}
        self.table_thing: dict[tuple[str, str], Thing] = {}
        self.of_column: dict[tuple[str, str, str], Thing] = {}
        self.by_word: dict[str, list[tuple[int, int]]] = {}
        self.by_name: dict[str, list[int]] = {}
        """What is called by its whole name as it is written, where that is not its only word: `qty`."""
        around = _words_around(graph)
        named_tables = {key: name_words(table.info.name, around) for key, table in graph.tables.items()}
        common = _common_beginning(list(named_tables.values()))
        areas = table_areas(graph)
        others = {name: frozenset(map(stem, words)) for name, words in (called or {}).items()}
        for table in graph.tables.values():
            words = named_tables[table.key]
            # What somebody calls the table goes without saying in the names of its columns too.
            also = others.get(table.key[1], frozenset()) | others.get(".".join(table.key), frozenset())
            decorated = frozenset(words) & DECORATIONS | _silent(words, common) | _other_regions(words)
            decorated |= areas.get(table.key, frozenset()) | _contents(words, named_tables.values())
            if by_roles:
                decorated |= _linked_things(table, words, named_tables.values())
            thing = self._add(table, None, words, decorated)
            self.table_thing[table.key] = thing
            self.of_table[table.key] = []
            self._add_columns(table, words, also, around, by_roles=by_roles)

        self.aliases: dict[str, list[tuple[int, int]]] = {}
        self.also: dict[str, dict[int, float]] = {}
        """Other words for whole things, and how well each stands for the name."""
        self.pack_words = frozenset(word.casefold() for words in (called or {}).values() for word in words)
        """What packs call tables: words that the schema does not know."""
        self._pack_stems = frozenset(map(_stemmed, self.pack_words))
        for name, more in (called or {}).items():
            self._call(name, more)

    def _add_columns(
        self,
        table: Table,
        words: tuple[str, ...],
        also: frozenset[str],
        around: frozenset[str],
        *,
        by_roles: bool,
    ) -> None:
        """The columns of a table that is called by some words, and also by others."""
        prefix = _shared_beginning(table)
        for column in table.columns.values():
            name = column.info.name
            initials = name.isupper() and len(name) <= _MOST_INITIALS and not _in_capitals(table)
            named = name_words(name, around, _near(table, name), initials=initials)
            optional = frozenset(words) | also | _initials(named, words)
            # The last word says what it is: the fee of a campus is not a campus.
            if len(named) > 1 and set(named[:-1]) - optional:
                optional -= {named[-1]}
            optional |= _suffixes(named)
            if by_roles:
                optional |= _beside_role(table, column.info.name, named)
            if prefix and len(named) > 1:
                optional |= {named[0]}
            thing = self._add(table, column, named, optional)
            self.of_table[table.key].append(thing)
            self.of_column[(*table.key, column.info.name)] = thing

    def is_called(self, words: str) -> bool:
        """Whether words, in any form, are what a pack or a person calls something."""
        return _stemmed(words) in self._pack_stems

    def _call(self, name: str, called: Iterable[str]) -> None:
        """Another word for a table. A phrase of several words is not one: each of them may mean more."""
        for key, thing in self.table_thing.items():
            if name in (key[1], ".".join(key)):
                for word in called:
                    if word.isalpha():
                        self.aliases.setdefault(stem(word), []).append((thing.number, 0))
        for place, thing in self.of_column.items():
            if name == ".".join(filter(None, place)):
                for word in called:
                    self.also.setdefault(stem(word), {})[thing.number] = 1.0

    def _add(
        self, table: Table, column: Column | None, words: tuple[str, ...], optional: frozenset[str]
    ) -> Thing:
        verbs, unsaid = (
            (frozenset[str](), frozenset[str]())
            if column is None
            else self._notes.verbs_of(table.key, column.info.name)
        )
        thing = Thing(len(self.all), table, column, words, optional, verbs, unsaid)
        self.all.append(thing)
        for place, word in enumerate(words):
            self.by_word.setdefault(word, []).append((thing.number, place))
        name = (table.info.name if column is None else column.info.name).casefold()
        if stem(name) != words[0] or len(words) > 1:
            self.by_name.setdefault(stem(name), []).append(thing.number)
        return thing

    def names_of(self, table: Table) -> tuple[Thing, ...]:
        """The columns that say which row it is to a person: a name, both parts of one, a title."""
        columns = self.of_table[table.key]
        if said := self._notes.labels.get(table.key):
            return tuple(self.of_column[(*table.key, name)] for name in said)
        exact = [each for each in columns if each.required == ("name",) and each.is_text]
        if exact:
            return (exact[0],)
        parts = [each for each in columns if set(each.required) in ({"first", "name"}, {"last", "name"})]
        if parts:
            return tuple(parts)
        titles = [each for each in columns if each.required == ("titl",) and each.is_text]
        if titles:
            return (titles[0],)
        named = [each for each in columns if {"name", "titl"} & set(each.words) and not each.is_number]
        return tuple(named[:1])


def _stemmed(words: str) -> str:
    return " ".join(map(stem, words.casefold().split()))


_MOST_INITIALS = 4
_SHORT_BEGINNING = 4
_SHORTEST_PHRASE = 2
_FEWEST_COLUMNS = 3
_FEWEST_TABLES, _NEARLY_ALL = 4, 0.75
_HEADS = frozenset(map(stem, ("header", "master", "basics", "main")))
_CONTENTS = frozenset(map(stem, ("data", "info", "information")))


def _common_beginning(named: list[tuple[str, ...]]) -> str | None:
    """The word that nearly all tables begin with, and none is called by: the name of the database."""
    firsts = Counter(words[0] for words in named if len(words) > 1)
    if not firsts:
        return None
    first, times = firsts.most_common(1)[0]
    alone = any(words == (first,) for words in named)
    return first if times >= max(_FEWEST_TABLES, _NEARLY_ALL * len(named)) and not alone else None


def _silent(words: tuple[str, ...], common: str | None) -> frozenset[str]:
    """Words of a table's name that say nothing of its rows: the header of an order is the order."""
    if len(words) < 2:
        return frozenset()
    return frozenset({words[0]} & {common} | {words[-1]} & _HEADS)


def _contents(words: tuple[str, ...], named: Iterable[tuple[str, ...]]) -> frozenset[str]:
    """The data of ferries are the ferries, unless another table has these."""
    alone = len(words) > 1 and words[-1] in _CONTENTS and words[:-1] not in named
    return frozenset(words[-1:]) if alone else frozenset()


def _linked_things(table: Table, words: tuple[str, ...], named: Iterable[tuple[str, ...]]) -> frozenset[str]:
    """What rows are of goes without saying, where no other rows are called so: the enlistments of
    `guild_member_enlistments`, which lead to a guild and a member."""
    if len(words) < _SHORTEST_PHRASE or sum(words[-1] in each for each in named) > 1:
        return frozenset()
    if any(words[-1:] == name_words(name) for name in table.by_real_name):
        # "The language" is the column of the rows that say which language a country has.
        return frozenset()
    ends = {word for key in table.info.foreign_keys for word in name_words(key.table)}
    before = frozenset(words[:-1])
    return before if before <= ends and words[-1] not in ends else frozenset()


def _words_around(graph: Graph) -> frozenset[str]:
    """Words of the names of one database, without those that are several words written as one."""
    found = frozenset(
        word
        for table in graph.tables.values()
        for name in (table.info.name, *table.by_real_name)
        for word in _plain_words(name, whole=name == table.info.name)
    )
    return frozenset(word for word in found if not is_made_of_words(word, found))


def _near(table: Table, column: str) -> list[str]:
    """Words that a column's name may begin with cut short: of tables that it leads to, and of its own."""
    targets = [key.table for key in table.info.foreign_keys if column in key.columns]
    return [word for name in (*targets, table.info.name) for word in plain_words(name)]


def _shared_beginning(table: Table) -> bool:
    """Whether all columns of a table begin alike, with a few letters only: `b_weight`, `b_price`."""
    firsts = {name.partition("_")[0] for name in table.by_real_name}
    first = next(iter(firsts), "")
    return len(firsts) == 1 and len(first) <= _SHORT_BEGINNING and len(table.columns) >= _FEWEST_COLUMNS


def _in_capitals(table: Table) -> bool:
    return all(name.isupper() for name in table.by_real_name)


_SUFFIXES = frozenset({"cod", "code", "yn", "flag", "ind", "txt", "count"})
_KEY_WORDS = frozenset({"id", "cod", "code", "key", "number", "ref"})
_REGIONS = frozenset({"stat", "state", "province", "provinc", "county", "region"})


def _suffixes(named: tuple[str, ...]) -> frozenset[str]:
    """Endings that say how something is stored: the code of a type is the type."""
    found = {named[-1]} & _SUFFIXES if len(named) > 1 else set()
    return frozenset(found) | _other_regions(named)


def _other_regions(named: tuple[str, ...]) -> frozenset[str]:
    """Several names of one thing are alternatives: a state or province."""
    return frozenset([word for word in named if word in _REGIONS][1:])


def _beside_role(table: Table, name: str, named: tuple[str, ...]) -> frozenset[str]:
    """Beside the part that a row plays the rest of a key says nothing: the sales rep of `rep_employee_id`."""
    if name in table.info.primary_key:
        return frozenset()
    for key in table.info.foreign_keys:
        if key.columns == (name,):
            # The key that it points at is called alike: it says what the row is, not what part it plays.
            target = {word for column in key.target_columns for word in name_words(column)}
            listed = set(name_words(key.table))
            beside = listed | target | _KEY_WORDS
            if set(named) - beside:
                return frozenset(named) & beside
            # The status of an issue is one of the issue statuses, and is called by less than those are.
            less = set(named) - _KEY_WORDS
            return (
                frozenset(named) & _KEY_WORDS
                if less < listed and name_words(key.table)[-1] in less
                else frozenset()
            )
    return frozenset()


def _initials(named: tuple[str, ...], words: tuple[str, ...]) -> frozenset[str]:
    """A first piece of one or two letters that begins the table's name says nothing: `gName` of games."""
    first = named[0]
    if len(named) > 1 and len(first) <= 3 and words and any(word.startswith(first) for word in words):
        return frozenset({first})
    return frozenset()


def _plain_words(name: str, *, whole: bool) -> list[str]:
    """Words that names are made of. A column of one word may be two that were written as one."""
    found = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name) if len(word) > 3]
    return found if whole or len(found) > 1 else []
