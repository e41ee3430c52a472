"""What the packs of one database say of its tables, as planners take it.

A drafted pack says what is guessed without it. What says nothing new is left out here, so that a draft that
nobody has edited changes no reading.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from dragoman.contracts.pack import Pack, PackMetric, PackTable, Words
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.packs.metric_figures import table_called
from dragoman.planning.database.row_labels import label_columns
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.schema_names import Thing, Things
from dragoman.planning.tables.table_notes import NO_NOTES, ColumnKey, TableKey, TableNotes
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Graph, Table


class PackNotes(Record, frozen=True, gc=True):
    """What packs say of tables: further names by the names of the database, notes, and metrics as words."""

    called: Mapping[str, tuple[str, ...]] = {}
    notes: TableNotes = NO_NOTES
    metrics: tuple[tuple[TaughtWord, ...], ...] = ()
    """Of each metric its words."""


def pack_notes(packs: Iterable[Pack], schema: DatabaseSchema) -> PackNotes:
    """What packs say of the tables of a schema. A table or column that it does not have says nothing; of what
    two packs say, the first holds."""
    told = [pack for pack in packs if pack.tables or any(each.of for each in pack.metrics.values())]
    if not told:
        return PackNotes()
    reader = _Notes(schema)
    for pack in told:
        for name, said in pack.tables.items():
            if (table := table_called(reader.graph, name)) is not None:
                reader.add(table, said)
    metrics = [tuple(reader.metric(each)) for pack in told for each in pack.metrics.values()]
    notes = TableNotes(reader.labels, reader.measures, reader.verbs)
    return PackNotes(reader.called, notes, tuple(filter(None, metrics)))


class _Notes:
    def __init__(self, schema: DatabaseSchema) -> None:
        self.graph = Graph(schema)
        self.called: dict[str, tuple[str, ...]] = {}
        self.labels: dict[TableKey, tuple[str, ...]] = {}
        self.measures: dict[ColumnKey, bool] = {}
        self.verbs: dict[TableKey, dict[str, frozenset[str]]] = {}
        self._metric_words: set[str] = set()

    @cached_property
    def _things(self) -> Things:
        return Things(self.graph, by_roles=True)

    def add(self, table: Table, said: PackTable) -> None:
        self._call(_qualified(table), said.words, self._things.table_thing[table.key], table.info.name)
        label = tuple(name for name in said.label if name in table.by_real_name)
        if label and table.key not in self.labels and set(label) != set(self._derived_label(table)):
            self.labels[table.key] = label
        for name, column in said.columns.items():
            if name not in table.by_real_name:
                continue
            thing = self._things.of_column[(*table.key, name)]
            self._call(f"{_qualified(table)}.{name}", column.words, thing, name)
            if column.measure is not None:
                self.measures.setdefault((*table.key, name), column.measure)
            verbs = frozenset(" ".join(map(stem, v.casefold().split())) for v in _each(column.verbs.values()))
            if verbs:
                self.verbs.setdefault(table.key, {}).setdefault(name, verbs)

    def _derived_label(self, table: Table) -> Iterator[str]:
        for thing in label_columns(self._things, table):
            if thing.column is not None:
                yield thing.column.info.name

    def _call(self, place: str, words: Words, thing: Thing, name: str) -> None:
        """The words for a table or a column that are not its name already."""
        own = (frozenset(thing.words), _stems(" ".join(plain_words(name))), _stems(name))
        if new := [word for word in _each(words.values()) if _stems(word) not in own]:
            self.called[place] = (*self.called.get(place, ()), *new)

    def metric(self, metric: PackMetric) -> Iterator[TaughtWord]:
        """A metric over a table as words that mean it: questions name it like a column."""
        table = table_called(self.graph, metric.table) if metric.of else None
        if table is None:
            return
        kind = TaughtKind.COLUMN if metric.of.startswith('"') else TaughtKind.FIGURE
        for language in dict.fromkeys((*metric.title, *metric.words)):
            said = (*metric.words.get(language, ()), metric.title.get(language, ""))
            for word in dict.fromkeys(each.casefold() for each in said if each.strip()):
                # One word has one meaning: that of the metric that comes first.
                if word in self._metric_words:
                    continue
                self._metric_words.add(word)
                definition = metric.definition.get(language, "")
                yield TaughtWord(word, kind, table.name, metric.of, definition, language)


def _each(listed: Iterable[Iterable[str]]) -> Iterator[str]:
    return (word for words in listed for word in words if word.strip())


def _qualified(table: Table) -> str:
    return ".".join(part for part in table.key if part)


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.casefold().split()))
