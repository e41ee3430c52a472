"""Ways between tables: none that is longer than anybody means."""

from pathlib import Path

from dragoman.planning.database.joins import MOST_HOPS
from tests.planning.database.planned_database import PlannedDatabase


def _chain(length: int) -> str:
    """Tables that each point at the one before."""
    links = (
        f"CREATE TABLE link{at} (link{at}_id INTEGER PRIMARY KEY, "
        f"link{at - 1}_id INTEGER REFERENCES link{at - 1}(link{at - 1}_id));"
        for at in range(1, length)
    )
    return "CREATE TABLE link0 (link0_id INTEGER PRIMARY KEY);" + "".join(links)


def test_a_way_has_so_many_links_and_no_more(tmp_path: Path) -> None:
    chain = PlannedDatabase(tmp_path / "chain.sqlite", _chain(MOST_HOPS + 2))
    tables = {table.info.name: table for table in chain.planner.joins.graph.tables.values()}
    joins = chain.planner.joins
    near = joins.way(tables["link0"], tables[f"link{MOST_HOPS}"])
    assert near is not None
    assert len(near.links) == MOST_HOPS
    assert joins.way(tables["link0"], tables[f"link{MOST_HOPS + 1}"]) is None
    chain.reader.close()
