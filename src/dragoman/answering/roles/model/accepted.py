"""What a model hands over for a role, through the guards of roles: the record, or why it is not accepted."""

from typing import Any, TypeVar

from dragoman.answering.roles.model.interview import Unfit
from dragoman.contracts.roles import AnalystPlan, ArchitectSpec, GuardianReport, Role
from dragoman.guards.json_text.lenient import extract_object
from dragoman.guards.roles import accepted_role_output

_MOST_TOLD = 5
_MOST_WRITTEN = 20_000

Contract = TypeVar("Contract", AnalystPlan, ArchitectSpec, GuardianReport)


def object_in(text: str) -> dict[str, Any] | Unfit:
    """The JSON object of a reply."""
    if len(text) > _MOST_WRITTEN:
        return Unfit(f"more than {_MOST_WRITTEN:,} characters")
    found = extract_object(text)
    if found.value is None:
        return Unfit(f"{found.code}: {found.message}; answer with one JSON object and nothing else")
    return found.value


def accepted(role: Role, kind: type[Contract], text: str) -> Contract | Unfit:
    """The record of a role's output, where it keeps the contract."""
    given = object_in(text)
    if isinstance(given, Unfit):
        return given
    output = accepted_role_output(role, given)
    if isinstance(output, kind):
        return output
    findings = output if isinstance(output, tuple) else ()
    told = "; ".join(
        f"{each.code} {each.path}: {each.message}".replace(" :", ":") for each in findings[:_MOST_TOLD]
    )
    return Unfit(told or "it is another role's output")
