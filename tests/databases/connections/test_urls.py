"""URLs and paths of databases: what they say, and what they may not."""

from pathlib import Path

import duckdb
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.contracts.errors import (
    AddressRefused,
    DatabaseUrlRefused,
    DragomanError,
    HostNotFound,
    VariableMissing,
)
from dragoman.databases.connections import (
    ConnectionSpec,
    SecretText,
    Transport,
    judge_host,
    parse_database_url,
    refuse_address,
    resolve,
)
from tests.databases.discovery.readers import sqlite_reader


@pytest.mark.parametrize(
    ("text", "family", "path"),
    [
        ("sqlite:///shop.db", "sqlite", "shop.db"),
        ("sqlite:////srv/shop.db", "sqlite", "/srv/shop.db"),
        ("sqlite:shop.db", "sqlite", "shop.db"),
        ("SQLITE:///data/my%20shop.db", "sqlite", "data/my shop.db"),
        ("sqlite://localhost/shop.db", "sqlite", "shop.db"),
        ("sqlite:///shop.db?mode=ro", "sqlite", "shop.db"),
        ("duckdb:///x.duckdb", "duckdb", "x.duckdb"),
        ("a b/ü.sqlite3", "sqlite", "a b/ü.sqlite3"),
        ("/srv/x.DUCKDB", "duckdb", "/srv/x.DUCKDB"),
        ("100%.csv", "files", "100%.csv"),
        ("x.parquet", "files", "x.parquet"),
        ("x.jsonl", "files", "x.jsonl"),
        ("data/", "files", "data/"),
        (".", "files", "."),
    ],
)
def test_files(text: str, family: str, path: str) -> None:
    spec = parse_database_url(text)
    assert (spec.family, spec.path, spec.transport) == (family, path, Transport.FILE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mysql://app:p%40ss@db:3307/shop", ("mysql", "db", "3307", "app", "p@ss", "shop")),
        ("mariadb://app@db/shop", ("mysql", "db", "", "app", None, "shop")),
        (
            "postgres://app:${PW}@db.example.org/shop",
            ("postgres", "db.example.org", "", "app", "${PW}", "shop"),
        ),
        ("postgresql+asyncpg://a:b@[2001:db8::1]:5/d", ("postgres", "2001:db8::1", "5", "a", "b", "d")),
        ("postgres://a:b@c@db/d", ("postgres", "db", "", "a:b@c".partition(":")[0], "b@c", "d")),
        ("postgres://db/%D0%BC%20x", ("postgres", "db", "", "", None, "м x")),
        ("postgres://a@пример.рф/d", ("postgres", "пример.рф", "", "a", None, "d")),
    ],
)
def test_servers(text: str, expected: tuple[object, ...]) -> None:
    spec = parse_database_url(text)
    password = spec.password.reveal() if spec.password else None
    assert (spec.family, spec.host, spec.port, spec.user, password, spec.database) == expected
    assert spec.transport is Transport.SERVER


