"""A studio whose rows are exported: two sources, a target for tables, and targets that take none."""

import sqlite3
from pathlib import Path
from typing import Final

import duckdb

STUDIO: Final = """
CREATE TABLE members (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, phone TEXT, city TEXT, joined DATE
);
CREATE TABLE lessons (id INTEGER PRIMARY KEY, title TEXT NOT NULL, level TEXT, price NUMERIC(8,2));
CREATE TABLE bookings (
  id INTEGER PRIMARY KEY,
  member_id INTEGER NOT NULL REFERENCES members(id),
  lesson_id INTEGER NOT NULL REFERENCES lessons(id),
  booked DATE NOT NULL,
  status TEXT NOT NULL,
  fee NUMERIC(8,2) NOT NULL
);
CREATE TABLE audit_log (id INTEGER PRIMARY KEY, happened DATE, message TEXT);
INSERT INTO members VALUES
  (1, 'Ida Holm', 'ida@studio.test', '100', 'Turku', '2022-01-10'),
  (2, 'Leo Brandt', 'leo@studio.test', '200', 'Oulu', '2022-03-01'),
  (3, 'Mia Stone', NULL, '300', 'Turku', '2023-05-20');
INSERT INTO lessons VALUES (1, 'Morning flow', 'beginner', 12.50), (2, 'Deep stretch', 'advanced', 18.00);
INSERT INTO bookings VALUES
  (1, 1, 1, '2023-01-15', 'paid', 12.50), (2, 1, 2, '2023-02-03', 'open', 18.00),
  (3, 2, 1, '2023-02-20', 'paid', 12.50), (4, 3, 2, '2024-03-08', 'cancelled', 18.00),
  (5, 2, 2, '2024-04-01', 'paid', 40.00);
INSERT INTO audit_log VALUES (1, '2024-01-01', 'opened');
"""

DESK: Final = """
CREATE TABLE tickets (id INTEGER PRIMARY KEY, subject TEXT, opened DATE, priority TEXT);
CREATE TABLE agents (id INTEGER PRIMARY KEY, full_name TEXT, office TEXT);
INSERT INTO tickets VALUES (1, 'Mat is torn', '2024-02-01', 'high'), (2, 'Late start', '2024-02-11', 'low');
INSERT INTO agents VALUES (1, 'Rosa Lind', 'Oulu');
"""

CONNECTIONS: Final = """\
studio: {family: sqlite, path: studio.sqlite, default: true}
desk: {family: sqlite, path: desk.sqlite}
archive: {family: sqlite, path: archive.sqlite}
lake: {family: duckdb, path: lake.duckdb}
cloud: {family: supabase, host: 127.0.0.1, port: 9, user: nobody, database: cloud}
"""


def make_studio(folder: Path) -> Path:
    """The workspace in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, script in (("studio", STUDIO), ("desk", DESK), ("archive", "")):
        with sqlite3.connect(folder / f"{name}.sqlite") as connection:
            connection.executescript(script or "PRAGMA user_version = 1;")
    duckdb.connect(str(folder / "lake.duckdb")).close()
    (folder / "connections.yaml").write_text(CONNECTIONS, encoding="utf-8")
    return folder
