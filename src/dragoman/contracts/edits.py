"""Edits of a program: what a follow-up changes, one typed record each.

A statement is named by its place in the program as it stands when the edit is applied: edits apply in order.
"""

from dragoman.contracts.program import Argument, Statement, Value
from dragoman.contracts.record import Record


class AddStatement(Record, frozen=True, tag="add_statement", tag_field="edit"):
    """Another statement, at its place."""

    place: int
    statement: Statement


class DropStatement(Record, frozen=True, tag="drop_statement", tag_field="edit"):
    place: int
    verb: str


class SetVerb(Record, frozen=True, tag="set_verb", tag_field="edit"):
    """Another verb, with the symbol its result is called by."""

    place: int
    verb: str
    binds: str
    was: str


class AddArgument(Record, frozen=True, tag="add_argument", tag_field="edit"):
    """Another argument, `at` its place among those of the statement."""

    place: int
    at: int
    argument: Argument


class SetArgument(Record, frozen=True, tag="set_argument", tag_field="edit"):
    """Another value for an argument. `was` and `was_display` are what stood there: `why` shows both."""

    place: int
    argument: Argument
    was: Value
    was_display: str = ""


class DropArgument(Record, frozen=True, tag="drop_argument", tag_field="edit"):
    place: int
    name: str


Edit = AddStatement | DropStatement | SetVerb | AddArgument | SetArgument | DropArgument
