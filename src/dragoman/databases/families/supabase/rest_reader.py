"""Reads from a project over REST."""

import http.client
import time
from collections.abc import Callable
from typing import Literal, TypeVar
from urllib.parse import quote, urlencode

from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import ConnectionRefused, DriverFailed, QueryFailed
from dragoman.contracts.query import Query, ReadLimits, ResultColumn, ResultSet, Value
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.batches import too_much, weigh
from dragoman.databases.access.refusals import said
from dragoman.databases.access.serial import SerialReader
from dragoman.databases.access.watch import Watch, timed_out
from dragoman.databases.addresses import Resolver
from dragoman.databases.families.supabase.address import RestAddress
from dragoman.databases.families.supabase.answers import SQL_HINT, Row, checked, rows_of, total_of
from dragoman.databases.families.supabase.cells import reader_of
from dragoman.databases.families.supabase.description import RestTable, read_description
from dragoman.databases.families.supabase.http_connection import Answer, HttpConnection
from dragoman.databases.families.supabase.literals import cannot, quoted
from dragoman.databases.families.supabase.translation import Constants, Request, translated

PREFIX = "/rest/v1/"
_FRESH_SECONDS = 60.0
"""How long a description is believed. A table that is not in it is looked for anew in any case."""

_UNORDERED = frozenset({ValueType.JSON, ValueType.OTHER})
_LARGEST_LIMIT = 2**62

Count = Literal["exact", "planned", "estimated"]
_Found = TypeVar("_Found")
Work = Callable[[float], _Found]
"""Something that is done on the line until a moment."""


