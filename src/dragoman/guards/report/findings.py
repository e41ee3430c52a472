"""Collecting what is found: everything up to a bound, then one finding that says there is more."""

from collections.abc import Iterable
from itertools import islice

from dragoman.contracts.finding import Finding
from dragoman.contracts.program import Severity
from dragoman.contracts.report import ReportCode, ReportFinding

MAX_FINDINGS = 1000
"""More than a report of four lists of fifty items can earn, so that such a report has every error listed."""


def error(code: str, path: str, message: str) -> ReportFinding:
    return ReportFinding(code, path, message, Severity.ERROR)


def with_severity(finding: Finding, severity: Severity) -> ReportFinding:
    return ReportFinding(finding.code, finding.path, finding.message, severity)


def bounded(findings: Iterable[ReportFinding]) -> tuple[ReportFinding, ...]:
    """The first findings, all of them where they are few enough; the rest is not even computed."""
    rest = iter(findings)
    first = tuple(islice(rest, MAX_FINDINGS))
    if len(first) == MAX_FINDINGS and next(rest, None) is not None:
        message = f"there is more to find; the first {MAX_FINDINGS:,} errors are listed"
        return (*first, error(ReportCode.MORE_ERRORS, "", message))
    return first
