"""OML as a whole: nothing is lost on the way there and back, and nothing breaks the reader."""

import random
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragoman.contracts.program import Argument, Call, Program, Sequence, Statement, Symbol, Text
from dragoman.language.conversion import to_oml, to_verbs
from dragoman.language.nested_calls import lift, lift_document
from dragoman.language.oml.oml_reader import read_oml
from dragoman.language.oml.printer import print_oml
from dragoman.language.oml.relations import cycles
from dragoman.language.source import Source, show
from tests.language.programs import VERBS, notes, placed, programs


def as_oml(program: Program, ending: tuple[str, ...] = ()) -> str:
    conversion = to_oml(placed(program, ending), Source(""), VERBS)
    assert conversion.diagnostics == ()
    return print_oml(conversion.statements, conversion.comments, VERBS)


@given(programs(), notes)
def test_verbs_to_oml_and_back_is_the_lifted_program(program: Program, ending: tuple[str, ...]) -> None:
    text = as_oml(program, ending)
    source = Source(text)
    document = read_oml(source)
    assert document.ok, text + "\n".join(show(source, each) for each in document.diagnostics)
    back = to_verbs(document, source, VERBS)
    assert back.ok
    assert back.statements == lift(program), text
    assert back.comments == ending


@given(programs(calls=False), notes)
def test_oml_to_verbs_and_back_is_the_same_text(program: Program, ending: tuple[str, ...]) -> None:
    text = as_oml(program, ending)
    source = Source(text)
    document = read_oml(source)
    verbs = to_verbs(document, source, VERBS)
    again = to_oml(placed(verbs.statements, verbs.comments), Source(""), VERBS)
    assert print_oml(again.statements, again.comments, VERBS) == text


@given(programs(), notes)
def test_printing_is_idempotent_and_keeps_comments(program: Program, ending: tuple[str, ...]) -> None:
    text = as_oml(program, ending)
    document = read_oml(Source(text))
    assert print_oml(document.statements, document.comments, {}) == text


@given(programs())
def test_lifting_leaves_no_call_and_names_everything_once(program: Program) -> None:
    lifted = lift(program)
    assert "Call(" not in repr(lifted)
    ids = [each.binds or f"step-{number}" for number, each in enumerate(lifted[1:], 1)]
    assert len(set(ids)) == len(ids)
    assert lift(lifted) == lifted
    assert lift_document(placed(program)).statements == lifted


def test_a_lifted_call_stands_before_what_needs_it_and_references_follow_their_step() -> None:
    inner = Statement("a.b", (Argument("x", Text("1")),))
    program = (
        Statement("c.d", (Argument("source", Call(inner)), Argument("other", Call(inner)))),
        Statement("e.f", (Argument("needs", Sequence((Symbol("step-1"),))),)),
    )
    first, second, third, last = lift(program)
    assert (first.verb, first.binds, second.binds) == ("a.b", "a-b", "a-b-2")
    assert [argument.value for argument in third.arguments] == [Symbol("a-b"), Symbol("a-b-2")]
    assert (third.binds, last.binds) == ("", "")
    assert last.arguments[0].value == Sequence((Symbol("step-3"),))


def test_an_explicit_step_number_at_its_own_place_is_an_implicit_one() -> None:
    program = (Statement("a.b", (), "step-1"), Statement("a.b", (), "step-1x"), Statement("a.b"))
    assert [each.binds for each in lift(program)] == ["", "step-1x", ""]
    # A place that somebody else has taken by name gets a name of its own.
    taken = (Statement("a.b", (), "step-2"), Statement("a.b"))
    assert [each.binds for each in lift(taken)] == ["step-2", "step-2-call"]


BASE = """\
# A pipeline.
oml_version: "0.1.0"
name: mysql-to-csv-export
description: "Users: all of them"
params:
  region: {type: string, enum: [north, south], default: north}
  since: {type: date}
profiles:
  test: {region: south, since: 2020-01-01}
steps:
  # Everything.
  - id: extract-users
    component: mysql.extractor
    mode: read
    config:
      connection: "@shop" # the shop
      query: |
        SELECT * FROM users
        WHERE region = '${params.region}' -- # not a comment
      since: ${params.since}
  - {id: write-users-csv, component: duckdb.writer, mode: write, needs: [extract-users], config: {path: u}}
# The end.
"""
PIECES = [
    "@x",
    "&a ",
    "*a",
    "!!str ",
    "<<: ",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    ": ",
    "- ",
    "#",
    "\t",
    "\n",
    "\r\n",
    "|",
    ">",
]


