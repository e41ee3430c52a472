"""What holds of every reading, and of the lexicons."""

import os
import statistics
import subprocess
import sys
import time
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragoman.locales.registry import every_language
from dragoman.reading.message import Reader

WORDS: Final = (
    *(
        "stock",
        "of",
        "Alfa",
        "Trade",
        "Beta",
        "on",
        "31",
        "March",
        "2020",
        "not",
        "it",
        "who",
        "bought",
        "owe",
    ),
    *(
        "is",
        "that",
        "a",
        "lot",
        "save",
        "csv",
        "to",
        "Oak",
        "desk",
        "120",
        "the",
        "second",
        "line",
        "from",
        "-",
        ",",
    ),
    *(
        "остатки",
        "Альфы",
        "на",
        "марта",
        "кто",
        "должен",
        "кому",
        "не",
        "а",
        "Вега",
        "Плюс",
        "с",
        "по",
        "это",
        "же",
    ),
    *(
        "재고",
        "2020년",
        "3월",
        "말",
        "까지",
        "부터",
        "누가",
        "샀어",
        "그거",
        "의",
        "Trade의",
        "말고",
        "3번째",
    ),
    *("'", "’s", ".", "?", "№", "$", "İ", "ﬁ", "ß", "\u0301", "١٢", "²"),
)
messages: Final = st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


@given(text=messages)
@example(text="0 말고 МАР")
@example(text="İstanbul ﬁrm")
@example(text="\ud800")
@example(text="a\x00b")
@example(text="٣ марта ²")
@example(text="-'-’ 's")
def test_every_text_has_a_reading_whose_mentions_stand_in_it(reader: Reader, text: str) -> None:
    reading = reader.read(text)
    for mention in reading.mentions:
        assert 0 <= mention.start < mention.end <= len(text)
        assert mention.text == text[mention.start : mention.end]
    assert reader.read(text) == reading


def test_a_long_message_takes_no_long_time(reader: Reader) -> None:
    def spent(times: int) -> float:
        started = time.process_time()
        reader.read("who did we sell the oak desk to " * times)
        reader.read("x" * (33 * times))
        reader.read("1 " * (16 * times))
        return time.process_time() - started

    spent(50)
    # Four times as long takes about four times as long: sixteen would be a square.
    assert min(spent(600) for _ in range(3)) < 12 * min(spent(150) for _ in range(3))


_READ = """
import sys
from pathlib import Path

from dragoman.catalog.homes import demo_home
from dragoman.catalog.catalog import Catalog
from dragoman.reading.message import Reader
reader = Reader(Catalog(demo_home(Path(sys.argv[1]))).load())
for text in sys.stdin.read().splitlines():
    print(repr(reader.read(text)))
print("pymorphy3" in sys.modules)
"""
_TEXTS: Final = [
    "stock of Alfa Trade on 31 March 2020",
    "who bought the desk",
    "documents",
    "кому должна Альфа на конец апреля",
    "самый крупный должник",
    "Alfa Trade의 2020년 3월 재고",
    "recievables of Beta Retial",
    "sales and stock of oak chairs",
]


def _read_elsewhere(texts: list[str], place: str, seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _READ, place],
        input="\n".join(texts),
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
    )
    return done.stdout


def test_three_processes_read_the_same(tmp_path_factory: pytest.TempPathFactory) -> None:
    place = str(tmp_path_factory.mktemp("demo"))
    assert len({_read_elsewhere(_TEXTS, place, seed) for seed in ("0", "1", "4242")}) == 1


def test_english_loads_no_russian_dictionary(tmp_path_factory: pytest.TempPathFactory) -> None:
    place = str(tmp_path_factory.mktemp("demo"))
    assert _read_elsewhere(_TEXTS[:2], place, "0").splitlines()[-1].startswith("False")


@pytest.mark.parametrize(
    "text",
    ["stock of Alfa Trade on 31 March 2020", "who bought", "кому продали", "остатки на март", "재고 보여줘"],
)
def test_a_short_message_is_read_in_a_millisecond(reader: Reader, text: str) -> None:
    reader.read(text)
    times: list[float] = []
    for _ in range(60):
        started = time.process_time()
        reader.read(text)
        times.append(time.process_time() - started)
    # Twice of what is promised: the machine may be busy.
    assert statistics.median(times) < 0.002


def _shape(value: Any) -> Any:
    """The keys of a lexicon, and of its tables that are not lists of words."""
    open_tables = {
        "more_month_names",
        "ordinals",
        "numbers",
        "lemmas",
        "counts",
        "halves",
        "years",
        "clock",
        "compounds",
    }
    if not isinstance(value, dict):
        return None
    return {key: None if key in open_tables else _shape(part) for key, part in sorted(value.items())}


def test_every_lexicon_has_the_same_keys() -> None:
    shapes = [_shape(language.document("lexicon")) for language in every_language()]
    assert {language.code for language in every_language()} >= {"en", "ru", "ko"}
    assert all(shape == shapes[0] for shape in shapes)


def test_a_lexicon_has_nothing_but_words() -> None:
    def words(value: Any) -> list[Any]:
        if isinstance(value, dict):
            return [word for part in value.values() for word in words(part)]
        return [word for part in value for word in words(part)] if isinstance(value, list) else [value]

    for language in every_language():
        found = words(language.document("lexicon"))
        assert all(isinstance(word, str | int) and not isinstance(word, bool) for word in found)
