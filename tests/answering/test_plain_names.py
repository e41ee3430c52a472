"""Names of a schema that nobody would say aloud, as they are shown."""

import pytest

from dragoman.answering.words.headings import headings_of
from dragoman.answering.words.plain_names import column_words, shared_prefix, written_out
from dragoman.answering.words.program import program_in_words
from dragoman.answering.words.speaker import Known
from dragoman.contracts.schema import (
    ColumnInfo,
    DatabaseSchema,
    Dialect,
    ForeignKey,
    TableInfo,
    TableKind,
    ValueType,
)
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.tables.graph import Graph


def _columns(*names: str) -> tuple[ColumnInfo, ...]:
    kinds = {"price": ValueType.DECIMAL, "delay": ValueType.INTEGER}
    return tuple(
        ColumnInfo(
            name, next((kind for end, kind in kinds.items() if name.endswith(end)), ValueType.TEXT), ""
        )
        for name in names
    )


def _key(column: str, table: str, target: str) -> ForeignKey:
    return ForeignKey((column,), table, (target,))


def _graph() -> Graph:
    lines = TableInfo(
        "ferryline",
        TableKind.TABLE,
        _columns("f_linekey", "f_name", "f_dep_time"),
        primary_key=("f_linekey",),
    )
    ports = TableInfo("port", TableKind.TABLE, _columns("PortID", "portname"), primary_key=("PortID",))
    trips = TableInfo(
        "trip",
        TableKind.TABLE,
        _columns("t_tripkey", "t_linekey", "t_portkey", "t_backup", "t_totalprice", "t_arr_delay"),
        primary_key=("t_tripkey",),
        foreign_keys=(
            _key("t_linekey", "ferryline", "f_linekey"),
            _key("t_portkey", "port", "PortID"),
            _key("t_backup", "ferryline", "f_linekey"),
        ),
    )
    return Graph(DatabaseSchema("sqlite", Dialect.SQLITE, (lines, ports, trips), ""))


GRAPH = _graph()
KNOWN = Known(graph_of=lambda _: GRAPH)


def _said(text: str) -> str:
    return program_in_words(read_verbs(Source(text)).statements, KNOWN, "en")


def test_what_all_columns_begin_with_is_not_said() -> None:
    assert [shared_prefix(GRAPH.by_name[each]) for each in ("ferryline", "port", "trip")] == ["f_", "", "t_"]
    assert column_words(GRAPH.by_name["trip"], "t_totalprice") == "total price"


def test_a_key_that_only_leads_on_is_called_by_the_row() -> None:
    assert _said('(trip.count :by "t_portkey/portname")') == "number of trips by port name"


def test_of_two_keys_to_one_table_each_keeps_its_name() -> None:
    assert _said('(trip.count :by "t_backup/f_name")') == "number of trips by backup name"
    assert _said('(trip.count :by "t_linekey/f_name")') == "number of trips by line name"


def test_headings_are_written_out() -> None:
    (statement,) = read_verbs(Source('(trip.list :columns ["t_arr_delay" "t_portkey/portname"])')).statements
    found = headings_of(statement, ("t_arr_delay", "t_portkey/portname"), KNOWN, "en")
    assert [each.text for each in found] == ["Arrival Delay", "Port Name"]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("dep time", "departure time"),
        ("totalprice", "total price"),
        ("flight no", "flight number"),
        ("no", "no"),
        ("hr", "hr"),
        ("HR", "HR"),
        ("cat name", "cat name"),
        ("pop", "pop"),
        ("notable", "notable"),
        ("milestone", "milestone"),
        ("название", "название"),
        ("gros_total", "gros_total"),
    ],
)
def test_only_what_can_be_nothing_else_is_written_out(words: str, shown: str) -> None:
    assert written_out(words) == shown
