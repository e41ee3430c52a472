"""What goes wrong on the way: every failure is an error of its kind, in time, and none tells the key."""

import base64
import json
import re
import socket
import ssl
import subprocess
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

from dragoman.contracts.connection import ConnectionSpec, SecretText
from dragoman.contracts.errors import (
    AccessError,
    AddressRefused,
    AuthenticationFailed,
    CellTooLarge,
    ConnectionRefused,
    DatabaseBusy,
    DriverFailed,
    QueryCancelled,
    QueryFailed,
    QueryTimeout,
    RestCannot,
    ResultTooLarge,
)
from dragoman.contracts.query import Query, ReadLimits
from dragoman.databases.access import Cancellation, open_reader
from dragoman.databases.connections import doctor, parse_database_url, resolve, target_of
from dragoman.databases.connections.connection_reader import open_connection
from dragoman.databases.families.supabase import http_connection
from dragoman.databases.families.supabase.rest_reader import RestReader
from dragoman.databases.families.supabase.target import RestTarget
from tests.databases.rest.conftest import Project, rest_reader
from tests.databases.rest.postgrest import KEY
from tests.patience import PROMPT, Stopwatch, once

IDS = Query("SELECT id FROM kinds ORDER BY id")

FAILURES = [
    ("status:401", AuthenticationFailed),
    ("status:403", AuthenticationFailed),
    ("status:404", QueryFailed),
    ("status:408", QueryTimeout),
    ("status:504", QueryTimeout),
    ("status:414", QueryFailed),
    ("status:429", DatabaseBusy),
    ("status:503", DatabaseBusy),
    ("status:500", DriverFailed),
    ("page:502", DriverFailed),
    ("page:520", DriverFailed),
    ("redirect:http://169.254.169.254/", DriverFailed),
    ("redirect:/rest/v1/kinds", DriverFailed),
    ("body:", DriverFailed),
    ("body:{}", DriverFailed),
    ("body:null", DriverFailed),
    ("body:[1]", DriverFailed),
    ('body:[{"id": "1"}', DriverFailed),
    ("body:[{}]", DriverFailed),
    ('body:[{"c_0": {}}]', DriverFailed),
    ('body:[{"c_0": NaN}]', DriverFailed),
    ("body:" + "[" * 100_000, DriverFailed),
    ('body:[{"c_0": ' + "9" * 10_000 + "}]", DriverFailed),
    ("packed", DriverFailed),
    ("short", ConnectionRefused),
    ("leave", ConnectionRefused),
    ("root-status:401", AuthenticationFailed),
    ("root-status:500", DriverFailed),
    ("root-body:[]", DriverFailed),
    ('root-body:{"definitions": 5}', DriverFailed),
    ("root-body:" + '{"definitions":' * 50_000, DriverFailed),
    ("root-leave", ConnectionRefused),
]


@pytest.mark.parametrize(("way", "kind"), FAILURES, ids=[way[:30] for way, _ in FAILURES])
def test_failures_have_their_kind(way: str, kind: type[AccessError], kinds: Project) -> None:
    kinds.served.manners.misbehave = way
    with pytest.raises(kind) as raised:
        kinds.rest.read(IDS)
    assert type(raised.value) is kind
    told = f"{raised.value.message} {raised.value.hint} {raised.value.details}"
    assert KEY not in told
    assert KEY not in "".join(traceback.format_exception_only(raised.value))
    kinds.served.manners.misbehave = ""
    assert len(kinds.rest.read(IDS).rows) == 12


@pytest.mark.parametrize("way", ["drip", "hang", "root-drip", "root-hang"])
def test_the_deadline_is_for_the_whole_read(way: str, kinds: Project) -> None:
    kinds.served.manners.misbehave = way
    begin = time.monotonic()
    with pytest.raises(QueryTimeout):
        kinds.rest.read(IDS, ReadLimits(seconds=0.5))
    assert time.monotonic() - begin < PROMPT
    kinds.served.manners.misbehave = ""
    assert len(kinds.rest.read(IDS).rows) == 12


def test_a_read_can_be_cancelled(kinds: Project) -> None:
    kinds.served.manners.misbehave = "hang"
    cancel = Cancellation()
    stop = Stopwatch(cancel.cancel)
    hanging = kinds.served.manners.hanging
    with once(hanging.is_set, stop, "the server hangs"), pytest.raises(QueryCancelled):
        kinds.rest.read(IDS, cancel=cancel)
    assert stop.seconds < PROMPT


