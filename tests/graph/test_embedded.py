"""The embedded graph: built whole, read only."""

import pytest

from dragoman.contracts.errors import GraphQueryFailed
from dragoman.contracts.graph import Direction, GraphContents, GraphEdge, GraphNode
from dragoman.graph.embedded import EmbeddedGraph, build

TRACK, ALBUM, ARTIST, GENRE = (
    GraphNode(name, "table", name) for name in ("track", "album", "artist", "genre")
)
EDGES = (
    GraphEdge(TRACK, "album_id", ALBUM),
    GraphEdge(ALBUM, "artist_id", ARTIST),
    GraphEdge(TRACK, "genre_id", GENRE, declared=False),
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedGraph:
    file = tmp_path_factory.mktemp("graph") / "shop.lbug"
    build(GraphContents((TRACK, ALBUM, ARTIST, GENRE), EDGES), file)
    # Nothing else is left of the building.
    assert [each.name for each in file.parent.iterdir()] == ["shop.lbug"]
    return EmbeddedGraph(file)


def test_paths_are_found_against_the_links_too(graph: EmbeddedGraph) -> None:
    (path,) = graph.paths("artist", "genre", 5)
    assert path == (EDGES[1], EDGES[0], EDGES[2])
    assert graph.paths("artist", "nothing", 5) == []


def test_what_depends_is_told_from_what_is_referred_to(graph: EmbeddedGraph) -> None:
    assert list(graph.neighbours("album", Direction.IN, 9)) == [EDGES[0]]
    assert list(graph.neighbours("album", Direction.OUT, 9)) == [EDGES[1]]
    assert set(graph.neighbours("album", Direction.BOTH, 9)) == {EDGES[0], EDGES[1]}
    assert graph.named(["ALBUM", "elbow"]) == {"ALBUM": (ALBUM,)}


def test_the_file_is_read_only_whatever_the_query_is(graph: EmbeddedGraph) -> None:
    with pytest.raises(GraphQueryFailed):
        graph.find("CREATE (:Thing {id: 'x', kind: 'k', name: 'n', folded: 'n'})")
    columns, rows = graph.find("MATCH (n:Thing) RETURN count(*) AS n")
    assert (columns, rows) == (("n",), [(4,)])
