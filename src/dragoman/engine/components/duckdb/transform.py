"""`duckdb.transform`: SQL over the results of other steps, which are its tables."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pyarrow as pa

from dragoman.catalog.components import component_signatures
from dragoman.contracts.errors import ColumnRefused, EngineError, StepRefused
from dragoman.contracts.flow import ColumnWarning, FlowColumn
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.carriers import arrow_schema, carried_as_text
from dragoman.engine.component import Config, StepContext, Transformation
from dragoman.engine.components.duckdb.messages import InputTable
from dragoman.engine.components.duckdb.process import columns_heard, duckdb_process, fill, rows_heard, work
from dragoman.engine.components.duckdb.types import table_type
from dragoman.engine.components.interruption import FLOW_ERRORS
from dragoman.engine.flow import Flow
from dragoman.guards.sql import judge_sql

Inputs = Mapping[str, tuple[FlowColumn, ...]]


class DuckdbTransform:
    @property
    def signature(self) -> VerbSignature:
        return component_signatures()["duckdb.transform"]

    def reshape(self, config: Config, inputs: Inputs, context: StepContext) -> Transformation:
        sql = _judged(config, inputs)
        tables = _tables(inputs)
        with duckdb_process(context) as (worker, folder):
            worker.tell(work(sql, folder, context, tables=tables, describe=True))
            return Transformation(columns_heard(worker), _warnings(inputs))

    @contextmanager
    def apply(self, config: Config, inputs: Mapping[str, Flow], context: StepContext) -> Iterator[Flow]:
        shapes = {name: flow.columns for name, flow in inputs.items()}
        sql = _judged(config, shapes)
        trouble = list[EngineError]()
        with duckdb_process(context) as (worker, folder):
            worker.tell(work(sql, folder, context, tables=_tables(shapes)))
            columns = columns_heard(worker)
            fill(worker, inputs, context)
            if _is_ordered(sql):
                # From here in the run's database must keep the order in which rows come.
                context.lane.execute("SET preserve_insertion_order = true")
            batches = rows_heard(worker, columns, context, trouble)
            try:
                yield Flow(columns, reader=pa.RecordBatchReader.from_batches(arrow_schema(columns), batches))
            except FLOW_ERRORS as error:
                # What a stream raises comes through DuckDB as a text.
                if not trouble:
                    raise
                raise trouble[0] from error


def _judged(config: Config, inputs: Inputs) -> str:
    """Raises StepRefused."""
    names = [name for step in inputs for name in (step, _plain(step))]
    verdict = judge_sql(str(config.get("query")), Dialect.DUCKDB, allowed_tables=names)
    if verdict.sql is None:
        raise StepRefused(
            f"the query cannot be taken: {verdict.reason}",
            hint=f"write one SELECT over {', '.join(map(_plain, inputs)) or 'the steps it needs'}",
            reason=verdict.code.value if verdict.code else "",
        )
    return verdict.sql


def _plain(step: str) -> str:
    """The id of a step as a name that needs no quotes."""
    return step.replace("-", "_")


def _tables(inputs: Inputs) -> list[InputTable]:
    return [
        InputTable(
            step,
            _plain(step) if _plain(step) != step else "",
            [(column.name, table_type(column)) for column in _told_apart(columns)],
        )
        for step, columns in inputs.items()
    ]


def _told_apart(columns: tuple[FlowColumn, ...]) -> tuple[FlowColumn, ...]:
    """DuckDB does not tell names apart that differ by case alone. Raises ColumnRefused."""
    seen = set[str]()
    for column in columns:
        if column.name.casefold() in seen:
            raise ColumnRefused(
                f"DuckDB cannot tell the column {column.name} from another",
                hint="name it otherwise where it is read",
                column=column.name,
            )
        seen.add(column.name.casefold())
    return columns


def _warnings(inputs: Inputs) -> tuple[ColumnWarning, ...]:
    return tuple(
        ColumnWarning(
            column.name,
            f"{column.type.value}_as_text",
            f"{column.name} of {step} is text in the query: no type of DuckDB holds every value of it",
        )
        for step, columns in inputs.items()
        for column in columns
        if carried_as_text(column) and column.type not in (ValueType.JSON, ValueType.UUID)
    )


def _is_ordered(sql: str) -> bool:
    """Whether the outermost query asks for an order."""
    import sqlglot

    return sqlglot.parse_one(sql, dialect="duckdb").args.get("order") is not None
