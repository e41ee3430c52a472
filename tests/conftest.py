"""Fixtures that every test may use, and the account of which servers the tests really met."""

import gc
import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import settings

from dragoman.session.lease_keeper import THREAD_NAME
from tests.servers import (
    MariadbServer,
    MissingError,
    PostgresServer,
    locate,
    running_mariadb,
    running_postgres,
)
from tools.binaries import MARIADB, POSTGRES, STRACE, TMUX, Program

LONG: Final = os.environ.get("DRAGOMAN_PROOF") == "long"

# No deadline for one example: on a busy machine it would say more about the neighbours than about the code.
settings.register_profile("short", deadline=None, max_examples=50)
settings.register_profile("long", deadline=None, max_examples=2_000)
settings.load_profile("long" if LONG else "short")

ROUND: Final = 500
"""So many examples of a property are tried at a stretch: Hypothesis remembers every choice of a stretch, and
thousands of examples of something as large as a session's state are gigabytes."""

# The fixture that stands for a program; a test that uses it, however indirectly, gets a mark of that name.
FIXTURES: Final = {
    "postgres_server": "postgres",
    "mariadb_server": "mariadb",
    "strace": "strace",
    "tmux": "tmux",
}
PROGRAMS: Final = {"postgres": POSTGRES, "mariadb": MARIADB, "strace": STRACE, "tmux": TMUX}


@pytest.fixture(scope="module", autouse=True)
def _no_lease_outlives_its_tests() -> Iterator[None]:
    """A lease that is still kept after a file of tests belongs to a journal that nobody closed."""
    yield
    kept = [thread for thread in threading.enumerate() if thread.name == THREAD_NAME]
    assert not kept, f"{len(kept)} lease keepers outlive their tests: close the workspace or the journal"


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


@pytest.fixture(scope="session")
def tmux() -> Path:
    """A terminal whose screen can be read."""
    return _locate_or_skip(TMUX)


def _locate_or_skip(program: Program) -> Path:
    try:
        return locate(program)
    except MissingError as missing:
        pytest.skip(f"no {program.title}: {missing}")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Try a property with very many examples in several rounds, and forget each round after it."""
    test: Any = pyfuncitem.obj
    whole = getattr(test, "_hypothesis_internal_use_settings", None)
    if whole is None or whole.max_examples <= ROUND:
        return None
    given = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    try:
        for tried in range(0, whole.max_examples, ROUND):
            left = min(ROUND, whole.max_examples - tried)
            test._hypothesis_internal_use_settings = settings(whole, max_examples=left)
            test(**given)
            gc.collect()
    finally:
        test._hypothesis_internal_use_settings = whole
    return True


def pytest_configure() -> None:
    # To be told to end is like Ctrl-C: the servers are stopped first.
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        for fixture in FIXTURES.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(FIXTURES[fixture])
        if not LONG and item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="a long proof: ./do prove"))
    if LONG:
        # A test without a longer form has nothing to add to what ./do test says.
        config.hook.pytest_deselected(items=[item for item in items if not _has_long_form(item)])
        items[:] = [item for item in items if _has_long_form(item)]
    _put_long_files_first(items)


def _has_long_form(item: pytest.Item) -> bool:
    """Whether a test tries more in a long proof: it is marked, tries examples, or its file asks for LONG."""
    examples = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    asks = getattr(getattr(item, "module", None), "LONG", None) is LONG
    return examples or asks or item.get_closest_marker("long") is not None


def _put_long_files_first(items: list[pytest.Item]) -> None:
    """By the time that the tests of a file may take, which those that take long say themselves; then by how
    many tests it has. No worker shall begin a long file when the others have nothing left to do."""
    allowed: Counter[Path] = Counter()
    number: Counter[Path] = Counter()
    for item in items:
        limit = item.get_closest_marker("timeout")
        skipped = item.get_closest_marker("skip") is not None
        allowed[item.path] += int(limit.args[0]) if limit is not None and not skipped else 0
        number[item.path] += not skipped
    items.sort(key=lambda item: (-allowed[item.path], -number[item.path]))


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
