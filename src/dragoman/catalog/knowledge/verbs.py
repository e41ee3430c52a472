"""Which statements ask what is known beside the data."""

from typing import TYPE_CHECKING

from dragoman.catalog.knowledge.signatures import KNOWLEDGE, QUESTION, TERM
from dragoman.contracts.program import Program, Statement, Text

if TYPE_CHECKING:
    from dragoman.catalog.catalog import Catalog


def is_knowledge(catalog: "Catalog", statement: Statement) -> bool:
    """Whether a statement calls a verb of knowledge: one of a pack by that name comes first."""
    return statement.verb in KNOWLEDGE and catalog.signature(statement.verb) is KNOWLEDGE[statement.verb]


def question_in(program: Program) -> str:
    """What a program asks of texts, in plain words; empty where it asks something else. Whoever runs one
    again says only "run it"."""
    return text_in(program[-1], QUESTION) or text_in(program[-1], TERM) if program else ""


def text_in(statement: Statement, name: str) -> str:
    """A text argument of a statement; empty where it is not there."""
    argument = statement.argument(name)
    return argument.value.value if argument is not None and isinstance(argument.value, Text) else ""
