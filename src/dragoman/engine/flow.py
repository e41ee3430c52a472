"""A flow: the rows of a step on their way to the next one, once, in their carriers."""

import dataclasses
from collections.abc import Iterator

import pyarrow as pa

from dragoman.contracts.flow import FlowColumn
from dragoman.engine.carriers import arrow_schema, columns_of
from dragoman.engine.run_database import Lane

BATCH_ROWS = 65_536


@dataclasses.dataclass(frozen=True)
class Flow:
    """Either SQL that a lane can run (`relation`), or an Arrow stream (`reader`); both give `columns`, by
    name and in order. SQL is the faster way where DuckDB writes: no row passes through Python."""

    columns: tuple[FlowColumn, ...]
    relation: str | None = None
    reader: pa.RecordBatchReader | None = None

    @classmethod
    def of(cls, reader: pa.RecordBatchReader) -> "Flow":
        """A flow of an Arrow stream as it comes; its columns are what its schema says. Raises TypeError."""
        columns = columns_of(reader.schema)
        schema = arrow_schema(columns)
        if reader.schema.types == schema.types:
            return cls(columns, reader=reader)
        return cls(columns, reader=pa.RecordBatchReader.from_batches(schema, _recast(reader, schema)))

    def sql(self, lane: Lane) -> str:
        """A query on the lane that gives the rows. It can be run once."""
        if self.relation is not None:
            return self.relation
        return f"SELECT * FROM {lane.registered(self.reader)}"

    def batches(self, lane: Lane) -> pa.RecordBatchReader:
        """The rows as Arrow batches."""
        if self.reader is not None:
            return self.reader
        assert self.relation is not None  # noqa: S101
        return lane.execute(self.relation).to_arrow_reader(BATCH_ROWS)


def _recast(reader: pa.RecordBatchReader, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    for batch in reader:
        yield batch.cast(schema)
