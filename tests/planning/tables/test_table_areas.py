"""The area that names of tables begin with, and names that only look as if they had one."""

import pytest

from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, Dialect, TableInfo, TableKind, ValueType
from dragoman.planning.tables.table_areas import table_areas
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Graph


def _areas(names: str) -> dict[str, set[str]]:
    key = ColumnInfo("id", ValueType.INTEGER, "INTEGER")
    tables = tuple(TableInfo(name, TableKind.TABLE, (key,), primary_key=("id",)) for name in names.split())
    found = table_areas(Graph(DatabaseSchema("sqlite", Dialect.SQLITE, tables, "")))
    return {name: set(words) for (_, name), words in found.items()}


def test_an_area_is_shared_by_tables() -> None:
    found = _areas("Packing_Tins Packing_Crates Office_People Office_Desks Quay_Boats")
    assert found["Packing_Tins"] == {"pack"}
    assert found["Office_Desks"] == {stem("office")}
    assert found["Quay_Boats"] == {"quay"}


@pytest.mark.parametrize(
    "names",
    [
        "boats boat_crews boat_trips boat_repairs skipper_pay skipper_rest",
        "tins crates people desks boats Packing_Lines Packing_Lids",
        "oat_mills rye_fields hay_barns corn_silos",
    ],
)
def test_words_for_rows_and_single_beginnings_are_no_areas(names: str) -> None:
    assert _areas(names) == {}
