"""The values of a database are kept, completed in the background, and read again once the data are others."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.catalog.catalog import Catalog
from dragoman.contracts.places import STATE_FOLDER
from dragoman.databases.connections import resolve
from dragoman.databases.values import AT_ONCE, Freshness, Reading, ValueIndex, origin_of
from dragoman.workspace.database_values import DatabaseValues, kept_values
from dragoman.workspace.setup import make_from_database
from tests.patience import until
from tests.planning.tables import library

LAST = "Rovaniemi"
VALUES = Path(STATE_FOLDER) / "values"


class Home:
    """A workspace over one database, and what is told to whoever asks in it."""

    def __init__(self, folder: Path, database: Path) -> None:
        folder.mkdir()
        make_from_database(folder, str(database))
        self.folder = folder
        self.database = database
        self.lines: list[str] = []
        catalog = Catalog(folder)
        spec = catalog.default
        schema = None if spec is None else catalog.schema(spec)
        assert spec is not None
        assert schema is not None
        self.spec, self.schema = spec, schema
        self.connection = resolve(spec, folder)
        self.file = kept_values(folder, schema, origin_of(self.connection))

    def values(self, *, shared: bool = True) -> DatabaseValues:
        """As another process would open them."""
        return DatabaseValues(
            self.folder,
            self.spec,
            self.schema,
            self.connection,
            self.lines.append,
            Freshness(),
            file=self.file if shared else None,
        )

    def change(self, sql: str, *, long_ago: bool = True) -> None:
        """Write to the database; what is kept was read long before."""
        with closing(sqlite3.connect(self.database)) as database, database:
            database.execute(sql)
        (kept,) = (self.folder / VALUES).glob("*.json")
        if long_ago:
            os.utime(kept, (0, 0))


@pytest.fixture
def small(tmp_path: Path) -> Home:
    return Home(tmp_path / "home", library.make(tmp_path / "library.sqlite"))


@pytest.fixture
def large(tmp_path: Path) -> Iterator[Home]:
    """One table with more rows than are read at once; the last of them has a town of its own."""
    file = tmp_path / "visits.sqlite"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("CREATE TABLE visit (id INTEGER PRIMARY KEY, town TEXT, guests INTEGER)")
        database.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
            "INSERT INTO visit SELECT i, CASE i % 2 WHEN 0 THEN 'Turku' ELSE 'Oulu' END, i % 5 FROM n",
            (AT_ONCE.rows + 50_000,),
        )
        database.execute("UPDATE visit SET town = ? WHERE id = (SELECT max(id) FROM visit)", (LAST,))
    home = Home(tmp_path / "home", file)
    for kept in (home.folder / VALUES).glob("*"):
        kept.unlink()
    yield home
    until(lambda: not home.file.is_locked, "nobody reads in the background any more")


def test_they_are_kept_and_not_read_again(small: Home) -> None:
    first = small.values().index()
    assert first.exactly("winter roads")
    small.database.rename(small.database.with_name("gone.sqlite"))
    small.database.touch()
    assert list(small.values().index().places()) == list(first.places())
    assert small.lines == []


def test_what_is_kept_and_broken_is_read_again(small: Home) -> None:
    small.values().index()
    for file in (small.folder / VALUES).iterdir():
        file.write_bytes(b"{")
    assert small.values().index().exactly("Turku")


def test_small_ones_are_read_again_before_the_answer(small: Home) -> None:
    values = small.values()
    assert not values.index().exactly(LAST)
    assert not values.freshness.is_outdated()
    small.change(f"INSERT INTO branch (branch_id, city) VALUES (99, '{LAST}')")
    assert values.freshness.is_outdated()
    assert values.index().exactly(LAST)
    assert not values.freshness.is_outdated()
    assert len(list((small.folder / VALUES).iterdir())) == 1


def test_what_was_known_stays_known_while_the_database_is_gone(small: Home) -> None:
    values = small.values()
    values.index()
    small.change(f"INSERT INTO branch (branch_id, city) VALUES (99, '{LAST}')")
    small.database.rename(small.database.with_name("gone.sqlite"))
    assert values.freshness.is_outdated()
    assert values.index().exactly("Turku")
    small.database.with_name("gone.sqlite").rename(small.database)
    assert values.freshness.is_outdated()
    assert values.index().exactly(LAST)


def test_what_took_its_time_is_not_read_again_at_once(small: Home) -> None:
    values = small.values()
    values.index()
    kept = small.file.load()
    assert kept is not None
    small.change("INSERT INTO branch (branch_id, city) VALUES (99, 'Kemi')", long_ago=False)
    origin = origin_of(small.connection)
    slow = Reading(kept.reading.columns, 3_600.0, whole=True)
    small.file.store(kept.origin, slow, in_background=False)
    kept = small.file.load()
    assert kept is not None
    assert kept.origin.stamp != origin.stamp
    assert not small.file.is_due(kept, origin)


def test_two_databases_of_one_shape_do_not_share_them(tmp_path: Path) -> None:
    first = Home(tmp_path / "first", library.make(tmp_path / "one.sqlite"))
    assert not first.values().index().exactly(LAST)
    other = library.make(tmp_path / "two.sqlite")
    with closing(sqlite3.connect(other)) as database, database:
        database.execute(f"INSERT INTO branch (branch_id, city) VALUES (99, '{LAST}')")
    second = Home(tmp_path / "second", other)
    second.file = kept_values(first.folder, second.schema, origin_of(second.connection))
    assert second.values().index().exactly(LAST)
    assert not first.values().index().exactly(LAST)


def test_what_is_kept_is_for_its_owner_alone(small: Home) -> None:
    small.values().index()
    (kept,) = (small.folder / VALUES).iterdir()
    assert kept.stat().st_mode & 0o077 == 0


def test_large_ones_are_completed_in_the_background(large: Home) -> None:
    values = large.values()
    index = values.index()
    assert index.exactly("Turku")
    assert not index.exactly(LAST)
    (line,) = large.lines
    assert "read in the background" in line
    until(values.freshness.is_outdated, "the values were read in the background")
    assert values.index().exactly(LAST)
    assert not values.freshness.is_outdated()
    # Whoever opens them anew finds them too, and nothing more is told.
    assert large.values().index().exactly(LAST)
    assert large.lines == [line]
    until(lambda: not large.file.is_locked, "the process has done its work")
    assert not large.file.trouble.exists()


def test_large_ones_are_read_again_in_the_background(large: Home) -> None:
    values = large.values()
    values.index()
    until(values.freshness.is_outdated, "the values were read in the background")
    values.index()
    large.lines.clear()
    large.change("INSERT INTO visit (town) VALUES ('Kemi')")
    assert values.freshness.is_outdated()
    old: ValueIndex = values.index()
    assert old.exactly(LAST)
    assert not old.exactly("Kemi")
    until(values.freshness.is_outdated, "the values were read again")
    assert values.index().exactly("Kemi")
    assert large.lines == []


def test_one_process_at_a_time_reads_in_the_background(large: Home) -> None:
    (large.folder / VALUES).mkdir(exist_ok=True)
    with large.file.lock() as is_mine:
        assert is_mine
        large.values().index()
        assert large.lines == []
        with large.file.lock() as again:
            assert not again
    large.values().index()
    assert len(large.lines) == 1


def test_what_goes_wrong_in_the_background_is_told_in_a_file(large: Home) -> None:
    reading = Reading((), seconds=3_600.0, whole=False)
    large.file.store(origin_of(large.connection), reading, in_background=False)
    large.database.rename(large.database.with_name("gone.sqlite"))
    large.values().index()
    until(lambda: "database_not_found: " in large.file.trouble.read_text(), "it is told")


def test_what_is_not_for_everybody_is_neither_kept_nor_completed(large: Home) -> None:
    values = large.values(shared=False)
    assert values.index().exactly("Turku")
    assert not values.freshness.is_outdated()
    assert large.lines == []
    assert not (large.folder / VALUES).exists()


def test_a_conversation_learns_of_them_as_it_goes_on(large: Home) -> None:
    question = f"how many visits are there in {LAST}?"
    with Workspace.open(large.folder, notice=large.lines.append) as workspace:
        before = workspace.ask(workspace.new_session(), question)
        assert before.answer_mode != "confirmed"
        assert len(large.lines) == 1
        until(lambda: (kept := large.file.load()) is not None and kept.in_background, "they were read")
        after = workspace.ask(workspace.new_session(), question)
        assert (after.answer_mode, after.rows) == ("confirmed", ((1,),))
