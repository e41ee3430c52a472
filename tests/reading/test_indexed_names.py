"""Names that are too many to hold in memory: they are found in the index, exactly, nearly, or asked about."""

import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.catalog import named_entity
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from tests.answering.places import pack_workspace, talk

T, M = TransitionClass, AnswerMode
FUNDS = 300


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The funds pack with more funds than are held, and without an index of them."""
    folder = pack_workspace("funds", tmp_path_factory.mktemp("many") / "workspace")
    with closing(sqlite3.connect(folder / "funds.sqlite")) as connection, connection:
        ((cbu,),) = connection.execute("SELECT cbu_id FROM cbu WHERE name = 'ALLIANZ FUNDS'").fetchall()
        connection.executemany(
            "INSERT INTO fund VALUES (?, ?, ?, ?, 'BOND', 'EUR', 'active', '2020-01-01')",
            [(str(uuid.UUID(int=n + 1)), cbu, f"Quasar {n:04} Fund", f"XX{n:010}") for n in range(FUNDS)],
        )
    for index in (folder / ".dragoman" / "entities").rglob("*"):
        if index.is_file():
            index.unlink()
    return folder


@pytest.fixture
def workspace(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    monkeypatch.setattr(named_entity, "MOST_NAMES", 200)
    with Workspace.open(folder) as workspace:
        assert workspace._open_services().catalog.searched == ("fund",)
        yield workspace


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Quasar 0123 Fund", "Quasar 0123 Fund"),
        ("quasar 0123", "Quasar 0123 Fund"),
        ("XX0000000007", "Quasar 0007 Fund"),
        ("show Quasar 0042 Fund", "Quasar 0042 Fund"),
        ("ALLIANZ FUNDS Balanced", "ALLIANZ FUNDS Balanced"),
        ("the first row", "Alianza Fondos European Equity"),
    ],
)
def test_a_name_is_found_where_it_is_not_held(workspace: Workspace, said: str, name: str) -> None:
    _, found = talk(workspace, "list funds", said)
    assert (found.transition, found.answer_mode, found.route) == (T.T3, M.CONFIRMED, "fund.show")
    assert found.rows[0][0] == name


def test_a_name_that_fits_several_is_asked_about(workspace: Workspace) -> None:
    _, asked, chosen = talk(workspace, "list funds", "Quasar", "the second one")
    assert (asked.transition, asked.answer_mode) == (T.T3, M.CLARIFICATION_REQUIRED)
    assert all(str(option).startswith("Quasar") for option in asked.options)
    assert (chosen.transition, chosen.rows[0][0]) == (T.T7, asked.options[1])


@pytest.mark.parametrize("said", ["weather", "Zorblax 0123", "Quasar 0123 and the weather"])
def test_what_is_no_name_stays_uncovered(workspace: Workspace, said: str) -> None:
    _, refused = talk(workspace, "list funds", said)
    assert (refused.transition, refused.rows) == (T.T10, ())


def test_what_is_held_is_read_as_ever(workspace: Workspace) -> None:
    (counted,) = talk(workspace, "how many cbus in Luxembourg")
    assert counted.rows == ((16,),)
