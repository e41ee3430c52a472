"""A case as a JSON document, for whoever asks the guardian from outside."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from dragoman.contracts.answer import EvidenceItem
from dragoman.contracts.decoding import converted
from dragoman.contracts.finding import Finding
from dragoman.contracts.record import Record
from dragoman.contracts.roles import (
    ArchitectSpec,
    EvidenceSource,
    GuardianReport,
    OutputSchemaId,
    RequestType,
    ResponseFormat,
    Track,
)
from dragoman.contracts.vocabulary import CoverageStatus
from dragoman.guards.guardian.case import GuardianCase
from dragoman.guards.guardian.judgement import Passed, judge
from dragoman.guards.secrets import scrubbed

INVALID_CASE = "invalid_case"


class _Spec(Record, frozen=True):
    """A specification of which only what matters is given."""

    response_format: ResponseFormat = ResponseFormat.MARKDOWN
    domain_terms: tuple[str, ...] = ()
    forbidden_content: tuple[str, ...] = ()
    required_sections: tuple[str, ...] = ()


class _Coverage(msgspec.Struct, frozen=True):
    """What the gate said; the rest of it decides nothing here."""

    coverage_status: CoverageStatus


class _Case(msgspec.Struct, frozen=True):
    request_type: RequestType
    track: Track
    retry_count: int = 0
    evidence: tuple[EvidenceItem, ...] = ()
    draft: str | dict[str, Any] | None = None
    spec: _Spec | None = None
    coverage: str | _Coverage | None = None
    configured: tuple[EvidenceSource, ...] | None = None
    denied: tuple[str, ...] = ()
    shape: OutputSchemaId | None = None


def judge_document(
    document: Mapping[str, Any], is_definitive: Callable[[str], bool]
) -> GuardianReport | Finding:
    """The report on a case, or what keeps it from being one."""
    try:
        read = converted(dict(document), _Case)
        case = _case(read)
    except msgspec.ValidationError as error:
        return Finding(INVALID_CASE, "", scrubbed(str(error)))
    judged = judge(case, is_definitive)
    return judged.report if isinstance(judged, Passed) else judged


def _case(read: _Case) -> GuardianCase:
    if read.retry_count < 0:
        raise msgspec.ValidationError("retry_count must not be negative")
    if any(not 0.0 <= each.confidence <= 1.0 for each in read.evidence):
        raise msgspec.ValidationError("the confidence of an item must lie between 0 and 1")
    draft = json.dumps(read.draft, ensure_ascii=False) if isinstance(read.draft, dict) else read.draft or ""
    spec = read.spec
    return GuardianCase(
        request_type=read.request_type,
        track=read.track,
        retry_count=read.retry_count,
        evidence=read.evidence,
        draft=draft,
        spec=None
        if spec is None
        else ArchitectSpec(
            spec.response_format, spec.domain_terms, spec.forbidden_content, spec.required_sections
        ),
        coverage=_status(read.coverage),
        configured=read.configured,
        denied=read.denied,
        shape=read.shape,
    )


def _status(coverage: str | _Coverage | None) -> CoverageStatus | None:
    if coverage is None or isinstance(coverage, _Coverage):
        return coverage.coverage_status if coverage is not None else None
    return converted(coverage, CoverageStatus)
