"""A drafted pack answers exactly what the tables answer, on every database."""

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.answer import Cell
from dragoman.contracts.schema import Dialect
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.workspace.databases import Databases
from dragoman.workspace.packs import Packs
from tests.engine.workspaces import make_workspace
from tests.packs.engines import FAMILIES
from tests.packs.filled import filled_database

TABLES = """
CREATE TABLE customer (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, rating DECIMAL(6,3), born DATE);
CREATE TABLE invoice (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customer (id), name VARCHAR(40) NOT NULL,
    paid_at {moment} NOT NULL, total DECIMAL(10,2), fee DECIMAL(12,4), pieces INTEGER
);
CREATE TABLE reading (
    id INTEGER PRIMARY KEY, taken DATE NOT NULL, level {real}, whole DECIMAL(8,0), loose {loose}
);
INSERT INTO customer VALUES (1, 'Ann', 1.5, '1980-02-29'), (2, 'Bob', NULL, NULL);
INSERT INTO invoice VALUES
    (1, 1, 'one', '2024-04-30 00:00:00', 0.10, 0.0001, 3),
    (2, 1, 'two', '2024-04-30 23:59:59', 0.20, 12345.6789, NULL),
    (3, 2, 'three', '2024-05-01 00:00:00', 481.15, 1, 4),
    (4, 2, 'four', '2024-05-02 08:30:00', NULL, NULL, -2);
INSERT INTO reading VALUES (1, '2024-04-01', 0.25, 7, 1.25), (2, '2024-04-02', -1.5, -3, 2.5);
"""
NATIVE = {
    Dialect.SQLITE: {"moment": "TIMESTAMP", "real": "REAL", "loose": "NUMERIC"},
    Dialect.DUCKDB: {"moment": "TIMESTAMP", "real": "DOUBLE", "loose": "DECIMAL(18,12)"},
    Dialect.MYSQL: {"moment": "DATETIME", "real": "DOUBLE", "loose": "DECIMAL(30,12)"},
    Dialect.POSTGRES: {"moment": "TIMESTAMP", "real": "DOUBLE PRECISION", "loose": "NUMERIC"},
}
PERIODS = {
    "April": (dt.date(2024, 4, 1), dt.date(2024, 4, 30)),
    "May": (dt.date(2024, 5, 1), dt.date(2024, 5, 31)),
    "all": (dt.date(2024, 1, 1), dt.date(2024, 12, 31)),
    "none": (dt.date(2023, 1, 1), dt.date(2023, 12, 31)),
}


@pytest.fixture(params=FAMILIES, scope="module")
def catalog(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Catalog]:
    """A workspace on a database of a family, with the pack that was drafted for it."""
    dialect: Dialect = request.param
    tmp_path = tmp_path_factory.mktemp(dialect.value)
    script = TABLES.format(**NATIVE[dialect])
    with filled_database(dialect, script, tmp_path, request) as url:
        folder = tmp_path / "work"
        make_workspace(folder, {"shop": url}, {})
        databases = Databases(folder)
        databases.discover(databases.find("@shop"))
        (folder / "packs").mkdir()
        (folder / "packs/shop.yaml").write_text(Packs(folder).draft("@shop", verbs=True), encoding="utf-8")
        found = Catalog(folder)
        found.load()
        yield found


def answer(catalog: Catalog, text: str) -> tuple[tuple[Cell, ...], ...]:
    found = look_up(catalog, read_verbs(Source(text)).statements)
    assert found.checked, text
    return found.rows


def spelled(rows: tuple[tuple[Cell, ...], ...]) -> list[list[Any]]:
    """Numbers by what they are worth: an engine may say 7 or 7.000000000000."""
    return [[_number(cell) for cell in row] for row in rows]


def _number(cell: Cell) -> Any:
    try:
        return Decimal(str(cell)) if cell is not None else None
    except ArithmeticError:
        return cell


@pytest.mark.parametrize("period", PERIODS)
@pytest.mark.parametrize(
    ("verb", "table", "column", "on"),
    [
        ("invoice-2.total-total", "invoice", "total", "paid_at"),
        ("invoice-2.total-fee", "invoice", "fee", "paid_at"),
        ("invoice-2.total-pieces", "invoice", "pieces", "paid_at"),
        ("reading.total-level", "reading", "level", "taken"),
        ("reading.total-whole", "reading", "whole", "taken"),
        ("reading.total-loose", "reading", "loose", "taken"),
    ],
)
def test_a_total_is_that_of_the_table(
    catalog: Catalog, verb: str, table: str, column: str, on: str, period: str
) -> None:
    first, last = PERIODS[period]
    drafted = answer(catalog, f"({verb} :during [{first} {last}])")
    said = answer(catalog, f'({table}.sum :of "{column}" :on "{on}" :during [{first} {last}])')
    assert spelled(drafted) == spelled(said)


