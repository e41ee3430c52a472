"""The doctor on real servers and files: what is wrong, how to mend it, and which login would be better."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from urllib.parse import quote

import psycopg
import pymysql
import pytest

from dragoman.contracts.errors import RunFailed
from dragoman.contracts.schema import Dialect
from dragoman.databases.connections import (
    ConnectionSpec,
    DoctorFinding,
    ResolvedConnection,
    doctor,
    least_privilege,
    parse_database_url,
    resolve,
)
from tests.databases.discovery.readers import (
    FAILURES,
    DriverReader,
    duckdb_reader,
    mysql_reader,
    postgres_reader,
    sqlite_reader,
)
from tests.servers import MariadbServer, PostgresServer

PASSWORD = "only-for-tests"


@contextmanager
def opened(connection: ResolvedConnection) -> Iterator[DriverReader]:
    """A reader over the drivers, made of a resolved connection alone."""
    try:
        with _reader(connection) as reader:
            yield reader
    except FAILURES as error:
        raise RunFailed(str(error)) from error


@contextmanager
def _reader(connection: ResolvedConnection) -> Iterator[DriverReader]:
    match connection.dialect:
        case Dialect.SQLITE:
            assert connection.path is not None
            with sqlite_reader(connection.path) as reader:
                yield reader
        case Dialect.DUCKDB:
            assert connection.path is not None
            with duckdb_reader(connection.path) as reader:
                yield reader
        case Dialect.MYSQL:
            with mysql_reader(_url("mysql", connection)) as reader:
                yield reader
        case Dialect.POSTGRES:
            with postgres_reader(_url("postgresql", connection)) as reader:
                yield reader


def _url(scheme: str, connection: ResolvedConnection) -> str:
    password = quote(connection.password.reveal()) if connection.password else ""
    return (
        f"{scheme}://{connection.user}:{password}@{connection.host}:{connection.port}/{connection.database}"
    )


def examined(url: str, folder: Path = Path("/nowhere"), **environment: str) -> tuple[DoctorFinding, ...]:
    return doctor(parse_database_url(url), opened, folder=folder, environment=environment)


def codes(found: tuple[DoctorFinding, ...]) -> list[str]:
    assert all(each.hint for each in found if each.code != "all_well")
    assert PASSWORD not in repr(found)
    return [each.code for each in found]


def test_postgres(postgres_server: PostgresServer, postgres_database: str) -> None:
    found = examined(postgres_database)
    assert codes(found) == ["login_may_write"]
    assert "GRANT SELECT ON ALL TABLES" in found[0].hint
    wrong = postgres_database.replace(postgres_server.password, PASSWORD)
    assert codes(examined(wrong)) == ["login_refused"]
    assert codes(examined(postgres_server.url_of("not_there"))) == ["database_missing"]
    assert codes(examined(postgres_database.replace(str(postgres_server.port), "1"))) == [
        "server_unreachable"
    ]


def test_the_recommended_login_is_well_on_postgres(
    postgres_server: PostgresServer, postgres_database: str
) -> None:
    database = postgres_database.rpartition("/")[2]
    role = f"reader_{database}"
    connection = resolve(parse_database_url(postgres_database), Path())
    with psycopg.connect(postgres_database, autocommit=True) as admin:
        admin.execute("CREATE TABLE orders (id integer)")
        admin.execute(least_privilege(connection, role).replace("<password>", PASSWORD).encode())
        admin.execute(f"REVOKE CREATE ON SCHEMA public FROM {role}".encode())
    try:
        url = f"postgresql://{role}:{PASSWORD}@{postgres_server.host}:{postgres_server.port}/{database}"
        assert codes(examined(url)) == ["all_well"]
        with postgres_reader(url) as reader, pytest.raises(psycopg.Error):
            reader._connection.execute("INSERT INTO orders VALUES (1)")
    finally:
        with psycopg.connect(postgres_database, autocommit=True) as admin:
            admin.execute(f"DROP OWNED BY {role}".encode())
            admin.execute(f"DROP ROLE {role}".encode())


def test_mariadb(mariadb_server: MariadbServer, mariadb_database: str) -> None:
    url = mariadb_server.url_of(mariadb_database)
    found = examined(url)
    assert codes(found) == ["login_may_write"]
    assert "GRANT SELECT, SHOW VIEW ON" in found[0].hint
    assert codes(examined(url.replace(mariadb_server.password, PASSWORD))) == ["login_refused"]
    assert codes(examined(mariadb_server.url_of("not_there"))) == ["database_missing"]
    assert codes(examined(url.replace(str(mariadb_server.port), "1"))) == ["server_unreachable"]


def test_the_recommended_login_is_well_on_mariadb(
    mariadb_server: MariadbServer, mariadb_database: str
) -> None:
    url = mariadb_server.url_of(mariadb_database)
    login = f"r_{mariadb_database}"
    connection = resolve(parse_database_url(url), Path())
    statements = least_privilege(connection, login).replace("<password>", PASSWORD)
    with mysql_reader(url, ("CREATE TABLE orders (id integer)", *filter(None, statements.split("\n")))):
        pass
    try:
        theirs = f"mysql://{login}:{PASSWORD}@{mariadb_server.host}:{mariadb_server.port}/{mariadb_database}"
        assert codes(examined(theirs)) == ["all_well"]
        with mysql_reader(theirs) as reader, pytest.raises(pymysql.Error):
            reader._connection.cursor().execute("INSERT INTO orders VALUES (1)")
    finally:
        with mysql_reader(url, (f"DROP USER '{login}'@'%'",)):
            pass


def test_files(tmp_path: Path) -> None:
    with sqlite_reader(tmp_path / "a.db", ("CREATE TABLE a (x)",)):
        pass
    (tmp_path / "junk.db").write_bytes(b"nothing of the kind" * 100)
    (tmp_path / "junk.duckdb").write_bytes(b"nothing of the kind" * 1000)
    assert codes(examined("a.db", tmp_path)) == ["all_well"]
    assert codes(examined("missing.db", tmp_path)) == ["file_missing"]
    assert not (tmp_path / "missing.db").exists()
    assert codes(examined("junk.duckdb", tmp_path)) == ["not_a_database"]
    assert codes(examined("junk.db", tmp_path)) == ["not_a_database"]
    found = doctor(ConnectionSpec("duckdb", path="a.db"), opened, folder=tmp_path, environment={})
    assert codes(found) == ["family_wrong"]
    assert found[0].hint == "write family: sqlite"


class Never:
    """An opener that must not be asked."""

    def __call__(self, connection: ResolvedConnection) -> AbstractContextManager[DriverReader]:
        raise AssertionError(f"{connection.host} was connected to")


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("postgres://u:${NOWHERE_SET}@db/d", "variable_missing"),
        ("postgres://u@${HOST}/d", "address_refused"),
        ("postgres://u@inside.example.org/d", "address_refused"),
        ("postgres://u@unknown.example.org/d", "host_not_found"),
        ("${URL}", "database_url_refused"),
    ],
)
def test_nothing_is_connected_to_before_it_is_judged(url: str, code: str) -> None:
    answers = {"inside.example.org": ["169.254.169.254"], "unknown.example.org": [], "db": ["10.0.0.1"]}
    found = doctor(
        parse_database_url(url),
        Never(),
        folder=Path("/nowhere"),
        environment={"HOST": "169.254.169.254", "URL": "s3://x"},
        resolver=lambda host: answers[host],
    )
    assert codes(found) == [code]


class Silent:
    """An opener whose database answers whatever it is asked with one nought."""

    @contextmanager
    def __call__(self, connection: ResolvedConnection) -> Iterator[DriverReader]:
        with sqlite_reader(Path(":memory:")) as reader:
            yield reader


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("mysql://u@db.example.org/d", ["tls_off"]),
        ("mysql://u@db.example.org/d?sslmode=disable", ["tls_off"]),
        ("mysql://u@db.example.org/d?sslmode=verify-full", ["all_well"]),
        ("mysql://u@127.0.0.1/d?sslmode=disable", ["all_well"]),
        ("mysql://u@localhost/d", ["all_well"]),
    ],
)
def test_encryption(url: str, expected: list[str]) -> None:
    spec: ConnectionSpec = parse_database_url(url)
    found = doctor(spec, Silent(), folder=Path(), environment={}, resolver=lambda _: ["10.0.0.1"])
    assert codes(found) == expected
