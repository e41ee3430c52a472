"""The contenders of the pipelines benchmark: one way each to go a route, in a process of its own.

Everything is imported where it is used: what a contender needs to start is a part of what it costs.
"""

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.pipelines_job import TARGET, Contender, Job, Place, Route

BATCH: Final = 65_536
OURS: Final = {
    Route.MARIADB_PARQUET: '(mysql.extractor :connection "@shop" :table "{table}" :as @e)\n{file}',
    Route.MARIADB_CSV: '(mysql.extractor :connection "@shop" :table "{table}" :as @e)\n{file}',
    Route.POSTGRES_PARQUET: '(postgres.extractor :connection "@crm" :table "{table}" :as @e)\n{file}',
    Route.MARIADB_POSTGRES: '(mysql.extractor :connection "@shop" :table "{table}" :as @e)\n{written}',
    Route.PARQUET_POSTGRES: '(filesystem.extractor :path "truth.parquet" :as @e)\n{written}',
}
OUR_FILE: Final = '(duckdb.writer :needs [@e] :format "{kind}" :path "{path}" :as @w)'
OUR_TABLE: Final = (
    '(postgres.writer :needs [@e] :connection "@crm" :table "{target}" :write_mode "replace" :as @w)'
)
PLAIN: Final = frozenset({Contender.DRAGOMAN, Contender.CONNECTORX, Contender.DUCKDB})
TESTS: Final = Path(__file__).parent.parent / ".venv" / "dev" / "bin" / "python"
CONNECTION: Final = (
    "{alias}: {{family: {family}, host: {at.host}, port: {at.port}, user: {at.user},"
    ' password: "${{{variable}}}", database: {at.database}, options: {{sslmode: disable}}}}\n'
)


def make_workspace(job: Job) -> None:
    """A folder with connections; passwords come from the environment, as they must."""
    entries = (("shop", "mysql", job.mariadb, "MYSQL_PWD"), ("crm", "postgres", job.postgres, "PGPASSWORD"))
    (job.folder / "connections.yaml").write_text(
        "".join(
            CONNECTION.format(alias=alias, family=family, at=place, variable=variable)
            for alias, family, place, variable in entries
        )
    )
    os.link(job.truth, job.folder / "truth.parquet")


def ours(job: Job, program: str) -> Any:
    """Run a program with our engine, through the doors that everybody has."""
    from dragoman.contracts.run import RunStatus
    from dragoman.contracts.vocabulary import Notation
    from dragoman.language.source import Source
    from dragoman.workspace.pipelines import Pipelines
    from dragoman.workspace.programs import Programs

    compiled = Programs.open(job.folder).compile(Source(program), Notation.VERBS)
    if compiled.manifest is None:
        raise SystemExit(f"not compiled: {compiled.diagnostics}")
    outcome = Pipelines(job.folder).run(compiled.manifest.data)
    if outcome.record.status is not RunStatus.DONE:
        raise SystemExit(f"{outcome.record.status}: {outcome.record.fault}")
    return outcome


def dragoman(job: Job) -> None:
    file = OUR_FILE.format(kind=job.route.target, path=job.file.name)
    written = OUR_TABLE.format(target=TARGET)
    ours(job, OURS[job.route].format(table=job.table, file=file, written=written))


def first_row(job: Job) -> None:
    """Read a small table and nothing else; say what it took from the beginning of the process."""
    outcome = ours(job, OURS[job.route].format(table=job.table, file="", written=""))
    taken = sum(os.times()[:4])
    if not outcome.looks["e"].rows:
        raise SystemExit("no row was read")
    (job.folder / "first.txt").write_text(f"{taken}")


def pandas(job: Job) -> None:
    import pandas as pd
    from sqlalchemy import create_engine

    if job.route.source == "parquet":
        frame = pd.read_parquet(job.truth)
    else:
        driver = "pymysql" if job.route.source == "mariadb" else "psycopg"
        frame = pd.read_sql(job.query, create_engine(job.source.url(driver)))
    match job.route.target:
        case "parquet":
            frame.to_parquet(job.file, index=False)
        case "csv":
            frame.to_csv(job.file, index=False)
        case _:
            engine = create_engine(job.postgres.url("psycopg"))
            frame.to_sql(TARGET, engine, if_exists="replace", index=False, chunksize=10_000)


def dlt(job: Job) -> None:
    _dlt(job, "sqlalchemy")


def dlt_pyarrow(job: Job) -> None:
    _dlt(job, "pyarrow")


