"""Whether a draft may go out: thresholds and faults as data, three checks in one order, one verdict."""

from dragoman.guards.guardian.case import DraftForm, GuardianCase
from dragoman.guards.guardian.evidence_rules import is_status
from dragoman.guards.guardian.judgement import Passed, held_back, judge
from dragoman.guards.guardian.rules import Check, Reason, check_of, guardian_rules

__all__ = [
    "Check",
    "DraftForm",
    "GuardianCase",
    "Passed",
    "Reason",
    "check_of",
    "guardian_rules",
    "held_back",
    "is_status",
    "judge",
]
