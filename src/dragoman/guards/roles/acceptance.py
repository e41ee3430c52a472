"""Whether an output of a role may pass, and the record it becomes when it may."""

from typing import Any, assert_never

from dragoman.contracts.decoding import converted
from dragoman.contracts.finding import Finding
from dragoman.contracts.roles import AnalystPlan, ArchitectSpec, GuardianReport, Role, RoleOutput
from dragoman.guards.secrets import redacted

UNKNOWN_ROLE = "unknown_role"
MORE_ERRORS = "more_errors"

_LOOKED_AT = 1_000


def unknown_role(role: object) -> Finding | None:
    """What is wrong with the name of a role, if anything is."""
    known = _role(role)
    return known if isinstance(known, Finding) else None


def validate_role_output(role: object, output: object) -> tuple[Finding, ...]:
    """Everything that is wrong with an output, form first, then rules; empty when it may pass."""
    known = _role(role)
    if isinstance(known, Finding):
        return (known,)
    # Here and below: pydantic is loaded with the first output, not with the package.
    from dragoman.guards.roles.rules import broken_rules
    from dragoman.guards.roles.shape import not_an_object, shape_findings

    if not isinstance(output, dict):
        return (not_an_object(known, output),)
    found, more = shape_findings(known, output)
    found.extend(broken_rules(known, output))
    if more:
        found.append(Finding(MORE_ERRORS, "", f"{more:,} more errors in the form of the output"))
    return tuple(found)


def accepted_role_output(role: str, output: object) -> RoleOutput | tuple[Finding, ...]:
    """The record of an output that may pass, or everything that is wrong with it."""
    findings = validate_role_output(role, output)
    if findings:
        return findings
    from dragoman.guards.roles.models import MODELS

    known = Role(role)
    checked = MODELS[known].model_validate(output)
    match known:
        case Role.ANALYST:
            return converted(checked, AnalystPlan, from_attributes=True)
        case Role.ARCHITECT:
            return converted(checked, ArchitectSpec, from_attributes=True)
        case Role.GUARDIAN:
            return converted(checked, GuardianReport, from_attributes=True)
        case _:
            assert_never(known)


def role_schema(role: str) -> dict[str, Any]:
    """The contract of a role as a JSON Schema. The rules between fields are not in it."""
    known = _role(role)
    if isinstance(known, Finding):
        raise ValueError(known.message)
    from dragoman.guards.roles.models import json_schema

    return json_schema(known)


def _role(role: object) -> Role | Finding:
    if isinstance(role, str) and role in frozenset(Role):
        return Role(role)
    named = redacted(role[:_LOOKED_AT]) if isinstance(role, str) else f"a value of type {type(role).__name__}"
    return Finding(UNKNOWN_ROLE, "", f"there is no role {named}; the roles are {', '.join(Role)}")
