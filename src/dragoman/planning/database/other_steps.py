"""Statements that hold rows against the other rows of their table."""

from dragoman.contracts.program import Map, Statement, Text
from dragoman.language.types import parts
from dragoman.tables.graph import OTHERS


def holds_others(statement: Statement) -> bool:
    """Whether rows are held against the others of their table: many of them may share something, or none."""
    values = [argument.value for argument in statement.arguments]
    while values:
        value = values.pop()
        steps = [entry.key for entry in value.entries] if isinstance(value, Map) else []
        steps += [value.value] if isinstance(value, Text) else []
        if any(step.startswith(OTHERS) for step in steps):
            return True
        values.extend(parts(value))
    return False
