"""How sure a passage is: what it has of the question, and whether that is what was asked for."""

from pathlib import Path

import pytest

from dragoman.contracts.knowledge import SURE
from tests.documents.places import library, written

PAGE = """# Boathouse

## Hire

Rowing boats cost 12 euros an hour, canoes 9 euros. A deposit of 50 euros is kept until the boat is back.

## Safety

Children wear life jackets at all times. Nobody goes out after sunset or in thunderstorms.

## Repairs

The workshop mends torn sails within five days. Anke Brandt runs it.

## Moorings

Moorings are given out by the harbour office in spring.
"""
SEITE = """# Gärtnerei

## Pflege

Zimmerpflanzen werden zweimal wöchentlich gegossen. Der Düngemittelschrank bleibt abgeschlossen.
"""
LIST = """# Пекарня

Хлеб пекут в пять утра. Остатки раздают после закрытия.
"""
PAGE_KO = """# 도서 정리

반납한 책은 당일 서가에 꽂습니다. 파손된 책은 사서에게 신고합니다.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path, boats_md=PAGE, garten_md=SEITE, bread_md=LIST, books_md=PAGE_KO)


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("How much does a canoe cost?", "docs/boats.md:5"),
        ("how high is the deposit for a boat", "docs/boats.md:5"),
        ("Do children have to wear life jackets?", "docs/boats.md:9"),
        ("How fast does the workshop repair a sail?", "docs/boats.md:13"),
        ("Who gives out moorings?", "docs/boats.md:17"),
        ("Wie oft werden die Pflanzen gegossen?", "docs/garten.md:5"),
        ("Ist der Schrank abgeschlossen?", "docs/garten.md:5"),
        ("Когда пекут хлеб?", "docs/bread.md:3"),
        ("что делают с остатками?", "docs/bread.md:3"),
        ("반납된 책은 언제 꽂나요?", "docs/books.md:3"),
        ("책이 파손되면 누구에게 신고하나요?", "docs/books.md:3"),
    ],
)
def test_what_stands_there_is_found_and_sure(folder: Path, question: str, place: str) -> None:
    best = library(folder).find(question)[0]
    assert (best.passage.ref, best.confidence >= SURE) == (place, True)


@pytest.mark.parametrize(
    "question",
    [
        "How much does a surfboard cost?",
        "Can I hire a motor boat with a licence?",
        "Where is the car park?",
        "Do children get ice cream?",
        "Wie oft werden die Fenster geputzt?",
        "Wer bezahlt den Dünger?",
        "Когда открывается музей?",
        "책은 얼마인가요?",
        "주차장은 어디에 있나요?",
    ],
)
def test_what_stands_nowhere_is_not_sure(folder: Path, question: str) -> None:
    assert [each for each in library(folder).find(question) if each.confidence >= SURE] == []


def test_an_amount_that_was_asked_for_has_to_stand_there(folder: Path) -> None:
    said = {
        q: library(folder).find(q)[0].confidence
        for q in ("who gives out moorings?", "how much do moorings cost?")
    }
    assert said["who gives out moorings?"] >= SURE > said["how much do moorings cost?"]


def test_a_question_in_another_language_finds_what_its_words_mean(folder: Path) -> None:
    assert library(folder).find("When is bread baked?")[0].passage.file == "docs/bread.md"


def test_words_that_only_mean_the_same_are_no_answer(tmp_path: Path) -> None:
    written(
        tmp_path, a_md="# Vault\n\nCredentials are kept in the vault by the platform team, never in mails."
    )
    assert all(each.confidence < SURE for each in library(tmp_path).find("what is the password?"))


FERRY = """# Ferry line

## Timetable

Boats leave at seven and at noon. The crossing takes forty minutes.

## Version 4.2 of the ticket machine

The machine takes coins again since May.

## Fares

A bicycle costs 3 euros. Groups get 20 percent off their fare.

## Stranding at Holm

### What happened

In June a boat ran aground near the jetty. The passengers were taken off by the harbour pilot.

### Cause

The depth sounder had been switched off for a repair.
"""


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    return written(tmp_path, ferry_md=FERRY)


def test_the_reason_stands_under_the_heading_that_announces_it(ferry: Path) -> None:
    found = library(ferry).find("Why did the boat run aground in June?")
    places = [each.passage.heading.rpartition(" › ")[2] for each in found[:2]]
    assert "Cause" in places
    assert all(each.confidence >= SURE for each in found[:2])
    asked_when = library(ferry).find("When did the boat run aground?")
    assert asked_when[0].passage.heading.endswith("What happened")


@pytest.mark.parametrize(
    ("question", "sure"),
    [
        ("Does the ticket machine of version 4.2 take coins?", True),
        ("Does the ticket machine of version 4.3 take coins?", False),
        ("Did a boat run aground near the jetty at Holm?", True),
        ("Did a boat run aground near the jetty at Skerrow?", False),
        ("How many minutes does the crossing take?", True),
        ("How many sailors does the crossing take?", False),
        ("How many euros does the crossing take?", False),
    ],
)
def test_what_is_asked_for_by_name_or_counted_has_to_be_there(ferry: Path, question: str, sure: bool) -> None:
    found = library(ferry).find(question, top=1)
    assert (bool(found) and found[0].confidence >= SURE) is sure


def test_a_number_of_the_question_is_no_answer_to_it(tmp_path: Path) -> None:
    folder = written(tmp_path, kiosk_md="# Kiosk\n\nKiosk 7.1 sells ice cream and papers.\n")
    assert library(folder).find("When does kiosk 7.1 sell ice cream?")[0].confidence < SURE
    assert library(folder).find("What does kiosk 7.1 sell?")[0].confidence >= SURE


def test_who_does_a_thing_is_less_than_the_thing(tmp_path: Path) -> None:
    sure = [
        library(written(tmp_path / word, barn_md=f"# Barn\n\nThe {word} is behind the roof.\n"))
        .find("Is the engine behind the roof?", top=1)[0]
        .confidence
        for word in ("engineer", "enginery", "engines")
    ]
    assert sure == sorted(set(sure))


def test_half_of_a_contraction_is_no_word(ferry: Path) -> None:
    assert library(ferry).find("Isn't a bicycle on the fares?", top=1)[0].confidence >= 0.85
