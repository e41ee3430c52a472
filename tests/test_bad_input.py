"""Everything that can be wrong with an input, a store or a disk: a clear error with a code, nothing lost."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman import Workspace
from dragoman.contracts.errors import (
    DragomanError,
    EventCorrupt,
    EventUnknown,
    EventUnknownField,
    InputControlCharacters,
    InputEmpty,
    InputNotText,
    InputRefused,
    InputTooLong,
    SchemaNewer,
    SessionNotFound,
    StoreDamaged,
    StoreFull,
    StoreNotOurs,
    StoreUnavailable,
    WorkspaceError,
)
from dragoman.guards.message import MAX_CHARACTERS, accept_message
from dragoman.session import codec

QUESTION = "stock of Alfa Trade on 31 March 2020"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace.open(tmp_path) as opened:
        yield opened


def store_file(folder: Path) -> Path:
    return folder / ".dragoman" / "sessions.sqlite"


@pytest.mark.parametrize(
    ("message", "error"),
    [
        (b"\xff\xfe stock", InputNotText),
        (b"stock \xc3", InputNotText),
        ("stock \udcff", InputNotText),
        ("stock \ud800 of", InputNotText),
        ("stock\x00of", InputControlCharacters),
        ("\x1b[31mstock", InputControlCharacters),
        ("stock\x7f", InputControlCharacters),
        ("stock\x85", InputControlCharacters),
        ("x" * 1_048_576, InputTooLong),
        (b"x" * 1_048_576, InputTooLong),
        ("", InputEmpty),
        (" \t\r\n ", InputEmpty),
    ],
)
def test_a_message_nobody_could_mean_changes_nothing(
    workspace: Workspace, message: str | bytes, error: type[InputRefused]
) -> None:
    session = workspace.new_session()
    workspace.ask(session, QUESTION)
    before = workspace.state(session)
    with pytest.raises(error) as refused:
        workspace.ask(session, message)
    assert refused.value.code.startswith("input_")
    assert refused.value.hint
    assert workspace.state(session) == before


def test_the_longest_message_is_taken(workspace: Workspace) -> None:
    session = workspace.new_session()
    assert workspace.ask(session, "ы" * MAX_CHARACTERS).turn == 1
    assert workspace.ask(session, "line one\n\tline two\r\n").turn == 2


@given(st.text(max_size=300) | st.binary(max_size=300))
def test_any_text_is_taken_or_refused_by_code(message: str | bytes) -> None:
    try:
        text = accept_message(message)
    except InputRefused:
        return
    assert text
    assert text == text.strip()


def test_any_text_is_answered(workspace: Workspace) -> None:
    """Whatever a person types, a turn is taken: understood, or refused as T10 that says why."""
    session = workspace.new_session()

    @settings(max_examples=100)
    @given(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=80))
    def check(message: str) -> None:
        if not message.strip():
            return
        result = workspace.ask(session, message)
        assert result.message
        assert result.transition is not None
        if result.transition == "X_CANCEL":
            pytest.fail("random text cancelled the session")

    check()
    workspace.replay(session)


def test_an_unknown_session(workspace: Workspace) -> None:
    for name in ("nowhere", "", "../../etc/passwd", "a" * 10_000, "сессия", "x\x00y"):
        with pytest.raises(SessionNotFound):
            workspace.ask(name, QUESTION)


@contextmanager
def damaged(folder: Path, statement: str, values: dict[str, object] | None = None) -> Iterator[None]:
    """Change a stored session behind Dragoman's back."""
    with sqlite3.connect(store_file(folder)) as connection:
        connection.execute(statement, values or {})
    connection.close()
    yield


def make_session(folder: Path, turns: int = 3) -> str:
    with Workspace.open(folder) as workspace:
        session = workspace.new_session()
        for _ in range(turns):
            workspace.ask(session, QUESTION)
    return session


RECORD_2 = "WHERE record_no % 4294967296 = 2"


