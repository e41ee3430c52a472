"""Write verbs of a pack on real databases: done once, whole or not at all, and told in the ledger."""

import datetime as dt
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.pack import Pack
from dragoman.contracts.program import Argument, Date, Integer, Statement, Text, Value
from dragoman.contracts.schema import Dialect
from dragoman.contracts.viewer import Viewer
from dragoman.databases.families.files.target import FilesTarget
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.engine.pack_writes import Written, run_write
from tests.engine.pack_databases import DIALECTS, FUNDS, Database, database

OPERATIONS = Viewer("ann", ("operations",))
ANALYST = Viewer("bo", ("analyst",))
NOW = dt.datetime(2024, 5, 6, 7, 8, 9, tzinfo=dt.UTC)
ALLIANZ = "19eba7a4-52c1-4d0e-9a63-0c5f8e2b7d11"
KESTREL = "bb39f00a-e3e2-4199-9dfe-9402efffefed"
LEDGER = "SELECT * FROM dragoman_ledger"


def said(verb: str, **arguments: str | dt.date | int) -> Statement:
    def value(given: str | dt.date | int) -> Value:
        match given:
            case str():
                return Text(given)
            case int():
                return Integer(given)
            case dt.date():
                return Date(given)

    return Statement(verb, tuple(Argument(name.replace("_", "-"), value(v)) for name, v in arguments.items()))


NAME = 'Zürich "Fund"; DROP TABLE cbu; -- 한'
CREATE = said("cbu.create", name=NAME, jurisdiction="CH", client_type="FUND")


@pytest.fixture(params=DIALECTS)
def funds(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    with database(request.param, tmp_path, request) as opened:
        yield opened


def written(
    funds: Database, statement: Statement, run_id: str = "run-1", viewer: Viewer | None = OPERATIONS
) -> Written:
    return run_write(FUNDS, statement, funds.target, funds.schema, run_id=run_id, viewer=viewer, now=NOW)


def ledger(funds: Database) -> list[tuple[object, ...]]:
    return sorted(tuple(map(str, row)) for row in funds.rows(LEDGER))


def test_insert_update_and_delete_once_each(funds: Database) -> None:
    made = written(funds, CREATE)
    assert (made.rows, made.repeated, len(made.key)) == (1, False, 36)
    find = f"SELECT name, short_name, manco_id, status FROM cbu WHERE cbu_id = '{made.key}'"
    assert funds.rows(find) == [(NAME, None, None, "draft")]
    assigned = written(funds, said("cbu.assign-manager", cbu=made.key, manco=KESTREL), "run-2")
    assert (assigned.rows, assigned.key) == (1, "")
    opened = said("cbu.activate", cbu=made.key, opened_on=dt.date(2024, 2, 29))
    assert written(funds, opened, "run-3").rows == 1
    rows = funds.rows(f"SELECT manco_id, status, opened_on FROM cbu WHERE cbu_id = '{made.key}'")
    assert [tuple(map(str, row)) for row in rows] == [(KESTREL, "active", "2024-02-29")]
    assert written(funds, said("cbu.discard", cbu=made.key), "run-4").rows == 0, "it is no draft any more"
    moment = "2024-05-06T07:08:09.000+00:00"
    assert ledger(funds) == [
        ("run-1", "cbu.create", "0", "1", moment),
        ("run-2", "cbu.assign-manager", "0", "1", moment),
        ("run-3", "cbu.activate", "0", "1", moment),
        ("run-4", "cbu.discard", "0", "0", moment),
    ]


def test_the_same_run_again_changes_nothing_and_says_so(funds: Database) -> None:
    first = written(funds, CREATE)
    again = written(funds, CREATE)
    assert again == Written(first.run_id, first.step, 1, first.published_at, True, first.key)
    assert funds.rows(f"SELECT COUNT(*) FROM cbu WHERE cbu_id = '{first.key}'") == [(1,)]
    assert not written(funds, CREATE, "run-2").repeated


def test_a_row_that_stays_as_it_was_counts_alike_everywhere(funds: Database) -> None:
    same = said("cbu.rename", cbu=ALLIANZ, name="ALLIANZ FUNDS")
    assert written(funds, same).rows == 1


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        (said("cbu.rename", cbu=ALLIANZ, name="x" * 500), "constraint_broken"),
        (
            said("cbu.create", name="x", jurisdiction="far too long a code", client_type="F"),
            "constraint_broken",
        ),
    ],
)
def test_what_the_database_refuses_leaves_nothing(funds: Database, statement: Statement, code: str) -> None:
    if funds.schema.dialect in (Dialect.SQLITE, Dialect.DUCKDB):
        return  # A text has no length there.
    before = funds.rows("SELECT * FROM cbu ORDER BY cbu_id")
    with pytest.raises(DragomanError) as failed:
        written(funds, statement)
    assert failed.value.code == code
    assert funds.rows("SELECT * FROM cbu ORDER BY cbu_id") == before
    assert ledger(funds) == []


