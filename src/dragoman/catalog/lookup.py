"""The one lookup: from a statement that reads, or a program of such, to its rows, and the proof of them.

Every answer stands on this function, whichever planner wrote the statement. The database counts the same
query a second time, and for a pack's verb adds up its amounts: only when both agree is an answer `checked`.
"""

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.cells import cell_type, has_units, plain_cell, scaled_cell, shown_amount, whole
from dragoman.catalog.reads import VerbRead, read_for
from dragoman.contracts.answer import Cell, Column, EvidenceItem, Figure
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import RunFailed
from dragoman.contracts.program import Program, Statement
from dragoman.contracts.query import ReadLimits, ResultSet, Value
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import EvidenceSource
from dragoman.databases.connections import read_all
from dragoman.language.inlined_calls import MOST_CALLS, Unfit, bound_in, with_calls

LIMITS = ReadLimits(rows=100_000, seconds=30.0)

Rows = list[tuple[Value, ...]]


class Found(Record, frozen=True):
    """What a lookup gave. `figures` are the sums of a pack's amounts, where they are of one unit; `inferred`
    are the links it followed that no key declares."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    figures: tuple[Figure, ...]
    checked: bool
    truncated: bool
    inferred: tuple[str, ...]
    evidence: tuple[EvidenceItem, ...]
    total: int | None = None
    """How many rows there are, as the database counted them, where not all of them were read."""


def look_up(
    catalog: Catalog,
    asked: Statement | Program,
    run_id: str = "",
    *,
    limits: ReadLimits = LIMITS,
    cancel: Cancellation | None = None,
) -> Found:
    """The rows of a statement that calls a read verb, as the workspace's viewer may see them; of a program,
    those of its last statement, which may hold values against what earlier ones give.

    A cancellation from another thread stops the query on the server and raises `QueryCancelled` here. Raises
    `ArgumentsNotFit`, `RunFailed`, `PolicyViolation`, `WorkspaceError` and `AccessError` otherwise.
    """
    read = read_for(catalog, asked if isinstance(asked, Statement) else _last(asked))
    queries = (read.query, read.recount)
    if read.owned is None:
        result, counted = read_all(read.spec, catalog.folder, queries, limits, cancel)
        return _of_table(read, result, counted, run_id)
    result, *counts = read_all(read.spec, catalog.folder, queries, limits, cancel, whole=True)
    if result.truncated:
        # A sum over a part of the rows is a wrong sum. A list that was cut is still a list: tables may be.
        raise RunFailed(f"the query gives more than {limits.rows:,} rows", hint="narrow the question")
    return _of_pack(read, result, counts[0], run_id)


def _last(program: Program) -> Statement:
    """The last statement of a program, with the calls in it whose values it needs."""
    statement = with_calls(program[-1], bound_in(program)) if program else Unfit.UNBOUND
    if isinstance(statement, Statement):
        return statement
    if statement is Unfit.TOO_MANY:
        raise RunFailed(f"the last step stands for more than {MOST_CALLS} calls", hint="name fewer results")
    hint = "name a step that stands in the program with :as @name"
    raise RunFailed("the last step needs a value that no step gives", hint=hint)


def _of_pack(read: VerbRead, result: ResultSet, counted: ResultSet, run_id: str) -> Found:
    """Exact amounts."""
    recount = counted.rows[0]
    sums = [sum(whole(row[place]) for row in result.rows) for place in read.summed]
    # Counted by the database from the query itself, not from the rows that came back: a lost batch or a
    # driver that rounds shows as a difference.
    checked = [whole(value) for value in recount] == [len(result.rows), *sums]
    rows = tuple(
        tuple(scaled_cell(value, column) for value, column in zip(row, read.columns, strict=True))
        for row in result.rows
    )
    columns = tuple(column.column for column in read.columns)
    # Amounts of different units or currencies have no total.
    added = [] if has_units(columns, rows) else list(zip(read.summed, sums, strict=True))
    figures = tuple(
        Figure(columns[place].name, shown_amount(value, read.columns[place])) for place, value in added
    )
    evidence = _evidence(read, run_id, str(whole(recount[0])), checked=checked)
    return Found(columns, rows, figures, checked, truncated=False, inferred=(), evidence=evidence)


def _of_table(read: VerbRead, result: ResultSet, recount: ResultSet, run_id: str) -> Found:
    """As the database holds them. Too many rows are cut, and said to be."""
    counted = str(recount.rows[0][0])
    rows = tuple(tuple(plain_cell(value) for value in row) for row in result.rows)
    checked = not result.truncated and counted == str(len(rows))
    return Found(
        _columns(read, result.rows),
        rows,
        figures=(),
        checked=checked,
        truncated=result.truncated,
        inferred=read.inferred,
        evidence=_evidence(read, run_id, counted, checked=checked),
        total=int(counted) if result.truncated else None,
    )


def _columns(read: VerbRead, rows: Rows) -> tuple[Column, ...]:
    typed = zip(read.names, read.types, strict=True)
    return tuple(
        Column(name, cell_type([row[place] for row in rows], declared))
        for place, (name, declared) in enumerate(typed)
    )


def _evidence(read: VerbRead, run_id: str, counted: str, *, checked: bool) -> tuple[EvidenceItem, ...]:
    source = f"{read.spec.name}#{run_id}"
    return (
        EvidenceItem(EvidenceSource.DB, source, " ".join(read.query.sql.split()), 1.0),
        EvidenceItem(EvidenceSource.DB, f"{source}/recount", f"recounted {counted} rows", float(checked)),
    )
