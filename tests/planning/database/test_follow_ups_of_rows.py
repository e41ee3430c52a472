"""What is said of the rows or groups in hand: who they are for, how many each has, what the first one did."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman.contracts.program import Statement
from dragoman.planning.database.follow_up import edits_of
from dragoman.planning.database.unwriter import frame_of
from dragoman.planning.database.writer import written
from tests.planning.database.hire_shop import HireShop
from tests.planning.database.orchard import Orchard
from tests.planning.database.test_follow_up import readings
from tests.tables.test_engines import statement

FERRIES: Final = """
CREATE TABLE pier (pier_id INTEGER PRIMARY KEY, name TEXT, island TEXT);
INSERT INTO pier VALUES (1, 'Norra', 'Orno'), (2, 'Sodra', 'Orno'), (3, 'Vastra', 'Muskan');
CREATE TABLE skipper (skipper_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT);
INSERT INTO skipper VALUES (1, 'Alva', 'Berg'), (2, 'Nils', 'Ek');
CREATE TABLE crossing (crossing_id INTEGER PRIMARY KEY, sailed_on DATE, skipper_id INTEGER REFERENCES skipper,
  departure_pier INTEGER REFERENCES pier, arrival_pier INTEGER REFERENCES pier, delayed INTEGER,
  cars INTEGER);
INSERT INTO crossing VALUES (1, '2023-05-02', 1, 1, 3, 0, 4), (2, '2023-06-11', 1, 1, 2, 1, 9),
  (3, '2023-06-12', 2, 2, 1, 0, 2), (4, '2024-07-01', 1, 3, 1, 1, 7);
"""

TOP: Final = (
    '(crossing.count :by "skipper_id" :columns ["skipper/first_name" "skipper/last_name" "count"]'
    ' :order {:desc "count"} :top 1)'
)
FIRST: Final = (
    ':skipper_id (crossing.count :by "skipper_id" :order {:desc "count"} :top 1 :columns "skipper_id")'
)
PIERS: Final = '(pier.list :island "Orno" :columns "name")'
SKIPPERS: Final = '(crossing.list :columns ["skipper/first_name" "skipper/last_name"] :distinct true)'
BY_SKIPPER: Final = (
    '(crossing.count :by "skipper_id" :columns ["skipper/first_name" "skipper/last_name" "count"])'
)
MONTH: Final = "(crossing.count :delayed 1 :during [2023-06-01 2023-06-30])"
CARS: Final = '(crossing.average :of "cars" :by "departure_pier/island" :having {:average {:above 5}})'


class Ferries(HireShop):
    script = FERRIES


@pytest.fixture(scope="module")
def ferries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ferries]:
    opened = Ferries(Path(tmp_path_factory.mktemp("ferries")) / "ferries.sqlite")
    yield opened
    opened.reader.close()


@pytest.mark.parametrize(
    ("before", "message", "after"),
    [
        # The one that has most stays the one that is spoken of.
        (TOP, "how many of those were delayed", f"(crossing.count :delayed 1 {FIRST})"),
        (TOP, "how many is that", f"(crossing.count {FIRST})"),
        (TOP, "and by year", f'(crossing.count :by "sailed_on/year" {FIRST})'),
        # A role of a link says which rows are counted for each, and each may be what rows were listed by.
        (
            PIERS,
            "how many arrivals does each of them have",
            '(crossing.count :by "arrival_pier" :where {:arrival_pier {:island "Orno"}}'
            ' :columns ["arrival_pier/name" "count"])',
        ),
        (
            PIERS,
            "how many departures does each of them have",
            '(crossing.count :by "departure_pier" :where {:departure_pier {:island "Orno"}}'
            ' :columns ["departure_pier/name" "count"])',
        ),
        (SKIPPERS, "how many crossings does each have", BY_SKIPPER),
        (
            '(crossing.count :where {:departure_pier {:name "Norra"}})',
            "and how many arrived there?",
            '(crossing.count :where {:arrival_pier {:name "Norra"}})',
        ),
        # A period takes the place of another, also of a top; groups may be held to a bare number.
        (
            '(crossing.count :by "skipper_id" :during [2023-01-01 2023-12-31] :order {:desc "count"} :top 1)',
            "and what was it in 2024?",
            '(crossing.count :by "skipper_id" :during [2024-01-01 2024-12-31] :order {:desc "count"} :top 1)',
        ),
        (
            '(crossing.count :by "departure_pier/island" :having {:above 0} :order {:desc "count"})',
            "without Muskan",
            '(crossing.count :by "departure_pier/island" :having {:above 0} :order {:desc "count"}'
            ' :where {:departure_pier {:island {:not "Muskan"}}})',
        ),
        (
            BY_SKIPPER,
            "sort that by skipper name",
            BY_SKIPPER.removesuffix(")") + ' :order "skipper/first_name")',
        ),
        # Of groups that were held to another figure there is a number, too.
        (
            CARS,
            "how many islands is that",
            '(crossing.count :also {:average "cars"} :by "departure_pier/island" :groups true'
            " :having {:average {:above 5}})",
        ),
        # The month that is said again is the month of all of them.
        (
            MONTH,
            "what percentage of that month's crossings is that",
            "(crossing.share :that {:delayed 1} :during [2023-06-01 2023-06-30])",
        ),
    ],
    ids=lambda said: said if isinstance(said, str) and said[0] != "(" else "",
)
def test_what_is_meant(ferries: Ferries, before: str, message: str, after: str) -> None:
    best = ferries.asked(message, statement(before))
    assert best.verb == statement(after).verb, ferries.written(best)
    assert ferries.rows(best) == ferries.rows(statement(after)), ferries.written(best)


def test_she_is_the_one_row_in_hand(ferries: Ferries) -> None:
    best = ferries.frames.readings("how many cars", ())[0]
    edits = edits_of("how many cars did she carry", statement(TOP), ferries.frames)
    assert best.uncovered == ()
    assert "she" not in edits[0].uncovered
    several = edits_of("how many cars did she carry", statement(BY_SKIPPER), ferries.frames)
    assert all("she" in each.uncovered for each in several)


def test_what_does_not_hold_is_of_the_same_row(orchard: Orchard) -> None:
    """Whoever picked a lot that was large and not wholly sound; each has other lots, too."""
    before = "(harvest.list :weight_kg {:above 100} :spoiled_kg {:not 4})"
    best = readings(orchard, before, "who picked those")[0]
    lots = "{:harvest-by-picker {:weight_kg {:above 100} :spoiled_kg {:not 4}}}"
    after = f'(picker.list :where {lots} :columns ["first_name" "last_name"])'
    assert orchard.rows(best.statement) == orchard.rows(statement(after)), best.statement


def test_a_not_inside_of_links_stays_inside(orchard: Orchard) -> None:
    knowledge, joins = orchard.planner.knowledge, orchard.planner.joins

    def again(said: str) -> Statement | None:
        frame = frame_of(statement(said), knowledge, joins)
        return None if frame is None else written(frame, knowledge, joins)

    for said in (
        '(orchard.list :where {:picker-by-orchard {:active {:not 1}}} :columns "name")',
        '(orchard.list :where {:picker-by-orchard {:not {:active 1}}} :columns "name")',
    ):
        assert again(said) == statement(said)
