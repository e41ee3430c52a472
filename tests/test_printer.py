"""Printed programs: a reader written here, from the notation alone, gets back what was printed."""

import datetime as dt
import re
import textwrap
from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

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
from dragoman.language.source import Source
from dragoman.language.verbs.comments import comment_line
from dragoman.language.verbs.printer import print_program, print_statement, print_value
from dragoman.language.verbs.verb_reader import read_verbs
from tests import strategies as some

# The notation, read back. `(domain.verb :arg value … :as @symbol)`, `;` begins a comment.

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_-]*"
_TOKEN: Final = re.compile(
    rf'''\s+
    | (?P<comment>;[^\n]*)
    | (?P<mark>[()\[\]])
    | (?P<verb>{_NAME}\.{_NAME})
    | :(?P<key>{_NAME})
    | @(?P<symbol>{_NAME})
    | """(?P<block>[\s\S]*?)"""
    | "(?P<text>(?:[^"\\\n]|\\.)*)"
    | (?P<date>\d{{4}}-\d\d-\d\d)
    | (?P<decimal>-?\d+\.\d+)
    | (?P<integer>-?\d+)
    | (?P<word>true|false|nil)''',
    re.VERBOSE,
)
_ESCAPE: Final = re.compile(r"\\(?:u([0-9a-f]{4})|(.))")
_SHORT: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}

Token = tuple[str, str]


def _unescaped(text: str) -> str:
    r"""A letter beyond U+FFFF is a pair of escapes, as in JSON."""
    units = _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _SHORT[m[2]], text)
    return units.encode("utf-16-be", "surrogatepass").decode("utf-16-be")


def _dedented(block: str) -> str:
    """The lines between those of the quotes, without what they are indented by."""
    return textwrap.dedent("\n".join(block.split("\n")[1:-1]))


def _tokens(source: str) -> Iterator[Token]:
    position = 0
    while position < len(source):
        match = _TOKEN.match(source, position)
        assert match, f"nothing of the notation: {source[position:]!r}"
        position = match.end()
        if match.lastgroup:
            yield match.lastgroup, match[match.lastgroup]


class Reading:
    """Reads a printed program; the comment behind an argument is its display."""

    def __init__(self, source: str) -> None:
        self._left = list(_tokens(source))[::-1]

    def program(self) -> Program:
        statements: list[Statement] = []
        while self._left:
            statements.append(self._statement())
        return tuple(statements)

    def _statement(self) -> Statement:
        assert self._left.pop() == ("mark", "(")
        kind, verb = self._left.pop()
        assert kind == "verb"
        arguments: list[Argument] = []
        binds = ""
        while self._left[-1] != ("mark", ")"):
            kind, name = self._left.pop()
            assert kind == "key", f"an argument was expected, not {name!r}"
            if name == "as":
                kind, binds = self._left.pop()
                assert kind == "symbol"
                continue
            arguments.append(Argument(name, self._value(), self._display()))
        self._left.pop()
        return Statement(verb, tuple(arguments), binds)

    def _display(self) -> str:
        if self._left[-1][0] != "comment":
            return ""
        return self._left.pop()[1][1:].removeprefix(" ")

    def _value(self) -> Value:
        match self._left.pop():
            case "block", text:
                return Text(_dedented(text))
            case "text", text:
                return Text(_unescaped(text))
            case "date", text:
                return Date(dt.date.fromisoformat(text))
            case "decimal", text:
                return Number(text)
            case "integer", text:
                return Integer(int(text))
            case "symbol", text:
                return Symbol(text)
            case "word", "nil":
                return Nil()
            case "word", text:
                return Boolean(text == "true")
            case "mark", "[":
                items: list[Value] = []
                while self._left[-1] != ("mark", "]"):
                    items.append(self._value())
                self._left.pop()
                return Sequence(tuple(items))
            case token:
                raise AssertionError(f"no value begins with {token}")


def _unreserved(program: Program) -> Program:
    """The program without the reserved argument."""
    return tuple(
        replace(statement, arguments=tuple(a for a in statement.arguments if a.name != "as"))
        for statement in program
    )


def _worded(program: Program) -> Program:
    """The program with every display as one line, which is how it is shown."""
    return tuple(
        replace(
            statement,
            arguments=tuple(replace(a, display=comment_line(a.display)) for a in statement.arguments),
        )
        for statement in program
    )


programs: Final = some.programs.map(_unreserved)


@given(programs)
@example((Statement("a.b"),))
@example((Statement("a.b", (Argument("c", Nil(), "x"),)), Statement("a.b", (), "d")))
def test_what_is_printed_reads_back_as_it_was(program: Program) -> None:
    assert Reading(print_program(program)).program() == _worded(program)


@given(programs)
def test_a_program_is_printed_the_same_twice_and_one_statement_per_call(program: Program) -> None:
    text = print_program(program)
    assert print_program(program) == text
    assert re.fullmatch("\n\n?".join(re.escape(print_statement(statement)) for statement in program), text)
    assert sum(token == ("mark", "(") for token in _tokens(text)) == len(program)


