"""Which date a period speaks of, and periods over texts and over years that are numbers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.reading.period_grammar import period_grammar
from tests.planning.database.lighthouse import SCRIPT
from tests.planning.database.planned_database import TODAY, PlannedDatabase


@pytest.fixture(scope="module")
def lighthouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlannedDatabase]:
    opened = PlannedDatabase(Path(tmp_path_factory.mktemp("lighthouse")) / "lighthouse.sqlite", SCRIPT)
    yield opened
    opened.reader.close()


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("how many keepers were born in the sixties", 2),
        ("how many keepers were born in the 1970s", 1),
        ("how many keepers were born before 1970", 2),
        ("how many keepers were born in March", 2),
        ("how many keepers retired in 2021", 1),
        ("how many repairs were reported in 2019", 2),
        ("how many repairs were reported in July 2019", 1),
        ("how many repairs were reported in December", 1),
        ("how many repairs started in 2020", 1),
        ("how many repairs were finished between 1 and 15 august 2019", 1),
        ("how many repairs started on or after 2020-01-03", 2),
        ("how many repairs started later than 2019", 2),
        ("how many repairs were finished in the last half of 2019", 1),
    ],
)
def test_the_verb_names_the_date(lighthouse: PlannedDatabase, question: str, count: int) -> None:
    assert lighthouse.rows(question) == [(count,)], lighthouse.program(question)


def test_a_year_in_a_key_is_a_year(lighthouse: PlannedDatabase) -> None:
    assert lighthouse.rows("how many tides in the eighties") == [(3,)]
    assert lighthouse.rows("how many tides between 1988 and 1994") == [(3,)]


def test_a_column_of_changes_is_never_meant(lighthouse: PlannedDatabase) -> None:
    assert "last_update" not in lighthouse.program("how many keepers in 2023")


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        (
            "how many repairs were finished after the planned end",
            ':finished_on {:above {:column "planned_end"}}',
        ),
        ("how many repairs were finished late", ':finished_on {:above {:column "planned_end"}}'),
        ("how many repairs were finished on time", ':finished_on {:at-most {:column "planned_end"}}'),
        ("repairs that cost more than $1,000", ":cost_cents {:above 100000}"),
        ("repairs with a cost above 2000", ":cost_cents {:above 200000}"),
    ],
)
def test_columns_and_numbers_are_compared(lighthouse: PlannedDatabase, question: str, condition: str) -> None:
    assert condition in lighthouse.program(question)


@pytest.mark.parametrize(
    ("question", "program"),
    [
        (
            "how long do repairs take on average",
            '(repair.average :of {:days ["finished_on" "started_on"]})',
        ),
        (
            "how many repairs took more than 10 days",
            '(repair.count :also {:max {:days ["finished_on" "started_on"]}} :by "repair_id" :groups true '
            ":having {:max {:above 10}})",
        ),
    ],
)
def test_days_between_dates(lighthouse: PlannedDatabase, question: str, program: str) -> None:
    assert lighthouse.program(question) == program


def test_what_took_longest(lighthouse: PlannedDatabase) -> None:
    assert lighthouse.rows("which repair took the longest")[0][0] == 4


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("how many visitors arrived in 1990", 2),
        ("how many visitors arrived in August 1990", 1),
        ("how many visitors arrived after 1989", 3),
        ("how many visitors arrived before 1990", 1),
        ("how many visitors left in 1990", 2),
    ],
)
def test_dates_that_no_engine_reads_are_read_as_texts(
    lighthouse: PlannedDatabase, question: str, count: int
) -> None:
    assert lighthouse.rows(question) == [(count,)], lighthouse.program(question)


def test_a_period_that_texts_cannot_say_is_not_covered(lighthouse: PlannedDatabase) -> None:
    text = "how many visitors arrived between 3 march 1990 and 5 june 1991"
    first, *_ = lighthouse.planner.readings(text, period_grammar().find(text), TODAY)
    assert any("1991" in word for word in first.uncovered)


def test_texts_in_order_of_years_are_sorted_with_a_doubt(lighthouse: PlannedDatabase) -> None:
    first, *_ = lighthouse.planner.readings("which visitor arrived first")
    assert "date" in first.guesses
