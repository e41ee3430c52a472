"""What others call stays: the library, the commands with their options, exit codes and JSON, and the marks.

Everything is in tests/data/contract.yaml. A key, an option or a parameter that is new, gone or different
fails here; whoever means it writes it there. Sentences are not compared.
"""

import inspect
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

import click
import pytest
import yaml

import dragoman
from dragoman import Workspace
from dragoman.cli.application import dragoman as application
from tests.called import exit_code
from tests.contract_ground import SESSION, lay_ground
from tests.contract_shapes import at, bare, described, misfits

CONTRACT: Final = yaml.safe_load((Path(__file__).parent / "data" / "contract.yaml").read_text("utf-8"))
SHAPES: Final = CONTRACT["shapes"]
MARKS: Final = re.compile(r"^(?:error )?\[[a-z_ ]+\]")
"""How a line of text begins that says how sure an answer is, or which error it is about."""
KEYS: Final = {"call", "in", "stdin", "exit", "makes", "json", "lines", "values", "error", "mark"}


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("DRAGOMAN_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("ground")
    return folder, lay_ground(folder)


@pytest.fixture
def place(ground: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """A copy of the ground that is this case's alone, and the session of its demo."""
    folder, session = ground
    return shutil.copytree(folder, tmp_path / "ground"), session


# The library.


@pytest.mark.parametrize("name", CONTRACT["library"])
def test_a_function_of_the_library_takes_what_it_took(name: str) -> None:
    signature = inspect.signature(attrgetter(name)(dragoman))
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    shown = signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)
    assert str(shown) == CONTRACT["library"][name]


def test_the_result_of_a_turn_has_the_fields_that_are_printed(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        assert isinstance(session, str)
        first = workspace.ask(session, "total sales of Alfa Trade in April 2020")
        second = workspace.ask(session, "and for May?")
    assert (first.session_id, first.turn, second.turn) == (session, 1, 2)
    assert first.rows == (("1320.00",),)
    assert (second.transition, second.answer_mode) == ("T2", "confirmed")
    assert {bare(key) for key in SHAPES["turn"]} == set(first.__struct_fields__)


# The commands.


def command_of(name: str) -> click.Command:
    command: click.Command = application
    for part in name.split():
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), part)
        assert found is not None, f"there is no command {part}"
        command = found
    return command


@pytest.mark.parametrize("name", CONTRACT["commands"])
def test_a_command_has_the_options_it_had(name: str) -> None:
    assert described(command_of(name)) == CONTRACT["commands"][name]


@pytest.mark.parametrize("name", ["guard", "report"])
def test_a_group_has_no_other_commands(name: str) -> None:
    group = command_of(name)
    assert isinstance(group, click.Group)
    known = {called.split()[1] for called in CONTRACT["commands"] if called.startswith(f"{name} ")}
    assert set(group.commands) == known


def test_every_command_of_the_contract_is_called_both_well_and_wrongly() -> None:
    """A case that nobody runs holds nothing: each command has one that ends in 0 and one that does not."""
    for name in CONTRACT["commands"].keys() - {"report mode"}:
        cases = [case for case in CONTRACT["cases"] if f"{case['call']} ".startswith(f"{name} ")]
        assert {case["exit"] == 0 for case in cases} == {True, False}, name


def filled(value: Any, session: str) -> Any:
    """A value of a case, with the id of the session where its name stands."""
    return session if value == SESSION else value


