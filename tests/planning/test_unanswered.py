"""A follow-up on a question that was not answered is read against each reading that the question had."""

import pytest

from dragoman.contracts.program import Argument, Program, Statement, Text
from dragoman.contracts.state import AttemptReading, AttemptState
from dragoman.planning.database.lean import lean_of
from dragoman.planning.database.offers import ASKED, MOST
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.unanswered import readings_after, readings_past, readings_past_refusal

TOWNS, SHOPS = Statement("town.count", (), ""), Statement("shop.count", (), "")
FAIRS, BOATS = Statement("fair.count", (), ""), Statement("boat.count", (), "")
IN_BONN, OF_BONN = Statement("town.list", (), ""), Statement("shop.list", (), "")
ALONE = Statement("lake.list", (), "")


def _attempt(*readings: tuple[Statement, float]) -> AttemptState:
    return AttemptState("those there", tuple(AttemptReading((each,), chance) for each, chance in readings))


def _follow(statement: Statement, score: float, *uncovered: str) -> TableReading:
    return TableReading(statement, score, uncovered, (), follow_up=True)


def test_it_is_as_likely_as_what_it_rests_on_and_itself_together() -> None:
    def read(base: Program) -> tuple[TableReading, ...]:
        return (_follow(IN_BONN if base == (TOWNS,) else OF_BONN, 0.9),)

    found = readings_after(_attempt((TOWNS, 0.6), (SHOPS, 0.3)), read)
    assert [each.statement for each in found] == [IN_BONN, OF_BONN]
    assert [each.score for each in found] == pytest.approx([0.54, 0.27])


def test_what_it_means_in_any_case_is_as_likely_as_all_cases() -> None:
    found = readings_after(_attempt((TOWNS, 0.5), (SHOPS, 0.3)), lambda _: (_follow(IN_BONN, 0.9),))
    assert [each.score for each in found] == pytest.approx([0.72])


def test_it_is_never_sure() -> None:
    found = readings_after(_attempt((TOWNS, 0.99), (SHOPS, 0.9)), lambda _: (_follow(IN_BONN, 0.99),))
    assert [each.score for each in found] == [MOST]


def test_what_stands_by_itself_is_as_likely_as_it_is() -> None:
    alone = TableReading(ALONE, 0.9, (), ())
    found = readings_after(
        _attempt((TOWNS, 0.2), (SHOPS, 0.1)), lambda _: (alone, _follow(IN_BONN, 0.9, "blue"))
    )
    assert found[0] == alone
    assert [each.statement for each in found] == [ALONE, IN_BONN], "what leaves a word out comes last"


def test_a_few_readings_are_followed() -> None:
    asked: list[Program] = []

    def read(base: Program) -> tuple[TableReading, ...]:
        asked.append(base)
        return ()

    assert readings_after(_attempt((TOWNS, 0.5), (SHOPS, 0.4), (FAIRS, 0.3), (BOATS, 0.2)), read) == ()
    assert asked == [(TOWNS,), (SHOPS,), (FAIRS,)]


# Past the question, to what was answered before it.

NEVER, ALWAYS = (lambda readings: False), (lambda readings: True)


def _behind(slice_reading: TableReading) -> object:
    """The message means this behind the slice of shops, and hardly anything elsewhere."""

    def read(base: Program) -> tuple[TableReading, ...]:
        return (slice_reading,) if base == (SHOPS,) else (_follow(IN_BONN, 0.2),)

    return read


def test_a_sure_change_of_the_slice_is_taken_where_the_attempt_will_not_do() -> None:
    read = _behind(_follow(OF_BONN, 0.9))
    assert callable(read)
    (found,) = readings_past(_attempt((TOWNS, 0.4)), (SHOPS,), read, NEVER)
    assert (found.statement, found.score, found.of_slice) == (OF_BONN, 0.9, True)


def test_the_attempt_goes_first_where_it_will_do() -> None:
    read = _behind(_follow(OF_BONN, 0.9))
    assert callable(read)
    assert [each.statement for each in readings_past(_attempt((TOWNS, 0.4)), (SHOPS,), read, ALWAYS)] == [
        IN_BONN
    ]


