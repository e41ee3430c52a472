"""“Run it” on a program that a person wrote, with the head that a pipeline may have."""

from pathlib import Path

import pytest

from dragoman import Workspace

ASKED = '(inventory.stock :organization "1" :as-of 2020-03-31)'


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ('(oml.pipeline :name "stock")', 7),
        ('(oml.pipeline :name "stock" :description "what there is")', 7),
        ('(oml.pipeline :name "stock" :params {:who {:type "string" :default "1"}})', 7),
    ],
)
def test_a_program_with_a_head_runs_as_its_steps_do(tmp_path: Path, head: str, rows: int) -> None:
    steps = ASKED.replace('"1"', '"${params.who}"') if "who" in head else ASKED
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        written = workspace.ask(session, f"{head}\n{steps}")
        assert written.phase == "READY"
        ran = workspace.ask(session, "run it")
        assert (ran.transition, ran.answer_mode, ran.row_count) == ("X_RUN", "confirmed", rows)
        # Running it leaves the text as it was written, head and all.
        assert ran.program == written.program
        assert "oml.pipeline" in ran.program


def test_one_row_is_one_row(tmp_path: Path) -> None:
    """In what was found, in what was written, and in the words of a program, in every language."""
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        found = workspace.ask(session, "receivables of Beta Retail as of 31 March 2020")
        assert found.row_count == 1
        assert "recounted 1 row" in [each.snippet for each in found.evidence]
        workspace.ask(session, "save that as csv")
        written = workspace.ask(session, "yes")
        assert "1 row (" in written.message
        assert [each.snippet for each in written.evidence] == ["1 row written"]
