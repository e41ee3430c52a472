"""`dragoman report`: check, normalise and show status reports, and the mode of their guard."""

import os
from collections.abc import Mapping

import click
import msgspec

from dragoman.cli.batch import Malformed, Request, field, jsonl_option, run_batch
from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.inputs import read_text
from dragoman.cli.options import json_option, workspace_options
from dragoman.contracts.errors import ReportNotFound
from dragoman.contracts.report import ReportVerdict
from dragoman.workspace import Workspace
from dragoman.workspace.reports import (
    STATUS,
    NormalisedReport,
    OutputProfile,
    check_output,
    normalised,
    report_kinds,
    report_text,
    resolve_settings,
)

PROFILES = click.Choice([profile.value for profile in OutputProfile])
agent_option = click.option(
    "--agent", default=STATUS, show_default=True, metavar="KIND", help="The kind of agent it is from."
)


@click.group()
def report() -> None:
    """Check, repair and show status reports, and the settings of their guard."""


@report.command()
@click.argument("file", default="-")
@click.option("--profile", type=PROFILES, default="report", show_default=True, help="The kind of output.")
@click.option("--strict-warnings", is_flag=True, help="Reject a report that has warnings.")
@agent_option
@jsonl_option
@json_option
@click.pass_context
def check(
    ctx: click.Context,
    file: str,
    profile: str,
    strict_warnings: bool,
    agent: str,
    batch: bool,
    as_json: bool,
) -> None:
    """Check the report or patch in FILE (- for stdin) and show every error.

    With --jsonl each line is {id, text, profile, strict_warnings}.
    """
    if batch:
        kind = _kind(agent)
        run_batch(lambda line: _judge(line, profile, kind, strict_warnings=strict_warnings), _refuse, file)
        return
    verdict = check_output(
        read_text(file), OutputProfile(profile), strict_warnings=strict_warnings, kind=_kind(agent)
    )
    if as_json:
        show_json(verdict)
    else:
        _tell(verdict)
    ctx.exit(0 if verdict.accepted else 1)


def _judge(request: Request, profile: str, kind: str, *, strict_warnings: bool) -> Mapping[str, object]:
    """Fields that a line omits come from the options."""
    named = field(request, "profile", str, profile)
    if named not in set(OutputProfile):
        raise Malformed("invalid_field", f"the field profile must be one of {', '.join(OutputProfile)}")
    verdict = check_output(
        field(request, "text", str),
        OutputProfile(named),
        strict_warnings=field(request, "strict_warnings", bool, strict_warnings),
        kind=field(request, "agent", str, kind),
    )
    judged: Mapping[str, object] = msgspec.to_builtins(verdict)
    return judged


def _refuse(code: str, message: str) -> Mapping[str, object]:
    error = {"code": code, "path": "", "message": message, "severity": "error"}
    return {"verdict": "reject", "format": None, "isValid": False, "errors": [error], "warnings": []}


def _kind(name: str) -> str:
    if name not in report_kinds():
        raise click.BadParameter(f"the kinds are {', '.join(report_kinds())}", param_hint="--agent")
    return name


def _tell(verdict: ReportVerdict) -> None:
    click.echo(f"{verdict.verdict}{f': {verdict.code}' if verdict.code else ''}")
    for found in verdict.errors:
        click.echo(printable(f"  {found.severity} {_told(found.code, found.path, found.message)}"))
    for warning in verdict.warnings:
        if not any(found.code == warning.code and found.path == warning.path for found in verdict.errors):
            click.echo(printable(f"  warning {_told(warning.code, warning.path, warning.message)}"))


def _told(code: str, path: str, message: str) -> str:
    return f"{code}{f' at {path}' if path else ''}: {message}"


@report.command()
@click.argument("file", default="-")
@agent_option
@jsonl_option
@json_option
@click.pass_context
def normalise(ctx: click.Context, file: str, agent: str, batch: bool, as_json: bool) -> None:
    """Repair the nearly valid report in FILE (- for stdin); print it and every change.

    With --jsonl each line is {id, text, agent?}.
    """
    if batch:
        kind = _kind(agent)
        run_batch(
            lambda line: _normalise(line, kind), lambda code, message: {"text": None, "changes": []}, file
        )
        return
    done = normalised(read_text(file), kind=_kind(agent))
    if as_json:
        show_json(_normalised_object(done))
    else:
        if done.text is not None:
            click.echo(done.text)
        for change in done.changes:
            click.echo(printable(f"changed: {_told(change.code, change.path, change.message)}"), err=True)
        for found in done.verdict.errors:
            click.echo(printable(f"still wrong: {_told(found.code, found.path, found.message)}"), err=True)
    ctx.exit(0 if done.verdict.accepted else 1)


def _normalise(request: Request, kind: str) -> Mapping[str, object]:
    named = field(request, "agent", str, kind)
    return _normalised_object(normalised(field(request, "text", str), kind=named))


def _normalised_object(done: NormalisedReport) -> Mapping[str, object]:
    return {
        "ok": done.verdict.accepted,
        "text": done.text,
        "changes": msgspec.to_builtins(done.changes),
        "verdict": msgspec.to_builtins(done.verdict),
    }


@report.command()
@jsonl_option
@json_option
def mode(batch: bool, as_json: bool) -> None:
    """Show the mode of the report guard: the configured one, and the effective one.

    With --jsonl each line is {id, env}; env holds the variables to read.
    """
    if batch:
        run_batch(_mode, lambda code, message: {})
        return
    settings = resolve_settings(os.environ)
    if as_json:
        show_json(settings)
        return
    click.echo(f"configured {settings.configured_mode}, effective {settings.effective_mode}")
    if settings.configured_mode is not settings.effective_mode:
        click.echo("set DRAGOMAN_OUTPUT_VALIDATION_CANARY=1 to enforce", err=True)


def _mode(request: Request) -> Mapping[str, object]:
    environ = field(request, "env", dict, {})
    if not all(isinstance(value, str) for value in environ.values()):
        raise Malformed("invalid_field", "the values of the field env must be strings")
    settings: Mapping[str, object] = msgspec.to_builtins(resolve_settings(environ))
    return settings


@report.command("show")
@click.argument("session_id", metavar="ID")
@click.argument("turn", type=int, required=False)
@workspace_options
@json_option
def show_command(session_id: str, turn: int | None, workspace: str, store: str | None, as_json: bool) -> None:
    """Show the status report of turn TURN of session ID, or of its last turn."""
    with Workspace.open(workspace, store=store, create=False) as opened:
        record = opened.report(session_id, turn)
    if record is None:
        raise ReportNotFound(
            f"session {session_id} has no report{f' of turn {turn}' if turn else ''}",
            hint="turns that were taken before there were reports have none",
        )
    if as_json:
        show_json(record)
        return
    click.echo(report_text(record.report))
    click.echo(f"{record.mode}: {'accepted' if record.accepted else f'rejected ({record.code})'}", err=True)
