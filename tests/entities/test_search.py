"""What is found, how, and in which order; in memory and on disk alike."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.contracts.errors import EntityFilterUnknown
from dragoman.contracts.pack import KeyType
from dragoman.entities import EntityIndex, EntityIndexConfig, How, SearchKey, build_index, open_index
from tests.entities.companies import CONFIG, index_of, made_up, row, rows_of

NAMES = (
    "Газпром",
    "Газпром нефть",
    "Газпроп",
    "ООО «Альфа Трейд»",
    "Siemens AG",
    "Иванов Иван Петрович",
    "주식회사 알파무역",
    "Crédit Agricole S.A.",
    "C++",
    "C#",
    "!!!",
    "🍕 Pizza",
    "Jean-Pierre Dupont",
    "中石油有限公司",
)


@pytest.fixture(params=["memory", "disk"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EntityIndex]:
    """The names above: alone in memory, and on disk among thousands of others."""
    if request.param == "memory":
        yield index_of(*NAMES)
        return
    others = [
        row(f"other-{number}", name) for number, name in enumerate(made_up(3_000)) if "Alfa" not in name
    ]
    build_index(tmp_path, CONFIG, [*rows_of(NAMES), *others], "1")
    yield open_index(tmp_path)


@pytest.mark.parametrize(
    ("text", "name", "how"),
    [
        ("Газпром", "Газпром", How.EXACT),
        ("  гАЗПРОМ ", "Газпром", How.EXACT),
        ("«Газпром»", "Газпром", How.EXACT),
        ("Gazprom", "Газпром", How.TRANSLITERATION),
        ("Газпром неф", "Газпром нефть", How.PREFIX),
        ("Газпорм нефть", "Газпром нефть", How.TYPO),
        ("нефть Газпром", "Газпром нефть", How.TOKENS),
        ("Альфа Трейд", "ООО «Альфа Трейд»", How.LEGAL_FORM),
        ("ООО Альфа-Трейд", "ООО «Альфа Трейд»", How.EXACT),
        ("Alfa Trade LLC", "ООО «Альфа Трейд»", How.TRANSLITERATION),
        ("Alpha Trade", "ООО «Альфа Трейд»", How.TRANSLITERATION),
        ("siemens", "Siemens AG", How.LEGAL_FORM),
        ("Сименс АГ", "Siemens AG", How.SIMILAR),
        ("Ivan Ivanov", "Иванов Иван Петрович", How.TOKENS),
        ("알파무역", "주식회사 알파무역", How.LEGAL_FORM),
        ("(주)알파 무역", "주식회사 알파무역", How.EXACT),
        ("알파무역의", "주식회사 알파무역", How.LEGAL_FORM),
        (
            "\u110b\u1161\u11af\u1111\u1161\u1106\u116e\u110b\u1167\u11a8 주식회사",
            "주식회사 알파무역",
            How.EXACT,
        ),
        ("알바무역", "주식회사 알파무역", How.TYPO),
        ("credit agricole sa", "Crédit Agricole S.A.", How.EXACT),
        ("ＣＲＥＤＩＴ ＡＧＲＩＣＯＬＥ ＳＡ", "Crédit Agricole S.A.", How.EXACT),
        ("c++", "C++", How.EXACT),
        ("c#", "C#", How.EXACT),
        ("!!!", "!!!", How.EXACT),
        ("🍕 pizza", "🍕 Pizza", How.EXACT),
        ("JeanPierre Dupont", "Jean-Pierre Dupont", How.EXACT),
        ("中石油", "中石油有限公司", How.LEGAL_FORM),
        ("k3", "ООО «Альфа Трейд»", How.KEY),
    ],
)
def test_found(index: EntityIndex, text: str, name: str, how: How) -> None:
    first = index.search(text).matches[0]
    assert (first.display, first.how) == (name, how)


def test_order_of_kinds(index: EntityIndex) -> None:
    matches = index.search("Газпром", limit=3).matches
    assert [match.how for match in matches] == [How.EXACT, How.PREFIX, How.TYPO]
    assert [match.display for match in matches] == ["Газпром", "Газпром нефть", "Газпроп"]


def test_scores_fall_and_stay_on_the_scale(index: EntityIndex) -> None:
    for text in (*NAMES, "a", "Газ", "ООО", "Ltd", "무역"):
        scores = [match.score for match in index.search(text, limit=50).matches]
        assert scores == sorted(scores, reverse=True)
        assert all(0 < score <= 100 for score in scores)


def test_nothing_is_found_of_nothing(index: EntityIndex) -> None:
    for text in ("", "   ", "\n"):
        assert index.search(text).matches == ()


def test_limit(index: EntityIndex) -> None:
    assert len(index.search("Trading", limit=2).matches) <= 2
    assert index.search("Газпром", limit=0).matches == ()
    assert index.search("Газпром", limit=-3).matches == ()
    assert len(index.search("a", limit=10**9).matches) <= 100


def test_limit_does_not_hide_a_rival() -> None:
    index = index_of("Alpha", "ALPHA")
    found = index.search("alpha", limit=1)
    assert len(found.matches) == 1
    assert found.bound is None


def test_the_same_legal_form_comes_first() -> None:
    index = index_of("АО «Ромашка Плюс Один»", "ООО «Ромашка Плюс Один»", "ЗАО «Ромашка Плюс Один»")
    assert index.search("ООО Ромашка Плюс Адин").matches[0].key == "k1"


def test_a_weight_lowers_the_score() -> None:
    index = EntityIndex.in_memory(CONFIG, [row("a", "Alpha", "Omega"), row("b", "Beta")])
    assert index.search("Alpha").matches[0].score == 100.0
    assert index.search("Omega").matches[0].score == 90.0
    assert index.search("Omega").matches[0].name == "Omega"
    assert index.search("Omega").matches[0].display == "Alpha"


def test_one_match_for_an_entity_with_several_names() -> None:
    index = EntityIndex.in_memory(CONFIG, [row("a", "Alpha Trade", "Alpha Trading", "Alfa Trade")])
    assert [match.key for match in index.search("Alpha Trade").matches] == ["a"]


@pytest.mark.parametrize(
    "text",
    [
        "6F9619FF-8B86-D011-B42D-00CF4FC964FF",
        "6f9619ff-8b86-d011-b42d-00cf4fc964ff",
        "{6f9619ff-8b86-d011-b42d-00cf4fc964ff}",
        " 6f9619ff8b86d011b42d00cf4fc964ff ",
    ],
)
def test_uuid_keys(text: str) -> None:
    config = EntityIndexConfig("company", (SearchKey("name"),), return_key_type=KeyType.UUID)
    key = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
    index = EntityIndex.in_memory(config, [row(key, "Alpha"), row("x", "6f9619ff")])
    found = index.search(text)
    assert (found.matches[0].key, found.matches[0].how) == (key, How.KEY)
    assert found.bound is not None


def test_a_key_that_is_also_a_name_asks() -> None:
    index = EntityIndex.in_memory(CONFIG, [row("42", "Alpha"), row("7", "42")])
    found = index.search("42")
    assert {match.key for match in found.matches} == {"42", "7"}
    assert found.bound is None


def test_names_of_keys(index: EntityIndex) -> None:
    assert index.name_of("k0") == "Газпром"
    assert index.name_of("nobody") is None
    assert index.name_of("") is None
    assert index.name_of("\ud800") is None


def test_create_verb_is_carried() -> None:
    assert index_of("Alpha").search("Beta").may_create
    assert index_of("Alpha").search("Beta").create_verb == "company.create"
    plain = EntityIndex.in_memory(EntityIndexConfig("company", (SearchKey("name"),)), rows_of(["Alpha"]))
    assert not plain.search("Beta").may_create


@pytest.fixture(params=["memory", "disk"])
def countries(request: pytest.FixtureRequest, tmp_path: Path) -> EntityIndex:
    codes = ("LU", "IE", "de")
    rows = [
        row(f"k{number}", f"Alpha Fund {number // 3}", country=codes[number % 3], kind="fund")
        for number in range(3_000)
    ]
    rows.append(row("none", "Alpha Fund 7"))
    if request.param == "memory":
        return EntityIndex.in_memory(CONFIG, rows)
    build_index(tmp_path, CONFIG, rows, "1")
    return open_index(tmp_path)


@pytest.mark.parametrize("value", ["LU", "lu", " Lu ", "ＬＵ"])
def test_filters_are_hard(countries: EntityIndex, value: str) -> None:
    matches = countries.search("Alpha Fund 7", limit=100, filters={"country": value}).matches
    assert matches[0].key == "k21"
    assert {match.discriminators["country"] for match in matches} == {"LU"}


def test_filters_together(countries: EntityIndex) -> None:
    assert countries.search("Alpha Fund 7", filters={"country": "DE", "kind": "fund"}).matches[0].key == "k23"
    assert countries.search("Alpha Fund 7", filters={"country": "DE", "kind": "bank"}).matches == ()
    assert countries.search("Alpha Fund 7", filters={"country": ""}).matches == ()


def test_a_key_does_not_pass_a_filter(countries: EntityIndex) -> None:
    assert countries.search("k21", filters={"country": "LU"}).matches[0].how is How.KEY
    assert "k21" not in {match.key for match in countries.search("k21", filters={"country": "IE"}).matches}


def test_an_unknown_filter_says_what_there_is(countries: EntityIndex) -> None:
    with pytest.raises(EntityFilterUnknown) as refused:
        countries.search("Alpha", filters={"colour": "red"})
    assert refused.value.details["known"] == ["country", "kind"]
