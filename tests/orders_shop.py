"""A workspace over two small tables, for the tests of doors; and programs and a query for it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from dragoman.workspace.setup import make_from_database
from tests.contract_ground import TABLES

QUESTION: Final = "how many orders are there?"
COUNT: Final = "(orders.count :as @count)\n"
EXPORT: Final = (
    '(sqlite.extractor :connection "@shop" :table "orders" :as @rows)\n'
    '(duckdb.writer :needs [@rows] :format "csv" :path "orders.csv" :as @file)\n'
)
ENDLESS: Final = (
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
    "SELECT COUNT(*) FROM n, orders WHERE x < 0 OR order_id > 0"
)


def make_shop(folder: Path) -> Path:
    """A workspace in the folder."""
    with closing(sqlite3.connect(folder / "shop.sqlite")) as database:
        database.executescript(TABLES)
    make_from_database(folder, str(folder / "shop.sqlite"))
    return folder
