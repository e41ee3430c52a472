"""A model as the architect: it says how the answer must look, within the shape that the plan promised."""

from typing import Final

from dragoman.answering.roles.architect import EmbeddedArchitect
from dragoman.answering.roles.contract import Retrieved
from dragoman.answering.roles.model.accepted import accepted
from dragoman.answering.roles.model.briefing import Texts, data_of_finding, request_to
from dragoman.answering.roles.model.interview import Interview, Unfit
from dragoman.contracts.answer_shapes import StatusV1Json
from dragoman.contracts.model_settings import ModelRole
from dragoman.contracts.roles import AnalystPlan, ArchitectSpec, OutputSchemaId, ResponseFormat, Role
from dragoman.guards.roles import role_schema

_KEYS: Final = frozenset(StatusV1Json.__struct_fields__)


class ModelArchitect:
    def __init__(self, interview: Interview, texts: Texts) -> None:
        self._interview = interview
        self._texts = texts
        self._own = EmbeddedArchitect()

    def specify(self, plan: AnalystPlan, found: Retrieved) -> ArchitectSpec:
        data, values = data_of_finding(plan, found)
        request = request_to(ModelRole.ARCHITECT, self._texts, data, values, role_schema(Role.ARCHITECT))
        spec = self._interview.ask(ModelRole.ARCHITECT, request, lambda text: _read(plan, text))
        return spec or self._own.specify(plan, found)


def _read(plan: AnalystPlan, text: str) -> ArchitectSpec | Unfit:
    spec = accepted(Role.ARCHITECT, ArchitectSpec, text)
    if isinstance(spec, Unfit):
        return spec
    as_json = plan.expected_output_schema is OutputSchemaId.STATUS_V1_JSON
    if as_json is not (spec.response_format is ResponseFormat.JSON):
        wanted = "json" if as_json else "markdown"
        return Unfit(f"response_format: {plan.expected_output_schema} is written as {wanted}")
    others = [each for each in spec.required_sections if each not in _KEYS] if as_json else []
    if others:
        return Unfit(f"required_sections: {others[0]!r} is no key of {plan.expected_output_schema}")
    return spec
