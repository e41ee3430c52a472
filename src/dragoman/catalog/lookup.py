"""The one lookup: from a statement that reads, or a program of such, to its rows, and the proof of them.

Every answer stands on this function, whichever planner wrote the statement. The database counts the same
query a second time, and for a pack's verb adds up its amounts: only when both agree is an answer `checked`.
"""

import decimal

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.cells import (
    ScaledColumn,
    amount_of,
    cell_type,
    has_units,
    plain_cell,
    scaled_cell,
    shown_amount,
)
from dragoman.catalog.found import Found
from dragoman.catalog.knowledge.verbs import is_knowledge
from dragoman.catalog.reads import read_for
from dragoman.catalog.shown_sql import literal, on_one_line
from dragoman.catalog.verb_read import VerbRead
from dragoman.contracts.answer import Column, EvidenceItem, Figure
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import AccessError, QueryTimeout, ResultTooLarge, RunFailed
from dragoman.contracts.limits import MEGABYTE
from dragoman.contracts.program import Program, Statement
from dragoman.contracts.query import ReadLimits, ResultSet, Value
from dragoman.contracts.vocabulary import EvidenceSource
from dragoman.databases.connections import read_all
from dragoman.language.inlined_calls import MOST_CALLS, Unfit, bound_in, with_calls

__all__ = ["MOST_ROWS", "Found", "look_up", "workspace_limits"]

MOST_ROWS = 100_000
"""What a message is answered with at most."""

Rows = list[tuple[Value, ...]]


def look_up(
    catalog: Catalog,
    asked: Statement | Program,
    run_id: str = "",
    *,
    limits: ReadLimits | None = None,
    cancel: Cancellation | None = None,
) -> Found:
    """The rows of a statement that calls a read verb, as the workspace's viewer may see them; of a program,
    those of its last statement, which may hold values against what earlier ones give.

    Without `limits` those of the workspace hold. A cancellation from another thread stops the query on the
    server and raises `QueryCancelled` here. Raises `ArgumentsNotFit`, `RunFailed`, `PolicyViolation`,
    `WorkspaceError` and `AccessError` otherwise.
    """
    statement = asked if isinstance(asked, Statement) else _last(asked)
    if is_knowledge(catalog, statement):
        # Imported for what is asked of texts alone: questions over data never need it.
        from dragoman.catalog.knowledge.lookup import known

        return known(catalog, statement, run_id)
    read = read_for(catalog, statement)
    of_pack = read.owned is not None
    most = limits or workspace_limits(catalog)
    try:
        result, *counts = read_all(
            read.spec,
            catalog.folder,
            (read.query, read.recount),
            most,
            cancel,
            whole=of_pack,
            of_person=read.of_person,
        )
    except (QueryTimeout, ResultTooLarge) as error:
        raise error if limits is not None else _beyond(error, catalog) from error
    if not of_pack:
        return _of_table(read, result, counts[0], run_id)
    if result.truncated:
        # A sum over a part of the rows is a wrong sum. A list that was cut is still a list: tables may be.
        raise RunFailed(f"the query gives more than {most.rows:,} rows", hint="narrow the question")
    return _of_pack(read, result, counts[0], run_id)


def workspace_limits(catalog: Catalog) -> ReadLimits:
    """How much is read to answer a message of this workspace."""
    own = catalog.settings.limits
    return ReadLimits(rows=MOST_ROWS, seconds=float(own.read_seconds), result_bytes=own.result_mb * MEGABYTE)


def _beyond(error: QueryTimeout | ResultTooLarge, catalog: Catalog) -> AccessError:
    """Which limit it was, what it is, and how to raise it: a person in a conversation reads the message."""
    own = catalog.settings.limits
    if isinstance(error, QueryTimeout):
        problem = f"reading took longer than {own.read_seconds:,} seconds"
        limit: str = "read_seconds"
    else:
        problem, limit = f"the result holds more than {own.result_mb:,} MB", "result_mb"
    where = f"{limit} under limits in dragoman.yaml"
    hint = f"narrow the question, or raise {where}"
    return type(error)(f"{problem}, the limit of this workspace ({where})", hint=hint, setting=limit)


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
    sums = [_sum(result.rows, place, read.columns[place]) for place in read.summed]
    again = [amount_of(value, read.columns[at]) for at, value in zip(read.summed, recount[1:], strict=True)]
    # Counted by the database from the query itself, not from the rows that came back: a lost batch or a
    # driver that rounds shows as a difference. Floats have no one sum.
    same = all(one is None or other is None or one == other for one, other in zip(sums, again, strict=True))
    rows_counted = int(str(recount[0]))
    checked = same and rows_counted == len(result.rows)
    rows = tuple(
        tuple(scaled_cell(value, column) for value, column in zip(row, read.columns, strict=True))
        for row in result.rows
    )
    columns = tuple(column.column for column in read.columns)
    # Amounts of different units or currencies have no total.
    added = [] if has_units(columns, rows) else list(zip(read.summed, sums, strict=True))
    figures = tuple(
        Figure(columns[place].name, shown_amount(value, read.columns[place]))
        for place, value in added
        if value is not None
    )
    evidence = _evidence(read, run_id, str(rows_counted), checked=checked)
    return Found(
        columns,
        rows,
        figures,
        checked,
        truncated=False,
        inferred=(),
        evidence=evidence,
        skipped=result.skipped,
    )


def _sum(rows: Rows, place: int, column: ScaledColumn) -> decimal.Decimal | None:
    """The sum of a column; None where it has none that is exact."""
    amounts = [amount_of(row[place], column) for row in rows]
    exact = [amount for amount in amounts if amount is not None]
    return sum(exact, decimal.Decimal(0)) if len(exact) == len(amounts) else None


def _of_table(read: VerbRead, result: ResultSet, recount: ResultSet, run_id: str) -> Found:
    """As the database holds them. Too many rows are cut, and said to be."""
    counted = str(len(recount.rows) if read.is_read_again else recount.rows[0][0])
    rows = tuple(tuple(plain_cell(value) for value in row) for row in result.rows)
    checked = not result.truncated and counted == str(len(rows))
    return Found(
        _columns(read, result),
        rows,
        figures=(),
        checked=checked,
        truncated=result.truncated,
        inferred=read.inferred,
        evidence=_evidence(read, run_id, counted, checked=checked),
        skipped=result.skipped,
        total=int(counted) if result.truncated and not read.is_read_again else None,
    )


def _columns(read: VerbRead, result: ResultSet) -> tuple[Column, ...]:
    own = [(column.name, column.type) for column in result.columns]
    typed = own if read.of_person else list(zip(read.names, read.types, strict=True))
    return tuple(
        Column(name, cell_type([row[place] for row in result.rows], declared))
        for place, (name, declared) in enumerate(typed)
    )


def _evidence(read: VerbRead, run_id: str, counted: str, *, checked: bool) -> tuple[EvidenceItem, ...]:
    source = f"{read.spec.name}#{run_id}"
    noun = "row" if counted == "1" else "rows"
    query, dialect = read.query, read.schema.dialect
    # Policies put more into a query than its viewer may know, values too.
    asked, values = (query.shown, query.shown_parameters) if query.shown else (query.sql, query.parameters)
    literals = tuple(literal(value, dialect) for value in values)
    return (
        EvidenceItem(EvidenceSource.DB, source, on_one_line(asked), 1.0, literals),
        EvidenceItem(EvidenceSource.DB, f"{source}/recount", f"recounted {counted} {noun}", float(checked)),
    )
