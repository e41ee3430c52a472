"""One folder with several databases: customers and a shop in SQLite; one test has the shop in DuckDB and
bills in PostgreSQL beside them."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.contracts.turn_result import TurnResult

CRM = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, segment TEXT, city TEXT);
INSERT INTO customers VALUES (1, 'Acme Ltd', 'gold', 'Oulu'), (2, 'Beta Retail', 'silver', 'Turku'),
  (3, 'Core Ltd', 'gold', 'Turku');
CREATE TABLE leads (
  id INTEGER PRIMARY KEY, name TEXT, status TEXT, customer_id INTEGER REFERENCES customers (id)
);
INSERT INTO leads VALUES (1, 'Lamp', 'open', 1), (2, 'Desk', 'won', 2), (3, 'Sofa', 'open', 3);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id), status TEXT, total INTEGER
);
INSERT INTO orders VALUES (1, 1, 'open', 10), (2, 2, 'paid', 20);
"""
SHOP = """
CREATE TABLE products (id INTEGER PRIMARY KEY, title TEXT, price INTEGER);
INSERT INTO products VALUES (1, 'Lamp', 30), (2, 'Desk', 120), (3, 'Chair', 45);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer TEXT, product_id INTEGER REFERENCES products (id), status TEXT,
  total INTEGER, placed DATE
);
INSERT INTO orders VALUES (1, 'Acme Ltd', 1, 'open', 60, '2023-01-01'),
  (2, 'Beta Retail', 2, 'paid', 120, '2023-05-01'), (3, 'Acme Ltd', 3, 'open', 45, '2024-01-01'),
  (4, 'Core Ltd', 1, 'late', 30, '2024-02-01');
"""
BILLS = """
CREATE TABLE invoices (id INTEGER PRIMARY KEY, number TEXT, amount NUMERIC(10, 2));
INSERT INTO invoices VALUES (1, 'A-1', 10.50), (2, 'A-2', 20.00);
"""

Talk = Callable[..., TurnResult]
"""Says lines in one conversation; the result of the last."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two databases, none of which is the default one, and nothing discovered."""
    for name, script in (("crm", CRM), ("shop", SHOP)):
        database = sqlite3.connect(tmp_path / f"{name}.sqlite")
        database.executescript(script)
        database.close()
    (tmp_path / "connections.yaml").write_text("crm: {path: crm.sqlite}\nshop: {path: shop.sqlite}\n")
    return tmp_path


@pytest.fixture
def talk(folder: Path) -> Iterator[Talk]:
    with ExitStack() as opened:
        workspace: list[Workspace] = []
        session: list[str] = []

        def said(*lines: str, connection: str = "") -> TurnResult:
            if not workspace:
                workspace.append(opened.enter_context(Workspace.open(folder)))
                session.append(workspace[0].new_session())
            results = [workspace[0].ask(session[0], line, connection=connection) for line in lines]
            return results[-1]

        yield said
