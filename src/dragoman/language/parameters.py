"""The parameters of a pipeline: what is declared, what they are worth in a run, and where they are put.

Command line before environment (`DRAGOMAN_PARAM_X`) before profile before default.
"""

import datetime as dt
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import assert_never

from dragoman.contracts.program import (
    Argument,
    Boolean,
    Call,
    Date,
    Diagnostic,
    Entry,
    Integer,
    Map,
    Nil,
    Number,
    Program,
    Sequence,
    Statement,
    Symbol,
    Text,
    Value,
)
from dragoman.contracts.record import Record
from dragoman.guards.secrets import redacted
from dragoman.language.oml.findings import listed, nearest
from dragoman.language.oml.scalars import Misread, plain_value
from dragoman.language.program_names import kebab_of

PIPELINE = "oml.pipeline"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
ENVIRONMENT_PREFIX = "DRAGOMAN_PARAM_"

REFERENCE = re.compile(r"(\$?)\$\{params\.([^{}]*)\}")
"""`${params.x}`; after a second dollar sign it is text and stays."""


class ParameterType(StrEnum):
    STRING = "string"
    INT = "int"
    DECIMAL = "decimal"
    BOOL = "bool"
    DATE = "date"


EXAMPLES = {
    ParameterType.STRING: "a text",
    ParameterType.INT: "a whole number, for example 12",
    ParameterType.DECIMAL: "a number, for example 12.50",
    ParameterType.BOOL: "true or false",
    ParameterType.DATE: "a date, for example 2020-03-31",
}


class Parameter(Record, frozen=True):
    """One declared parameter. Without a default it must be given."""

    name: str
    type: ParameterType
    options: tuple[Value, ...] = ()
    default: Value | None = None

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return ENVIRONMENT_PREFIX + self.name.upper().replace("-", "_")


class Resolution(Record, frozen=True):
    """What the parameters are worth in a run, and everything that stands in its way."""

    values: dict[str, Value]
    diagnostics: tuple[Diagnostic, ...] = ()


def head_of(statements: Program) -> Statement | None:
    """The statement that carries OML's head."""
    return statements[0] if statements and statements[0].verb == PIPELINE else None


def steps_of(statements: Program, environment: Mapping[str, str]) -> Program:
    """The steps that run, without the head: parameters have what the environment says, or their defaults."""
    head = head_of(statements)
    if head is None:
        return statements
    return substituted(statements[1:], resolve_parameters(head, {}, environment).values)


def implied_name(steps: Program) -> str:
    """What a pipeline without a head is called: by what its last step binds, or else by the verb of it."""
    if not steps:
        return ""
    return steps[-1].binds or kebab_of(steps[-1].verb)


def declared_parameters(head: Statement | None) -> dict[str, Parameter]:
    """The parameters a head declares; what is wrong with a declaration the reader has said."""
    declared: dict[str, Parameter] = {}
    for entry in _entries(head, "params"):
        fields = (
            {each.key: each.value for each in entry.value.entries} if isinstance(entry.value, Map) else {}
        )
        kind, options = fields.get("type"), fields.get("enum")
        if isinstance(kind, Text) and kind.value in set(ParameterType):
            choices = options.items if isinstance(options, Sequence) else ()
            wanted = ParameterType(kind.value)
            declared[entry.key] = Parameter(entry.key, wanted, choices, fields.get("default"))
    return declared


def _entries(head: Statement | None, name: str) -> tuple[Entry, ...]:
    argument = head.argument(name) if head is not None else None
    return argument.value.entries if argument is not None and isinstance(argument.value, Map) else ()


def fitted(value: Value, wanted: ParameterType) -> Value | None:
    """The value as one of this type, or nothing where it is none. A whole number is a decimal too."""
    match wanted, value:
        case (
            (ParameterType.STRING, Text())
            | (ParameterType.INT, Integer())
            | (ParameterType.DECIMAL, Number())
        ):
            return value
        case (ParameterType.BOOL, Boolean()) | (ParameterType.DATE, Date()):
            return value
        case ParameterType.DECIMAL, Integer(value=number):
            return Number(str(number))
        case _:
            return None


def parsed(text: str, wanted: ParameterType) -> Value | None:
    """What a text from the command line or the environment is worth as this type."""
    if wanted is ParameterType.STRING:
        return Text(text)
    if wanted is ParameterType.DATE:
        return _day(text)
    value = plain_value(text)
    return None if isinstance(value, Misread) else fitted(value, wanted)


def _day(text: str) -> Value | None:
    try:
        # fromisoformat also takes weeks, 2020-W01-1.
        return Date(dt.date.fromisoformat(text)) if _DAY.fullmatch(text) else None
    except ValueError:
        return None


