"""What holds for every program in verb notation: printing and reading undo each other, places are true."""

import random
import re
from collections.abc import Iterator
from typing import Final

from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from dragoman.contracts.program import (
    Argument,
    Call,
    Map,
    Nil,
    Program,
    Sequence,
    Statement,
    Text,
    Value,
)
from dragoman.contracts.vocabulary import Notation
from dragoman.language.document import Document, Extent, StatementSpans, ValueSpans
from dragoman.language.source import Source
from dragoman.language.verbs.comments import comment_line, comment_text, print_comment
from dragoman.language.verbs.printer import print_document, print_statement, print_value
from dragoman.language.verbs.strings import block, dedented, quoted
from dragoman.language.verbs.verb_reader import read_verbs
from tests.language.verb_programs import comments, documents, programs, statements, texts, values


def read(text: str) -> Document:
    document = read_verbs(Source(text))
    assert document.ok, document.diagnostics
    return document


@given(documents)
@example(Document(Notation.VERBS))
@example(Document(Notation.VERBS, (), (), ("", ";", " ;")))
@example(Document(Notation.VERBS, (Statement("a.b", (Argument("c", Nil(), "x"),), "", (), ("y",)),)))
def test_what_is_printed_reads_back_as_it_was(document: Document) -> None:
    again = read(print_document(document))
    assert again.statements == document.statements
    assert again.comments == document.comments


@given(documents)
def test_a_printed_document_is_laid_out_already(document: Document) -> None:
    text = print_document(document)
    assert print_document(read(text)) == text
    assert text == "" or (text.endswith("\n") and not text.endswith("\n\n") and text[0] != "\n")


# The same program, written otherwise.

