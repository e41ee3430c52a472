"""Ways along the links of a schema, programs that are kept to a row, and what a viewer may not see."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman import Workspace
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.program import Argument, Statement, Text
from dragoman.contracts.state import EntityRef
from dragoman.language.verbs.printer import print_line
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.rows.row_links import above, bound, linked_rows, ways
from dragoman.planning.rows.row_object import RowObject, opened, row_of
from dragoman.planning.tables.schema_names import Things
from dragoman.tables.graph import Graph
from tests.answering.places import pack_workspace

Place = Callable[[str], Workspace]


def catalog_at(folder: Path) -> Catalog:
    return Catalog(folder).load()


def known(catalog: Catalog) -> Knowledge:
    assert catalog.default is not None
    schema = catalog.visible_schema(catalog.default)
    assert schema is not None
    return Knowledge(Things(Graph(schema), by_roles=True))


@pytest.mark.parametrize(
    ("start", "end", "steps"),
    [
        ("customer", "invoice", [["invoice-by-customer"]]),
        ("invoice", "customer", [["customer"]]),
        ("track", "artist", [["album", "artist"]]),
        ("playlist", "track", [["playlist_track-by-playlist", "track"]]),
        ("employee", "employee", [["reports_to"], ["employee-by-reports_to"]]),
        ("artist", "customer", []),
    ],
)
def test_the_shortest_ways(places: dict[str, Path], start: str, end: str, steps: list[list[str]]) -> None:
    graph = known(catalog_at(places["music"])).things.graph
    found = ways(graph, graph.by_name[start], graph.by_name[end])
    assert [[link.name for link in way] for way in found] == steps


def test_a_way_up_is_not_followed_down_again(places: dict[str, Path]) -> None:
    """What two rows point at alike links neither to the other."""
    graph = known(catalog_at(places["shop"])).things.graph
    assert not ways(graph, graph.by_name["suppliers"], graph.by_name["customers"])[1:]
    found = ways(graph, graph.by_name["products"], graph.by_name["suppliers"])
    assert [[link.name for link in way] for way in found] == [["supplier"]]


def test_programs_are_kept_to_the_row(places: dict[str, Path]) -> None:
    knowledge = known(catalog_at(places["music"]))
    graph = knowledge.things.graph
    row = RowObject(graph.by_name["customer"], (("customer_id", 2),), "Ben Cole")
    (down,) = ways(graph, row.table, graph.by_name["invoice"])
    counted = linked_rows(row, down, knowledge, counted=True)
    assert counted is not None
    assert print_line((counted,)).startswith("invoice.count :customer_id 2 ; Ben Cole")
    taken = Statement("invoice.list", (Argument("customer_id", Text("x")),))
    assert bound(taken, row, down, knowledge) is None
    assert bound(Statement("invoice.share"), row, down, knowledge) is None


def test_a_row_is_kept_by_its_key_and_found_again(places: dict[str, Path]) -> None:
    catalog = catalog_at(places["music"])
    knowledge = known(catalog)
    graph = knowledge.things.graph
    single = RowObject(graph.by_name["customer"], (("customer_id", 2),), "Ben Cole")
    assert single.ref == EntityRef("customer", "2", "Ben Cole")
    again = row_of(single.ref, graph)
    assert again is not None
    assert again.conditions() == single.conditions()
    double = RowObject(graph.by_name["playlist_track"], (("playlist_id", 1), ("track_id", 2)), "1")
    back = row_of(double.ref, graph)
    assert back is not None
    assert back.conditions() == double.conditions()
    assert row_of(EntityRef("nothing", "1", ""), graph) is None
    assert row_of(EntityRef("playlist_track", "no key", ""), graph) is None


def test_what_a_row_belongs_to_is_looked_up(places: dict[str, Path]) -> None:
    catalog = catalog_at(places["music"])
    knowledge = known(catalog)
    graph = knowledge.things.graph
    boss = RowObject(graph.by_name["employee"], (("employee_id", 1),), "Ada Moss")
    up = next(w for w in ways(graph, boss.table, boss.table) if w[0].name == "reports_to")
    assert above(boss, up, catalog, knowledge) is None
    clerk = RowObject(graph.by_name["employee"], (("employee_id", 3),), "Cy Reed")
    found = above(clerk, up, catalog, knowledge)
    assert found is not None
    assert found.name == "Bo Lind"


def test_what_a_viewer_may_not_see_is_neither_shown_nor_opened(tmp_path: Path) -> None:
    template = pack_workspace("projects", tmp_path / "template")
    seen = {}
    for role in ("guest", "lead"):
        folder = tmp_path / role
        shutil.copytree(template, folder)
        (folder / "dragoman.yaml").write_text(
            f"version: 1\nviewer: {{name: somebody, roles: [{role}]}}\n", "utf-8"
        )
        catalog = catalog_at(folder)
        knowledge = known(catalog)
        graph = knowledge.things.graph
        member, risk = graph.by_name["member"], graph.by_name["risk"]
        shown = print_line((opened(RowObject(member, (("member_id", 1),), ""), knowledge),))
        assert "hourly_rate" not in shown
        assert "hourly_rate" not in member.columns
        rows = look_up(catalog, opened(RowObject(risk, (("risk_id", 1),), ""), knowledge)).rows
        seen[role] = ("email" in member.columns, len(rows))
    assert seen == {"guest": (False, 0), "lead": (True, 1)}
