"""A read verb of a pack or of a table in a pipeline: its query, read by the extractor of its database.

What a person may ask in a conversation can stand in a pipeline too, with a writer behind it.
"""

import datetime as dt
import decimal
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

import msgspec
import pyarrow as pa
import sqlglot
from msgspec.structs import replace
from sqlglot import exp

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.reads import read_for
from dragoman.contracts import program as pr
from dragoman.contracts.decoding import decoded
from dragoman.contracts.errors import InternalError, StepRefused
from dragoman.contracts.flow import CursorValue, FlowColumn, KeyRange
from dragoman.contracts.pack import PackColumn, PackVerb
from dragoman.contracts.query import Query, Value
from dragoman.contracts.schema import Dialect
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Config, Extraction, Extractor, StepContext
from dragoman.engine.flow import Flow
from dragoman.engine.order import CalledStep
from dragoman.engine.registry import query_extractor
from dragoman.engine.run_database import quoted

CONNECTION = "connection"


class VerbExtractor:
    """Reads what a verb of the workspace gives."""

    def __init__(self, catalog: Catalog, verb: str) -> None:
        self._catalog = catalog
        self._verb = verb

    @cached_property
    def signature(self) -> VerbSignature:
        found = self._catalog.signature(self._verb)
        if found is None:
            raise StepRefused(
                f"{self._verb} is no verb of this workspace",
                hint="dragoman discover finds those of tables",
            )
        return found

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        reader, asked, names = self._reading(config)
        inner = reader.plan(asked, after, bound, context)
        columns = (
            tuple(replace(column, name=name) for column, name in zip(inner.columns, names, strict=True))
            if names
            else inner.columns
        )
        return replace(inner, columns=columns, facts=msgspec.json.encode(inner).decode())

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        reader, asked, _ = self._reading(config)
        inner = decoded(extraction.facts, Extraction)
        with reader.open(asked, inner, part, context) as flow:
            yield flow if inner.columns == extraction.columns else _renamed(flow, extraction.columns)

    def _reading(self, config: Config) -> tuple[Extractor, Config, tuple[str, ...]]:
        """The extractor of the verb's database, what it is asked for, and the names of its columns."""
        read = read_for(self._catalog, pr.Statement(self._verb, as_arguments(config)))
        family, dialect = read.schema.family, read.schema.dialect
        sql = with_values(read.query, dialect)
        if read.owned is not None:
            sql = unscaled(sql, read.owned.verb, dialect)
        return query_extractor(family), {CONNECTION: read.spec.name, "query": sql}, read.names


def _renamed(flow: Flow, columns: tuple[FlowColumn, ...]) -> Flow:
    if flow.relation is not None:
        places = ", ".join(f"c{number}" for number in range(len(columns)))
        named = ", ".join(f"c{number} AS {quoted(column.name)}" for number, column in enumerate(columns))
        return Flow(columns, relation=f"SELECT {named} FROM ({flow.relation}) AS flow({places})")
    schema, reader = arrow_schema(columns), flow.reader
    batches = (pa.RecordBatch.from_arrays(batch.columns, schema=schema) for batch in reader or ())
    return Flow(columns, reader=pa.RecordBatchReader.from_batches(schema, batches))


def as_arguments(settings: Config) -> tuple[pr.Argument, ...]:
    return tuple(pr.Argument(name, as_value(value)) for name, value in settings.items())


def as_value(value: object) -> pr.Value:
    """A plain value as a program writes it."""
    match value:
        case None:
            return pr.Nil()
        case bool():
            return pr.Boolean(value)
        case int():
            return pr.Integer(value)
        case decimal.Decimal():
            return pr.Number(f"{value:f}")
        case dt.date():
            return pr.Date(value)
        case str():
            return pr.Text(value)
        case CalledStep(component=verb, settings=settings):
            return pr.Call(pr.Statement(verb, as_arguments(settings)))
        case list():
            return pr.Sequence(tuple(as_value(item) for item in value))
        case dict():
            return pr.Map(tuple(pr.Entry(str(key), as_value(item)) for key, item in value.items()))
        case _:
            raise InternalError(f"{type(value).__name__} is no value of a program")


def unscaled(sql: str, verb: PackVerb, dialect: Dialect) -> str:
    """The query of a pack's verb with its amounts as a person reads them: a pack computes whole cents.

    SQLite has no decimals: there an amount is a float.
    """
    if not any(column.scale for column in verb.columns):
        return sql
    shown = [_unscaled(column, dialect).as_(column.name, quoted=True) for column in verb.columns]
    tree = sqlglot.parse_one(sql, read=dialect.value)
    if not isinstance(tree, exp.Query):
        raise InternalError("a verb that reads is no query")
    # The order of the rows is the inner query's: the outer one only bends cells.
    outer = exp.select(*shown).from_(tree.subquery("amounts"))
    return outer.sql(dialect=dialect.value, identify=True, comments=False)


def _unscaled(column: PackColumn, dialect: Dialect) -> exp.Expr:
    named = exp.column(column.name, quoted=True)
    if not column.scale:
        return named
    power = 10**column.scale
    if dialect.is_untyped:
        return exp.Div(this=named, expression=exp.Literal.number(f"{power}.0"))
    exact = exp.Div(this=exp.cast(named, "DECIMAL(38, 6)"), expression=exp.Literal.number(power))
    return exp.cast(exact, f"DECIMAL(38, {column.scale})")


def with_values(query: Query, dialect: Dialect, *, as_given: bool = False) -> str:
    """The query with its values in it, written from its tree: extractors take no parameters.

    `as_given` leaves names as they were written."""
    tree = sqlglot.parse_one(query.sql, read=dialect.value)
    places = list(tree.find_all(exp.Placeholder, bfs=False))
    if len(places) != len(query.parameters):
        raise InternalError("a parameter was lost while a query was read")
    for place, value in zip(places, query.parameters, strict=True):
        place.replace(_literal(value, dialect))
    return tree.sql(dialect=dialect.value, identify=not as_given, comments=False)


def _literal(value: Value, dialect: Dialect) -> exp.Expr:
    match value:
        case None:
            return exp.null()
        case bool():
            return exp.Boolean(this=value)
        case int() | float():
            return exp.Literal.number(repr(value))
        case decimal.Decimal():
            return exp.Literal.number(f"{value:f}")
        case str() | uuid.UUID():
            return exp.Literal.string(str(value))
        case dt.datetime():
            kind = "TIMESTAMP" if value.tzinfo is None else "TIMESTAMPTZ"
            return _moment(value.isoformat(" "), kind, dialect)
        case dt.date():
            return _moment(value.isoformat(), "DATE", dialect)
        case dt.time():
            return _moment(value.isoformat(), "TIME", dialect)
        case bytes() | dt.timedelta():
            raise StepRefused(
                f"a pipeline cannot ask with {type(value).__name__}", hint="ask in a query of its own"
            )


def _moment(text: str, kind: str, dialect: Dialect) -> exp.Expr:
    # SQLite has no dates: they are texts, and compared as texts.
    written = exp.Literal.string(text)
    return written if dialect.is_untyped else exp.cast(written, kind)
