"""What the loaded data cover: with rules, with none, with rules of others, and the gate that comes of it."""

import datetime as dt
from typing import Final

import pytest

from dragoman.answering.coverage import closed_gate, coverage_of, open_gate
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.coverage import CoverageRule
from dragoman.catalog.verbs import ORGANIZATION
from dragoman.contracts.state import DateScope, EntityRef
from dragoman.contracts.vocabulary import (
    CarryoverDepth,
    CoverageStatus,
    EvidenceGrade,
    GroundingStatus,
    TruthMode,
)
from dragoman.planning.contract import Request
from dragoman.planning.packs.anchors import DATE, Anchored, bind
from dragoman.planning.packs.root_request import complete

WAREHOUSE: Final = "warehouse"
ALFA: Final = EntityRef(ORGANIZATION, "1", "Alfa Trade")
NORTH: Final = EntityRef(WAREHOUSE, "2", "North")
MARCH: Final = DateScope(dt.date(2020, 3, 1), dt.date(2020, 3, 31))
WHOLE: Final = (dt.date(2020, 1, 1), dt.date(2020, 12, 31))
FULL, PARTIAL, BLOCKED = CoverageStatus.FULL, CoverageStatus.PARTIAL, CoverageStatus.BLOCKED


def rule(
    status: str = "full",
    *,
    pack: str = "trade",
    domain: str = "inventory",
    scopes: tuple[tuple[str, str], ...] = (),
    days: tuple[dt.date, dt.date] = WHOLE,
) -> CoverageRule:
    return CoverageRule(pack, domain, scopes, *days, status, "so it is" if status != "full" else "")


def asked(catalog: Catalog, *, dates: DateScope | None = MARCH, warehouse: bool = False) -> Request:
    verb = catalog.verbs["inventory.stock"]
    anchors = {ORGANIZATION: Anchored(entity=ALFA)}
    if dates is not None:
        anchors[DATE] = Anchored(dates=dates)
    if warehouse:
        anchors[WAREHOUSE] = Anchored(entity=NORTH)
    return complete(verb, anchors, bind(verb, anchors), catalog)


@pytest.mark.parametrize(
    ("rules", "status", "code"),
    [
        ((), FULL, ""),
        ((rule(domain="sales"),), FULL, ""),
        ((rule(pack="funds"),), FULL, ""),
        ((rule(),), FULL, ""),
        ((rule("partial"),), PARTIAL, "partly_loaded"),
        ((rule("failed"),), BLOCKED, "source_failed"),
        ((rule(), rule("failed")), BLOCKED, "source_failed"),
        ((rule(scopes=((ORGANIZATION, "1"),)),), FULL, ""),
        ((rule(scopes=((ORGANIZATION, "2"),)),), BLOCKED, "not_loaded"),
        ((rule(days=(dt.date(2020, 1, 1), dt.date(2020, 3, 30))),), BLOCKED, "not_loaded"),
        ((rule(), rule("failed", scopes=((WAREHOUSE, "2"),))), FULL, ""),
    ],
)
def test_a_request_is_covered_as_the_rules_of_its_domain_say(
    trade: Catalog, rules: tuple[CoverageRule, ...], status: CoverageStatus, code: str
) -> None:
    catalog = trade.with_coverage(rules)
    coverage = coverage_of(asked(catalog), catalog)
    assert (coverage.status, coverage.code) == (status, code)


def test_a_rule_of_a_filter_holds_where_the_filter_is(trade: Catalog) -> None:
    rules = (rule(), rule("failed", scopes=((WAREHOUSE, "2"),)))
    catalog = trade.with_coverage(rules)
    assert coverage_of(asked(catalog, warehouse=True), catalog).status is BLOCKED
    assert coverage_of(asked(catalog), catalog).status is FULL


def test_what_has_no_date_is_covered_by_whatever_there_is(trade: Catalog) -> None:
    catalog = trade.with_coverage((rule("failed"),))
    assert coverage_of(asked(catalog, dates=None), catalog).status is FULL


def test_a_gap_says_its_first_day_and_what_there_is(trade: Catalog) -> None:
    days = (dt.date(2020, 1, 1), dt.date(2020, 2, 29))
    catalog = trade.with_coverage((rule(days=days),))
    coverage = coverage_of(asked(catalog), catalog)
    assert (coverage.gap, coverage.loaded) == (dt.date(2020, 3, 31), days)


# The gate.


def test_a_result_that_nothing_limits_is_confirmed() -> None:
    gate = open_gate(("", ""), checked=True)
    assert (gate.truth_mode, gate.coverage_status, gate.reason_codes) == (TruthMode.CONFIRMED, FULL, ())
    assert (gate.evidence_grade, gate.grounding_status) == (EvidenceGrade.CHECKED, GroundingStatus.GROUNDED)


def test_whatever_limits_a_result_is_named_once() -> None:
    gate = open_gate(("truncated", "", "truncated", "unsure"), checked=False)
    assert gate.reason_codes == ("truncated", "unsure", "control_check_failed")
    assert (gate.truth_mode, gate.coverage_status) == (TruthMode.LIMITED, PARTIAL)
    assert gate.evidence_grade is EvidenceGrade.SINGLE


def test_nothing_is_carried_from_a_boundary() -> None:
    gate = closed_gate("not_loaded")
    assert (gate.truth_mode, gate.coverage_status) == (TruthMode.UNSUPPORTED, BLOCKED)
    assert gate.carryover_eligibility is CarryoverDepth.META_ONLY