@pytest.mark.parametrize(
    ("parameters", "options"),
    [
        ("mysql://u@h/d?ssl-mode=REQUIRED", {"sslmode": "require"}),
        ("mysql://u@h/d?ssl_mode=verify_identity&charset=utf8mb4", {"sslmode": "verify-full"}),
        (
            "postgres://u@h/d?sslmode=verify-ca&connect_timeout=5",
            {"sslmode": "verify-ca"},
        ),
        ("postgres://u@h/d?pgbouncer=true&connection_limit=1", {}),
        ("postgres://u@h/d?schema=sales", {"schemas": "sales"}),
    ],
)
def test_parameters(parameters: str, options: dict[str, str]) -> None:
    assert dict(parse_database_url(parameters).options) == options


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        # Files of other machines.
        ("s3://bucket/x.csv", "remote_path"),
        ("https://example.org/x.csv", "remote_path"),
        ("http://169.254.169.254/latest", "remote_path"),
        ("https://abc.supabase.co.evil.org", "remote_path"),
        ("https://abc.supabase.co/rest/v1/users", "remote_path"),
        ("md:my_db", "remote_path"),
        ("motherduck:x", "remote_path"),
        ("duckdb:md:x", "remote_path"),
        ("duckdb:///s3://b/x.duckdb", "remote_path"),
        ("duckdb:///https:%2F%2Fevil/x.duckdb", "remote_path"),
        ("//host/share/x.db", "bad_path"),
        ("\\\\host\\share\\x.db", "bad_path"),
        ("~/x.db", "bad_path"),
        # What engines read into a name.
        ("duckdb:sqlite:x.db", "bad_path"),
        (":memory:", "bad_path"),
        ("sqlite::memory:", "bad_path"),
        ("sqlite://", "bad_url"),
        ("sqlite:///", "bad_path"),
        ("sqlite://host/x.db", "bad_url"),
        ("sqlite:///x.db?vfs=unix-none", "parameter_refused"),
        ("sqlite:///x.db?mode=rwc", "parameter_refused"),
        ("sqlite:///x.db?immutable=1", "parameter_refused"),
        ("duckdb:///x.db?access_mode=read_write", "parameter_refused"),
        ("file:x.db?mode=memory", "unknown_scheme"),
        # What drivers do besides connecting.
        *(
            (f"postgres://u@h/d?{each}", "parameter_refused")
            for each in (
                "service=x",
                "passfile=/etc/passwd",
                "options=-c%20log_statement%3Dall",
                "hostaddr=169.254.169.254",
                "host=/tmp",
                "sslkey=/root/key",
                "sslcert=/root/cert",
                "sslrootcert=/etc/shadow",
                "krbsrvname=x",
                "sslcrl=/x",
                "SERVICE=x",
                "ser%76ice=x",
                "dbname=other",
                "user=postgres",
                "password=x",
                "replication=database",
            )
        ),
        *(
            (f"mysql://u@h/d?{each}", "parameter_refused")
            for each in (
                "local_infile=1",
                "read_default_file=/root/.my.cnf",
                "init_command=DROP",
                "unix_socket=/x",
                "ssl-ca=/etc/shadow",
                "allowLoadLocalInfile=true",
                "autocommit=1",
            )
        ),
        ("mysql://u@h/d?sslmode=maybe", "bad_option"),
        ("postgres://u@h/d?schemas=a%22b", "bad_option"),
        ("postgres://u@h/d?sslmode=require&sslmode=disable", "bad_url"),
        # Hosts that are none.
        ("postgres:///d", "bad_url"),
        ("postgres://u@/d", "bad_url"),
        ("postgres://u@h,i/d", "address_refused"),
        ("postgres://u@%2Ftmp/d", "address_refused"),
        ("postgres://u@h:0/d", "bad_port"),
        ("postgres://u@h:99999/d", "bad_port"),
        ("postgres://u@h:x/d", "bad_port"),
        ("postgres://u@[::1/d", "bad_url"),
        ("postgres://u@h/", "bad_url"),
        ("postgres://u@h/a/b", "bad_url"),
        ("postgres://u:pa/ss@h/d", "bad_url"),
        ("postgres://u:pa#ss@h/d", "bad_url"),
        ("postgres://u:%zz@h/d", "bad_url"),
        ("postgres://u:%ff@h/d", "bad_url"),
        ("postgres://u:a%0ab@h/d", "bad_url"),
        ("postgres:u@h/d", "bad_url"),
        # Not even a text of a database.
        ("", "bad_url"),
        ("   ", "bad_url"),
        (" x.db", "bad_url"),
        ("a\0b.db", "bad_url"),
        ("a\nb.db", "bad_url"),
        ("\udc80.db", "bad_url"),
        ("x" * 5000, "bad_url"),
        (None, "bad_url"),
        (b"x.db", "bad_url"),
        ("postgres://u:${PW:-x}@h/d", "bad_variable"),
        ("postgres://u:$PW@h/d", "bad_variable"),
        ("postgers://u@h/d", "unknown_scheme"),
        ("oracle://u@h/d", "unknown_scheme"),
        ("what.is.this", "unknown_family"),
    ],
)
def test_refused(text: object, problem: str) -> None:
    with pytest.raises(DatabaseUrlRefused) as caught:
        parse_database_url(text)
    assert caught.value.details["problem"] == problem
    assert caught.value.hint


