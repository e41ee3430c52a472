"""Programs checked against a workspace: its connections, its tables, its packs and its entities."""

import json
import sqlite3
from pathlib import Path

import pytest

from dragoman.catalog.pack_databases import PackDatabases
from dragoman.catalog.sources import schema_folder
from dragoman.contracts.program import Diagnostic
from dragoman.contracts.vocabulary import Notation
from dragoman.databases.connections import load_connections, open_connection, resolve
from dragoman.databases.discovery import SchemaCache, discover_cached
from dragoman.language.compiler import Compilation, CompilerStage
from dragoman.language.source import Source
from dragoman.workspace.programs import Programs
from tests.catalog.test_commands import dragoman

PACK = """\
pack: shop
connection: "@shop"
title: {en: Shop}
dialect: sqlite
entities:
  customer:
    {table: customers, key: id, display: name, discriminators: {country: country}, create: customers.add}
verbs:
  customers.add:
    title: {en: Add a customer}
    frame: none
    effect: write
    writes: [customers]
    arguments: {number: {kind: integer}, name: {}, country: {required: false}}
    sql: INSERT INTO customers (id, name, country) VALUES (:number, :name, :country)
  orders.of-customer:
    title: {en: Orders of a customer}
    date: period
    arguments: {customer: {entity: customer}}
    columns: [{name: amount, type: decimal}]
    sql: SELECT amount AS amount FROM orders WHERE customer_id = :customer AND placed BETWEEN :start AND :end
"""


