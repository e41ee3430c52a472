"""Programs as text, in verb notation: what is printed reads back as it was.

A statement stands on one line when it has at most two arguments, no comment and no text of several lines,
and is not longer than a line; otherwise each argument has a line of its own. Lists, maps and calls inside it
are broken in the same way when they do not fit. A resolved entity prints as its key, its name in a comment.

What is to be printed waits on a stack, so that depth costs no recursion.
"""

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from msgspec.structs import replace

from dragoman.contracts.program import (
    Argument,
    Boolean,
    Call,
    Date,
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
from dragoman.language.document import Document
from dragoman.language.verbs.comments import comment_line, print_comment
from dragoman.language.verbs.strings import block, quoted

WIDTH: Final = 100
"""Columns of a line."""
_MOST_ON_ONE_LINE: Final = 2

Part = str | Value
Indented = tuple[Part, int]
"""Something to print, and the indentation of the line it stands on."""


def print_document(document: Document) -> str:
    """The statements and comments of a document; a text that is not empty ends with a line feed."""
    parts = [print_statement(statement) for statement in document.statements]
    if document.comments:
        parts.append("\n".join(map(print_comment, document.comments)))
    return _apart(parts) + "\n" if parts else ""


def print_program(program: Program) -> str:
    return _apart([print_statement(statement) for statement in program])


def print_line(program: Program) -> str:
    """A program on one line, as a person reads it: without the symbols that steps are called by."""
    bare = [replace(statement, binds="") for statement in program]
    texts = [" ".join(print_statement(statement).split()) for statement in bare]
    return " · ".join(text.removeprefix("(").removesuffix(")") for text in texts)


def print_lines(programs: Iterable[Program]) -> list[str]:
    """Each program on a line of its own."""
    return [print_line(program) for program in programs]


def _apart(parts: list[str]) -> str:
    """One below the other, with an empty line beside what takes more than one."""
    pieces: list[str] = []
    for part in parts:
        if pieces:
            pieces.append("\n\n" if "\n" in part or "\n" in pieces[-1] else "\n")
        pieces.append(part)
    return "".join(pieces)


def print_statement(statement: Statement) -> str:
    """A statement on one line or several, its comments before it."""
    flat = None
    if len(statement.arguments) <= _MOST_ON_ONE_LINE and _is_bare(statement):
        flat = _flat(_call_parts(statement), WIDTH, keep=True)
    text = flat if flat is not None else _broken(statement)
    return "\n".join([*map(print_comment, statement.comments), text])


def print_value(value: Value) -> str:
    """A value on one line, without the comments in it."""
    return _flat([value]) or ""


def _flat(parts: list[Part], width: int | None = None, *, keep: bool = False) -> str | None:
    """Parts on one line. None when they are wider, or, to `keep` everything, when a comment or the lines of a
    text would be lost."""
    pieces: list[str] = []
    taken = 0
    waiting = parts[::-1]
    while waiting:
        part = waiting.pop()
        match part:
            case str():
                pieces.append(part)
                taken += len(part)
                if width is not None and taken > width:
                    return None
            case Sequence(items=items):
                waiting.extend(_reversed_list(items))
            case Map(entries=entries):
                listed = [piece for e in entries for piece in (" ", f":{e.key} ", e.value)][1:]
                waiting.extend(["{", *listed, "}"][::-1])
            case Call(statement=statement):
                if keep and (statement.comments or not _is_bare(statement)):
                    return None
                waiting.extend(_call_parts(statement)[::-1])
            case Text(value=text) if keep and block(text, 0) is not None:
                return None
            case _:
                waiting.append(_scalar(part))
    return "".join(pieces)


def _reversed_list(items: tuple[Value, ...]) -> Iterator[Part]:
    yield "]"
    for index in range(len(items) - 1, -1, -1):
        yield items[index]
        if index:
            yield " "
    yield "["


def _call_parts(statement: Statement) -> list[Part]:
    parts: list[Part] = [f"({statement.verb}"]
    for argument in statement.arguments:
        parts += (f" :{argument.name} ", argument.value)
    parts.append(f" :as @{statement.binds})" if statement.binds else ")")
    return parts


def _is_bare(statement: Statement) -> bool:
    """Whether no comment stands between its brackets."""
    return not statement.closing and not any(
        a.comments or comment_line(a.display) for a in statement.arguments
    )


def _scalar(value: Text | Integer | Number | Boolean | Nil | Date | Symbol) -> str:
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
            return "nil"
        case Date(value=day):
            return day.isoformat()
        case Symbol(name=name):
            return f"@{name}"
        case _:
            assert_never(value)


def _broken(statement: Statement) -> str:
    """A statement on several lines, without the comments before it."""
    pieces: list[str] = []
    column = 0
    waiting: list[Indented] = [*_call_lines(statement, 0)][::-1]
    while waiting:
        part, indent = waiting.pop()
        if not isinstance(part, str):
            # One column for the bracket that may follow.
            flat = _flat([part], WIDTH - column - 1, keep=True)
            if flat is None:
                waiting.extend([*_lines(part, indent)][::-1])
                continue
            part = flat
        pieces.append(part)
        column = len(part) - part.rfind("\n") - 1 if "\n" in part else column + len(part)
    return "".join(pieces)


def _lines(value: Value, indent: int) -> Iterator[Indented]:
    """A value that one line does not hold, each part deeper by one step than the line it begins on."""
    inner = indent + 2
    match value:
        case Call(statement=statement):
            yield from _call_lines(statement, indent)
        case Sequence(items=items) if items:
            yield "[", indent
            for item in items:
                yield _line(inner), inner
                yield item, inner
            yield f"{_line(indent)}]", indent
        case Map(entries=entries) if entries:
            yield "{", indent
            for entry in entries:
                yield f"{_line(inner)}:{entry.key} ", inner
                yield entry.value, inner
            yield f"{_line(indent)}}}", indent
        case Text(value=text):
            yield block(text, inner) or quoted(text), indent
        case _:
            yield print_value(value), indent


def _call_lines(statement: Statement, indent: int) -> Iterator[Indented]:
    inner = indent + 2
    yield f"({statement.verb}", indent
    ends_in_comment = False
    for argument in statement.arguments:
        display = comment_line(argument.display)
        yield from _comment_lines((*argument.comments, *_hoisted(argument)), inner)
        yield f"{_line(inner)}:{argument.name} ", inner
        yield argument.value, inner
        if display:
            yield f" {print_comment(display)}", inner
        ends_in_comment = bool(display)
    if statement.binds:
        yield f"{_line(inner)}:as @{statement.binds}", inner
        ends_in_comment = False
    yield from _comment_lines(statement.closing, inner)
    if ends_in_comment or statement.closing:
        yield _line(indent), indent
    yield ")", indent


def _hoisted(argument: Argument) -> Iterator[str]:
    """Comments before calls inside an argument: they have their place before the argument, as when read."""
    waiting: list[Value] = [argument.value]
    while waiting:
        match waiting.pop():
            case Call(statement=statement):
                yield from statement.comments
            case Sequence(items=items):
                waiting.extend(reversed(items))
            case Map(entries=entries):
                waiting.extend(entry.value for entry in reversed(entries))


def _comment_lines(comments: Iterable[str], indent: int) -> Iterator[Indented]:
    for comment in comments:
        yield f"{_line(indent)}{print_comment(comment)}", indent


def _line(indent: int) -> str:
    return "\n" + " " * indent