def resolve_parameters(
    head: Statement | None,
    given: Mapping[str, str],
    environment: Mapping[str, str],
    profile: str | None = None,
) -> Resolution:
    """The value of every declared parameter. `given` comes from the command line."""
    declared = declared_parameters(head)
    findings = [_unknown(name, declared, "on the command line") for name in given if name not in declared]
    chosen = _profile(head, profile, findings)
    findings.extend(_unknown(name, declared, "in the profile") for name in chosen if name not in declared)
    values: dict[str, Value] = {}
    for parameter in declared.values():
        value = _value(parameter, given, environment, chosen)
        if value is None:
            findings.append(_unfit(parameter))
        elif isinstance(value, Diagnostic):
            findings.append(value)
        else:
            values[parameter.name] = value
    return Resolution(values, tuple(findings))


def _value(
    parameter: Parameter,
    given: Mapping[str, str],
    environment: Mapping[str, str],
    chosen: Mapping[str, Value],
) -> Value | Diagnostic | None:
    """The first source that has it decides, also when what it says does not fit."""
    if (text := given.get(parameter.name, environment.get(parameter.variable))) is not None:
        value = parsed(text, parameter.type)
    elif parameter.name in chosen:
        value = fitted(chosen[parameter.name], parameter.type)
    elif parameter.default is not None:
        nothing = isinstance(parameter.default, Nil)
        return parameter.default if nothing else fitted(parameter.default, parameter.type)
    else:
        hint = f"add --param {parameter.name}=…, or set {parameter.variable}, or give it a default"
        return Diagnostic("missing_parameter", f"the parameter {parameter.name} has no value", hint)
    if value is not None and not is_option(value, parameter):
        hint = f"it is one of {listed(text_of(option) for option in parameter.options)}"
        return Diagnostic("parameter_not_in_enum", f"{parameter.name} cannot have this value", hint)
    return value


def is_option(value: Value, parameter: Parameter) -> bool:
    return not parameter.options or value in [fitted(option, parameter.type) for option in parameter.options]


def _profile(head: Statement | None, name: str | None, findings: list[Diagnostic]) -> dict[str, Value]:
    profiles = {entry.key: entry.value for entry in _entries(head, "profiles")}
    if name is None:
        return {}
    if name not in profiles:
        near = nearest(name, profiles)
        hint = f"did you mean {near}?" if near else f"the profiles are: {listed(profiles)}"
        findings.append(Diagnostic("unknown_profile", f"there is no profile {redacted(name)}", hint))
        return {}
    chosen = profiles[name]
    return {entry.key: entry.value for entry in chosen.entries} if isinstance(chosen, Map) else {}


def _unknown(name: str, declared: Mapping[str, Parameter], where: str) -> Diagnostic:
    message = f"there is no parameter {redacted(name)}, which stands {where}"
    return Diagnostic("unknown_parameter", message, unknown_hint(name, declared))


def unknown_hint(name: str, declared: Mapping[str, Parameter]) -> str:
    near = nearest(name, declared)
    return f"did you mean {near}?" if near else f"the parameters are: {listed(declared)}"


def _unfit(parameter: Parameter) -> Diagnostic:
    message = f"the parameter {parameter.name} is {EXAMPLES[parameter.type].split(',')[0]}"
    return Diagnostic("parameter_type", message, f"write {EXAMPLES[parameter.type]}")


def substituted(statements: Program, values: Mapping[str, Value]) -> Program:
    """The program with its parameters in place. As a whole value one keeps its type; in a text it is text.

    What is not among the values stays as it is written: the reader has said that it is unknown.
    """
    return tuple(
        statement if statement.verb == PIPELINE else _in_statement(statement, values)
        for statement in statements
    )


def _in_statement(statement: Statement, values: Mapping[str, Value]) -> Statement:
    arguments = tuple(
        Argument(each.name, _in_value(each.value, values), each.display, each.comments)
        for each in statement.arguments
    )
    return Statement(statement.verb, arguments, statement.binds, statement.comments, statement.closing)


def _in_value(value: Value, values: Mapping[str, Value]) -> Value:
    match value:
        case Text(value=text):
            return _in_text(text, values) if "${params." in text else value
        case Sequence(items=items):
            return Sequence(tuple(_in_value(item, values) for item in items))
        case Map(entries=entries):
            return Map(tuple(Entry(entry.key, _in_value(entry.value, values)) for entry in entries))
        case Call(statement=statement):
            return Call(_in_statement(statement, values))
        case Integer() | Number() | Boolean() | Nil() | Date() | Symbol():
            return value
        case _:
            assert_never(value)


def _in_text(text: str, values: Mapping[str, Value]) -> Value:
    whole = REFERENCE.fullmatch(text)
    if whole and not whole[1] and whole[2] in values:
        return values[whole[2]]

    def replacement(match: re.Match[str]) -> str:
        if match[1]:
            return match[0][1:]
        return text_of(values[match[2]]) if match[2] in values else match[0]

    return Text(REFERENCE.sub(replacement, text))


def text_of(value: Value) -> str:
    """A parameter's value inside a text."""
    match value:
        case Text(value=text) | Number(value=text):
            return text
        case Integer(value=number):
            return str(number)
        case Boolean(value=truth):
            return "true" if truth else "false"
        case Date(value=day):
            return day.isoformat()
        case _:
            return ""
