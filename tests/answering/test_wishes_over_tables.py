"""Wishes to change data over plain tables: refused as such, never answered with what can be read."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from tests.answering.places import dragoman, talk

T, M = TransitionClass, AnswerMode

_TABLES = """
CREATE TABLE clinics(id INTEGER PRIMARY KEY, name TEXT, city TEXT);
CREATE TABLE visits(id INTEGER PRIMARY KEY, clinic_id INTEGER REFERENCES clinics(id), created DATE,
  status TEXT, price REAL);
INSERT INTO clinics VALUES (1, 'Aspen', 'Oslo'), (2, 'Birch', 'Turku'), (3, 'Cedar', 'Oslo');
INSERT INTO visits VALUES (1, 1, '2024-05-03', 'open', 10), (2, 2, '2024-05-09', 'closed', 20),
  (3, 1, '2024-06-01', 'open', 30);
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder: Path = tmp_path_factory.mktemp("clinics")
    with closing(sqlite3.connect(folder / "clinics.sqlite")) as connection, connection:
        connection.executescript(_TABLES)
    dragoman("init", str(folder / "clinics.sqlite"), "-w", str(folder / "workspace"))
    with Workspace.open(folder / "workspace") as workspace:
        yield workspace


@pytest.mark.parametrize(
    "message",
    [
        "delete all visits",
        "please delete visit 2",
        "can you remove the clinic Birch?",
        "I want to create a clinic called Dogwood",
        "add a new visit for Aspen",
        "rename the clinic Aspen to Alder",
        "set the status of visit 1 to closed",
        "mark visit 1 as closed",
        "move Aspen to Turku",
        "close the visit of Aspen",
        "insert a row into visits",
        "удали все визиты",
        "создай клинику Ольха",
        "закрой визит",
        "모든 방문을 삭제해 줘",
        "병원을 추가해 줘",
        "lösche alle Besuche",
    ],
)
@pytest.mark.parametrize("first", [(), ("list clinics",)])
def test_a_wish_is_refused(workspace: Workspace, first: tuple[str, ...], message: str) -> None:
    *_, refused = talk(workspace, *first, message)
    assert (refused.transition, refused.answer_mode, refused.rows) == (T.T10, M.UNSUPPORTED, ())
    if not first:
        assert refused.reason_codes == ("write_not_supported",)


@pytest.mark.parametrize(
    "message",
    [
        "reschedule it",
        "please sponsor them",
        "sue him",
        "buy more",
        "file the insurance claim",
        "refund it to the patient",
        "remind them",
        "забронируй его",
        "оплати визит",
    ],
)
def test_something_to_be_done_to_what_is_in_hand_is_a_wish_too(workspace: Workspace, message: str) -> None:
    *_, refused = talk(workspace, "list clinics", "open the first", message)
    assert (refused.transition, refused.answer_mode, refused.rows) == (T.T10, M.UNSUPPORTED, ())


@pytest.mark.parametrize(
    "message", ["show it", "count them", "sort them by name", "compare them", "list these", "where is it"]
)
def test_looking_at_what_is_in_hand_is_no_wish(workspace: Workspace, message: str) -> None:
    *_, looked = talk(workspace, "list clinics", message)
    assert "write_not_supported" not in looked.reason_codes


@pytest.mark.parametrize(
    ("message", "rows"),
    [
        ("visits created in May", 2),
        ("closed visits", 1),
        ("how many visits were closed", 1),
        ("open visits", 2),
        ("list the clinics", 3),
    ],
)
def test_what_was_done_is_read(workspace: Workspace, message: str, rows: int) -> None:
    (answer,) = talk(workspace, message)
    assert (answer.answer_mode, answer.row_count) == (M.CONFIRMED, rows)


@pytest.mark.parametrize("message", ["add their city", "only those in Oslo"])
def test_an_order_about_the_question_in_hand_is_no_wish_to_change_data(
    workspace: Workspace, message: str
) -> None:
    *_, edited = talk(workspace, "list clinics", message)
    assert (edited.transition, edited.answer_mode) == (T.T2, M.CONFIRMED)
