"""What init writes is read back as the same connection, without its secrets."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.errors import DatabaseUrlRefused
from dragoman.databases.connections import alias_for, parse_database_url, read_connections, written_entry
from dragoman.language.source import Source


def read_back(spec: ConnectionSpec) -> tuple[ConnectionSpec, dict[str, str]]:
    alias = alias_for(spec)
    text, variables = written_entry(spec, alias)
    connections = read_connections(Source(text))
    assert connections.diagnostics == ()
    found = connections.find(f"@{alias}")
    return msgspec.structs.replace(found, span=None, alias=""), {n: v.reveal() for n, v in variables.items()}


@pytest.mark.parametrize(
    ("url", "variables"),
    [
        ("postgres://app:hun%23ter2@db:5433/my%20shop?sslmode=require", {"MY-SHOP_PASSWORD": "hun#ter2"}),
        ("mysql://app:${PW}@db/shop", {}),
        ("mysql://app@db/no", {}),
        ('data/it\'s: a "file" #1.db', {}),
        ("./null.csv", {}),
        ("https://abc.supabase.co", {"ABC_KEY": ""}),
        ("postgres://db/shop", {}),
        ("${DATABASE_URL}", {}),
        ("postgres://app:x@[::1]/true", {"TRUE_PASSWORD": "x"}),
    ],
)
def test_an_entry_is_read_back(url: str, variables: dict[str, str]) -> None:
    spec = parse_database_url(url)
    found, needed = read_back(spec)
    assert needed == {name.replace("-", "_"): value for name, value in variables.items()}
    same = ("family", "path", "host", "port", "user", "database", "options", "transport")
    assert [getattr(found, name) for name in same] == [getattr(spec, name) for name in same]


@pytest.mark.parametrize(
    ("url", "alias"),
    [
        ("postgres://u@h/Shop", "shop"),
        ("data/My Shop 2.v3.db", "my-shop-2"),
        ("/srv/2024.csv", "data-2024"),
        ("default.db", "data-default"),
        ("таблица.csv", "data"),
        ("https://abc.supabase.co", "abc"),
        ("${X}", "data"),
        (".", "data"),
    ],
)
def test_aliases(url: str, alias: str) -> None:
    assert alias_for(parse_database_url(url)) == alias


@given(st.text(min_size=1, max_size=30), st.text(min_size=1, max_size=20))
def test_whatever_is_taken_can_be_written(name: str, word: str) -> None:
    from urllib.parse import quote

    for url in (
        f"{name}.db",
        f"mysql://{quote(name.encode('utf-8', 'replace'))}:{quote(word.encode('utf-8', 'replace'))}@h/d",
    ):
        try:
            spec = parse_database_url(url)
        except DatabaseUrlRefused:
            continue
        found, _ = read_back(spec)
        assert (found.path, found.user) == (spec.path, spec.user)
