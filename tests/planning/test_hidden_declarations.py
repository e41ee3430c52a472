"""A hidden column teaches nothing: neither what its comment says, nor what it may hold."""

from pathlib import Path
from typing import Final

import pytest

from dragoman import Workspace
from dragoman.contracts.schema import Dialect
from dragoman.contracts.vocabulary import AnswerMode
from tests.engine.guarded_ground import company

SCRIPT: Final = """
CREATE TABLE employee (
  id INTEGER PRIMARY KEY, name VARCHAR, region VARCHAR, salary INTEGER, grade INTEGER,
  note VARCHAR CHECK (note IN ('crimson', 'teal'))
);
COMMENT ON COLUMN employee.salary IS '1 = underpaid, 2 = overpaid';
COMMENT ON COLUMN employee.note IS 'medical remark';
COMMENT ON COLUMN employee.grade IS '1 = junior, 2 = senior';
INSERT INTO employee VALUES
  (1, 'Ada', 'north', 1, 2, 'teal'), (2, 'Bo', 'north', 2, 1, NULL), (3, 'Cy', 'south', 2, 2, 'teal');
"""
HIDDEN: Final = (
    "how many underpaid employees are there?",
    "medical remark of Ada",
)


@pytest.mark.parametrize("role", ["analyst", "boss"])
def test_only_whoever_sees_a_column_knows_its_words(
    role: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with company(Dialect.DUCKDB, tmp_path, request, SCRIPT) as made:
        made.discover()
        sees = role == "boss"
        with Workspace.open(made.seen_by(role)) as workspace:
            for question in HIDDEN:
                answered = workspace.ask(workspace.new_session(), question)
                assert (answered.answer_mode is AnswerMode.CONFIRMED) is sees, answered.message
            # What a guarded column may hold is kept for nobody.
            guarded = workspace.ask(workspace.new_session(), "employees whose note is crimson")
            assert guarded.answer_mode is not AnswerMode.CONFIRMED
            visible = workspace.ask(workspace.new_session(), "how many senior employees are there?")
            assert [[str(cell) for cell in row] for row in visible.rows] == [["2" if sees else "1"]]
        kept = b"".join(path.read_bytes() for path in made.folder.rglob("schemas/*.json"))
        assert b'"crimson"' not in kept
