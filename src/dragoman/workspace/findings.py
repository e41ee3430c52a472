"""What a compilation found, as every door shows it: objects with their places, lines, one error for all."""

from collections.abc import Sequence

from dragoman.contracts.errors import ProgramRefused
from dragoman.contracts.program import Diagnostic, Severity
from dragoman.guards.secrets import scrubbed


def finding_object(finding: Diagnostic) -> dict[str, object]:
    span = finding.span
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": scrubbed(finding.message),
        "hint": finding.hint,
        "line": span.line if span else None,
        "column": span.column if span else None,
        "end_line": span.end_line if span else None,
        "end_column": span.end_column if span else None,
    }


def refusal(findings: Sequence[Diagnostic], name: str = "") -> ProgramRefused:
    """The error of a program that has errors, with everything that was found."""
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    return ProgramRefused(
        f"{name or 'the program'} has {errors} error{'s' if errors != 1 else ''}",
        findings=[_line(finding) for finding in findings],
        diagnostics=[finding_object(finding) for finding in findings],
    )


def _line(finding: Diagnostic) -> str:
    where = f"{finding.span.line}:{finding.span.column}: " if finding.span else ""
    return f"{where}{finding.code}: {finding.message}"
