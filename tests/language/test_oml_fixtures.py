"""OML, case by case. Each case of `oml/*.txt` is a document and what the reader must make of it.

=== what the case is about
the document
--- ok, or errors
the canonical document, or a line `code line:column-line:column` for each finding
"""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from dragoman.contracts.program import Value
from dragoman.contracts.verb import Effect
from dragoman.language.conversion import to_oml, to_verbs
from dragoman.language.document import Document
from dragoman.language.oml.oml_reader import read_oml
from dragoman.language.oml.printer import print_oml
from dragoman.language.oml.scalars import Misread, plain_value
from dragoman.language.source import Source, show
from dragoman.language.verbs.verb_reader import read_verbs

FOLDER = Path(__file__).parent / "oml"

_CASE = re.compile(r"^=== (?P<title>.*)\n(?P<source>(?:.*\n)*?)--- (?P<verdict>ok|errors)\n", re.MULTILINE)


class Case(NamedTuple):
    title: str
    source: str
    verdict: str
    expected: str


def cases() -> list[Case]:
    found = []
    for path in sorted(FOLDER.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        heads = list(_CASE.finditer(text))
        ends = [head.start() for head in heads[1:]] + [len(text)]
        found += [
            Case(
                f"{path.stem}: {head['title']}",
                _unescaped(head["source"]),
                head["verdict"],
                text[head.end() : end],
            )
            for head, end in zip(heads, ends, strict=True)
        ]
    return found


def _unescaped(source: str) -> str:
    """What a text file cannot show stands as `‹CR›`, `‹BOM›`, `‹U+0000›`."""
    source = source.replace("‹BOM›", "\ufeff").replace("‹CR›", "\r").replace("‹TAB›", "\t")
    return re.sub("‹U\\+([0-9A-F]{4})›", lambda match: chr(int(match[1], 16)), source)


CASES = cases()


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 100
    assert len({case.title for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_case(case: Case) -> None:
    source = Source(case.source, case.title)
    document = read_oml(source)
    shown = "\n".join(show(source, each) for each in document.diagnostics)
    if case.verdict == "ok":
        assert document.ok, shown
        printed = print_oml(document.statements, document.comments, {})
        assert printed == case.expected
        again = read_oml(Source(printed))
        assert (again.statements, again.comments) == (document.statements, document.comments)
    else:
        assert findings(document) == case.expected.splitlines(), shown
        assert all(each.hint and each.message for each in document.diagnostics)


def findings(document: Document) -> list[str]:
    return [
        f"{each.code} {span.line}:{span.column}-{span.end_line}:{span.end_column}"
        for each in document.diagnostics
        if (span := each.span) is not None
    ]


PLAIN = [line.split(" => ") for line in (FOLDER / "plain_scalars.list").read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("text", "meaning"), PLAIN, ids=[text for text, _ in PLAIN])
def test_plain_scalar(text: str, meaning: str) -> None:
    """What a scalar without quotes means, read alone and in a document."""
    assert described(plain_value(text)) == meaning
    document = read_oml(Source(f"{HEAD}  - {{id: a, component: b.c, mode: read, config: {{x: {text}}}}}\n"))
    if not meaning.startswith("error"):
        (argument,) = [each for each in document.statements[1].arguments if each.name == "x"]
        assert described(argument.value) == meaning
    else:
        assert findings(document)[0].startswith(meaning.removeprefix("error "))


def described(value: Value | Misread) -> str:
    if isinstance(value, Misread):
        return f"error {value.code}"
    return " ".join(
        [type(value).__name__, *(str(getattr(value, field)) for field in value.__struct_fields__)]
    )


HEAD = 'oml_version: "0.1.0"\nname: x\nsteps:\n'


def test_every_part_has_its_place() -> None:
    """The span of every key and value is exactly what stands there, also after wide characters and blocks."""
    text = (
        f"# ключ 🐉\n{HEAD}"
        "  - id: größe-1\n"
        "    component: b.c\n"
        "    mode: read\n"
        "    config:\n"
        '      "имя 🐉": ["ü", {k: 1.50}]\n'
        "      block: |\n        SELECT 1\n        # no comment\n\n"
        "      folded: >-\n        a\n        b\n"
        '      quoted: "a\n        b"\n'
        "      last: 2020-01-02\n"
    ).replace("größe-1", "groesse-1")
    for ending in ("\n", "\r\n"):
        for mark in ("", "\ufeff"):
            source = mark + text.replace("\n", ending)
            document = read_oml(Source(source))
            assert document.ok
            spans = document.spans[1]

            def piece(extent: tuple[int, int], source: str = source, ending: str = ending) -> str:
                return source[extent[0] : extent[1]].replace(ending, "\n")

            assert piece(spans.verb) == "b.c"
            assert spans.binds is not None
            assert piece(spans.binds) == "groesse-1"
            named = {piece(each.name): each.value for each in spans.arguments}
            assert list(named) == ["mode", '"имя 🐉"', "block", "folded", "quoted", "last"]
            items = named['"имя 🐉"'].items
            assert [piece(item.extent) for item in items] == ['"ü"', "{k: 1.50}"]
            assert piece(items[1].items[0].extent) == "1.50"
            assert piece(named["block"].extent) == "|\n        SELECT 1\n        # no comment"
            assert piece(named["folded"].extent) == ">-\n        a\n        b"
            assert piece(named["quoted"].extent) == '"a\n        b"'
            assert piece(named["last"].extent) == "2020-01-02"


DESIGN = """\
oml_version: "0.1.0"
name: mysql-to-csv-export
steps:
  - {id: extract-users, component: mysql.extractor, mode: read, config: {connection: "@shop", query: "SELECT * FROM users"}}
  - {id: write-users-csv, component: duckdb.writer, mode: write, needs: [extract-users], config: {format: csv, path: users.csv}}
"""  # noqa: E501
EFFECTS = {"mysql.extractor": Effect.READ, "duckdb.writer": Effect.WRITE}


VERBS = """\
(oml.pipeline :name "mysql-to-csv-export")
(mysql.extractor :connection "@shop" :query "SELECT * FROM users" :as @extract-users)
(duckdb.writer :needs [@extract-users] :format "csv" :path "users.csv" :as @write-users-csv)
"""


def test_the_example_is_the_same_program_in_both_notations() -> None:
    oml, verbs = Source(DESIGN), Source(VERBS)
    document, written = read_oml(oml), read_verbs(verbs)
    assert document.ok
    assert written.ok
    assert to_verbs(document, oml, EFFECTS).statements == written.statements
    converted = to_oml(written, verbs, EFFECTS)
    assert converted.ok
    assert converted.statements == document.statements
    printed = print_oml(converted.statements, converted.comments, EFFECTS)
    assert read_oml(Source(printed)).statements == document.statements


@pytest.mark.parametrize(
    ("source", "code", "words"),
    [
        ('version: "1"', "forbidden_key", "oml_version"),
        ("connectors: {}", "forbidden_key", "component"),
        ("tasks: []", "forbidden_key", "steps"),
        ("outputs: []", "forbidden_key", "duckdb.writer"),
        ("stesp: []", "unknown_key", "write steps"),
        (f"{HEAD}  - {{id: a, depends_on: []}}", "unknown_key", "write needs"),
        (f"{HEAD}  - {{id: a, confg: {{}}}}", "unknown_key", "write config"),
        (f"{HEAD}  - {{id: a, mode: wirte}}", "bad_mode", "write write"),
        (f"{HEAD}  - {{id: a, config: {{connection: @shop-1}}}}", "unquoted_at", 'write "@shop-1"'),
        (f"{HEAD}  - {{id: abc, needs: [abd]}}", "undefined_symbol", "did you mean abc"),
        (f'{HEAD}  - {{id: abc}}\n  - {{id: b, needs: ["@abc"]}}', "undefined_symbol", "without @"),
        (f"{HEAD}  - {{id: a, needs: [b]}}\n  - {{id: b, needs: [a]}}", "dependency_cycle", "a → b → a"),
    ],
)
def test_a_finding_says_what_to_write(source: str, code: str, words: str) -> None:
    found = [each for each in read_oml(Source(source)).diagnostics if each.code == code]
    assert any(words in each.hint or words in each.message for each in found), found


def test_good_steps_are_kept_beside_bad_ones() -> None:
    text = (
        f"{HEAD}"
        "  - {id: a, component: b.c, mode: read, config: {x: 1}}\n"
        "  - {id: b, component: b.c, mode: read, config: {x: @y}}\n"
        '  - {id: c, component: b.c, mode: read, config: {x: "}}\n'
        "  - {id: d, component: b.c, mode: raed, config: {}}\n"
        "  - {id: e, component: b.c, mode: read, needs: [c, a], config: {}}\n"
    )
    document = read_oml(Source(text))
    assert [each.code for each in document.diagnostics] == ["unquoted_at", "yaml_syntax", "bad_mode"]
    assert [each.binds for each in document.statements] == ["", "a", "e"]
