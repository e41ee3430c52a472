"""The form of an output: its fields, their types, their vocabularies. Every error, each with its field."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import islice
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from dragoman.contracts.finding import Finding
from dragoman.contracts.roles import Role
from dragoman.guards.roles.models import MAX_ITEMS, MAX_QUESTIONS, MODELS, NOT_A_WORD
from dragoman.guards.secrets import redacted, scrubbed

SCHEMA_VIOLATION = "schema_violation"
MAX_FINDINGS = 100

_CONTRACTS = {
    Role.ANALYST: "an analyst's plan",
    Role.ARCHITECT: "an architect's specification",
    Role.GUARDIAN: "a guardian's report",
}
_SHOWN_NAME = 80
# Of a long text only its beginning is looked at: what is quoted is shorter still.
_LOOKED_AT = 1_000


def shape_findings(role: Role, output: Mapping[object, object]) -> tuple[list[Finding], int]:
    """What is wrong with the form, at most `MAX_FINDINGS`, and how many more there are."""
    fields = MODELS[role].model_fields
    details = _details(role, {name: output[name] for name in fields if name in output})
    known = [_violation(role, detail) for detail in islice(details, MAX_FINDINGS)]
    counted = _too_many_questions(output) if role is Role.ANALYST else []
    strange = (name for name in output if name not in fields)
    unknown = [_unknown(role, name, fields) for name in islice(strange, MAX_FINDINGS)]

    total = len(details) + len(counted) + sum(name not in fields for name in output)
    return [*known, *counted, *unknown][:MAX_FINDINGS], max(0, total - MAX_FINDINGS)


def not_an_object(role: Role, output: object) -> Finding:
    message = f"the output must be an object, {_CONTRACTS[role]}, not {_kind(output)}"
    return Finding(SCHEMA_VIOLATION, "", message)


def _details(role: Role, known: dict[str, object]) -> list[ErrorDetails]:
    try:
        MODELS[role].model_validate(known)
    except ValidationError as error:
        return error.errors(include_url=False)
    return []


def _violation(role: Role, detail: ErrorDetails) -> Finding:
    path = ".".join(str(part) for part in detail["loc"])
    return Finding(SCHEMA_VIOLATION, path, _sentence(role, path, detail))


def _sentence(role: Role, path: str, detail: ErrorDetails) -> str:
    value = detail["input"]
    match detail["type"]:
        case "missing":
            return f"{path} is missing; {_CONTRACTS[role]} must have it"
        case "string_type":
            return f"{path} must be a text, not {_kind(value)}"
        case "string_unicode":
            return f"{path} has half of a character (a lone surrogate)"
        case "string_too_short" | "string_pattern_mismatch":
            return f"{path} is empty; write a text"
        case "list_type":
            return f"{path} must be a list, not {_kind(value)}"
        case "too_long":
            return f"{path} has more than {MAX_ITEMS:,} items"
        case kind if kind == NOT_A_WORD:
            return f"{path} must be one of {detail['ctx']['allowed']}, not {_quoted(value)}"
        case _:
            return f"{path}: {detail['msg']}"


def _too_many_questions(output: Mapping[object, object]) -> list[Finding]:
    match output.get("missing_info_questions"):
        case list(questions) if MAX_QUESTIONS < len(questions) <= MAX_ITEMS:
            message = (
                f"missing_info_questions has {len(questions):,} questions; at most {MAX_QUESTIONS} is asked"
            )
            return [Finding(SCHEMA_VIOLATION, "missing_info_questions", message)]
        case _:
            return []


def _unknown(role: Role, name: object, fields: Iterable[str]) -> Finding:
    if not isinstance(name, str):
        return Finding(SCHEMA_VIOLATION, "", f"the name of a field must be a text, not {_kind(name)}")
    near = _nearest(name, fields)
    advice = f"did you mean {near}?" if near else f"its fields are {', '.join(fields)}"
    message = f"{_shown(name)} is no field of {_CONTRACTS[role]}; {advice}"
    return Finding(SCHEMA_VIOLATION, _shown(name), message)


def _nearest(name: str, fields: Iterable[str]) -> str | None:
    """`requestType`, `Request-Type` and `request_typ` are all meant as `request_type`."""
    if len(name) > _SHOWN_NAME:
        return None
    spellings = {_letters(field): field for field in fields}
    near = get_close_matches(_letters(name), spellings, n=1)
    return spellings[near[0]] if near else None


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _shown(name: str) -> str:
    """A name that may be printed anywhere: short, without half characters and without secrets."""
    clean = scrubbed(name[:_LOOKED_AT]).encode("utf-8", "backslashreplace").decode("utf-8")
    return clean if len(clean) <= _SHOWN_NAME else clean[: _SHOWN_NAME - 1] + "…"


def _quoted(value: object) -> str:
    return redacted(value[:_LOOKED_AT]) if isinstance(value, str) else _kind(value)


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list() | tuple():
            return "a list"
        case dict():
            return "an object"
        case _:
            return f"a value of type {type(value).__name__[:_SHOWN_NAME]}"