def test_an_unknown_scheme_lists_the_nearest_first() -> None:
    with pytest.raises(DatabaseUrlRefused) as caught:
        parse_database_url("postgers://u@h/d")
    assert caught.value.hint.startswith("there are postgres:, ")
    assert "mysql:" in caught.value.hint


METADATA = (
    "169.254.169.254",
    "169.254.0.1",
    "2852039166",
    "0xA9FEA9FE",
    "0251.0376.0251.0376",
    "169.254.43518",
    "169.16689662",
    "0xa9.254.0251.254",
    "169.254.169.254.",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::1",
    "fe80::5efe:169.254.169.254",
    "2001:db8::5efe:a9fe:a9fe",
    "fe80::1",
    "fe80::1%eth0",
    "fd00:ec2::254",
    "fd00:0ec2:0:0:0:0:0:254",
    "fd20:ce::254",
    "100.100.100.200",
    "168.63.129.16",
    "metadata.google.internal",
    "METADATA.Google.Internal.",
    "metadata",
    "１６９.254.169.254",
    "169。254。169。254",
    "①69.254.169.254",
    "ｍetadata.google.internal",
)


@pytest.mark.parametrize("host", METADATA)
def test_metadata_in_every_spelling(host: str) -> None:
    with pytest.raises(AddressRefused):
        judge_host(host)
    written = f"[{host}]" if ":" in host else host
    with pytest.raises(DatabaseUrlRefused):
        parse_database_url(f"postgres://u:p@{written}/d")


@pytest.mark.parametrize(
    "host", ["", "a b", "/tmp", "@x", "a,b", "-x", "a..b", "x" * 300, "a/b", "a%00", None, 5, b"x"]
)
def test_what_is_no_host(host: object) -> None:
    with pytest.raises(AddressRefused):
        judge_host(host)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "::1", "10.0.0.5", "db", "db_1.internal", "пример.рф"]
)
def test_hosts_that_may_be_reached(host: str) -> None:
    judge_host(host)
    assert refuse_address(host, lambda _: ["10.0.0.5"]) == ("10.0.0.5",)


@pytest.mark.parametrize("answer", ["169.254.169.254", "::ffff:169.254.169.254", "fe80::1", "nonsense"])
def test_a_name_that_resolves_to_a_refused_address(answer: str) -> None:
    with pytest.raises(AddressRefused):
        refuse_address("harmless.example.org", lambda _: ["10.0.0.5", answer])


def test_a_name_that_does_not_resolve() -> None:
    def nobody(_: str) -> list[str]:
        raise OSError("unknown")

    with pytest.raises(HostNotFound):
        refuse_address("nowhere.example.org", nobody)
    with pytest.raises(HostNotFound):
        refuse_address("nowhere.example.org", lambda _: [])


def test_the_machine_itself_resolves() -> None:
    assert refuse_address("localhost")


@given(st.text())
def test_any_text_is_taken_or_refused(text: str) -> None:
    for written in (text, f"postgres://{text}", f"mysql://u:p@h/{text}", f"sqlite:///{text}"):
        try:
            spec = parse_database_url(written)
        except DatabaseUrlRefused:
            continue
        assert isinstance(spec, ConnectionSpec)


@given(st.integers(0, 2**32 - 1))
def test_every_spelling_of_a_number_is_judged_alike(number: int) -> None:
    a, b, c, d = number.to_bytes(4)
    spellings = [
        f"{a}.{b}.{c}.{d}",
        str(number),
        hex(number),
        f"0{a:o}.0{b:o}.0{c:o}.0{d:o}",
        f"::ffff:{a}.{b}.{c}.{d}",
        f"64:ff9b::{number >> 16:x}:{number & 0xFFFF:x}",
    ]
    verdicts = set()
    for host in spellings:
        try:
            judge_host(host)
            verdicts.add(True)
        except AddressRefused:
            verdicts.add(False)
    assert len(verdicts) == 1


def test_a_password_is_shown_nowhere() -> None:
    spec = parse_database_url("postgres://app:hunter2@db/shop")
    found = resolve(spec, Path("/ws"), {})
    assert found.password == SecretText("hunter2")
    assert "hunter2" not in repr(spec) + str(spec) + repr(found) + f"{found.password}"
    with pytest.raises(TypeError):
        msgspec.json.encode(found)


