"""The one thing that a model can do at synthesis: call `generate_pipeline`."""

from collections.abc import Mapping
from typing import Any, Final

from dragoman.contracts.model import Tool
from dragoman.contracts.roles import Role
from dragoman.guards.roles import role_schema

NAME: Final = "generate_pipeline"
PLAN, PROGRAM, CHOICE, PROGRAMS, CONTINUES = "plan", "program", "choice", "programs", "continues"


def generate_pipeline(texts: Mapping[str, Any], readings: int, *, choose: bool) -> Tool:
    """The tool as a model is told of it. With `choose` it may only choose among the readings."""
    said = texts["tool"]
    properties: dict[str, Any] = {PLAN: role_schema(Role.ANALYST)}
    if not choose:
        properties[PROGRAM] = {"type": "string", "description": said["program"]}
        properties[CONTINUES] = {"type": "boolean", "description": said["continues"]}
        properties[PROGRAMS] = {
            "type": "array",
            "items": {"type": "string"},
            "minItems": 2,
            "maxItems": 4,
            "description": said["programs"],
        }
    if readings:
        properties[CHOICE] = {
            "type": "integer",
            "minimum": 1,
            "maximum": readings,
            "description": said["choice"],
        }
    schema = {"type": "object", "additionalProperties": False, "required": [PLAN], "properties": properties}
    return Tool(NAME, said["what"], schema)
