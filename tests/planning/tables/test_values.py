"""The index of literal values: what stands in the data is found, and kept by the shape of a database."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.databases.access import open_reader
from dragoman.databases.connections import parse_database_url, resolve
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.values import Origin, ValueIndex, ValuePlace, origin_of, read_values
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
        schema = discover(reader, "sqlite")
        first = read_values(reader, schema, tmp_path / "kept")
    assert len(list((tmp_path / "kept").iterdir())) == 1
    with open_reader(SqliteTarget(tmp_path / "gone.sqlite")) as nothing:
        again = read_values(nothing, schema, tmp_path / "kept")
    assert list(again.places()) == list(first.places())
    assert again.exactly("winter roads")


def test_what_is_kept_and_broken_is_read_again(tmp_path: Path) -> None:
    with open_reader(SqliteTarget(make(tmp_path / "library.sqlite"))) as reader:
        schema = discover(reader, "sqlite")
        read_values(reader, schema, tmp_path / "kept")
        for file in (tmp_path / "kept").iterdir():
            file.write_bytes(b"{")
        assert read_values(reader, schema, tmp_path / "kept").exactly("Turku")


def test_it_is_read_again_after_the_data_changed(tmp_path: Path) -> None:
    file = make(tmp_path / "library.sqlite")
    connection = resolve(parse_database_url(str(file), tmp_path), tmp_path)

    def index() -> ValueIndex:
        origin = origin_of(connection)
        with open_reader(SqliteTarget(file)) as reader:
            return read_values(reader, discover(reader, "sqlite"), tmp_path / "kept", origin)

    assert not index().exactly("Rovaniemi")
    (kept,) = (tmp_path / "kept").iterdir()
    os.utime(kept, (0, 0))
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("INSERT INTO branch (branch_id, city) VALUES (99, 'Rovaniemi')")
    assert index().exactly("Rovaniemi")
    assert list((tmp_path / "kept").iterdir()) == [kept]


def test_two_databases_of_one_shape_do_not_share_it(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    for name in ("one", "two"):
        file = make(tmp_path / f"{name}.sqlite")
        if name == "two":
            with closing(sqlite3.connect(file)) as database, database:
                database.execute("INSERT INTO branch (branch_id, city) VALUES (99, 'Rovaniemi')")
        with open_reader(SqliteTarget(file)) as reader:
            schema = discover(reader, "sqlite")
            found = read_values(reader, schema, kept, Origin(str(file))).exactly("Rovaniemi")
        assert bool(found) is (name == "two")


def test_what_is_kept_is_for_its_owner_alone(tmp_path: Path) -> None:
    with open_reader(SqliteTarget(make(tmp_path / "library.sqlite"))) as reader:
        read_values(reader, discover(reader, "sqlite"), tmp_path / "kept")
    (kept,) = (tmp_path / "kept").iterdir()
    assert kept.stat().st_mode & 0o077 == 0