def test_variables_are_filled_part_by_part() -> None:
    spec = parse_database_url("postgres://${WHO}:${PW}@${WHERE}:${PORT}/${NAME}?sslmode=${MODE}")
    values = {"WHO": "a", "PW": "x@y/z:${PW}", "WHERE": "db", "PORT": "77", "NAME": "n/m", "MODE": "require"}
    found = resolve(spec, Path("/ws"), values)
    # What a value contains ends no part of the URL, and is not filled in again.
    assert found.password == SecretText("x@y/z:${PW}")
    assert (found.user, found.host, found.port, found.database) == ("a", "db", 77, "n/m")
    assert found.option("sslmode") == "require"


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"WHERE": "169.254.169.254"}, AddressRefused),
        ({"WHERE": "h/d?service=x"}, AddressRefused),
        ({"PORT": "x"}, DatabaseUrlRefused),
        ({"NAME": "a\0b"}, DatabaseUrlRefused),
        ({"PW": "a\nb"}, DatabaseUrlRefused),
        ({"MODE": "never"}, DatabaseUrlRefused),
        ({"MODE": ""}, VariableMissing),
    ],
)
def test_values_of_variables_are_judged_too(values: dict[str, str], problem: type[DragomanError]) -> None:
    good = {"PW": "p", "WHERE": "db", "PORT": "1", "NAME": "n", "MODE": "require"}
    spec = parse_database_url("postgres://a:${PW}@${WHERE}:${PORT}/${NAME}?sslmode=${MODE}")
    with pytest.raises(problem):
        resolve(spec, Path("/ws"), {**good, **values})


def test_a_whole_url_in_a_variable() -> None:
    spec = parse_database_url("${DATABASE_URL}")
    found = resolve(spec, Path("/ws"), {"DATABASE_URL": "mysql://u:p%40@h/d?ssl-mode=disabled"})
    assert (found.family, found.password, found.port) == ("mysql", SecretText("p@"), 3306)
    with pytest.raises(DatabaseUrlRefused):
        resolve(spec, Path("/ws"), {"DATABASE_URL": "${OTHER}"})
    with pytest.raises(DatabaseUrlRefused):
        resolve(spec, Path("/ws"), {"DATABASE_URL": "postgres://u@169.254.169.254/d"})


def test_paths_begin_at_the_workspace() -> None:
    assert resolve(parse_database_url("data/x.db"), Path("/ws"), {}).path == Path("/ws/data/x.db")
    assert resolve(parse_database_url("/srv/x.db"), Path("/ws"), {}).path == Path("/srv/x.db")
    found = resolve(parse_database_url("sqlite:///${DATA}/x.db"), Path("/ws"), {"DATA": "d"})
    assert found.path == Path("/ws/d/x.db")
    with pytest.raises(DatabaseUrlRefused):
        resolve(parse_database_url("duckdb:///${DATA}"), Path("/ws"), {"DATA": "md:x"})


def test_a_file_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    with sqlite_reader(tmp_path / "one", ("CREATE TABLE a (x)",)):
        pass
    duckdb.connect(str(tmp_path / "two.db")).close()
    (tmp_path / "folder").mkdir()
    (tmp_path / "junk").write_text("nothing")
    assert parse_database_url("one", tmp_path).family == "sqlite"
    assert parse_database_url("two.db", tmp_path).family == "duckdb"
    assert parse_database_url("folder", tmp_path).family == "files"
    with pytest.raises(DatabaseUrlRefused):
        parse_database_url("junk", tmp_path)


def test_supabase() -> None:
    spec = parse_database_url("https://abcdefgh.supabase.co")
    assert (spec.family, spec.transport, spec.host) == (
        "supabase",
        Transport.REST,
        "abcdefgh.supabase.co",
    )


def test_a_server_needs_a_user() -> None:
    with pytest.raises(DatabaseUrlRefused) as caught:
        resolve(parse_database_url("postgres://db/shop"), Path("/ws"), {})
    assert caught.value.details["problem"] == "missing_user"
