"""What packs note on tables is what planners know of them; what is guessed anyhow is no note."""

from dragoman.contracts.pack import Pack, PackMetric, PackTable, PackTableColumn
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, Dialect, TableInfo, TableKind, ValueType
from dragoman.databases.values import ValueIndex
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.pack_notes import PackNotes, pack_notes
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.database.vocabulary import words_in
from dragoman.planning.tables.lexicon import ENGLISH
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.catalog import TableCatalog

SCHEMA = DatabaseSchema(
    "sqlite",
    Dialect.SQLITE,
    (
        TableInfo(
            "trips",
            TableKind.TABLE,
            (
                ColumnInfo("id", ValueType.INTEGER, "INTEGER"),
                ColumnInfo("name", ValueType.TEXT, "TEXT"),
                ColumnInfo("motto", ValueType.TEXT, "TEXT"),
                ColumnInfo("grade", ValueType.INTEGER, "INTEGER"),
                ColumnInfo("booked_on", ValueType.DATE, "DATE"),
                ColumnInfo("seen_on", ValueType.DATE, "DATE"),
            ),
            primary_key=("id",),
        ),
    ),
    "f",
)


def noted(table: PackTable, **metrics: PackMetric) -> PackNotes:
    return pack_notes((Pack("p", {"en": "p"}, tables={"trips": table}, metrics=metrics),), SCHEMA)


def planner(notes: PackNotes) -> QuestionPlanner:
    return QuestionPlanner(TableCatalog(SCHEMA), SCHEMA, ValueIndex(()), notes.called, notes.notes)


def thing(of: QuestionPlanner, column: str) -> Thing:
    return of.things.of_column["", "trips", column]


def test_a_label_replaces_the_guess() -> None:
    other = planner(noted(PackTable(label=("motto",))))
    assert other.knowledge.labels(other.things.graph.tables["", "trips"]) == (thing(other, "motto"),)


def test_what_is_guessed_anyhow_is_no_note() -> None:
    found = noted(PackTable(words={"en": ("trip", "trips")}, label=("name",)))
    assert (found.called, found.notes.labels) == ({}, {})


def test_what_the_database_does_not_have_is_no_note() -> None:
    columns = {"gone": PackTableColumn(measure=True, verbs={"en": ("go",)})}
    assert noted(PackTable(label=("gone",), columns=columns)) == PackNotes()
    assert pack_notes((Pack("p", {}, tables={"gone": PackTable(label=("id",))}),), SCHEMA) == PackNotes()


def test_numbers_are_amounts_or_codes_as_it_is_noted() -> None:
    plain = planner(PackNotes())
    assert plain.knowledge.role(thing(plain, "grade")) is Role.MEASURE
    codes = planner(noted(PackTable(columns={"grade": PackTableColumn(measure=False)})))
    assert codes.knowledge.role(thing(codes, "grade")) is Role.CATEGORY
    # A text is no amount, whatever is noted on it.
    texts = planner(noted(PackTable(columns={"motto": PackTableColumn(measure=True)})))
    assert texts.knowledge.role(thing(texts, "motto")) is not Role.MEASURE


def test_a_verb_is_that_of_the_date_where_it_is_noted() -> None:
    words, book, sail = words_in(ENGLISH), stem("booked"), stem("sailed")
    plain = planner(PackNotes())
    assert closeness(words, book, thing(plain, "booked_on")) == 1.0
    assert closeness(words, sail, thing(plain, "seen_on")) == 0.0
    other = planner(noted(PackTable(columns={"seen_on": PackTableColumn(verbs={"en": ("sail", "book")})})))
    assert closeness(words, sail, thing(other, "seen_on")) == 1.0
    assert closeness(words, book, thing(other, "seen_on")) == 1.0
    assert closeness(words, book, thing(other, "booked_on")) == 0.0


def test_a_word_of_two_metrics_is_that_of_the_first() -> None:
    first = PackMetric({"en": "score"}, {"en": "…"}, table="trips", of='"grade"')
    other = PackMetric({"en": "score"}, {"en": "…"}, table="trips", of='"id"')
    found = noted(PackTable(), first=first, other=other)
    assert [[word.means for word in words] for words in found.metrics] == [['"grade"']]
