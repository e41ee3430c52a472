"""Discovery through the readers that the product opens: the shop again, from a URL to the schema."""

from pathlib import Path

import pytest

from dragoman.contracts.schema import DatabaseSchema, Dialect, ForeignKey
from dragoman.databases.connections import doctor, open_connection, parse_database_url, resolve
from dragoman.databases.discovery import discover, shape_fingerprint
from tests.databases.discovery.conftest import MARKS, Opener
from tests.databases.discovery.shop import HOSTILE, statements
from tests.servers import MariadbServer


@pytest.fixture
def url(dialect: Dialect, opened: Opener, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with the shop in it, by its URL. Nobody else has it open."""
    opened(statements(dialect)).close()
    match dialect:
        case Dialect.SQLITE:
            return f"sqlite:///{tmp_path}/shop.sqlite"
        case Dialect.DUCKDB:
            return f"duckdb:///{tmp_path}/shop.duckdb"
        case Dialect.MYSQL:
            server: MariadbServer = request.getfixturevalue("mariadb_server")
            return server.url_of(request.getfixturevalue("mariadb_database"))
        case Dialect.POSTGRES:
            found: str = request.getfixturevalue("postgres_database")
            return found


def found_at(url: str) -> DatabaseSchema:
    connection = resolve(parse_database_url(url), Path("/"))
    with open_connection(connection) as reader:
        schema = discover(reader, connection.family)
        assert schema.fingerprint == shape_fingerprint(reader, connection.family)
    return schema


def test_the_shop_from_its_url(url: str, dialect: Dialect) -> None:
    schema = found_at(url)
    assert schema.skipped == ()
    assert len(schema.tables) == 9 + len(HOSTILE)
    tables = {table.name: table for table in schema.tables}
    assert tables["customers"].rows == 30
    assert tables["orders"].foreign_keys == (
        ForeignKey(("customer_id",), "customers", ("id",), declared=False, certain=True),
    )
    assert tables["order_lines"].foreign_keys == (
        ForeignKey(("shop", "number"), "orders", ("shop", "number")),
    )
    status = next(column for column in tables["customers"].columns if column.name == "status")
    assert (status.samples, status.distinct) == (("open", "closed"), 2)
    for number, name in enumerate(HOSTILE):
        assert tables[name].columns[0].samples == (f"v{number}",)


def test_the_doctor_with_the_readers(url: str, dialect: Dialect) -> None:
    found = doctor(parse_database_url(url), open_connection, folder=Path("/"))
    expected = "login_may_write" if dialect in MARKS else "all_well"
    assert [each.code for each in found] == [expected]


@pytest.mark.parametrize(
    ("name", "text"),
    [("people.csv", "id,name\n1,Ada\n2,Bob\n"), ("people.json", '[{"id": 1, "name": "Ada"}]')],
)
def test_files(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    for path in (name, "."):
        connection = resolve(parse_database_url(path, tmp_path), tmp_path)
        with open_connection(connection) as reader:
            schema = discover(reader, connection.family)
        assert schema.family == "files"
        (table,) = schema.tables
        assert table.name == "people"
        assert [column.name for column in table.columns] == ["id", "name"]
        assert "Ada" in table.columns[1].samples
