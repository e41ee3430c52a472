"""JSON lines as a source. Names and types are learnt from all lines; a name that is missing is NULL there."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from dragoman.contracts.errors import EngineError, RunCancelled, SourceFailed
from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.engine.component import Config, StepContext
from dragoman.engine.components.files.declared import converted, declared_types, inferred, refusal
from dragoman.engine.components.files.file_faults import broken
from dragoman.engine.components.files.file_plan import FilePlan
from dragoman.engine.components.files.file_search import SourceFile
from dragoman.engine.components.files.json_kinds import SeenJson
from dragoman.engine.components.files.json_rows import Row, raw_column, row_batches, text_column
from dragoman.engine.components.interruption import FLOW_ERRORS, cancelled, complaint
from dragoman.engine.flow import Flow
from dragoman.engine.run_database import quoted

_RAW = (ValueType.JSON,)


def plan(config: Config, files: tuple[SourceFile, ...], context: StepContext) -> FilePlan:
    """All lines are looked at, unless every column is declared. Raises SourceFailed, StepRefused."""
    types = declared_types(config.get("types"))
    if types and config.get("columns") is None:
        return FilePlan(files, tuple(types.values()))
    seen = dict[str, SeenJson]()
    for file in files:
        for rows in row_batches(file):
            if context.cancel.cancelled:
                raise cancelled()
            for name in dict.fromkeys(itertools.chain.from_iterable(row for _, row in rows)):
                each = seen.setdefault(name, SeenJson())
                if name not in types:
                    each.look(raw_column(rows, name), context)
    if not seen:
        raise SourceFailed(
            f"{files[0].name} has no value in it, so no columns are known", hint="declare :types"
        )
    columns = tuple(types.get(name) or each.column(name) for name, each in seen.items())
    return FilePlan(files, columns, checked=tuple(name for name in seen if name not in types))


@contextmanager
def opened(
    config: Config, plan: FilePlan, chosen: tuple[FlowColumn, ...], context: StepContext
) -> Iterator[Flow]:
    trouble = list[EngineError]()
    schema = pa.schema([pa.field(f"c{n}", pa.string()) for n in range(1, len(chosen) + 1)])
    batches = _batches(plan, chosen, schema, context, trouble)
    stream = context.lane.registered(pa.RecordBatchReader.from_batches(schema, batches))
    values = ", ".join(
        f"{_value(column, number, plan)} AS {quoted(column.name)}" for number, column in enumerate(chosen, 1)
    )
    try:
        yield Flow(chosen, relation=f"SELECT {values} FROM {stream}")
    except FLOW_ERRORS as error:
        # What a stream raises comes through DuckDB as a text.
        known = trouble[0] if trouble else refusal(complaint(error), chosen)
        if known is None:
            raise
        raise known from error
    finally:
        context.lane.connection.unregister(stream)


def _value(column: FlowColumn, number: int, plan: FilePlan) -> str:
    text = f"c{number}"
    return inferred(column, text) if column.name in plan.checked else converted(column, text, number)


def _batches(
    plan: FilePlan,
    chosen: tuple[FlowColumn, ...],
    schema: pa.Schema,
    context: StepContext,
    trouble: list[EngineError],
) -> Iterator[pa.RecordBatch]:
    known = {column.name for column in plan.columns}
    try:
        for file in plan.files:
            for rows in row_batches(file):
                if context.cancel.cancelled:
                    raise cancelled()
                _refuse_unknown(rows, known, file)
                arrays = [
                    raw_column(rows, column.name)
                    if column.type in _RAW
                    else text_column(rows, column.name, file)
                    for column in chosen
                ]
                context.rows(len(rows))
                yield pa.RecordBatch.from_arrays(arrays, schema=schema)
    except (SourceFailed, RunCancelled) as error:
        trouble.append(error)
        raise


def _refuse_unknown(rows: list[tuple[int, Row]], known: set[str], file: SourceFile) -> None:
    for number, row in rows:
        if not known.issuperset(row):
            name = next(each for each in row if each not in known)
            raise broken(file, number, f"the column {name} is not among the declared ones")
