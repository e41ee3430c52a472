"""The embedded architect: how an answer must look, by the shape that its plan promised."""

from typing import Final

from dragoman.answering.phrases import phrases
from dragoman.answering.roles.contract import Retrieved
from dragoman.contracts.roles import AnalystPlan, ArchitectSpec, OutputSchemaId, ResponseFormat

SOURCES: Final = "sources_title"
"""The phrase that the list of an answer's sources stands under."""

PHRASE_SPEC: Final = ArchitectSpec(ResponseFormat.MARKDOWN, (), (), ())
"""Of a sentence of the house: there is nothing to specify."""

_STATUS_KEYS: Final = ("text", "route", "evidence")


class EmbeddedArchitect:
    """A status is an object that names its route and its evidence; an answer from documents ends with its
    sources. Nothing is forbidden: what is computed or quoted has no speculation of its own."""

    def specify(self, plan: AnalystPlan, found: Retrieved) -> ArchitectSpec:
        if plan.expected_output_schema is OutputSchemaId.STATUS_V1_JSON:
            return ArchitectSpec(ResponseFormat.JSON, (found.answer.route,), (), _STATUS_KEYS)
        sections = (phrases(found.language).say(SOURCES),) if found.items else ()
        return ArchitectSpec(ResponseFormat.MARKDOWN, (), (), sections)
