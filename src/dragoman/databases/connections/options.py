"""What may be said about a connection beside its address: a short list for each family, nothing else.

Drivers take parameters that read files, run statements or lead elsewhere. None of them is on the list.
"""

import re
from difflib import SequenceMatcher

from dragoman.contracts.family import Family
from dragoman.databases.connections.problem import UrlProblem
from dragoman.databases.connections.variables import variables_in
from dragoman.guards.secrets import redacted

_SPELLINGS = {
    "ssl_mode": "sslmode",
    "tls": "sslmode",
    "ssl": "sslmode",
    "ssl_ca": "sslrootcert",
    "schema": "schemas",
    "search_path": "schemas",
}
_MODES = {
    "disable": "disable",
    "disabled": "disable",
    "false": "disable",
    "0": "disable",
    "off": "disable",
    "prefer": "prefer",
    "preferred": "prefer",
    "allow": "prefer",
    "require": "require",
    "required": "require",
    "true": "require",
    "1": "require",
    "on": "require",
    "verify_ca": "verify-ca",
    "verify_full": "verify-full",
    "verify_identity": "verify-full",
}
_SCHEMAS = re.compile(r"[\w$ -]{1,63}(?:,[\w$ -]{1,63}){0,15}")


def option(family: Family, name: str, value: str, *, in_url: bool) -> tuple[str, str] | None:
    """An option in its canonical form; nothing for one without effect. Raises `UrlProblem`."""
    plain = name.lower().replace("-", "_")
    known = _SPELLINGS.get(plain, plain)
    if known in family.ignored or f"{known}={value}" in family.ignored:
        return None
    if known in family.files:
        if in_url:
            raise UrlProblem(
                "parameter_refused",
                f"a URL cannot name the file {known}",
                f"write it under options: {known}: …",
            )
        return known, value
    if known not in family.parameters:
        raise _unknown(family, name, (*family.parameters, *(() if in_url else family.files)))
    # What a variable holds is judged when it is known.
    if variables_in(value):
        return known, value
    if fault := family.fault_of(known, value):
        raise UrlProblem("bad_option", f"there is no {name} {redacted(value)}", fault)
    return known, _checked(known, value)


def _unknown(family: Family, name: str, allowed: tuple[str, ...]) -> UrlProblem:
    nearest_first = sorted(allowed, key=lambda each: -SequenceMatcher(None, name[:60].lower(), each).ratio())
    hint = f"{family.name} takes {', '.join(nearest_first)}" if allowed else f"{family.name} takes none"
    return UrlProblem("parameter_refused", f"the parameter {redacted(name)} is not taken", hint)


def _checked(name: str, value: str) -> str:
    match name:
        case "sslmode":
            mode = _MODES.get(value.lower().replace("-", "_"))
            if mode is None:
                hint = "write disable, prefer, require, verify-ca or verify-full"
                raise UrlProblem("bad_option", f"there is no {name} {redacted(value)}", hint)
            return mode
        case "schemas":
            if not _SCHEMAS.fullmatch(value):
                raise UrlProblem(
                    "bad_option", "schemas are names with commas between them", "write sales,public"
                )
    return value
