"""A figure that is shown beside rows is one of each of them."""

from collections.abc import Iterator

from dragoman.review.case import Case, is_bare_figure
from dragoman.review.records import Code, Objection
from dragoman.tables.graph import Table, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import TableVerb


def added_figures(case: Case) -> Iterator[Objection]:
    """ "With the number of visits" after a list of guests tells of each guest."""
    request = case.committed.requests[-1] if case.committed.requests else None
    rows = rows_added_to(case)
    if request is None or rows is None or not request.measures or not is_bare_figure(request):
        return
    if request.table.key != rows.key:
        yield case.objection(Code.GROUP_MISSING, case.message.text)


def rows_added_to(case: Case) -> Table | None:
    """The table of the rows that were listed and that something is to be shown beside."""
    last = case.before[-1].requests[-1] if case.before and case.before[-1].requests else None
    if last is None or last.verb is not TableVerb.LIST or not case.words:
        return None
    told = case.message.vocabulary
    adds = case.words[0].form in told.adding or case.words[-1].form in told.shown_with.get("also", ())
    return last.table if adds else None


def added_to(case: Case) -> set[TableKey]:
    """The tables of the rows that something is to be shown beside: of rows that only pair others, these."""
    rows = rows_added_to(case)
    if rows is None:
        return set()
    links = [link for link in case.graph.links(rows).values() if link.single]
    keys = {here for link in links for here, _ in link.pairs} | {*rows.info.primary_key}
    pairs = all(column.info.name in keys for column in rows.columns.values())
    return {rows.key, *(link.target for link in links if pairs)}


def told_apart(case: Case, table: Table, path: ColumnPath) -> set[TableKey]:
    """The tables whose rows a key tells apart: its own, and what it points at."""
    name = path.column.info.name
    own = {table.key} if table.info.primary_key == (name,) else set()
    return own | {
        link.target for link in case.graph.links(table).values() if [here for here, _ in link.pairs] == [name]
    }
