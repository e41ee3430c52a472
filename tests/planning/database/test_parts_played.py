"""Rows that link two things say who was what: whoever organised a fair is its organizer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.review.records import Code
from tests.planning.database.fairground import Fairground


@pytest.fixture(scope="module")
def fairground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fairground]:
    opened = Fairground(Path(tmp_path_factory.mktemp("fairground")) / "fairs.sqlite")
    yield opened
    opened.reader.close()


@pytest.mark.parametrize("verb", ["organised", "organized", "sponsored", "participated in"])
def test_a_verb_is_the_part_that_was_played(fairground: Fairground, verb: str) -> None:
    doer = {"organised": "Organizer", "organized": "Organizer", "sponsored": "Sponsor"}
    program = fairground.written(fairground.asked(f"which parties {verb} Spring Row"))
    assert f'"{doer.get(verb, "Participant")}"' in program


def test_those_who_ask_played_no_part(fairground: Fairground) -> None:
    assert "Organizer" not in fairground.written(fairground.asked("what kinds of fairs do we organise"))


def test_a_program_that_leaves_the_part_out_is_objected_to(fairground: Fairground) -> None:
    text = '(parties.list :where {:parties_at_fairs-by-party {:fair {:fair_name "Spring Row"}}})'
    program = read_verbs(Source(text)).statements
    found = fairground.planner.objections("which parties organised Spring Row", "en", program)
    assert Code.VALUE_MISSING in {each.code for each in found}
