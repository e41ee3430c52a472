"""What a statement asks of a table, in parts that can be changed one by one and written down again."""

from collections.abc import Sequence
from typing import Self

import msgspec

from dragoman.contracts import program
from dragoman.contracts.program import Argument, Entry, Map, Statement
from dragoman.contracts.record import Record
from dragoman.tables.computation import said
from dragoman.tables.graph import Graph, Link, Table
from dragoman.tables.paths import ColumnPath, Links
from dragoman.tables.request import Measured, Ordering, ReadRequest, Shown
from dragoman.tables.request_reader import requests_of
from dragoman.tables.verbs import COMPARISONS, WORDS, TableVerb, Word

_KEPT = (Word.DURING, Word.AS_OF, Word.ON, Word.CONNECTION, Word.THAT, Word.GROUPS, Word.PER)


class Holds(Record, frozen=True):
    """A condition: what is said of a column, or of rows behind a link, at the end of links that lead to one
    row. With no key it is a list of maps, of which any may hold."""

    links: Links
    key: str
    value: program.Value


class StatementParts(Record, frozen=True):
    """`shown` is None where nothing was said of columns. `measures` begins with the verb's own."""

    table: Table
    verb: TableVerb
    shown: tuple[Shown, ...] | None = None
    distinct: bool = False
    measures: tuple[Measured, ...] = ()
    by: tuple[ColumnPath, ...] = ()
    holds: tuple[Holds, ...] = ()
    having: program.Value | None = None
    order: tuple[Ordering, ...] = ()
    top: int | None = None
    ties: bool = False
    limit: int | None = None
    joined: Links = ()
    kept: tuple[Argument, ...] = ()

    @property
    def is_list(self) -> bool:
        return self.verb is TableVerb.LIST

    @property
    def rows(self) -> bool:
        """Whether rows are shown as they are, and not what was worked out of them."""
        return self.is_list or (self.verb is TableVerb.TOP and not self.by)

    def changed(self, **changes: object) -> Self:
        return msgspec.structs.replace(self, **changes)


def parts_of(graph: Graph, statement: Statement) -> StatementParts | None:
    """The parts of a statement of a table's verb; None when it is none, or something is wrong with it."""
    return all_parts_of(graph, (statement,))[0]


def all_parts_of(graph: Graph, statements: Sequence[Statement]) -> list[StatementParts | None]:
    """The parts of each of several statements."""
    requests = requests_of(graph, statements)
    return [
        None if request is None else _parts(graph, statement, request)
        for statement, request in zip(statements, requests, strict=True)
    ]


def _parts(graph: Graph, statement: Statement, request: ReadRequest) -> StatementParts:
    table, verb = request.table, request.verb
    given = {argument.name: argument.value for argument in statement.arguments}
    own = request.measures or ((Measured(verb, request.of),) if request.of is not None else ())
    told = 1 + _length(given.get(Word.ALSO))
    shown = request.shown if request.measures else request.columns
    return StatementParts(
        table,
        verb,
        shown=shown if Word.COLUMNS in given else None,
        distinct=request.distinct,
        measures=own[:told],
        by=request.by,
        holds=_conditions(graph, table, verb, statement),
        having=given.get(Word.HAVING),
        order=request.order,
        top=request.top,
        ties=request.ties,
        limit=request.limit,
        joined=request.joined,
        kept=tuple(each for each in statement.arguments if each.name in _KEPT),
    )


def _length(value: program.Value | None) -> int:
    if value is None:
        return 0
    return len(value.items) if isinstance(value, program.Sequence) else 1


def _conditions(graph: Graph, table: Table, verb: TableVerb, statement: Statement) -> tuple[Holds, ...]:
    words = {word.value for word in WORDS[verb]}
    found: list[Holds] = []
    for argument in statement.arguments:
        if argument.name == Word.WHERE:
            found.extend(_where(graph, table, (), argument.value))
        elif argument.name not in words and argument.name in table.columns:
            found.append(Holds((), argument.name, argument.value))
    return tuple(found)


def _where(graph: Graph, table: Table, links: Links, value: program.Value) -> list[Holds]:
    if not isinstance(value, Map):
        return [Holds(links, "", value)]
    found: list[Holds] = []
    for entry in value.entries:
        link = graph.link(table, entry.key)
        nested = isinstance(entry.value, Map) and any(e.key not in COMPARISONS for e in entry.value.entries)
        if link is not None and link.single and nested:
            found.extend(_where(graph, graph.tables[link.target], (*links, link), entry.value))
        else:
            found.append(Holds(links, entry.key, entry.value))
    return found