def filled(path: Path, extra: str = "") -> None:
    connection = sqlite3.connect(path)
    connection.executescript(
        f"""
        CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT{extra});
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers (id),
                             amount DECIMAL(10,2), placed DATE);
        INSERT INTO customers (id, name, country) VALUES (7, 'Ann Smith', 'IE'), (8, 'Anna Smith', 'FR');
        """
    )
    connection.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two discovered databases and one that never was; a pack for the first, with its names indexed."""
    root = tmp_path_factory.mktemp("workspace")
    filled(root / "shop.sqlite")
    filled(root / "old.sqlite", ", vip BOOLEAN")
    (root / "connections.yaml").write_text(
        "shop: {path: shop.sqlite, default: true}\nold: {path: old.sqlite}\nnew: {path: new.duckdb}\n"
    )
    (root / "packs").mkdir()
    (root / "packs" / "shop.yaml").write_text(PACK)
    (root / "packs" / "broken.yaml").write_text("pack: [")
    known = load_connections(root)
    for alias in ("shop", "old"):
        spec = known.find(alias)
        connection = resolve(spec, root)
        with open_connection(connection) as reader:
            discover_cached(reader, connection.family, SchemaCache(schema_folder(root)), alias)
    databases = PackDatabases(root)
    databases.index(databases.entity("customer"))
    # Nothing is connected to while a program is compiled.
    for alias in ("shop", "old"):
        (root / f"{alias}.sqlite").unlink()
    return root


def compiled(folder: Path, text: str) -> Compilation:
    return Programs.open(folder).compile(Source(text), Notation.VERBS)


def first(folder: Path, text: str) -> Diagnostic:
    return compiled(folder, text).diagnostics[0]


@pytest.mark.parametrize("name", ["@shop", "@sqlite.shop", "@default", "@duckdb.new", "@new"])
def test_every_name_of_a_connection_is_known(folder: Path, name: str) -> None:
    text = f'(sqlite.extractor :connection "{name}" :query "SELECT 1")'
    assert compiled(folder, text).ok, compiled(folder, text).diagnostics


@pytest.mark.parametrize("name", ["@shopp", "@duckdb.shop", "@nowhere"])
def test_an_unknown_connection_is_told_with_what_there_is(folder: Path, name: str) -> None:
    found = first(folder, f'(sqlite.extractor :connection "{name}" :query "SELECT 1")')
    assert found.code == "unknown_connection"
    assert '"@shop"' in found.hint
    assert '"@sqlite.old"' in found.hint
    if name == "@shopp":
        assert found.hint.startswith('did you mean "@shop"?')


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('(sqlite.extractor :connection "@shop" :table "customers" :columns ["nam"])', "unknown_column"),
        ('(sqlite.extractor :connection "@default" :table "customers" :columns ["vip"])', "unknown_column"),
        ("(customers.count :country 5)", "argument_type"),
        ("(customers.count :country {:above 5})", "argument_type"),
        ('(customers.count :country {:abve "A"})', "argument_type"),
        ('(orders.list :placed "2020-01-01")', "argument_type"),
        ("(orders.list :amount {:between [1 2 3]})", "argument_type"),
        ("(orders.list :customer_id true)", "argument_type"),
        ('(orders.sum :by "nowhere")', "unknown_column"),
        ("(customers.list :vip true)", "unknown_argument"),
        ("(orders.totl)", "unknown_verb"),
        ('(orders.of-customer :customer "7")', "missing_argument"),
        ("(inventory.stock)", "unknown_verb"),
    ],
)
def test_what_is_wrong_is_said(folder: Path, text: str, code: str) -> None:
    assert first(folder, text).code == code


@pytest.mark.parametrize(
    "text",
    [
        '(sqlite.extractor :connection "@new" :table "customers" :columns ["anything"])',
        '(sqlite.extractor :connection "@old" :table "customers" :columns ["vip"])',
        '(customers.list :vip true :connection "@old")',
        '(customers.count :country ["IE" nil {:not {:starts "F"}}])',
        "(orders.list :amount {:at-least 2.50 :below 9} :placed {:between [2020-01-01 2020-12-31]})",
        '(orders.sum :by "customer/country" :during [2020-01-01 2020-12-31])',
        "(orders.list :customer_id 7)",
        '(orders.list :customer_id ["7" {:not "8"}])',
        '(orders.of-customer :customer "7" :during [2020-01-01 2020-12-31])',
        '(customers.add :number 9 :name "Bo")',
    ],
)
def test_what_is_right_compiles_to_the_same_bytes(folder: Path, text: str) -> None:
    done, again = compiled(folder, text), compiled(folder, text)
    assert done.ok, (done.diagnostics, done.unresolved)
    assert done.manifest is not None
    assert again.manifest is not None
    assert done.manifest.data == again.manifest.data


def test_tables_of_two_databases_are_told_apart(folder: Path) -> None:
    both = '(customers.count :connection "@shop" :as @a)\n(customers.count :connection "@old" :as @b)'
    one = '(customers.count :connection "@shop" :as @a)\n(customers.count :connection "@shop" :as @b)'
    left, right = compiled(folder, both), compiled(folder, one)
    assert left.manifest is not None
    assert right.manifest is not None
    assert b'"catalog": "' in left.manifest.data
    assert left.manifest.data.split(b'"catalog": "')[1] != right.manifest.data.split(b'"catalog": "')[1]


@pytest.mark.parametrize(
    ("text", "argument"),
    [
        ('(orders.of-customer :customer "ann smth" :during [2020-01-01 2020-12-31])', "customer"),
        ('(orders.list :customer_id "ann smth")', "customer_id"),
        ('(orders.list :customer_id ["7" {:not "ann smth"}])', "customer_id"),
        ('(customers.list :id_ "ann smth")', "id_"),
    ],
)
def test_names_are_looked_up_in_the_index(folder: Path, text: str, argument: str) -> None:
    done = compiled(folder, text)
    assert done.stage is CompilerStage.REFERENCES, done.diagnostics
    (ref,) = done.unresolved
    assert (ref.entity_type, ref.search_value, ref.location.arg_name) == ("customer", "ann smth", argument)
    assert [match.entity_id for match in ref.initial_matches] == ["7", "8"]
    assert ref.config.discriminators[0].options == ("FR", "IE")
    assert ref.location.span is not None
    assert text[ref.location.span.start : ref.location.span.end] == '"ann smth"'


ORDERS = '(orders.of-customer :customer "{key}" :during [2020-01-01 2020-12-31])\n'


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A workspace that nobody has discovered or indexed; its database is not there yet."""
    (tmp_path / "connections.yaml").write_text("shop: {path: shop.sqlite}\n")
    (tmp_path / "packs").mkdir()
    (tmp_path / "packs" / "shop.yaml").write_text(PACK)
    (tmp_path / "a.verbs").write_text(ORDERS.format(key=7))
    (tmp_path / "b.verbs").write_text(ORDERS.format(key=9))
    return tmp_path