def test_a_broken_key_leaves_nothing(funds: Database) -> None:
    first = written(funds, CREATE)
    with pytest.raises(DragomanError) as failed:
        run_write(
            FUNDS, CREATE, funds.target, funds.schema, run_id="run-2", viewer=OPERATIONS, new_key=first.key
        )
    assert failed.value.code == "constraint_broken"
    assert [row[0] for row in ledger(funds)] == ["run-1"]


def test_a_missing_table_is_told(funds: Database) -> None:
    funds.run("DROP TABLE session_context")
    with pytest.raises(DragomanError) as failed:
        written(funds, said("session.set-cbu", cbu_id=ALLIANZ))
    assert failed.value.code == "table_missing"
    assert ledger(funds) == []


def test_policies_hold_for_writes(funds: Database) -> None:
    for viewer, code in ((ANALYST, "policy_violation"), (None, "policy_violation")):
        with pytest.raises(DragomanError) as failed:
            written(funds, CREATE, viewer=viewer)
        assert failed.value.code == code
    # An analyst sees active ones only, and so changes no other.
    draft = written(funds, CREATE).key
    rename = said("cbu.rename", cbu=draft, name="x")
    assert written(funds, rename, "run-2", ANALYST).rows == 0
    assert written(funds, said("cbu.rename", cbu=ALLIANZ, name="x"), "run-3", ANALYST).rows == 1


def test_two_at_once_do_it_once(funds: Database) -> None:
    done: list[Written | DragomanError] = []

    def work() -> None:
        try:
            done.append(written(funds, CREATE))
        except DragomanError as error:
            done.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    fine = [each for each in done if isinstance(each, Written)]
    assert sum(not each.repeated for each in fine) == 1, done
    assert {each.code for each in done if isinstance(each, DragomanError)} <= {"database_busy"}
    assert (
        funds.rows("SELECT COUNT(*) FROM cbu WHERE jurisdiction_code = 'CH' AND status = 'draft'")[0][0] >= 1
    )
    assert len(ledger(funds)) == 1


