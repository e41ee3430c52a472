"""Reads what a statement asks of groups: their figures, which of them are kept, what of them is shown."""

from collections.abc import Iterator
from typing import NamedTuple

from dragoman.contracts import program
from dragoman.contracts.schema import ColumnInfo, ValueType
from dragoman.tables.column_reader import ColumnReader
from dragoman.tables.computation import Expressed, columns_in
from dragoman.tables.condition_reader import ConditionReader
from dragoman.tables.findings import Findings, listed, nearest, quoted
from dragoman.tables.graph import Column, Graph, Table
from dragoman.tables.measures import PLACES
from dragoman.tables.paths import ColumnPath, Links, Paths
from dragoman.tables.request import Having, Measured, ReadRequest, Shown
from dragoman.tables.verbs import COMPARISONS, MEASURING, NUMBERS, RANKED, TableVerb, Word

MOST_MEASURES = 50
_MEASURING: frozenset[str] = frozenset(MEASURING)
_COUNT = Measured(TableVerb.COUNT)


class Figures(NamedTuple):
    """`measures` are worked out; the first `told` of them belong to the result unless other columns do."""

    measures: tuple[Measured, ...] = ()
    told: int = 0
    having: tuple[Having, ...] = ()


class Groups:
    """The groups of one statement."""

    def __init__(
        self,
        graph: Graph,
        table: Table,
        columns: ColumnReader,
        filtering: ConditionReader,
        findings: Findings,
    ) -> None:
        self._graph = graph
        self._table = table
        self._columns = columns
        self._filtering = filtering
        self._findings = findings

    def figures(self, own: Measured, also: program.Value | None, having: program.Value | None) -> Figures:
        """The verb's own figure, those besides, and those that only decide which groups are kept."""
        told = [own]
        for measured in self._also(own, also):
            if measured in told:
                message = f"{measured.written} is measured twice"
                self._findings.error("repeated_column", message, "keep one")
            told.append(measured)
        kept = tuple(self._having(tuple(told), having))
        measures = dict.fromkeys([*told, *(each.measured for each in kept)])
        return Figures(tuple(measures), len(told), kept)

    def _also(self, own: Measured, value: program.Value | None) -> Iterator[Measured]:
        if value is None:
            return
        items = value.items if isinstance(value, program.Sequence) else (value,)
        if not items or len(items) > MOST_MEASURES:
            message = f":also takes one measure or a list of up to {MOST_MEASURES}"
            self._findings.error("argument_type", message, 'write "count" or {:average "price"}')
            return
        for item in items:
            measured = self._measured(own, item, Word.ALSO)
            if measured is not None:
                yield measured

    def _measured(self, own: Measured, value: program.Value, word: Word) -> Measured | None:
        """`"count"`, `"min"` of what the verb measures, `{:average "price"}`."""
        match value:
            case program.Text(value="count"):
                return _COUNT
            case program.Text(value="share"):
                return Measured(TableVerb.SHARE, _added(own))
            case program.Text(value=name) if name in _MEASURING and own.of is not None:
                return self.checked(Measured(TableVerb(name), own.of), word)
            case program.Map(
                entries=(program.Entry(key=key, value=program.Text() | program.Map() as of), *rest)
            ) if key in _MEASURING and len(rest) <= 1:
                distinct = self._distinct(TableVerb(key), rest, word)
                path = self._columns.expressed(of, word, parts=False)
                if path is None or distinct is None:
                    return None
                return self.checked(Measured(TableVerb(key), path, distinct), word)
            case _:
                message = f"a value of :{word} is no measure"
                hint = f'write "count" or {{:average "price"}}; the measures are {listed(MEASURING)}'
                self._findings.error("argument_type", message, hint)
                return None

    def _distinct(self, verb: TableVerb, rest: list[program.Entry], word: Word) -> bool | None:
        match rest:
            case []:
                return False
            case [program.Entry(key="distinct", value=program.Boolean(value=flag))] if (
                verb is TableVerb.COUNT or not flag
            ):
                return flag
            case _:
                message = f"a measure in :{word} says something that is no measure"
                hint = 'only {:count "status" :distinct true} may say more'
                self._findings.error("argument_type", message, hint)
                return None

    def checked(self, measured: Measured, word: Word = Word.OF, *, added: bool = False) -> Measured | None:
        """The same, if such a column can be measured so. `added`: it is a sum whatever the verb is called."""
        path, verb = measured.of, measured.verb
        if path is None or verb is TableVerb.COUNT:
            return measured
        columns = self._table.columns.values()
        if (
            added or verb in (TableVerb.SUM, TableVerb.AVERAGE, TableVerb.SHARE)
        ) and path.type not in NUMBERS:
            message = f"{path.written} in :{word} is no number: it is of type {path.type}"
            hint = f"the numbers here are: {listed(c.name for c in columns if c.type in NUMBERS)}"
            self._findings.error("not_a_measure", message, hint)
            return None
        if path.type not in RANKED:
            message = f"{path.written} in :{word} has no order: it is of type {path.type}"
            hint = f"there are: {listed(c.name for c in columns if c.type in RANKED)}"
            self._findings.error("not_a_measure", message, hint)
            return None
        return measured

    def _having(self, told: tuple[Measured, ...], value: program.Value | None) -> Iterator[Having]:
        """`{:at-least 2}` of the verb's own figure, `{:count {:at-least 2}}` of a named one."""
        if value is None:
            return
        named = isinstance(value, program.Map) and not all(e.key in COMPARISONS for e in value.entries)
        if not named or not isinstance(value, program.Map):
            yield from self._kept(told[0], value)
            return
        for entry in value.entries:
            first = next((each for each in told if each.verb == entry.key), None)
            measured = first or (_COUNT if entry.key == "count" else None)
            if measured is None:
                names = [*dict.fromkeys(each.verb.value for each in told), "count"]
                message = f"{quoted(entry.key)} in :having is not measured here"
                self._findings.error("unknown_order", message, nearest(entry.key, names))
                continue
            yield from self._kept(measured, entry.value)

    def _kept(self, measured: Measured, value: program.Value) -> Iterator[Having]:
        info = _info(measured)
        known = Column(measured.verb.value, info, info.type)
        test = self._filtering.test(known, value, Word.HAVING)
        if test is not None:
            yield Having(measured, known, test)

    def measure(self, told: tuple[Measured, ...], name: str) -> Measured | None:
        """The figure of this name; where several have the verb, the first."""
        exact = next((each for each in told if each.written == name), None)
        return exact or next((each for each in told if each.verb == name), None)

    def named(self, told: tuple[Measured, ...], value: program.Value) -> Measured | None:
        """The figure that is meant in :columns and :order: `"count"`, `"max/price"`, `{:max "price"}`."""
        match value:
            case program.Text(value=name):
                return self.measure(told, name)
            case program.Map(
                entries=(program.Entry(key=key, value=program.Text() | program.Map() as of),)
            ) if told:
                quiet = Findings()
                columns = ColumnReader(self._table, Paths(self._graph, quiet), quiet)
                path = columns.expressed(of, "", parts=False)
                alike = (each for each in told if each.verb == key and each.of is not None)
                return next((each for each in alike if each.of == path or _names(each, of)), None)
            case _:
                return None

    def ordering(self, told: tuple[Measured, ...], value: program.Value) -> Measured | None:
        """The figure groups are ordered by; their rows can always be counted."""
        counted = _COUNT if isinstance(value, program.Text) and value.value == "count" else None
        return self.named(told, value) or counted

    def settled(self, path: Expressed, by: tuple[ColumnPath, ...]) -> bool:
        """Whether all rows of a group have the same in this column, because of what they were gathered by."""
        return all(self._settled(each, by) for each in columns_in(path))

    def _settled(self, path: ColumnPath, by: tuple[ColumnPath, ...]) -> bool:
        if path in by or ColumnPath(path.links, path.column) in by:
            return True
        return any(
            self._stands(path.links[:n], by) and all(link.single for link in path.links[n:])
            for n in range(len(path.links) + 1)
        )

    def _stands(self, links: Links, by: tuple[ColumnPath, ...]) -> bool:
        """Whether a group has one row at most at the end of these links."""
        at = self._graph.tables[links[-1].target] if links else self._table
        if at.identified_by(_gathered(links, by)):
            return True
        if not links or not links[-1].single:
            return False
        return {near for near, _ in links[-1].pairs} <= _gathered(links[:-1], by)

    def shown(self, shown: tuple[Shown, ...], by: tuple[ColumnPath, ...]) -> tuple[Shown, ...]:
        """What may be shown of groups."""
        for each in shown:
            if not isinstance(each, Measured) and not self.settled(each, by):
                message = f"{each.written} in :columns may differ inside of a group"
                hint = "gather by it too, or by the key of its table"
                self._findings.error("unknown_column", message, hint)
        return shown


