"""The rules of a pipeline's head in both notations: its name, description, params and profiles."""

from collections.abc import Iterable, Mapping

from dragoman.contracts.program import Map, Nil, Sequence, Statement, Text, Value
from dragoman.guards.secrets import redacted
from dragoman.language.document import ArgumentSpans, Extent, StatementSpans, ValueSpans
from dragoman.language.oml.findings import Findings, listed, nearest
from dragoman.language.parameters import (
    EXAMPLES,
    REFERENCE,
    Parameter,
    ParameterType,
    declared_parameters,
    fitted,
    is_option,
    unknown_hint,
)
from dragoman.language.program_names import HINT, IDENTIFIER, is_kebab
from dragoman.language.texts import PlacedText

KEYS = ("name", "description", "params", "profiles")
_FIELDS = ("type", "default", "enum", "description")
_OTHER_TYPES = {
    "str": "string",
    "text": "string",
    "integer": "int",
    "number": "decimal",
    "float": "decimal",
    "boolean": "bool",
    "datetime": "date",
}
_EXAMPLE = "region: {type: string, default: north}"


_Keys = Mapping[Extent, Extent]


def check_head(head: Statement, spans: StatementSpans, findings: Findings, keys: _Keys | None = None) -> None:
    """Everything that is wrong with a head. That it has a name is for the caller to ask.

    `keys` says where the key of a value stands; without it, the value is pointed at.
    """
    keys = keys or {}
    declared = declared_parameters(head)
    for argument, places in zip(head.arguments, spans.arguments, strict=True):
        match argument.name:
            case "name":
                _check_name(argument.value, places, findings)
            case "description":
                if not isinstance(argument.value, Text):
                    message = "the description is a text"
                    findings.error("wrong_type", places.value.extent, message, "write it in quotes")
            case "params":
                _check_params(argument.value, places.value, declared, findings, keys)
            case "profiles":
                _check_profiles(argument.value, places.value, declared, findings, keys)
            case name:
                near = nearest(name, KEYS)
                hint = f"write {near}" if near else f"the head of a pipeline has {listed(KEYS)}"
                message = f"the head of a pipeline has no {redacted(name)}"
                findings.error("unknown_key", places.name, message, hint)


def _check_name(value: Value, places: ArgumentSpans, findings: Findings) -> None:
    if not isinstance(value, Text):
        message = "the name of a pipeline is a text"
        findings.error("wrong_type", places.value.extent, message, "write name: export-users")
    elif not is_kebab(value.value):
        message = f"{redacted(value.value)} cannot be the name of a pipeline"
        findings.error("bad_name", places.value.extent, message, HINT)


def _check_params(
    value: Value, spans: ValueSpans, declared: dict[str, Parameter], findings: Findings, keys: _Keys
) -> None:
    if not isinstance(value, Map):
        findings.error("wrong_type", spans.extent, "params is a map of declarations", f"write {_EXAMPLE}")
        return
    variables: dict[str, str] = {}
    for entry, places in zip(value.entries, spans.items, strict=True):
        if not IDENTIFIER.match(entry.key):
            message = f"{redacted(entry.key)} cannot be the name of a parameter"
            hint = "write letters, digits, - and _, a letter first"
            findings.error("bad_parameter_name", keys.get(places.extent, places.extent), message, hint)
        elif not isinstance(entry.value, Map):
            hint = f"write {_EXAMPLE}"
            message = f"{entry.key} needs a declaration, a map with its type"
            findings.error("wrong_type", places.extent, message, hint)
        else:
            _check_declaration(entry.key, entry.value, places, findings, keys)
        if (parameter := declared.get(entry.key)) is not None:
            _check_values(parameter, entry.value, places, findings)
            other = variables.setdefault(parameter.variable, entry.key)
            if other != entry.key:
                message = f"{entry.key} and {other} are both set by {parameter.variable}"
                findings.error(
                    "ambiguous_parameter",
                    keys.get(places.extent, places.extent),
                    message,
                    "rename one of them",
                )


