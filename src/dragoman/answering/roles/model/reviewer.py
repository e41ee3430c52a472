"""A model beside the guardian: it looks at what has passed, and may only hold it back."""

from dragoman.answering.roles.model.accepted import accepted
from dragoman.answering.roles.model.briefing import Texts, data_of_case, request_to
from dragoman.answering.roles.model.interview import Interview, Unfit
from dragoman.contracts.model_settings import ModelRole
from dragoman.contracts.roles import GuardianReport, Role, Verdict
from dragoman.guards.guardian import GuardianCase, Reason, guardian_rules
from dragoman.guards.roles import role_schema


class ModelReviewer:
    def __init__(self, interview: Interview, texts: Texts) -> None:
        self._interview = interview
        self._texts = texts

    def objections(self, case: GuardianCase) -> tuple[Reason, ...]:
        """The reasons that it has against a draft; none where it has none, or says nothing that passes."""
        data, values = data_of_case(case)
        told = {**data, "reasons": [str(each) for each in guardian_rules().faults]}
        request = request_to(ModelRole.GUARDIAN, self._texts, told, values, role_schema(Role.GUARDIAN))
        report = self._interview.ask(ModelRole.GUARDIAN, request, _read)
        if report is None or report.verdict is Verdict.PASS:
            return ()
        return tuple(Reason(each) for each in report.reasons)


def _read(text: str) -> GuardianReport | Unfit:
    report = accepted(Role.GUARDIAN, GuardianReport, text)
    if isinstance(report, Unfit):
        return report
    known = {str(each) for each in guardian_rules().faults}
    unknown = [each for each in report.reasons if each not in known]
    if report.verdict is not Verdict.PASS and unknown:
        return Unfit(f"reasons: {unknown[0][:80]!r} is no reason; they are {', '.join(sorted(known))}")
    return report
