"""Measures in words: what a verb makes of a column, of every group or of all rows."""

from dragoman.answering.words.places import Named, Place, own_column, row_of, rows_of
from dragoman.answering.words.speaker import Speaker
from dragoman.answering.words.values import column_value
from dragoman.contracts.program import Boolean, Entry, Map, Text, Value
from dragoman.contracts.record import Record
from dragoman.tables.verbs import MEASURING

SHARE = "share"
MEASURES = frozenset(verb.value for verb in MEASURING) | {SHARE}


class Measure(Record, frozen=True):
    """What is measured: by which verb, of what; without `of` it is rows."""

    verb: str
    of: Value | None = None
    distinct: bool = False


def measure_in_words(speaker: Speaker, place: Place, measure: Measure, *, short: bool = False) -> str:
    """`average of product price`; `short` leaves out whose it is, where a sentence has said so."""
    if measure.of is None:
        rows = rows_of(speaker, place)
        key = "count_distinct" if measure.distinct else "count"
        return speaker.put(key if measure.verb == "count" else f"{measure.verb}_rows", rows=rows)
    those = _kept(speaker, place, measure.of) if measure.verb == "count" and measure.distinct else ""
    if those and short:
        return speaker.put("count_distinct", rows=those)
    if those:
        return speaker.put("count_distinct_in", those=those, rows=rows_of(speaker, place))
    column = column_value(speaker, place, measure.of)
    key = f"{measure.verb}_of"
    if measure.verb == "count" and measure.distinct:
        key = "count_distinct_of"
    elif measure.verb in ("min", "max") and column.is_date:
        key = f"{measure.verb}_date"
    return speaker.put(key, of=column.words if short else owned(speaker, place, column))


def _kept(speaker: Speaker, place: Place, of: Value) -> str:
    """The rows of another table whose keys a column keeps, where it is the only one that keeps them: nobody
    counts keys."""
    if speaker.exact or place.table is None or place.graph is None or not isinstance(of, Text):
        return ""
    column = own_column(place.table, of.value)
    links = [each for each in place.graph.links(place.table).values() if "-by-" not in each.name]
    kept = [each for each in links if column and [here for here, _ in each.pairs] == [column.info.name]]
    if len(kept) != 1 or not kept[0].single or kept[0].target == place.table.key:
        return ""
    if sum(each.target == kept[0].target for each in links) > 1:
        return ""
    target = place.graph.tables[kept[0].target]
    return rows_of(speaker, Place(target.name, place.graph, target))


def owned(speaker: Speaker, place: Place, column: Named) -> str:
    """A column with what it is a column of: `order total`, `product price over order lines`."""
    if not column.own or column.part:
        return speaker.put("of_rows", column=column.words, rows=rows_of(speaker, place))
    row = row_of(speaker, place)
    if column.words == row or column.words.startswith(f"{row} "):
        return column.words
    return speaker.put("of_row", row=row, column=column.words)


def measure_named(place: Place, value: Value, own: Measure) -> Measure | None:
    """The measure that `:also`, `:columns`, `:order` or `:having` names; None where it names a column."""
    match value:
        case Text(value=name) if name == own.verb:
            return own
        case Text(value="count"):
            return Measure("count")
        case Text(value=name) if name in MEASURES:
            return Measure(name, own.of)
        case Text(value=name) if name.partition("/")[0] in MEASURES and not _is_link(place, name):
            verb, _, path = name.partition("/")
            return Measure(verb, Text(path), own.distinct and own.of == Text(path))
        case Map(entries=(Entry(key=key, value=of), *rest)) if key in MEASURES:
            distinct = any(each.key == "distinct" and each.value == Boolean(True) for each in rest)
            return Measure(key, of, distinct)
        case _:
            return None


def _is_link(place: Place, path: str) -> bool:
    first = path.partition("/")[0]
    return place.graph is not None and place.table is not None and first in place.graph.links(place.table)