@pytest.mark.parametrize("case", CONTRACT["cases"], ids=lambda case: f"{case['in']}: {case['call']}")
def test_a_call_ends_and_prints_as_it_did(
    case: dict[str, Any],
    place: tuple[Path, str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    folder, session = place
    assert case.keys() <= KEYS
    monkeypatch.chdir(folder / case["in"])
    stdin = io.TextIOWrapper(io.BytesIO(case.get("stdin", "").encode()), "utf-8")
    monkeypatch.setattr(sys, "stdin", stdin)
    capfd.readouterr()
    code = exit_code([part.replace(SESSION, session) for part in shlex.split(case["call"])])
    out, err = capfd.readouterr()
    assert code == case["exit"], out + err
    if "makes" in case:
        assert (folder / case["in"] / case["makes"]).stat().st_size > 0
    hold_printed(case, out, err, session)


def hold_printed(case: dict[str, Any], out: str, err: str, session: str) -> None:
    """What a case says of the output: one JSON document, lines of JSON, an error, or a mark."""
    if "error" in case:
        case = {**case, "json": "error", "values": {"error.code": case["error"]}}
    if "json" in case:
        assert out.count("\n") == 1
        printed = json.loads(out)
        assert list(misfits(printed, case["json"], SHAPES)) == []
        hold_values(case, printed, session)
    elif "lines" in case:
        printed = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
        shapes = shapes_of(case["lines"], printed)
        assert len(printed) == len(shapes) > 0
        found = [list(misfits(line, shape, SHAPES)) for line, shape in zip(printed, shapes, strict=True)]
        assert not any(found), found
        hold_values(case, printed, session)
    elif "mark" in case:
        marks = [mark for line in (out + err).splitlines() for mark in MARKS.findall(line)]
        assert marks == ([case["mark"]] if case["mark"] else [])
    elif case["exit"] == 2:
        assert (out, err.startswith("Usage: dragoman")) == ("", True)


def shapes_of(lines: list[Any] | str, printed: list[dict[str, Any]]) -> list[Any]:
    """The shape of each line: one for all, the one that its kind names, or one after another."""
    if isinstance(lines, list):
        return lines
    return [line["kind"] if lines == "by kind" else lines for line in printed]


def hold_values(case: dict[str, Any], printed: Any, session: str) -> None:
    for path, value in case.get("values", {}).items():
        assert at(printed, str(path)) == filled(value, session), path


def test_the_lines_of_a_file_are_those_of_stdout(
    place: tuple[Path, str], capfd: pytest.CaptureFixture[str]
) -> None:
    """Apart from the time a turn took, `--jsonl OUT` writes what `--jsonl -` prints."""
    folder = place[0] / "files"
    call = ["test", str(folder / "good.jsonl"), "--db-dir", str(folder), "--jsonl"]
    assert exit_code([*call, str(folder / "out.jsonl")]) == 0
    capfd.readouterr()
    assert exit_code([*call, "-"]) == 0
    printed, written = capfd.readouterr().out, (folder / "out.jsonl").read_text("utf-8")
    one, two = ([{**json.loads(line), "ms": 0} for line in text.splitlines()] for text in (printed, written))
    assert one == two


def test_the_same_from_another_process(place: tuple[Path, str]) -> None:
    """The program itself: its exit codes, with JSON alone on standard output."""
    folder, _ = place
    for arguments, code, shape in (
        (["ask", "-c", "and for April?", "--json"], 0, "turn"),
        (["ask", "-s", "nothing", "and?", "--json"], 1, "error"),
    ):
        command = [sys.executable, "-m", "dragoman.cli", *arguments]
        done = subprocess.run(command, cwd=folder / "demo", capture_output=True, text=True, check=False)
        assert done.returncode == code, done.stderr
        assert list(misfits(json.loads(done.stdout), shape, SHAPES)) == []


# The means of this test.


@pytest.mark.parametrize(
    ("value", "shape", "wrong"),
    [
        ({"a": 1}, {"a": "number"}, []),
        ({"a": True}, {"a": "number"}, ["a is not number: True"]),
        ({"a": None}, {"a": "text"}, ["a is not text: None"]),
        ({"a": None}, {"a": "(text)"}, []),
        ({}, {"a": "text"}, ["a is missing"]),
        ({}, {"(a)": "text"}, []),
        ({"a": "x"}, {"(a)": "text"}, []),
        ({"b": 1}, {"(a)": "text"}, ["b is not in the contract: 1"]),
        ({"b": 1}, {"*": "number"}, []),
        ({"b": "x"}, {"*": "number"}, ["b is not number: 'x'"]),
        ([{"a": 1}, {"a": "x"}], [{"a": "number"}], ["1.a is not number: 'x'"]),
        ({}, [{"a": "number"}], ["it is not a list: {}"]),
        ([], {"(a)": "text"}, ["it is not an object: []"]),
        ({"x": {"code": 5}}, {"x": "(named)"}, ["x.code is not text: 5"]),
    ],
)
def test_what_does_not_fit_is_found(value: object, shape: Any, wrong: list[str]) -> None:
    assert list(misfits(value, shape, {"named": {"code": "text"}})) == wrong
