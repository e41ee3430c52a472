"""What could be asked of a database that nobody has asked yet, each with the program that it has to become.

The program is what makes a suggestion honest. A question is kept only where the planners read it as the
program it was made from, so that an answer that is sure and wrong is never suggested.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import Final

from dragoman._patterns import lazy_pattern
from dragoman.answering.words.plain_names import column_words, step_words
from dragoman.contracts.program import Argument, Date, Entry, Integer, Map, Sequence, Statement, Text, Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import TableKind, ValueType
from dragoman.locales.registry import FALLBACK, language
from dragoman.tables.graph import Column, Graph, Link, Table
from dragoman.tables.verbs import TableVerb

TOP: Final = 3
MOST_TABLES: Final = 8
"""So many tables are looked at, the likeliest first: a database may have thousands."""
_MOST_OF_A_KIND: Final = 2
"""So many columns of a table are tried for one kind of question."""
_MOST_GROUPS: Final = 40
_YEAR: Final = lazy_pattern(r"(1[6-9]|20)\d\d(?=\D|\Z)")
_WORDS: Final = lazy_pattern(r"[\W_]+|(?<=[a-z])(?=[A-Z])")


class Kind(StrEnum):
    """What a question asks for; its words are in `suggestions.yaml` of a language."""

    COUNT = "count"
    GROUPS = "groups"
    TOP = "top"
    AVERAGE = "average"
    YEAR = "year"
    MONTHS = "months"
    MAX = "max"


class Candidate(Record, frozen=True, gc=True):
    """A question before it is worded: its table as the schema has it, its column or the row it leads to as
    people say it, and what it has to become."""

    kind: Kind
    table: str
    statement: Statement
    column: str = ""
    year: int = 0


def candidates(graph: Graph) -> tuple[Candidate, ...]:
    """What could be asked, the likeliest to be wanted first: every kind of the main table, then the next."""
    tables = sorted((each for each in graph.tables.values() if each.info.rows != 0), key=_rank)
    return tuple(each for table in tables[:MOST_TABLES] for each in _of_table(table, graph))


def _rank(table: Table) -> tuple[bool, bool, int, int, str]:
    """Tables before views, names of words before those with numbers, then what more can be asked of."""
    kinds = bool(_measures(table)) + bool(_categories(table)) + bool(table.dates)
    has_number = any(letter.isdigit() for letter in table.info.name)
    is_view = table.info.kind is TableKind.VIEW
    return is_view, has_number, -kinds, -(table.info.rows or 0), table.name


def _of_table(table: Table, graph: Graph) -> Iterator[Candidate]:
    name = table.info.name
    yield Candidate(Kind.COUNT, name, _statement(table, TableVerb.COUNT))
    for column in _categories(table)[:_MOST_OF_A_KIND]:
        statement = _statement(table, TableVerb.COUNT, by=Text(column.name))
        yield Candidate(Kind.GROUPS, name, statement, column_words(table, column.info.name))
    for link, column in _links(table, graph)[:_MOST_OF_A_KIND]:
        statement = _statement(table, TableVerb.COUNT, by=Text(column.name))
        yield Candidate(Kind.GROUPS, name, statement, step_words(graph, table, link))
    for column in _measures(table)[:_MOST_OF_A_KIND]:
        of, measured = Text(column.name), column_words(table, column.info.name)
        highest = _statement(table, TableVerb.LIST, order=Map((Entry("desc", of),)), top=Integer(TOP))
        yield Candidate(Kind.TOP, name, highest, measured)
        yield Candidate(Kind.AVERAGE, name, _statement(table, TableVerb.AVERAGE, of=of), measured)
    for column in table.dates[:1]:
        by_month = _statement(table, TableVerb.COUNT, by=Text(f"{column.name}/month"))
        year = _year(column)
        if year:
            days = Sequence((Date(dt.date(year, 1, 1)), Date(dt.date(year, 12, 31))))
            within = Argument(column.name, Map((Entry("between", days),)))
            statement = Statement(f"{table.name}.{TableVerb.COUNT}", (within,))
            yield Candidate(Kind.YEAR, name, statement, column_words(table, column.info.name), year)
        yield Candidate(Kind.MONTHS, name, by_month, column_words(table, column.info.name))
    for column in _measures(table)[:_MOST_OF_A_KIND]:
        highest = _statement(table, TableVerb.MAX, of=Text(column.name))
        yield Candidate(Kind.MAX, name, highest, column_words(table, column.info.name))


def _statement(table: Table, verb: TableVerb, **arguments: Value) -> Statement:
    return Statement(
        f"{table.name}.{verb}", tuple(Argument(name, value) for name, value in arguments.items())
    )


def _categories(table: Table) -> list[Column]:
    """Columns of a few values that rows are told apart by: states, kinds, places."""
    keys = _keys(table)
    found = [
        column
        for column in table.columns.values()
        if column.type in (ValueType.TEXT, ValueType.BOOLEAN)
        and column.info.name not in keys
        and not column.info.unique
        and column.info.writes is None
        and (
            1 < column.info.distinct <= _MOST_GROUPS
            if column.info.distinct is not None
            else column.info.samples
        )
    ]
    labels = _named("labels")
    # What a row is called tells rows apart one by one.
    return sorted(
        found, key=lambda column: (_last_word(column) in labels, column.info.distinct or _MOST_GROUPS)
    )


def _measures(table: Table) -> list[Column]:
    """Numbers that say how much, money first; not those that say which, or when."""
    no_amounts = (
        _named("numbering")
        | _named("ordinals")
        | _named("years")
        | _named("calendar")
        | {"id", "key", "code", "zip", "phone"}
    )
    found = [
        column
        for column in table.measures
        if not column.info.unique
        and _last_word(column) not in no_amounts
        and column.info.name not in _keys(table)
    ]
    money = _named("money")
    return sorted(
        found, key=lambda column: (_last_word(column) not in money, column.type is ValueType.INTEGER)
    )


def _links(table: Table, graph: Graph) -> list[tuple[Link, Column]]:
    """Declared steps to one row along a column of its own."""
    found = []
    for link in graph.links(table).values():
        own = table.by_real_name.get(link.pairs[0][0]) if len(link.pairs) == 1 else None
        if own is not None and link.single and link.declared and own.info.name not in table.info.primary_key:
            found.append((link, own))
    return found


def _keys(table: Table) -> set[str]:
    return {*table.info.primary_key, *(name for key in table.info.foreign_keys for name in key.columns)}


def _year(column: Column) -> int:
    """The year that most of the samples are of; 0 where they are of none."""
    found = [int(match[0]) for text in column.info.samples if (match := _YEAR.match(text))]
    return min(Counter(found).items(), key=lambda each: (-each[1], -each[0]))[0] if found else 0


def _last_word(column: Column) -> str:
    words = [word for word in _WORDS.split(column.info.name) if word]
    return words[-1].casefold() if words else ""


@cache
def _named(group: str) -> frozenset[str]:
    """Words that people call columns by."""
    words: list[str] = language(FALLBACK).texts("columns")[group]
    return frozenset(word.casefold() for word in words)
