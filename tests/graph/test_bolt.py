"""A graph behind a Bolt server: the official driver against a scripted server that speaks the protocol."""

import json
from pathlib import Path

import pytest

from dragoman.contracts.errors import GraphQueryFailed, GraphTimeout, GraphUnreachable
from dragoman.contracts.graph import Direction, GraphEdge, GraphNode, GraphSettings
from dragoman.graph.bolt import BoltGraph
from tests.graph.bolt_stub import Stub, scripted

BEGIN = 'C: BEGIN {"mode": "r", "tx_timeout": 15000}\nS: SUCCESS {}\n'
ANN = {"node": [1, ["Person"], {"name": "Ann"}]}
ACME = {"node": [2, ["Company"], {"title": "Acme"}]}
PERSON, COMPANY = GraphNode("Person:Ann", "Person", "Ann"), GraphNode("Company:Acme", "Company", "Acme")


def graph_at(stub: Stub, user: str = "", password: str = "") -> BoltGraph:
    return BoltGraph(GraphSettings(uri=stub.uri, user=user), password)


def asks(query: str, parameters: object, fields: list[str], *records: list[object]) -> str:
    """A transaction that only reads, with what the server answers."""
    rows = "".join(f"   RECORD {json.dumps(each)}\n" for each in records)
    return (
        f"{BEGIN}C: RUN {json.dumps(query)} {json.dumps(parameters)} {{}}\n   PULL_ALL\n"
        f"S: SUCCESS {json.dumps({'fields': fields})}\n{rows}   SUCCESS {{}}\n"
        "C: COMMIT\nS: SUCCESS {}\n"
    )


def test_a_query_runs_in_a_transaction_that_only_reads(tmp_path: Path) -> None:
    query = "MATCH (n) RETURN n.name AS name, n LIMIT 2"
    with scripted(tmp_path, asks(query, {}, ["name", "n"], ["Ann", ANN], [None, ACME])) as stub:
        columns, rows = graph_at(stub).find(query)
    assert columns == ("name", "n")
    assert rows == [
        ("Ann", '{"labels": ["Person"], "name": "Ann"}'),
        (None, '{"labels": ["Company"], "title": "Acme"}'),
    ]
    assert stub.left == []


def test_a_path_is_read_as_its_links_lead(tmp_path: Path) -> None:
    path = {"path": [[ANN, ACME], [[7, "WORKS_AT", {}]], [1, 1]]}
    with scripted(tmp_path, asks("*", {}, ["p"], [path])) as stub:
        found = graph_at(stub).paths("Person:Ann", "Company", 3)
    assert [list(each) for each in found] == [[GraphEdge(PERSON, "WORKS_AT", COMPANY)]]
    ((query, parameters),) = stub.asked
    assert "allShortestPaths((a)-[*..8]-(b))" in query
    # What a person wrote is a parameter, and never a part of the query.
    assert "Ann" not in query
    assert parameters["start_value"] == "Ann"
    assert parameters["end_value"] is None


def test_what_depends_is_asked_against_the_links(tmp_path: Path) -> None:
    with scripted(tmp_path, asks("*", {}, ["e"])) as stub:
        assert graph_at(stub).neighbours("Company:Acme", Direction.IN, 5) == []
    assert "(a)<-[e]-(b)" in stub.asked[0][0]


def test_things_are_found_by_what_they_are_called(tmp_path: Path) -> None:
    with scripted(tmp_path, asks("*", {}, ["n"], [ANN], [ACME])) as stub:
        assert graph_at(stub).named(["ann", "ACME", "nobody"]) == {"ann": (PERSON,), "ACME": (COMPANY,)}


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("Neo.ClientError.Statement.SyntaxError", GraphQueryFailed),
        ("Neo.ClientError.Transaction.TransactionTimedOut", GraphTimeout),
    ],
)
def test_what_the_server_says_is_a_clear_error(tmp_path: Path, code: str, kind: type[Exception]) -> None:
    failure = {"code": code, "message": "secret-token-9 is in the server's message"}
    script = f'{BEGIN}C: RUN "*" {{}} {{}}\n   PULL_ALL\nS: FAILURE {json.dumps(failure)}\n   IGNORED\n'
    with scripted(tmp_path, script) as stub, pytest.raises(kind) as refused:
        graph_at(stub).find("MATCH (n) RETURN n LIMIT 1")
    assert "secret-token-9" not in str(refused.value)


def test_a_server_that_is_not_there_is_said_to_be_out_of_reach() -> None:
    graph = BoltGraph(GraphSettings(uri="bolt://127.0.0.1:9", user="neo4j", seconds=2), "hunter2secret")
    with pytest.raises(GraphUnreachable) as refused:
        graph.find("MATCH (n) RETURN n LIMIT 1")
    assert "hunter2secret" not in f"{refused.value} {refused.value.hint}"
