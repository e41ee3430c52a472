"""Programs as hypothesis draws them: statements that can stand in both notations, and any others."""

import datetime as dt
import string

from hypothesis import strategies as st

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
from dragoman.contracts.vocabulary import Notation
from dragoman.guards.secrets import is_telling
from dragoman.language.document import ArgumentSpans, Document, StatementSpans, ValueSpans
from dragoman.language.program_names import is_kebab
from dragoman.language.verbs.comments import comment_line

VERBS = {
    "mysql.extractor": Effect.READ,
    "duckdb.transform": Effect.TRANSFORM,
    "duckdb.writer": Effect.WRITE,
    "step._2": Effect.READ,
    "Weird_Name.do-it": Effect.READ,
}
RESERVED = ("id", "mode", "needs", "as")

_TRICKY = (
    *(
        "",
        " ",
        "no",
        "on",
        "0123",
        "1.0",
        "-5",
        "2020-01-02",
        "null",
        "~",
        "true",
        "@shop",
        "# x",
        "a: b",
        "a #b",
    ),
    *(
        "- a",
        "[",
        "{}",
        "|",
        ">",
        "%",
        "!x",
        "&a",
        "*a",
        "'",
        '"',
        "\\",
        "a\nb",
        "a\nb\n",
        "\n",
        "a\n\nb",
        " a\nb",
    ),
    *(
        "a\n b\n# c",
        "tab\there",
        "a\r\nb",
        "\x00",
        "\x85",
        "\u2028",
        "\ufeff",
        "\ufffe",
        "🐉",
        "...",
        "---",
        "a\n...\nb",
    ),
    *(
        "<<",
        "=",
        "y",
        "1e6",
        "0x1F",
        "${params",
        "${ENV}",
        "x" * 200,
        "word " * 40,
        "a\n---\nb",
        "a \nb",
        "?",
        ":",
    ),
)
texts = st.one_of(
    st.sampled_from(_TRICKY),
    st.text(max_size=20),
    st.text(string.printable, max_size=30),
    st.lists(st.text("abc #:-'\"", max_size=8), min_size=2, max_size=4).map("\n".join),
).filter(lambda text: "${steps." not in text and "${params." not in text)

# What stands under the name of a secret is one, and no program that is taken has any.
identifiers = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,8}", fullmatch=True).filter(
    lambda name: not is_telling(name)
)
names = identifiers.filter(lambda name: name not in RESERVED)
kebabs = st.from_regex(r"[a-z][a-z0-9]{0,3}(-[a-z0-9]{1,3}){0,2}", fullmatch=True).filter(is_kebab)
comments = (
    st.text(max_size=12).map(lambda text: comment_line(text.lstrip())).filter(lambda c: "\ufeff" not in c)
)
notes = st.lists(comments, max_size=2).map(tuple)

scalars: st.SearchStrategy[Value] = st.one_of(
    st.builds(Text, texts),
    st.builds(Integer, st.integers(-(2**63), 2**63 - 1)),
    st.builds(Number, st.from_regex(r"-?(0|[1-9][0-9]{0,20})\.[0-9]{1,6}", fullmatch=True)),
    st.builds(Boolean, st.booleans()),
    st.just(Nil()),
    st.builds(Date, st.dates(dt.date(1, 1, 1))),
)


def values(symbols: st.SearchStrategy[Value] = scalars) -> st.SearchStrategy[Value]:
    return st.recursive(
        st.one_of(scalars, symbols),
        lambda inner: st.one_of(
            st.lists(inner, max_size=4).map(lambda items: Sequence(tuple(items))), maps(inner)
        ),
        max_leaves=5,
    )


def maps(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    entries = st.lists(st.tuples(identifiers, inner), max_size=4, unique_by=lambda pair: pair[0])
    return entries.map(lambda pairs: Map(tuple(Entry(key, value) for key, value in pairs)))


@st.composite
def heads(draw: st.DrawFn) -> Statement:
    declared = draw(st.lists(identifiers, max_size=3, unique_by=lambda name: name.upper().replace("-", "_")))
    arguments = [_argument(draw, "name", Text(draw(kebabs)))]
    if draw(st.booleans()):
        arguments.append(_argument(draw, "description", Text(draw(texts))))
    if declared:
        params = [
            Entry(name, Map((Entry("type", Text("int")), Entry("default", Integer(1))))) for name in declared
        ]
        arguments.append(_argument(draw, "params", Map(tuple(params))))
        profile = Map(tuple(Entry(name, Integer(2)) for name in declared))
        arguments.append(_argument(draw, "profiles", Map((Entry("test", profile),))))
    ordered = draw(st.permutations(arguments))
    return Statement("oml.pipeline", tuple(ordered), "", draw(notes), draw(notes))


def _argument(draw: st.DrawFn, name: str, value: Value) -> Argument:
    display = draw(st.one_of(st.just(""), comments))
    return Argument(name, value, display, draw(notes))


@st.composite
def programs(draw: st.DrawFn, *, calls: bool = True) -> Program:
    """A program that converts: it has a name, its symbols are kebab-case and name what stands above them."""
    known: list[str] = []
    steps: list[Statement] = []
    for number, name in enumerate(draw(st.lists(kebabs, min_size=1, max_size=4, unique=True)), 1):
        symbols: st.SearchStrategy[Value] = st.sampled_from(known).map(Symbol) if known else scalars
        inner = values(symbols)
        if calls:
            call = st.builds(Statement, st.sampled_from(sorted(VERBS)), _arguments(inner)).map(Call)
            inner = st.one_of(inner, inner, call, st.lists(call, max_size=2).map(_sequence))
        arguments = list(draw(_arguments(inner)))
        if draw(st.booleans()):
            needed = draw(st.lists(st.sampled_from(known), max_size=3, unique=True)) if known else []
            needs = _argument(draw, "needs", Sequence(tuple(Symbol(each) for each in needed)))
            arguments.insert(draw(st.integers(0, len(arguments))), needs)
        binds = draw(st.sampled_from([name, name, ""])) if not name.startswith("step-") else ""
        verb = draw(st.sampled_from(sorted(VERBS)))
        steps.append(Statement(verb, tuple(arguments), binds, draw(notes), draw(notes)))
        known.append(binds or f"step-{number}")
    return (draw(heads()), *steps)


def _sequence(items: list[Call]) -> Value:
    return Sequence(tuple(items))


@st.composite
def _arguments(draw: st.DrawFn, inner: st.SearchStrategy[Value]) -> tuple[Argument, ...]:
    chosen = draw(st.lists(names, max_size=3, unique=True))
    return tuple(_argument(draw, name, draw(inner)) for name in chosen)


def placed(statements: Program, ending: tuple[str, ...] = ()) -> Document:
    """A document of statements that were never written: all of it stands at the start."""
    return Document(Notation.VERBS, statements, tuple(_places(each) for each in statements), ending)


def _places(statement: Statement) -> StatementSpans:
    arguments = tuple(ArgumentSpans((0, 0), _spans(each.value)) for each in statement.arguments)
    return StatementSpans((0, 0), (0, 0), arguments, (0, 0) if statement.binds else None)


def _spans(value: Value) -> ValueSpans:
    match value:
        case Sequence(items=items):
            return ValueSpans((0, 0), tuple(_spans(item) for item in items))
        case Map(entries=entries):
            return ValueSpans((0, 0), tuple(_spans(entry.value) for entry in entries))
        case Call(statement=statement):
            places = _places(statement)
            return ValueSpans((0, 0), tuple(each.value for each in places.arguments), places)
        case _:
            return ValueSpans((0, 0))
