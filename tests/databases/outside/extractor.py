"""`ledger.extractor`: rows of a ledger, in pipelines."""

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from dragoman.contracts.errors import StepRefused
from dragoman.contracts.flow import CursorValue, FlowColumn, KeyRange
from dragoman.contracts.query import Query, ReadLimits, ResultSet
from dragoman.contracts.verb import (
    ConnectionType,
    Effect,
    SqlType,
    StringType,
    VerbArgument,
    VerbSignature,
)
from dragoman.databases.connections import open_connection
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.flow import Flow

MOST_ROWS = 100_000


class LedgerExtractor:
    signature = VerbSignature(
        name="ledger.extractor",
        domain="ledger",
        title="Rows of a ledger",
        effect=Effect.READ,
        arguments=(
            VerbArgument("connection", ConnectionType()),
            VerbArgument("query", SqlType(), required=False),
            VerbArgument("table", StringType(), required=False),
        ),
        one_of=(("query", "table"),),
    )

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        found = self._read(config, context)
        columns = tuple(FlowColumn(each.name, each.type) for each in found.columns)
        return Extraction(columns=columns, target=str(config["connection"]), path="ledger")

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        rows = self._read(config, context).rows
        schema = arrow_schema(extraction.columns)
        arrays = [
            pa.array([row[place] for row in rows], schema.field(place).type) for place in range(len(schema))
        ]
        batch = pa.RecordBatch.from_arrays(arrays, schema=schema)
        context.rows(len(rows))
        yield Flow(extraction.columns, reader=pa.RecordBatchReader.from_batches(schema, [batch]))

    def _read(self, config: Config, context: StepContext) -> ResultSet:
        name = str(config.get("table", "")).replace('"', '""')
        query = str(config["query"]) if "query" in config else f'SELECT * FROM "{name}"'
        with open_connection(context.connect(str(config["connection"]))) as reader:
            found = reader.read(Query(query), ReadLimits(rows=MOST_ROWS))
        if found.truncated:
            raise StepRefused(f"a ledger of more than {MOST_ROWS:,} rows", hint="ask for fewer")
        return found


EXTRACTOR = LedgerExtractor()
