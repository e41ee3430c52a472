"""Attacks against the readers alone: no guard before them, real databases, logins that may do everything.

What comes out is the table in docs/access.md.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from dragoman.contracts.errors import AccessError, ParameterRefused, QueryTimeout
from dragoman.contracts.query import Query, ReadLimits
from dragoman.contracts.schema import Dialect
from dragoman.databases.access import DatabaseReader
from dragoman.databases.families.duckdb.target import DuckdbTarget
from tests.databases.access.conftest import DIALECTS, source_of
from tests.databases.access.folders import open_the_way_to
from tests.databases.access.sources import Source
from tools.checkout import ROOT


class Attack(msgspec.Struct, frozen=True):
    what: str
    sql: str
    stops: str


ATTACKS = msgspec.yaml.decode(
    (Path(__file__).parent / "data" / "attacks.yaml").read_bytes(), type=dict[Dialect, list[Attack]]
)
TITLES = {
    Dialect.POSTGRES: "PostgreSQL",
    Dialect.MYSQL: "MariaDB",
    Dialect.SQLITE: "SQLite",
    Dialect.DUCKDB: "DuckDB and files",
}
PREPARED = {
    Dialect.POSTGRES: """
        CREATE SEQUENCE s;
        SELECT lo_from_bytea(4242, 'x');
        CREATE FUNCTION writes() RETURNS int LANGUAGE sql AS 'INSERT INTO t VALUES (9) RETURNING a';
        CREATE PROCEDURE wipes() LANGUAGE sql AS 'DELETE FROM t';
    """,
    Dialect.MYSQL: """
        CREATE SEQUENCE s;
        CREATE FUNCTION writes() RETURNS int BEGIN INSERT INTO t VALUES (9); RETURN 1; END;
        CREATE PROCEDURE wipes() DELETE FROM t;
    """,
    Dialect.SQLITE: """
        CREATE TABLE big AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3000)
        SELECT n FROM r;
    """,
    Dialect.DUCKDB: "",
}
SECONDS = 1.0


@pytest.fixture
def open_folder(tmp_path: Path) -> Path:
    """A folder where the servers' own users may write too, should they be made to."""
    open_the_way_to(tmp_path)
    folder = tmp_path / "outside"
    folder.mkdir()
    folder.chmod(0o777)
    return folder


@pytest.mark.parametrize("dialect", DIALECTS)
def test_each_attack_ends_as_the_table_says(
    dialect: Dialect, request: pytest.FixtureRequest, tmp_path: Path, open_folder: Path
) -> None:
    source = source_of(dialect, request, tmp_path)
    source.run("CREATE TABLE t (a int); INSERT INTO t VALUES (1);")
    source.run(f"CREATE TABLE secret (a int); {PREPARED[dialect]}")
    ended = {}
    with source.reader(ReadLimits(seconds=SECONDS)) as reader:
        for attack in ATTACKS[dialect]:
            ended[attack.sql] = outcome(reader, written(attack.sql, source, open_folder), attack.stops)
            # Whatever it did, the next read finds the same data on a connection with all its limits.
            assert reader.read(Query("SELECT a FROM t")).rows == [(1,)], attack.sql
    assert ended == {attack.sql: attack.stops for attack in ATTACKS[dialect]}
    assert {path.name for path in open_folder.iterdir()} == set(leaks(dialect))


def leaks(dialect: Dialect) -> Iterator[str]:
    """The files that the table admits."""
    for attack in ATTACKS[dialect]:
        if attack.stops == "PASSES":
            yield from re.findall(r"\{folder\}/(\w+)", attack.sql)


def outcome(reader: DatabaseReader, sql: str, expected: str) -> str:
    try:
        reader.read(Query(sql), user_sql=True)
    except QueryTimeout:
        found = "time"
    except ParameterRefused as error:
        found = f"not even asked: {error}"
    except AccessError:
        found = "refused"
    else:
        found = "nothing" if "nothing" in expected else "PASSES"
    return expected if found in expected.split(" or ") else found


def written(sql: str, source: Source, folder: Path) -> str:
    deep = f"SELECT {'(' * 5000}1{')' * 5000}"
    path = str(source.target.path) if isinstance(source.target, DuckdbTarget) else ""
    return (
        sql.replace("{folder}", str(folder))
        .replace("{deep}", deep)
        .replace("{database}", path.replace("'", "''"))
    )


def test_the_table_in_the_docs_is_this_one() -> None:
    text = (ROOT / "docs" / "access.md").read_text(encoding="utf-8")
    assert table() in text, table()


def table() -> str:
    """What each attack is after and how it ends, in Markdown."""
    lines = ["| database | attack | for example | how it ends |", "|---|---|---|---|"]
    for dialect, title in TITLES.items():
        seen = set[tuple[str, str]]()
        for attack in ATTACKS[dialect]:
            if (attack.what, attack.stops) not in seen:
                seen.add((attack.what, attack.stops))
                example = attack.sql.replace("|", "\\|").replace("{deep}", "SELECT ((((…1…))))")
                lines.append(f"| {title} | {attack.what} | `{example}` | {attack.stops} |")
    return "\n".join(lines)
