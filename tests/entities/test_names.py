"""How names are read: what is not looked at, what weighs little, what sounds the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.entities.entity_name import LONGEST_SKELETON, bones_of, read_name, readings, words_of
from dragoman.entities.folded_names import _fold_slowly, fold


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("  Alpha   Trade ", ["alpha", "trade"]),
        ("ALPHA-trade", ["alpha", "trade"]),
        ("Ёлка", ["елка"]),
        ("Йод", ["йод"]),
        ("И\u0306од", ["йод"]),
        ("Crédit Agricole", ["credit", "agricole"]),
        ("Cre\u0301dit", ["credit"]),
        ("ＡＢＣ", ["abc"]),
        ("Straße", ["strasse"]),
        ("İstanbul Işık", ["istanbul", "isik"]),
        ("O'Neill", ["oneill"]),
        ("O\u2019Neill", ["oneill"]),
        ("«Ромашка»", ["ромашка"]),
        ('"Ромашка"', ["ромашка"]),
        ("A.B.C. Partners", ["abc", "partners"]),
        ("Иванов И. И.", ["иванов", "ии"]),
        ("C++", ["c++"]),
        ("C#", ["c#"]),
        ("!!!", ["!!!"]),
        ("", []),
        (" \t ", []),
        ("알파\u3000무역", ["알파", "무역"]),
    ],
)
def test_words(written: str, words: list[str]) -> None:
    assert words_of(written) == words


def test_decomposed_hangul_is_the_same() -> None:
    assert words_of("\u110b\u1161\u11af\u1111\u1161") == words_of("알파")


@pytest.mark.parametrize(
    ("name", "core", "forms"),
    [
        ("ООО «Ромашка»", "ромашка", {"limited_liability"}),
        ("Общество с ограниченной ответственностью «Ромашка»", "ромашка", {"limited_liability"}),
        ("Romashka LLC", "romashka", {"limited_liability"}),
        ("Romashka L.L.C.", "romashka", {"limited_liability"}),
        ("Siemens AG", "siemens", {"ag"}),
        ("Müller GmbH & Co. KG", "muller", {"kg"}),
        ("Société Générale S.A.", "societe generale", {"sa"}),
        ("Acme Inc.", "acme", {"incorporated"}),
        ("Samsung Co., Ltd.", "samsung", {"limited"}),
        ("(주)알파무역", "알파무역", {"korean_stock"}),
        ("㈜알파무역", "알파무역", {"korean_stock"}),
        ("주식회사알파무역", "알파무역", {"korean_stock"}),
        ("알파무역 주식회사", "알파무역", {"korean_stock"}),
        ("中石油有限公司", "中石油", {"chinese_limited"}),
        ("LLC", "llc", set()),
        ("주식회사", "주식회사", set()),
        ("Ltd Acme", "ltd acme", set()),
        ("Agate", "agate", set()),
    ],
)
def test_legal_forms(name: str, core: str, forms: set[str]) -> None:
    read = read_name(name)
    assert (" ".join(read.core), set(read.forms)) == (core, forms)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Газпром", "Gazprom"),
        ("Иванов", "Ivanov"),
        ("ООО «Альфа Трейд»", "Alfa Trade LLC"),
        ("Альфа", "Alpha"),
        ("Щербаков", "Shcherbakov"),
        ("Юлия", "Yulia"),
        ("Юлия", "Iuliia"),
        ("Дмитрий", "Dmitry"),
        ("Дмитрий", "Dmitriy"),
        ("Чайковский", "Chaikovsky"),
        ("Чайковский", "Tchaikovsky"),
        ("Жуков", "Zhukov"),
        ("Хомяков", "Khomyakov"),
        ("Шмидт", "Schmidt"),
        ("Екатерина", "Yekaterina"),
        ("Консалтинг Групп", "Consulting Group"),
    ],
)
def test_same_skeleton_over_scripts(one: str, other: str) -> None:
    assert bones_of(one) == bones_of(other)


@pytest.mark.parametrize(("one", "other"), [("Иванов", "Петров"), ("Кит", "Кот"), ("알파", "알바")])
def test_different_skeletons(one: str, other: str) -> None:
    assert bones_of(one) != bones_of(other)


def test_a_word_without_sound_stays() -> None:
    assert bones_of("Ь") == "ь"


def test_long_names_have_bounded_skeletons() -> None:
    assert len(bones_of("слово " * 5_000)) == LONGEST_SKELETON


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("알파무역이", "알파무역"),
        ("알파무역의", "알파무역"),
        ("알파무역에서", "알파무역"),
        ("대한 알파무역을", "대한 알파무역"),
        ("Шереметьево ООО Дьюти Фри", "шереметьево дьюти фри"),
    ],
)
def test_other_readings(text: str, core: str) -> None:
    assert core in {" ".join(reading.name.core) for reading in readings(text)}


@pytest.mark.parametrize("text", ["이가", "가", "Alpha", "알파무역"])
def test_no_other_reading(text: str) -> None:
    assert len(readings(text)) == 1


_CYRILLIC = "".join(chr(code) for code in range(0x0400, 0x0460)) + " «»№–…'\u00a0\u00ad™-."


@given(st.text(st.characters(codec="ascii")) | st.text(_CYRILLIC) | st.text())
def test_the_fast_lanes_fold_alike(text: str) -> None:
    assert (fold(text) if text else []) == _fold_slowly(text)