_displays: Final = st.text(st.sampled_from(' \n\r\t\v\f\x1c\x1d\x1e\x85\u2028\u2029;:()[]"\\@a'), max_size=8)
_commented: Final = st.lists(st.builds(Argument, some.names, some.values, _displays), max_size=4).map(tuple)


@given(_commented, st.just("") | some.names)
def test_a_comment_swallows_nothing_that_follows(arguments: tuple[Argument, ...], binds: str) -> None:
    program = _unreserved((Statement("a.b", arguments, binds), Statement("c.d")))
    assert Reading(print_program(program)).program() == _worded(program)


@given(some.texts)
def test_a_text_is_one_line_of_printable_letters_between_quotes(text: str) -> None:
    printed = print_value(Text(text))
    assert printed[0] == printed[-1] == '"'
    assert printed.isprintable()
    assert re.fullmatch(r'(?:[^"\\]|\\.)*', printed[1:-1])


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (Text(""), '""'),
        (Text('say "hi"\\'), r'"say \"hi\"\\"'),
        (Text("a\nb\rc\td"), r'"a\nb\rc\td"'),
        (Text("\x00\x1b\u2028\u202e"), r'"\u0000\u001b\u2028\u202e"'),
        (Text("\U000e0001"), r'"\udb40\udc01"'),
        (Text("Альфа 한국 é 😀"), '"Альфа 한국 é 😀"'),
        (Text("; no comment"), '"; no comment"'),
        (Text(r"\u0041"), r'"\\u0041"'),
        (Integer(-7), "-7"),
        (Integer(2**63 - 1), "9223372036854775807"),
        (Number("1.10"), "1.10"),
        (Boolean(True), "true"),
        (Boolean(False), "false"),
        (Nil(), "nil"),
        (Date(dt.date(2020, 3, 31)), "2020-03-31"),
        (Date(dt.date(1, 1, 1)), "0001-01-01"),
        (Symbol("shop"), "@shop"),
        (Sequence(()), "[]"),
        (Sequence((Date(dt.date(2020, 3, 1)), Sequence((Nil(),)))), "[2020-03-01 [nil]]"),
    ],
)
def test_values(value: Value, printed: str) -> None:
    assert print_value(value) == printed


@pytest.mark.parametrize(
    ("program", "printed"),
    [
        ((), ""),
        ((Statement("a.b"),), "(a.b)"),
        ((Statement("a.b", (), "c"),), "(a.b :as @c)"),
        ((Statement("a.b", (Argument("c", Integer(1)),)),), "(a.b :c 1)"),
        ((Statement("a.b", (Argument("c", Integer(1), "one"),)),), "(a.b\n  :c 1 ; one\n)"),
        (
            (Statement("a.b", (Argument("c", Text("19eba7a4"), "ALLIANZ FUNDS"),), "d"),),
            '(a.b\n  :c "19eba7a4" ; ALLIANZ FUNDS\n  :as @d)',
        ),
        ((Statement("a.b"), Statement("c.d")), "(a.b)\n(c.d)"),
    ],
)
def test_programs(program: Program, printed: str) -> None:
    assert print_program(program) == printed


@pytest.mark.parametrize("letter", ["\U000e0001", "\U000f0000", "\U000e007f"])
def test_two_texts_are_never_printed_alike(letter: str) -> None:
    digits = f"{ord(letter):04x}"
    other = chr(int(digits[:4], 16)) + digits[4:]
    assert print_value(Text(letter)) != print_value(Text(other))


@pytest.mark.parametrize("display", ["\x00", "\x1b[2J", "abc\u202egnp.exe", "a\x08b", "\x9b31m"])
def test_a_comment_has_no_letters_that_steer_a_terminal(display: str) -> None:
    printed = print_statement(Statement("a.b", (Argument("c", Nil(), display),)))
    assert all(letter.isprintable() or letter == "\n" for letter in printed)


def _reads_back(statement: Statement) -> bool:
    return read_verbs(Source(print_statement(statement))).statements == (statement,)


@pytest.mark.parametrize(
    "statement",
    [
        Statement("a.b", (), "x) (c.d"),
        Statement("a.b", (), "x ; y"),
        Statement("a.b", (Argument("c", Symbol("x) (c.d")),)),
        Statement("a.b", (Argument("c", Sequence((Symbol(""),))),)),
        Statement("a.b", (Argument("c", Number("1) (c.d")),)),
        Statement("a.b", (Argument("as", Symbol("x")),)),
    ],
    ids=["bound name", "bound name with a comment", "symbol", "empty symbol", "number", "reserved name"],
)
def test_reading_back_tells_what_the_notation_cannot_say(statement: Statement) -> None:
    assert not _reads_back(statement)


@pytest.mark.parametrize("name", ["", "1a", "a b", "a)", 'a"', "a;b", "ä", ":a", "@a", "a\n"])
def test_reading_back_tells_a_name_that_is_none(name: str) -> None:
    assert not _reads_back(Statement(f"a.{name}"))
    assert not _reads_back(Statement("a.b", (Argument(name, Nil()),)))
