"""Cells of SQLite that are plainly what their column promises, converted many at a time.

It gives the same as looking at each cell, or nothing: then each is looked at.
"""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from dragoman.contracts.flow import FlowColumn
from dragoman.contracts.schema import ValueType
from dragoman.databases.families.sqlite.values import Stored
from dragoman.engine.carriers import arrow_type, carried_as_text

_AS_THEY_ARE = {
    ValueType.INTEGER: int,
    ValueType.FLOAT: float,
    ValueType.TEXT: str,
    ValueType.JSON: str,
    ValueType.BYTES: bytes,
}
_CLOCK = r"\d\d:\d\d:\d\d(\.\d{1,6})?"
_FORMS = {
    ValueType.DATE: r"^\d{4}-\d\d-\d\d$",
    ValueType.DATETIME: rf"^\d{{4}}-\d\d-\d\d[ T]{_CLOCK}$",
    ValueType.INSTANT: rf"^\d{{4}}-\d\d-\d\d[ T]{_CLOCK}(Z|[+-]\d\d:\d\d)$",
    ValueType.DECIMAL: r"^-?\d+(\.\d+)?$",
}


def carried_quickly(column: FlowColumn, cells: Sequence[Stored]) -> pa.Array | None:
    kinds = set(map(type, cells)) - {type(None)}
    expected = _AS_THEY_ARE.get(column.type)
    if expected is not None:
        return pa.array(cells, arrow_type(column)) if kinds <= {expected} else None
    if column.type is ValueType.BOOLEAN and kinds <= {int} and set(cells) <= {None, 0, 1}:
        return pa.array(cells, pa.int8()).cast(pa.bool_())
    form = _FORMS.get(column.type)
    if form is None or not kinds <= {str} or carried_as_text(column):
        return None
    texts = pa.array(cells, pa.string())
    if pc.all(pc.match_substring_regex(texts, form), min_count=0).as_py() is False:
        return None
    try:
        return texts.cast(arrow_type(column))
    except pa.ArrowInvalid:
        return None
