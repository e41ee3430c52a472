"""Whether a statement asks for a value that its column is declared to hold.

That no row has it yet is then an answer, and nothing that speaks against the reading."""

from collections.abc import Iterator

from dragoman.contracts.program import Integer, Map, Sequence, Statement, Text, Value
from dragoman.contracts.schema import ValueType
from dragoman.contracts.taught import TAUGHT
from dragoman.tables.graph import Column, Graph, Table
from dragoman.tables.verbs import ALL, Word


def asks_for_declared(statement: Statement, graph: Graph) -> bool:
    """`statement` as a planner wrote it: a taught condition is a column there."""
    table = graph.by_name.get(statement.verb.rpartition(".")[0])
    if table is None:
        return False
    tests: list[tuple[str, Value]] = []
    for argument in statement.arguments:
        if argument.name == Word.WHERE:
            tests += _entries(argument.value)
        elif argument.name not in _WORDS:
            tests.append((argument.name, argument.value))
    return any(_is_declared(table, name, value, graph) for name, value in tests)


_WORDS = frozenset(word.value for word in Word)


def _entries(value: Value) -> Iterator[tuple[str, Value]]:
    match value:
        case Map(entries=entries):
            for entry in entries:
                if entry.key == ALL:
                    yield from _entries(entry.value)
                else:
                    yield entry.key, entry.value
        case Sequence(items=items):
            for item in items:
                yield from _entries(item)
        case _:
            return


def _is_declared(table: Table, name: str, value: Value, graph: Graph) -> bool:
    column = table.column(name)
    if column is not None:
        return _holds(column, value)
    link = graph.link(table, name)
    if link is None:
        return False
    target = graph.tables[link.target]
    return any(_is_declared(target, inner, tested, graph) for inner, tested in _entries(value))


def _holds(column: Column, value: Value) -> bool:
    if column.info.native == TAUGHT and column.type is ValueType.BOOLEAN:
        return True
    match value:
        case Text(value=text):
            return text in column.info.options
        case Integer(value=number):
            return str(number) in column.info.options
        case _:
            return False
