"""The guardian's thresholds and its table of faults, read from data that ships with the package."""

from enum import StrEnum
from functools import cache
from importlib.resources import files

from dragoman.contracts.decoding import converted
from dragoman.contracts.record import Record
from dragoman.contracts.roles import GuardianAction, RequestType, RiskLevel


class Reason(StrEnum):
    """Why a draft may not go out as it is. `SINGLE_SOURCE` is why one may go out only as a limited answer."""

    POLICY_VIOLATION = "policy_violation"
    SECRET = "secret_in_draft"  # noqa: S105
    TOO_FEW_ITEMS = "insufficient_evidence_count"
    TOO_FEW_SOURCES = "low_source_diversity"
    STATUS_WITH_DOC = "status_request_must_not_use_doc_as_primary"
    STATUS_WITHOUT_DB = "status_request_requires_db"
    NO_DOC_OR_POLICY = "design_policy_requires_doc_or_policy"
    NO_DB_OR_GRAPH = "troubleshooting_requires_db_or_graph"
    LOW_CONFIDENCE = "low_evidence_confidence"
    NUMBER_WITHOUT_EVIDENCE = "number_without_evidence"
    CERTAIN_WITHOUT_EVIDENCE = "definitive_without_evidence"
    TOO_SHORT = "draft_too_short"
    NO_DRAFT = "no_draft_answer"
    NO_SECTION = "missing_required_sections"
    FORBIDDEN = "forbidden_content_detected"
    NO_TERM = "domain_terms_not_used"
    NUMBER_WITHOUT_REFERENCE = "numbers_without_evidence_reference"
    BROKEN_JSON = "invalid_json_format"
    SINGLE_SOURCE = "single_source"


class Check(StrEnum):
    """The three checks, in their order. What an evidence fault needs is looked for again, what a draft fault
    needs is written again."""

    POLICY = "policy"
    EVIDENCE = "evidence"
    DRAFT = "draft"


class Fault(Record, frozen=True):
    """One row of the table."""

    check: Check
    actions: tuple[GuardianAction, ...] = ()
    risk: RiskLevel = RiskLevel.MED
    single: bool = False


class Thresholds(Record, frozen=True):
    least_items: int
    least_sources: int
    least_confidence: float
    shortest_draft: int
    certain_items: int


class GuardianRules(Record, frozen=True):
    thresholds: Thresholds
    document_types: frozenset[RequestType]
    control_checks: frozenset[str]
    faults: dict[Reason, Fault]


@cache
def guardian_rules() -> GuardianRules:
    import yaml

    text = files("dragoman.guards.guardian").joinpath("rules.yaml").read_text(encoding="utf-8")
    return converted(yaml.load(text, Loader=yaml.CSafeLoader), GuardianRules)


def check_of(reason: str) -> Check | None:
    """To which check a reason belongs; None where it is no fault."""
    fault = guardian_rules().faults.get(Reason(reason))
    return fault.check if fault is not None else None
