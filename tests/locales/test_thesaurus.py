"""The thesaurus: words that people use for those of a schema are near them, others are not."""

import subprocess
import sys
import time
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from hatchling.builders.wheel import WheelBuilder

from dragoman.locales import thesaurus
from dragoman.locales.thesaurus import near
from dragoman.planning.tables.words import stem
from tools.checkout import ROOT

FOLDER: Final = Path(thesaurus.__file__).parent
MOST_BYTES: Final = 400_000
MOST_SECONDS: Final = 0.005

PRESENT: Final = """
    voucher coupon, movie film, vendor supplier, salary wage, teacher teach, seller sell, sale sell,
    payment pay, delivery deliver, staff employee, client customer, maker manufacturer, brand make,
    item product, age old, order purchase, campus school, campus university, doctor physician, car automobile,
    store shop, invoice bill, surname last_name, zip_code postcode, song track, author writer,
    supplier supply, winner win
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


def test_letters_may_be_large() -> None:
    assert near("Voucher") == near("voucher") != {}


def test_every_line_can_be_read_and_is_in_order() -> None:
    words = []
    for line in (FOLDER / "en.txt").read_text("utf-8").splitlines():
        word = line.partition("\t")[0]
        words.append(word)
        weights = near(word)
        assert weights
        assert word not in weights
        assert all(0.5 <= weight <= 0.8 for weight in weights.values()), line
    assert all(first < second for first, second in pairwise(words))


def test_the_table_is_small_and_quick_to_load() -> None:
    assert (FOLDER / "en.txt").stat().st_size < MOST_BYTES
    taken = []
    for _ in range(5):
        for known in (thesaurus._lines, thesaurus._by_beginning, thesaurus._near):
            known.cache_clear()
        start = time.process_time()
        near("movies", stem)
        taken.append(time.process_time() - start)
    assert min(taken) < MOST_SECONDS


def test_nothing_is_read_before_a_word_is_asked_for() -> None:
    script = (
        "import sys\n"
        "opened = []\n"
        "sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == 'open' else None)\n"
        "from dragoman.locales import thesaurus\n"
        "assert not [path for path in opened if path.endswith('en.txt')], opened\n"
        "thesaurus.near('movie')\n"
        "assert [path for path in opened if path.endswith('en.txt')]\n"
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
