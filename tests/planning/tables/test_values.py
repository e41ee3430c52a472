"""The index of literal values: what stands in the data is found, and kept by the shape of a database."""

from pathlib import Path

import pytest

from dragoman.catalog.access import SqliteTarget, open_reader
from dragoman.catalog.discovery import discover
from dragoman.catalog.values import ValueIndex, ValuePlace, read_values
from dragoman.contracts.schema import Family
from tests.planning.tables.library import make

PLACES = [ValuePlace("", "branch", "city", "Turku"), ValuePlace("", "book", "title", "Bread at Home")]


@pytest.mark.parametrize("text", ["Turku", "turku", "TURKU", " turku "])
def test_letters_are_alike_whatever_their_case(text: str) -> None:
    assert ValueIndex(PLACES).exactly(text) == (PLACES[0],)


def test_a_slip_is_found_and_says_so() -> None:
    ((place, likeness),) = ValueIndex(PLACES).nearly("Bread at Hom")
    assert place == PLACES[1]
    assert 0.85 < likeness < 1


@pytest.mark.parametrize("text", ["", " ", "?", "\x00", "\ud800", "x" * 10_000])
def test_odd_texts_find_nothing(text: str) -> None:
    index = ValueIndex(PLACES)
    assert index.exactly(text) == ()
    assert index.nearly(text) == ()
    assert index.holding(text) == ()


def test_it_is_kept_by_the_shape_of_the_database(tmp_path: Path) -> None:
    with open_reader(SqliteTarget(make(tmp_path / "library.sqlite"))) as reader:
        schema = discover(reader, Family.SQLITE)
        first = read_values(reader, schema, tmp_path / "kept")
    assert len(list((tmp_path / "kept").iterdir())) == 1
    with open_reader(SqliteTarget(tmp_path / "gone.sqlite")) as nothing:
        again = read_values(nothing, schema, tmp_path / "kept")
    assert list(again.places()) == list(first.places())
    assert again.exactly("winter roads")


def test_what_is_kept_and_broken_is_read_again(tmp_path: Path) -> None:
    with open_reader(SqliteTarget(make(tmp_path / "library.sqlite"))) as reader:
        schema = discover(reader, Family.SQLITE)
        read_values(reader, schema, tmp_path / "kept")
        for file in (tmp_path / "kept").iterdir():
            file.write_bytes(b"{")
        assert read_values(reader, schema, tmp_path / "kept").exactly("Turku")
