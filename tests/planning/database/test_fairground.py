"""Rows that link two things say who was what, and for how long; lists say what they are of."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.review.records import Code
from tests.planning.database.fairground import Fairground
from tests.planning.database.test_questions import Block, blocks, check, steps


@pytest.fixture(scope="module")
def fairground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fairground]:
    opened = Fairground(Path(tmp_path_factory.mktemp("fairground")) / "fairs.sqlite")
    yield opened
    opened.reader.close()


@pytest.mark.parametrize("block", blocks("fairground.txt"), ids=lambda block: block[0])
def test_a_question_gives_its_rows(fairground: Fairground, block: Block) -> None:
    ((question, lines),) = steps(block)
    best = fairground.asked(question)
    check(fairground.rows(best), lines)
    assert not fairground.planner.objections(question, "en", (best,))


@pytest.mark.parametrize("verb", ["organised", "organized", "sponsored", "participated in"])
def test_a_verb_is_the_part_that_was_played(fairground: Fairground, verb: str) -> None:
    doer = {"organised": "Organizer", "organized": "Organizer", "sponsored": "Sponsor"}
    program = fairground.written(fairground.asked(f"which parties {verb} Spring Row"))
    assert f'"{doer.get(verb, "Participant")}"' in program


def test_those_who_ask_played_no_part(fairground: Fairground) -> None:
    assert "Organizer" not in fairground.written(fairground.asked("what kinds of fairs do we organise"))


@pytest.mark.parametrize(
    ("question", "program", "code"),
    [
        ("price list of the stands", '(stands.list :columns "stand_price")', Code.LABEL_MISSING),
        ("which towns do our parties come from", '(parties.list :columns "town_code")', Code.REPEATED_ROWS),
        (
            "fairs that no staff member patrols",
            "(fairs.list :where {:staff_patrols-by-fair nil :patrols-by-fair {:not nil}})",
            Code.FILTER_UNASKED,
        ),
        (
            "who came more often than the average party",
            '(parties.list :phone {:above (parties.average :of "phone")})',
            Code.COMPARISON_MISSING,
        ),
        (
            "total price of the stands of our parties",
            '(stands.sum :of "stand_price" :where {:party_stands-by-stand {:not nil}})',
            Code.MEASURE_UNASKED,
        ),
        ("number of flyers by town", "(flyers.count)", Code.GROUP_MISSING),
        ("flyers by kind of flyer", '(flyers.count :by "flyer_id")', Code.GROUP_MISSING),
        ("which carts are dear", '(chores.list :columns "kind_id")', Code.LABEL_MISSING),
        ("names of all labels", '(posters.list :columns "labels")', Code.LABEL_MISSING),
        (
            "how many posters sold above average",
            '(poster_orders.sum :of "quantity" :where {:poster {:total_sales {:above '
            '(posters.average :of "total_sales")}}})',
            Code.MEASURE_UNASKED,
        ),
    ],
)
def test_what_was_not_asked_so_is_objected_to(
    fairground: Fairground, question: str, program: str, code: Code
) -> None:
    found = fairground.planner.objections(question, "en", read_verbs(Source(program)).statements)
    assert code in {each.code for each in found}


def test_a_title_of_two_words_is_not_its_last_word(fairground: Fairground) -> None:
    words = {
        word
        for each in fairground.frames.readings("names of the assistant managers")
        for word in each.uncovered
    }
    assert "assistant" in words


def test_a_name_that_its_code_is_not_short_for_stays_unknown(fairground: Fairground) -> None:
    assert "Pitt" in set(fairground.frames.readings("parties from Pitt (HRW)")[0].uncovered)


def test_a_program_that_leaves_the_part_out_is_objected_to(fairground: Fairground) -> None:
    text = '(parties.list :where {:parties_at_fairs-by-party {:fair {:fair_name "Spring Row"}}})'
    program = read_verbs(Source(text)).statements
    found = fairground.planner.objections("which parties organised Spring Row", "en", program)
    assert Code.VALUE_MISSING in {each.code for each in found}
