"""A model as the analyst: it says what is asked of the program that was chosen."""

from typing import Final

from msgspec.structs import replace

from dragoman.answering.roles.analyst import EmbeddedAnalyst, program_of
from dragoman.answering.roles.model.accepted import accepted
from dragoman.answering.roles.model.briefing import Texts, data_of_question, request_to
from dragoman.answering.roles.model.interview import Interview, Unfit
from dragoman.contracts.model_settings import ModelRole
from dragoman.contracts.roles import AnalystPlan, OutputSchemaId, RequestType, Role
from dragoman.guards.guardian import is_status
from dragoman.guards.roles import request_policy, role_schema
from dragoman.planning.contract import Asked, Proposal
from dragoman.session.routing import Routing

_OF_DATA: Final = tuple(
    request_policy(each).priority for each in (RequestType.STATUS_METRIC, RequestType.TROUBLESHOOTING)
)
"""Where types are looked for that the rows of a program answer."""


class ModelAnalyst:
    """Asked where something is read; whatever else a turn is, the embedded analyst knows."""

    def __init__(self, interview: Interview, texts: Texts) -> None:
        self._interview = interview
        self._texts = texts
        self._own = EmbeddedAnalyst()

    def plan(self, asked: Asked, proposal: Proposal, routing: Routing) -> AnalystPlan:
        embedded = self._own.plan(asked, proposal, routing)
        program = program_of(asked, proposal, routing)
        if not program or proposal.asks is not None or not proposal.candidates:
            return embedded
        data, values = data_of_question(asked, program)
        request = request_to(ModelRole.ANALYST, self._texts, data, values, role_schema(Role.ANALYST))
        plan = self._interview.ask(ModelRole.ANALYST, request, lambda text: _read(text, embedded))
        return plan or embedded


def _read(text: str, embedded: AnalystPlan) -> AnalystPlan | Unfit:
    plan = accepted(Role.ANALYST, AnalystPlan, text)
    if isinstance(plan, Unfit):
        return plan
    # Small talk needs no evidence: to call a reading that would let it out unproved.
    if plan.request_type is RequestType.CASUAL:
        return Unfit("request_type: something is read for this question, so it is no small talk")
    of_texts = request_policy(embedded.request_type).priority not in _OF_DATA
    if of_texts is (request_policy(plan.request_type).priority in _OF_DATA):
        read = "documents" if of_texts else "a database"
        return Unfit(f"request_type: the program reads {read}, which {plan.request_type} does not")
    status = is_status(plan.request_type)
    shape = OutputSchemaId.STATUS_V1_JSON if status else OutputSchemaId.ANSWER_V1_MARKDOWN
    # The shape belongs to the type, and an open question is never asked of a program that is there.
    return replace(plan, expected_output_schema=shape, missing_info_questions=())
