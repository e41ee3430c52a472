"""Whether a draft may go out: thresholds and faults as data, three checks in one order, one verdict."""

from dragoman.guards.guardian.case import DraftForm, GuardianCase
from dragoman.guards.guardian.judgement import Passed, judge
from dragoman.guards.guardian.rules import Check, Reason, check_of, guardian_rules

__all__ = [
    "Check",
    "DraftForm",
    "GuardianCase",
    "Passed",
    "Reason",
    "check_of",
    "guardian_rules",
    "judge",
]
