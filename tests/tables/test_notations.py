"""Every statement of the shop is the same program in verb notation and in OML."""

import pytest

from dragoman.contracts.program import Program
from dragoman.contracts.schema import Dialect
from dragoman.contracts.verb import Effect
from dragoman.contracts.vocabulary import Notation
from dragoman.language.front import convert_source, read_program
from dragoman.language.nested_calls import lift
from dragoman.language.parameters import head_of
from dragoman.language.source import Source
from dragoman.tables import table_catalog
from tests.tables.shop import schema
from tests.tables.test_engines import cases

EFFECTS = dict.fromkeys(table_catalog(schema(Dialect.SQLITE)).verbs(), Effect.READ)


def steps(text: str, notation: Notation = Notation.VERBS) -> Program:
    statements = lift(read_program(Source(text), notation).statements)
    return statements if head_of(statements) is None else statements[1:]


@pytest.mark.parametrize("text", [text for text, _ in cases()])
def test_there_and_back(text: str) -> None:
    oml = convert_source(Source(text), Notation.VERBS, Notation.OML, EFFECTS)
    assert isinstance(oml, str), oml
    back = convert_source(Source(oml), Notation.OML, Notation.VERBS, EFFECTS)
    assert isinstance(back, str), back
    assert steps(back) == steps(text)