def _dlt(job: Job, backend: str) -> None:
    os.environ["RUNTIME__DLTHUB_TELEMETRY"] = "false"
    import dlt as dlt_
    from dlt.sources.sql_database import sql_table

    destination: Any
    if job.route.target == "postgres":
        destination = dlt_.destinations.postgres(job.postgres.url())
    else:
        destination = dlt_.destinations.filesystem(f"file://{job.folder}/out")
    source: Any
    if job.route.source == "parquet":
        source = dlt_.resource(_batches(job.truth), name=TARGET)
    else:
        driver = "pymysql" if job.route.source == "mariadb" else "psycopg"
        source = sql_table(job.source.url(driver), table=job.table, backend=backend).with_name(TARGET)
    pipeline = dlt_.pipeline(
        "bench", pipelines_dir=str(job.folder / "dlt"), destination=destination, dataset_name="dlt_bench"
    )
    options = {} if job.route.target == "postgres" else {"loader_file_format": job.route.target}
    pipeline.run(source, table_name=TARGET, write_disposition="replace", **options).raise_on_failed_jobs()


def _batches(path: Path) -> Iterator[Any]:
    import pyarrow.parquet as pq

    yield from pq.ParquetFile(path).iter_batches(BATCH)


def connectorx(job: Job) -> None:
    import connectorx as cx
    import pyarrow.csv as pc
    import pyarrow.parquet as pq

    reader = cx.read_sql(job.source.url(), job.query, return_type="arrow_stream", batch_size=BATCH)
    writing = pq.ParquetWriter if job.route.target == "parquet" else pc.CSVWriter
    with writing(str(job.file), reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)


def duckdb(job: Job) -> None:
    import duckdb as duckdb_

    hub = duckdb_.connect()
    if job.route.source == "parquet":
        rows = f"read_parquet('{job.truth}')"
    else:
        _attach(hub, "source", job.source)
        rows = f"source.{job.table}"
    if job.route.target == "postgres":
        _attach(hub, "target", job.postgres)
        hub.execute(f"INSERT INTO target.{TARGET} SELECT * FROM {rows}")
    else:
        hub.execute(f"COPY (SELECT * FROM {rows}) TO '{job.file}' (FORMAT {job.route.target})")


def _attach(hub: Any, name: str, place: Place) -> None:
    import importlib

    family = "mysql" if place.family == "mysql" else "postgres"
    package = importlib.import_module(f"duckdb_extension_{family}_scanner")
    (file,) = Path(str(package.__file__)).parent.glob("extensions/*/*.duckdb_extension")
    hub.execute(f"LOAD '{file}'")
    hub.execute(f"ATTACH '{place.attached}' AS {name} (TYPE {family})")


def client(job: Job) -> str:
    """The shell command that people use; a tab between the cells, `NULL` for what is not there."""
    reading = shlex.join([*job.mariadb.client, "--execute", job.query])
    if job.route.target == "csv":
        return f"exec {reading} > {shlex.quote(str(job.file))}"
    copy = f"COPY {TARGET} FROM STDIN WITH (NULL 'NULL')"
    writing = shlex.join([*job.postgres.client, "--command", copy])
    return f"{reading} --skip-column-names | {writing}"


WAYS: Final[dict[Contender, Callable[[Job], None]]] = {
    Contender.DRAGOMAN: dragoman,
    Contender.PANDAS: pandas,
    Contender.DLT: dlt,
    Contender.DLT_PYARROW: dlt_pyarrow,
    Contender.CONNECTORX: connectorx,
    Contender.DUCKDB: duckdb,
}
# DuckDB's scanner of MariaDB takes minutes on these rows: one route shows it.
ENTRANTS: Final[dict[Route, tuple[Contender, ...]]] = {
    Route.MARIADB_PARQUET: tuple(each for each in Contender if each is not Contender.CLIENT),
    Route.MARIADB_CSV: tuple(each for each in Contender if each is not Contender.DUCKDB),
    Route.POSTGRES_PARQUET: tuple(each for each in Contender if each is not Contender.CLIENT),
    Route.MARIADB_POSTGRES: tuple(
        each for each in Contender if each not in (Contender.CONNECTORX, Contender.DUCKDB)
    ),
    Route.PARQUET_POSTGRES: (Contender.DRAGOMAN, Contender.PANDAS, Contender.DLT, Contender.DUCKDB),
}


def command(job: Job, file: Path) -> Sequence[str]:
    """What to start for a job that stands in a file."""
    if job.contender is Contender.CLIENT:
        return ["sh", "-c", client(job)]
    return [_interpreter(job.contender), "-m", "benchmarks.pipelines_contenders", str(file)]


def _interpreter(contender: Contender) -> str:
    """With pandas comes numpy, which pyarrow imports wherever it finds it. Whoever needs neither is measured
    as it would be installed: in the environment of the tests, which has none of the peers."""
    if contender in PLAIN and TESTS.exists():
        return str(TESTS)
    return sys.executable


if __name__ == "__main__":
    told = Job.decoded(Path(sys.argv[1]).read_bytes())
    if sys.argv[2:] == ["first"]:
        first_row(told)
    else:
        WAYS[told.contender](told)