def test_an_answer_without_end_is_cut_off(kinds: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connection, "MOST_BYTES", 5_000_000)
    kinds.served.manners.misbehave = "huge"
    with pytest.raises(ResultTooLarge):
        kinds.rest.read(IDS)


def test_a_cell_that_is_too_large_is_named(kinds: Project) -> None:
    with pytest.raises(CellTooLarge) as raised:
        kinds.rest.read(Query("SELECT note FROM kinds WHERE id = 1"), ReadLimits(cell_bytes=5))
    assert raised.value.details["column"] == "note"


def test_a_question_that_is_too_long(kinds: Project) -> None:
    with pytest.raises(RestCannot) as raised:
        kinds.rest.read(Query("SELECT id FROM kinds WHERE note = ?", ("x" * 50_000,)))
    assert raised.value.details["part"] == "length"
    assert "PostgreSQL URL" in raised.value.hint


def test_conditions_without_end(kinds: Project) -> None:
    deep = "SELECT id FROM kinds WHERE " + "NOT (" * 300 + "id = 1" + ")" * 300
    with pytest.raises((RestCannot, QueryFailed)):
        kinds.rest.read(Query(deep))
    wide = "SELECT id FROM kinds WHERE " + " OR ".join(f"id = {n}" for n in range(300))
    assert len(kinds.rest.read(Query(wide)).rows) == 12


@pytest.mark.parametrize("key", ["", "sb_wrong_key_987", "line\r\nbreak: x", "ключ"])
def test_keys_that_are_none(key: str, kinds: Project) -> None:
    with pytest.raises(AuthenticationFailed) as raised, rest_reader(kinds.served, key) as reader:
        reader.read(IDS)
    assert not key or key not in raised.value.message


def test_only_get_is_ever_sent(kinds: Project) -> None:
    kinds.rest.read(IDS)
    kinds.rest.read(Query("SELECT count(*) FROM kinds"))
    assert {method for method, _, _ in kinds.served.manners.requests} == {"GET"}


def test_nothing_is_kept_after_user_sql_and_a_line_that_ended_is_made_anew(kinds: Project) -> None:
    kinds.rest.read(IDS, user_sql=True)
    kinds.rest.read(IDS)
    kinds.rest._connection._socket.shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
    assert len(kinds.rest.read(IDS).rows) == 12


def test_a_target_does_not_show_its_key() -> None:
    target = RestTarget("https://abc.supabase.co", "sb_secret_x")
    assert "sb_secret_x" not in f"{target!r} {target}"


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org",
        "http://10.0.0.1:8000",
        "ftp://127.0.0.1",
        "https://",
        "https://user:word@abc.supabase.co",
        "https://abc.supabase.co/elsewhere",
        "https://abc.supabase.co?x=1",
        "https://abc.supabase.co:99999",
        "",
    ],
)
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(ConnectionRefused):
        open_reader(RestTarget(url, KEY))


@pytest.mark.parametrize(
    "address", ["169.254.169.254", "fe80::1", "100.100.100.200", "::ffff:169.254.169.254"]
)
def test_a_name_that_leads_to_metadata_is_not_connected_to(address: str) -> None:
    reader = RestReader(RestTarget("https://abc.supabase.co", KEY), ReadLimits(), lambda host: [address])
    with reader, pytest.raises(ConnectionRefused, match="no connection may reach"):
        reader.read(IDS)


def test_an_unencrypted_name_must_lead_to_this_machine() -> None:
    reader = RestReader(RestTarget("http://localhost:1", KEY), ReadLimits(), lambda host: ["10.1.2.3"])
    with reader, pytest.raises(ConnectionRefused, match="another machine"):
        reader.read(IDS)


def test_the_address_that_was_judged_is_the_one_that_is_connected_to(kinds: Project) -> None:
    answers = iter([["127.0.0.1"], ["169.254.169.254"]])
    target = RestTarget(f"http://localhost:{kinds.served.port}", KEY)
    with RestReader(target, ReadLimits(), lambda host: next(answers)) as reader:
        assert len(reader.read(IDS).rows) == 12
        assert kinds.served.manners.requests[-1][2]["host"] == f"localhost:{kinds.served.port}"
        # The line is kept; once it is gone the name is judged anew.
        reader.read(IDS, user_sql=True)
        with pytest.raises(ConnectionRefused, match="no connection may reach"):
            reader.read(IDS)


