"""`dragoman guard guardian`: whether a draft may go out, and what the next try has to do otherwise."""

from collections.abc import Mapping

import click
import msgspec

from dragoman.cli.batch import Malformed, Request, jsonl_option, run_batch
from dragoman.cli.display import show_json
from dragoman.cli.failures import printable
from dragoman.cli.inputs import read_text
from dragoman.cli.options import json_option
from dragoman.contracts.roles import GuardianReport, RiskLevel, Verdict
from dragoman.workspace.guards import JsonRefusal, is_definitive, judge_document, read_strict


@click.command("guardian")
@click.argument("file", default="-")
@jsonl_option
@json_option
@click.pass_context
def guardian_command(ctx: click.Context, file: str, batch: bool, as_json: bool) -> None:
    """Judge the draft in FILE (- for stdin), a JSON object, and print the guardian's report.

    The object, and with --jsonl each line, is {id, request_type, track, retry_count, evidence, draft, spec?,
    coverage?, configured?, denied?, shape?}; only a line needs an id.
    """
    if batch:
        run_batch(_judge, _refuse, file)
        return
    document = read_strict(read_text(file))
    if isinstance(document, JsonRefusal) or not isinstance(document, dict):
        raise click.BadParameter("it must hold one JSON object", param_hint="FILE")
    try:
        report = _report(document)
    except Malformed as error:
        raise click.BadParameter(error.message, param_hint="FILE") from error
    if as_json:
        show_json(_object(report))
    else:
        parts = (report.verdict, *report.reasons, *report.required_actions, f"risk {report.risk_level}")
        click.echo(printable("  ".join(parts)))
    ctx.exit(0 if report.verdict is Verdict.PASS else 1)


def _judge(request: Request) -> Mapping[str, object]:
    return _object(_report(request))


def _report(request: Request) -> GuardianReport:
    judged = judge_document(request, is_definitive)
    if isinstance(judged, GuardianReport):
        return judged
    raise Malformed(judged.code, judged.message)


def _object(report: GuardianReport) -> Mapping[str, object]:
    found: Mapping[str, object] = msgspec.to_builtins(report)
    return found


def _refuse(code: str, message: str) -> Mapping[str, object]:
    """What cannot be judged does not go out."""
    return _object(GuardianReport(Verdict.FAIL, (code,), (), RiskLevel.MED))
