"""Programs as text, in verb notation. A resolved entity prints as its key, its name in a comment."""

from typing import assert_never

from dragoman.contracts.program import (
    Argument,
    Boolean,
    Date,
    Integer,
    Nil,
    Number,
    Program,
    Sequence,
    Statement,
    Symbol,
    Text,
    Value,
)

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def print_program(program: Program) -> str:
    return "\n".join(print_statement(statement) for statement in program)


def print_statement(statement: Statement) -> str:
    lines = [f"({statement.verb}", *(f"  {_print_argument(a)}" for a in statement.arguments)]
    if statement.binds:
        lines.append(f"  :as @{statement.binds}")
    if lines[-1] == lines[0] or not statement.arguments or not statement.arguments[-1].display:
        return "\n".join(lines) + ")"
    return "\n".join(lines) + (")" if statement.binds else "\n)")


def _print_argument(argument: Argument) -> str:
    text = f":{argument.name} {print_value(argument.value)}"
    display = "".join(c if c.isprintable() else " " for c in argument.display)
    display = " ".join(display.split())
    return f"{text} ; {display}" if display else text


def print_value(value: Value) -> str:
    match value:
        case Text(value=text):
            return '"' + "".join(_character(c) for c in text) + '"'
        case Integer(value=number):
            return str(number)
        case Number(value=digits):
            return digits
        case Boolean(value=truth):
            return "true" if truth else "false"
        case Nil():
            return "nil"
        case Date(value=day):
            return day.isoformat()
        case Symbol(name=name):
            return f"@{name}"
        case Sequence(items=items):
            return "[" + " ".join(print_value(item) for item in items) + "]"
        case _:
            assert_never(value)


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    # Beyond the first plane as a surrogate pair, as in JSON: \uXXXX has four digits.
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
