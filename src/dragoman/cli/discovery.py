"""`dragoman discover` and `dragoman connections`: list databases and show what they contain."""

import sys
from pathlib import Path

import click
from msgspec.structs import replace

from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.options import json_option, operator_option, workspace_option
from dragoman.contracts.schema import DatabaseSchema, ForeignKey, TableInfo
from dragoman.workspace.databases import ConnectionSpec, Databases, FindingSeverity, Progress, silent
from dragoman.workspace.operator import act_as_operator
from dragoman.workspace.text import counted

SHOWN_TABLES = 200


@click.command()
@click.argument("name", metavar="[@CONNECTION]", default="@default")
@click.option("--refresh", is_flag=True, help="Read the schema again, even if it is cached.")
@operator_option
@workspace_option
@json_option
def discover(name: str, refresh: bool, as_operator: bool, workspace: str, as_json: bool) -> None:
    """Show the tables, columns and keys of a connection. The result is cached until the schema changes."""
    folder = Path(workspace).resolve()
    databases = Databases(folder)
    spec = databases.find(name)
    if as_operator:
        act_as_operator(folder, "discover", spec.name)
    schema = databases.visible(spec, refresh=refresh, progress=told_progress(), operator=as_operator)
    if as_json:
        show_json(_without_bounds(schema))
        return
    click.echo(printable(summary(spec.name, schema)))
    for table in schema.tables[:SHOWN_TABLES]:
        click.echo(printable(_table(table)))
    if len(schema.tables) > SHOWN_TABLES:
        click.echo(f"… {len(schema.tables) - SHOWN_TABLES:,} more; --json has them all")
    for skipped in schema.skipped:
        click.echo(printable(f"skipped {skipped.name}: {skipped.reason}"), err=True)


def told_progress() -> Progress:
    """Progress on one line of stderr if it is a terminal; otherwise nothing."""
    if not sys.stderr.isatty():
        return silent

    def tell(done: int, total: int, what: str) -> None:
        end = "\r" if done < total else "\r\x1b[K"
        sys.stderr.write(f"\r\x1b[K{done:,} of {total:,}  {printable(what)[:60]}{end}")
        sys.stderr.flush()

    return tell


def summary(name: str, schema: DatabaseSchema) -> str:
    keys = sum(len(table.foreign_keys) for table in schema.tables)
    inferred = sum(not key.declared for table in schema.tables for key in table.foreign_keys)
    columns = sum(len(table.columns) for table in schema.tables)
    tables = f"{len(schema.tables):,} {'table or view' if len(schema.tables) == 1 else 'tables and views'}"
    told = f"{name}: {tables}, {counted(columns, 'column')}, {counted(keys, 'foreign key')}"
    told += f" ({inferred:,} of them inferred)" if inferred else ""
    return told + (f"; {len(schema.skipped):,} skipped" if schema.skipped else "")


def _table(table: TableInfo) -> str:
    name = f"{table.schema}.{table.name}" if table.schema else table.name
    rows = f"  about {counted(table.rows, 'row')}" if table.rows is not None else ""
    lines = [f"{name}  ({table.kind}){rows}"]
    lines += [f"  # {table.comment}"] if table.comment else []
    for column in table.columns:
        marks = [mark for mark, holds in (("key", column.name in table.primary_key),) if holds]
        marks += [] if column.nullable else ["required"]
        samples = f"  e.g. {', '.join(column.samples[:3])}" if column.samples else ""
        marked = f" [{', '.join(marks)}]" if marks else ""
        said = f"  # {column.comment}" if column.comment else ""
        written = " (numbers)" if column.writes else ""
        lines.append(f"  {column.name}: {column.type}{written}{marked}{samples}{said}")
    lines += [f"  {_key(key)}" for key in table.foreign_keys]
    return "\n".join(lines)


def _key(key: ForeignKey) -> str:
    how = "" if key.declared else "  (inferred)"
    return f"({', '.join(key.columns)}) -> {key.table} ({', '.join(key.target_columns)}){how}"


@click.group()
def connections() -> None:
    """The databases of the workspace, as listed in connections.yaml."""


@connections.command("list")
@workspace_option
@json_option
def list_command(workspace: str, as_json: bool) -> None:
    """List the connections, and any mistakes in the file."""
    known = Databases(Path(workspace).resolve()).connections()
    if as_json:
        show_json(
            {
                "connections": [
                    {"name": spec.name, "family": spec.family, "default": spec.default, "place": _place(spec)}
                    for spec in known.specs
                ],
                "errors": [{"code": d.code, "message": d.message, "hint": d.hint} for d in known.diagnostics],
            }
        )
        return
    for spec in known.specs:
        mark = "  (default)" if spec.default else ""
        click.echo(printable(f"{spec.name}  {_place(spec)}{mark}"))
    for finding in known.diagnostics:
        line = f"line {finding.span.line}: " if finding.span else ""
        click.echo(printable(f"{line}{finding.message}; {finding.hint}"), err=True)
    if not known.specs and not known.diagnostics:
        click.echo("there are none yet: dragoman init DATABASE-URL writes the first")


def _place(spec: ConnectionSpec) -> str:
    if spec.path:
        return spec.path
    host = f"{spec.host}:{spec.port}" if spec.port else spec.host
    return f"{host}/{spec.database}" if spec.database else host


@connections.command("doctor")
@click.argument("names", metavar="[@CONNECTION…]", nargs=-1)
@workspace_option
@json_option
@click.pass_context
def doctor_command(ctx: click.Context, names: tuple[str, ...], workspace: str, as_json: bool) -> None:
    """Check the health of connections: what is wrong, how to fix it, and how to create a read-only login."""
    databases = Databases(Path(workspace).resolve())
    known = databases.connections()
    specs = [known.find(name) for name in names] if names else list(known.specs)
    examined = [(spec, databases.doctor(spec)) for spec in specs]
    if as_json:
        show_json([{"connection": spec.name, "findings": found} for spec, found in examined])
    else:
        for spec, found in examined:
            for finding in found:
                click.echo(printable(f"{spec.name}  {finding.severity}: {finding.message}"))
                if finding.hint:
                    click.echo(printable("\n".join(f"    {line}" for line in finding.hint.splitlines())))
        for diagnostic in known.diagnostics:
            click.echo(printable(f"connections.yaml: {diagnostic.message}; {diagnostic.hint}"), err=True)
    ill = any(f.severity is FindingSeverity.ERROR for _, found in examined for f in found)
    ctx.exit(1 if ill or known.diagnostics else 0)


def _without_bounds(schema: DatabaseSchema) -> DatabaseSchema:
    """What a schema says without what was seen of its rows: the least and the greatest values are data."""
    return replace(
        schema,
        tables=tuple(
            replace(
                table,
                columns=tuple(
                    replace(column, least=None, most=None, has_gaps=False) for column in table.columns
                ),
            )
            for table in schema.tables
        ),
    )
