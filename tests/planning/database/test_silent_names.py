"""Names that say nothing of rows: of the whole database, of headers, of numbers that only order."""

from pathlib import Path

import pytest

from dragoman.contracts.query import Value
from tests.planning.database.planned_database import PlannedDatabase

_SCRIPT = """
CREATE TABLE mill_bakers (baker_id INTEGER PRIMARY KEY, name TEXT, style_mark INTEGER);
INSERT INTO mill_bakers VALUES (1, 'Ruta', 0), (2, 'Emil', 0), (3, 'Sanna', 0);
CREATE TABLE mill_parcel_header (parcel_id INTEGER PRIMARY KEY,
  baker_id INTEGER REFERENCES mill_bakers(baker_id), sent_to TEXT, sent_date DATE, status INTEGER);
INSERT INTO mill_parcel_header VALUES (1, 1, 'Bergen', '2023-01-05', 5), (2, 1, 'Bergen', NULL, 2),
  (3, 1, 'Oslo', '2023-02-05', 5), (4, 2, 'Oslo', '2023-03-05', 5);
CREATE TABLE mill_parcel_fees (parcel_id INTEGER REFERENCES mill_parcel_header(parcel_id),
  fee_sequential INTEGER, fee_type TEXT, fee_value REAL);
INSERT INTO mill_parcel_fees VALUES (1, 1, 'stamp', 4.5), (1, 2, 'cash', 6.5), (3, 1, 'stamp', 5.5);
CREATE TABLE mill_parcel_lines (parcel_id INTEGER REFERENCES mill_parcel_header(parcel_id), flour TEXT);
INSERT INTO mill_parcel_lines VALUES (1, 'rye'), (1, 'oat'), (2, 'rye'), (3, 'rye'), (4, 'oat');
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many parcels are there in total", [(4,)]),
        ("bakers with more than 2 parcels", [("Ruta", 3)]),
        ("parcels by status", [(2, 1), (5, 3)]),
        ("what is the average fee", [(5.5,)]),
    ],
)
def test_a_question_gives_its_rows(tmp_path: Path, question: str, rows: list[tuple[Value, ...]]) -> None:
    mill = PlannedDatabase(tmp_path / "mill.sqlite", _SCRIPT)
    found = mill.rows(question)
    mill.reader.close()
    assert found == rows


def test_a_person_is_called_by_personal_and_family_names(tmp_path: Path) -> None:
    script = """
    CREATE TABLE weavers (id INTEGER PRIMARY KEY, login_name TEXT, personal_name TEXT, family_name TEXT);
    INSERT INTO weavers VALUES (1, 'rk7', 'Rika', 'Kolm'), (2, 'tj1', 'Taavi', 'Jurg');
    """
    loft = PlannedDatabase(tmp_path / "loft.sqlite", script)
    found = loft.rows("list all weavers")
    loft.reader.close()
    assert sorted(found) == [("Rika", "Kolm"), ("Taavi", "Jurg")]


_CANNERY = """
CREATE TABLE Packing_Tins (TinID INTEGER PRIMARY KEY, TinName TEXT, CookPersonID INTEGER REFERENCES
  Office_People(PersonID));
INSERT INTO Packing_Tins VALUES (1, 'Sprats', 1), (2, 'Eels', 1), (3, 'Roe', 2);
CREATE TABLE Packing_Crates (CrateID INTEGER PRIMARY KEY, TinID INTEGER REFERENCES Packing_Tins(TinID));
INSERT INTO Packing_Crates VALUES (1, 1), (2, 1), (3, 2);
CREATE TABLE Packing_Exports (ExportID INTEGER PRIMARY KEY, TotalPallets INTEGER, ExportDate DATE);
INSERT INTO Packing_Exports VALUES (1, 3, '2021-04-01'), (2, 5, '2022-05-02');
CREATE TABLE Packing_ExportLines (ExportLineID INTEGER PRIMARY KEY, ExportID INTEGER REFERENCES
  Packing_Exports(ExportID), TinID INTEGER REFERENCES Packing_Tins(TinID), Quantity INTEGER, DutyAmount REAL,
  DutyRate REAL, ExtendedPrice REAL);
INSERT INTO Packing_ExportLines VALUES (1, 1, 1, 10, 2.5, 7, 40), (2, 1, 2, 20, 3.5, 7, 80),
  (3, 2, 1, 30, 4.0, 7, 90);
CREATE TABLE Office_People (PersonID INTEGER PRIMARY KEY, FullName TEXT, CountyID INTEGER REFERENCES
  Office_StateCounties(StateCountyID));
INSERT INTO Office_People VALUES (1, 'Odd Lunde', 1), (2, 'Tove Berg', 2), (3, 'Per Aas', 2);
CREATE TABLE Office_StateCounties (StateCountyID INTEGER PRIMARY KEY, StateCountyName TEXT,
  Population INTEGER);
INSERT INTO Office_StateCounties VALUES (1, 'Voss', 700), (2, 'Sogn', 900);
CREATE TABLE Quay_Boats (BoatID INTEGER PRIMARY KEY, BoatName TEXT);
INSERT INTO Quay_Boats VALUES (1, 'Havfru'), (2, 'Terne');
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("tins that have no crate", [("Roe",)]),
        ("the most populous state", [("Sogn", 900)]),
        ("how many people in each state", [("Voss", 1), ("Sogn", 2)]),
        ("total duty amount exported", [(10.0,)]),
        ("total exported amount in 2021", [(120.0,)]),
        ("exported quantity by year", [(2021, 30), (2022, 30)]),
        ("exported quantity of Sprats tins by year", [(2021, 10), (2022, 30)]),
    ],
)
def test_the_area_of_a_table_goes_without_saying(
    tmp_path: Path, question: str, rows: list[tuple[Value, ...]]
) -> None:
    cannery = PlannedDatabase(tmp_path / "cannery.sqlite", _CANNERY)
    found = cannery.rows(question)
    cannery.reader.close()
    assert found == rows


def test_values_are_not_counted_for_each_of_their_rows(tmp_path: Path) -> None:
    script = """
    CREATE TABLE Rope_Kind (Rope TEXT PRIMARY KEY, RopeKind TEXT);
    INSERT INTO Rope_Kind VALUES ('Manila', 'plant'), ('Sisal', 'plant'), ('Nylon', 'made');
    CREATE TABLE Has_Rope (BoatID INTEGER, Rope TEXT REFERENCES Rope_Kind(Rope));
    INSERT INTO Has_Rope VALUES (1, 'Manila'), (2, 'Manila'), (2, 'Nylon');
    """
    quay = PlannedDatabase(tmp_path / "quay.sqlite", script)
    found = quay.rows("how many different ropes per rope kind")
    quay.reader.close()
    assert sorted(found) == [("made", 1), ("plant", 2)]


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("quantity on hand of each twine", [("Hemp", 4), ("Jute", 90)]),
        ("twines we have fewer than 10 of on hand", [("Hemp", 4)]),
    ],
)
def test_a_small_word_inside_of_a_name_belongs_to_it(
    tmp_path: Path, question: str, rows: list[tuple[Value, ...]]
) -> None:
    script = """
    CREATE TABLE Twine (TwineID INTEGER PRIMARY KEY, TwineName TEXT, Quantity INTEGER,
      QuantityOnHand INTEGER);
    INSERT INTO Twine VALUES (1, 'Hemp', 70, 4), (2, 'Jute', 80, 90);
    """
    loft = PlannedDatabase(tmp_path / "twine.sqlite", script)
    found = loft.rows(question)
    loft.reader.close()
    assert found == rows
