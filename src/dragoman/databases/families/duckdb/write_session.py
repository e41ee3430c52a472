"""A session that changes a DuckDB file."""

import duckdb

from dragoman.contracts.access import LedgerForm, Rows
from dragoman.contracts.errors import (
    ConstraintBroken,
    DatabaseBusy,
    DatabaseNotFound,
    TableMissing,
    WriteFailed,
)
from dragoman.contracts.query import Query
from dragoman.contracts.schema import Dialect
from dragoman.databases.access.refusals import said
from dragoman.databases.access.write_words import AGAIN, CHECK, UNCHANGED
from dragoman.databases.families.duckdb.address import DuckdbAddress


class DuckdbSession:
    dialect = Dialect.DUCKDB
    # It says at once that a row is there already, which is not to be seen before the other has committed.
    ledger = LedgerForm(pauses=(0.0, 0.02, 0.05, 0.1, 0.2, 0.4))

    def __init__(self, target: DuckdbAddress) -> None:
        if not target.path.exists():
            raise DatabaseNotFound(f"there is no file {target.path}", hint="check the path of the connection")
        try:
            self._connection = duckdb.connect(
                str(target.path),
                config={
                    "threads": 1,
                    "enable_external_access": "false",
                    "autoinstall_known_extensions": "false",
                    "autoload_known_extensions": "false",
                    "python_enable_replacements": "false",
                },
            )
        except duckdb.Error as error:
            if isinstance(error, duckdb.IOException) and "lock" in str(error).lower():
                raise DatabaseBusy("another process has the DuckDB file open", hint=AGAIN) from error
            raise WriteFailed(f"DuckDB cannot be opened: {said(error)}", hint="check the file") from error

    def begin(self) -> None:
        self._run(Query("BEGIN TRANSACTION"))

    def execute(self, query: Query) -> int:
        found = self._run(query)
        return int(found[0][0]) if found else 0

    def rows(self, query: Query) -> Rows:
        return self._run(query)

    def commit(self) -> None:
        self._run(Query("COMMIT"))

    def keeps_transactions(self, table: str) -> bool:
        return True

    def close(self) -> None:
        self._connection.close()

    def _run(self, query: Query) -> Rows:
        try:
            done = self._connection.execute(query.sql, list(query.parameters))
            return done.fetchall() if done.description else []
        except duckdb.Error as error:
            text = said(error)
            if isinstance(error, duckdb.ConstraintException | duckdb.ConversionException):
                raise ConstraintBroken(f"DuckDB refused the change: {text}", hint=CHECK) from error
            if isinstance(error, duckdb.CatalogException):
                raise TableMissing(f"DuckDB: {text}", hint="compare the pack with the database") from error
            if isinstance(error, duckdb.TransactionException):
                raise DatabaseBusy(f"DuckDB: {text}", hint=AGAIN) from error
            raise WriteFailed(f"DuckDB refused the change: {text}", hint=UNCHANGED) from error
