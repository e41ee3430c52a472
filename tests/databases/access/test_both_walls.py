"""Every attack of the guard's corpus on real databases: against the readers alone, and against both walls.

What each wall stops is counted in data/walls.yaml; the table in docs/sql-guard.md is made of that.
"""

from collections import Counter
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import pytest

from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.schema import Dialect
from dragoman.databases.access import Cancellation
from dragoman.databases.families.duckdb.target import DuckdbTarget
from dragoman.databases.families.sqlite.target import SqliteTarget
from dragoman.guards.sql import judge_sql
from tests.databases.access.conftest import DIALECTS, source_of
from tests.databases.access.folders import open_the_way_to
from tests.databases.access.sources import Source
from tests.databases.access.walls import (
    TELLING,
    Ground,
    Outcome,
    Trials,
    file_ground,
    fill_folder,
    mariadb_ground,
    postgres_ground,
)
from tests.guards.sql.corpus import attacks, legitimate
from tools.checkout import ROOT

COUNTS = Path(__file__).parent / "data" / "walls.yaml"
TITLES = {
    "write": "data changed",
    "file": "files read or written",
    "shell": "programs and libraries of others run",
    "network": "other machines reached",
    "leak": "what was not to be told",
    "shadow": "tables behind the name of a `WITH`",
    "settings": "settings and variables",
    "lock": "locks",
    "sleep": "waiting",
    "cpu": "time of the processor",
    "memory": "memory",
    "denial": "others kept from working",
    "template": "templates",
}


class Counts(msgspec.Struct, frozen=True):
    """How many attacks there are of a kind, how many wall one refuses, what wall two alone makes of them, and
    how many do harm past both."""

    attacks: int = 0
    refused: int = 0
    stopped: int = 0
    harmless: int = 0
    passes: int = 0
    both: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            *(
                mine + its
                for mine, its in zip(
                    msgspec.structs.astuple(self), msgspec.structs.astuple(other), strict=True
                )
            )
        )


