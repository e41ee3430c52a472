"""`dragoman pack`: check a pack, or draft one for a database."""

from pathlib import Path

import click

from dragoman.cli.discovery import told_progress
from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.inputs import read_text
from dragoman.cli.options import json_option, workspace_option
from dragoman.contracts.program import Severity
from dragoman.workspace.findings import finding_object
from dragoman.workspace.packs import Packs
from dragoman.workspace.text import Source, show


@click.group()
def pack() -> None:
    """Check or draft packs: YAML files with what a schema cannot say."""


@pack.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--connection", metavar="@NAME", help="Also check that its tables and columns exist there.")
@workspace_option
@json_option
@click.pass_context
def check(
    ctx: click.Context, files: tuple[str, ...], connection: str | None, workspace: str, as_json: bool
) -> None:
    """Check packs and show every error."""
    check_pack = Packs(Path(workspace).resolve()).checker(connection, progress=told_progress())
    reports = []
    for name in files:
        source = Source(read_text(name), name)
        findings = check_pack(source)
        ok = not any(finding.severity is Severity.ERROR for finding in findings)
        reports.append({"file": name, "ok": ok, "diagnostics": [finding_object(f) for f in findings]})
        if not as_json:
            for finding in findings:
                click.echo(printable(show(source, finding)))
            if ok:
                click.echo(f"{name}: ok")
    if as_json:
        show_json(reports)
    ctx.exit(0 if all(report["ok"] for report in reports) else 1)


@pack.command()
@click.argument("name", metavar="[@CONNECTION]", default="@default")
@click.option("--verbs", is_flag=True, help="Also draft entities and verbs with SQL.")
@workspace_option
@json_option
def draft(name: str, verbs: bool, workspace: str, as_json: bool) -> None:
    """Draft a pack for a database and print it, for you to edit."""
    drafted = Packs(Path(workspace).resolve()).draft(name, verbs=verbs, progress=told_progress())
    if as_json:
        show_json({"connection": name, "pack": drafted})
    else:
        click.echo(drafted, nl=False)
