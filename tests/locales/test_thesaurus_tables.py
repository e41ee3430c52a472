"""How the tables of the thesaurus are made: on a WordNet of a few words."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from tools.thesaurus.__main__ import main
from tools.thesaurus.foreign import translations
from tools.thesaurus.groups import Pair, grouped, stopped, translated
from tools.thesaurus.near import near_words
from tools.thesaurus.vocabulary import vocabulary
from tools.thesaurus.wordnet import WordNet

FILES: Final = {
    "data.noun": """\
  1 A licence.
00000100 18 n 02 baker 0 bread_maker 0 002 @ 00000200 n 0000 + 00000100 v 0101 | who bakes
00000200 18 n 01 craftsman 0 001 ~ 00000100 n 0000 | who makes things
00000300 06 n 02 bun 0 roll 0 000 | small bread
00000400 10 n 02 roll 1 list 0 000 | names in order
00000500 04 n 01 roll 2 000 | what a ship does
00000600 15 n 01 Bakersfield 0 001 @i 00000700 n 0000 | one city
00000700 15 n 01 city 0 001 ~i 00000600 n 0000 | a large town
00000800 07 n 01 age 0 001 = 00000100 a 0000 | how long it has been there
""",
    "index.noun": """\
baker n 1 2 @ + 1 1 00000100
bread_maker n 1 1 @ 1 0 00000100
craftsman n 1 1 ~ 1 1 00000200
bun n 1 0 1 1 00000300
roll n 3 0 3 3 00000300 00000400 00000500
list n 1 0 1 1 00000400
bakersfield n 1 1 @i 1 1 00000600
city n 1 1 ~i 1 1 00000700
age n 1 1 = 1 1 00000800
""",
    "data.verb": "00000100 36 v 01 bake 0 001 + 00000100 n 0101 01 + 08 00 | make bread\n",
    "index.verb": "bake v 1 1 + 1 1 00000100\n",
    "data.adj": "00000100 00 a 01 old(a) 0 001 = 00000800 n 0000 | not new\n",
    "index.adj": "old a 1 1 = 1 1 00000100\n",
    "noun.exc": "",
    "verb.exc": "baken bake\n",
    "adj.exc": "",
    "cntlist.rev": """\
baker%1:18:00:: 1 9
craftsman%1:18:00:: 1 7
bun%1:06:00:: 1 3
roll%1:06:00:: 1 50
roll%1:10:00:: 2 9
roll%1:04:00:: 3 1
list%1:10:00:: 1 5
bakersfield%1:15:00:: 1 8
city%1:15:00:: 1 8
age%1:07:00:: 1 8
bake%2:36:00:: 1 4
old%3:00:00:: 1 8
""",
}
WIKT: Final = """\
# Wiktionary
00000100-n	rus:lemma	пекарь
00000099-v	rus:lemma	Печь
00000300-n	rus:lemma	рулёт
00000999-n	rus:lemma	ничто
"""
CLDR: Final = "00000600-n\trus:lemma\tБейкерсфилд\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    for language in ("rus", "kor", "deu"):
        (tmp_path / f"wn-wikt-{language}.tab").write_text(WIKT if language == "rus" else "", "utf-8")
        (tmp_path / f"wn-cldr-{language}.tab").write_text(CLDR if language == "rus" else "", "utf-8")
    for name in ("bakery", "shop"):  # None of the two is held out.
        with closing(sqlite3.connect(tmp_path / f"{name}.sqlite")) as database:
            database.execute("CREATE TABLE buns (baken_at TEXT, age INTEGER)")
            database.execute(f"CREATE TABLE {name} (roll TEXT)" if name == "shop" else "CREATE TABLE x (y)")
    return tmp_path


def test_words_are_those_of_several_schemas_and_frequent_kinds_of_things(folder: Path) -> None:
    words = vocabulary(WordNet.read(folder), folder)
    # roll is in one schema only and comes from the texts, bakersfield is one city.
    assert words == {"bun", "bake", "age", "baker", "craftsman", "roll", "list", "city"}


def test_near_words_by_their_relation(folder: Path) -> None:
    near = near_words(WordNet.read(folder), {"baker", "craftsman", "bun", "age", "roll", "list"}, (), set())
    assert near["baker"] == {"craftsman": 60, "bake": 75}
    assert near["bake"] == {"baker": 75}
    assert near["bun"] == {"roll": 80}
    # The second sense of roll is a seventh of what people mean by it.
    assert near["roll"] == {"bun": 80, "list": 72}
    assert near["age"] == {"old": 60}


def test_pairs_are_added_and_taken_away(folder: Path) -> None:
    away = {frozenset({"bun", "roll"}), frozenset({"old"})}
    near = near_words(WordNet.read(folder), {"bun", "age", "baker"}, [Pair("bun", "cake", 70)], away)
    assert near["bun"] == {"cake": 70}
    assert near["cake"] == {"bun": 70}
    assert "age" not in near


def test_foreign_words_through_synsets(folder: Path) -> None:
    own = [Pair("Булка", "bun", 90)]
    table = folder / "wn-wikt-rus.tab"
    found = translations(WordNet.read(folder), table, {"baker", "bake", "bun", "roll"}, own, str.casefold)
    assert found == {
        "пекарь": {"baker": 90},
        "печь": {"bake": 90},
        "рулёт": {"bun": 90, "roll": 90},
        "булка": {"bun": 90},
    }


def test_lists_that_are_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("# Why.\n\n80 zip_code zip postcode\n75 a b : c\n", "utf-8")
    assert list(grouped(path)) == [
        *(Pair("zip code", "zip", 80), Pair("zip code", "postcode", 80), Pair("zip", "postcode", 80)),
        *(Pair("a", "c", 75), Pair("b", "c", 75)),
    ]
    path.write_text("sell | ru продать | de verkaufen absetzen\n", "utf-8")
    assert list(translated(path, "de", 90)) == [Pair("verkaufen", "sell", 90), Pair("absetzen", "sell", 90)]
    path.write_text("case time\nrump\n", "utf-8")
    assert stopped(path) == {frozenset({"case", "time"}), frozenset({"rump"})}


def test_the_same_folders_give_the_same_tables(folder: Path) -> None:
    written = [_written(folder, folder / into) for into in ("one", "two")]
    assert written[0] == written[1]
    assert written[0].keys() == {
        "near.txt",
        *(f"{table}-{code}.txt" for table in ("words", "names") for code in ("de", "ko", "ru")),
    }
    assert "\nbaker\t75:bake\t60:craftsman\n" in written[0]["near.txt"]
    assert "\nрулет\t90:bun,roll\n" in written[0]["words-ru.txt"]
    assert written[0]["names-ru.txt"] == "бейкерсфилд\t90:bakersfield\n"


def _written(folder: Path, into: Path) -> dict[str, str]:
    into.mkdir()
    folders = ("--wordnet", folder, "--words", folder, "--databases", folder, "--into", into)
    main([str(each) for each in folders])
    return {path.name: path.read_text("utf-8") for path in into.iterdir()}
