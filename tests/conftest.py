"""Fixtures that every test may use, and the account of which servers the tests really met."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from tests.servers import (
    MariadbServer,
    MissingError,
    PostgresServer,
    locate,
    running_mariadb,
    running_postgres,
)
from tools.binaries import MARIADB, POSTGRES, STRACE, Program

LONG: Final = os.environ.get("DRAGOMAN_PROOF") == "long"

# No deadline for one example: on a busy machine it would say more about the neighbours than about the code.
settings.register_profile("short", deadline=None, max_examples=100)
settings.register_profile("long", deadline=None, max_examples=5_000)
settings.load_profile("long" if LONG else "short")

# The fixture that stands for a program; a test that uses it, however indirectly, gets a mark of that name.
FIXTURES: Final = {"postgres_server": "postgres", "mariadb_server": "mariadb", "strace": "strace"}
PROGRAMS: Final = {"postgres": POSTGRES, "mariadb": MARIADB, "strace": STRACE}


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A PostgreSQL server, started when the first test needs it and shared by all that do."""
    _locate_or_skip(POSTGRES)
    with running_postgres() as server:
        yield server


@pytest.fixture
def postgres_database(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of an empty PostgreSQL database that is this test's alone."""
    with postgres_server.database() as url:
        yield url


@pytest.fixture(scope="session")
def mariadb_server() -> Iterator[MariadbServer]:
    """A MariaDB server, started when the first test needs it and shared by all that do."""
    _locate_or_skip(MARIADB)
    with running_mariadb() as server:
        yield server


@pytest.fixture
def mariadb_database(mariadb_server: MariadbServer) -> Iterator[str]:
    """The name of an empty MariaDB database that is this test's alone."""
    with mariadb_server.database() as name:
        yield name


@pytest.fixture(scope="session")
def strace() -> Path:
    """The program that shows a process's system calls."""
    return _locate_or_skip(STRACE)


def _locate_or_skip(program: Program) -> Path:
    try:
        return locate(program)
    except MissingError as missing:
        pytest.skip(f"no {program.title}: {missing}")


def pytest_configure() -> None:
    # To be told to end is like Ctrl-C: the servers are stopped first.
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for fixture in FIXTURES.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(FIXTURES[fixture])
        if not LONG and item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="a long proof: ./do prove"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say of every server whether the tests met the real one; a skipped family must not look like a pass."""
    terminalreporter.section("servers")
    for mark, program in PROGRAMS.items():
        ran, skipped = _outcomes(terminalreporter, mark)
        terminalreporter.line(f"{program.title}: {_account(program, ran, skipped)}")


def _outcomes(reporter: pytest.TerminalReporter, mark: str) -> tuple[int, int]:
    counts = Counter(
        "skipped" if outcome == "skipped" else "ran"
        for outcome in ("passed", "failed", "error", "skipped", "xfailed", "xpassed")
        for report in reporter.stats.get(outcome, ())
        if isinstance(report, pytest.TestReport) and mark in report.keywords
    )
    return counts["ran"], counts["skipped"]


def _account(program: Program, ran: int, skipped: int) -> str:
    if not ran and not skipped:
        return "no test needed it"
    try:
        where = f"from {locate(program)}"
    except MissingError as missing:
        where = f"missing: {missing}"
    return f"{ran} tests ran, {skipped} skipped ({where})"
