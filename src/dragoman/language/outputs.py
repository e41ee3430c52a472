"""What an agent hands in, whichever of the two formats it has: a status report or a patch."""

from enum import StrEnum
from typing import Any, assert_never

from dragoman.contracts.errors import OutputValidationError
from dragoman.contracts.finding import Finding
from dragoman.contracts.program import Diagnostic, Severity
from dragoman.contracts.report import OutputFormat, ReportCode, ReportFinding, ReportVerdict, Ruling
from dragoman.guards.json_text.lenient import extract_object
from dragoman.guards.report import (
    STATUS,
    NormalisedReport,
    check_report,
    check_report_syntax,
    detect_format,
    normalise_report,
    resembles_report,
    strict_report,
)
from dragoman.guards.secrets import scrubbed
from dragoman.language.patches import read_patch
from dragoman.language.patches.model import verdict


class OutputProfile(StrEnum):
    """How an output is checked. `auto` finds the format out and looks at the form alone."""

    REPORT = "report"
    PATCH = "patch"
    AUTO = "auto"


def check_output(
    text: str,
    profile: OutputProfile = OutputProfile.REPORT,
    *,
    strict_warnings: bool = False,
    kind: str = STATUS,
) -> ReportVerdict:
    match profile:
        case OutputProfile.REPORT if kind == STATUS:
            return _strictly(text, strict_warnings=strict_warnings)
        case OutputProfile.REPORT:
            return check_report(text, strict_warnings=strict_warnings, kind=kind)
        case OutputProfile.PATCH:
            return _check_patch(text)
        case OutputProfile.AUTO:
            match detect_format(text):
                case OutputFormat.REPORT:
                    return check_report_syntax(text)
                case OutputFormat.PATCH:
                    return _check_patch(text)
                case None:
                    return _empty()
        case _:
            assert_never(profile)


def _strictly(text: str, *, strict_warnings: bool) -> ReportVerdict:
    """The verdict as `strict_report` gives it: what the library refuses, the command refuses."""
    try:
        found = strict_report(text, strict_warnings).semantics
    except OutputValidationError as error:
        return error.verdict
    return ReportVerdict(
        Ruling.ACCEPT, None, OutputFormat.REPORT, found.is_valid, found.errors, found.warnings
    )


def normalised(text: str, *, kind: str = STATUS) -> NormalisedReport:
    """A report near enough to a valid one, made valid, with every change said."""
    return normalise_report(text, _extract, kind=kind)


def _extract(text: str) -> tuple[dict[str, Any] | None, tuple[Finding, ...]]:
    found = extract_object(text, contract=resembles_report)
    return found.value, tuple(Finding(warning.code, "", warning.message) for warning in found.warnings)


def _check_patch(text: str) -> ReportVerdict:
    read = read_patch(text, ascii_only=True)
    errors = tuple(_as_finding(finding) for finding in read.diagnostics)
    code = verdict(read.diagnostics)
    ruling = Ruling.ACCEPT if code is None else Ruling.REJECT
    return ReportVerdict(ruling, code, OutputFormat.PATCH, code is None, errors, ())


def _as_finding(finding: Diagnostic) -> ReportFinding:
    """A patch has lines where a report has fields."""
    path = f"line {finding.span.line}" if finding.span else ""
    message = f"{finding.message}; {finding.hint}" if finding.hint else finding.message
    return ReportFinding(finding.code, path, scrubbed(message), finding.severity)


def _empty() -> ReportVerdict:
    error = ReportFinding(ReportCode.EMPTY_OUTPUT, "", "the output is empty", Severity.ERROR)
    return ReportVerdict(Ruling.REJECT, ReportCode.EMPTY_OUTPUT, None, False, (error,), ())
