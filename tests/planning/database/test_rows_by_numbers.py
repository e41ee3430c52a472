"""Rows are called by a number that only they have, whatever their table is called."""

from pathlib import Path
from typing import Final

import pytest

from tests.planning.database.planned_database import PlannedDatabase

STORE: Final = """
create table shelf_levels (shelf_id integer primary key, level_name text);
create table store_entries (
    entry_id integer primary key, shelf_id integer references shelf_levels (shelf_id), entry_name text,
    kit_stock_number text, weight integer
);
insert into shelf_levels values (1, 'Kit'), (2, 'Spare');
insert into store_entries values
    (1, 1, 'Wheel', 'K1', 20), (2, 2, 'Apron', 'K2', 1), (3, 2, 'Rib', 'K3', 2), (4, 2, 'Kiln', 'K4', 90);
"""
KITS: Final = """
create table kits (kit integer primary key, kit_name text, weight integer);
insert into kits values (1, 'Starter', 7), (2, 'Raku', 9);
"""


@pytest.fixture
def store(tmp_path: Path) -> PlannedDatabase:
    return PlannedDatabase(tmp_path / "store.sqlite", STORE)


def test_rows_with_a_number_of_kits_are_kits(store: PlannedDatabase) -> None:
    assert "level_name" not in store.program("average weight of all kits")
    assert "level_name" not in store.program("the 2 lightest kits by weight")
    assert len(store.rows("kits with a weight over 10")) == 2


def test_a_value_beside_its_column_stays_one(store: PlannedDatabase) -> None:
    assert '"Kit"' in store.program('store entries where the level name is "Kit"')


def test_a_table_that_is_called_so_comes_first(tmp_path: Path) -> None:
    store = PlannedDatabase(tmp_path / "store.sqlite", STORE + KITS)
    assert store.rows("how many kits are there") == [(2,)]