def test_a_corrupt_event_is_named(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    statement = f"UPDATE records SET events = CAST(replace(events, 'Alfa', 'Olfa') AS BLOB) {RECORD_2}"
    with damaged(tmp_path, statement), Workspace.open(tmp_path) as workspace:
        with pytest.raises(EventCorrupt) as error:
            workspace.state(session)
        assert error.value.details["version"] == 2
        with pytest.raises(EventCorrupt):
            workspace.ask(session, QUESTION)
        assert workspace.session(session).version == 3
        assert workspace.ask(workspace.new_session(), QUESTION).turn == 1


def test_a_record_turned_into_text(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    statement = f"UPDATE records SET events = CAST(events AS TEXT) {RECORD_2}"
    with damaged(tmp_path, statement), Workspace.open(tmp_path) as workspace, pytest.raises(EventCorrupt):
        workspace.state(session)


def test_a_missing_record_is_named(tmp_path: Path) -> None:
    session = make_session(tmp_path)
    with damaged(tmp_path, f"DELETE FROM records {RECORD_2}"), Workspace.open(tmp_path) as workspace:
        with pytest.raises(EventCorrupt) as error:
            workspace.replay(session)
        assert error.value.details["version"] == 2


@pytest.mark.parametrize(
    ("events", "error"),
    [
        (b'[{"kind":"session_cancelled","v":1,"why":"x"}]', EventUnknownField),
        (b'[{"kind":"session_exploded","v":1}]', EventUnknown),
        (b'[{"kind":"session_cancelled","v":7}]', SchemaNewer),
        (b"[{", EventCorrupt),
        (b"\xff", EventCorrupt),
        (b'{"kind":"session_cancelled","v":1}', EventCorrupt),
    ],
)
def test_a_record_written_by_somebody_else(tmp_path: Path, events: bytes, error: type[DragomanError]) -> None:
    """With a digest that fits: only what the events say is wrong."""
    session = make_session(tmp_path, turns=1)
    with sqlite3.connect(store_file(tmp_path)) as connection:
        (previous,) = connection.execute(
            "SELECT digest FROM records WHERE record_no % 4294967296 = 0"
        ).fetchone()
        connection.execute(
            "UPDATE records SET events = ?, digest = ? WHERE record_no % 4294967296 = 1",
            (events, codec.chain(previous, events)),
        )
    connection.close()
    with Workspace.open(tmp_path) as workspace, pytest.raises(error):
        workspace.state(session)


def test_a_store_of_a_newer_schema_is_refused_untouched(tmp_path: Path) -> None:
    make_session(tmp_path)
    with damaged(tmp_path, "PRAGMA user_version = 99"):
        before = store_file(tmp_path).read_bytes()
        with pytest.raises(SchemaNewer):
            Workspace.open(tmp_path)
        assert store_file(tmp_path).read_bytes() == before


def test_a_newer_postgres_store_is_refused(postgres_database: str) -> None:
    import psycopg

    from dragoman.session.stores.postgres import open_postgres_store

    open_postgres_store(postgres_database).close()
    with psycopg.connect(postgres_database) as connection:
        connection.execute("UPDATE dragoman.schema_version SET version = 99")
    with pytest.raises(SchemaNewer):
        open_postgres_store(postgres_database)


def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    file = store_file(tmp_path)
    file.parent.mkdir()
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE theirs (a)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(StoreNotOurs):
        Workspace.open(tmp_path)
    assert file.read_bytes() == before


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    file = store_file(tmp_path)
    file.parent.mkdir()
    file.write_bytes(b"these are my notes, not a database\n" * 100)
    with pytest.raises(StoreNotOurs):
        Workspace.open(tmp_path)
    assert file.read_bytes().startswith(b"these are my notes")


def test_a_damaged_file(tmp_path: Path) -> None:
    session = make_session(tmp_path, turns=40)
    file = store_file(tmp_path)
    data = bytearray(file.read_bytes())
    data[4096 * 3 :] = os.urandom(len(data) - 4096 * 3)
    file.write_bytes(data)
    with Workspace.open(tmp_path) as workspace, pytest.raises((StoreDamaged, EventCorrupt)):
        workspace.replay(session)


def test_a_workspace_that_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(WorkspaceError):
        Workspace.open(file)


def test_a_store_url_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError) as error:
        Workspace.open(tmp_path, store="mysql://user:hunter2@host/db")
    assert "hunter2" not in str(error.value) + error.value.hint


def test_a_postgres_store_that_is_not_there_keeps_its_password(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable) as error:
        Workspace.open(tmp_path, store="postgresql://user:hunter2@127.0.0.1:1/db?connect_timeout=2")
    assert "hunter2" not in str(error.value) + error.value.hint


def cli(*arguments: str | bytes, stdin: bytes = b"", cwd: Path) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "dragoman.cli", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, timeout=60)


@pytest.mark.parametrize(
    ("arguments", "stdin", "code"),
    [
        ([b"ask", b"stock \xff\xfe"], b"", "input_not_utf8"),
        ([b"ask"], b"stock \xff\xfe", "input_not_utf8"),
        ([b"ask"], b"\x00\x01", "input_control_characters"),
        ([b"ask"], b"x" * 1_048_576, "input_too_long"),
        ([b"ask", b""], b"", "input_empty"),
        ([b"ask", b"-s", b"nowhere", b"hello"], b"", "session_not_found"),
        ([b"ask", b"-c", b"hello"], b"", "session_not_found"),
        ([b"sessions", b"show", b"nowhere"], b"", "session_not_found"),
        ([b"replay", b"nowhere"], b"", "session_not_found"),
        ([b"why", b"nowhere", b"1"], b"", "session_not_found"),
    ],
)
def test_the_command_says_the_code(tmp_path: Path, arguments: list[bytes], stdin: bytes, code: str) -> None:
    plain = cli(*arguments, stdin=stdin, cwd=tmp_path)
    assert plain.returncode == 1
    assert f"[{code}]".encode() in plain.stderr
    assert plain.stdout == b""
    as_json = cli(*arguments, b"--json", stdin=stdin, cwd=tmp_path)
    assert as_json.returncode == 1
    error = json.loads(as_json.stdout)["error"]
    assert error["code"] == code
    assert error["message"]
    assert error["hint"]


