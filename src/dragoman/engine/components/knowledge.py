"""A verb of knowledge in a pipeline: its rows, as the one lookup gives them."""

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Final

import pyarrow as pa

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.knowledge.signatures import GRAPH_FIND, KNOWLEDGE
from dragoman.catalog.lookup import look_up
from dragoman.contracts import program as pr
from dragoman.contracts.answer import Cell, CellType
from dragoman.contracts.answer import Column as AnswerColumn
from dragoman.contracts.flow import CursorValue, FlowColumn, KeyRange
from dragoman.contracts.schema import ValueType
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.components.verbs import as_arguments
from dragoman.engine.flow import Flow

_TYPES: Final = {CellType.INTEGER: ValueType.INTEGER, CellType.DECIMAL: ValueType.DECIMAL}
_DIGITS: Final = 3
_PLACES: Final = 2


class KnowledgeExtractor:
    """Reads what a verb of knowledge gives: a few passages, definitions or steps."""

    def __init__(self, catalog: Catalog, verb: str) -> None:
        self._catalog = catalog
        self._verb = verb

    @property
    def signature(self) -> VerbSignature:
        return KNOWLEDGE[self._verb]

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        columns = tuple(map(_flow_column, self._columns(config)))
        return Extraction(columns=columns, target="the documents of the workspace", path="index")

    def _columns(self, config: Config) -> tuple[AnswerColumn, ...]:
        """Those of the verb; a query names its own."""
        if self._verb != GRAPH_FIND:
            return self.signature.columns
        from dragoman.catalog.knowledge.cypher import cypher_columns

        return cypher_columns(pr.Statement(self._verb, as_arguments(config)))

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        found = look_up(self._catalog, pr.Statement(self._verb, as_arguments(config)), context.run_id)
        schema = arrow_schema(extraction.columns)
        cells = list(zip(*found.rows, strict=True)) or [() for _ in found.columns]
        columns = zip(found.columns, cells, strict=True)
        arrays = [
            pa.array([_value(cell, column.type) for cell in each], type=field.type)
            for (column, each), field in zip(columns, schema, strict=True)
        ]
        batch = pa.RecordBatch.from_arrays(arrays, schema=schema)
        yield Flow(extraction.columns, reader=pa.RecordBatchReader.from_batches(schema, [batch]))


def _flow_column(column: AnswerColumn) -> FlowColumn:
    kind = _TYPES.get(column.type, ValueType.TEXT)
    exact = kind is ValueType.DECIMAL
    return FlowColumn(
        column.name, kind, precision=_DIGITS if exact else None, scale=_PLACES if exact else None
    )


def _value(cell: Cell, kind: CellType) -> Cell | Decimal:
    return Decimal(cell) if kind is CellType.DECIMAL and isinstance(cell, str) else cell
