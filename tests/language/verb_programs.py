"""Strategies for programs as the verb notation can write them, every kind of value and comment among them."""

from typing import Final

from hypothesis import strategies as st
from msgspec.structs import replace

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
from dragoman.contracts.vocabulary import Notation
from dragoman.language.document import Document
from dragoman.language.verbs.comments import comment_line

names: Final = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,5}", fullmatch=True)
argument_names: Final = names.filter(lambda name: name != "as")
verbs: Final = st.builds("{}.{}".format, names, names)

_SYNTAX: Final = ' \n\r\t;:()[]{},"\\@u0a'
_letters: Final = st.characters(exclude_categories=["Cs"])
texts: Final = (
    st.text(_letters, max_size=8)
    | st.text(st.sampled_from(_SYNTAX), max_size=20)
    | st.lists(st.text(st.sampled_from('ab \t"\\('), max_size=6), max_size=5).map("\n".join)
)
"""Any text without lone surrogates; often of what means something in the notation, often of several lines."""

comments: Final = (st.text(_letters, max_size=8) | st.text(st.sampled_from(_SYNTAX), max_size=12)).map(
    comment_line
)
"""Comments as they are kept."""

decimals: Final = st.from_regex(r"-?(0|[1-9][0-9]{0,20})\.[0-9]{1,10}", fullmatch=True)

scalars: Final[st.SearchStrategy[Value]] = st.one_of(
    st.builds(Text, texts),
    st.builds(Integer, st.integers(-(2**63), 2**63 - 1)),
    st.builds(Number, decimals),
    st.builds(Boolean, st.booleans()),
    st.just(Nil()),
    st.builds(Date, st.dates()),
    st.builds(Symbol, names),
)


def _some(strategy: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.just(()) | st.lists(strategy, max_size=2).map(tuple)


def _arguments(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[tuple[Argument, ...]]:
    argument = st.builds(Argument, argument_names, inner, st.just("") | comments, _some(comments))
    return st.lists(argument, max_size=4, unique_by=lambda a: a.name).map(tuple)


def _statements(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Statement]:
    binds = st.just("") | names
    return st.builds(Statement, verbs, _arguments(inner), binds, st.just(()), _some(comments))


def _compounds(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    entries = st.lists(st.builds(Entry, names, inner), max_size=3, unique_by=lambda entry: entry.key).map(
        tuple
    )
    return st.one_of(
        st.builds(Sequence, st.lists(inner, max_size=3).map(tuple)),
        st.builds(Map, entries),
        st.builds(Call, _statements(inner)),
    )


values: Final[st.SearchStrategy[Value]] = st.recursive(scalars, _compounds, max_leaves=6)

statements: Final[st.SearchStrategy[Statement]] = st.builds(
    lambda statement, before: replace(statement, comments=before), _statements(values), _some(comments)
)
programs: Final[st.SearchStrategy[Program]] = st.lists(statements, max_size=3).map(tuple)
documents: Final[st.SearchStrategy[Document]] = st.builds(
    lambda program, after: Document(Notation.VERBS, program, (), after), programs, _some(comments)
)