@pytest.mark.mariadb
def test_a_table_without_transactions_is_refused(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with database(Dialect.MYSQL, tmp_path, request) as funds:
        funds.run("ALTER TABLE cbu ENGINE=MyISAM")
        with pytest.raises(DragomanError) as failed:
            written(funds, CREATE)
        assert failed.value.code == "write_unsupported"


@pytest.fixture
def sqlite(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Database]:
    with database(Dialect.SQLITE, tmp_path, request) as opened:
        yield opened


@pytest.mark.parametrize(
    ("statement", "run_id", "code"),
    [
        (said("cbu.list"), "r", "arguments_not_fit"),
        (said("nothing.at-all"), "r", "arguments_not_fit"),
        (CREATE, "", "arguments_not_fit"),
        (CREATE, "a\nb", "arguments_not_fit"),
        (CREATE, "x" * 201, "arguments_not_fit"),
        (said("cbu.rename", cbu=ALLIANZ), "r", "arguments_not_fit"),
        (said("cbu.rename", cbu=ALLIANZ, name=5), "r", "arguments_not_fit"),
        (said("cbu.rename", cbu=ALLIANZ, name="a\0b"), "r", "arguments_not_fit"),
        (said("cbu.rename", cbu=ALLIANZ, name="\ud800"), "r", "arguments_not_fit"),
        (said("cbu.rename", cbu=ALLIANZ, nmae="x"), "r", "arguments_not_fit"),
        (
            said("cbu.create", cbu_id="mine", name="x", jurisdiction="CH", client_type="F"),
            "r",
            "arguments_not_fit",
        ),
    ],
)
def test_what_does_not_fit_is_refused_before_anything(
    sqlite: Database, statement: Statement, run_id: str, code: str
) -> None:
    with pytest.raises(DragomanError) as failed:
        written(sqlite, statement, run_id)
    assert failed.value.code == code
    assert sqlite.rows("SELECT name FROM sqlite_master WHERE name = 'dragoman_ledger'") == []


def test_sql_of_a_pack_is_checked_before_it_runs(sqlite: Database) -> None:
    from msgspec.structs import replace

    for sql in ("DELETE FROM cbu", "DROP TABLE cbu", "UPDATE fund SET name = 'x' WHERE fund_id = 'y'"):
        verb = replace(FUNDS.verbs["cbu.discard"], sql=sql, arguments={})
        pack: Pack = replace(FUNDS, verbs={"cbu.discard": verb})
        with pytest.raises(DragomanError, match="may not run"):
            run_write(pack, said("cbu.discard"), sqlite.target, sqlite.schema, run_id="r", viewer=OPERATIONS)


def test_places_that_are_only_read(sqlite: Database, tmp_path: Path) -> None:
    for target, code in (
        (FilesTarget((tmp_path,)), "write_unsupported"),
        (SqliteTarget(tmp_path / "nothing.sqlite"), "database_not_found"),
    ):
        with pytest.raises(DragomanError) as failed:
            run_write(FUNDS, CREATE, target, sqlite.schema, run_id="r", viewer=OPERATIONS)
        assert failed.value.code == code
    assert not (tmp_path / "nothing.sqlite").exists()


WORKER = """
import os, signal, sys
from pathlib import Path
from dragoman.contracts.query import Query
from dragoman.databases.families.sqlite.write_session import SqliteSession
from tests.engine.test_pack_writes import CREATE, OPERATIONS
from tests.engine.pack_databases import FUNDS, FAMILY
from dragoman.databases.access import open_reader
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.databases.discovery import discover
from dragoman.engine.pack_writes import run_write

target, moment = SqliteTarget(Path(sys.argv[1])), sys.argv[2]
with open_reader(target) as reader:
    schema = discover(reader, "sqlite")
kind = SqliteSession
execute, commit = kind.execute, kind.commit

def dying_execute(self, query):
    if moment == "before-change" and "cbu" in query.sql:
        os.kill(os.getpid(), signal.SIGKILL)
    rows = execute(self, query)
    if moment == "after-change" and "cbu" in query.sql:
        os.kill(os.getpid(), signal.SIGKILL)
    return rows

def dying_commit(self):
    last = self.rows(Query("SELECT COUNT(*) FROM dragoman_ledger"))[0][0]
    if last and moment == "before-commit":
        os.kill(os.getpid(), signal.SIGKILL)
    commit(self)
    if last and moment == "after-commit":
        os.kill(os.getpid(), signal.SIGKILL)

kind.execute, kind.commit = dying_execute, dying_commit
run_write(FUNDS, CREATE, target, schema, run_id="run-1", viewer=OPERATIONS)
"""


@pytest.mark.parametrize(
    ("moment", "there"),
    [("before-change", 0), ("after-change", 0), ("before-commit", 0), ("after-commit", 1)],
)
def test_a_killed_process_leaves_all_or_nothing(sqlite: Database, moment: str, there: int) -> None:
    assert isinstance(sqlite.target, SqliteTarget)
    root = Path(__file__).parents[2]
    worker = subprocess.run(
        [sys.executable, "-c", WORKER, str(sqlite.target.path), moment],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "src"), str(root)])},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert worker.returncode == -signal.SIGKILL, worker.stderr
    count = "SELECT COUNT(*) FROM cbu WHERE name LIKE 'Zürich%'"
    assert sqlite.rows(count) == [(there,)]
    assert len(ledger(sqlite)) == there
    again = written(sqlite, CREATE)
    assert again.repeated is bool(there)
    assert sqlite.rows(count) == [(1,)]


@pytest.mark.postgres
def test_a_lost_connection_is_told_and_leaves_nothing(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    with database(Dialect.POSTGRES, tmp_path, request) as funds:
        funds.run(
            "CREATE FUNCTION leave() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            "PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;"
            "CREATE TRIGGER leaving BEFORE INSERT ON cbu FOR EACH ROW EXECUTE FUNCTION leave()"
        )
        with pytest.raises(DragomanError) as failed:
            written(funds, CREATE)
        assert failed.value.code == "connection_refused"
        assert ledger(funds) == []
        funds.run(
            "DROP TRIGGER leaving ON cbu;"
            "CREATE CONSTRAINT TRIGGER leaving AFTER INSERT ON cbu DEFERRABLE INITIALLY DEFERRED "
            "FOR EACH ROW EXECUTE FUNCTION leave()"
        )
        with pytest.raises(DragomanError) as unsettled:
            written(funds, CREATE)
        assert (unsettled.value.code, unsettled.value.details["run_id"]) == ("write_unsettled", "run-1")
        funds.run("DROP TRIGGER leaving ON cbu")
        assert not written(funds, CREATE).repeated


@pytest.mark.mariadb
def test_a_held_lock_is_waited_for_and_then_told(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dragoman.databases.families.mysql.target import MysqlTarget
    from tests.engine.pack_databases import mysql_connection

    monkeypatch.setattr("dragoman.databases.families.mysql.write_session.LOCK_SECONDS", 1)
    with database(Dialect.MYSQL, tmp_path, request) as funds:
        assert isinstance(funds.target, MysqlTarget)
        with closing(mysql_connection(funds.target)) as other, other.cursor() as cursor:
            cursor.execute("UPDATE cbu SET name = 'y' WHERE cbu_id = %s", (ALLIANZ,))
            with pytest.raises(DragomanError) as failed:
                written(funds, said("cbu.rename", cbu=ALLIANZ, name="x"))
            assert failed.value.code == "database_busy"
            other.rollback()
        assert ledger(funds) == []
