"""The verb notation, case by case: what is read prints as a fixture says, what is wrong is where it says.

A case in `verbs/*.txt` is `=== name`, the input, then for a faulty one `--- errors` with a line
`code line:column-end_line:end_column` for each, then `--- print` with the canonical text of what is kept
(left out when nothing is). `<U+00A0>` stands for the character of that number, `<LF>` for a line feed.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from dragoman.contracts.program import Diagnostic, Severity
from dragoman.language.source import Source
from dragoman.language.verbs.limits import MAX_CODE_POINTS, MAX_DEPTH, MAX_FINDINGS
from dragoman.language.verbs.printer import print_document
from dragoman.language.verbs.verb_reader import read_verbs

FOLDER: Final = Path(__file__).parent / "verbs"
_CHARACTER: Final = re.compile(r"<U\+([0-9A-F]{4,6})>")


class Case(NamedTuple):
    name: str
    input: str
    errors: tuple[str, ...]
    printed: str


def cases() -> Iterator[Case]:
    for file in sorted(FOLDER.glob("*.txt")):
        for chunk in file.read_text(encoding="utf-8").split("\n=== ")[1:]:
            name, _, rest = chunk.partition("\n")
            body, _, printed = rest.partition("--- print\n")
            text, _, errors = body.partition("--- errors\n")
            yield Case(
                f"{file.stem}: {name}", _characters(text), tuple(errors.splitlines()), _characters(printed)
            )


def _characters(text: str) -> str:
    """The text of a section: without the line feed that ends its last line, with the characters it names."""
    return _CHARACTER.sub(lambda m: chr(int(m[1], 16)), text.strip("\n")).replace("<LF>", "\n")


CASES: Final = list(cases())


def place(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    assert span is not None
    mark = "" if diagnostic.severity is Severity.ERROR else f" {diagnostic.severity}"
    where = f"{span.line}:{span.column}-{span.end_line}:{span.end_column}"
    return f"{diagnostic.code} {where}{mark}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Case) -> None:
    document = read_verbs(Source(case.input))
    assert tuple(place(diagnostic) for diagnostic in document.diagnostics) == case.errors
    assert print_document(document).rstrip("\n") == case.printed
    for diagnostic in document.diagnostics:
        assert diagnostic.message
        assert diagnostic.hint
        assert (diagnostic.message + diagnostic.hint).isprintable()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_printed_is_canonical(case: Case) -> None:
    again = read_verbs(Source(case.printed))
    assert again.ok
    assert print_document(again).rstrip("\n") == case.printed


LIMITS: Final = {"source_too_large", "too_deep", "too_many_errors"}
_CODE: Final = re.compile(r'(?:Fault|_duplicate|_stray)\(\s*"(\w+)"')


def test_there_are_enough_cases_and_every_code_has_one() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 150
    shown = {line.split()[0] for case in CASES for line in case.errors}
    modules = Path(read_verbs.__code__.co_filename).parent.glob("*.py")
    known = {code for module in modules for code in _CODE.findall(module.read_text(encoding="utf-8"))}
    assert known == shown | LIMITS


# Limits.


def codes(text: str) -> list[str]:
    return [diagnostic.code for diagnostic in read_verbs(Source(text)).diagnostics]


def nested(depth: int) -> str:
    """A statement with so many brackets in one another."""
    return f"(a.b :c {'[' * (depth - 1)}{']' * (depth - 1)})"


def test_brackets_stand_in_one_another_up_to_the_limit() -> None:
    assert codes(nested(MAX_DEPTH)) == []
    assert codes(nested(MAX_DEPTH + 1)) == ["too_deep"]
    assert codes(nested(MAX_DEPTH + 50)) == ["too_deep"]


def test_depth_is_reported_once_for_a_statement_and_the_others_are_kept() -> None:
    deep = nested(MAX_DEPTH + 1)[5:-1]
    document = read_verbs(Source(f"(a.b {deep} :d {deep[3:]} :e 1) (c.d)\n(e.f {deep})\n(g.h)"))
    assert [place(d) for d in document.diagnostics] == ["too_deep 1:108-1:109", "too_deep 2:108-2:109"]
    assert [statement.verb for statement in document.statements] == ["c.d", "g.h"]


def test_what_is_too_deep_ends_where_a_statement_begins() -> None:
    document = read_verbs(Source("(a.b :c " + "(d.e :f " * 5_000 + '"""\n(x.y\n""" [{"\n(g.h)'))
    assert [d.code for d in document.diagnostics] == ["unclosed_bracket", "too_deep"]
    assert [statement.verb for statement in document.statements] == ["g.h"]


def test_a_text_that_is_too_long_is_not_read() -> None:
    longest = "(a.b)" + " " * (MAX_CODE_POINTS - 5)
    assert codes(longest) == []
    document = read_verbs(Source(longest + "\n"))
    assert [d.code for d in document.diagnostics] == ["source_too_large"]
    assert document.statements == ()


def test_errors_are_counted_up_to_the_limit_and_good_statements_are_kept() -> None:
    assert len(codes("(a)\n" * MAX_FINDINGS)) == MAX_FINDINGS
    document = read_verbs(Source("(a)\n" * (MAX_FINDINGS + 500) + "(b.c)\n(d)"))
    assert [d.code for d in document.diagnostics[-2:]] == ["bad_verb", "too_many_errors"]
    assert len(document.diagnostics) == MAX_FINDINGS + 1
    assert [statement.verb for statement in document.statements] == ["b.c"]