@pytest.mark.parametrize(
    "slice_reading",
    [
        _follow(OF_BONN, 0.6),
        _follow(OF_BONN, 0.9, "blue"),
        _follow(FAIRS, 0.9),
        TableReading(OF_BONN, 0.9),
    ],
    ids=["not sure", "a word is left", "another table", "no follow-up"],
)
def test_what_is_no_sure_change_of_the_slice_is_left(slice_reading: TableReading) -> None:
    read = _behind(slice_reading)
    assert callable(read)
    found = readings_past(_attempt((TOWNS, 0.4)), (SHOPS,), read, NEVER)
    assert [(each.statement, each.of_slice) for each in found] == [(IN_BONN, False)]


def test_without_an_answered_slice_nothing_is_read_twice() -> None:
    asked: list[Program] = []

    def read(base: Program) -> tuple[TableReading, ...]:
        asked.append(base)
        return ()

    assert readings_past(_attempt((TOWNS, 0.4)), (), read, NEVER) == ()
    assert asked == [(TOWNS,)]


def test_the_only_reading_that_was_offered_is_followed() -> None:
    """Whoever goes on from it has nothing against it: it is likely enough to be asked about."""
    found = readings_after(_attempt((TOWNS, 0.3)), lambda _: (_follow(IN_BONN, 0.9),), pending=True)
    assert [each.score for each in found] == [ASKED]
    found = readings_after(_attempt((TOWNS, 0.3)), lambda _: (_follow(IN_BONN, 0.6),), pending=True)
    assert [each.score for each in found] == pytest.approx([0.18]), "itself it has to be sure"
    swapped = Statement("town.count", (Argument("region", Text("Ulm")),), "")
    found = readings_after(_attempt((TOWNS, 0.3)), lambda _: (_follow(swapped, 0.6),), pending=True)
    assert [each.score for each in found] == [ASKED], "or only another value"


def test_what_points_at_a_pending_question_is_no_change_of_the_answer_before() -> None:
    read = _behind(_follow(OF_BONN, 0.9))
    assert callable(read)
    attempt = _attempt((TOWNS, 0.4), (FAIRS, 0.3))
    found = readings_past(attempt, (SHOPS,), read, NEVER, pending=True, points=True)
    assert not any(each.of_slice for each in found)


def test_what_goes_on_from_the_question_as_well_as_from_the_answer_is_asked_about() -> None:
    def read(base: Program) -> tuple[TableReading, ...]:
        return (_follow(OF_BONN if base == (SHOPS,) else IN_BONN, 0.9),)

    attempt = _attempt((TOWNS, 0.4), (FAIRS, 0.3))
    found = readings_past(attempt, (SHOPS,), read, NEVER, pending=True)
    assert [(each.statement, each.score) for each in found] == [(IN_BONN, ASKED), (OF_BONN, ASKED)]


@pytest.mark.parametrize(
    ("message", "statement", "goes_on"),
    [
        ("and in Ulm?", Statement("shop.count", (Argument("town", Text("Ulm")),), ""), True),
        ("only in Ulm", Statement("shop.count", (Argument("town", Text("Ulm")),), ""), False),
        ("how many of them in Ulm", Statement("shop.count", (Argument("town", Text("Ulm")),), ""), False),
        ("and by town?", Statement("shop.count", (Argument("by", Text("town")),), ""), False),
        ("and the names?", Statement("shop.list", (Argument("columns", Text("name")),), ""), False),
    ],
)
def test_after_a_refusal_only_another_value_goes_on_from_the_answer(
    message: str, statement: Statement, goes_on: bool
) -> None:
    for attempt in (AttemptState("those there"), _attempt((TOWNS, 0.4))):
        read = _behind(_follow(statement, 0.9))
        assert callable(read)
        found = readings_past_refusal(attempt, (SHOPS,), read, NEVER, lean_of(message))
        assert (statement in [each.statement for each in found]) is goes_on
