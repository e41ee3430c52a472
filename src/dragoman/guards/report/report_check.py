"""The report guard: trimming, emptiness, ASCII, strict JSON, the closed schema, then what it all means.

Each step ends the check where it fails; the last two collect everything that is wrong. Nothing is repaired.
"""

from collections.abc import Iterator
from typing import Any

from dragoman.contracts.errors import OutputValidationError
from dragoman.contracts.finding import Finding
from dragoman.contracts.program import Severity
from dragoman.contracts.report import (
    OutputFormat,
    ReportCode,
    ReportFinding,
    ReportVerdict,
    Ruling,
    StatusReport,
    StrictReport,
)
from dragoman.guards.json_text.model import JsonRefusal
from dragoman.guards.json_text.strict import read_strict
from dragoman.guards.report.findings import bounded, error, with_severity
from dragoman.guards.report.kinds import LISTS, NOTES, STATUS, ReportKind, report_kinds
from dragoman.guards.report.schema import schema_findings
from dragoman.guards.report.semantics import semantic_findings
from dragoman.guards.report.text import quoted, refused_character, trimmed
from dragoman.guards.secrets import scrubbed


def check_report(text: object, *, strict_warnings: bool = False, kind: str = STATUS) -> ReportVerdict:
    """Both layers. The top code is the syntactic one or says that the meaning failed; `errors` has them all.

    Warnings that are made strict reject the report but do not make it invalid.
    """
    schema = report_kinds().get(kind)
    if schema is None:
        return _refusal(ReportCode.UNKNOWN_KIND, f"there is no kind of report {quoted(kind)}")
    value = _well_formed(text, schema)
    if isinstance(value, ReportVerdict):
        return value
    return _verdict(None) if schema.role else _judged(value, schema, strict_warnings=strict_warnings)


def strict_report(text: str, throw_on_warnings: bool = False) -> StrictReport:
    """The status report in a text, or an `OutputValidationError` that says everything that is wrong with it.

    Warnings alone are told in `semantics` and let the report pass, unless they shall be errors.

    >>> lists = '"completed_tasks": ["A"], "in_progress": [], "blockers": [], "next_focus": ["B"]'
    >>> text = f'{{{lists}, "notes": "B comes next"}}'
    >>> data, semantics = strict_report(text)
    >>> data.next_focus, semantics.is_valid
    (('B',), True)
    """
    schema = report_kinds()[STATUS]
    value = _well_formed(text, schema)
    if isinstance(value, ReportVerdict):
        raise OutputValidationError(value)
    verdict = _judged(value, schema, strict_warnings=throw_on_warnings)
    if not verdict.accepted:
        raise OutputValidationError(verdict)
    data = StatusReport(**{field: tuple(value[field]) for field in LISTS}, notes=value[NOTES])
    return StrictReport(data, verdict.context)


def _judged(value: dict[str, Any], schema: ReportKind, *, strict_warnings: bool) -> ReportVerdict:
    """The second layer: the verdict on a status report that is well formed."""
    found, warnings = semantic_findings(value, schema)
    if errors := bounded(found):
        return _verdict(ReportCode.SEMANTIC_FAILED, errors, warnings, strict=strict_warnings)
    if warnings and strict_warnings:
        return _verdict(ReportCode.SEMANTIC_WARNINGS, (), warnings, strict=True)
    return _verdict(None, (), warnings)


def check_report_syntax(text: object) -> ReportVerdict:
    """The first layer alone."""
    value = _well_formed(text, report_kinds()[STATUS])
    return value if isinstance(value, ReportVerdict) else _verdict(None)


def _well_formed(text: object, kind: ReportKind) -> dict[str, Any] | ReportVerdict:
    """The object of a report that passes the first layer, or the verdict on one that does not."""
    if not isinstance(text, str):
        return _refusal(ReportCode.INVALID_JSON, "the output is no text")
    body = trimmed(text)
    if not body:
        return _refusal(ReportCode.EMPTY_JSON, "the output is empty")
    if (place := refused_character(body)) is not None:
        return _refusal(ReportCode.NON_ASCII, _refused_message(body, place))
    value = read_strict(body)
    if isinstance(value, JsonRefusal):
        # The reader's message can repeat a key of the output.
        refusal = error(value.code, "", scrubbed(value.message))
        return _verdict(ReportCode.INVALID_JSON, (refusal,))
    found = _role_findings(value, kind.role) if kind.role else schema_findings(value, kind)
    if findings := bounded(found):
        return _verdict(ReportCode.INVALID_SCHEMA, findings)
    report: dict[str, Any] = value
    return report


def _role_findings(value: Any, role: str) -> Iterator[ReportFinding]:
    # Most outputs are status reports, which need none of the contracts of the roles.
    from dragoman.guards.roles import validate_role_output

    for finding in validate_role_output(role, value):
        yield with_severity(finding, Severity.ERROR)


def _refused_message(text: str, place: int) -> str:
    line = text.count("\n", 0, place) + 1
    column = place - (text.rfind("\n", 0, place) + 1) + 1
    character = f"U+{ord(text[place]):04X}"
    return f"the character {character} at line {line}, column {column} must be written as an escape"


def _refusal(code: ReportCode, message: str) -> ReportVerdict:
    return _verdict(code, (error(code, "", message),))


def _verdict(
    code: ReportCode | None,
    errors: tuple[ReportFinding, ...] = (),
    warnings: tuple[Finding, ...] = (),
    *,
    strict: bool = False,
) -> ReportVerdict:
    ruling = Ruling.ACCEPT if code is None else Ruling.REJECT
    held = tuple(with_severity(finding, Severity.WARNING) for finding in warnings) if strict else ()
    return ReportVerdict(ruling, code, OutputFormat.REPORT, not errors, errors + held, warnings)
