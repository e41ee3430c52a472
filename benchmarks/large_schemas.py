"""What planning costs as a schema grows: the same questions over 10, 60 and 1,000 tables.

./do bench large_schemas [--tables 10 60 1000]

Every schema is made here: branches of a company, each with the same ten kinds of records, linked as a shop's
are. The questions name the records of one branch; what the others have must not cost much.
"""

import argparse
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from benchmarks.real_turns import ANSWERED, PlanningClock
from dragoman import Workspace
from dragoman.contracts.record import Record

SIZES: Final = (10, 60, 1_000)
ROWS: Final = 40
BAR_P50, BAR_P95, BAR_WHOLE = 25.0, 120.0, 1_000.0
"""Milliseconds of CPU to plan over 60 tables, and for a whole answer over 1,000."""

KINDS: Final = (
    ("customer", "city TEXT, joined_on DATE, is_active INTEGER", ()),
    ("supplier", "country TEXT, rating INTEGER", ()),
    ("depot", "town TEXT, capacity INTEGER", ()),
    ("clerk", "hired_on DATE, salary REAL", ("depot",)),
    ("article", "price REAL, colour TEXT", ("supplier",)),
    ("contract", "signed_on DATE, status TEXT, amount REAL", ("customer", "clerk")),
    ("contract_line", "quantity INTEGER, discount REAL", ("contract", "article")),
    ("delivery", "sent_on DATE, weight REAL", ("contract", "depot")),
    ("payment", "paid_on DATE, amount REAL, method TEXT", ("contract",)),
    ("complaint", "filed_on DATE, severity INTEGER", ("customer", "article")),
)
"""The records of a branch: name, columns, and what each row points at."""

ASKED: Final = (
    "how many {0} customers are there",
    "list the {0} articles cheaper than 20",
    "total amount of {0} payments in March 2023",
    "top 5 {0} customers by contract amount",
    "how many {0} contracts per clerk",
    "which {0} suppliers have no articles",
    "average salary of {0} clerks by depot",
    "{0} deliveries heavier than 30 sent in 2022",
    "number of {0} complaints per city of the customer",
    "{0} customers who never filed a complaint",
)


class Measured(Record, frozen=True):
    """What the questions cost over one schema, in milliseconds of CPU."""

    tables: int
    opening: float
    again: float
    """A process that opens the folder anew and asks one question."""
    planning: tuple[float, ...]
    whole: tuple[float, ...]
    answered: int


def branch_names() -> Iterator[str]:
    """Names for branches, the short ones first; no two alike."""
    starts, ends = (
        ("nor", "sel", "var", "tam", "kor", "bel", "dun", "fal", "gri", "hol"),
        ("ton", "by", "ford"),
    )
    numbers = 0
    while True:
        for end in ends:
            for start in starts:
                yield f"{start}{end}" + (f"{starts[numbers % 10]}" if numbers else "")
        numbers += 1


def write_schema(file: Path, tables: int) -> list[str]:
    """Write a database of so many tables; the names of its branches."""
    branches = list(islice(branch_names(), -(-tables // len(KINDS))))
    with closing(sqlite3.connect(file)) as connection, connection:
        for branch in branches:
            for kind, columns, links in KINDS:
                pointed = [f"{each}_id INTEGER REFERENCES {branch}_{each}(id)" for each in links]
                parts = ["id INTEGER PRIMARY KEY", "name TEXT", *columns.split(", "), *pointed]
                connection.execute(f"CREATE TABLE {branch}_{kind} ({', '.join(parts)})")
                marks = ", ".join("?" * len(parts))
                rows = (_row(parts, number) for number in range(1, ROWS + 1))
                connection.executemany(f"INSERT INTO {branch}_{kind} VALUES ({marks})", rows)
    return branches


def _row(parts: list[str], number: int) -> tuple[object, ...]:
    return tuple(_value(part, number) for part in parts)


def _value(part: str, number: int) -> object:
    name, kind = part.split()[:2]
    if name == "id":
        return number
    if "REFERENCES" in part:
        return number * 7 % (ROWS - 4) + 1
    if kind == "DATE":
        return f"{2021 + number % 3}-{number % 12 + 1:02d}-{number % 28 + 1:02d}"
    if kind == "TEXT":
        return f"{name.capitalize()} {'ABCDEFGHIJ'[number % 10]}{number if name == 'name' else ''}"
    return number * 3 % 61


def measure(tables: int, questions: int) -> Measured:
    """Ask one schema, in a session for each question."""
    planning, whole, answered = [], [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        branches = write_schema(folder / "company.sqlite", tables)
        opening, again = (_opened(folder, branches[0]) for _ in range(2))
        with Workspace.open_database(folder / "company.sqlite", folder / "work") as workspace:
            workspace.ask(workspace.new_session(), "?")
            asked = (text.format(branch) for branch in cycle(branches) for text in ASKED)
            for question in islice(asked, questions):
                clock, began = PlanningClock(), time.process_time()
                result = workspace.ask(workspace.new_session(), question, listeners=[clock])
                whole.append((time.process_time() - began) * 1e3)
                planning.append(clock.seconds * 1e3)
                answered += result.answer_mode in ANSWERED
    return Measured(tables, opening * 1e3, again * 1e3, tuple(planning), tuple(whole), answered)


def _opened(folder: Path, branch: str) -> float:
    """Seconds of CPU until the first answer. The first time the schema and its values are read."""
    began = time.process_time()
    with Workspace.open_database(folder / "company.sqlite", folder / "work") as workspace:
        workspace.ask(workspace.new_session(), ASKED[0].format(branch))
    return time.process_time() - began


def _tail(figures: tuple[float, ...]) -> float:
    return sorted(figures)[int(len(figures) * 0.95)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, nargs="+", default=SIZES)
    parser.add_argument("--questions", type=int, default=100)
    options = parser.parse_args()
    print("tables   first answer ms   again   planning p50   p95   whole turn p50   p95   answered   growth")
    first = 0.0
    for tables in options.tables:
        found = measure(tables, options.questions)
        middle = statistics.median(found.planning)
        first = first or middle
        print(
            f"{tables:6,} {found.opening:17,.0f} {found.again:7,.0f} {middle:14.1f}"
            f" {_tail(found.planning):5.0f} {statistics.median(found.whole):16.1f} {_tail(found.whole):5.0f}"
            f" {found.answered:7}/{len(found.whole)} {middle / first:8.2f}",
            flush=True,
        )
    print(
        f"bars: 60 tables, planning p50 {BAR_P50:.0f} and p95 {BAR_P95:.0f};"
        f" 1,000 tables, opened again and asked, {BAR_WHOLE:,.0f}"
    )


if __name__ == "__main__":
    main()
