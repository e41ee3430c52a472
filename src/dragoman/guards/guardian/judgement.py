"""What the guardian says of a draft: policy first, then what it rests on, then what was promised of it.

Pure: no clock, no store, no language. Which words are definitive the languages say themselves.
"""

from collections.abc import Callable, Sequence
from typing import Final, final

from dragoman.contracts.errors import InternalError
from dragoman.contracts.roles import GuardianAction, GuardianReport, RiskLevel, Track, Verdict
from dragoman.contracts.stages import BUDGETS
from dragoman.guards.guardian.case import DraftForm, GuardianCase
from dragoman.guards.guardian.contract_rules import contract_faults, says_all
from dragoman.guards.guardian.draft_text import has_phrase
from dragoman.guards.guardian.evidence_rules import failing_evidence_rule, strong_items
from dragoman.guards.guardian.numbers import numbers_without_reference
from dragoman.guards.guardian.rules import Check, Reason, guardian_rules
from dragoman.guards.secrets import may_hold_secret, scrubbed

_SEAL: Final = object()
_HARM: Final = (RiskLevel.LOW, RiskLevel.MED, RiskLevel.HIGH)


@final
class Passed:
    """A draft that may go out: the ticket to Finalize. Only `judge` makes one."""

    __slots__ = ("draft", "report")

    def __init__(self, draft: str, report: GuardianReport, seal: object) -> None:
        if seal is not _SEAL or report.verdict is not Verdict.PASS:
            raise InternalError("only the guardian passes a draft")
        self.draft = draft
        self.report = report


def judge(
    case: GuardianCase, is_definitive: Callable[[str], bool] = lambda text: False
) -> Passed | GuardianReport:
    """Whether a draft may go out; otherwise why not, and what the next try does, or how the turn ends."""
    denied = _policy_faults(case)
    if denied:
        return GuardianReport(Verdict.FAIL, denied, (), RiskLevel.HIGH)
    if case.form is DraftForm.PHRASE:
        return _passed(case)
    if case.track is Track.FAST:
        light = _light_fault(case, is_definitive)
        return _refused(case, (light,)) if light is not None else _passed(case)
    lacks = failing_evidence_rule(case)
    single = lacks is not None and _single_will_do(case, lacks)
    if lacks is not None and not single:
        return _refused(case, (lacks,))
    faults = contract_faults(case)
    if faults:
        return _refused(case, faults)
    return _passed(case, *((Reason.SINGLE_SOURCE,) if single else ()))


def held_back(case: GuardianCase, reasons: Sequence[Reason]) -> GuardianReport:
    """What becomes of a draft that has passed, and that somebody else objects to: the same as if its guardian
    had found that. Nobody can let a draft out in this way."""
    if any(guardian_rules().faults[reason].check is Check.POLICY for reason in reasons):
        return GuardianReport(Verdict.FAIL, tuple(reasons), (), RiskLevel.HIGH)
    # What is to be found is looked for before anything is written again.
    ordered = sorted(reasons, key=lambda reason: guardian_rules().faults[reason].check is not Check.EVIDENCE)
    kind = guardian_rules().faults[ordered[0]].check
    return _refused(case, [each for each in ordered if guardian_rules().faults[each].check is kind])


def _policy_faults(case: GuardianCase) -> tuple[str, ...]:
    """A value that the database holds is the viewer's to see; what somebody wrote may repeat a secret."""
    if case.denied:
        return (Reason.POLICY_VIOLATION,)
    written = case.form is DraftForm.WRITTEN
    leaks = written and may_hold_secret(case.draft) and scrubbed(case.draft) != case.draft
    if not leaks:
        return ()
    return (Reason.SECRET,) if case.track is Track.FAST else (Reason.POLICY_VIOLATION, Reason.SECRET)


def _light_fault(case: GuardianCase, is_definitive: Callable[[str], bool]) -> Reason | None:
    """The quick look of the track FAST."""
    limits, text = guardian_rules().thresholds, case.draft.strip()
    if not text:
        return Reason.NO_DRAFT
    if any(has_phrase(text, each) for each in case.unsaid):
        return Reason.FORBIDDEN
    if not says_all(text, case):
        return Reason.NO_SECTION
    if case.form is DraftForm.COMPUTED:
        return None
    if len(text) < limits.shortest_draft:
        return Reason.TOO_SHORT
    if numbers_without_reference(text, case.admitted):
        return Reason.NUMBER_WITHOUT_EVIDENCE
    if len(case.admitted) < limits.certain_items and is_definitive(text):
        return Reason.CERTAIN_WITHOUT_EVIDENCE
    return None


def _single_will_do(case: GuardianCase, lacks: Reason) -> bool:
    """Whether nothing more was found in the end, and one strong item is there for a limited answer."""
    fault = guardian_rules().faults[lacks]
    return fault.single and case.retry_count >= BUDGETS[case.track] and bool(strong_items(case))


def _refused(case: GuardianCase, reasons: Sequence[Reason]) -> GuardianReport:
    """Another try, while the budget of the track lasts; then the way out."""
    faults = [guardian_rules().faults[reason] for reason in reasons]
    risk = max((fault.risk for fault in faults), key=_HARM.index)
    if case.retry_count < BUDGETS[case.track]:
        actions = dict.fromkeys(action for fault in faults for action in fault.actions)
        # The specific ones first: a draft is written again once all that is wrong with it is known.
        ordered = sorted(actions, key=lambda action: action is GuardianAction.REGENERATE_DRAFT)
        return GuardianReport(Verdict.RETRY, tuple(reasons), tuple(ordered), risk)
    asks = all(fault.check is Check.EVIDENCE for fault in faults)
    way_out = GuardianAction.ASK_MINIMAL_QUESTION if asks else GuardianAction.SAFE_REFUSAL
    return GuardianReport(Verdict.FAIL, tuple(reasons), (way_out,), risk)


def _passed(case: GuardianCase, *reasons: Reason) -> Passed:
    return Passed(case.draft, GuardianReport(Verdict.PASS, reasons, (), RiskLevel.LOW), _SEAL)