_GAPS: Final = [" ", "\t", "\n ", "\r\n\t", "  \n\n  "]
_PIECE: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[()\[\]{}]|[^\s()\[\]{}"]+')


def _pieces(program: Program) -> list[str]:
    """The tokens of a program without comments."""
    return [piece for statement in program for piece in _PIECE.findall(print_value(Call(statement)))]


@given(programs, st.randoms(use_true_random=False))
def test_white_space_between_tokens_means_nothing(program: Program, chance: random.Random) -> None:
    bare = tuple(_bare(statement) for statement in program)
    text = "".join(f"{piece}{chance.choice(_GAPS)}" for piece in _pieces(bare))
    assert read(text).statements == bare


def _bare(statement: Statement) -> Statement:
    """The statement without its comments, those inside it included."""
    arguments = tuple(Argument(a.name, _bare_value(a.value)) for a in statement.arguments)
    return Statement(statement.verb, arguments, statement.binds)


def _bare_value(value: Value) -> Value:
    match value:
        case Call(statement=statement):
            return Call(_bare(statement))
        case Sequence(items=items):
            return Sequence(tuple(map(_bare_value, items)))
        case Map(entries=entries):
            return Map(tuple(replace(entry, value=_bare_value(entry.value)) for entry in entries))
        case _:
            return value


@given(programs, st.randoms(use_true_random=False))
def test_a_comment_between_any_two_tokens_is_kept(program: Program, chance: random.Random) -> None:
    bare = tuple(_bare(statement) for statement in program)
    pieces = _pieces(bare)
    marks = [f"mark-{number}" for number in range(len(pieces))]
    noted = "".join(f"{p}{chance.choice(_GAPS)}; {mark}\n " for p, mark in zip(pieces, marks, strict=True))
    printed = print_document(read(noted))
    assert sorted(re.findall(r"; (mark-[0-9]+)", printed)) == sorted(marks)
    assert tuple(_bare(statement) for statement in read(printed).statements) == bare


# Places.


@given(documents)
def test_every_part_stands_where_its_span_says(document: Document) -> None:
    text = print_document(document)
    again = read(text)
    assert len(again.spans) == len(again.statements)
    for statement, spans in zip(again.statements, again.spans, strict=True):
        _check_statement(text, statement, spans)


def _check_statement(text: str, statement: Statement, spans: StatementSpans) -> None:
    whole = _piece(text, spans.extent)
    assert (whole[0], whole[-1]) == ("(", ")")
    assert _piece(text, spans.verb) == statement.verb
    assert (spans.binds is not None) == bool(statement.binds)
    if spans.binds is not None:
        assert _piece(text, spans.binds) == f"@{statement.binds}"
    for argument, where in zip(statement.arguments, spans.arguments, strict=True):
        assert _piece(text, where.name) == f":{argument.name}"
        _check_value(text, argument.value, where.value)


def _check_value(text: str, value: Value, spans: ValueSpans) -> None:
    alone = read(f"(x.y :v {_piece(text, spans.extent)})").statements[0].arguments[0].value
    assert alone == value
    match value:
        case Call(statement=statement):
            assert spans.call is not None
            assert spans.items == tuple(argument.value for argument in spans.call.arguments)
            _check_statement(text, statement, spans.call)
        case Sequence(items=items):
            for item, where in zip(items, spans.items, strict=True):
                _check_value(text, item, where)
        case Map(entries=entries):
            for entry, where in zip(entries, spans.items, strict=True):
                _check_value(text, entry.value, where)
        case _:
            assert spans == ValueSpans(spans.extent)


def _piece(text: str, extent: Extent) -> str:
    return text[extent[0] : extent[1]]


# Recovery.

FAULTY: Final = (
    "(a",
    "(a.b :c [1 {:d (e.f",
    '(a.b :c "x)',
    "(a.b :c 1e6)",
    "(a.b :c 1 :c 2)",
    "(a.b :c]",
    "hello",
    ")",
    "(a.b\xa0:c 1)",
    '(a.b :c "\\q")',
)


@given(st.lists(statements | st.sampled_from(FAULTY), max_size=6))
def test_a_faulty_statement_takes_no_other_with_it(parts: list[Statement | str]) -> None:
    written = [part if isinstance(part, str) else print_statement(_bare(part)) for part in parts]
    document = read_verbs(Source("\n".join(written)))
    assert document.statements == tuple(_bare(part) for part in parts if isinstance(part, Statement))
    found = {d.span.line for d in document.diagnostics if d.span}
    assert set(_faulty_lines(parts, written)) <= found


def _faulty_lines(parts: list[Statement | str], written: list[str]) -> Iterator[int]:
    """The lines where a faulty statement begins; what stands outside may belong to one that is open still."""
    line = 1
    for part, text in zip(parts, written, strict=True):
        if isinstance(part, str) and part.startswith("("):
            yield line
        line += text.count("\n") + 1


# Texts and comments.


@given(texts)
def test_a_text_reads_back_from_its_quotes_and_from_its_block(text: str) -> None:
    for written in filter(None, (quoted(text), block(text, 0), block(text, 4))):
        (statement,) = read(f"(a.b :c {written})").statements
        assert statement.arguments[0].value == Text(text)


@given(texts)
def test_a_quoted_text_is_one_line_of_letters_that_can_be_seen(text: str) -> None:
    assert quoted(text).isprintable()


@given(st.text(st.sampled_from("ab \t\n\r"), max_size=20), st.integers(0, 6))
def test_a_block_string_means_the_same_wherever_it_is_indented(raw: str, indent: int) -> None:
    body = "\n" + raw.replace("\r", "") + "\n"
    moved = body.replace("\n", "\n" + " " * indent)
    assert dedented(moved) == dedented(body)
    assert dedented(body.replace("\n", "\r\n")) == dedented(body)


@given(st.text())
def test_a_comment_is_kept_as_it_is_printed(text: str) -> None:
    line = comment_line(text)
    assert line.replace("\t", "").isprintable()
    assert comment_line(line) == line
    assert comment_text(print_comment(text)[1:]) == line


@given(values, comments)
def test_a_value_is_printed_on_one_line(value: Value, display: str) -> None:
    printed = print_value(value)
    assert "\n" not in printed
    (statement,) = read(f"(a.b :c {printed} ; {display}\n)").statements
    assert statement.arguments[0].value == _bare_value(value)


def test_depth_costs_the_printer_no_recursion() -> None:
    value: Value = Nil()
    for number in range(2_000):
        value = Sequence((value,)) if number % 2 else Call(Statement("a.b", (Argument("c", value),)))
    assert print_value(value).startswith("[(a.b :c [")
    assert print_statement(Statement("a.b", (Argument("c", value, "x"),))).startswith("(a.b\n  :c [")
