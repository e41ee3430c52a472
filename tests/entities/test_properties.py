"""What holds for any name and any text."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.entities import EntityIndex, How, build_index, open_index, update_index
from dragoman.entities.entity_name import bones_of, words_of
from dragoman.entities.folded_names import fold
from tests.entities.companies import CONFIG, index_of, made_up, row, rows_of

ANY_TEXT = st.text(max_size=60) | st.text(st.characters(codec=None), max_size=30)
NAMED = st.text(min_size=1, max_size=40).filter(str.strip)
COUNT = 5_000


@pytest.fixture(scope="module")
def names() -> list[str]:
    return list(made_up(COUNT, seed=7))


@pytest.fixture(scope="module")
def large(names: list[str], tmp_path_factory: pytest.TempPathFactory) -> EntityIndex:
    folder = tmp_path_factory.mktemp("entities")
    build_index(folder, CONFIG, rows_of(names), "1")
    return open_index(folder)


@given(names=st.lists(NAMED, min_size=1, max_size=20, unique_by=str.casefold), chosen=st.data())
def test_every_name_is_found_exactly(names: list[str], chosen: st.DataObject) -> None:
    index = index_of(*names)
    number = chosen.draw(st.integers(0, len(names) - 1))
    same = [match for match in index.search(names[number], limit=100).matches if match.how is How.EXACT]
    assert f"k{number}" in {match.key for match in same}
    assert same[0].score == 100.0


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(NAMED, min_size=1, max_size=30, unique_by=str.casefold))
def test_every_name_is_found_exactly_on_disk(
    names: list[str], large: EntityIndex, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("strange")
    others = [row(f"other-{number}", name) for number, name in enumerate(made_up(2_000))]
    build_index(folder, CONFIG, [*rows_of(names), *others], "1")
    index = open_index(folder)
    for number, name in enumerate(names):
        found = {match.key for match in index.search(name, limit=100).matches if match.how is How.EXACT}
        assert f"k{number}" in found


@given(number=st.integers(0, COUNT - 1))
def test_every_name_of_many_is_first(number: int, large: EntityIndex, names: list[str]) -> None:
    first = large.search(names[number]).matches[0]
    assert (first.key, first.score) == (f"k{number}", 100.0)


def _edits(name: str, chance: random.Random) -> Iterator[str]:
    places = [place for place, letter in enumerate(name) if letter.isalpha()]
    for place in chance.sample(places, min(2, len(places))):
        yield name[:place] + name[place + 1 :]
        yield name[:place] + chance.choice("aeoкт") + name[place:]
        yield name[:place] + chance.choice("aeoкт") + name[place + 1 :]
        yield name[:place] + name[place + 1 : place + 2] + name[place] + name[place + 2 :]


def _found(index: EntityIndex, text: str, number: int) -> bool:
    return f"k{number}" in {match.key for match in index.search(text).matches}


def test_one_slip_keeps_a_name_among_the_first_five(
    large: EntityIndex, small: EntityIndex, names: list[str]
) -> None:
    """Of many slips, also with a letter of another script, none loses its name, unless five others are as
    near: then looking at everything does not find it either."""
    chance = random.Random(7)
    lost, tried = [], 0
    for number in chance.sample(range(COUNT), 300):
        if sum(map(len, words_of(names[number]))) < 5:
            continue
        for text in _edits(names[number], chance):
            tried += 1
            if not _found(large, text, number) and _found(small, text, number):
                lost.append((names[number], text))
    assert tried > 500
    assert lost == []


ALIKE = dict(zip("abcehkmoptx", "авсенкмортх", strict=True))
FROM_LATIN = str.maketrans({**ALIKE, **{latin.upper(): letter.upper() for latin, letter in ALIKE.items()}})
FROM_CYRILLIC = str.maketrans(
    {
        letter: latin
        for small, written in ALIKE.items()
        for letter, latin in ((written.lower(), small), (written.upper(), small.upper()))
    }
)


@given(number=st.integers(0, COUNT - 1), places=st.sets(st.integers(0, 60)))
def test_letters_that_look_alike_change_nothing(
    number: int, places: set[int], large: EntityIndex, names: list[str]
) -> None:
    """Letters of another script that look like those of a name, put in their places."""
    name = names[number]

    def changed(place: int, letter: str) -> str:
        if place not in places or not letter.isalpha():
            return letter
        return letter.translate(FROM_LATIN if letter.isascii() else FROM_CYRILLIC)

    text = "".join(changed(place, letter) for place, letter in enumerate(name))
    words = zip(fold(name), fold(text), strict=True)
    # A word of nothing but such letters is a word of the other script: it may be read as one.
    if any(bones_of(word) != bones_of(mixed) and not _is_mixed(mixed) for word, mixed in words):
        return
    assert _found(large, text, number)


def _is_mixed(word: str) -> bool:
    return any("a" <= letter <= "z" for letter in word) and any("а" <= letter <= "я" for letter in word)


@given(text=ANY_TEXT, country=st.sampled_from(["LU", "IE", "DE"]))
def test_filters_never_leak(text: str, country: str, filtered: EntityIndex) -> None:
    matches = filtered.search(text, limit=100, filters={"country": country}).matches
    assert {match.discriminators["country"] for match in matches} <= {country}


@pytest.fixture(scope="module")
def filtered(names: list[str], tmp_path_factory: pytest.TempPathFactory) -> EntityIndex:
    folder = tmp_path_factory.mktemp("filtered")
    rows = [row(f"k{number}", name, country=("LU", "IE")[number % 2]) for number, name in enumerate(names)]
    build_index(folder, CONFIG, rows, "1")
    return open_index(folder)


@given(text=ANY_TEXT)
def test_any_text_is_answered_twice_alike(text: str, large: EntityIndex) -> None:
    once, twice = large.search(text), large.search(text)
    assert once == twice
    keys = [match.key for match in once.matches]
    assert len(keys) == len(set(keys)) <= 5


@given(number=st.integers(0, COUNT - 1), cut=st.floats(0.5, 1.0))
def test_memory_and_disk_agree_on_what_is_sure(
    number: int, cut: float, large: EntityIndex, small: EntityIndex, names: list[str]
) -> None:
    """A search in memory looks at everything; what it is sure of, the index on disk finds too."""
    text = names[number][: max(4, int(len(names[number]) * cut))]
    sure = [match for match in small.search(text).matches if match.score >= 96]
    assert list(large.search(text).matches[: len(sure)]) == sure


@pytest.fixture(scope="module")
def small(names: list[str]) -> EntityIndex:
    return EntityIndex.in_memory(CONFIG, rows_of(names))


@settings(max_examples=15)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(range(8)), st.sampled_from(["Alpha", "Beta", "Гамма", None])), max_size=5
    )
)
@pytest.mark.parametrize("others", [0, 2_100])
def test_updates_equal_a_build(
    others: int, steps: list[tuple[int, str | None]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder: Path = tmp_path_factory.mktemp("updated")
    rest = [row(f"other-{number}", name) for number, name in enumerate(made_up(others))]
    build_index(folder, CONFIG, rest, "0")
    known: dict[str, str] = {}
    for version, (number, name) in enumerate(steps):
        key = f"k{number}"
        if name is None:
            update_index(folder, [], [key], str(version))
            known.pop(key, None)
        else:
            update_index(folder, [row(key, f"{name} {number}")], [], str(version))
            known[key] = f"{name} {number}"
    index = open_index(folder)
    assert len(index) == others + len(known)
    for number in range(8):
        assert index.name_of(f"k{number}") == known.get(f"k{number}")
    for key, name in known.items():
        assert index.search(name).matches[0].key == key
