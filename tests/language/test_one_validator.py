"""One validator: every door gives the same verdict, the same codes and the same places on the same programs.

A door takes programs and gives a verdict on each. A new one joins with an entry in `DOORS`.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import httpx
import pytest

from dragoman import Workspace
from dragoman.contracts.program import Severity
from dragoman.contracts.vocabulary import Notation
from dragoman.language.compiler import CompilerStage
from dragoman.language.source import Source
from dragoman.workspace.findings import finding_object
from dragoman.workspace.programs import Programs, findings_of
from tests.called import called
from tests.language import test_oml_fixtures, test_verb_fixtures
from tests.language.test_manifest import EXAMPLE, PARAMETRIC
from tests.mcp.clients import given, over_stdio
from tests.web.ground import json_of, serving


class Submitted(NamedTuple):
    title: str
    notation: Notation
    text: str


class Found(NamedTuple):
    """A finding, as far as doors have to agree on it."""

    code: str
    severity: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None


class Verdict(NamedTuple):
    ok: bool
    stage: str
    findings: tuple[Found, ...]


Door = Callable[[list[Submitted], CompilerStage, Path], list[Verdict]]

SEMANTIC: Final = {
    '(mysql.extractor :connection "@shop" :table "users" :as @users)': [],
    "(no.such :a 1)\n(duckdb.everything :tabel 1)": ["unknown_verb", "unknown_verb"],
    '(mysql.extractor :connection "@shop" :query "DROP TABLE users")': ["sql_not_read_only"],
    '(duckdb.writer :needs [@none] :format "csv" :path "x.csv")': ["undefined_symbol"],
    '(duckdb.transform :needs [@b] :query "SELECT 1" :as @a)\n'
    '(duckdb.transform :needs [@a] :query "SELECT 1" :as @b)': ["dependency_cycle"],
    '(inventory.stock :organization "Alfa" :as-of 2020-03-31)': ["unresolved_reference"],
    '(inventory.stock :organization "1" :as-of 2020-03-31)': [],
    '(mysql.extractor :connection "@shop" :table "users" :password "hunter22")': ["secret_in_program"],
    '; größe 🐉\n(mysql.extractor :connection 5 :table "ü")': ["argument_type"],
    '(oml.pipeline :nam "x")': ["unknown_key"],
    '(mysql.extractor :connection "@shop" :query "SELECT ${params.x}")': ["unknown_parameter"],
}
"""Programs that a catalog judges, or that are refused beside the reader, and what is found in them."""


def corpus() -> list[Submitted]:
    """Every fixture of both notations, and programs that only a catalog can judge."""
    verbs = [Submitted(case.name, Notation.VERBS, case.input) for case in test_verb_fixtures.CASES]
    oml = [Submitted(case.title, Notation.OML, case.source) for case in test_oml_fixtures.CASES]
    own = [Submitted(text, Notation.VERBS, text) for text in SEMANTIC]
    own += [
        Submitted("the example", Notation.OML, EXAMPLE),
        Submitted("parameters", Notation.OML, PARAMETRIC),
        Submitted("an unknown component", Notation.OML, EXAMPLE.replace("mysql.extractor", "no.such")),
        Submitted("another mode", Notation.OML, EXAMPLE.replace("mode: read", "mode: transform")),
    ]
    return [program for program in (*verbs, *oml, *own) if _can_stand_in_a_file(program.text)]


def _can_stand_in_a_file(text: str) -> bool:
    """Half of a surrogate pair can be in a text of the library, and in no UTF-8."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


# The doors.


def library(programs: list[Submitted], stage: CompilerStage, folder: Path) -> list[Verdict]:
    bench, verdicts = Programs(), []
    for program in programs:
        done = bench.check(Source(program.text), program.notation, stage)
        placed = [(each.code, each.severity, each.span) for each in done.diagnostics]
        placed += [("unresolved_reference", Severity.ERROR, ref.location.span) for ref in done.unresolved]
        found = (
            Found(code, str(severity), span.line, span.column, span.end_line, span.end_column)
            if span
            else Found(code, str(severity), None, None, None, None)
            for code, severity, span in placed
        )
        verdicts.append(Verdict(done.ok, str(done.stage), tuple(found)))
    return verdicts


def _command(arguments: list[str], stage: CompilerStage, folder: Path, stdin: bytes) -> list[Verdict]:
    run = called("check", "--json", "--stage", stage.value, *arguments, cwd=folder, stdin=stdin)
    reports = json.loads(run.stdout)
    assert run.returncode == int(not all(report["ok"] for report in reports))
    return [
        Verdict(
            report["ok"],
            report["stage"],
            tuple(Found(*(each[field] for field in Found._fields)) for each in report["diagnostics"]),
        )
        for report in reports
    ]


def command(programs: list[Submitted], stage: CompilerStage, folder: Path) -> list[Verdict]:
    """All files in one call."""
    names = []
    for number, program in enumerate(programs):
        name = f"{number}.verbs" if program.notation is Notation.VERBS else f"{number}.yaml"
        (folder / name).write_bytes(program.text.encode())
        names.append(name)
    return _command(names, stage, folder, b"")


