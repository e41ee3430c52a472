"""Every command has --json, and prints nothing else with it: each is run on a workspace, and what it prints
is held against the shape in tests/data/commands.yaml. A new command fails here until it is recorded there."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import pytest
import yaml

from dragoman.cli.application import dragoman as application
from tests.called import exit_code
from tests.command_ground import lay_commands
from tests.contract_ground import SESSION
from tests.contract_shapes import at, bare, misfits
from tests.test_contract import SHAPES, filled
from tools.checkout import ROOT

RECORDED: Final = yaml.safe_load((Path(__file__).parent / "data" / "commands.yaml").read_text("utf-8"))
CASES: Final[dict[str, list[dict[str, Any]]]] = RECORDED["cases"]
ALL_SHAPES: Final = {**SHAPES, **RECORDED["shapes"]}
KEYS: Final = {"in", "call", "stdin", "exit", "json", "lines", "values"}


def commands(group: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Every command of the tree that does something, by the words that call it."""
    if not isinstance(group, click.Group):
        yield " ".join(path), group
        return
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        yield from commands(found, (*path, name))


TREE: Final = dict(commands(application))


@pytest.mark.parametrize("name", TREE)
def test_a_command_takes_json_and_has_a_recorded_shape(name: str) -> None:
    assert "--json" in {option for each in TREE[name].params for option in each.opts}
    assert CASES.get(name), f"record what {name} --json prints in tests/data/commands.yaml"


def test_nothing_is_recorded_of_a_command_that_is_gone() -> None:
    assert CASES.keys() <= TREE.keys()
    for name, cases in CASES.items():
        for case in cases:
            assert case.keys() <= KEYS
            words = shlex.split(case["call"])
            assert words[: len(name.split())] == name.split()
            assert "--json" in words


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("DRAGOMAN_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    folder = tmp_path_factory.mktemp("commands")
    return folder, lay_commands(folder)


@pytest.mark.parametrize(
    "case", [case for cases in CASES.values() for case in cases], ids=lambda case: case["call"]
)
def test_nothing_but_json_is_printed(
    case: dict[str, Any],
    ground: tuple[Path, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    laid, session = ground
    folder = shutil.copytree(laid, tmp_path / "ground")
    monkeypatch.chdir(folder / case["in"])
    given = io.TextIOWrapper(io.BytesIO(case.get("stdin", "").encode()), "utf-8")
    monkeypatch.setattr(sys, "stdin", given)
    capfd.readouterr()
    code = exit_code([part.replace(SESSION, session) for part in shlex.split(case["call"])])
    out, err = capfd.readouterr()
    assert code == case.get("exit", 0), out + err
    printed = [json.loads(line) for line in out.splitlines()]
    if "lines" in case:
        shapes: list[Any] = case["lines"]
        held: Any = printed
    else:
        shapes = [case["json"]]
        (held,) = printed
    assert len(printed) == len(shapes)
    for document, shape in zip(printed, shapes, strict=True):
        assert list(misfits(document, shape, ALL_SHAPES)) == []
    for path, value in case.get("values", {}).items():
        assert at(held, str(path)) == filled(value, session), path


ONCE: Final = {name.split()[0]: cases[0] for name, cases in reversed(CASES.items())}
"""The first recorded case of each command of the first rank, whose subcommands share a module."""


@pytest.mark.parametrize("name", ONCE)
def test_a_process_of_its_own_prints_the_same(name: str, ground: tuple[Path, str], tmp_path: Path) -> None:
    """The other tests call commands in their own process, which has imported everything already."""
    laid, session = ground
    case, folder = ONCE[name], shutil.copytree(laid, tmp_path / "ground")
    words = [part.replace(SESSION, session) for part in shlex.split(case["call"])]
    done = subprocess.run(
        [sys.executable, "-m", "dragoman.cli", *words],
        cwd=folder / case["in"],
        input=case.get("stdin", "").encode(),
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == case.get("exit", 0), done.stderr
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    shapes: list[Any] = case["lines"] if "lines" in case else [case["json"]]
    assert len(printed) == len(shapes)
    for document, shape in zip(printed, shapes, strict=True):
        assert list(misfits(document, shape, ALL_SHAPES)) == []


def test_a_chat_whose_stdin_is_closed_ends(ground: tuple[Path, str], tmp_path: Path) -> None:
    """A pipe that closes ends the conversation; so does a process that never had one."""
    folder = shutil.copytree(ground[0] / "demo", tmp_path / "demo")
    call = [sys.executable, "-m", "dragoman.cli", "chat", "--json"]
    asked = subprocess.run(
        call, cwd=folder, input=b"\xff\xfe\nhelp\n", capture_output=True, check=False, timeout=60
    )
    first, second = (json.loads(line) for line in asked.stdout.splitlines())
    assert (asked.returncode, first["error"]["code"]) == (0, "input_not_utf8")
    assert second["transition"] == "X_HELP"
    quiet = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *call], cwd=folder, capture_output=True, check=False, timeout=60
    )
    assert (quiet.returncode, quiet.stdout) == (0, b""), quiet.stderr


ROW: Final = re.compile(r"^\| `([a-z ]+)` \| (.+) \|$", re.MULTILINE)


def test_the_shapes_are_documented() -> None:
    """docs/command-line.md has a row for every command, with every key that is always there."""
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    section = page.partition("## What --json prints")[2].partition("\n## ")[0]
    rows = dict(ROW.findall(section))
    assert rows.keys() == TREE.keys()
    for name, cases in CASES.items():
        for shape in (case["json"] for case in cases if "json" in case and case["json"] != "error"):
            inner = shape[0] if isinstance(shape, list) else shape
            keys = [key for key in ALL_SHAPES[inner] if key == bare(key) != "*"]
            told = set(re.findall(r"[A-Za-z_$]+", rows[name]))
            assert inner == "turn" or told.issuperset(keys), (name, inner)