class RestReader(SerialReader):
    """Takes SQL of PostgreSQL, as far as PostgREST can answer it exactly."""

    dialect = Dialect.POSTGRES

    def __init__(self, target: RestAddress, limits: ReadLimits, resolver: Resolver | None = None) -> None:
        super().__init__(limits)
        self._target = target
        self._connection = HttpConnection(target.base_url, target.key, resolver)
        self._described: dict[str, tuple[float, dict[str, RestTable]]] = {}
        self._cap: int | None = None
        """How many rows the project gives at once, where that was met."""

    def tables(self, limits: ReadLimits | None = None) -> tuple[RestTable, ...]:
        """Everything that the project describes, schema by schema. Raises AccessError."""
        with self._lock:
            return self._watched(limits or self._limits, None, self._all_tables)

    def estimate(self, schema: str, name: str, limits: ReadLimits | None = None) -> int | None:
        """About how many rows a table has, as the planner of its database thinks. Raises AccessError."""
        with self._lock:
            return self._watched(limits or self._limits, None, lambda end: self._estimate(schema, name, end))

    def _read(
        self, query: Query, limits: ReadLimits, cancel: Cancellation | None, user_sql: bool
    ) -> ResultSet:
        try:
            return self._watched(limits, cancel, lambda end: self._answered(query, limits, end))
        finally:
            if user_sql:
                self._discard()

    def _watched(self, limits: ReadLimits, cancel: Cancellation | None, work: Work[_Found]) -> _Found:
        """Do something on the line within its time; a line on which that failed is not used again."""
        if self._closed:
            raise DriverFailed("this reader is closed", hint="open another one")
        watch = Watch(limits.seconds, cancel, self._connection.stop)
        whole = False
        self._connection.start()
        try:
            with watch:
                found = work(time.monotonic() + limits.seconds)
            whole = watch.reason is None
        except ConnectionRefused as error:
            raise watch.error() or error from error
        except TimeoutError as error:
            raise watch.error() or timed_out(limits.seconds) from error
        except (OSError, http.client.HTTPException) as error:
            raise watch.error() or self._broken(error) from error
        finally:
            if not whole:
                self._discard()
        return found

    def _answered(self, query: Query, limits: ReadLimits, end: float) -> ResultSet:
        asked = translated(query, lambda schema, name: self._table(schema, name, end))
        if isinstance(asked, Constants):
            # Nothing was asked of a table; that the project answers is part of the answer all the same.
            self._tables_of(self._target.schemas[0], end)
            columns = tuple(ResultColumn(name, ValueType.OTHER) for name in asked.names)
            return ResultSet(columns, [asked.values][: limits.rows], limits.rows < 1)
        columns = tuple(ResultColumn(each.name, each.type, each.native) for each in asked.outputs)
        wanted = limits.rows + 1
        if asked.limit is not None:
            wanted = min(wanted, asked.limit)
        if asked.counts:
            found = self._counted(asked, end) if wanted and not asked.offset else []
        else:
            found = self._rows(asked, wanted, end, limits)
        readers = [reader_of(each.native, each.type) for each in asked.outputs]
        names = [each.name for each in asked.outputs]
        rows, weight = list[tuple[Value, ...]](), 0
        for row in found[: limits.rows]:
            cells = [row[each.key] for each in asked.outputs]
            weight += weigh(cells, names, limits)
            if weight > limits.result_bytes:
                raise too_much(limits)
            rows.append(tuple(read(cell) for read, cell in zip(readers, cells, strict=True)))
        return ResultSet(columns, rows, len(found) > limits.rows)

    def _rows(self, asked: Request, wanted: int, end: float, limits: ReadLimits) -> list[Row]:
        """The rows, up to as many as are wanted.

        A project may give fewer at once than it is asked for. Then they are read in pages, in an order in
        which no row has two places: without one, a page may repeat what another had.
        """
        if not wanted:
            return []
        if self._cap is None or wanted <= self._cap:
            found = self._page(asked, asked.order, wanted, asked.offset, end)
            if len(found) >= wanted or not found:
                return found[:wanted]
            if not self._page(asked, asked.order, 1, asked.offset + len(found), end):
                return found
            self._cap = len(found)
        order = (*asked.order, *_settled(asked))
        rows, before = list[Row](), self._connection.received
        while len(rows) < wanted:
            if self._connection.received - before > limits.result_bytes:
                raise too_much(limits)
            page = self._page(asked, order, wanted - len(rows), asked.offset + len(rows), end)
            rows += page
            if not page:
                break
        return rows

    def _page(self, asked: Request, order: tuple[str, ...], limit: int, offset: int, end: float) -> list[Row]:
        selected = dict.fromkeys(each.asked for each in asked.outputs)
        parameters = {"select": ",".join(selected), "limit": str(min(limit, _LARGEST_LIMIT))}
        if offset:
            parameters["offset"] = str(min(offset, _LARGEST_LIMIT))
        if order:
            parameters["order"] = ",".join(dict.fromkeys(order))
        if asked.where:
            parameters["and"] = asked.where
        rows = rows_of(self._asked(asked.table, parameters, end), self._connection.where)
        if not all(each.key in row for row in rows for each in asked.outputs):
            raise DriverFailed(f"{self._connection.where} left out a column that was asked for")
        return rows

    def _counted(self, asked: Request, end: float) -> list[Row]:
        parameters = {"select": quoted(asked.table.columns[0].name), "limit": "0"}
        if asked.where:
            parameters["and"] = asked.where
        total = total_of(self._asked(asked.table, parameters, end, "exact"))
        if total is None:
            raise DriverFailed(
                f"{self._connection.where} does not say how many rows there are", hint=SQL_HINT
            )
        return [{"count": total}]

    def _estimate(self, schema: str, name: str, end: float) -> int | None:
        table = self._table(schema, name, end)
        parameters = {"select": quoted(table.columns[0].name), "limit": "0"}
        return total_of(self._asked(table, parameters, end, "planned"))

    def _asked(
        self, table: RestTable, parameters: dict[str, str], end: float, count: Count | None = None
    ) -> Answer:
        path = f"{PREFIX}{quote(table.name, safe='')}?{urlencode(parameters, quote_via=quote)}"
        headers = {"Accept-Profile": _header(table.schema)}
        if count is not None:
            headers["Prefer"] = f"count={count}"
        return checked(self._connection.get(path, headers, end), self._connection.where, self._target.key)

    def _table(self, schema: str, name: str, end: float) -> RestTable:
        """Raises QueryFailed where the project describes no such table."""
        schemas = (schema,) if schema else self._target.schemas
        if schema and schema not in self._target.schemas:
            raise QueryFailed(
                f"the connection has no schema {schema!r}", hint="name it under options: {schemas: …}"
            )
        for anew in (False, True):
            for each in schemas:
                found = self._tables_of(each, end, anew=anew).get(name)
                if found is not None and found.columns:
                    return found
        raise QueryFailed(
            f"{self._connection.where} has no table {name!r} that this key can see",
            hint="check its name, its schema, and what the key may read",
            table=name,
        )

    def _all_tables(self, end: float) -> tuple[RestTable, ...]:
        return tuple(
            table
            for schema in self._target.schemas
            for table in self._tables_of(schema, end, anew=True).values()
        )

    def _tables_of(self, schema: str, end: float, *, anew: bool = False) -> dict[str, RestTable]:
        moment, tables = self._described.get(schema, (0.0, {}))
        age = time.monotonic() - moment
        # A name that is missing is no reason to ask again and again.
        if moment and age < (1.0 if anew else _FRESH_SECONDS):
            return tables
        headers = {"Accept": "application/openapi+json, application/json", "Accept-Profile": _header(schema)}
        answer = checked(self._connection.get(PREFIX, headers, end), self._connection.where, self._target.key)
        tables = read_description(answer.body, schema)
        self._described[schema] = (time.monotonic(), tables)
        return tables

    def _discard(self) -> None:
        self._connection.close()

    def _broken(self, error: OSError | http.client.HTTPException) -> ConnectionRefused:
        kind = type(error).__name__
        return ConnectionRefused(
            f"{self._connection.where} ended the connection: {said(str(error) or kind, self._target.key)}",
            hint="try again; see the project's log if it stays so",
        )


def _settled(asked: Request) -> tuple[str, ...]:
    """What is added to an order so that no row has two places in it. Raises RestCannot."""
    if asked.aggregates:
        names: tuple[str, ...] = tuple(each.source for each in asked.outputs if each.source)
    elif asked.table.primary_key:
        names = asked.table.primary_key
    else:
        names = tuple(each.name for each in asked.table.columns)
        if any(each.type in _UNORDERED for each in asked.table.columns):
            raise cannot(
                "pages", f"for more rows of {asked.table.name!r} than come at once: it has no key to order by"
            )
    return tuple(f"{quoted(name)}.asc.nullslast" for name in names)


def _header(schema: str) -> str:
    """The name of a schema in a header, where PostgREST takes it as it stands."""
    if not schema.isascii() or not schema.isprintable():
        raise cannot("schema", "for a schema with letters that a header cannot hold")
    return schema
