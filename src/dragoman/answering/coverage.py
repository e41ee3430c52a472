"""The coverage gate: what the loaded data cover of what was asked, decided before anything runs."""

import datetime as dt
from collections.abc import Iterable

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.coverage import CoverageRule
from dragoman.contracts.answer import CoverageGateState
from dragoman.contracts.pack import DateUse
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import (
    CarryoverDepth,
    CoverageStatus,
    EvidenceGrade,
    GroundingStatus,
    TruthMode,
)
from dragoman.planning.contract import Request

_STATUS = {
    "full": CoverageStatus.FULL,
    "partial": CoverageStatus.PARTIAL,
    "failed": CoverageStatus.BLOCKED,
}


class Coverage(Record, frozen=True):
    """How much is covered. `reason` is the rule's own; where there is none, `gap` is the first day without
    data and `loaded` what there is."""

    status: CoverageStatus
    code: str = ""
    reason: str = ""
    gap: dt.date | None = None
    loaded: tuple[dt.date, dt.date] | None = None


def coverage_of(request: Request, catalog: Catalog) -> Coverage:
    """The worst that any day of the request has; a day that no rule of the domain speaks of is not covered.

    A domain of which the pack says nothing at all is taken as it is.
    """
    pack, domain = request.verb.pack.pack, request.verb.domain
    declared = [rule for rule in catalog.coverage if rule.pack == pack and rule.domain == domain]
    # Rules are promises of the pack. Where it promises nothing, there is nothing to hold the data to.
    if not declared or request.dates is None:
        return Coverage(CoverageStatus.FULL)
    rules = [rule for rule in declared if _concerns(rule, request)]
    as_of = request.verb.date_use is DateUse.AS_OF
    # A balance on a day needs that day alone to be loaded, not the month before it.
    start, end = (request.dates.end if as_of else request.dates.start), request.dates.end
    touching = [rule for rule in rules if rule.start <= end and rule.end >= start]
    failed = next((rule for rule in touching if _STATUS[rule.status] is CoverageStatus.BLOCKED), None)
    if failed is not None:
        return Coverage(CoverageStatus.BLOCKED, "source_failed", failed.reason)
    gap = _first_gap(touching, start, end)
    if gap is not None:
        return Coverage(CoverageStatus.BLOCKED, "not_loaded", "", gap, _span(rules))
    partial = next((rule for rule in touching if _STATUS[rule.status] is CoverageStatus.PARTIAL), None)
    if partial is not None:
        return Coverage(CoverageStatus.PARTIAL, "partly_loaded", partial.reason)
    return Coverage(CoverageStatus.FULL)


def _concerns(rule: CoverageRule, request: Request) -> bool:
    bound = {request.organization} | set(request.narrowed)
    keys = {(entity.kind, entity.id) for entity in bound if entity is not None}
    return all(scope in keys for scope in rule.scopes)


def _first_gap(rules: Iterable[CoverageRule], start: dt.date, end: dt.date) -> dt.date | None:
    """The first day from start to end that no rule contains."""
    day = start
    for rule in sorted(rules, key=lambda rule: rule.start):
        if rule.start > day:
            return day
        if rule.end >= day:
            if rule.end >= end:
                return None
            day = rule.end + dt.timedelta(days=1)
    return day


def _span(rules: list[CoverageRule]) -> tuple[dt.date, dt.date] | None:
    return (min(r.start for r in rules), max(r.end for r in rules)) if rules else None


def open_gate(codes: tuple[str, ...], *, checked: bool) -> CoverageGateState:
    """The gate of a result that was read: whatever limits it stands in `codes`."""
    codes = tuple(dict.fromkeys(code for code in (*codes, "" if checked else "control_check_failed") if code))
    partial = bool(codes)
    return CoverageGateState(
        coverage_status=CoverageStatus.PARTIAL if partial else CoverageStatus.FULL,
        evidence_grade=EvidenceGrade.CHECKED if checked else EvidenceGrade.SINGLE,
        grounding_status=GroundingStatus.PARTIALLY_GROUNDED if partial else GroundingStatus.GROUNDED,
        truth_mode=TruthMode.LIMITED if partial else TruthMode.CONFIRMED,
        # A limited answer is still an answer: its slice may be carried on.
        carryover_eligibility=CarryoverDepth.FULL,
        reason_codes=codes,
    )


def closed_gate(code: str, truth_mode: TruthMode = TruthMode.UNSUPPORTED) -> CoverageGateState:
    """The gate of a boundary: nothing may be carried from it, but it may be asked about."""
    return CoverageGateState(
        coverage_status=CoverageStatus.BLOCKED,
        evidence_grade=EvidenceGrade.NONE,
        grounding_status=GroundingStatus.UNGROUNDED,
        truth_mode=truth_mode,
        # A follow-up must not carry from a refusal, and "why not?" must reach it.
        carryover_eligibility=CarryoverDepth.META_ONLY,
        reason_codes=(code,),
    )
