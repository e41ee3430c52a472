"""Cypher that somebody wrote: what passes reads and ends, and runs as it was read."""

import pytest

from dragoman.guards.cypher import CypherQuery, CypherRefusal, judge_cypher


@pytest.mark.parametrize(
    ("query", "columns"),
    [
        ("MATCH (n) RETURN n", ("n",)),
        ("match (n:Thing {kind: 'table'}) where n.name starts with 'in' return n.name as name", ("name",)),
        (
            "MATCH (a)-[:LINKS*1..3]->(b) WHERE a.id <> b.id"
            " RETURN a.id, count(*) AS n ORDER BY n DESC LIMIT 5",
            ("a.id", "n"),
        ),
        ("MATCH (n) WITH n, count(*) AS c WHERE c > 1 RETURN n.set, c", ("n.set", "c")),
        ("OPTIONAL MATCH (n)--(m) RETURN n.a * 2 AS twice SKIP 3", ("twice",)),
        ("MATCH (n) RETURN n.name + ' SET' AS s UNION MATCH (m) RETURN m.name AS s;", ("s",)),
        ("MATCH (n) // CREATE (m)\nRETURN n /* DELETE n */", ("n",)),
        ("UNWIND [1, 2] AS x RETURN CASE WHEN x > 1 THEN 'CREATE' ELSE 'y' END AS z", ("z",)),
    ],
)
def test_what_reads_passes_with_its_columns(query: str, columns: tuple[str, ...]) -> None:
    judged = judge_cypher(query)
    assert isinstance(judged, CypherQuery), judged
    assert judged.columns == columns
    # What runs is what was read: no comment is left, and every part of it is limited.
    assert "//" not in judged.text
    assert "/*" not in judged.text
    written = judged.text.upper()
    assert written.count("LIMIT") == written.count("RETURN")
    assert judge_cypher(judged.text) == judged


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("MATCH (n) SET n.x = 1 RETURN n", "cypher_not_read_only"),
        ("MATCH (n) DETACH DELETE n", "cypher_not_read_only"),
        ("MATCH (n) REMOVE n.x RETURN n", "cypher_not_read_only"),
        ("CREATE (n) RETURN n", "cypher_not_read_only"),
        ("MERGE (n) RETURN n", "cypher_not_read_only"),
        ("CALL db.labels()", "cypher_not_read_only"),
        ("LOAD FROM '/etc/passwd' RETURN *", "cypher_not_read_only"),
        ("LOAD CSV FROM 'http://example.org' AS line RETURN line", "cypher_not_read_only"),
        ("COPY (MATCH (n) RETURN n.id) TO '/tmp/out.csv'", "cypher_not_read_only"),
        ("DROP TABLE Thing", "cypher_not_read_only"),
        ("EXPLAIN MATCH (n) RETURN n", "cypher_not_read_only"),
        ("MATCH (n) RETURN n; MATCH (m) DELETE m", "cypher_unreadable"),
        ("MATCH (n) CREATE (m) RETURN n", "cypher_call"),
        ("MATCH (n) RETURN apoc.load.json('http://example.org')", "cypher_call"),
        ("MATCH (n) RETURN `apoc.do`('x')", "cypher_call"),
        ("UNWIND range(1, 100000000) AS x RETURN x", "cypher_call"),
        ("MATCH (n) WHERE EXISTS { MATCH (n)-->(m) } RETURN n", "cypher_call"),
        ("MATCH (a)-[*]-(b) RETURN a", "cypher_unbounded"),
        ("MATCH (a)-[:LINKS*2..]-(b) RETURN a", "cypher_unbounded"),
        ("MATCH (a)-[*..20]-(b) RETURN a", "cypher_unbounded"),
        ("MATCH (n) RETURN n LIMIT 5000", "cypher_unbounded"),
        ("MATCH (n) RETURN n LIMIT 2 + 5000", "cypher_unreadable"),
        ("MATCH (a), (b), (c), (d), (e), (f), (g), (h), (i) RETURN a", "cypher_too_wide"),
        ("MATCH (n) WHERE n.x = $secret RETURN n", "cypher_unreadable"),
        ("MATCH (n", "cypher_unreadable"),
        ("MATCH (n) RETURN 'open", "cypher_unreadable"),
        ("", "cypher_empty"),
        ("MATCH (n) RETURN " + "(" * 50 + "1" + ")" * 50, "cypher_too_deep"),
        ("MATCH (n) RETURN '" + "x" * 5000 + "'", "cypher_too_long"),
    ],
)
def test_everything_else_is_refused_with_its_place(query: str, code: str) -> None:
    judged = judge_cypher(query)
    assert isinstance(judged, CypherRefusal), judged
    assert judged.code == code
    assert judged.hint
    assert 0 <= judged.place <= len(query)