_OPENED: Final = ExitStack()


@cache
def _client() -> httpx.Client:
    """A client of one server over an empty folder, for all tests of this file."""
    folder = _OPENED.enter_context(TemporaryDirectory(prefix="http-"))
    return _OPENED.enter_context(serving(Path(folder))).client()


@pytest.fixture(scope="module", autouse=True)
def _no_server_outlives_its_tests() -> Iterator[None]:
    yield
    _OPENED.close()
    _client.cache_clear()


def http(programs: list[Submitted], stage: CompilerStage, folder: Path) -> list[Verdict]:
    """Each in a request of its own."""
    verdicts = []
    for program in programs:
        body = {"source": program.text, "notation": program.notation, "stage": stage}
        given = json_of(_client().post("/api/check", json=body))
        spans = [(each["span"] or {}, each) for each in given["findings"]]
        found = (
            Found(each["code"], each["severity"], *(span.get(field) for field in Found._fields[2:]))
            for span, each in spans
        )
        verdicts.append(Verdict(given["ok"], given["stage"], tuple(found)))
    return verdicts


def workspace(programs: list[Submitted], stage: CompilerStage, folder: Path) -> list[Verdict]:
    """As whoever uses the library calls for it."""
    with Workspace.open(folder) as opened:
        checked = [opened.check(each.text, notation=each.notation, stage=stage) for each in programs]
    return [
        Verdict(done.ok, str(done.stage), tuple(_found(finding_object(each)) for each in findings_of(done)))
        for done in checked
    ]


def _found(finding: Mapping[str, object]) -> Found:
    return Found(*(finding[field] for field in Found._fields))  # type: ignore[arg-type]


def mcp(programs: list[Submitted], stage: CompilerStage, folder: Path) -> list[Verdict]:
    """The tool `check`, from one server for all programs."""

    async def judged() -> list[Verdict]:
        async with over_stdio(folder) as client:
            told = [
                await given(
                    client, "check", program=each.text, notation=each.notation.value, stage=stage.value
                )
                for each in programs
            ]
        return [Verdict(each["ok"], each["stage"], tuple(map(_found, each["diagnostics"]))) for each in told]

    return asyncio.run(judged())


DOORS: Final[dict[str, Door]] = {
    "library": library,
    "command": command,
    "workspace": workspace,
    "mcp": mcp,
    "http": http,
}


@cache
def _accounted(stage: CompilerStage) -> tuple[list[Submitted], list[Verdict]]:
    programs = corpus()
    return programs, library(programs, stage, Path())


@pytest.mark.parametrize("stage", CompilerStage)
@pytest.mark.parametrize("door", DOORS)
def test_every_door_gives_the_same_verdict(door: str, stage: CompilerStage, tmp_path: Path) -> None:
    programs, wanted = _accounted(stage)
    given = DOORS[door](programs, stage, tmp_path)
    assert len(given) == len(programs)
    apart = [
        (program.title, one, other)
        for program, one, other in zip(programs, wanted, given, strict=True)
        if one != other
    ]
    assert apart == []


def test_standard_input_is_the_same_door(tmp_path: Path) -> None:
    stage = CompilerStage.DEPENDENCIES
    programs, wanted = _accounted(stage)
    for program, verdict in list(zip(programs, wanted, strict=True))[-4:]:
        arguments = ["-", "--as", program.notation.value]
        assert _command(arguments, stage, tmp_path, program.text.encode()) == [verdict]


def test_the_fixtures_say_what_the_doors_say() -> None:
    """The doors agree with each other, and with what is written in the fixtures."""
    warned = [all(line.endswith(" warning") for line in case.errors) for case in test_verb_fixtures.CASES]
    titles = [case.name for case in test_verb_fixtures.CASES]
    expected = dict(zip(titles, warned, strict=True))
    expected |= {case.title: case.verdict == "ok" for case in test_oml_fixtures.CASES}
    for program, verdict in zip(*_accounted(CompilerStage.SYNTAX), strict=True):
        ok = expected.get(program.title, verdict.ok)
        only_more = {found.code for found in verdict.findings} <= DECIDED_BESIDE_THE_READER
        assert verdict.ok is ok or (ok and only_more), program


DECIDED_BESIDE_THE_READER: Final = {"secret_in_program", "unknown_key", "unknown_parameter", "wrong_type"}
"""What the text alone decides, and not its reader: a case that reads may still be refused for it."""


def test_programs_are_judged_as_they_deserve() -> None:
    programs, verdicts = _accounted(CompilerStage.DEPENDENCIES)
    found = {
        program.text: [each.code for each in verdict.findings]
        for program, verdict in zip(programs, verdicts, strict=True)
    }
    assert {text: found[text] for text in SEMANTIC} == SEMANTIC


def test_the_corpus_is_worth_its_name() -> None:
    programs, verdicts = _accounted(CompilerStage.DEPENDENCIES)
    assert len(programs) >= 260
    assert {verdict.stage for verdict in verdicts} == {stage.value for stage in CompilerStage}
    assert len({found.code for verdict in verdicts for found in verdict.findings}) >= 50
