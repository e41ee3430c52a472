"""Status reports: what they say, what the guard finds in them, and how its findings are counted.

The names on the wire are those of the design; `is_valid` is written `isValid` and so on.
"""

from enum import StrEnum
from typing import NamedTuple

from dragoman.contracts.finding import Finding
from dragoman.contracts.program import Severity
from dragoman.contracts.record import Record


class ReportCode(StrEnum):
    """Every code of the report guard itself, outermost layer first.

    A finding can also carry the finer code of the JSON reader or of a role's contract.
    """

    UNKNOWN_KIND = "unknown_report_kind"
    EMPTY_OUTPUT = "empty_output"
    EMPTY_JSON = "empty_json_output"
    EMPTY_DIFF = "empty_diff_output"
    NON_ASCII = "non_ascii_output"
    INVALID_JSON = "invalid_json"
    INVALID_SCHEMA = "invalid_json_schema"
    COMPLETED_NOT_ARRAY = "completed_tasks_not_array"
    IN_PROGRESS_NOT_ARRAY = "in_progress_not_array"
    BLOCKERS_NOT_ARRAY = "blockers_not_array"
    NEXT_FOCUS_NOT_ARRAY = "next_focus_not_array"
    NOTES_NOT_STRING = "notes_not_string"
    SEMANTIC_FAILED = "semantic_validation_failed"
    SEMANTIC_WARNINGS = "semantic_validation_warnings"
    NEXT_FOCUS_EMPTY = "next_focus_empty"
    NOTES_EMPTY = "notes_empty"
    DUPLICATE_ITEMS = "duplicate_items_detected"
    TASK_LIST_CONFLICT = "task_list_conflict"
    BOUNDARY_EXCEEDED = "content_boundary_exceeded"
    MORE_ERRORS = "more_errors"


class Ruling(StrEnum):
    ACCEPT = "accept"
    REJECT = "reject"


class OutputFormat(StrEnum):
    REPORT = "report"
    PATCH = "patch"


class StatusReport(Record, frozen=True):
    """Where the work stands at the end of a turn or of a cycle of a run."""

    completed_tasks: tuple[str, ...]
    in_progress: tuple[str, ...]
    blockers: tuple[str, ...]
    next_focus: tuple[str, ...]
    notes: str


class ReportFinding(Record, frozen=True):
    """One cause, and whether it stops the report. `path` is dotted (`blockers.3`), empty for the whole."""

    code: str
    path: str
    message: str
    severity: Severity


class SemanticValidationContext(Record, frozen=True, rename="camel"):
    """Everything that was found. Warnings that were made strict stand among the errors as well."""

    errors: tuple[ReportFinding, ...]
    warnings: tuple[Finding, ...]
    is_valid: bool


class ReportVerdict(Record, frozen=True, rename="camel"):
    """What the guard says of one text. `code` is none where there is nothing against it, `format` where
    there is nothing at all."""

    verdict: Ruling
    code: str | None
    format: OutputFormat | None
    is_valid: bool
    errors: tuple[ReportFinding, ...]
    warnings: tuple[Finding, ...]

    @property
    def accepted(self) -> bool:
        return self.verdict is Ruling.ACCEPT

    @property
    def context(self) -> SemanticValidationContext:
        return SemanticValidationContext(self.errors, self.warnings, self.is_valid)


class StrictReport(NamedTuple):
    """A report that may be used, and everything that was found on the way: at most warnings."""

    data: StatusReport
    semantics: SemanticValidationContext


class ValidationMode(StrEnum):
    """Whether outputs are checked, and whether a failed check stops them."""

    DISABLED = "disabled"
    SHADOW = "shadow"
    ENFORCE = "enforce"


class OutputValidationSettings(Record, frozen=True, rename="camel"):
    """The mode that was asked for, and the one that holds: without the canary nothing is enforced."""

    configured_mode: ValidationMode
    effective_mode: ValidationMode
    canary_acknowledged: bool


class Recovery(StrEnum):
    """What was done about an output that failed."""

    RETRY = "retry"
    REASSIGNMENT = "reassignment"
    FAILURE = "failure"


class Recoveries(Record, frozen=True):
    retries: int
    reassignments: int
    failures: int


class ValidationMetrics(Record, frozen=True, rename="camel"):
    """`recent_failure_rate` is failures per check of the last hour, `retry_rate` retries per failure of all
    time; both are 0 where there is nothing to divide by."""

    total_failures: int
    failures_last_hour: int
    recent_failure_rate: float
    failures_by_code: dict[str, int]
    shadow_failures: int
    enforced_failures: int
    mode: ValidationMode
    canary_acknowledged: bool
    retry_rate: float
    recoveries: Recoveries


class OutputValidationFailureEvent(Record, frozen=True, rename="camel"):
    """An output that failed its check, for whoever listens. `output` is cut short and has no secrets."""

    task: str
    agent: str
    output: str
    error: str
    mode: ValidationMode
    agent_type: str
    code: str
    enforced: bool
