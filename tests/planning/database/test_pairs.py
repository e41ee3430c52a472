"""Rows that are paired with rows of their own table, and what was never done among many rows."""

from pathlib import Path

import pytest

from dragoman.contracts.query import Value
from tests.planning.database.planned_database import PlannedDatabase

_SCRIPT = """
CREATE TABLE spell (spell_id INTEGER PRIMARY KEY, title TEXT, school TEXT, sold_until DATE);
INSERT INTO spell VALUES (1, 'Glimmer', 'light', NULL), (2, 'Beacon', 'light', '2023-01-01'),
  (3, 'Sunburst', 'light', NULL), (4, 'Gust', 'air', NULL);
CREATE TABLE requirement (spell_id INTEGER REFERENCES spell(spell_id),
  needed_id INTEGER REFERENCES spell(spell_id), PRIMARY KEY (spell_id, needed_id));
INSERT INTO requirement VALUES (2, 1), (3, 2), (3, 4);
CREATE TABLE mage (mage_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO mage VALUES (1, 'Orla'), (2, 'Bram'), (3, 'Sefa');
CREATE TABLE casting (casting_id INTEGER PRIMARY KEY, mage_id INTEGER REFERENCES mage(mage_id),
  spell_id INTEGER REFERENCES spell(spell_id), is_failed BOOLEAN);
INSERT INTO casting VALUES (1, 1, 1, 0), (2, 1, 2, 1), (3, 2, 1, 0), (4, 2, 3, 0);
CREATE TABLE gate (gate_id INTEGER PRIMARY KEY, town TEXT);
INSERT INTO gate VALUES (1, 'Ashby'), (2, 'Dunmore');
CREATE TABLE voyage (voyage_id INTEGER PRIMARY KEY, departure_gate_id INTEGER REFERENCES gate(gate_id),
  arrival_gate_id INTEGER REFERENCES gate(gate_id), mage_id INTEGER REFERENCES mage(mage_id));
INSERT INTO voyage VALUES (1, 1, 2, 1), (2, 2, 1, 1), (3, 1, 1, 2), (4, 2, 2, 3);
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, spell_id INTEGER REFERENCES spell(spell_id), price REAL);
INSERT INTO sale VALUES (1, 1, 5.0), (2, 3, 9.0), (3, 4, 2.5);
"""


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("requirements of Sunburst", ["Beacon", "Gust"]),
        ("which spells have Glimmer as a requirement", ["Beacon"]),
        ("spells that were never sold", ["Beacon"]),
        ("which mages never failed", ["Bram", "Sefa"]),
        ("mages who never cast a spell", ["Sefa"]),
        ("which other spells are in the same school as Beacon", ["Glimmer", "Sunburst"]),
        ("voyages departed in Ashby and arrived in Dunmore", ["1"]),
        ("how many voyages arrived in Ashby", ["2"]),
    ],
)
def test_a_question_gives_its_rows(tmp_path: Path, question: str, rows: list[Value]) -> None:
    tower = PlannedDatabase(tmp_path / "tower.sqlite", _SCRIPT)
    found = tower.rows(question)
    tower.reader.close()
    assert sorted(str(row[0]) for row in found) == rows
