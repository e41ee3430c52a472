"""The line: names, addresses and TLS are within the deadline too, and can be stopped."""

import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpcore
import httpx
import pytest

from dragoman.contracts.errors import ModelCancelled, ModelTimeout, ModelUnreachable, ModelUnusable
from dragoman.models.line import Line
from dragoman.models.transport import NetworkTransport
from tests.model_server import ModelServer, says
from tests.models.ground import LONG, SHORT, Clock, Ground
from tests.patience import PROMPT, once


@contextmanager
def silent_server() -> Iterator[int]:
    """Takes connections and says nothing; its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def line(seconds: float = LONG, *addresses: str) -> Line:
    return Line(time.monotonic() + seconds, lambda _: list(addresses) or ["127.0.0.1"])


def test_a_name_server_that_does_not_answer_is_not_waited_for() -> None:
    asked, never = threading.Event(), threading.Event()

    def resolver(_: str) -> list[str]:
        asked.set()
        never.wait(LONG)
        return []

    clock = Clock()
    with pytest.raises(ModelTimeout, match="name"):
        Line(time.monotonic() + SHORT, resolver).connect_tcp("models.example.org", 443)
    assert clock.seconds < PROMPT
    asked.clear()
    stopped = Line(time.monotonic() + LONG, resolver)
    with once(asked.is_set, stopped.stop, "the name is asked for"), pytest.raises(ModelCancelled):
        stopped.connect_tcp("models.example.org", 443)
    never.set()


def test_a_name_that_nobody_knows() -> None:
    def resolver(_: str) -> list[str]:
        raise socket.gaierror("no such name")

    with pytest.raises(ModelUnreachable, match="there is no host"):
        Line(time.monotonic() + LONG, resolver).connect_tcp("models.example.org", 443)


@pytest.mark.parametrize("address", ["169.254.169.254", "fd00:ec2::254"])
def test_a_name_that_leads_where_clouds_keep_their_secrets(address: str) -> None:
    with pytest.raises(ModelUnusable, match="no connection may reach"):
        line(LONG, address).connect_tcp("models.example.org", 443)


def test_the_next_address_is_tried() -> None:
    with silent_server() as port:
        line(LONG, "127.0.0.2", "127.0.0.1").connect_tcp("models.example.org", port).close()


def test_a_handshake_that_does_not_come_is_not_waited_for() -> None:
    with silent_server() as port:
        clock = Clock()
        stream = line(SHORT).connect_tcp("localhost", port)
        with pytest.raises(ModelTimeout):
            stream.start_tls(ssl.create_default_context(), "localhost")
        assert clock.seconds < PROMPT


def test_a_handshake_can_be_stopped() -> None:
    with silent_server() as port:
        held = line()
        stream = held.connect_tcp("localhost", port)
        with once(lambda: True, held.stop, "the server listens"), pytest.raises(ModelCancelled):
            stream.start_tls(ssl.create_default_context(), "localhost")


def test_a_server_that_does_not_read_is_not_waited_for() -> None:
    with silent_server() as port:
        stream = line(SHORT).connect_tcp("localhost", port)
        with pytest.raises(ModelTimeout):
            stream.write(b"x" * 50_000_000)
        stream.close()


def test_what_was_stopped_does_not_begin() -> None:
    with silent_server() as port:
        held = line()
        held.stop()
        with pytest.raises(ModelCancelled):
            held.connect_tcp("localhost", port)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost, with its key, that nobody has signed."""
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    made = subprocess.run(
        [
            *(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=localhost",
            ),
            *("-addext", "subjectAltName=DNS:localhost", "-keyout", path, "-out", f"{path}.crt"),
        ],
        capture_output=True,
        check=False,
    )
    if made.returncode != 0:
        pytest.skip("openssl is not there to make a certificate")
    path.write_bytes(path.read_bytes() + Path(f"{path}.crt").read_bytes())
    return path


@contextmanager
def tls_server(certificate: Path, answer: bytes) -> Iterator[int]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    plain, _ = listener.accept()
                except OSError:
                    return
                try:
                    with context.wrap_socket(plain, server_side=True) as connection:
                        connection.recv(65_536)
                        connection.sendall(answer)
                        connection.recv(65_536)
                except OSError:
                    continue

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


def test_a_certificate_that_nobody_signed_is_not_taken(certificate: Path) -> None:
    with tls_server(certificate, ANSWER) as port:
        request = httpx.Request("POST", f"https://localhost:{port}/", content=b"{}")
        transport = NetworkTransport(line())
        with pytest.raises(ModelUnreachable, match="TLS"):
            transport.handle_request(request)
        transport.close()


def test_over_tls(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trusting = ssl.create_default_context(cafile=f"{certificate}.crt")
    monkeypatch.setattr("dragoman.models.transport.tls", lambda: trusting)
    with tls_server(certificate, ANSWER) as port:
        request = httpx.Request("POST", f"https://localhost:{port}/", content=b"{}")
        transport = NetworkTransport(line())
        assert transport.handle_request(request).read() == b"ok"
        transport.close()
    with tls_server(certificate, ANSWER[:-1]) as port:
        request = httpx.Request("POST", f"https://localhost:{port}/", content=b"{}")
        held = line()
        transport = NetworkTransport(held)
        response = transport.handle_request(request)
        with (
            once(lambda: True, held.stop, "the head has come"),
            pytest.raises((ModelCancelled, httpcore.ReadError)),
        ):
            response.read()
        transport.close()


def test_no_line_is_left_open() -> None:
    """Ten requests, and no descriptor more than before."""
    with ModelServer(says("x")) as server:
        ground = Ground(server.settings("openai"))
        ground.ask()
        before = len(list(Path("/proc/self/fd").iterdir()))
        for _ in range(10):
            ground.ask(stream=True)
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


def test_many_threads_share_one_turn() -> None:
    with ModelServer(says("x")) as server:
        ground = Ground(server.settings("openai"))
        threads = [threading.Thread(target=ground.ask) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(server.requests) == 12
    assert ground.turn.spent.requests == 12
    assert ground.turn.spent.usage.total == 12 * 18
