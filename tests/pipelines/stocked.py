"""A MariaDB with twelve tables and a PostgreSQL that plays Supabase: what a copy has to bring over."""

import os
from pathlib import Path
from typing import Any, Final

import psycopg
import pymysql
from psycopg import sql
from psycopg.types.string import TextLoader

from tests.engine.hostile import columns_for, make_mysql
from tests.engine.test_pairs import mysql_options
from tests.servers import MariadbServer

TABLES: Final = (
    "big",
    "brands",
    "carriers",
    "clients",
    "empty_notes",
    "hostile",
    "items",
    "lines",
    "notes",
    "open_sales",
    "sales",
    "stock",
)
"""By their names; `open_sales` is a view, `empty_notes` has no rows."""

_SCRIPT: Final = """
CREATE TABLE brands (id INT PRIMARY KEY, name VARCHAR(80) NOT NULL, since YEAR);
CREATE TABLE carriers (code CHAR(3) PRIMARY KEY, name VARCHAR(80), rate DECIMAL(12,4));
CREATE TABLE clients (id BIGINT PRIMARY KEY, name VARCHAR(120) NOT NULL, email VARCHAR(200), born DATE);
CREATE TABLE items (id INT PRIMARY KEY, brand_id INT REFERENCES brands(id),
  title VARCHAR(200), price DECIMAL(10,2));
CREATE TABLE sales (id BIGINT PRIMARY KEY, client_id BIGINT REFERENCES clients(id),
  sold DATETIME(6), status VARCHAR(20));
CREATE TABLE `lines` (sale_id BIGINT, position INT, item_id INT, quantity INT,
  PRIMARY KEY (sale_id, position));
CREATE TABLE stock (item_id INT PRIMARY KEY, amount INT UNSIGNED, counted TIMESTAMP NULL);
CREATE TABLE notes (id INT PRIMARY KEY, body TEXT, made DATE);
CREATE TABLE empty_notes (id INT PRIMARY KEY, body TEXT);
CREATE TABLE big (id INT PRIMARY KEY, label VARCHAR(40), amount DECIMAL(14,2), day DATE);
INSERT INTO brands VALUES (1, 'Nørd & Søn', 1999), (2, '한국', 2020), (3, 'ключ; "x"', NULL);
INSERT INTO carriers VALUES ('AAA', 'Slow', 0.1000), ('BBB', NULL, 99999999.9999);
INSERT INTO clients VALUES (9007199254740993, 'O''Brien', NULL, '1900-02-28'), (1, '😀', 'a@b.test', NULL);
INSERT INTO items VALUES (1, 1, 'semi;colon, comma', 12.50), (2, NULL, '', 0.01);
INSERT INTO sales VALUES (1, 1, '2023-05-01 10:00:00.123456', 'open'), (2, 1, '2024-01-01 00:00:00', 'paid');
INSERT INTO `lines` VALUES (1, 1, 1, 5), (1, 2, 2, 1), (2, 1, 1, NULL);
INSERT INTO stock VALUES (1, 4294967295, '2024-02-29 12:00:00'), (2, 0, NULL);
INSERT INTO notes VALUES (1, 'line\\nbreak', '2024-01-01'), (2, NULL, NULL);
CREATE VIEW open_sales AS SELECT id, client_id FROM sales WHERE status = 'open';
"""


def fill_mariadb(server: MariadbServer, name: str, rows: int) -> None:
    options = mysql_options(server.url_of(name))
    with pymysql.connect(**options) as connection, connection.cursor() as cursor:
        for statement in filter(str.strip, _SCRIPT.split(";\n")):
            cursor.execute(statement)
        cursor.execute(
            "INSERT INTO big SELECT seq, CONCAT('label ', seq), seq / 4,"
            " '2020-01-01' + INTERVAL (seq % 900) DAY"
            f" FROM seq_1_to_{rows}"
        )
        connection.commit()
    make_mysql(options, columns_for("mysql", without=("nul", "odd")))


def connect_both(folder: Path, server: MariadbServer, shop: str, postgres: str) -> Path:
    """A workspace with the shop as `mysql` and the PostgreSQL as `cloud`, a Supabase."""
    from tests.engine.workspaces import make_workspace

    os.environ.setdefault("PYTHONFAULTHANDLER", "1")
    cloud = postgres.replace("postgresql://", "supabase://", 1)
    make_workspace(folder, {"mysql": server.url_of(shop), "cloud": cloud}, {})
    return folder


def rows_in_mariadb(server: MariadbServer, name: str, table: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    with pymysql.connect(**mysql_options(server.url_of(name))) as connection, connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM `{table}`")
        return [each[0] for each in cursor.description], list(cursor.fetchall())


def rows_in_postgres(url: str, table: str, columns: list[str]) -> list[tuple[Any, ...]]:
    named = sql.SQL(", ").join(map(sql.Identifier, columns))
    with psycopg.connect(url) as connection:
        for kind in ("json", "jsonb"):
            connection.adapters.register_loader(kind, TextLoader)
        return connection.execute(
            sql.SQL("SELECT {} FROM {}").format(named, sql.Identifier(table))
        ).fetchall()
