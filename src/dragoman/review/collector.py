"""Collects what a program commits to, from the requests that its statements are read back into.

The tree of a request is walked by its fields. What this reader does not know is not ignored: its columns,
numbers and texts count as used, so that a new kind of condition needs no word here.
"""

from collections.abc import Iterator
from decimal import Decimal

import msgspec

from dragoman.contracts.program import Program
from dragoman.review.commitments import Atom, Committed, Linking, Links
from dragoman.review.names import noun_of_key, words_of
from dragoman.tables.conditions import (
    AllTests,
    AnyCondition,
    AnyTest,
    ColumnCondition,
    Compared,
    LinkedCondition,
    Matching,
    Missing,
    Not,
    OneOf,
    Sign,
    Within,
)
from dragoman.tables.graph import Column, Graph, Link, Table, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Having, ReadRequest
from dragoman.tables.request_reader import requests_of


def committed(program: Program, graph: Graph) -> Committed:
    found = requests_of(graph, program)
    requests = tuple(each for each in found if each is not None)
    collector = _Collector(graph)
    for request in requests:
        collector.request(request)
    return Committed(
        (*collector.nested, *requests),
        tuple(collector.atoms),
        tuple(collector.linkings),
        frozenset(collector.numbers),
        frozenset(collector.tables),
        frozenset(collector.names),
        tuple(dict.fromkeys(collector.columns)),
        len(requests) == len(found),
    )


