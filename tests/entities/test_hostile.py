"""Names and texts that nobody means well with."""

import time
from pathlib import Path

import pytest

from dragoman.contracts.errors import EntityRowRefused
from dragoman.entities import EntityIndex, EntityRow, How, build_index, open_index
from tests.entities.companies import CONFIG, made_up, row, rows_of

HOSTILE = (
    "\0",
    "a\0b",
    "\ud800",
    "half \udfff",
    "שלום עולם",
    "\u202eevil\u202c",
    "مرحبا بالعالم",
    "👩‍👩‍👧 family",
    "..//..",
    "' OR 1=1 --",
    'name:"x" AND *:*',
    "(a OR b) +c -d ~2 ^3 [a TO z] {x}",
    "\\",
    "*",
    "name:*",
    "a" * 10_000,
    "слово " * 2_000,
    "{" * 500,
    "\n\r\t",
    "ﷺ",
    "İ" * 50,
    "ь ъ ь",
    "%s %d {0}",
)


@pytest.fixture(params=[0, 2_500], ids=["memory", "disk"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> EntityIndex:
    others = [row(f"other-{number}", name) for number, name in enumerate(made_up(request.param))]
    build_index(tmp_path, CONFIG, [*rows_of(HOSTILE), row("empty", ""), row("no-names", "x"), *others], "1")
    return open_index(tmp_path)


@pytest.mark.parametrize("number", range(len(HOSTILE)))
def test_hostile_names_are_found_exactly(index: EntityIndex, number: int) -> None:
    name = HOSTILE[number]
    if not name.strip():
        assert index.search(name).matches == ()
        return
    found = {match.key for match in index.search(name, limit=100).matches if match.how is How.EXACT}
    assert f"k{number}" in found


LONG = ("x" * 100_000, "слово" * 20_000, "알" * 100_000, "\0" * 100_000, ". " * 50_000, "a " * 50_000)


@pytest.mark.parametrize("text", [*HOSTILE, "", *LONG])
def test_any_text_is_answered_soon(index: EntityIndex, text: str) -> None:
    before = time.process_time()
    index.search(text)
    assert time.process_time() - before < 1.0


def test_an_empty_name_is_found_by_its_key(index: EntityIndex) -> None:
    found = index.search("empty").bound
    assert found is not None
    assert found.how is How.KEY


@pytest.mark.parametrize("key", ["", "\ud800", "a\udfff"])
def test_keys_that_cannot_be_written_are_refused(key: str, tmp_path: Path) -> None:
    with pytest.raises(EntityRowRefused):
        build_index(tmp_path, CONFIG, [row(key, "Alpha")], "1")


def test_a_refused_row_leaves_the_old_index(tmp_path: Path) -> None:
    build_index(tmp_path, CONFIG, [row("a", "Alpha")], "1")
    with pytest.raises(EntityRowRefused):
        build_index(tmp_path, CONFIG, [row("b", "Beta"), row("", "nobody")], "2")
    assert open_index(tmp_path).name_of("a") == "Alpha"


def test_strange_keys(tmp_path: Path) -> None:
    keys = ["a b", "\0", "*", "key:1", "ключ", "1" * 900, '"', "\n"]
    build_index(tmp_path, CONFIG, [*(row(key, "x") for key in keys), *rows_of(made_up(2_100))], "1")
    index = open_index(tmp_path)
    assert [index.name_of(key) for key in keys] == ["x"] * len(keys)


def test_hostile_discriminators(tmp_path: Path) -> None:
    rows = [
        EntityRow("a", "Alpha", ("Alpha",), {"country": "x\0y", "kind": "\ud800"}),
        EntityRow("b", "Alpha", ("Alpha",), {"country": "x", "kind": "y"}),
        *rows_of(made_up(2_100)),
    ]
    build_index(tmp_path, CONFIG, rows, "1")
    index = open_index(tmp_path)
    assert [match.key for match in index.search("Alpha", filters={"country": "x\0y"}).matches] == ["a"]
    assert [match.key for match in index.search("Alpha", filters={"country": "x"}).matches] == ["b"]
