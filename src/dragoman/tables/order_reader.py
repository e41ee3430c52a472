"""Reads the order that a statement asks for: of rows by their columns, of groups by what they show."""

from dragoman.contracts import program
from dragoman.tables.column_reader import MOST_COLUMNS, ColumnReader
from dragoman.tables.findings import Findings, listed
from dragoman.tables.groups import Figures, Groups
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Ordering, Shown
from dragoman.tables.verbs import OPAQUE, TableVerb, Word


class OrderReader:
    """The order of one statement."""

    def __init__(self, verb: TableVerb, columns: ColumnReader, groups: Groups, findings: Findings) -> None:
        self._verb = verb
        self._columns = columns
        self._groups = groups
        self._findings = findings

    def read(
        self, value: program.Value | None, by: tuple[ColumnPath, ...], figures: Figures
    ) -> tuple[Ordering, ...]:
        """`"price"`, `{:desc "price"}`, or several."""
        if value is None:
            return ()
        items = value.items if isinstance(value, program.Sequence) else (value,)
        if len(items) > MOST_COLUMNS:
            hint = f"write at most {MOST_COLUMNS}"
            self._findings.error("argument_type", ":order has too many columns", hint)
            return ()
        return tuple(order for item in items if (order := self._ordering(item, by, figures)) is not None)

    def _ordering(
        self, value: program.Value, by: tuple[ColumnPath, ...], figures: Figures
    ) -> Ordering | None:
        match value:
            case program.Map(entries=(program.Entry(key="asc" | "desc" as key, value=inner),)):
                descending, what = key == "desc", inner
            case _:
                descending, what = False, value
        if self._verb is TableVerb.LIST:
            path = self._columns.expressed(what, Word.ORDER)
            if path is not None and path.type in OPAQUE:
                message = f"{path.written} in :order has no order: it is of type {path.type}"
                self._findings.error("argument_type", message, "order by another column")
                return None
            return None if path is None else Ordering(path, descending)
        ordered = self._group_order(what, by, figures)
        return None if ordered is None else Ordering(ordered, descending)

    def _group_order(self, what: program.Value, by: tuple[ColumnPath, ...], figures: Figures) -> Shown | None:
        """Groups are ordered by what they were gathered by, or by what was measured."""
        known = {path.written: path for path in by}
        if isinstance(what, program.Text) and what.value in known:
            return known[what.value]
        measured = self._groups.ordering(figures.measures, what)
        if measured is not None:
            return measured
        path = self._columns.expressed(what, Word.ORDER)
        if path is None or self._groups.settled(path, by):
            return path
        message = f"{path.written} in :order is not what the rows are gathered by"
        there = listed([*known, *(each.written for each in figures.measures)])
        self._findings.error("unknown_order", message, f"order by one of {there}")
        return None
