"""connections.yaml: every mistake with its code and its place, and names with what there is."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.errors import (
    ConnectionAmbiguous,
    ConnectionNotChosen,
    ConnectionsInvalid,
    ConnectionUnknown,
    DatabaseUrlRefused,
    VariableMissing,
    WorkspaceError,
)
from dragoman.contracts.schema import Dialect
from dragoman.databases.connections import Connections, Transport, load_connections, read_connections, resolve
from dragoman.language.source import Source, show

GOOD = """\
shop:
  url: postgres://app:${SHOP_PASSWORD}@db.example.org/shop
  default: true
  description: orders and customers
  options: {sslmode: verify-full, sslrootcert: certs/ca.pem}
stock: {family: mariadb, host: db, port: 3307, user: reader, password: "${STOCK_PASSWORD}", database: stock}
local: {path: data/local.db}
sheets: {path: data/, family: files}
cloud: {url: "https://abc.supabase.co", key: "${SUPABASE_KEY}"}
pooled: {family: supabase, url: "postgres://u:${SUPABASE_KEY}@aws-0.pooler.supabase.com:6543/postgres?pgbouncer=true"}
anywhere: {url: "${DATABASE_URL}"}
mysql.local: {host: localhost, user: root, database: x}
"""
VALUES = {"SHOP_PASSWORD": "a", "STOCK_PASSWORD": "b", "SUPABASE_KEY": "c", "DATABASE_URL": "sqlite:///z.db"}


def read(text: str) -> Connections:
    return read_connections(Source(text, "connections.yaml"))


def codes(text: str) -> list[tuple[str, int]]:
    return [(each.code, each.span.line if each.span else 0) for each in read(text).diagnostics]


def test_a_good_file() -> None:
    connections = read(GOOD)
    assert connections.diagnostics == ()
    assert [spec.alias for spec in connections.specs] == [
        *("shop", "stock", "local", "sheets", "cloud", "pooled", "anywhere", "local")
    ]
    shop = resolve(connections.find("@shop"), Path("/ws"), VALUES)
    assert (shop.family, shop.host, shop.port, shop.database) == (
        "postgres",
        "db.example.org",
        5432,
        "shop",
    )
    assert dict(shop.options) == {"sslmode": "verify-full", "sslrootcert": "/ws/certs/ca.pem"}
    stock = resolve(connections.find("stock"), Path("/ws"), VALUES)
    assert (stock.dialect, stock.port, stock.password and stock.password.reveal()) == (
        Dialect.MYSQL,
        3307,
        "b",
    )
    assert resolve(connections.find("@sheets"), Path("/ws"), {}).path == Path("/ws/data")
    cloud = resolve(connections.find("@supabase.cloud"), Path("/ws"), VALUES)
    assert (cloud.transport, cloud.password and cloud.password.reveal()) == (Transport.REST, "c")
    assert resolve(connections.find("@pooled"), Path("/ws"), VALUES).port == 6543
    assert resolve(connections.find("@anywhere"), Path("/ws"), VALUES).family == "sqlite"
    assert all(spec.span is not None for spec in connections.specs)


def test_names() -> None:
    connections = read(GOOD)
    assert connections.find("@default").alias == "shop"
    assert connections.find("@mariadb.local").family == "mysql"
    assert connections.find("@sqlite.local").family == "sqlite"
    with pytest.raises(ConnectionAmbiguous) as ambiguous:
        connections.find("@local")
    assert ambiguous.value.details["connections"] == ["@sqlite.local", "@mysql.local"]
    with pytest.raises(ConnectionUnknown) as unknown:
        connections.find("@shpo")
    listed = unknown.value.details["connections"]
    assert isinstance(listed, list)
    assert listed[0] == "@postgres.shop"
    assert len(listed) == 8
    assert "@postgres.shop" in unknown.value.hint
    for name in ("@sqlite.shop", "@nofamily.shop", "", "@", "@shop.", "@.shop", "x" * 10_000, "\udc80"):
        with pytest.raises(ConnectionUnknown):
            connections.find(name)


def test_the_default() -> None:
    assert read("a: {path: x.db}").find("@default").alias == "a"
    with pytest.raises(ConnectionNotChosen, match="default") as caught:
        read("a: {path: x.db}\nb: {path: y.db}").find("@default")
    assert caught.value.details["connections"] == ["@sqlite.a", "@sqlite.b"]
    with pytest.raises(ConnectionNotChosen):
        read("").find("@default")


def test_a_broken_entry_says_what_is_wrong() -> None:
    connections = read("a: {path: x.db}\nb: {pth: y.db}")
    assert connections.find("@a").alias == "a"
    with pytest.raises(ConnectionsInvalid) as caught:
        connections.find("@b")
    assert "line 2" in caught.value.hint


def test_a_missing_variable_is_named() -> None:
    spec = read(GOOD).find("@shop")
    with pytest.raises(VariableMissing) as caught:
        resolve(spec, Path("/ws"), {"SHOP_PASSWRD": "x"})
    assert caught.value.details["variable"] == "SHOP_PASSWORD"
    assert "SHOP_PASSWRD" in caught.value.hint
    with pytest.raises(VariableMissing, match="is empty"):
        resolve(spec, Path("/ws"), {"SHOP_PASSWORD": ""})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: {path: x.db}\na: {path: y.db}", [("duplicate_key", 2)]),
        ("a: &x {path: x.db}", [("yaml_anchor", 1)]),
        ("a: !!python/object {path: x.db}", [("yaml_tag", 1)]),
        ("a: {path: x.db, default: true}\nb: {path: y.db, default: true}", [("two_defaults", 2)]),
        ("a: {path: x.db, default: yes}", [("wrong_type", 1)]),
        ("a:\n  path: x.db\n  pasword: ${X}", [("unknown_key", 3)]),
        ("a: {family: oracle, path: x.db}", [("unknown_family", 1)]),
        ("oracle.a: {path: x.db}", [("unknown_family", 1)]),
        ("mysql.a: {family: postgres, host: h, user: u, database: d}", [("family_mismatch", 1)]),
        ("a: {family: mysql, url: 'postgres://u@h/d'}", [("family_mismatch", 1)]),
        ("a: {family: sqlite, url: 'postgres://u@h/d'}", [("family_mismatch", 1)]),
        ("a: {family: mysql, path: x.db}", [("family_mismatch", 1)]),
        ("default: {path: x.db}", [("reserved_alias", 1)]),
        ("a b: {path: x.db}", [("bad_alias", 1)]),
        ("1a: {path: x.db}", [("bad_alias", 1)]),
        ("a: x.db", [("wrong_type", 1)]),
        ("a:", [("wrong_type", 1)]),
        ("- a", [("wrong_type", 1)]),
        ("just text", [("wrong_type", 1)]),
        ("a: {}", [("missing_key", 1)]),
        ("a: {family: mysql, host: h, user: u}", [("missing_key", 1)]),
        ("a: {family: mysql, user: u, database: d}", [("missing_key", 1)]),
        ("a: {family: duckdb}", [("missing_key", 1)]),
        ("a: {url: 'https://abc.supabase.co'}", [("missing_key", 1)]),
        ("a: {url: 'sqlite:x.db', path: x.db}", [("conflicting_keys", 1)]),
        ("a: {url: 'postgres://u@h/d', host: h}", [("conflicting_keys", 1)]),
        ("a: {path: x.db, password: '${X}'}", [("conflicting_keys", 1)]),
        ("a: {url: 'postgres://u:${X}@h/d', password: '${Y}'}", [("conflicting_keys", 1)]),
        ("a: {family: mysql, host: h, port: 0, user: u, database: d}", [("bad_port", 1)]),
        ("a:\n  family: mysql\n  host: 169.254.169.254\n  user: u\n  database: d", [("address_refused", 3)]),
        ("a: {url: 'postgres://u@h/d?service=x'}", [("parameter_refused", 1)]),
        ("a: {path: x.db, options: {vfs: y}}", [("parameter_refused", 1)]),
        ("a:\n  url: mysql://u@h/d\n  options:\n    init_command: DROP", [("parameter_refused", 4)]),
        ("a: {url: 'mysql://u@h/d', options: [x]}", [("wrong_type", 1)]),
        ("a: {url: 'mysql://u@h/d', options: {sslmode: [x]}}", [("wrong_type", 1)]),
        ("a: {path: 's3://b/x'}", [("remote_path", 1)]),
        ("a: {path: '${X:-y}'}", [("bad_variable", 1)]),
        ('a: {path: "x\\0.db"}', [("bad_url", 1)]),
        ("a: {path: 'x.db'", [("yaml_syntax", 1)]),
    ],
)
def test_every_mistake_has_a_code_and_a_place(text: str, expected: list[tuple[str, int]]) -> None:
    assert codes(text) == expected
    assert all(each.hint for each in read(text).diagnostics)


@pytest.mark.parametrize(
    "text",
    [
        "a: {family: mysql, host: h, user: u, password: hunter2, database: d}",
        "a: {family: mysql, host: h, user: u, password: x, database: d}",
        "a: {family: mysql, host: h, user: u, password: 'x${PW}', database: d}",
        "a: {family: mysql, host: h, user: u, password: 123456, database: d}",
        "a: {family: mysql, host: h, user: u, password: '***', database: d}",
        "a: {url: 'postgres://u:hunter2@h/d'}",
        "a: {url: 'postgres://u:x@h/d'}",
        "a: {url: 'postgres://u:a${PW}@h/d'}",
        "a: {url: 'https://abc.supabase.co', key: eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2lnbmF0}",
        "a: {path: x.db, description: 'password=hunter2x!'}",
        "# was postgres://u:hunter2@h/d\na: {path: x.db}",
    ],
)
def test_a_secret_is_an_error_and_is_not_shown(text: str) -> None:
    source = Source(text, "connections.yaml")
    found = read_connections(source).diagnostics
    assert [each.code for each in found] == ["literal_secret"]
    shown = show(source, found[0])
    assert "hunter2" not in shown
    assert "***" in shown
    assert "eyJ" not in shown


def test_all_mistakes_at_once() -> None:
    text = "a: {pth: x}\nb: {family: nope, path: x}\nc: {path: ok.db}\nd: {password: abc}"
    assert [code for code, _ in codes(text)] == ["unknown_key", "unknown_family", "literal_secret"]
    assert [spec.alias for spec in read(text).specs] == ["c"]


def test_the_file(tmp_path: Path) -> None:
    assert load_connections(tmp_path).specs == ()
    path = tmp_path / "connections.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert len(load_connections(tmp_path).specs) == 8
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(WorkspaceError, match="UTF-8"):
        load_connections(tmp_path)
    path.write_bytes(b"#" * 2_000_000)
    with pytest.raises(WorkspaceError, match="longer"):
        load_connections(tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(WorkspaceError):
        load_connections(tmp_path)


def test_a_file_that_does_not_tell_what_it_is(tmp_path: Path) -> None:
    spec = read("a: {path: thing}").find("@a")
    with pytest.raises(DatabaseUrlRefused):
        resolve(spec, tmp_path, {})
    (tmp_path / "thing").mkdir()
    assert resolve(spec, tmp_path, {}).family == "files"


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    for written in (text, f"a: {text}", f"a:\n  url: {text}", f"a: {{path: {text}}}"):
        connections = read(written)
        assert all(each.code and each.message for each in connections.diagnostics)
        assert len(connections.specs) + len(connections.diagnostics) > 0 or not connections.broken
