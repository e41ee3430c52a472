"""How far may be carried from a program that is in hand and was not run: all of it."""

from dragoman.contracts.answer import CoverageGateState
from dragoman.contracts.vocabulary import (
    CarryoverDepth,
    CoverageStatus,
    EvidenceGrade,
    GroundingStatus,
    TruthMode,
)


def of_program(truth: TruthMode = TruthMode.CONFIRMED) -> CoverageGateState:
    return CoverageGateState(
        coverage_status=CoverageStatus.FULL,
        evidence_grade=EvidenceGrade.DECLARED,
        grounding_status=GroundingStatus.GROUNDED,
        truth_mode=truth,
        carryover_eligibility=CarryoverDepth.FULL,
    )