def statement_of(parts: StatementParts) -> Statement:
    """The statement with these parts. Whether it holds together is for the catalog to say."""
    arguments = [*_measure(parts)]
    if parts.by:
        arguments.append(_argument(Word.BY, _several([_text(path.written) for path in parts.by])))
    if parts.having is not None and parts.by:
        arguments.append(_argument(Word.HAVING, parts.having))
    if parts.shown:
        shown = _several([_written(each, parts) for each in dict.fromkeys(parts.shown)])
        arguments.append(_argument(Word.COLUMNS, shown))
    if parts.joined:
        arguments.append(_argument(Word.WITH, _text("/".join(link.name for link in parts.joined))))
    if parts.distinct:
        arguments.append(_argument(Word.DISTINCT, program.Boolean(True)))
    arguments.extend(_said(parts))
    arguments.extend(parts.kept)
    if parts.rows or parts.by:
        arguments.extend(_cut(parts))
    return Statement(f"{parts.table.name}.{parts.verb}", tuple(arguments))


def _measure(parts: StatementParts) -> list[Argument]:
    if not parts.measures:
        return []
    own, *also = parts.measures
    found = [] if own.of is None else [_argument(Word.OF, said(own.of))]
    if also:
        found.append(_argument(Word.ALSO, _several([_measured(each) for each in also])))
    return found


def _measured(measured: Measured) -> program.Value:
    if measured.of is None:
        return _text(measured.verb.value)
    entries = [Entry(measured.verb.value, said(measured.of))]
    if measured.distinct:
        entries.append(Entry("distinct", program.Boolean(True)))
    return Map(tuple(entries))


def _cut(parts: StatementParts) -> list[Argument]:
    found: list[Argument] = []
    if parts.order and parts.verb is not TableVerb.TOP:
        found.append(_argument(Word.ORDER, _several([_ordered(each, parts) for each in parts.order])))
    if parts.top is not None:
        found.append(_argument(Word.TOP, program.Integer(parts.top)))
        if parts.ties:
            found.append(_argument(Word.TIES, program.Boolean(True)))
    elif parts.limit is not None:
        found.append(_argument(Word.LIMIT, program.Integer(parts.limit)))
    return found


def _ordered(order: Ordering, parts: StatementParts) -> program.Value:
    named = _written(order.by, parts)
    return Map((Entry("desc", named),)) if order.descending else named


def _written(each: Shown, parts: StatementParts) -> program.Value:
    if not isinstance(each, Measured):
        return said(each)
    alike = [other for other in parts.measures if other.verb is each.verb]
    return _text(each.verb.value if len(alike) <= 1 else each.written)


def _said(parts: StatementParts) -> list[Argument]:
    """Conditions as arguments where they can be, the others in one map."""
    found: list[Argument] = []
    rest: list[Holds] = []
    for each in parts.holds:
        plain = not each.links and each.key in parts.table.columns
        if plain and each.key not in [argument.name for argument in found]:
            found.append(Argument(each.key, each.value))
        else:
            rest.append(each)
    choices = [each for each in rest if not each.key]
    entries = _nested([each for each in rest if each.key])
    for each in choices:
        if not entries and len(choices) == 1 and not each.links:
            return [*found, _argument(Word.WHERE, each.value)]
        if each.links:
            entries = _nested([*(e for e in rest if e.key), each])
    return [*found, _argument(Word.WHERE, Map(tuple(entries)))] if entries else found


def _nested(holds: list[Holds]) -> list[Entry]:
    """A map of maps along links."""
    entries: list[Entry] = []
    again: list[program.Value] = []
    beyond: dict[Link, list[Holds]] = {}
    for each in holds:
        if each.links:
            beyond.setdefault(each.links[0], []).append(Holds(each.links[1:], each.key, each.value))
        elif any(entry.key == each.key for entry in entries):
            # A map has each key once.
            again.append(Map((Entry(each.key, each.value),)))
        else:
            entries.append(Entry(each.key, each.value))
    if again:
        entries.append(Entry("all", program.Sequence(tuple(again))))
    for link, inner in beyond.items():
        whole = inner[0].value if len(inner) == 1 and not inner[0].key and not inner[0].links else None
        entries.append(Entry(link.name, whole or Map(tuple(_nested(inner)))))
    return entries


def _argument(word: Word, value: program.Value) -> Argument:
    return Argument(word.value, value)


def _text(text: str) -> program.Text:
    return program.Text(text)


def _several(values: list[program.Value]) -> program.Value:
    return values[0] if len(values) == 1 else program.Sequence(tuple(values))
