"""What is open while a program is read: a call, a list or a map.

Each takes the same four things, a key, a value, a word and a comma, and says what does not belong. A frame
that met a fault goes on as if something had stood there, so that one mistake is one finding; what has a
fault is not kept.

Comments wait in the call around them for the argument that ends next. So one before an argument, one between
its key and its value, and those inside its lists and maps all become comments of that argument, printed
before it; those after the last argument stand before the closing bracket. A nested call keeps its own.
"""

from dragoman.contracts.program import (
    Argument,
    Call,
    Entry,
    Map,
    Sequence,
    Statement,
    Symbol,
    Value,
)
from dragoman.language.document import ArgumentSpans, Extent, StatementSpans, ValueSpans
from dragoman.language.verbs.oddities import Fault, Report, shown
from dragoman.language.verbs.scalars import constant
from dragoman.language.verbs.scanner import VERB

_BROKEN = ":"
"""The name of a key that could not be read; no name has a colon."""


class CallFrame:
    """`(domain.verb :name value … :as @symbol`, as far as it was read."""

    __slots__ = (
        "_arguments",
        "_binds",
        "_binds_at",
        "_key",
        "_key_at",
        "_report",
        "_seen",
        "_spans",
        "_verb",
        "_verb_at",
        "comments",
        "shown_at",
        "start",
    )
    closer = ")"

    def __init__(self, start: int, verb: str, verb_at: Extent, report: Report) -> None:
        self.start = start
        self.comments: list[str] = []
        self.shown_at = -1
        """Where the value of the last argument ended, while a comment on its line would be its display."""
        self._verb = verb
        self._verb_at = verb_at
        self._report = report
        self._arguments: list[Argument] = []
        self._spans: list[ArgumentSpans] = []
        self._seen: set[str] = set()
        self._key = ""
        self._key_at = verb_at
        self._binds = ""
        self._binds_at: Extent | None = None

    @property
    def call(self) -> "CallFrame":
        """The call around it: itself. As an attribute it would be a cycle for the collector to find."""
        return self

    @property
    def wants_verb(self) -> bool:
        return not self._verb

    def word(self, word: str, start: int, end: int) -> None:
        if self._verb:
            value = constant(word, start, end, self._report)
            self.value(value, ValueSpans((start, end)))
            return
        self._verb, self._verb_at = word, (start, end)
        if not VERB.match(word):
            self._report(_bad_verb(word, start, end))

    def key(self, name: str, start: int, end: int) -> None:
        if not self._verb:
            self._miss_verb()
        if self._key:
            self._miss_value()
        if name in self._seen:
            self._report(_duplicate("duplicate_argument", name, start, end, f"the call of {self._verb}"))
        elif self._binds_at:
            hint = "move :as @… behind the last argument"
            self._report(Fault("binding_not_last", start, end, f":{shown(name)} stands behind :as", hint))
        self._seen.add(name)
        self._key = name
        self._key_at = (start, end)
        self.shown_at = -1

    def broken_key(self) -> None:
        if self._key:
            self._miss_value()
        self._key = _BROKEN

    def value(self, value: Value, spans: ValueSpans) -> None:
        key = self._key
        if not key:
            self._stray(spans.extent)
            return
        self._key = ""
        if key == "as":
            self._bind(value, spans.extent)
            return
        comments: tuple[str, ...] = ()
        if self.comments:
            comments = tuple(self.comments)
            self.comments.clear()
        self._arguments.append(Argument(key, value, "", comments))
        self._spans.append(ArgumentSpans(self._key_at, spans))
        self.shown_at = spans.extent[1]

    def display(self, text: str) -> None:
        """The comment on the line of the last argument's value."""
        last = self._arguments[-1]
        self._arguments[-1] = Argument(last.name, last.value, text, last.comments)

    def comma(self, start: int) -> None:
        self._report(_misplaced_comma(start, "arguments are separated by white space alone"))

    def closed(self, end: int) -> tuple[Call, ValueSpans]:
        statement, spans = self.statement(end)
        parts = tuple(argument.value for argument in spans.arguments)
        return Call(statement), ValueSpans(spans.extent, parts, spans)

    def statement(self, end: int, before: tuple[str, ...] = ()) -> tuple[Statement, StatementSpans]:
        if not self._verb:
            self._miss_verb()
        if self._key:
            self._miss_value()
        statement = Statement(self._verb, tuple(self._arguments), self._binds, before, tuple(self.comments))
        extent = (self.start, end)
        return statement, StatementSpans(extent, self._verb_at, tuple(self._spans), self._binds_at)

    def _bind(self, value: Value, extent: Extent) -> None:
        self._binds_at = extent
        if isinstance(value, Symbol):
            self._binds = value.name
        else:
            self._report(Fault("bad_binding", *extent, ":as names no symbol", "write :as @name"))

    def _stray(self, extent: Extent) -> None:
        if self._verb:
            hint = "write :name before it, or put several values in a list"
            self._report(Fault("missing_key", *extent, "a value without the name of its argument", hint))
        else:
            self._verb = _BROKEN
            self._report(_bad_verb("a value", *extent))

    def _miss_verb(self) -> None:
        hint = "write domain.verb behind the bracket"
        self._report(Fault("missing_verb", self.start, self.start + 1, "a call without a verb", hint))
        self._verb = _BROKEN

    def _miss_value(self) -> None:
        if self._key != _BROKEN:
            self._report(_missing_value(self._key, self._key_at))


