"""Strategies for everything a session is made of, derived from the declared types themselves.

A new event, field or word has a strategy the moment it is declared; a type that nothing here can make is an
error, never left out.
"""

import functools
import typing
from typing import Any, Final

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from msgspec import inspect as mi

from dragoman.contracts import events as ev
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
from dragoman.contracts.state import SessionState
from dragoman.session.reducer import fold

Strategy = st.SearchStrategy[Any]

KINDS: Final[tuple[type[ev.Event], ...]] = typing.get_args(ev.SessionEvent)
"""The class of every event there is."""


def examples(share: float) -> settings:
    """A share of the profile's examples, for tests that are dear or that run once for each of many cases."""
    return settings(max_examples=max(5, int(settings().max_examples * share)))


texts: Final = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
"""Any text that can be stored: everything but unpaired surrogates."""

names: Final = st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]{0,5}", fullmatch=True)
verbs: Final = st.builds("{}.{}".format, names, names)
decimals: Final = st.decimals(allow_nan=False, allow_infinity=False, places=2).map(str)

_scalars: Final[st.SearchStrategy[Value]] = st.one_of(
    st.builds(Text, texts),
    st.builds(Integer, st.integers(-(2**63), 2**63 - 1)),
    st.builds(Number, decimals),
    st.builds(Boolean, st.booleans()),
    st.just(Nil()),
    st.builds(Date, st.dates()),
    st.builds(Symbol, names),
)

values: Final[st.SearchStrategy[Value]] = st.recursive(
    _scalars,
    lambda inner: st.builds(Sequence, st.lists(inner, max_size=3).map(tuple)),
    max_leaves=5,
)
"""Any value of an argument; lists nest."""

_BY_HAND: Final[dict[type, Strategy]] = {
    Sequence: st.builds(Sequence, st.lists(values, max_size=3).map(tuple)),
    Number: st.builds(Number, decimals),
    Symbol: st.builds(Symbol, names),
    Argument: st.builds(Argument, names, values, texts),
    Statement: st.builds(
        Statement,
        verbs,
        st.lists(st.builds(Argument, names, values, texts), max_size=3).map(tuple),
        st.just("") | names,
    ),
}
"""What must be more than of the right type: names and numbers as the notation has them."""


def of(kind: Any) -> Strategy:
    """A strategy for a declared type."""
    return _made(mi.type_info(kind))


def _made(info: mi.Type) -> Strategy:
    match info:
        case mi.StructType(cls=cls):
            return _struct(cls)
        case mi.UnionType(types=types):
            return st.one_of([_made(option) for option in types])
        case mi.VarTupleType(item_type=item):
            return st.lists(_made(item), max_size=2).map(tuple)
        case mi.DictType(key_type=key, value_type=value):
            return st.dictionaries(_made(key), _made(value), max_size=2)
        case mi.FrozenSetType(item_type=item):
            return st.frozensets(_made(item))
        case mi.EnumType(cls=words):
            return st.sampled_from(words)
        case mi.LiteralType(values=literals):
            return st.sampled_from(literals)
        case mi.StrType():
            return texts
        case mi.BoolType():
            return st.booleans()
        case mi.IntType():
            return st.integers(0, 60)
        case mi.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case mi.DateType():
            return st.dates()
        case mi.NoneType():
            return st.none()
        case _:
            raise NotImplementedError(f"no strategy for {info}")


@functools.cache
def _struct(cls: type[msgspec.Struct]) -> Strategy:
    if cls in _BY_HAND:
        return _BY_HAND[cls]
    fields = {field.name: field.type for field in _fields(cls)}
    return st.deferred(lambda: st.builds(cls, **{name: _made(kind) for name, kind in fields.items()}))


def _fields(cls: type[msgspec.Struct]) -> tuple[mi.Field, ...]:
    info = mi.type_info(cls)
    assert isinstance(info, mi.StructType)
    return info.fields


events: Final[dict[type[ev.Event], Strategy]] = {kind: of(kind) for kind in KINDS}
"""For every kind of event, any event of it."""

any_event: Final[Strategy] = st.one_of(list(events.values()))
event_lists: Final[st.SearchStrategy[list[ev.SessionEvent]]] = st.lists(any_event, max_size=8)
programs: Final[st.SearchStrategy[Program]] = st.lists(of(Statement), max_size=3).map(tuple)

arbitrary_states: Final[st.SearchStrategy[SessionState]] = of(SessionState)
"""Any state that the types allow, also one that no conversation leads to."""

reachable_states: Final = event_lists.map(lambda many: fold(SessionState(), many))
"""What events alone make of a new session, in any order."""

states: Final = arbitrary_states | reachable_states
