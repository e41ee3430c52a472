"""The report guard: status reports and other outputs of agents, checked strictly, written and normalised."""

from dragoman.guards.report.findings import MAX_FINDINGS
from dragoman.guards.report.kinds import STATUS, FieldType, Limits, ReportKind, report_kinds
from dragoman.guards.report.normalisation import (
    Change,
    Extract,
    NormalisedReport,
    normalise_report,
    resembles_report,
)
from dragoman.guards.report.report_check import check_report, check_report_syntax, strict_report
from dragoman.guards.report.report_writer import AWAIT_USER, make_report, report_text, written_report
from dragoman.guards.report.text import detect_format

__all__ = [
    "AWAIT_USER",
    "MAX_FINDINGS",
    "STATUS",
    "Change",
    "Extract",
    "FieldType",
    "Limits",
    "NormalisedReport",
    "ReportKind",
    "check_report",
    "check_report_syntax",
    "detect_format",
    "make_report",
    "normalise_report",
    "report_kinds",
    "report_text",
    "resembles_report",
    "strict_report",
    "written_report",
]
