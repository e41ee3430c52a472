"""A role's output as the text that a model wrote: the object is found in it first, then judged."""

from typing import Any

from dragoman.contracts.finding import Finding
from dragoman.guards.json_text.lenient import extract_object
from dragoman.guards.json_text.model import JsonCode
from dragoman.guards.roles.acceptance import unknown_role, validate_role_output


def validate_role_text(role: object, text: str) -> tuple[Finding, ...]:
    """Everything that is wrong with the first object that could be meant; empty when one may pass.

    >>> [finding.code for finding in validate_role_text("GUARDIAN", "I would say PASS.")]
    ['no_json_object_found']
    """
    if unknown := unknown_role(role):
        return (unknown,)
    judged: list[tuple[Finding, ...]] = []

    def passes(value: dict[str, Any]) -> bool:
        judged.append(validate_role_output(role, value))
        return not judged[-1]

    found = extract_object(text, contract=passes)
    if found.code is JsonCode.CONTRACT:
        return judged[0]
    return () if found.code is None else (Finding(found.code, "", found.message),)
