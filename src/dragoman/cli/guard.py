"""`dragoman guard`: ask a guard about one thing, or about many from stdin."""

import json
from collections.abc import Mapping
from typing import Any

import click
import msgspec

from dragoman.cli.batch import Malformed, Request, field, jsonl_option, run_batch
from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.guard_guardian import guardian_command
from dragoman.cli.guard_sql import sql_command
from dragoman.cli.inputs import read_text
from dragoman.cli.options import json_option
from dragoman.contracts.finding import Finding
from dragoman.workspace.guards import (
    Contract,
    JsonRefusal,
    JsonVerdict,
    PathDecision,
    check_report,
    choose_track,
    extract_object,
    has_quality_hint,
    judge_path,
    read_strict,
    validate_role_output,
    validate_role_text,
)

# Every name somebody may call a contract by, folded.
_CONTRACTS = {
    "analyst": "ANALYST",
    "analystplan": "ANALYST",
    "architect": "ARCHITECT",
    "architectspec": "ARCHITECT",
    "guardian": "GUARDIAN",
    "guardianreport": "GUARDIAN",
    "report": "",
    "status": "",
    "statusreport": "",
}


@click.group()
def guard() -> None:
    """Ask a guard about one input, or about many with --jsonl: JSON, roles, drafts, tracks, paths, SQL."""


guard.add_command(sql_command)
guard.add_command(guardian_command)


@guard.command("json")
@click.argument("file", default="-")
@click.option("--contract", metavar="NAME", help="ANALYST, ARCHITECT, GUARDIAN or report.")
@click.option("--key", "keys", multiple=True, metavar="KEY", help="A required key; may be repeated.")
@click.option("--strict", is_flag=True, help="Treat the text as one JSON document and repair nothing.")
@jsonl_option
@json_option
@click.pass_context
def json_command(
    ctx: click.Context,
    file: str,
    contract: str | None,
    keys: tuple[str, ...],
    strict: bool,
    batch: bool,
    as_json: bool,
) -> None:
    """Find the JSON object in the text of FILE (- for stdin) and print it.

    With --jsonl each line is {id, text, contract?, required_keys?}.
    """
    if batch:
        run_batch(lambda line: _judge_json(line, contract, keys, strict=strict), _refuse_json, file)
        return
    text = read_text(file)
    try:
        verdict = _strictly(text) if strict else _extracted(text, contract, keys)
    except Malformed as error:
        raise click.BadParameter(error.message, param_hint="--contract") from error
    if as_json:
        show_json(_json_object(verdict))
    elif verdict.ok:
        click.echo(json.dumps(verdict.value, ensure_ascii=False, indent=2))
        for warning in verdict.warnings:
            click.echo(f"line {warning.line}, column {warning.column}: {warning.message}", err=True)
    else:
        click.echo(f"{verdict.code}: {printable(verdict.message)}", err=True)
    ctx.exit(0 if verdict.ok else 1)


def _judge_json(
    request: Request, contract: str | None, keys: tuple[str, ...], *, strict: bool
) -> Mapping[str, object]:
    """Fields that a line omits come from the options."""
    text = field(request, "text", str)
    named = field(request, "contract", str, contract or "")
    wanted = field(request, "required_keys", list, list(keys))
    if not all(isinstance(key, str) for key in wanted):
        raise Malformed("invalid_field", "the field required_keys must be a list of strings")
    return _json_object(_strictly(text) if strict else _extracted(text, named or None, tuple(wanted)))


def _refuse_json(code: str, message: str) -> Mapping[str, object]:
    return {"value": None, "warnings": []}


def _extracted(text: str, contract: str | None, keys: tuple[str, ...]) -> JsonVerdict:
    return extract_object(text, contract=_contract(contract) if contract else None, required_keys=keys)


def _strictly(text: str) -> JsonVerdict:
    value = read_strict(text)
    if isinstance(value, JsonRefusal):
        return JsonVerdict(None, value.code, value.message)
    return JsonVerdict(value)


def _json_object(verdict: JsonVerdict) -> Mapping[str, object]:
    warnings = msgspec.to_builtins(verdict.warnings)
    return {"ok": verdict.ok, "value": verdict.value, "code": verdict.code, "warnings": warnings}


def _contract(name: str) -> Contract:
    folded = name.lower().replace("_", "").replace("-", "").replace(" ", "")
    if folded not in _CONTRACTS:
        raise Malformed("unknown_contract", "the contracts are ANALYST, ARCHITECT, GUARDIAN and report")
    role = _CONTRACTS[folded]
    if role:
        return lambda value: not validate_role_output(role, value)
    return lambda value: check_report(json.dumps(value)).accepted


