"""Folders that a newcomer may bring: hundreds of tables, other letters, no keys, a wide CSV full of dirt."""

import csv
import datetime as dt
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final

SEED: Final = 20_240_101


def many_tables(folder: Path) -> Path:
    """300 tables, nearly all of them of no interest, some of them empty."""
    chance, path = random.Random(SEED), folder / "many.sqlite"
    database = sqlite3.connect(path)
    for number in range(298):
        database.execute(f"CREATE TABLE t_{number:03}_log (id INTEGER PRIMARY KEY, note TEXT, amount REAL)")
        rows = [(f"note {at}", at * 1.5) for at in range(number % 7)]
        database.executemany(f"INSERT INTO t_{number:03}_log (note, amount) VALUES (?, ?)", rows)
    database.executescript(
        """
        CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);
        CREATE TABLE orders (
          id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), order_date TEXT,
          status TEXT, total REAL);
        """
    )
    countries = ("Spain", "France", "Peru")
    customers = [(at, f"Customer {at}", chance.choice(countries)) for at in range(1, 41)]
    database.executemany("INSERT INTO customers VALUES (?, ?, ?)", customers)
    for at in range(1, 501):
        day = dt.date(2021, 1, 1) + dt.timedelta(days=chance.randint(0, 700))
        row = (at, chance.randint(1, 40), day.isoformat(), chance.choice(("paid", "open")), at * 7.25 % 911)
        database.execute("INSERT INTO orders VALUES (?, ?, ?, ?, ?)", row)
    return _closed(database, path)


def other_letters(folder: Path) -> Path:
    """Names in Cyrillic and Hangul, and values too."""
    chance, path = random.Random(SEED), folder / "letters.sqlite"
    database = sqlite3.connect(path)
    database.executescript(
        """
        CREATE TABLE заказы (id INTEGER PRIMARY KEY, дата TEXT, статус TEXT, сумма REAL);
        CREATE TABLE 상품 (id INTEGER PRIMARY KEY, 이름 TEXT NOT NULL, 분류 TEXT, 가격 INTEGER);
        """
    )
    for at in range(1, 301):
        day = dt.date(2021, 1, 1) + dt.timedelta(days=chance.randint(0, 700))
        row = (at, day.isoformat(), chance.choice(("оплачен", "открыт")), at * 3.5 % 701)
        database.execute("INSERT INTO заказы VALUES (?, ?, ?, ?)", row)
    for at in range(1, 61):
        row = (at, f"상품 {at}", chance.choice(("식품", "의류")), chance.randint(1, 90) * 100)
        database.execute("INSERT INTO 상품 VALUES (?, ?, ?, ?)", row)
    return _closed(database, path)


def only_hangul(folder: Path) -> Path:
    """Names in Hangul alone."""
    path = folder / "hangul.sqlite"
    database = sqlite3.connect(path)
    database.execute(
        "CREATE TABLE 주문 (id INTEGER PRIMARY KEY, 고객 TEXT, 날짜 TEXT, 상태 TEXT, 금액 INTEGER)"
    )
    rows = [
        (at, f"고객 {at % 30}", f"202{1 + at % 2}-0{1 + at % 9}-11", ("완료", "대기")[at % 2], at * 37 % 1000)
        for at in range(1, 201)
    ]
    database.executemany("INSERT INTO 주문 VALUES (?, ?, ?, ?, ?)", rows)
    return _closed(database, path)


def no_keys(folder: Path) -> Path:
    """No primary key, no foreign key, no unique column."""
    chance, path = random.Random(SEED), folder / "keyless.sqlite"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE sensors (code TEXT, place TEXT)")
    database.execute("CREATE TABLE readings (sensor TEXT, taken TEXT, kind TEXT, value REAL)")
    sensors = [(f"S{at}", chance.choice(("roof", "cellar"))) for at in range(12)]
    database.executemany("INSERT INTO sensors VALUES (?, ?)", sensors)
    for at in range(400):
        moment = dt.datetime(2022, 1, 1, tzinfo=dt.UTC) + dt.timedelta(hours=chance.randint(0, 9000))
        taken = moment.strftime("%Y-%m-%d %H:%M:%S")
        row = (f"S{chance.randint(0, 11)}", taken, chance.choice(("heat", "damp")), at * 0.75 % 97)
        database.execute("INSERT INTO readings VALUES (?, ?, ?, ?)", row)
    return _closed(database, path)


def dirty_csv(folder: Path) -> Path:
    """40 columns: names with blanks, signs and a line end; cells with quotes, line ends, no values."""
    chance, path = random.Random(SEED), folder / "survey.csv"
    names = [
        *(
            "Resp ID",
            "Full  name",
            "age ",
            "Country",
            "joined (date)",
            "Amount, EUR",
            "Score%",
            "notes\nmore",
        ),
        *("is_active", "Δ"),
        *(f"Q{number}. How?" for number in range(1, 31)),
    ]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        for at in range(1, 251):
            writer.writerow(
                [
                    at,
                    chance.choice((" Ann", "Bob ", "", "N/A", "Ce\u0301line")),
                    chance.choice((str(chance.randint(18, 80)), "", "n/a")),
                    chance.choice(("Spain", "spain", "France", "-")),
                    (dt.date(2023, 1, 1) + dt.timedelta(days=chance.randint(0, 300))).isoformat(),
                    f"{at * 17.33 % 8999:.2f}",
                    chance.randint(0, 100),
                    chance.choice(("a,b", "line\nbreak", '"q"')),
                    chance.choice(("yes", "no")),
                    chance.choice(("", "x")),
                    *(chance.choice(("1", "2", "3", "4", "5", "", "?")) for _ in range(30)),
                ]
            )
    return path


FOLDERS: Final[tuple[Callable[[Path], Path], ...]] = (
    many_tables,
    other_letters,
    only_hangul,
    no_keys,
    dirty_csv,
)


def _closed(database: sqlite3.Connection, path: Path) -> Path:
    database.commit()
    database.close()
    return path
