"""The index of literal values: what stands in the data is found, as far as the limits go."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from dragoman.contracts.schema import DatabaseSchema
from dragoman.databases.access import DatabaseReader, open_reader
from dragoman.databases.discovery import discover
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.values import AT_ONCE, IN_BACKGROUND, Reading, ValueIndex, ValuePlace, read_columns

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


@pytest.fixture
def towns(tmp_path: Path) -> Iterator[tuple[DatabaseReader, DatabaseSchema]]:
    """Four small values and, behind them, two hundred others; they are not in their order."""
    file = tmp_path / "towns.sqlite"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("CREATE TABLE visit (id INTEGER PRIMARY KEY, town TEXT, note TEXT)")
        database.executemany(
            "INSERT INTO visit (town, note) VALUES (?, ?)",
            [(f"Town {n * 7 % 5 if n < 10 else 5}", f"note {199 - n}") for n in range(200)],
        )
    with open_reader(SqliteTarget(file)) as reader:
        yield reader, discover(reader, "sqlite")


def _values(reading: Reading, column: str) -> tuple[str, ...]:
    return next((each.values for each in reading.columns if each.column == column), ())


def test_of_a_small_table_the_first_values_in_their_order_are_read(
    towns: tuple[DatabaseReader, DatabaseSchema],
) -> None:
    reading = read_columns(*towns, replace(AT_ONCE, of_column=3))
    assert reading.whole
    assert _values(reading, "town") == ("Town 0", "Town 1", "Town 2")
    assert _values(reading, "note") == ("note 0", "note 1", "note 10")


def test_of_a_large_table_the_first_rows_are_read_at_once(
    towns: tuple[DatabaseReader, DatabaseSchema],
) -> None:
    reading = read_columns(*towns, replace(AT_ONCE, rows=10))
    assert not reading.whole
    assert _values(reading, "town") == ("Town 0", "Town 1", "Town 2", "Town 3", "Town 4")
    assert len(_values(reading, "note")) == 10


def test_a_large_table_is_read_to_its_end_in_the_background(
    towns: tuple[DatabaseReader, DatabaseSchema],
) -> None:
    reading = read_columns(*towns, replace(IN_BACKGROUND, rows=10, of_column=50))
    assert reading.whole
    assert _values(reading, "town")[-1] == "Town 5"
    # Of more than there is room for, those that stand first in the table.
    assert set(_values(reading, "note")) == {f"note {number}" for number in range(150, 200)}


@pytest.mark.parametrize("rows", [10, 1_000])
def test_all_values_together_are_bounded(towns: tuple[DatabaseReader, DatabaseSchema], rows: int) -> None:
    limits = replace(IN_BACKGROUND, rows=rows)
    few = read_columns(*towns, replace(limits, of_all=20))
    assert sum(len(each.values) for each in few.columns) == 20
    short = read_columns(*towns, replace(limits, bytes=100))
    assert 80 < sum(len(value) for each in short.columns for value in each.values) <= 100


def test_where_no_time_is_left_nothing_is_read_and_it_is_known(
    towns: tuple[DatabaseReader, DatabaseSchema],
) -> None:
    reading = read_columns(*towns, replace(AT_ONCE, seconds=0.0))
    assert (reading.columns, reading.whole) == ((), False)