def test_the_base_is_good() -> None:
    assert read_oml(Source(BASE)).diagnostics == ()


@st.composite
def edited(draw: st.DrawFn) -> str:
    """A good document after a few edits of the kind that people, models and broken tools make."""
    text = BASE
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(text)))
        until = min(len(text), at + draw(st.sampled_from([0, 0, 1, 2, 10, 80])))
        text = (
            text[:at]
            + draw(st.one_of(st.sampled_from(PIECES), st.text(max_size=3), st.just("")))
            + text[until:]
        )
    return text


def check_sane(text: str) -> None:
    """Whatever was read: findings have their place inside the text, and what is kept can be printed."""
    source = Source(text)
    document = read_oml(source)
    assert len(document.statements) == len(document.spans)
    for each in document.diagnostics:
        assert each.span is not None
        assert 0 <= each.span.start <= each.span.end <= len(text) + 3
        assert show(source, each)
    if document.ok:
        printed = print_oml(document.statements, document.comments, {})
        again = read_oml(Source(printed))
        assert again.ok, printed
        assert again.statements == document.statements
        assert print_oml(again.statements, again.comments, {}) == printed
    to_verbs(document, source, VERBS)


@given(edited())
def test_edits_of_a_good_document_never_break_the_reader(text: str) -> None:
    check_sane(text)


@given(st.text())
@example("\ud800")
@example("\x00")
@example("%YAML 1.1\n---\na: 1")
@example("? [a]\n: b")
@example("- a\n- b")
@example("!!python/object/apply:os.system ['true']")
@example("a: &a [*a]")
def test_any_text_is_read_or_refused(text: str) -> None:
    check_sane(text)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    check_sane(data.decode("utf-8", "replace"))
    check_sane(data.decode("latin-1"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" * 40_000, "too_deep"),
        ("{a: " * 40_000, "too_deep"),
        ("- " * 40_000, "too_deep"),
        ("\n".join(" " * n + "a:" for n in range(1_000)), "too_deep"),
        ("? " * 40_000, "too_deep"),
        ("a: " + "x" * 1_000_000, "source_too_large"),
        ("a: " + "ü" * 500_000, "source_too_large"),
        ("[" + "a," * 499_000 + "]", "wrong_type"),
        ("x\n" * 499_000, "wrong_type"),
        ('"' * 999_999, "yaml_syntax"),
        ("@\n" * 499_000, "unquoted_at"),
        ("a: [\n" * 190_000, "too_deep"),
        ("k: v\n" * 190_000, "duplicate_key"),
        ("&a " * 300_000, "yaml_syntax"),
        ("# c\n" * 240_000, "empty_document"),
        ("\x00" * 999_000, "control_character"),
    ],
    ids=lambda value: repr(value[:8]),
)
def test_large_and_deep_inputs_are_bounded(text: str, code: str) -> None:
    started = time.process_time()
    document = read_oml(Source(text))
    assert code in [each.code for each in document.diagnostics]
    assert time.process_time() - started < 20


def test_reading_grows_in_step_with_the_document() -> None:
    def seconds(steps: int) -> float:
        text = 'oml_version: "0.1.0"\nname: x\nsteps:\n' + "".join(
            f"  - {{id: s-{n}, component: a.b, mode: read, config: {{x: {n}}}}} # note\n"
            for n in range(steps)
        )
        started = time.process_time()
        assert read_oml(Source(text)).ok
        return time.process_time() - started

    seconds(100)
    small, large = min(seconds(1_000) for _ in range(3)), min(seconds(8_000) for _ in range(2))
    assert large < 8 * small * 3


@given(st.integers(2, 30), st.integers(0, 2**32))
def test_a_cycle_is_named_and_a_dag_is_not(size: int, seed: int) -> None:
    chance = random.Random(seed)
    order = chance.sample(range(size), size)
    edges: list[tuple[int, ...]] = [()] * size
    for place, index in enumerate(order):
        edges[index] = tuple(chance.sample(order[:place], min(place, chance.randrange(3))))
    assert cycles(edges) == []
    ring = chance.sample(range(size), chance.randint(2, size))
    for index, following in zip(ring, [*ring[1:], ring[0]], strict=True):
        edges[index] = tuple({*edges[index], following})
    found = cycles(edges)
    assert found
    for cycle in found:
        assert all(
            following in edges[index] for index, following in zip(cycle, [*cycle[1:], cycle[0]], strict=True)
        )