def _check_declaration(name: str, fields: Map, spans: ValueSpans, findings: Findings, keys: _Keys) -> None:
    types = listed(ParameterType)
    for field, places in zip(fields.entries, spans.items, strict=True):
        if field.key not in _FIELDS:
            near = nearest(field.key, _FIELDS)
            hint = f"write {near}" if near else f"a parameter has {listed(_FIELDS)}"
            message = f"the parameter {name} has the key {redacted(field.key)}"
            findings.error("unknown_key", keys.get(places.extent, places.extent), message, hint)
        elif field.key == "type":
            kind = field.value.value if isinstance(field.value, Text) else ""
            if kind not in set(ParameterType):
                near = _OTHER_TYPES.get(kind) or nearest(kind, ParameterType)
                hint = f"write {near}" if near else f"the types are {types}"
                findings.error("unknown_type", places.extent, f"{name} has a type that is not known", hint)
        elif field.key == "enum" and not (isinstance(field.value, Sequence) and field.value.items):
            message = f"the enum of {name} is a list of values"
            findings.error("wrong_type", places.extent, message, "write enum: [north, south]")
        elif field.key == "description" and not isinstance(field.value, Text):
            findings.error(
                "wrong_type", places.extent, f"the description of {name} is a text", "write quotes"
            )
    if all(field.key != "type" for field in fields.entries):
        message = f"the parameter {name} has no type"
        findings.error(
            "missing_key", keys.get(spans.extent, spans.extent), message, f"add type: one of {types}"
        )


def _check_values(parameter: Parameter, value: Value, spans: ValueSpans, findings: Findings) -> None:
    """The default and the options are of the declared type, and the default is an option."""
    fields = zip(value.entries, spans.items, strict=True) if isinstance(value, Map) else ()
    for field, places in fields:
        if field.key == "default" and not isinstance(field.value, Nil):
            _check_value(parameter, field.value, places.extent, findings)
        if field.key == "enum" and isinstance(field.value, Sequence):
            for option, place in zip(field.value.items, places.items, strict=True):
                if fitted(option, parameter.type) is None:
                    _say_unfit(parameter, place.extent, findings)


def _check_value(parameter: Parameter, value: Value, extent: Extent, findings: Findings) -> None:
    fit = fitted(value, parameter.type)
    if fit is None:
        _say_unfit(parameter, extent, findings)
    elif not is_option(fit, parameter):
        message = f"{parameter.name} cannot have this value"
        findings.error("parameter_not_in_enum", extent, message, "write one of its enum")


def _say_unfit(parameter: Parameter, extent: Extent, findings: Findings) -> None:
    message = f"{parameter.name} is declared as {parameter.type}"
    findings.error("parameter_type", extent, message, f"write {EXAMPLES[parameter.type]}")


def _check_profiles(
    value: Value, spans: ValueSpans, declared: dict[str, Parameter], findings: Findings, keys: _Keys
) -> None:
    hint = "write production: {region: north}"
    if not isinstance(value, Map):
        findings.error("wrong_type", spans.extent, "profiles is a map of profiles", hint)
        return
    for profile, places in zip(value.entries, spans.items, strict=True):
        if not IDENTIFIER.match(profile.key):
            message = f"{redacted(profile.key)} cannot be the name of a profile"
            findings.error(
                "bad_profile_name",
                keys.get(places.extent, places.extent),
                message,
                "write letters, digits, - and _",
            )
        if not isinstance(profile.value, Map):
            message = "a profile is a map of parameters and their values"
            findings.error("wrong_type", places.extent, message, hint)
            continue
        for entry, place in zip(profile.value.entries, places.items, strict=True):
            if (parameter := declared.get(entry.key)) is not None:
                _check_value(parameter, entry.value, place.extent, findings)
            else:
                message = f"there is no parameter {redacted(entry.key)}"
                findings.error(
                    "unknown_parameter",
                    keys.get(place.extent, place.extent),
                    message,
                    unknown_hint(entry.key, declared),
                )


def check_references(texts: Iterable[PlacedText], head: Statement | None, findings: Findings) -> None:
    """Every `${params.x}` in a text names a declared parameter."""
    declared: dict[str, Parameter] | None = None
    for _, text, extent in texts:
        if "${params." not in text:
            continue
        declared = declared_parameters(head) if declared is None else declared
        for match in REFERENCE.finditer(text):
            if not match[1] and match[2] not in declared:
                message = f"there is no parameter {redacted(match[2])}"
                hint = unknown_hint(match[2], declared)
                findings.error("unknown_parameter", extent, message, hint)
