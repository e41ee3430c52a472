"""Which statements ask what is known beside the data."""

from typing import TYPE_CHECKING

from dragoman.catalog.knowledge.signatures import KNOWLEDGE, QUESTION, SOURCE, TERM
from dragoman.contracts.program import Program, Statement, Text
from dragoman.contracts.vocabulary import EvidenceSource

if TYPE_CHECKING:
    from dragoman.catalog.catalog import Catalog


def is_knowledge(catalog: "Catalog", statement: Statement) -> bool:
    """Whether a statement calls a verb of knowledge: one of a pack by that name comes first."""
    return statement.verb in KNOWLEDGE and catalog.signature(statement.verb) is KNOWLEDGE[statement.verb]


def question_in(program: Program) -> str:
    """What a program asks of texts, in plain words; empty where it asks something else. Whoever runs one
    again says only "run it"."""
    return text_in(program[-1], QUESTION) or text_in(program[-1], TERM) if program else ""


def source_in(program: Program) -> EvidenceSource | None:
    """The one source that a program asks, where it names one that there is."""
    named = text_in(program[-1], SOURCE) if program and program[-1].verb in KNOWLEDGE else ""
    return EvidenceSource(named) if named in frozenset(EvidenceSource) else None


def text_in(statement: Statement, name: str) -> str:
    """A text argument of a statement; empty where it is not there."""
    argument = statement.argument(name)
    return argument.value.value if argument is not None and isinstance(argument.value, Text) else ""
