"""What the first questions cost over a large database: CPU, wall and memory of `init`, of the first question
and of a later one, and of the process that reads the values in the background.

./do bench large_data
./do bench large_data --rows 1000000

A shop in SQLite: two in three rows are lines of orders, most of the others are orders. It is made in a
temporary folder, which needs about 50 bytes a row, and removed afterwards.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks import pipelines_launch
from benchmarks.startup import DRAGOMAN, PYTHON
from dragoman.catalog.catalog import Catalog
from dragoman.databases.connections import resolve
from dragoman.databases.values import IN_BACKGROUND, KeptValues, origin_of
from dragoman.workspace.database_values import kept_values

ROWS: Final = 10_000_000
QUESTION: Final = "how many orders are shipped?"
LIMIT_SECONDS: Final = 600
MORE_SECONDS: Final = 1.0
"""How much more CPU the first question may take than a later one."""
MOST_MEMORY: Final = 200e6
BUILD: Final = "from pathlib import Path; from dragoman.workspace.value_builder import build; "
TABLES: Final = """
CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, city TEXT, country TEXT);
CREATE TABLE products(id INTEGER PRIMARY KEY, name TEXT NOT NULL, sku TEXT, category TEXT, price REAL);
CREATE TABLE orders(id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), ordered_at TEXT,
  status TEXT, channel TEXT, ship_city TEXT, reference TEXT, comment TEXT);
CREATE TABLE order_lines(id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id),
  product_id INTEGER REFERENCES products(id), quantity INTEGER, price REAL, state TEXT, note TEXT);
"""
CITIES: Final = ("Leeds", "Perpignan", "Brno", "Turku", "Osaka", "Lyon", "Porto", "Bergen")


class Taken(NamedTuple):
    cpu: float
    wall: float
    peak: int


def made(file: Path, rows: int) -> None:
    """The database, the same in every run."""
    customers, orders, lines = rows // 20, rows * 3 // 10, rows * 13 // 20

    def of(words: tuple[str, ...], number: str) -> str:
        cases = " ".join(f"WHEN {place} THEN '{word}'" for place, word in enumerate(words))
        return f"CASE ({number}) % {len(words)} {cases} END"

    filled = {
        "customers": (
            customers,
            f"'Customer ' || (i * 7919 % {customers}), 'c' || i || '@mail.example',"
            f" {of(CITIES, 'i * 13 + i / 7')}, {of(('France', 'Finland', 'Japan'), 'i * 17')}",
        ),
        "products": (
            5_000,
            f"'Product ' || i, 'SKU-' || (i * 37), {of(('tools', 'garden'), 'i * 11')}, i % 997 / 10.0",
        ),
        "orders": (
            orders,
            f"1 + i * 7919 % {customers}, date('2018-01-01', '+' || (i % 2500) || ' days'),"
            f" {of(('new', 'paid', 'shipped', 'lost'), 'i * 7 + i / 5')}, {of(('web', 'store'), 'i * 5')},"
            f" {of(CITIES, 'i * 29 + i / 3')}, 'R-' || (i * 104729 % 99999989),"
            " CASE WHEN i % 3 = 0 THEN 'call before ' || (i * 31 % 90001) END",
        ),
        "order_lines": (
            lines,
            f"1 + i * 7907 % {orders}, 1 + i * 31 % 5000, 1 + i % 9, i % 997 / 10.0,"
            f" {of(('open', 'sent'), 'i * 11 + i / 3')}, CASE WHEN i % 4 = 0 THEN 'batch ' || i END",
        ),
    }
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {TABLES}")
        for table, (count, values) in filled.items():
            database.execute(f"INSERT INTO {table} {numbers} SELECT i, {values} FROM n", (count,))


def taken(folder: Path, *command: str) -> Taken:
    """What a command took, with all that it waited for."""
    outcome = folder / "taken.json"
    launcher = [sys.executable, "-S", pipelines_launch.__file__, str(outcome), str(LIMIT_SECONDS)]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    quiet = subprocess.DEVNULL
    subprocess.run(
        [*launcher, *command], check=True, cwd=folder, env=kept, stdin=quiet, stdout=quiet, stderr=quiet
    )
    figures = json.loads(outcome.read_text())
    if figures["code"] != 0:
        raise SystemExit(f"{' '.join(command)} ended with {figures['code']}")
    return Taken(figures["cpu"], figures["wall"], figures["peak"])


def file_of(folder: Path) -> tuple[KeptValues, str]:
    """Where the values of the folder's database are kept, and what the database is called."""
    catalog = Catalog(folder)
    spec = catalog.default
    schema = None if spec is None else catalog.schema(spec)
    if spec is None or schema is None:
        raise SystemExit("nothing was discovered")
    return kept_values(folder, schema, origin_of(resolve(spec, folder))), spec.name


def forgotten(folder: Path, file: KeptValues) -> None:
    """No values, and nobody who reads any."""
    while file.is_locked:
        time.sleep(0.1)
    for each in (folder / ".dragoman" / "values").iterdir():
        each.unlink()


def measured(folder: Path, database: Path) -> dict[str, Taken]:
    found = {"init": taken(folder, *DRAGOMAN, "init", str(database))}
    file, name = file_of(folder)
    forgotten(folder, file)
    found["the first question"] = taken(folder, *DRAGOMAN, "ask", QUESTION)
    forgotten(folder, file)
    found["in the background"] = taken(folder, PYTHON, "-c", f"{BUILD}build(Path.cwd(), '{name}')")
    found["a later question"] = taken(folder, *DRAGOMAN, "ask", QUESTION)
    return found


def verdict(title: str, passed: bool) -> bool:
    print(f"bar: {title} {'PASS' if passed else 'FAIL'}")
    return passed


def main() -> int:
    parser = argparse.ArgumentParser(description="What the first questions cost over a large database.")
    parser.add_argument("--rows", type=int, default=ROWS)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory(prefix="dragoman-large-") as place:
        folder, database = Path(place, "workspace"), Path(place, "shop.sqlite")
        folder.mkdir()
        made(database, rows)
        found = measured(folder, database)
        kept = file_of(folder)[0].load()
    if kept is None:
        raise SystemExit("no values were kept")
    for name, each in found.items():
        print(f"{name:<20} {each.cpu:6.2f} s CPU {each.wall:6.1f} s {each.peak / 1e6:5.0f} MB")
    values = [value for column in kept.reading.columns for value in column.values]
    size = sum(len(value.encode()) for value in values)
    print(f"{len(values):,} values of {len(kept.reading.columns)} columns, {size / 1e6:.1f} MB")
    more = found["the first question"].cpu - found["a later question"].cpu
    peak, seconds = max(each.peak for each in found.values()), found["in the background"].wall
    passed = [
        verdict(
            f"the first at most {MORE_SECONDS} s of CPU above a later one: {more:.2f}", more <= MORE_SECONDS
        ),
        verdict(f"at most {MOST_MEMORY / 1e6:.0f} MB: {peak / 1e6:.0f}", peak <= MOST_MEMORY),
        verdict(f"the background within {IN_BACKGROUND.seconds:.0f} s", seconds <= IN_BACKGROUND.seconds),
    ]
    return int(not all(passed))


if __name__ == "__main__":
    sys.exit(main())
