"""The one catalog: shared by threads, read when it is needed, and a pack takes no table's verb away."""

import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.homes import demo_home
from dragoman.catalog.lookup import look_up
from dragoman.catalog.once import forget, once
from dragoman.catalog.sources import schema_folder
from dragoman.contracts.vocabulary import Notation
from dragoman.databases.connections import load_connections, open_connection, resolve
from dragoman.databases.discovery import SchemaCache, discover_cached
from dragoman.language.front import compile_source
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs

PACK = """\
pack: shop
title: {en: Shop}
dialect: sqlite
verbs:
  orders.list:
    title: {en: Orders that count}
    columns: [{name: number, type: integer}]
    sql: SELECT id AS number FROM orders WHERE amount > 100 ORDER BY id
"""


@pytest.fixture
def shop(tmp_path: Path) -> Catalog:
    """A discovered database whose pack has a verb that is called like a table's."""
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as connection, connection:
        connection.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, amount INTEGER)")
        connection.execute("INSERT INTO orders VALUES (1, 50), (2, 150), (3, 250)")
    (tmp_path / "connections.yaml").write_text("shop: {path: shop.sqlite}\n")
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "shop.yaml").write_text(PACK)
    connection_of = resolve(load_connections(tmp_path).find("shop"), tmp_path)
    with open_connection(connection_of) as reader:
        discover_cached(reader, connection_of.family, SchemaCache(schema_folder(tmp_path)), "shop")
    return Catalog.open(tmp_path)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("(orders.list)", ((2,), (3,))),
        ('(orders.list :connection "@shop")', ((1, 50), (2, 150), (3, 250))),
        ('(orders.list :connection "@default" :amount 150)', ((2, 150),)),
    ],
)
def test_the_table_behind_a_verb_of_a_pack_is_reached_by_naming_its_connection(
    shop: Catalog, text: str, rows: tuple[tuple[int, ...], ...]
) -> None:
    done = compile_source(Source(text), Notation.VERBS, shop)
    assert done.ok, done.diagnostics
    assert look_up(shop, read_verbs(Source(text)).statements[0]).rows == rows


def test_without_its_connection_the_verb_of_the_pack_is_meant(shop: Catalog) -> None:
    done = compile_source(Source("(orders.list :amount 150)"), Notation.VERBS, shop)
    assert [finding.code for finding in done.diagnostics] == ["unknown_argument"]
    assert shop.pack_verb("orders.list") is not None
    assert shop.tables_for("orders.list") is not None


def test_the_names_of_the_demo_are_the_same_before_and_after_it_was_made(tmp_path: Path) -> None:
    shipped = Catalog.open(tmp_path)
    assert shipped.shipped
    demo_home(tmp_path)
    made = Catalog.open(tmp_path)
    assert not made.shipped
    assert made.demo
    assert [each.ref for each in shipped.entities] == [each.ref for each in made.entities]
    assert set(shipped.all_verbs) == set(made.all_verbs)
    assert shipped.connections() is made.connections() is None


def test_many_threads_ask_one_catalog_and_it_reads_once(tmp_path: Path) -> None:
    home = demo_home(tmp_path)
    alone = Catalog(home)
    wanted = [ask(alone) for ask in QUESTIONS]
    catalog = Reads(home)
    start = threading.Barrier(16)

    def ask_all(first: int) -> list[object]:
        start.wait()
        order = [*range(first, len(QUESTIONS)), *range(first)]
        answers = {number: QUESTIONS[number](catalog) for number in order}
        return [answers[number] for number in range(len(QUESTIONS))]

    with ThreadPoolExecutor(16) as threads:
        answers = list(threads.map(ask_all, [number % len(QUESTIONS) for number in range(16)]))
    assert all(each == wanted for each in answers)
    assert catalog.opened <= len(catalog.packs.entities) + len(catalog.packs.packs)


class Reads(Catalog):
    """A catalog that counts how often it opens a database."""

    opened = 0

    def reader(self, pack: object) -> object:  # type: ignore[override]
        self.opened += 1
        return super().reader(pack)  # type: ignore[arg-type]


QUESTIONS: list[Callable[[Catalog], object]] = [
    lambda catalog: catalog.entities,
    lambda catalog: catalog.coverage,
    lambda catalog: sorted(catalog.verbs),
    lambda catalog: sorted(catalog.verb_names()),
    lambda catalog: catalog.entity_name("organization", "2"),
    lambda catalog: catalog.entity_matches("organization", "trade"),
    lambda catalog: catalog.signature("inventory.stock"),
    lambda catalog: catalog.connections(),
    lambda catalog: catalog.anchor,
    lambda catalog: [catalog.schema(spec) for spec in catalog.databases.specs],
]


class Slow:
    """Its attribute takes so long that every thread asks for it before the first has it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.computed = 0
        self.asked = threading.Semaphore(0)

    @once
    def value(self) -> object:
        """Waits until the other threads have asked."""
        for _ in range(7):
            assert self.asked.acquire(timeout=60)
        self.computed += 1
        return object()


def test_an_attribute_is_computed_once_whoever_asks() -> None:
    slow = Slow()

    def ask() -> object:
        slow.asked.release()
        return slow.value

    with ThreadPoolExecutor(7) as threads:
        found = {id(asked.result()) for asked in [threads.submit(ask) for _ in range(7)]}
    assert (len(found), slow.computed) == (1, 1)
    forget(slow, "value")
    for _ in range(7):
        slow.asked.release()
    assert slow.value is slow.value
    assert slow.computed == 2
