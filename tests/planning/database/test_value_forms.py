"""Words that mean a value without being it: other names, forms, compounds; and whose value it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.planning.database.hearing import is_sure
from dragoman.workspace.setup import make_from_database
from tests.planning.database.ferry_line import FerryLine
from tests.planning.database.hire_shop import make
from tests.planning.database.test_questions import Block, blocks, check, steps


@pytest.fixture(scope="module")
def ferry_line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FerryLine]:
    opened = FerryLine(Path(tmp_path_factory.mktemp("ferry")) / "ferry.sqlite")
    yield opened
    opened.reader.close()


@pytest.mark.parametrize("block", blocks("ferry_line.txt"), ids=lambda block: block[0])
def test_a_question_gives_its_rows(ferry_line: FerryLine, block: Block) -> None:
    ((question, lines),) = steps(block)
    check(ferry_line.rows(ferry_line.asked(question)), lines)


@pytest.mark.parametrize("question", ["French clubs", "how many active passes do we have", "active clubs"])
def test_what_rows_are_themselves_is_sure(ferry_line: FerryLine, question: str) -> None:
    best = ferry_line.readings(question)[0]
    assert is_sure(best)
    assert not ferry_line.planner.objections(question, "en", (best.statement,))


@pytest.mark.parametrize(
    "question", ["Dutch clubs", "weekly tariffs", "how many inorganic holders are there", "X-graded notes"]
)
def test_what_is_akin_to_no_value_is_not_answered(ferry_line: FerryLine, question: str) -> None:
    best = ferry_line.readings(question)[0]
    assert not is_sure(best) or ferry_line.planner.objections(question, "en", (best.statement,))


def test_a_month_is_still_gathered_by(ferry_line: FerryLine) -> None:
    assert ":by" in ferry_line.written(ferry_line.asked("monthly charges"))


def test_some_of_the_rows_in_hand_are_counted_and_not_judged(tmp_path: Path) -> None:
    make(tmp_path / "ferry.sqlite", FerryLine.script)
    home = tmp_path / "home"
    home.mkdir()
    make_from_database(home, str(tmp_path / "ferry.sqlite"))
    with Workspace.open(home) as workspace:
        session = workspace.new_session()
        workspace.ask(session, "how many notes were written in 2022")
        assert workspace.ask(session, "how many of those were high priority?").rows == ((2,),)
