"""Where money stands twice, and rows hold for a time: what is meant, what is asked, what is objected to."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database.hearing import is_sure
from tests.planning.database.nursery import Nursery
from tests.planning.database.test_questions import Block, blocks, check, steps

SALES: Final = '{:times ["price_each" "quantity"]}'


@pytest.fixture(scope="module")
def nursery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nursery]:
    opened = Nursery(Path(tmp_path_factory.mktemp("nursery")) / "nursery.sqlite")
    yield opened
    opened.reader.close()


@pytest.mark.parametrize("block", blocks("nursery.txt"), ids=lambda block: block[0])
def test_a_question_gives_its_rows(nursery: Nursery, block: Block) -> None:
    ((question, lines),) = steps(block)
    check(nursery.rows(nursery.asked(question)), lines)


@pytest.mark.parametrize("block", blocks("nursery_follow_ups.txt"), ids=lambda block: block[0])
def test_every_step_of_a_conversation_gives_its_rows(nursery: Nursery, block: Block) -> None:
    (question, _), *rest = steps(block)
    statement = nursery.asked(question)
    for message, lines in rest:
        statement = nursery.asked(message, statement)
        check(nursery.rows(statement), lines)


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [
        # Money that was made may be what was sold or what was paid.
        ("how much money did we make in 2022", "payments.sum", "order_items.sum"),
        # Wages of people who have had several: those of now, or all there were.
        ("total wage of Sela Voss", ":to_date 9999-01-01", ""),
    ],
)
def test_what_the_words_leave_open_is_asked(nursery: Nursery, question: str, one: str, other: str) -> None:
    readings = nursery.readings(question)
    assert not is_sure(readings[0])
    first, second = (nursery.written(each.statement) for each in readings[:2])
    assert {one in first, one in second} == {True, False}
    assert other in first + second


def test_a_question_of_its_own_is_read_without_what_opens_it(nursery: Nursery) -> None:
    before = nursery.asked("buyers in Kendal")
    message = "ok now the number of orders by status"
    assert nursery.planner.is_new(message, before)
    assert nursery.planner.own_words(message).split() == ["the", "number", "of", "orders", "by", "status"]
    assert not nursery.planner.is_new("now only those above 50", before)


def test_a_column_that_only_half_of_a_name_fits_is_not_sure(nursery: Nursery) -> None:
    assert not is_sure(nursery.readings("plants ordered by list price")[0])


@pytest.mark.parametrize(
    ("message", "program", "code"),
    [
        (
            "total sales in 2022",
            '(payments.sum :of "amount" :during [2022-01-01 2022-12-31])',
            "column_contradicted",
        ),
        (
            "how much was paid in 2022",
            f"(order_items.sum :of {SALES})",
            "column_contradicted",
        ),
        (
            "how many units did we sell of Lady fern",
            f'(order_items.sum :of {SALES} :where {{:plant {{:plant_name "Lady fern"}}}})',
            "counted_missing",
        ),
        ("the tender of each plot", '(plots.list :columns ["plot_no" "plot_name"])', "shown_missing"),
        (
            "plants ranked by stock",
            '(plants.list :columns ["plant_name" "in_stock"] :order "in_stock")',
            "direction_missing",
        ),
        (
            "loss percentage of each plant",
            '(plants.share :that {:hardiness "A"} :by "plant_name")',
            "measure_missing",
        ),
    ],
)
def test_the_second_reader_objects(nursery: Nursery, message: str, program: str, code: str) -> None:
    found = nursery.planner.objections(message, "en", read_verbs(Source(program)).statements)
    assert code in {each.code for each in found}


@pytest.mark.parametrize(
    ("message", "program"),
    [
        (
            "total sales in 2022",
            f'(order_items.sum :of {SALES} :on "order/order_date" :during [2022-01-01 2022-12-31])',
        ),
        (
            "amount paid by Hollins Ltd",
            '(payments.sum :of "amount" :where {:buyer {:buyer_name "Hollins Ltd"}})',
        ),
        ("how many units did we sell", '(order_items.sum :of "quantity")'),
        (
            "plants ranked by stock",
            '(plants.list :columns ["plant_name" "in_stock"] :order {:desc "in_stock"})',
        ),
        (
            "how many different gardeners tended a plot",
            "(gardeners.count :where {:plot_tender-by-gardener {:not nil}})",
        ),
    ],
)
def test_the_second_reader_lets_the_right_program_pass(nursery: Nursery, message: str, program: str) -> None:
    assert nursery.planner.objections(message, "en", read_verbs(Source(program)).statements) == ()
