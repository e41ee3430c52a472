"""Canonical OML: one way to write a program, with its comments where they were."""

from collections.abc import Iterable, Mapping
from typing import assert_never

from dragoman.contracts.program import (
    Argument,
    Boolean,
    Call,
    Date,
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
from dragoman.contracts.verb import Effect
from dragoman.language.oml.oml_reader import VERSION
from dragoman.language.oml.scalar_text import block, quoted
from dragoman.language.parameters import PIPELINE
from dragoman.language.verbs.comments import comment_line

WIDTH = 100
_STEP, _FIELD, _CONFIG = 2, 4, 6


def print_oml(statements: Program, comments: tuple[str, ...], effects: Mapping[str, Effect]) -> str:
    """Statements as OML: those of an OML document, or such as `conversion.to_oml` gave.

    A step without a mode has its verb's effect. A mode that nobody knows and a call that was not lifted are a
    ValueError: `to_oml` finds them first, with their places.
    """
    top = statements[0] if statements and statements[0].verb == PIPELINE else Statement(PIPELINE)
    steps = statements[1:] if statements[:1] == (top,) else statements
    lines = [*_comments(top.comments, 0), f'oml_version: "{VERSION}"']
    for argument in top.arguments:
        lines += _argument(argument, 0)
    lines += _comments(top.closing, _STEP)
    lines.append("steps:" if steps else "steps: []")
    for number, step in enumerate(steps, 1):
        lines += _step(step, number, effects)
    lines += _comments(comments, 0)
    return "\n".join(lines) + "\n"


def _step(step: Statement, number: int, effects: Mapping[str, Effect]) -> list[str]:
    lines = _comments(step.comments, _STEP)
    lines.append(f"{' ' * _STEP}- id: {quoted(step.binds or f'step-{number}')}")
    lines.append(f"{' ' * _FIELD}component: {quoted(step.verb)}")
    lines += _argument(step.argument("mode") or _effect(step, effects), _FIELD)
    if (needs := step.argument("needs")) is not None:
        lines += _argument(Argument("needs", _ids(needs.value), needs.display, needs.comments), _FIELD)
    config = [argument for argument in step.arguments if argument.name not in ("mode", "needs")]
    lines.append(f"{' ' * _FIELD}config:" if config else f"{' ' * _FIELD}config: {{}}")
    for argument in config:
        lines += _argument(argument, _CONFIG)
    return lines + _comments(step.closing, _FIELD)


def _effect(step: Statement, effects: Mapping[str, Effect]) -> Argument:
    if step.verb not in effects:
        raise ValueError(f"the mode of {step.verb} is not known")
    return Argument("mode", Text(effects[step.verb].value))


def _ids(needs: Value) -> Value:
    """In `needs`, and only there, a symbol is written as the bare id."""
    if not isinstance(needs, Sequence):
        return needs
    return Sequence(tuple(Text(each.name) if isinstance(each, Symbol) else each for each in needs.items))


def _comments(comments: Iterable[str], indent: int) -> list[str]:
    lines = (comment_line(comment) for comment in comments)
    return [f"{' ' * indent}# {line}" if line else f"{' ' * indent}#" for line in lines]


def _argument(argument: Argument, indent: int) -> list[str]:
    display = comment_line(argument.display)
    lines = _entry(argument.name, argument.value, indent, f" # {display}" if display else "")
    return [*_comments(argument.comments, indent), *lines]


def _entry(key: str, value: Value, indent: int, display: str = "") -> list[str]:
    """`key: value`, on one line where that is short. What has a comment beside it stays on one line."""
    start = f"{' ' * indent}{quoted(key)}:"
    # Further in than the comments that close the head, which would be read as part of the block.
    if isinstance(value, Text) and (lines := block(value.value, max(indent + 2, _FIELD))) is not None:
        return [f"{start} {lines[0]}{display}", *lines[1:]]
    line = f"{start} {flow(value)}"
    if display or not _is_long(value, line, indent):
        return [line + display]
    return [start, *_body(value, indent + 2)]


def _is_long(value: Value, line: str, indent: int) -> bool:
    match value:
        case Map(entries=entries):
            # The declarations and profiles at the top are read one below the other.
            deep = any(isinstance(entry.value, Map) for entry in entries)
            return bool(entries) and (deep or len(line) > WIDTH or _has_block(value))
        case Sequence(items=items):
            return bool(items) and (len(line) > WIDTH or _has_block(value))
        case _:
            return False


def _has_block(value: Value) -> bool:
    """Whether a text that is better read as a block stands directly in a value."""
    match value:
        case Map(entries=entries):
            parts: Iterable[Value] = (entry.value for entry in entries)
        case Sequence(items=items):
            parts = items
        case _:
            parts = ()
    return any(isinstance(part, Text) and block(part.value, 0) is not None for part in parts)


def _body(value: Value, indent: int) -> list[str]:
    """The entries of a map or the items of a list, below each other."""
    if isinstance(value, Map):
        return [line for entry in value.entries for line in _entry(entry.key, entry.value, indent)]
    if isinstance(value, Sequence):
        return [line for item in value.items for line in _item(item, indent)]
    return []


def _item(item: Value, indent: int) -> list[str]:
    margin = " " * indent
    if isinstance(item, Text) and (lines := block(item.value, indent + 2)) is not None:
        return [f"{margin}- {lines[0]}", *lines[1:]]
    line = f"{margin}- {flow(item)}"
    if isinstance(item, Map) and _is_long(item, line, indent):
        first, *rest = _body(item, indent + 2)
        return [f"{margin}- {first.lstrip()}", *rest]
    return [line]


def flow(value: Value) -> str:
    """A value on one line."""
    match value:
        case Text(value=text):
            return quoted(text)
        case Integer(value=number):
            return str(number)
        case Number(value=digits):
            return digits
        case Boolean(value=truth):
            return "true" if truth else "false"
        case Nil():
            return "null"
        case Date(value=day):
            return day.isoformat()
        case Symbol(name=name):
            return f'"${{steps.{name}}}"'
        case Sequence(items=items):
            return "[" + ", ".join(flow(item) for item in items) + "]"
        case Map(entries=entries):
            return "{" + ", ".join(_pair(entry) for entry in entries) + "}"
        case Call():
            raise ValueError("a call stands in a value; lift it first")
        case _:
            assert_never(value)


def _pair(entry: Entry) -> str:
    return f"{quoted(entry.key)}: {flow(entry.value)}"
