"""What the HTTP door adds to a turn, and how it serves many at once.

Part one holds the same turns against each other in one process: through the façade, and through the whole
application (gate, routes, threads, response) over a real loopback connection to a server in that process.
Both are processor time of that process, round by round in turns, so that what else the machine does meets
both alike; the client is another process. Part two starts `dragoman serve` with two workers and lets many
clients ask at once.

./do bench http
"""

import argparse
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs, urlsplit

import httpx
import uvicorn

from dragoman import Workspace
from dragoman.web.application import application

TURNS: Final = 1_500
QUICK_TURNS: Final = 300
ROUND: Final = 25
CLIENTS: Final = 64
EACH: Final = 20
BAR_ADDED: Final = 1.0
BAR_SPREAD: Final = 10.0
MESSAGES: Final = (
    "receivables of Beta Retail as of 31 March 2020",
    "and for April?",
    "stock of Alfa Trade on 31 March 2020",
    "total sales of Alfa Trade in April 2020",
    "is that a lot?",
)
CLIENT: Final = """
import http.client, json, sys
port, token, path = int(sys.argv[1]), sys.argv[2], sys.argv[3]
connection = http.client.HTTPConnection("127.0.0.1", port)
head = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
for line in sys.stdin:
    connection.request("POST", path, json.dumps({"message": line.rstrip()}), head)
    response = connection.getresponse()
    response.read()
    print(response.status, flush=True)
"""


@dataclass(frozen=True)
class Bar:
    name: str
    figure: float
    limit: float

    @property
    def reached(self) -> bool:
        return self.figure <= self.limit


def cpu_of(work: Callable[[], None]) -> float:
    """Milliseconds of processor time that this process needs for some work, all its threads counted."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def added(turns: int) -> tuple[float, float]:
    """The CPU of a turn through the façade and through the door, in milliseconds: the medians of rounds."""
    with tempfile.TemporaryDirectory() as folder, Workspace.open(folder) as workspace:
        token = workspace.access.issue("bench").token
        direct, over_http = workspace.new_session(), workspace.new_session(owner="bench")
        with in_process(Path(folder)) as (port, served), client(port, token, over_http) as send:
            by_facade, by_door = list[float](), list[float]()
            for number in range(turns // ROUND):
                asked = [MESSAGES[(number * ROUND + at) % len(MESSAGES)] for at in range(ROUND)]

                def ask(asked: list[str] = asked) -> None:
                    for message in asked:
                        served.ask(direct, message)

                def request(asked: list[str] = asked) -> None:
                    for message in asked:
                        send(message)

                steps = [(ask, by_facade), (request, by_door)]
                for work, figures in steps if number % 2 else reversed(steps):
                    figures.append(cpu_of(work) / ROUND)
    return statistics.median(by_facade[1:]), statistics.median(by_door[1:])


@contextmanager
def in_process(folder: Path) -> Iterator[tuple[int, Workspace]]:
    """The application behind uvicorn in a thread of this process, over one workspace that both ways share."""
    held: list[Workspace] = []

    def opened() -> Workspace:
        held.append(Workspace.open(folder))
        return held[-1]

    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            application(opened),
            log_level="warning",
            access_log=False,
            lifespan="on",
            timeout_keep_alive=3_600,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield bound.getsockname()[1], held[-1]
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def client(port: int, token: str, session: str) -> Iterator[Callable[[str], None]]:
    """A client in a process of its own, which sends a message and waits for the answer."""
    path = f"/api/session/{session}/chat"
    command = [sys.executable, "-c", CLIENT, str(port), token, path]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        source, sink = process.stdout, process.stdin

        def send(message: str) -> None:
            sink.write(message + "\n")
            sink.flush()
            status = source.readline().strip()
            if status != "200":
                raise SystemExit(f"the server answered {status}")

        yield send
        sink.close()


def crowd(clients: int, each: int) -> tuple[list[float], list[int]]:
    """Many clients at two workers, each with a session of its own: milliseconds of turns, and statuses."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "dragoman.cli",
            "serve",
            "-w",
            folder,
            "--port",
            "0",
            "--workers",
            "2",
        ]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            found = urlsplit(process.stdout.readline().strip())
            url = f"{found.scheme}://{found.netloc}"
            try:
                with httpx.Client(base_url=url, timeout=120) as browser:
                    browser.get("/login", params=parse_qs(found.query))
                    cookie = dict(browser.cookies)
                return _ask_all(url, cookie, clients, each)
            finally:
                process.send_signal(signal.SIGTERM)


def _ask_all(url: str, cookie: dict[str, str], clients: int, each: int) -> tuple[list[float], list[int]]:
    times: list[float] = []
    statuses: list[int] = []
    ready = threading.Barrier(clients)

    def one(number: int) -> None:
        with httpx.Client(base_url=url, cookies=cookie, timeout=300) as browser:
            session = browser.post("/api/sessions", json={}).json()["session"]["id"]
            # The first turn of a worker reads the databases; what is measured is a server in use.
            browser.post(f"/api/session/{session}/chat", json={"message": MESSAGES[0]})
            ready.wait()
            for at in range(each):
                body = {"message": MESSAGES[(number + at) % len(MESSAGES)]}
                began = time.perf_counter()
                given = browser.post(f"/api/session/{session}/chat", json=body)
                times.append(1000 * (time.perf_counter() - began))
                statuses.append(given.status_code)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, statuses


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--turns", type=int, default=TURNS, help=f"how many each way; {TURNS:,} unless told")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_TURNS} turns: to see that it works")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    options = parser.parse_args()
    count = QUICK_TURNS if options.quick else max(2 * ROUND, options.turns)
    facade, door = added(count)
    print(f"{count:,} turns each way: façade {facade:.2f} ms of CPU, over HTTP {door:.2f} ms", flush=True)
    times, statuses = crowd(CLIENTS, EACH // 4 if options.quick else EACH)
    failed = sum(status != 200 for status in statuses)
    p50, p99 = percentile(times, 0.5), percentile(times, 0.99)
    bars = (
        Bar("CPU that the door adds to a turn (ms)", door - facade, BAR_ADDED),
        Bar(f"errors of {CLIENTS} clients on 2 workers", failed, 0),
        Bar("p99 over p50 of their turns", p99 / p50, BAR_SPREAD),
    )
    print(f"{len(times):,} turns of {CLIENTS} clients at once, {os.cpu_count()} processors: ", end="")
    print(f"p50 {p50:.0f} ms, p99 {p99:.0f} ms, {failed} errors")
    for bar in bars:
        print(
            f"{bar.name}: {bar.figure:.2f}, at most {bar.limit:g}: {'reached' if bar.reached else 'MISSED'}"
        )
    if options.json:
        options.json.write_text(json.dumps([asdict(bar) for bar in bars]) + "\n", "utf-8")


if __name__ == "__main__":
    main()