def test_totals_are_what_they_are(catalog: Catalog) -> None:
    """481.45 was 0 on one database and 481 on another."""
    whole = "[2024-01-01 2024-12-31]"
    assert answer(catalog, f"(invoice-2.total-total :during {whole})") == (("481.45",),)
    assert answer(catalog, f"(invoice-2.total-fee :during {whole})") == (("12346.6790",),)
    assert answer(catalog, "(invoice-2.total-total :during [2024-04-01 2024-04-30])") == (("0.30",),)
    assert answer(catalog, f'(invoice-2.total-total :during {whole} :customer "2")') == (("481.15",),)


@pytest.mark.parametrize(
    ("kind", "columns"),
    [
        ("customer", ("id", "name", "rating", "born")),
        ("invoice", ("id", "customer_id", "name", "paid_at", "total", "fee", "pieces")),
    ],
)
def test_a_card_is_the_row_of_the_table(catalog: Catalog, kind: str, columns: tuple[str, ...]) -> None:
    named = " ".join(f'"{name}"' for name in columns)
    listed = answer(catalog, f"({kind}.list :columns [{named}])")
    cards = [
        row for key in range(1, len(listed) + 1) for row in answer(catalog, f'({kind}.card :{kind} "{key}")')
    ]
    assert sorted(cards, key=str) == sorted(listed, key=str)


def test_the_draft_passes_the_check(catalog: Catalog) -> None:
    text = (catalog.folder / "packs/shop.yaml").read_text("utf-8")
    codes = {each.code for each in Packs(catalog.folder).checker("@shop")(Source(text))}
    # A type that does not say how many places it has is left to the person who edits the draft.
    assert codes <= {"missing_scale"}


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT SUM(total) AS total FROM invoice", True),
        ("SELECT MAX(i.total) + 1 AS total FROM invoice AS i", True),
        ("SELECT AVG(pieces) AS total FROM invoice", True),
        ("SELECT SUM(pieces) / 2 AS total FROM invoice", True),
        ("SELECT SUM(pieces) * 0.5 AS total FROM invoice", True),
        ("SELECT ROUND(SUM(total), 1) AS total FROM invoice", True),
        ("SELECT CASE WHEN pieces > 1 THEN total ELSE 0 END AS total FROM invoice", True),
        ("WITH x AS (SELECT SUM(total) AS y FROM invoice) SELECT y AS total FROM x", True),
        ("SELECT z.y AS total FROM (SELECT fee AS y FROM invoice) AS z", True),
        ("SELECT CAST(level AS DECIMAL(10, 3)) AS total FROM reading", True),
        ("SELECT CAST(ROUND(SUM(total) * 100) AS BIGINT) AS total FROM invoice", False),
        ("SELECT ROUND(SUM(total)) AS total FROM invoice", False),
        ("SELECT SUM(pieces) AS total FROM invoice", False),
        ("SELECT SUM(whole) AS total FROM reading", False),
        ("SELECT COUNT(total) AS total FROM invoice", False),
    ],
)
def test_the_check_finds_a_missing_scale(tmp_path: Path, sql: str, found: bool) -> None:
    duckdb.connect(str(tmp_path / "shop.duckdb")).execute(TABLES.format(**NATIVE[Dialect.DUCKDB])).close()
    make_workspace(tmp_path, {"shop": "shop.duckdb"}, {})
    pack = (
        "pack: shop\ntitle: {en: Shop}\ndialect: duckdb\nverbs:\n  invoice.figure:\n    title: {en: Figure}\n"
        "    frame: none\n    columns: [{name: total, type: decimal}]\n    words: {en: [figure]}\n"
        f"    sql: {sql}\n"
    )
    codes = [each.code for each in Packs(tmp_path).checker("@shop")(Source(pack))]
    assert codes == (["missing_scale"] if found else [])
    scaled = pack.replace("type: decimal", "type: decimal, scale: 2")
    assert Packs(tmp_path).checker("@shop")(Source(scaled)) == ()
