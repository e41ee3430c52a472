"""Between the notations: what converts, and what is said of what does not."""

import pytest
from msgspec.structs import replace

from dragoman.contracts.program import Argument, Program, Statement, Text
from dragoman.contracts.verb import Effect
from dragoman.language.conversion import Conversion, to_oml, to_verbs
from dragoman.language.nested_calls import lift
from dragoman.language.oml.oml_reader import read_oml
from dragoman.language.oml.printer import print_oml
from dragoman.language.source import Source
from dragoman.language.verbs.printer import print_document
from dragoman.language.verbs.verb_reader import read_verbs

EFFECTS = {"a.read": Effect.READ, "a.write": Effect.WRITE}
HEAD = '(oml.pipeline :name "x")\n'


def converted(text: str) -> Conversion:
    source = Source(text)
    document = read_verbs(source)
    assert document.ok, document.diagnostics
    return to_oml(document, source, EFFECTS)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("(oml.pipeline)\n(a.read)", "1:2", "oml.pipeline :name"),
        (HEAD, "1:1", "add a statement"),
        (f"{HEAD}(a.read :as @My_Step)", "2:13", "lower-case"),
        (f"{HEAD}(a.read :as @con)", "2:13", "lower-case"),
        (f"{HEAD}(a.read :x [@Other])", "2:13", "lower-case"),
        (f"{HEAD}(b.unknown)", "2:2", ":mode"),
        (f'{HEAD}(a.read :mode "append")', "2:15", "transform"),
        (f"{HEAD}(a.read :needs @x)", "2:16", "[@extract-users]"),
        (f'{HEAD}(a.read :needs ["x"])', "2:16", "[@extract-users]"),
        (f"{HEAD}(a.read :id 1)", "2:9", ":as @name"),
        (f'{HEAD}(a.read :x "${{steps.y}}")', "2:12", "@name"),
        (f'{HEAD}(a.read)\n(oml.pipeline :name "y")', "3:1", "top"),
        (f"{HEAD}(a.read :as @x)\n(a.read :as @x)", "3:13", "rename"),
        ('(oml.pipeline :name "x" :as @y)\n(a.read)', "1:29", "remove :as"),
        ('(oml.pipeline :name "x" :description (a.read))\n(a.read)', None, ""),
    ],
)
def test_what_does_not_convert_is_said_with_its_place(text: str, place: str | None, words: str) -> None:
    conversion = converted(text)
    assert not conversion.ok
    if place is None:
        return
    (finding, *_) = [each for each in conversion.diagnostics if each.code == "not_convertible"]
    assert finding.span is not None
    assert f"{finding.span.line}:{finding.span.column}" == place
    assert words in finding.hint


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('(oml.pipeline :name "My Pipeline")(a.read)', "bad_name"),
        ('(oml.pipeline :name "x" :nmae 1)(a.read)', "unknown_key"),
        ('(oml.pipeline :name "x" :params {:a 5})(a.read)', "wrong_type"),
    ],
)
def test_the_head_obeys_the_same_rules_in_verb_notation(text: str, code: str) -> None:
    assert code in [each.code for each in converted(text).diagnostics]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("(a.read :as @users)", "users"),
        ("(a.read :as @users)\n(a.write :needs [@users] :as @file)", "file"),
        ("(a.read)", "a-read"),
        ('(Big_Table.list :mode "read")', "big-table-list"),
        ("(a.write :x (a.read))", "a-write"),
    ],
)
def test_a_program_without_a_head_is_named_by_its_last_step(text: str, name: str) -> None:
    conversion = converted(text)
    assert conversion.ok
    printed = print_oml(conversion.statements, (), EFFECTS)
    assert f"name: {name}\n" in printed
    source = Source(printed)
    head, *steps = to_verbs(read_oml(source), source, EFFECTS).statements
    assert head.argument("name") == Argument("name", Text(name))
    assert [replace(step, arguments=_without_mode(step)) for step in steps] == [
        replace(step, arguments=_without_mode(step)) for step in lift(read_verbs(Source(text)).statements)
    ]


def test_a_mode_is_written_where_the_effect_is_not_known() -> None:
    conversion = converted(f'{HEAD}(a.read)(b.unknown :mode "write")(a.write :mode "read")')
    assert conversion.ok
    printed = print_oml(conversion.statements, (), EFFECTS)
    assert printed.count("mode: read") == 2
    assert printed.count("mode: write") == 1
    source = Source(printed)
    assert _verbs(to_verbs(read_oml(source), source, EFFECTS).statements) == [
        '(oml.pipeline :name "x")',
        "(a.read)",
        '(b.unknown :mode "write")',
        '(a.write :mode "read")',
    ]


def _verbs(statements: Program) -> list[str]:
    from tests.language.programs import placed

    return print_document(placed(statements)).split("\n")[:-1]


def test_nested_calls_are_lifted_and_read_back_as_statements() -> None:
    conversion = converted(
        f"{HEAD}(a.write :needs [@rows] :source (a.read :limit 5 :as @rows) :also (a.read))"
    )
    assert conversion.ok
    source = Source(print_oml(conversion.statements, (), EFFECTS))
    document = read_oml(source)
    assert document.ok
    assert _verbs(to_verbs(document, source, EFFECTS).statements)[1:] == [
        "(a.read :limit 5 :as @rows)",
        "(a.read :as @a-read)",
        "",
        "(a.write",
        "  :needs [@rows]",
        "  :source @rows",
        "  :also @a-read)",
    ]


def test_keys_that_are_no_names_stay_in_oml() -> None:
    source = Source(
        'oml_version: "0.1.0"\nname: x\nsteps:\n'
        '  - {id: a, component: a.read, mode: read, config: {"a b": 1, m: [{"1": 2}], ok: {fine: 1}}}\n'
    )
    conversion = to_verbs(read_oml(source), source, EFFECTS)
    assert [each.code for each in conversion.diagnostics] == ["not_convertible"] * 2
    assert [each.span.column for each in conversion.diagnostics if each.span] == [53, 67]


def test_what_was_said_beside_a_mode_is_kept() -> None:
    source = Source(
        'oml_version: "0.1.0"\nname: x\nsteps:\n'
        "  - id: a\n    component: a.read\n    # above\n    mode: read # beside\n    config: {x: 1}\n"
        "  - id: b\n    component: a.read\n    mode: read # alone\n    config: {}\n"
    )
    _, first, second = to_verbs(read_oml(source), source, EFFECTS).statements
    assert first.arguments[0].comments == ("above", "beside")
    assert second.closing == ("alone",)


def test_deep_values_are_refused_before_they_are_walked() -> None:
    depth = 97
    conversion = converted(f"{HEAD}(a.read :x {'[' * depth}{']' * depth})")
    assert [each.code for each in conversion.diagnostics] == ["not_convertible"]
    depth = 96
    conversion = converted(f"{HEAD}(a.read :x {'[' * depth}{']' * depth})")
    assert conversion.ok
    assert read_oml(Source(print_oml(conversion.statements, (), EFFECTS))).ok


def _without_mode(statement: Statement) -> tuple[Argument, ...]:
    return tuple(argument for argument in statement.arguments if argument.name != "mode")
