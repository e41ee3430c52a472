"""A CSV as a table of a DuckDB database: whole, every column of the type that all its values have."""

from pathlib import Path
from typing import Any

import duckdb

from dragoman.contracts.errors import FileUnreadable
from dragoman.contracts.record import Record
from dragoman.databases.families.files.csv_copy import Plain, checked, plain_csv
from dragoman.databases.families.files.csv_forms import Found, recognised
from dragoman.databases.families.files.csv_rows import LONGEST_ROW
from dragoman.databases.families.files.csv_text import CsvOptions, escaped

_RAW = "dragoman_raw"


class NamedFile(Record, frozen=True):
    path: str
    name: str
    packing: str


def load_csv(
    connection: duckdb.DuckDBPyConnection, table: str, file: NamedFile, options: CsvOptions, scratch: Path
) -> int:
    """Make the table; how many lines were left out. Raises FileUnreadable."""
    copy = scratch / f"{table_number(scratch)}.copy"
    plain = plain_csv(file, options, copy)
    checked(plain, header=options.header)
    _refuse_same_names(plain)
    try:
        _read(connection, plain, options)
        found = _found(connection, plain, options)
        columns = zip(found, plain.shape.names, strict=True)
        selected = ", ".join(f"{each.value} AS {_quoted(name)}" for each, name in columns)
        connection.execute(f"CREATE TABLE {_quoted(table)} AS SELECT {selected} FROM {_RAW}")
        connection.execute(f"DROP TABLE {_RAW}")
    finally:
        copy.unlink(missing_ok=True)
    _comment(connection, table, plain, found)
    return plain.skipped


def table_number(scratch: Path) -> int:
    return sum(1 for _ in scratch.iterdir())


def _read(connection: duckdb.DuckDBPyConnection, plain: Plain, options: CsvOptions) -> None:
    """Every field as text. An empty one is no value, in quotes or not."""
    columns = "{" + ", ".join(f"'c{n}': 'VARCHAR'" for n in range(1, len(plain.shape.names) + 1)) + "}"
    packing = "gzip" if plain.packing == "gzip" else "none"
    connection.execute(
        f"CREATE TABLE {_RAW} AS SELECT * FROM read_csv(?, columns = {columns}, auto_detect = false,"
        f" delim = ?, quote = '\"', escape = '\"', header = {str(options.header).lower()}, nullstr = '',"
        f" comment = '', max_line_size = {LONGEST_ROW}, buffer_size = {2 * LONGEST_ROW},"
        f" compression = '{packing}', hive_partitioning = false, new_line = ?)",
        [plain.path, plain.shape.delimiter, escaped(plain.shape.line_end)],
    )


def _found(connection: duckdb.DuckDBPyConnection, plain: Plain, options: CsvOptions) -> list[Found]:
    def ask(sql: str) -> tuple[Any, ...]:
        return connection.execute(sql).fetchone() or ()

    places = [f"c{number}" for number in range(1, len(plain.shape.names) + 1)]
    return [recognised(ask, _RAW, place, options) for place in places]


def _comment(connection: duckdb.DuckDBPyConnection, table: str, plain: Plain, found: list[Found]) -> None:
    """What was done to the values is said with the table, wherever its schema is shown."""
    for each, name in zip(found, plain.shape.names, strict=True):
        if each.note:
            where = f"{_quoted(table)}.{_quoted(name)}"
            connection.execute(f"COMMENT ON COLUMN {where} IS {_text(each.note)}")
    if plain.skipped:
        lines = ", ".join(map(str, plain.lines)) + (", …" if plain.skipped > len(plain.lines) else "")
        said = f"{plain.skipped:,} lines were left out: {lines}"
        connection.execute(f"COMMENT ON TABLE {_quoted(table)} IS {_text(said)}")


def _refuse_same_names(plain: Plain) -> None:
    seen: set[str] = set()
    for name in plain.shape.names:
        if name.casefold() in seen:
            raise FileUnreadable(
                f"{plain.name} has two columns called {name}",
                hint="name one of them otherwise",
                file=plain.name,
                column=name,
            )
        seen.add(name.casefold())


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
