"""The columns of texts whose numbers a read asks for."""

from collections.abc import Iterator

import msgspec

from dragoman.tables.computation import Computed, Operator, columns_in
from dragoman.tables.conditions import Against, ColumnCondition, NumberTest
from dragoman.tables.graph import Column, Link, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest

TextColumn = tuple[TableKey, Column]


def number_texts(request: ReadRequest) -> tuple[TextColumn, ...]:
    """Each of them once, with its table."""
    return tuple(dict.fromkeys(_found(request, request.table.key)))


def _found(value: object, table: TableKey) -> Iterator[TextColumn]:
    match value:
        case Computed(operator=Operator.NUMBER):
            for path in columns_in(value):
                yield _end(path, table)
        case ColumnCondition(column=column, test=test):
            if _asks_for_number(test):
                yield table, column
            yield from _found(test, table)
        case Against(path=path, written=True):
            yield _end(path, table)
        case ReadRequest():
            for name in value.__struct_fields__:
                yield from _found(getattr(value, name), value.table.key)
        case ColumnPath() | Column() | Link():
            return
        case msgspec.Struct():
            links = getattr(value, "links", ())
            for name in value.__struct_fields__:
                yield from _found(getattr(value, name), links[-1].target if links else table)
        case tuple():
            for each in value:
                yield from _found(each, table)


def _end(path: ColumnPath, table: TableKey) -> TextColumn:
    return path.links[-1].target if path.links else table, path.column


def _asks_for_number(value: object) -> bool:
    """Whether a test looks at the number in a text, however deep inside; a read in it is another one."""
    match value:
        case NumberTest():
            return True
        case ReadRequest():
            return False
        case msgspec.Struct():
            return any(_asks_for_number(getattr(value, name)) for name in value.__struct_fields__)
        case tuple():
            return any(map(_asks_for_number, value))
        case _:
            return False