@guard.command()
@click.argument("name", metavar="[ROLE]", default="")
@click.argument("file", default="-")
@jsonl_option
@json_option
@click.pass_context
def role(ctx: click.Context, name: str, file: str, batch: bool, as_json: bool) -> None:
    """Check the output of ROLE (ANALYST, ARCHITECT, GUARDIAN) in FILE (- for stdin).

    With --jsonl each line is {id, role, output}; the output is an object, or text with one in it.
    """
    if batch:
        run_batch(lambda line: _judge_role(line, name), _refuse_role)
        return
    if not name:
        raise click.UsageError("name a role, or give --jsonl")
    findings = validate_role_text(name, read_text(file))
    _tell(ctx, findings, as_json=as_json)


def _judge_role(request: Request, named: str) -> Mapping[str, object]:
    for wanted in ("role", "output"):
        if wanted not in request and not (wanted == "role" and named):
            raise Malformed("missing_field", f"the field {wanted} is missing")
    name, output = request.get("role", named), request["output"]
    spoken = isinstance(output, str)
    findings = validate_role_text(name, output) if spoken else validate_role_output(name, output)
    return _findings_object(findings)


def _refuse_role(code: str, message: str) -> Mapping[str, object]:
    return {"errors": [{"code": code, "path": "", "message": message}]}


def _findings_object(findings: tuple[Finding, ...]) -> Mapping[str, object]:
    return {"ok": not findings, "errors": [_finding(finding) for finding in findings]}


def _finding(finding: Finding) -> Mapping[str, Any]:
    return {"code": finding.code, "path": finding.path, "message": finding.message}


def _tell(ctx: click.Context, findings: tuple[Finding, ...], *, as_json: bool) -> None:
    if as_json:
        show_json(_findings_object(findings))
    elif findings:
        for finding in findings:
            place = f" at {finding.path}" if finding.path else ""
            click.echo(printable(f"{finding.code}{place}: {finding.message}"), err=True)
    else:
        click.echo("ok")
    ctx.exit(1 if findings else 0)


@guard.command()
@click.argument("request_type", metavar="[REQUEST_TYPE]", default="")
@click.argument("query", metavar="[QUERY]", default="")
@jsonl_option
@json_option
def track(request_type: str, query: str, batch: bool, as_json: bool) -> None:
    """Choose the track for a QUERY of REQUEST_TYPE, and give the reason.

    With --jsonl each line is {id, request_type, query}.
    """
    if batch:
        run_batch(lambda line: _judge_track(line, request_type), _refuse_track)
        return
    if not request_type:
        raise click.UsageError("give a request type and a query, or --jsonl")
    chosen = choose_track(request_type, query, has_quality_hint)
    if as_json:
        show_json({"track": chosen.track, "reason": chosen.reason})
    else:
        click.echo(printable(f"{chosen.track}  {chosen.reason}"))


def _refuse_track(code: str, message: str) -> Mapping[str, object]:
    return {"track": None, "reason": message}


def _judge_track(request: Request, request_type: str) -> Mapping[str, object]:
    named = field(request, "request_type", str, request_type or None)
    chosen = choose_track(named, field(request, "query", str), has_quality_hint)
    return {"track": chosen.track, "reason": chosen.reason}


@guard.command("path")
@click.argument("path", metavar="[PATH]", default=None, required=False)
@click.option("--root", default=".", show_default=True, metavar="DIR", help="The folder paths must stay in.")
@jsonl_option
@json_option
@click.pass_context
def path_command(ctx: click.Context, path: str | None, root: str, batch: bool, as_json: bool) -> None:
    """Check that PATH, with links followed, stays inside the folder.

    With --jsonl each line is {id, root, path}.
    """
    if batch:
        run_batch(lambda line: _judge_path(line, root), _refuse_path)
        return
    if path is None:
        raise click.UsageError("name a path, or give --jsonl")
    verdict = judge_path(root, path)
    allowed = verdict.verdict is PathDecision.ALLOW
    if as_json:
        show_json({"verdict": verdict.verdict, "code": verdict.code})
    else:
        told = f"allow: {verdict.resolved}" if allowed else f"deny [{verdict.code}]: {verdict.message}"
        click.echo(printable(told), err=not allowed)
    ctx.exit(0 if allowed else 1)


def _refuse_path(code: str, message: str) -> Mapping[str, object]:
    return {"verdict": PathDecision.DENY, "code": code}


def _judge_path(request: Request, root: str) -> Mapping[str, object]:
    verdict = judge_path(field(request, "root", str, root), field(request, "path", str))
    return {"verdict": verdict.verdict, "code": verdict.code}
