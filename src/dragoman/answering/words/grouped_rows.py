"""Groups that are rows: what is counted by the key of customers is counted by customer."""

from dragoman.answering.words.names import in_words
from dragoman.answering.words.places import Place, own_column, reached_by, row_of
from dragoman.answering.words.speaker import Speaker
from dragoman.contracts.program import Text, Value
from dragoman.contracts.record import Record


class GroupedRow(Record, frozen=True):
    """The row whose key a group is: in words, the path to its columns, and the path to its key."""

    words: str
    path: str
    key: str


def row_grouped(speaker: Speaker, place: Place, value: Value) -> GroupedRow | None:
    """None where a value is no key of one row alone, and where names are said as they are written."""
    if speaker.exact or speaker.whole or not isinstance(value, Text):
        return None
    if place.table is None or place.graph is None:
        return None
    *steps, last = value.value.split("/")
    at = place
    for step in steps:
        at = reached_by(speaker, at, step)
    table = at.table
    column = own_column(table, last) if table is not None else None
    if table is None or column is None:
        return None
    before = "".join(f"{step}/" for step in steps)
    if table.info.primary_key == (column.info.name,):
        return GroupedRow(at.reached or row_of(speaker, at), before, value.value)
    links = [
        link
        for link in place.graph.links(table).values()
        if link.single and "-by-" not in link.name and [here for here, _ in link.pairs] == [column.info.name]
    ]
    if len(links) != 1 or links[0].target == table.key:
        # Of two employees in a row it must be said which is meant.
        return None
    ((_, there),) = links[0].pairs
    target, path = place.graph.tables[links[0].target], f"{before}{links[0].name}/"
    words = reached_by(speaker, at, links[0].name).reached or in_words(links[0].name)
    return GroupedRow(words, path, f"{path}{target.by_real_name[there].name}")


def without_row(words: str, row: str) -> str:
    """A column of a row without the row, which was just named: `company name` of `customer company name`."""
    return words.removeprefix(f"{row} ") if row else words
