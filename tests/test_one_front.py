"""One front: a program has the same verdict in a conversation and at every command."""

from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import Notation, Phase
from dragoman.language.source import Source
from dragoman.workspace.programs import Programs

STOCK: Final = '(inventory.stock :organization "1" :as-of 2020-03-31)'


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f'(oml.pipeline :name "x" :nonsense 1)\n{STOCK}', "unknown_key"),
        (f'(oml.pipeline :name "Not Kebab")\n{STOCK}', "bad_name"),
        ('(inventory.stock :organization "${params.who}" :as-of 2020-03-31)', "unknown_parameter"),
        (f'(oml.pipeline :name "x" :params {{:day {{:type "date"}}}})\n{STOCK}', "missing_parameter"),
    ],
)
def test_what_the_workbench_refuses_is_refused_in_a_conversation(
    text: str, code: str, tmp_path: Path
) -> None:
    at_the_bench = Programs.open(tmp_path).compile(Source(text), Notation.VERBS)
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        workspace.ask(session, text)
        program = workspace.state(session).program
    assert [finding.code for finding in at_the_bench.diagnostics] == [code]
    assert program.phase is Phase.SYNTAX_ERROR
    assert program.diagnostics == at_the_bench.diagnostics