def _gathered(links: Links, by: tuple[ColumnPath, ...]) -> set[str]:
    """The real names of the columns at the end of these links that rows are gathered by."""
    return {path.column.info.name for path in by if path.part is None and path.links == links}


def _names(measured: Measured, value: program.Value) -> bool:
    text = value.value if isinstance(value, program.Text) else None
    return measured.of is not None and measured.of.written == text


def _added(own: Measured) -> Expressed | None:
    """What a share beside a figure is of: the same sum, or rows."""
    return own.of if own.verb in (TableVerb.SUM, TableVerb.SHARE) else None


def one_value(request: ReadRequest) -> ValueType | None:
    """The type of the one value that a read gives; None where it may give more."""
    if request.groups:
        return ValueType.INTEGER
    if request.measures:
        only = request.shown[0] if len(request.shown) == 1 else None
        if request.by:
            # The first group is one value, where only what it was gathered by is shown.
            first = request.top == 1 and not request.ties
            return only.type if first and isinstance(only, ColumnPath) else None
        return _info(only).type if isinstance(only, Measured) else None
    if len(request.columns) == 1 and request.top == 1 and not request.ties:
        return request.columns[0].type
    return None


def _info(measured: Measured) -> ColumnInfo:
    """A figure as if it were a column: what may be compared with it depends on its type."""
    name, of = measured.verb.value, measured.of
    if measured.verb is TableVerb.SHARE and (of is None or of.type is not ValueType.FLOAT):
        return ColumnInfo(name, ValueType.DECIMAL, f"DECIMAL(38,{PLACES})")
    if measured.per is not None and (of is None or of.type is not ValueType.FLOAT):
        return ColumnInfo(name, ValueType.DECIMAL, f"DECIMAL(38,{PLACES})")
    if measured.verb is TableVerb.COUNT or of is None:
        return ColumnInfo(name, ValueType.INTEGER, "")
    if measured.verb is TableVerb.AVERAGE and of.type is not ValueType.FLOAT:
        return ColumnInfo(name, ValueType.DECIMAL, f"DECIMAL(38,{PLACES})")
    return ColumnInfo(name, of.type, of.column.info.native)