def test_nobody_answers() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    with open_reader(RestTarget(url, KEY)) as reader, pytest.raises(ConnectionRefused):
        reader.read(IDS)


def test_an_unknown_host() -> None:
    def unknown(host: str) -> list[str]:
        raise socket.gaierror(-2, "Name or service not known")

    reader = RestReader(RestTarget("https://abc.supabase.co", KEY), ReadLimits(), unknown)
    with reader, pytest.raises(ConnectionRefused, match="there is no host"):
        reader.read(IDS)


def cloud(key: str = KEY) -> ConnectionSpec:
    spec = parse_database_url("https://abc.supabase.co")
    return ConnectionSpec(
        spec.family, "cloud", spec.transport, host=spec.host, port=spec.port, password=SecretText(key)
    )


def test_a_connection_becomes_a_target_that_is_encrypted(tmp_path: Path) -> None:
    resolved = resolve(cloud(), tmp_path, {})
    assert target_of(resolved) == RestTarget("https://abc.supabase.co:443", KEY)
    with open_connection(resolved, resolver=lambda host: ["127.0.0.1"]) as reader:
        assert isinstance(reader, RestReader)
    with pytest.raises(AddressRefused):
        open_connection(resolved, resolver=lambda host: ["169.254.169.254"])


def test_the_doctor_is_content(kinds: Project, tmp_path: Path) -> None:
    findings = doctor(
        cloud(),
        lambda resolved: rest_reader(kinds.served),
        folder=tmp_path,
        environment={},
        resolver=lambda host: ["127.0.0.1"],
    )
    assert [finding.code for finding in findings] == ["all_well"]
    findings = doctor(
        cloud(),
        lambda resolved: rest_reader(kinds.served, "sb_wrong_key_987"),
        folder=tmp_path,
        environment={},
        resolver=lambda host: ["127.0.0.1"],
    )
    assert [finding.code for finding in findings] == ["login_refused"]


def token(role: str) -> str:
    claims = base64.urlsafe_b64encode(json.dumps({"role": role}).encode()).decode().rstrip("=")
    return f"e30.{claims}.c2ln"


@pytest.mark.parametrize(
    ("key", "codes"),
    [
        ("sb_secret_abc", ["login_may_write"]),
        (token("service_role"), ["login_may_write"]),
        (token("anon"), ["all_well"]),
        ("sb_publishable_abc", ["all_well"]),
        ("a.é.c", ["all_well"]),
        ("a.b.c", ["all_well"]),
    ],
)
def test_the_doctor_knows_a_key_that_rules_all(
    key: str, codes: list[str], kinds: Project, tmp_path: Path
) -> None:
    findings = doctor(
        cloud(key),
        lambda resolved: rest_reader(kinds.served),
        folder=tmp_path,
        environment={},
        resolver=lambda host: ["127.0.0.1"],
    )
    assert [finding.code for finding in findings] == codes
    assert not any(key in finding.message + finding.hint for finding in findings)


class _Empty(BaseHTTPRequestHandler):
    """A project without tables."""

    hosts: ClassVar[list[str]] = []

    def log_message(self, format: str, *args: object) -> None: ...

    def do_GET(self) -> None:
        self.hosts.append(self.headers["Host"])
        body = b'{"definitions": {}}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def encrypted(folder: Path) -> Iterator[int]:
    """A server whose certificate nobody vouches for."""
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    names = ["-days", "1", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *files, *names], check=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Empty)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    with encrypted(tmp_path) as port:
        target = RestTarget(f"https://localhost:{port}", KEY)
        with open_reader(target) as reader, pytest.raises(DriverFailed, match="TLS") as raised:
            reader.read(IDS, ReadLimits(seconds=5))
    assert re.search("certificate", raised.value.message)


def test_only_who_has_the_name_is_sent_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with encrypted(tmp_path) as port:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "cert.pem"))
        _Empty.hosts.clear()

        def read(host: str) -> object:
            target = RestTarget(f"https://{host}:{port}", KEY)
            with RestReader(target, ReadLimits(), lambda name: ["127.0.0.1"]) as reader:
                return reader.read(Query("SELECT 1 AS one")).rows

        assert read("localhost") == [(1,)]
        assert _Empty.hosts == [f"localhost:{port}"]
        with pytest.raises(DriverFailed, match="TLS"):
            read("abc.supabase.co")
        assert len(_Empty.hosts) == 1