class _Collector:
    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self.atoms: list[Atom] = []
        self.linkings: list[Linking] = []
        self.tables: set[TableKey] = set()
        self.names: set[str] = set()
        self.columns: list[ColumnPath] = []
        self.numbers: set[Decimal] = set()
        self.nested: list[ReadRequest] = []
        """Requests inside of conditions: what a value is compared with."""

    def request(self, request: ReadRequest) -> None:
        self._table(request.table)
        for link in request.joined:
            self._link(link)
        for each in request.conditions:
            self._condition(each, Atom("", table=request.table.key))
        for dated in request.dated:
            self._path(dated.path, request.table.key)
            at = Atom(
                "", table=self._ends(request, dated.path), column=dated.path.column, links=dated.path.links
            )
            self._test(dated.days, at)
        for measured in request.measures:
            # The rows that a share is the share of are a condition too.
            for each in getattr(measured, "that", None) or ():
                self._condition(each, Atom("", table=request.table.key))
        for having in request.having:
            self._having(having, request.table.key)
        for name in request.__struct_fields__:
            if name not in ("table", "joined", "conditions", "dated", "having"):
                self._used(getattr(request, name), request.table.key)

    def _having(self, having: Having, base: TableKey) -> None:
        of = getattr(having.measured, "of", None)
        column = of.column if isinstance(of, ColumnPath) else None
        self._test(having.test, Atom("", having=True, column=column))
        self._used(having.measured, base)

    def _ends(self, request: ReadRequest, path: ColumnPath) -> TableKey:
        return path.links[-1].target if path.links else request.table.key

    def _table(self, table: Table) -> None:
        self.tables.add(table.key)
        self.names |= words_of(table.info.name) | noun_of_key(table)
        # A row of a table of pairs speaks of both things that it pairs.
        leads = [link for link in self._graph.links(table).values() if _is_own(link)]
        if len(leads) > 1 and len(table.columns) <= sum(len(link.pairs) for link in leads) + 2:
            for link in leads:
                self.names |= words_of(self._graph.tables[link.target].info.name)

    def _column(self, key: TableKey | None, column: Column) -> None:
        """A key of another table's row speaks of that table; what others point at speaks of its own alone."""
        self.names |= words_of(column.info.name)
        table = self._graph.tables.get(key) if key is not None else None
        for link in self._graph.links(table).values() if table is not None else ():
            if _is_own(link) and any(here == column.info.name for here, _ in link.pairs):
                self.names |= words_of(self._graph.tables[link.target].info.name)

    def _link(self, link: Link) -> None:
        self.names |= words_of(link.name)
        self._table(self._graph.tables[link.target])

    def _path(self, path: ColumnPath, base: TableKey | None) -> None:
        self.columns.append(path)
        for link in path.links:
            self._link(link)
        self._column(path.links[-1].target if path.links else base, path.column)
        if path.part is not None:
            self.names.add(path.part.value)

    def _condition(self, condition: object, at: Atom) -> None:
        match condition:
            case ColumnCondition(column=column, test=test):
                self._column(at.table, column)
                self.columns.append(ColumnPath(at.links, column))
                self._test(test, msgspec.structs.replace(at, column=column))
            case LinkedCondition(links=links, conditions=inner, absent=absent):
                self.linkings.append(Linking((*at.links, *links), absent, not inner))
                self._linked(links, inner, at)
            case AnyCondition(choices=choices):
                either = msgspec.structs.replace(at, either=len(choices) > 1)
                for choice in choices:
                    for each in choice:
                        self._condition(each, either)
            case _:
                self._counted(condition, at)

    def _linked(self, links: Links, inner: tuple[object, ...], at: Atom) -> None:
        for link in links:
            self._link(link)
        table = links[-1].target if links else at.table
        for each in inner:
            self._condition(each, msgspec.structs.replace(at, table=table, links=(*at.links, *links)))

    def _counted(self, condition: object, at: Atom) -> None:
        """How many linked rows there are, or any other kind of condition."""
        links, inner = getattr(condition, "links", ()), getattr(condition, "conditions", ())
        self._linked(links, inner, at)
        figure = msgspec.structs.replace(at, having=True, column=None) if links else at
        self._rest(condition, ("links", "conditions"), figure)

    def _rest(self, condition: object, known: tuple[str, ...], at: Atom) -> None:
        """What is in a condition of a kind that this reader has never seen."""
        for name in getattr(condition, "__struct_fields__", ()):
            if name not in known:
                self._any(getattr(condition, name), at)

    def _any(self, value: object, at: Atom) -> None:
        match value:
            case tuple():
                for each in value:
                    self._any(each, at)
            case ReadRequest():
                self.request(value)
                self.nested.append(value)
            case ColumnPath():
                self._path(value, at.table)
            case Column():
                self._column(at.table, value)
            case Link():
                self._link(value)
            case ColumnCondition() | LinkedCondition() | AnyCondition():
                self._condition(value, at)
            case Compared() | OneOf() | Missing() | Within() | Matching() | Not() | AllTests() | AnyTest():
                self._test(value, at)
            case msgspec.Struct():
                self._rest(value, (), at)
            case str() | bool() | None:
                pass
            case int() | Decimal() | float():
                self.atoms.append(msgspec.structs.replace(at, sign="equal", value=value))
            case _:
                pass

    def _test(self, test: object, at: Atom) -> None:
        atom = msgspec.structs.replace
        match test:
            case Compared(sign=sign, value=value):
                self._value(atom(at, sign=str(sign)), value)
            case OneOf(values=values):
                for value in values:
                    named = "missing" if value is None else Sign.EQUAL.value
                    self._value(atom(at, sign=named, either=at.either or len(values) > 1), value)
            case Missing():
                self.atoms.append(atom(at, sign="missing"))
            case Within(first=first, last=last):
                self.atoms.append(atom(at, sign="within", value=(first, last)))
            case Matching(place=place, text=text):
                self.atoms.append(atom(at, sign=str(place), value=text))
            case Not(test=inner):
                self._test(inner, atom(at, negated=not at.negated))
            case AllTests(tests=tests):
                for each in tests:
                    self._test(each, at)
            case AnyTest(tests=tests):
                for each in tests:
                    self._test(each, atom(at, either=len(tests) > 1))
            case _:
                # A column, or the result of another read, that a value is held against.
                if hasattr(test, "sign"):
                    self.atoms.append(atom(at, sign=str(test.sign)))
                self._rest(test, ("sign",), at)

    def _value(self, at: Atom, value: object) -> None:
        if isinstance(value, msgspec.Struct):
            # A column or a nested call to compare with: what it names is used, and no number is known.
            self.atoms.append(msgspec.structs.replace(at, value=None))
            self._any(value, at)
        else:
            self.atoms.append(msgspec.structs.replace(at, value=value))

    def _used(self, value: object, base: TableKey) -> None:
        """Columns and links anywhere inside of what is shown, measured, grouped or ordered by."""
        for each in _leaves(value):
            if isinstance(each, ColumnPath):
                self._path(each, base)
            else:
                self.numbers.add(each)


def _is_own(link: Link) -> bool:
    return link.single and "-by-" not in link.name


def _leaves(value: object) -> Iterator[ColumnPath | Decimal]:
    """The columns and the numbers in something that is shown, measured or ordered by."""
    match value:
        case ColumnPath():
            yield value
        case bool():
            return
        case int() | Decimal():
            yield Decimal(value)
        case tuple():
            for each in value:
                yield from _leaves(each)
        case msgspec.Struct():
            for name in value.__struct_fields__:
                yield from _leaves(getattr(value, name))
