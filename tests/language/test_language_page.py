"""docs/language.md says what the code does: its codes, its limits and its examples."""

import re
from pathlib import Path
from typing import Final

import pytest

import dragoman.language as language_package
from dragoman.contracts.errors import BuildFailed, ProgramRefused, ProgramUnreadable, ProgramUnwritable
from dragoman.contracts.vocabulary import Notation
from dragoman.guards import sql
from dragoman.language.compiler import CompilerStage
from dragoman.language.oml import findings, yaml_events, yaml_text
from dragoman.language.source import Source
from dragoman.language.verbs import limits
from dragoman.workspace.programs import Programs
from tools.checkout import ROOT

PAGE: Final = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
_RAISED: Final = re.compile(
    r'(?:error|Diagnostic|Fault|Misread|_finding|_duplicate|_stray|_refuse\w*|_say\w*)\(\s*"([a-z]+(?:_[a-z]+)*)"'
)


def codes_of_the_code() -> set[str]:
    folder = Path(language_package.__file__).parent
    modules = [path for path in folder.rglob("*.py") if "patches" not in path.parts]
    modules.append(folder.parent / "workspace" / "programs.py")
    found = {code for path in modules for code in _RAISED.findall(path.read_text(encoding="utf-8"))}
    return found | {
        error.code for error in (BuildFailed, ProgramRefused, ProgramUnreadable, ProgramUnwritable)
    }


def codes_of_the_page() -> list[str]:
    tables = PAGE.partition("## Codes")[2]
    rows = [line.split("|")[1] for line in tables.splitlines() if line.startswith("| `")]
    return [code for row in rows for code in re.findall(r"`(\w+)`", row)]


def test_every_code_is_on_the_page_once_and_no_other() -> None:
    assert len(set(codes_of_the_page())) == len(codes_of_the_page())
    assert set(codes_of_the_page()) == codes_of_the_code()


def test_every_stage_is_on_the_page() -> None:
    stages = PAGE.partition("## Stages")[2].partition("## ")[0]
    assert re.findall(r"^\| `(\w+)`", stages, re.MULTILINE) == [stage.value for stage in CompilerStage]


def test_the_limits_are_what_the_page_says() -> None:
    rows = PAGE.partition("## Limits")[2].partition("## ")[0]
    numbers = [int(number.replace(",", "")) for number in re.findall(r"\b[0-9][0-9,]*\b", rows)]
    assert numbers == [
        limits.MAX_CODE_POINTS,
        yaml_text.MAX_BYTES,
        limits.MAX_DEPTH,
        yaml_events.MAX_DEPTH,
        limits.MAX_FINDINGS,
        findings.MAX_FINDINGS,
        sql.MAX_CHARACTERS,
    ]


@pytest.mark.parametrize(("fence", "notation"), [("lisp", Notation.VERBS), ("yaml", Notation.OML)])
def test_the_examples_are_one_program(fence: str, notation: Notation) -> None:
    example = PAGE.partition(f"```{fence}\n")[2].partition("```")[0]
    bench = Programs()
    assert bench.compile(Source(example), notation).ok
    oml = PAGE.partition("```yaml\n")[2].partition("```")[0]
    wanted = bench.convert(Source(oml), Notation.OML, Notation.VERBS)
    assert bench.convert(Source(example), notation, Notation.VERBS) == wanted
