"""What the roles hand over: the analyst a plan, the architect a specification, the guardian a report.

Stages speak to each other in these records only; free text stands in the draft and the answer, nowhere else.
The guard of roles is the one place that makes them out of what a model wrote.
"""

from enum import StrEnum

from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import EvidenceSource

__all__ = [
    "AnalystPlan",
    "ArchitectSpec",
    "EvidenceItem",
    "EvidenceSource",
    "GuardianAction",
    "GuardianReport",
    "OutputSchemaId",
    "RequestType",
    "ResponseFormat",
    "RiskLevel",
    "Role",
    "RoleOutput",
    "Track",
    "Verdict",
]


class Role(StrEnum):
    """Who speaks: `ANALYST` says what is asked and what it needs, `ARCHITECT` how the answer must look,
    `GUARDIAN` whether the draft may go out."""

    ANALYST = "ANALYST"
    ARCHITECT = "ARCHITECT"
    GUARDIAN = "GUARDIAN"


class RequestType(StrEnum):
    """What kind of request it is. Which evidence each kind needs stands in the policy of request types."""

    STATUS_METRIC = "STATUS_METRIC"
    STATUS_SUMMARY = "STATUS_SUMMARY"
    STATUS_LIST = "STATUS_LIST"
    HOWTO_POLICY = "HOWTO_POLICY"
    DESIGN_ARCH = "DESIGN_ARCH"
    DATA_DEFINITION = "DATA_DEFINITION"
    TROUBLESHOOTING = "TROUBLESHOOTING"
    KNOWLEDGE_QA = "KNOWLEDGE_QA"
    CASUAL = "CASUAL"


class Track(StrEnum):
    """How much care a request gets: `FAST` is plan, evidence, draft and a light check; `QUALITY` adds the
    architect's specification and the guardian."""

    FAST = "FAST"
    QUALITY = "QUALITY"


class OutputSchemaId(StrEnum):
    """The shapes an answer may be promised in."""

    ANSWER_V1_MARKDOWN = "answer_v1_markdown"
    STATUS_V1_JSON = "status_v1_json"


class ResponseFormat(StrEnum):
    """How the text of an answer is written."""

    MARKDOWN = "markdown"
    JSON = "json"
    HYBRID = "hybrid"


class Verdict(StrEnum):
    """What the guardian says of a draft: it goes out, it never will, or it is made again."""

    PASS = "PASS"  # noqa: S105
    FAIL = "FAIL"
    RETRY = "RETRY"


class RiskLevel(StrEnum):
    """How much harm a wrong answer could do."""

    LOW = "low"
    MED = "med"
    HIGH = "high"


class GuardianAction(StrEnum):
    """What the next try does otherwise. Closed, so that every action can be wired to what carries it out."""

    ADD_EVIDENCE = "ADD_EVIDENCE"
    RETRIEVE_MORE = "RETRIEVE_MORE"
    DIVERSIFY_SOURCES = "DIVERSIFY_SOURCES"
    RETRIEVE_DB = "RETRIEVE_DB"
    RETRIEVE_NEO4J = "RETRIEVE_NEO4J"
    RETRIEVE_DOC = "RETRIEVE_DOC"
    RETRIEVE_POLICY = "RETRIEVE_POLICY"
    REMOVE_DOC_EVIDENCE = "REMOVE_DOC_EVIDENCE"
    USE_DB_ONLY = "USE_DB_ONLY"
    REFINE_QUERY = "REFINE_QUERY"
    ADD_REQUIRED_SECTIONS = "ADD_REQUIRED_SECTIONS"
    REGENERATE_DRAFT = "REGENERATE_DRAFT"
    REMOVE_FORBIDDEN_CONTENT = "REMOVE_FORBIDDEN_CONTENT"
    USE_DOMAIN_TERMS = "USE_DOMAIN_TERMS"
    ASK_MINIMAL_QUESTION = "ASK_MINIMAL_QUESTION"
    SAFE_REFUSAL = "SAFE_REFUSAL"
    ADD_EVIDENCE_REFERENCES = "ADD_EVIDENCE_REFERENCES"
    FIX_JSON_FORMAT = "FIX_JSON_FORMAT"


class AnalystPlan(Record, frozen=True):
    """What is asked and what an answer needs. It opens the search for evidence."""

    intent: str
    request_type: RequestType
    track: Track
    required_sources: tuple[EvidenceSource, ...]
    missing_info_questions: tuple[str, ...]
    expected_output_schema: OutputSchemaId


class ArchitectSpec(Record, frozen=True):
    """How the answer must look. It opens the writing of the draft."""

    response_format: ResponseFormat
    domain_terms: tuple[str, ...]
    forbidden_content: tuple[str, ...]
    required_sections: tuple[str, ...]


class GuardianReport(Record, frozen=True):
    """What was found in the draft. Only with the verdict PASS does it open the answer."""

    verdict: Verdict
    reasons: tuple[str, ...]
    required_actions: tuple[GuardianAction, ...]
    risk_level: RiskLevel


RoleOutput = AnalystPlan | ArchitectSpec | GuardianReport