def test_a_read_only_disk_is_read_and_not_written(tiny_disk: Path) -> None:
    session = make_session(tiny_disk)
    _remount(tiny_disk, "ro")
    before = store_file(tiny_disk).read_bytes()

    shown = cli("sessions", "show", session, cwd=tiny_disk)
    assert shown.returncode == 0, shown.stderr
    assert b"Stock of Alfa Trade" in shown.stdout
    assert cli("replay", session, cwd=tiny_disk).returncode == 0
    for command in (("ask", "-s", session, QUESTION), ("ask", QUESTION)):
        asked = cli(*command, "--json", cwd=tiny_disk)
        assert asked.returncode == 4
        assert json.loads(asked.stdout)["error"]["code"] == "store_read_only"
    assert store_file(tiny_disk).read_bytes() == before

    _remount(tiny_disk, "rw")
    with Workspace.open(tiny_disk) as workspace:
        assert workspace.ask(session, QUESTION).turn == 4


def _remount(folder: Path, mode: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{mode}", str(folder)], check=True)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of one megabyte."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_loses_nothing_acknowledged(tiny_disk: Path) -> None:
    with Workspace.open(tiny_disk) as workspace:
        session = workspace.new_session()
        taken: list[int] = []
        with pytest.raises(StoreFull) as full:
            taken.extend(workspace.ask(session, QUESTION).turn for _ in range(10_000))
        assert full.value.code == "store_full"
        assert full.value.hint
        ballast = next((tiny_disk / ".dragoman" / "logs").iterdir())
        ballast.unlink()
        turns = [events for events, _ in workspace.turns(session)]
        assert sum(type(events[-1]).__name__ == "TurnClosed" for events in turns) == len(taken)
        result = workspace.ask(session, QUESTION)
        assert result.answer_mode == "confirmed"
        workspace.replay(session)


def test_a_limit_on_file_size_loses_nothing_acknowledged(tmp_path: Path) -> None:
    """Another way for a write to fail: the disk has room, the process may not have it."""
    code = (
        "import resource, sys\n"
        "from dragoman import Workspace\n"
        "from dragoman.contracts.errors import StoreError\n"
        "with Workspace.open(sys.argv[1]) as w:\n"
        "    s = w.new_session()\n"
        "    w.ask(s, sys.argv[2])\n"
        "    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
        "    taken = 1\n"
        "    try:\n"
        "        while True:\n"
        "            w.ask(s, sys.argv[2])\n"
        "            taken += 1\n"
        "    except StoreError as error:\n"
        "        print(s, taken, error.code)\n"
        "        sys.stdout.flush()\n"
        "        import os; os._exit(0)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path), QUESTION], capture_output=True, text=True, timeout=120
    )
    session, taken, error_code = ran.stdout.split()
    assert error_code in ("store_unavailable", "store_full")
    with Workspace.open(tmp_path) as workspace:
        closed = [result for _, result in workspace.turns(session) if result.transition is not None]
        assert len(closed) == int(taken)
        assert workspace.ask(session, QUESTION).answer_mode == "confirmed"
        workspace.replay(session)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 200_000


def test_a_postgres_server_that_goes_away_and_comes_back(tmp_path: Path) -> None:
    from tests.servers import running_postgres

    with (
        running_postgres() as server,
        server.database() as url,
        Workspace.open(tmp_path, store=url) as workspace,
    ):
        session = workspace.new_session()
        workspace.ask(session, QUESTION)
        _terminate_backends(url)
        result = workspace.ask(session, QUESTION)
        assert result.turn == 2
        assert workspace.replay(session).records == 3


def _terminate_backends(url: str) -> None:
    """Cut every connection, as a restart of the server does."""
    import psycopg

    with psycopg.connect(url) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_deletion_leaves_no_bytes_behind(tmp_path: Path) -> None:
    """Neither in the file, nor in its log, nor in the session's own log."""
    secret = "wintergreen"
    with Workspace.open(tmp_path) as workspace:
        kept = workspace.new_session(title="kept")
        gone = workspace.new_session(title=f"about {secret}")
        for number in range(40):
            workspace.ask(gone, f"{secret} {number} {'x' * 3000}")
            workspace.ask(kept, QUESTION)
        workspace.delete_session(gone)
        found = [f.name for f in tmp_path.rglob("*") if f.is_file() and secret.encode() in f.read_bytes()]
        assert found == []
        assert workspace.replay(kept).records == 41
    found = [f.name for f in tmp_path.rglob("*") if f.is_file() and secret.encode() in f.read_bytes()]
    assert found == []
