"""Where two planners are heard together: which statements say the same, and how far they agree."""

import pytest

from dragoman.contracts.program import Statement
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database.judgement import evidence
from dragoman.planning.database.sameness import alike
from tests.planning.database.hire_shop import HireShop

SPAN = "[2024-01-01 2024-12-31]"


def _statement(text: str) -> Statement:
    return read_verbs(Source(text)).statements[0]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (f":hired {{:between {SPAN}}}", f':on "hired" :during {SPAN}', True),
        (f":hired {{:between {SPAN}}}", f':on "born" :during {SPAN}', False),
        # A period that names no date is of the only one that the table has.
        (f":hired {{:between {SPAN}}}", f":during {SPAN}", True),
        (f':on "office/opened" :during {SPAN}', f":during {SPAN}", False),
        (f':on "hired" :during {SPAN}', f':on "born" :during {SPAN}', False),
    ],
)
def test_a_period_of_another_date_is_another_question(one: str, other: str, expected: bool) -> None:
    assert alike(_statement(f"(staff.count {one})"), _statement(f"(staff.count {other})")) is expected


@pytest.mark.parametrize(
    ("question", "expected"), [("how many customers are there", 1.0), ("which item is the heaviest", 0.0)]
)
def test_who_agrees_in_the_rows_may_differ_in_what_is_shown(
    hire_shop: HireShop, question: str, expected: float
) -> None:
    heard = hire_shop.planner.heard(question)
    marks = evidence(question, heard.framed, heard.learned, follows=False)
    assert heard.learned is not None
    assert marks["agree"] == 1.0
    assert (marks["same shown"], marks["agree probability"]) == (expected, heard.learned.reading.score)
