"""`${NAME}` in a text stands for an environment variable, and is the only form that does."""

import re
from collections.abc import Mapping

from dragoman.contracts.errors import VariableMissing
from dragoman.language.oml.findings import nearest

VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_ALMOST = re.compile(r"\$\{[^}]*\}?|\$[A-Za-z_][A-Za-z0-9_]*|\$\(")
_ONLY = re.compile(rf"(?:{VARIABLE.pattern})+")


def variables_in(text: str) -> tuple[str, ...]:
    return tuple(VARIABLE.findall(text))


def is_only_variables(text: str) -> bool:
    """Whether nothing of a text is written here: a secret may stand in no other way."""
    return _ONLY.fullmatch(text) is not None


def malformed_variable(text: str) -> str | None:
    """Something that was meant to be a variable: `${X:-word}`, `$X`, `$(cmd)`. None of them is taken."""
    found = _ALMOST.search(VARIABLE.sub("", text))
    return found[0] if found else None


def filled(text: str, environment: Mapping[str, str], whose: str) -> str:
    """The text with every variable replaced, once: what a value contains is not looked at again."""
    return VARIABLE.sub(lambda match: _value(match[1], environment, whose), text)


def _value(name: str, environment: Mapping[str, str], whose: str) -> str:
    value = environment.get(name, "")
    if value:
        return value
    wrong = "is empty" if name in environment else "is not set"
    known = {each.lower(): each for each in environment}
    near = nearest(name, known)
    hint = f"set it before starting: export {name}=…" + (
        f"; there is {known[near]}" if near and wrong != "is empty" else ""
    )
    raise VariableMissing(
        f"{whose} needs the environment variable {name}, which {wrong}", hint=hint, variable=name
    )