def counted() -> dict[Dialect, dict[str, Counts]]:
    return msgspec.yaml.decode(COUNTS.read_bytes(), type=dict[Dialect, dict[str, Counts]])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder one works in, where the servers' own users may write too, should they be made to."""
    open_the_way_to(tmp_path)
    folder = tmp_path / "outside"
    folder.mkdir()
    folder.chmod(0o777)
    fill_folder(folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def inside(tmp_path: Path) -> Path:
    """The folder of the databases that are files."""
    inside = tmp_path / "inside"
    inside.mkdir()
    return inside


def ground_of(
    dialect: Dialect, request: pytest.FixtureRequest, inside: Path, folder: Path
) -> AbstractContextManager[Ground]:
    source = source_of(dialect, request, inside)
    match source.target:
        case SqliteTarget(path) | DuckdbTarget(path):
            return file_ground(source, path, folder)
        case _ if dialect is Dialect.POSTGRES:
            return postgres_ground(source, request.getfixturevalue("postgres_database"), folder)
        case _:
            server = request.getfixturevalue("mariadb_server")
            return mariadb_ground(source, server, request.getfixturevalue("mariadb_database"), folder)


def measured(
    dialect: Dialect, request: pytest.FixtureRequest, inside: Path, folder: Path
) -> dict[str, Counts]:
    """Try every attack on wall two alone, and what wall one makes of it on both."""
    found = dict[str, Counts]()
    with ground_of(dialect, request, inside, folder) as ground, ground.source.reader() as reader:
        trials = Trials(ground, reader)
        for attack in attacks(dialect):
            sql = ground.here(attack.sql)
            alone = trials.attempt(sql, attack.harm)
            verdict = judge_sql(sql, dialect, allowed_tables=attack.tables, row_limit=100)
            both = Outcome.STOPPED
            if verdict.sql is not None:
                both = trials.attempt(verdict.sql, attack.harm)
            # Shown should the counts be others than they were.
            print(f"{alone:9}{both:9}{attack.harm:9}{attack.sql[:90]}")
            found[attack.harm] = found.get(attack.harm, Counts()) + Counts(
                attacks=1,
                refused=verdict.sql is None,
                stopped=alone is Outcome.STOPPED,
                harmless=alone is Outcome.HARMLESS,
                passes=alone is Outcome.PASSES,
                both=both is Outcome.PASSES,
            )
    print(msgspec.yaml.encode({dialect: found}).decode())
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_attack_does_harm_past_both_walls(
    dialect: Dialect, request: pytest.FixtureRequest, inside: Path, folder: Path
) -> None:
    found = measured(dialect, request, inside, folder)
    known = counted()[dialect]
    assert {harm: counts.both for harm, counts in found.items()} == dict.fromkeys(known, 0)
    for harm, counts in found.items():
        assert (counts.attacks, counts.refused) == (known[harm].attacks, known[harm].refused)
        # On a busy machine more attacks run out of time.
        assert counts.passes <= known[harm].passes, harm


@pytest.mark.long
@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_wall_stops_what_the_counts_say(
    dialect: Dialect, request: pytest.FixtureRequest, inside: Path, folder: Path
) -> None:
    assert measured(dialect, request, inside, folder) == counted()[dialect]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_honest_queries_pass_both_walls(
    dialect: Dialect, request: pytest.FixtureRequest, inside: Path, folder: Path
) -> None:
    ran = 0
    with ground_of(dialect, request, inside, folder) as ground, ground.source.reader() as reader:
        before = ground.state()
        for query in legitimate(dialect):
            if query.run:
                verdict = judge_sql(query.sql, dialect, allowed_tables=query.tables, row_limit=1_000)
                assert verdict.sql is not None, verdict.reason
                reader.read(Query(verdict.sql), user_sql=True)
                ran += 1
        assert ground.state() == before
    assert ran >= 30


class Unwalled:
    """No wall at all: what is written outside runs with all rights."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.dialect = source.dialect

    def read(
        self,
        query: Query,
        limits: ReadLimits | None = None,
        cancel: Cancellation | None = None,
        *,
        user_sql: bool = False,
    ) -> ResultSet:
        if not user_sql:
            return self._source.read(query.sql)
        self._source.run(query.sql)
        return ResultSet((), [])

    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


HARM = {
    Dialect.SQLITE: (
        "UPDATE orders SET total = 0",
        "CREATE TABLE copied AS SELECT * FROM orders",
        "PRAGMA journal_mode = WAL",
        "VACUUM INTO '/tmp/copy.db'",
    ),
    Dialect.DUCKDB: (
        "UPDATE orders SET total = 0",
        "CREATE OR REPLACE MACRO upper(x) AS x",
        "COPY orders TO '/tmp/out.csv'",
    ),
    Dialect.POSTGRES: (
        "UPDATE orders SET total = 0",
        "ALTER TABLE orders ADD x int",
        "GRANT ALL ON orders TO public",
        "SELECT nextval('numbers')",
        "SELECT lo_from_bytea(0, 'x')",
        "SELECT pg_reload_conf()",
        "NOTIFY c",
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'watcher'",
        "COPY orders TO '/tmp/out.csv'",
        "COPY (SELECT 1) TO PROGRAM 'cat > /tmp/owned'",
        "SELECT pg_sleep(3)",
    ),
    Dialect.MYSQL: (
        "UPDATE orders SET total = 0",
        "CREATE TABLE copied AS SELECT * FROM orders",
        "SELECT NEXTVAL(numbers)",
        "SELECT 'x' INTO DUMPFILE '/tmp/out.bin'",
        "SET GLOBAL max_statement_time = 77",
        "SELECT SLEEP(3)",
    ),
}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_without_walls_the_harm_is_seen(
    dialect: Dialect, request: pytest.FixtureRequest, inside: Path, folder: Path
) -> None:
    with ground_of(dialect, request, inside, folder) as ground:
        trials = Trials(ground, Unwalled(ground.source), settling=0.5, tries=3)
        for sql in HARM[dialect]:
            assert trials.attempt(ground.here(sql), "any") is Outcome.PASSES, sql
        if dialect is Dialect.MYSQL:
            ground.source.run("SET GLOBAL max_statement_time = 0")
            trials.attempt("SELECT 1", "any")
        assert trials.attempt("SELECT 1", "any") is Outcome.HARMLESS
        with ground.source.reader() as reader:
            trials = Trials(ground, reader)
            assert {trials.attempt("SELECT 'x'", harm) for harm in TELLING} == {Outcome.PASSES}
            assert trials.attempt("SELECT NULL", "leak") is Outcome.HARMLESS


def test_the_counts_are_of_the_whole_corpus() -> None:
    for dialect, kinds in counted().items():
        assert {harm: counts.attacks for harm, counts in kinds.items()} == Counter(
            attack.harm for attack in attacks(dialect)
        )
    assert counted().keys() == set(Dialect)


def test_the_table_in_the_docs_is_made_of_the_counts() -> None:
    text = (ROOT / "docs" / "sql-guard.md").read_text(encoding="utf-8")
    assert table() in text, table()


def table() -> str:
    """What each wall stops, by the harm that was meant, in Markdown."""
    kinds = {
        title: sum((each.get(harm, Counts()) for each in counted().values()), Counts())
        for harm, title in TITLES.items()
    }
    lines = [
        "| meant harm | attacks | wall one refuses | wall two alone: stopped | ran without harm | passes "
        "| harm past both |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for title, counts in {**kinds, "**all**": sum(kinds.values(), Counts())}.items():
        lines.append(f"| {title} | {' | '.join(map(str, msgspec.structs.astuple(counts)))} |")
    return "\n".join(lines)
