"""The thesaurus: words that people use for those of a schema are near them, others are not."""

import subprocess
import sys
import time
import zipfile
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from hatchling.builders.wheel import WheelBuilder

from dragoman.locales import FALLBACK, languages, thesaurus
from dragoman.locales.thesaurus import looked_up, near, translations
from dragoman.planning.tables.words import stem
from tools.checkout import ROOT

FOLDER: Final = Path(thesaurus.__file__).parent
MOST_BYTES: Final = 400_000
MOST_FOREIGN_BYTES: Final = 600_000
MOST_TIMES: Final = 4

PRESENT: Final = """
    voucher coupon, movie film, vendor supplier, salary wage, teacher teach, seller sell, sale sell,
    payment pay, delivery deliver, staff employee, client customer, maker manufacturer, brand make,
    item product, age old, order purchase, campus school, campus university, doctor physician, car automobile,
    store shop, invoice bill, surname last_name, zip_code postcode, song track, author writer,
    supplier supply, winner win
"""
FOREIGN: Final = """
    ru заказ order, ru клиент customer, ru счёт invoice, ru сотрудник employee, ru продать sell,
    ru режиссёр director, ru старый old, ru преподавать teach, ru город city, ru выручка revenue,
    ko 고객 customer, ko 주문 order, ko 직원 employee, ko 팔다 sell, ko 영화 film, ru Германия germany,
    ko 나라 country, ko 독일 germany, de Käufer buyer, de Kaeufer buyer, de Bestellung order,
    de Gehalt salary, de verkaufen sell, de Straße street, de alt old, de Hersteller manufacturer,
    de Frankreich france
"""
NOT_FOREIGN: Final = """
    ru заказ customer, ru клиент supplier, ru продать buy, ko 고객 employee, ko 팔다 buy, de Käufer seller,
    de Bestellung invoice, de alt young
"""
ABSENT: Final = """
    order command, staff stick, case time, table furniture, value esteem, track chase, school fish,
    date fruit, film celluloid, state say, client server, customer supplier, price discount, product person,
    name number
"""


def _pairs(text: str) -> list[list[str]]:
    return [[word.replace("_", " ") for word in pair.split()] for pair in text.split(",")]


@pytest.mark.parametrize(("first", "second"), _pairs(PRESENT))
def test_words_for_one_thing_are_near_both_ways(first: str, second: str) -> None:
    assert near(first)[second] >= 0.6
    assert near(second)[first] == near(first)[second]


@pytest.mark.parametrize(("first", "second"), _pairs(ABSENT))
def test_words_that_nobody_means_are_not_near(first: str, second: str) -> None:
    assert second not in near(first)
    assert first not in near(second)


def test_a_word_that_is_not_in_the_table_is_near_nothing() -> None:
    assert near("qwertyuiop") == {}
    assert near("") == {}


def test_with_a_stemmer_forms_find_stems() -> None:
    assert near("movies", stem)["film"] == near("movie")["film"]
    assert near("taught", stem)[stem("teacher")] == near("teach")["teacher"]
    assert near("zip codes", stem)[stem("postcode")] == near("zip code")["postcode"]
    assert near(stem("expenses"), stem) == near("expense", stem)
    assert stem("sale") not in near("sales", stem)


@pytest.mark.parametrize(("code", "lemma", "word"), _pairs(FOREIGN))
def test_a_foreign_word_has_its_english_words(code: str, lemma: str, word: str) -> None:
    assert translations(code, lemma)[word] >= 0.6
    assert translations(code, lemma, stem)[stem(word)] >= 0.6


@pytest.mark.parametrize(("code", "lemma", "word"), _pairs(NOT_FOREIGN))
def test_a_foreign_word_has_no_others(code: str, lemma: str, word: str) -> None:
    assert translations(code, lemma)
    assert word not in translations(code, lemma)


def test_a_word_or_a_language_without_a_table_has_no_english_words() -> None:
    assert translations("ru", "абракадабрище") == {}
    assert translations("xx", "заказ") == {}
    assert translations("en", "order") == {}


def test_every_other_language_of_the_package_has_tables() -> None:
    for code in set(languages()) - {FALLBACK}:
        assert (FOLDER / f"words-{code}.txt").is_file()
        assert (FOLDER / f"names-{code}.txt").is_file()


def test_letters_may_be_large() -> None:
    assert near("Voucher") == near("voucher") != {}


def test_every_line_can_be_read_and_is_in_order() -> None:
    words = []
    for line in (FOLDER / "near.txt").read_text("utf-8").splitlines():
        word = line.partition("\t")[0]
        words.append(word)
        weights = near(word)
        assert weights
        assert word not in weights
        assert all(0.5 <= weight <= 0.8 for weight in weights.values()), line
    assert all(first < second for first, second in pairwise(words))


@pytest.mark.parametrize("code", sorted(set(languages()) - {FALLBACK}))
def test_every_foreign_line_can_be_found(code: str) -> None:
    for table in ("words", "names"):
        lines = (FOLDER / f"{table}-{code}.txt").read_text("utf-8").splitlines()
        words = [line.partition("\t")[0] for line in lines]
        assert all(first < second for first, second in pairwise(words))
        for word in words:
            assert looked_up(word) == word
            assert all(0.6 <= weight <= 0.95 for weight in translations(code, word).values())


def test_the_tables_are_small() -> None:
    assert (FOLDER / "near.txt").stat().st_size < MOST_BYTES
    others = [*FOLDER.glob("words-*.txt"), *FOLDER.glob("names-*.txt")]
    assert sum(path.stat().st_size for path in others) < MOST_FOREIGN_BYTES


def test_the_english_table_is_loaded_without_being_taken_apart() -> None:
    """Side by side with splitting its text into lines and words, which would take every line apart."""
    text = files(thesaurus.__name__).joinpath("near.txt").read_text(encoding="utf-8")
    loaded, parted = [], []
    for _ in range(5):
        for known in (thesaurus._lines, thesaurus._by_beginning, thesaurus._near):
            known.cache_clear()
        start = time.process_time()
        near("movies", stem)
        loaded.append(time.process_time() - start)
        start = time.process_time()
        weighed = [line.split() for line in text.splitlines()]
        parted.append(time.process_time() - start)
        assert weighed
    assert min(loaded) < MOST_TIMES * min(parted)


def test_nothing_is_read_before_a_word_is_asked_for() -> None:
    script = (
        "import sys\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == 'open' else None)\n"
        "from dragoman.locales import thesaurus\n"
        "def tables():\n"
        "    parts = [path.rpartition('/locales/thesaurus/') for path in opened]\n"
        "    return sorted({name for _, found, name in parts if found and name.endswith('.txt')})\n"
        "assert tables() == []\n"
        "thesaurus.near('movie')\n"
        "assert tables() == ['near.txt']\n"
        "thesaurus.translations('ko', '책')\n"
        "assert tables() == ['names-ko.txt', 'near.txt', 'words-ko.txt']\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_the_tables_and_their_licences_are_in_the_wheel(tmp_path: Path) -> None:
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    beside = {path.name for path in FOLDER.iterdir() if path.suffix in (".txt", ".md")}
    assert {name.rpartition("/")[2] for name in names if "/locales/thesaurus/" in name} >= beside
    licences = {name for name in beside if name.startswith("LICENSE")}
    assert licences
    # Where installers and audits look for licences.
    assert {name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name} >= licences
