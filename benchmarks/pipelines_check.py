"""Every cell that arrived against the truth, by exact comparison."""

import os
import subprocess
from typing import Final, NamedTuple

import duckdb
import psycopg

from benchmarks.pipelines_data import COLUMNS, Column, Kind, literal
from benchmarks.pipelines_job import TARGET, Contender, Job

# Quoted is a text, unquoted and empty is nothing: the one reading by which a CSV can say both.
CSV: Final = (
    "all_varchar=true, header=true, delim=',', quote='\"', escape='\"', nullstr='', allow_quoted_nulls=false"
)
# What MariaDB's client writes in batches.
CLIENT: Final = "all_varchar=true, header=true, delim='\t', quote='', escape='', nullstr='NULL'"


class Checked(NamedTuple):
    """How many cells of each kind are wrong, in percent, and the columns that changed their type."""

    wrong: dict[Kind, float]
    changed: dict[str, str]

    @property
    def exact(self) -> bool:
        return not any(self.wrong.values())


def check(job: Job) -> Checked:
    """Compare what a job wrote, after each cell is cast to the type it has in truth: a float that rounds
    back to the decimal it was made of counts as right."""
    hub = duckdb.connect()
    hub.execute(f"SET TimeZone = 'UTC'; SET temp_directory = {literal(str(job.folder / 'spill'))}")
    hub.execute("SET memory_limit = '4GB'; SET preserve_insertion_order = false")
    hub.execute(f"CREATE VIEW truth AS SELECT * FROM read_parquet({literal(str(job.truth))})")
    changed = _arrived(hub, job)
    types = {name: kind for name, kind, *_ in hub.execute("DESCRIBE arrived").fetchall()}
    absent = "t.id IS NULL OR a.id IS NULL"
    cells = ", ".join(
        f"count(*) FILTER ({absent} OR {_differs(column, types[column.name])})" for column in COLUMNS
    )
    found = hub.execute(
        f"SELECT count(*), count(a.id) - count(DISTINCT a.id), {cells} FROM truth t"
        " FULL JOIN (SELECT * REPLACE (TRY_CAST(id AS BIGINT) AS id) FROM arrived) a ON t.id = a.id"
    ).fetchone()
    assert found is not None
    rows, twice, *wrong = found
    counts = {
        kind: [count for column, count in zip(COLUMNS, wrong, strict=True) if column.kind is kind]
        for kind in Kind
    }
    # A row that is there twice has no right cell, nor has one that is not there or is nobody's.
    share = {
        kind: 100 * min(1.0, (sum(each) / len(each) + twice) / rows) if rows else 100.0
        for kind, each in counts.items()
    }
    return Checked(share, changed)


def _differs(column: Column, arrived: str) -> str:
    ours, theirs = f"t.{column.name}", f"a.{column.name}"
    differs = f"{ours} IS DISTINCT FROM TRY_CAST({theirs} AS {column.duckdb})"
    if column.kind is Kind.DECIMAL and arrived == "VARCHAR":
        # DuckDB takes 20 µs to make a long decimal of a text: only where the texts differ.
        return f"CASE WHEN {ours}::VARCHAR = {theirs} THEN false ELSE {differs} END"
    return differs


def _arrived(hub: duckdb.DuckDBPyConnection, job: Job) -> dict[str, str]:
    """Make `arrived` out of what was written; returns the columns whose type is another kind of type."""
    if job.route.target == "postgres":
        return _from_postgres(hub, job)
    places = [job.file] if job.file.exists() else sorted(job.folder.glob(f"out/*/{TARGET}/*"))
    files = f"[{', '.join(literal(str(place)) for place in places)}]"
    if job.route.target == "parquet":
        hub.execute(f"CREATE VIEW arrived AS SELECT * FROM read_parquet({files})")
        types = {name: kind for name, kind, *_ in hub.execute("DESCRIBE arrived").fetchall()}
        return _changed({column.name: (column.duckdb, types[column.name]) for column in COLUMNS})
    if job.contender is Contender.CLIENT:
        texts = ", ".join(
            f"{_unescaped(column.name)} AS {column.name}" for column in COLUMNS if column.kind is Kind.TEXT
        )
        hub.execute(f"CREATE VIEW arrived AS SELECT * REPLACE ({texts}) FROM read_csv({files}, {CLIENT})")
    else:
        hub.execute(f"CREATE VIEW arrived AS SELECT * FROM read_csv({files}, {CSV})")
    return {}


def _unescaped(name: str) -> str:
    kept = f"replace({name}, '\\\\', chr(1))"
    return f"replace(replace(replace({kept}, '\\t', chr(9)), '\\n', chr(10)), chr(1), '\\')"


def _from_postgres(hub: duckdb.DuckDBPyConnection, job: Job) -> dict[str, str]:
    """Read back what PostgreSQL has with its own client, as text."""
    with psycopg.connect(job.postgres.url()) as connection:
        found = connection.execute(
            "SELECT table_schema, column_name, data_type FROM information_schema.columns"
            " WHERE table_name = %s AND table_schema IN ('public', 'dlt_bench')",
            [TARGET],
        ).fetchall()
    types = {name: kind for _, name, kind in found}
    cells = ", ".join(
        f"{column.name} AT TIME ZONE 'UTC' AS {column.name}"
        if types[column.name] == "timestamp with time zone"
        else column.name
        for column in COLUMNS
    )
    copy = f"COPY (SELECT {cells} FROM {found[0][0]}.{TARGET}) TO STDOUT WITH (FORMAT csv, HEADER)"
    lines = job.folder / "back.csv"
    with lines.open("wb") as file:
        environment = {**os.environ, **job.postgres.secret}
        subprocess.run([*job.postgres.client, "--command", copy], stdout=file, env=environment, check=True)
    hub.execute(f"CREATE VIEW arrived AS SELECT * FROM read_csv({literal(str(lines))}, {CSV})")
    wanted = {column.name: column.postgres for column in COLUMNS}
    return _changed({name: (wanted[name], types[name]) for name in wanted})


FAMILIES: Final = {
    "bigint": "integer",
    "int": "integer",
    "smallint": "integer",
    "decimal": "decimal",
    "numeric": "decimal",
    "double": "double",
    "varchar": "text",
    "character": "text",
    "text": "text",
    "date": "date",
}


def _changed(pairs: dict[str, tuple[str, str]]) -> dict[str, str]:
    return {name: kind for name, (wanted, kind) in pairs.items() if _family(wanted) != _family(kind)}


def _family(kind: str) -> str:
    word = kind.lower().split("(")[0].split()[0]
    return FAMILIES.get(word, word.split("_")[0])
