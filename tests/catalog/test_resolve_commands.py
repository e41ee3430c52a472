"""`resolve` and `entities create` on the funds pack and its demo database, as a user runs them."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.catalog.test_commands import dragoman

ALLIANZ = "19eba7a4-52c1-4d0e-9a63-0c5f8e2b7d11"
PROGRAM = (
    '(session.set-cbu :cbu-id "allianz" :as @s)\n(cbu.assign-manager :cbu "ALLIANZ FUNDS" :manco "Kestrel")\n'
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("funds")
    assert dragoman("init", "--pack", "funds", cwd=folder).returncode == 0
    (folder / "a.verbs").write_text(PROGRAM)
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of the workspace that may be changed."""
    shutil.copytree(made, tmp_path / "work")
    return tmp_path / "work"


def resolved(folder: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    done = dragoman("resolve", "a.verbs", "--json", *arguments, cwd=folder)
    return done.returncode, json.loads(done.stdout)


def test_what_is_open_is_shown_with_its_matches(made: Path) -> None:
    code, told = resolved(made)
    assert (code, told["ok"]) == (1, False)
    first, exact, last = told["references"]
    assert [first["open"], exact["open"], last["open"]] == [True, False, True]
    assert (exact["bound_by"], exact["resolution"]["entity_id"]) == ("rule", ALLIANZ)
    assert [match["display"] for match in last["matches"]] == [
        "Kestrel Management Company",
        "Kestrel Capital Management",
    ]
    shown = dragoman("resolve", "a.verbs", cwd=made)
    assert "#2" in shown.stderr
    assert shown.stdout.startswith('(session.set-cbu :cbu-id "allianz" :as @s)')


def test_choices_lead_to_a_program_that_compiles(made: Path) -> None:
    code, told = resolved(made, "--pick", "1=#2", "--search", "3=kestrel capital management")
    assert (code, told["ok"], told["partial"]) == (0, True, False)
    assert [each["bound_by"] for each in told["references"]] == ["person", "rule", "rule"]
    (made / "b.verbs").write_text(told["program"])
    assert dragoman("check", "b.verbs", cwd=made).returncode == 0
    by_key = resolved(made, "--pick", f"1={ALLIANZ}", "--pick", "3=#1")[1]
    assert by_key["program"].count(ALLIANZ) == 2
    again = resolved(made, "--pick", f"{told['references'][0]['ref_id']}={ALLIANZ}", "--pick", "3=#1")[1]
    assert again["program"] == by_key["program"]


def test_filters_and_none_of_these(made: Path) -> None:
    narrowed = resolved(made, "--filter", "3:jurisdiction=GB")[1]["references"][2]
    assert [match["display"] for match in narrowed["matches"]] == ["Kestrel Capital Management"]
    assert resolved(made, "--none", "3")[1]["references"][2]["matches"] == []


def test_skipping_is_said_to_be_partial(made: Path) -> None:
    code, told = resolved(made, "--skip", "1", "--pick", "3=#1")
    assert (code, told["partial"], told["left_out"]) == (0, True, 1)
    assert "session.set-cbu" not in told["program"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--pick", "9=#1"], "reference_unknown"),
        (["--pick", "1=#9"], "match_unknown"),
        (["--pick", "1=nobody"], "match_unknown"),
        (["--pick", "2=#1"], "reference_settled"),
        (["--filter", "1:colour=red"], "entity_filter_unknown"),
        (["--create", "1", "--set", "nme=x"], "arguments_not_fit"),
    ],
)
def test_what_does_not_fit_is_told(made: Path, arguments: list[str], code: str) -> None:
    status, told = resolved(made, *arguments)
    assert (status, told["error"]["code"]) == (1, code)


@pytest.mark.parametrize("arguments", [["--pick", "1"], ["--filter", "x"], ["--yes"], ["--set", "a=b"]])
def test_wrong_usage(made: Path, arguments: list[str]) -> None:
    assert dragoman("resolve", "a.verbs", *arguments, cwd=made).returncode == 2


def test_making_something_new_waits_for_a_yes(folder: Path) -> None:
    chosen = ["--pick", "1=#1", "--create", "3", "--set", "jurisdiction=Luxembourg"]
    code, told = resolved(folder, *chosen)
    creation = told["creation"]
    assert (code, creation["ready"], creation["written"]) == (1, True, None)
    assert "(manco.create" in creation["program"]
    assert '"LU" ; Luxembourg' in creation["program"]
    assert "Kestrel Management" in str(told["references"][2]["matches"])
    code, told = resolved(folder, *chosen, "--set", "name=Kestrel Two", "--yes", "--run-id", "r1")
    assert code == 0
    key = told["creation"]["written"]["key"]
    assert told["references"][2]["resolution"] == {"status": "created_new", "entity_id": key}
    assert f'"{key}" ; Kestrel Two' in told["program"]
    again = resolved(folder, *chosen, "--set", "name=Kestrel Two", "--yes", "--run-id", "r1")[1]
    assert again["creation"]["written"]["repeated"]
    assert again["program"] == told["program"]
    found = json.loads(dragoman("entities", "search", "manco", "kestrel two", "--json", cwd=folder).stdout)
    assert [match["key"] for match in found["found"]["matches"] if match["how"] == "exact"] == [key]


def test_what_is_not_ready_is_not_made(folder: Path) -> None:
    code, told = resolved(folder, "--create", "3", "--set", "jurisdiction=Lux", "--yes")
    assert (code, told["creation"]["ready"], told["creation"]["written"]) == (1, False, None)
    assert told["creation"]["open"][0]["argument"] == "jurisdiction"


def test_entities_are_made_by_themselves_too(folder: Path) -> None:
    asked = ["entities", "create", "cbu", "--set", "name=New One", "--set", "jurisdiction=Ирландия"]
    missing = dragoman(*asked, cwd=folder)
    assert missing.returncode == 1
    assert "cbu.create needs client-type" in missing.stderr
    whole = [*asked, "--set", "client-type=FUND"]
    shown = dragoman(*whole, cwd=folder)
    assert (shown.returncode, "--yes runs it" in shown.stderr) == (0, True)
    made = json.loads(dragoman(*whole, "--yes", "--json", cwd=folder).stdout)
    assert made["written"]["rows"] == 1
    assert dragoman("entities", "create", "jurisdiction", cwd=folder).returncode == 1
    settings = folder / "dragoman.yaml"
    for text in ("version: 1\n", "viewer: {name: bo, roles: [analyst]}\n"):
        settings.write_text(text)
        refused = dragoman(*whole, "--yes", "--json", cwd=folder)
        assert json.loads(refused.stdout)["error"]["code"] == "policy_violation", refused.stdout


def test_outside_of_a_workspace_it_is_said_how_to_get_one(tmp_path: Path) -> None:
    (tmp_path / "a.verbs").write_text(PROGRAM)
    for arguments in (["resolve", "a.verbs"], ["entities", "create", "cbu"]):
        told = dragoman(*arguments, cwd=tmp_path)
        assert told.returncode == 1
        assert "init --pack funds" in told.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["a.verbs"]