class ListFrame:
    """`[value …`, as far as it was read; commas between values are optional."""

    __slots__ = ("_comma_fits", "_items", "_report", "_spans", "call", "start")
    closer = "]"
    wants_verb = False

    def __init__(self, start: int, call: "CallFrame", report: Report) -> None:
        self.start = start
        self.call = call
        self._report = report
        self._items: list[Value] = []
        self._spans: list[ValueSpans] = []
        self._comma_fits = False

    def word(self, word: str, start: int, end: int) -> None:
        self.value(constant(word, start, end, self._report), ValueSpans((start, end)))

    def key(self, name: str, start: int, end: int) -> None:
        hint = f"put it in a map: {{:{shown(name)} …}}"
        self._report(Fault("misplaced_key", start, end, f":{shown(name)} stands in a list", hint))

    def broken_key(self) -> None:
        """Reported where it was read."""

    def value(self, value: Value, spans: ValueSpans) -> None:
        self._items.append(value)
        self._spans.append(spans)
        self._comma_fits = True

    def comma(self, start: int) -> None:
        if not self._comma_fits:
            why = "no value stands before it" if not self._items else "one comma is enough"
            self._report(_misplaced_comma(start, why))
        self._comma_fits = False

    def closed(self, end: int) -> tuple[Sequence, ValueSpans]:
        return Sequence(tuple(self._items)), ValueSpans((self.start, end), tuple(self._spans))


class MapFrame:
    """`{:key value …`, as far as it was read; here `:as` is a key like any other."""

    __slots__ = ("_entries", "_key", "_key_at", "_report", "_seen", "_spans", "call", "start")
    closer = "}"
    wants_verb = False

    def __init__(self, start: int, call: "CallFrame", report: Report) -> None:
        self.start = start
        self.call = call
        self._report = report
        self._entries: list[Entry] = []
        self._spans: list[ValueSpans] = []
        self._seen: set[str] = set()
        self._key = ""
        self._key_at = (start, start)

    def word(self, word: str, start: int, end: int) -> None:
        self.value(constant(word, start, end, self._report), ValueSpans((start, end)))

    def key(self, name: str, start: int, end: int) -> None:
        self._finish_key()
        if name in self._seen:
            self._report(_duplicate("duplicate_key", name, start, end, "the map"))
        self._seen.add(name)
        self._key, self._key_at = name, (start, end)

    def broken_key(self) -> None:
        self._finish_key()
        self._key = _BROKEN

    def value(self, value: Value, spans: ValueSpans) -> None:
        if not self._key:
            hint = "write :name before it, or use a list: […]"
            self._report(Fault("missing_key", *spans.extent, "a value in a map without its key", hint))
            return
        self._entries.append(Entry(self._key, value))
        self._spans.append(spans)
        self._key = ""

    def comma(self, start: int) -> None:
        self._report(_misplaced_comma(start, "the entries of a map are separated by white space alone"))

    def closed(self, end: int) -> tuple[Map, ValueSpans]:
        self._finish_key()
        return Map(tuple(self._entries)), ValueSpans((self.start, end), tuple(self._spans))

    def _finish_key(self) -> None:
        if self._key and self._key != _BROKEN:
            self._report(_missing_value(self._key, self._key_at))


Frame = CallFrame | ListFrame | MapFrame


def _bad_verb(written: str, start: int, end: int) -> Fault:
    hint = "write domain.verb: two names of ASCII letters, digits, - and _ with one dot between"
    return Fault("bad_verb", start, end, f"{shown(written)} is not a verb", hint)


def _duplicate(code: str, name: str, start: int, end: int, where: str) -> Fault:
    return Fault(code, start, end, f":{shown(name)} stands twice in {shown(where)}", "keep one of them")


def _missing_value(name: str, extent: Extent) -> Fault:
    name = shown(name)
    return Fault(
        "missing_value", *extent, f":{name} has no value", f"write a value behind :{name}, or remove it"
    )


def _misplaced_comma(start: int, why: str) -> Fault:
    return Fault("misplaced_comma", start, start + 1, f"a comma does not belong here: {why}", "remove it")
