"""Cells that a spreadsheet takes for formulas: found, counted, and escaped where that is asked for.

A number is none: -5 in a column of numbers is what it says.
"""

from collections import Counter
from enum import StrEnum
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from dragoman.contracts.flow import ColumnWarning, FlowColumn
from dragoman.contracts.schema import ValueType

_BEGINS: Final = frozenset(b"=+-@").union(range(0x20))
_FIRST_BYTES: Final = pa.array([bytes([each]) for each in sorted(_BEGINS)], pa.binary())
_MARK: Final = "'"
_FREE_TEXT: Final = (ValueType.TEXT, ValueType.JSON, ValueType.OTHER)


class Formulas(StrEnum):
    """What becomes of such cells in a CSV."""

    KEEP = "keep"
    ESCAPE = "escape"


class FormulaCells:
    """Goes along while a CSV is written, and counts by column."""

    def __init__(self, wish: Formulas) -> None:
        self._wish = wish
        self._found: Counter[str] = Counter()

    def looked_at(self, texts: pa.Array, column: FlowColumn) -> pa.Array:
        """The texts of a column as they are to be written."""
        if column.type not in _FREE_TEXT:
            return texts
        begins = pc.is_in(pc.binary_slice(texts.cast(pa.binary()), 0, 1), value_set=_FIRST_BYTES)
        found = pc.sum(begins).as_py() or 0
        if not found:
            return texts
        self._found[column.name] += found
        if self._wish is Formulas.KEEP:
            return texts
        return pc.if_else(begins, pc.binary_join_element_wise(_MARK, texts, ""), texts)

    def name(self, name: str) -> str:
        """A column's name, which is a cell of the first row."""
        if not name or ord(name[0]) not in _BEGINS:
            return name
        self._found[name] += 1
        return name if self._wish is Formulas.KEEP else _MARK + name

    @property
    def warnings(self) -> tuple[ColumnWarning, ...]:
        kept = self._wish is Formulas.KEEP
        rule = "formula_cells" if kept else "formulas_escaped"
        return tuple(
            ColumnWarning(name, rule, f"{_counted(count)} {name}: {_KEPT if kept else _ESCAPED}")
            for name, count in self._found.items()
        )


_KEPT: Final = 'a spreadsheet may run them as formulas; :formulas "escape" prevents it'
_ESCAPED: Final = "an apostrophe stands before each"


def _counted(count: int) -> str:
    cells = "1 cell begins" if count == 1 else f"{count:,} cells begin"
    return f"{cells} with =, +, -, @ or a control character in the column"
