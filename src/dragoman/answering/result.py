"""From a compiled request to rows and figures: reads, converts exactly, and checks a second way."""

import datetime as dt
from decimal import Decimal

from dragoman.answering.figures import has_units
from dragoman.catalog.pack_catalog import PackCatalog, ScaledColumn
from dragoman.contracts.answer import PREVIEW_ROWS, AnswerObject, Cell, CellType, CoverageGateState, Figure
from dragoman.contracts.answer import EvidenceItem as Evidence
from dragoman.contracts.errors import RunFailed
from dragoman.contracts.program import Program
from dragoman.contracts.query import Query, ReadLimits, Value
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import EvidenceSource
from dragoman.databases.access import DatabaseReader
from dragoman.packs.verb_queries import verb_queries
from dragoman.planning.anchors import Request

LIMITS = ReadLimits(rows=100_000, seconds=30.0)

Rows = list[tuple[Value, ...]]


class Result(Record, frozen=True):
    """What a run gave: exact cells, the sums of the decimal columns where they are of one unit, and whether
    the recount agreed."""

    rows: tuple[tuple[Cell, ...], ...]
    figures: tuple[Figure, ...]
    checked: bool
    evidence: tuple[Evidence, ...]


def run_request(request: Request, program: Program, catalog: PackCatalog, run_id: str) -> Result:
    """Read the rows, then have the database count and add up the same query for itself."""
    verb = request.verb
    schema, viewer = catalog.schema(verb.pack), catalog.workspace.settings.viewer
    summed = tuple(i for i, c in enumerate(verb.columns) if c.column.type is CellType.DECIMAL)
    query, counted = verb_queries(verb.pack, program[0], schema, viewer, summed)
    with catalog.reader(verb.pack) as reader:
        raw = _all_rows(reader, query)
        recount = reader.read(counted).rows[0]
    sums = _sums(raw, verb.columns)
    own = (len(raw), *(value for _, value in sums))
    checked = tuple(_whole(value) for value in recount) == own
    source = f"{catalog.source_name(verb.pack)}#{run_id}"
    evidence = (
        Evidence(EvidenceSource.DB, source, " ".join(query.sql.split()), 1.0),
        Evidence(
            EvidenceSource.DB, f"{source}/recount", f"recounted {_whole(recount[0])} rows", float(checked)
        ),
    )
    rows = tuple(_row(row, verb.columns) for row in raw)
    mixed = has_units([column.column for column in verb.columns], rows)
    figures = () if mixed else tuple(Figure(c.column.name, _decimal(value, c)) for c, value in sums)
    return Result(rows, figures, checked, evidence)


def _all_rows(reader: DatabaseReader, query: Query) -> Rows:
    """Too many rows are a failure, not a cut: the figures would be those of a part."""
    result = reader.read(query, LIMITS)
    if result.truncated:
        raise RunFailed(f"the query gives more than {LIMITS.rows:,} rows", hint="narrow the question")
    return result.rows


def answer_object(
    turn_index: int,
    request: Request,
    program: Program,
    result: Result,
    gate: CoverageGateState,
    subject: str,
    note: str,
) -> AnswerObject:
    return AnswerObject(
        ref=f"answer-{turn_index}",
        turn_index=turn_index,
        route=request.verb.signature.name,
        gate=gate,
        program=program,
        result_set_id=f"rows-{turn_index}",
        columns=request.verb.signature.columns,
        rows=result.rows[:PREVIEW_ROWS],
        row_count=len(result.rows),
        figures=result.figures,
        evidence=result.evidence,
        subject=subject,
        note=note,
    )


def _sums(rows: Rows, columns: tuple[ScaledColumn, ...]) -> list[tuple[ScaledColumn, int]]:
    """The integer sum of every decimal column."""
    return [
        (column, sum(_whole(row[index]) for row in rows))
        for index, column in enumerate(columns)
        if column.column.type is CellType.DECIMAL
    ]


def _row(row: tuple[Value, ...], columns: tuple[ScaledColumn, ...]) -> tuple[Cell, ...]:
    return tuple(_cell(value, column) for value, column in zip(row, columns, strict=True))


def _cell(value: Value, column: ScaledColumn) -> Cell:
    if value is None:
        return None
    match column.column.type:
        case CellType.DECIMAL:
            return _decimal(_whole(value), column)
        case CellType.DATE if isinstance(value, dt.datetime):
            return value.date().isoformat()
        case _:
            return value if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _whole(value: Value) -> int:
    """A sum as its database gives it: a whole number, whatever its type there."""
    return int(value) if isinstance(value, int | Decimal | str) else 0


def _decimal(value: int, column: ScaledColumn) -> str:
    """An integer of so many thousandths or cents as the digits a person reads."""
    exact = Decimal(value).scaleb(-column.scale)
    if column.places is not None:
        return f"{exact:.{column.places}f}"
    whole = exact.to_integral_value()
    return f"{whole if whole == exact else exact.normalize():f}"