def test_without_an_index_the_names_are_read_from_the_database(shop: Path, folder: Path) -> None:
    filled(shop / "shop.sqlite")
    assert dragoman("check", "a.verbs", cwd=shop).stdout == "a.verbs: ok\n"
    assert dragoman("check", str(shop / "a.verbs"), "-w", str(shop), cwd=folder).returncode == 0
    wrong = dragoman("check", "b.verbs", cwd=shop)
    assert wrong.returncode == 1
    assert "'9' is no key of the type customer" in wrong.stdout


def test_without_index_and_database_the_names_are_left_unchecked(shop: Path) -> None:
    told = dragoman("check", "b.verbs", "--json", cwd=shop)
    assert told.returncode == 0
    ((report,), (finding,)) = (json.loads(told.stdout), json.loads(told.stdout)[0]["diagnostics"])
    assert report["ok"]
    assert (finding["code"], finding["severity"]) == ("names_unchecked", "warning")
    assert "shop.sqlite" in finding["message"]
    assert "dragoman entities index customer" in finding["hint"]


def test_an_index_that_is_older_than_its_table_does_not_hide_a_key(shop: Path) -> None:
    filled(shop / "shop.sqlite")
    assert dragoman("entities", "index", "customer", cwd=shop).stdout == "customer: 2 of the pack shop\n"
    assert dragoman("check", "b.verbs", cwd=shop).returncode == 1
    connection = sqlite3.connect(shop / "shop.sqlite")
    with connection:
        connection.execute("INSERT INTO customers (id, name) VALUES (9, 'Bo')")
    connection.close()
    assert dragoman("check", "b.verbs", cwd=shop).stdout == "b.verbs: ok\n"


def test_a_pack_that_cannot_be_read_is_left_out_and_told(folder: Path, tmp_path: Path) -> None:
    program = tmp_path / "a.verbs"
    program.write_text("(customers.count)\n")
    told = dragoman("check", str(program), cwd=folder)
    assert (told.returncode, told.stdout) == (0, f"{program}: ok\n")
    assert "packs/broken.yaml is left out" in told.stderr


def test_outside_of_a_workspace_nothing_changes(tmp_path: Path) -> None:
    bench = Programs.open(tmp_path)
    assert bench.workspace is None
    assert bench.catalog.connections() is None
    assert bench.catalog.signature("inventory.stock") is not None


def test_a_shipped_pack_makes_a_workspace(tmp_path: Path) -> None:
    made = dragoman("init", "--pack", "funds", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    (tmp_path / "a.verbs").write_text('(session.set-cbu :cbu-id "19eba7a4-52c1-4d0e-9a63-0c5f8e2b7d11")\n')
    assert dragoman("check", "a.verbs", cwd=tmp_path).stdout == "a.verbs: ok\n"
    assert (
        dragoman("pack", "check", "packs/funds.yaml", "--connection", "@funds", cwd=tmp_path).returncode == 0
    )
    again = dragoman("init", "--pack", "funds", cwd=tmp_path)
    assert again.returncode == 1
    assert "--alias" in again.stderr
    unknown = dragoman("init", "--pack", "nothing", "-w", "other", cwd=tmp_path)
    assert unknown.returncode == 1
    assert "funds, projects, trade" in unknown.stderr
    assert not (tmp_path / "other").exists()
