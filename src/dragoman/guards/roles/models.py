"""The contracts as they are checked at the edge: strict, closed, every error found in one pass.

Only this package knows these classes. What passes goes on as the records of `dragoman.contracts.roles`.
"""

from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic_core import PydanticCustomError

from dragoman.contracts.roles import (
    EvidenceSource,
    GuardianAction,
    OutputSchemaId,
    RequestType,
    ResponseFormat,
    RiskLevel,
    Role,
    Track,
    Verdict,
)

MAX_ITEMS = 10_000
"""No list of a role is longer; it bounds the work that an endless one can make."""

MAX_QUESTIONS = 1

NOT_A_WORD = "not_a_word"
"""The type of the error for a value outside a closed vocabulary."""


def _only(vocabulary: type[StrEnum]) -> BeforeValidator:
    """Takes the words of a vocabulary as texts: without it, bytes of the same letters would pass too."""
    words = frozenset(vocabulary)
    allowed = ", ".join(vocabulary)

    def check(value: Any) -> Any:
        if isinstance(value, str) and value in words:
            return value
        raise PydanticCustomError(NOT_A_WORD, "must be one of {allowed}", {"allowed": allowed})

    return BeforeValidator(check)


_RequestType = Annotated[RequestType, Field(strict=False), _only(RequestType)]
_Track = Annotated[Track, Field(strict=False), _only(Track)]
_Source = Annotated[EvidenceSource, Field(strict=False), _only(EvidenceSource)]
_OutputSchemaId = Annotated[OutputSchemaId, Field(strict=False), _only(OutputSchemaId)]
_ResponseFormat = Annotated[ResponseFormat, Field(strict=False), _only(ResponseFormat)]
_Verdict = Annotated[Verdict, Field(strict=False), _only(Verdict)]
_RiskLevel = Annotated[RiskLevel, Field(strict=False), _only(RiskLevel)]
_Action = Annotated[GuardianAction, Field(strict=False), _only(GuardianAction)]

# Even a limit that limits nothing makes the checker look at the characters and refuse half of one.
_Text = Annotated[str, Field(min_length=0)]
_Texts = Annotated[list[_Text], Field(max_length=MAX_ITEMS)]


class _Contract(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class AnalystPlanModel(_Contract):
    intent: Annotated[str, Field(min_length=1, pattern=r"\S")]
    request_type: _RequestType
    track: _Track
    required_sources: Annotated[list[_Source], Field(max_length=MAX_ITEMS)]
    # Counted outside: a list that is too long would hide what is wrong with its items.
    missing_info_questions: Annotated[_Texts, Field(json_schema_extra={"maxItems": MAX_QUESTIONS})]
    expected_output_schema: _OutputSchemaId


class ArchitectSpecModel(_Contract):
    response_format: _ResponseFormat
    domain_terms: _Texts
    forbidden_content: _Texts
    required_sections: _Texts


class GuardianReportModel(_Contract):
    verdict: _Verdict
    reasons: _Texts
    required_actions: Annotated[list[_Action], Field(max_length=MAX_ITEMS)]
    risk_level: _RiskLevel


MODELS: dict[Role, type[BaseModel]] = {
    Role.ANALYST: AnalystPlanModel,
    Role.ARCHITECT: ArchitectSpecModel,
    Role.GUARDIAN: GuardianReportModel,
}


def json_schema(role: Role) -> dict[str, Any]:
    """The contract as a JSON Schema that stands alone: the vocabularies are written where they are used."""
    schema = MODELS[role].model_json_schema()
    definitions = schema.pop("$defs", {})
    plain = _inlined(schema, definitions)
    return {**plain, "title": MODELS[role].__name__.removesuffix("Model")}


def _inlined(node: Any, definitions: dict[str, Any]) -> Any:
    match node:
        case {"$ref": str(reference)}:
            return _inlined(definitions[reference.rpartition("/")[2]], definitions)
        case dict():
            return {
                key: _inlined(value, definitions)
                for key, value in node.items()
                if key not in ("title", "description") or isinstance(value, dict)
            }
        case list():
            return [_inlined(item, definitions) for item in node]
        case _:
            return node
