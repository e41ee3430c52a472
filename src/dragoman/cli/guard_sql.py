"""`dragoman guard sql`: check that a query only reads what it may, and show what would run."""

from collections.abc import Mapping

import click

from dragoman.cli.batch import Malformed, Request, field, jsonl_option, run_batch
from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.inputs import read_text
from dragoman.cli.options import json_option
from dragoman.contracts.schema import Dialect
from dragoman.workspace.guards import SqlDecision, SqlVerdict, judge_sql


@click.command("sql")
@click.argument("file", default="-")
@click.option(
    "--dialect",
    type=click.Choice([dialect.value for dialect in Dialect]),
    help="The SQL dialect of the query. Default: postgres.",
)
@click.option("--tables", metavar="A,B", help="The tables the query may read; empty for none. Default: any.")
@jsonl_option
@json_option
@click.pass_context
def sql_command(
    ctx: click.Context, file: str, dialect: str | None, tables: str | None, batch: bool, as_json: bool
) -> None:
    """Check that FILE (- for stdin) holds one read-only query, and print what would run.

    With --jsonl each line is {id, dialect, sql, allowed_tables?}. Without allowed_tables any table may be
    read; with an empty list, none.
    """
    names = None if tables is None else [name.strip() for name in tables.split(",") if name.strip()]
    if batch:
        run_batch(lambda line: _judge(line, dialect, names), _refuse, file)
        return
    verdict = judge_sql(read_text(file), Dialect(dialect or Dialect.POSTGRES), allowed_tables=names)
    if as_json:
        show_json(_object(verdict))
    elif verdict.sql is not None:
        click.echo(printable(verdict.sql))
    else:
        click.echo(printable(f"deny [{verdict.code}]: {verdict.reason}"), err=True)
    ctx.exit(0 if verdict.is_allowed else 1)


def _refuse(code: str, message: str) -> Mapping[str, object]:
    return {"verdict": SqlDecision.DENY, "code": code, "reason": message, "sql": None}


def _judge(request: Request, otherwise: str | None, tables: list[str] | None) -> Mapping[str, object]:
    """Fields that a line omits come from the options."""
    named, sql = field(request, "dialect", str, otherwise), field(request, "sql", str)
    try:
        dialect = Dialect(named)
    except ValueError as error:
        dialects = ", ".join(Dialect)
        raise Malformed("invalid_field", f"the field dialect must be one of {dialects}") from error
    return _object(judge_sql(sql, dialect, allowed_tables=_tables(request, tables)))


def _tables(request: Request, otherwise: list[str] | None) -> list[str] | None:
    if request.get("allowed_tables") is None:
        return otherwise
    names = field(request, "allowed_tables", list)
    if not all(isinstance(name, str) for name in names):
        raise Malformed("invalid_field", "the field allowed_tables must be a list of strings")
    return names


def _object(verdict: SqlVerdict) -> Mapping[str, object]:
    return {
        "verdict": verdict.verdict,
        "code": verdict.code,
        "reason": verdict.reason,
        "sql": verdict.sql,
    }
