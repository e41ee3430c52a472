"""The embedded architect: how an answer must look, by the shape that its plan promised."""

from typing import Final

from dragoman.answering.roles.contract import Retrieved
from dragoman.contracts.roles import AnalystPlan, ArchitectSpec, OutputSchemaId, ResponseFormat

PHRASE_SPEC: Final = ArchitectSpec(ResponseFormat.MARKDOWN, (), (), ())
"""Of the sentences of the house: there is nothing to specify."""

_STATUS_KEYS: Final = ("text", "route", "evidence")


class EmbeddedArchitect:
    """A status is an object that names its route and its evidence. What documents say is quoted with its
    place, and needs no sections. Nothing is forbidden: what is computed or quoted does not speculate."""

    def specify(self, plan: AnalystPlan, found: Retrieved) -> ArchitectSpec:
        if plan.expected_output_schema is OutputSchemaId.STATUS_V1_JSON:
            return ArchitectSpec(ResponseFormat.JSON, (found.answer.route,), (), _STATUS_KEYS)
        return PHRASE_SPEC
