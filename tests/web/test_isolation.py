"""Whose session it is: to anybody else there is none of that id, on every route there is."""

from collections.abc import Iterator
from typing import Any, Final

import httpx
import pytest

from tests.web.ground import Server, Talk, json_of

OPEN: Final = {"/health", "/ready"}
NOBODYS: Final = "0000000000000000"


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def request(
    client: httpx.Client, method: str, path: str, operation: dict[str, Any], document: Any
) -> httpx.Response:
    """A request that the route takes, as far as its schema says."""
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema")
    body = example(schema, document) if schema is not None else None
    needed = {
        each["name"]: "a"
        for each in operation.get("parameters", [])
        if each["in"] == "query" and each.get("required")
    }
    return client.request(method, path, json=body, params=needed)


def example(schema: dict[str, Any], document: Any) -> Any:
    """The smallest value of a schema."""
    if "$ref" in schema:
        return example(document["components"]["schemas"][schema["$ref"].rpartition("/")[2]], document)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {
                name: example(part, document)
                for name, part in schema.get("properties", {}).items()
                if name in schema.get("required", ())
            }
        case "integer":
            return int(schema.get("minimum", 1))
        case "boolean":
            return True
        case _:
            return "a"


@pytest.fixture(scope="module")
def document(server: Server) -> dict[str, Any]:
    return json_of(server.stranger().get("/openapi.json"))


def test_somebody_elses_session_is_none_on_every_route(server: Server, document: dict[str, Any]) -> None:
    ann, bob = server.client("ann"), server.client("bob")
    talk = Talk(ann)
    talk.say("clients in Ireland")
    before = talk.get()
    tried = 0
    for method, path, operation in operations(document):
        if "{session_id}" not in path:
            continue
        places = {"turn": "1", "result_set": "rows-1", "run_id": "a"}
        theirs = path.format(session_id=talk.id, **places)
        missing = path.format(session_id=NOBODYS, **places)
        given = request(bob, method, theirs, operation, document)
        absent = request(bob, method, missing, operation, document)
        assert (given.status_code, given.json()["code"]) == (404, "session_not_found"), (
            method,
            path,
            given.text,
        )
        assert given.text.replace(talk.id, NOBODYS) == absent.text, "nobody can tell the two apart"
        streamed = bob.request(
            method, theirs, json={"message": "hi"}, headers={"accept": "text/event-stream"}
        )
        assert streamed.status_code in (404, 422, 405), (method, path)
        tried += 1
    assert tried >= 30
    assert talk.get() == before
    assert [each["id"] for each in json_of(ann.get("/api/sessions"))["sessions"]].count(talk.id) == 1
    assert talk.id not in bob.get("/api/sessions").text


def test_nobody_is_nobody_on_every_route(server: Server, document: dict[str, Any]) -> None:
    stranger = server.stranger()
    for method, path, operation in operations(document):
        given = request(stranger, method, path.replace("{", "").replace("}", ""), operation, document)
        if path in OPEN:
            assert given.status_code == 200, path
        else:
            assert (given.status_code, given.json()["code"]) == (401, "unauthorized"), (method, path)
            assert given.headers["www-authenticate"].startswith("Bearer")


def test_a_token_ends_when_it_is_revoked(server: Server) -> None:
    from dragoman import Workspace

    token = server.token("carl")
    client = server.bearer(token)
    assert client.get("/api/sessions").status_code == 200
    with Workspace.open(server.folder) as workspace:
        found = next(each for each in workspace.access.list() if each.owner == "carl")
        assert token not in (server.folder / ".dragoman/sessions.sqlite").read_bytes().decode("latin-1")
        workspace.access.revoke(found.id)
    # A worker knows a token for a second at most.
    for _ in range(1_000):
        if client.get("/api/sessions").status_code == 401:
            break
    else:
        raise AssertionError("a revoked token still opens sessions")
    for wrong in ("drgm_", token + "x", "Bearer", "ü"):
        given = server.stranger().get("/api/sessions", headers={b"Authorization": f"Bearer {wrong}".encode()})
        assert given.status_code == 401
    assert server.stranger().get("/api/sessions", headers={"Authorization": "Basic YTpi"}).status_code == 401


def test_the_printed_link_lets_one_browser_in_once(server: Server) -> None:
    browser = server.stranger()
    assert browser.get("/api/sessions").status_code == 401
    let_in = browser.get("/login", params={"token": server.link})
    assert (let_in.status_code, let_in.headers["location"]) == (303, "/")
    cookie = let_in.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert browser.get("/api/sessions").status_code == 200
    assert server.stranger().get("/login", params={"token": server.link}).status_code == 401
    shown = server.stranger().get("/api/sessions", headers={"Authorization": f"Bearer {server.link}"})
    assert shown.status_code == 401, "a link is no token"
    elsewhere = browser.post("/api/sessions", json={}, headers={"Origin": "http://evil.example"})
    assert (elsewhere.status_code, elsewhere.json()["code"]) == (403, "origin_refused")
    no_url = browser.post("/api/sessions", json={}, headers={"Origin": "http://["})
    assert (no_url.status_code, no_url.json()["code"]) == (403, "origin_refused")
    forged = browser.post("/api/sessions", json={}, headers={"Sec-Fetch-Site": "cross-site"})
    assert forged.status_code == 403
    own = browser.post("/api/sessions", json={}, headers={"Origin": server.url})
    assert own.status_code == 201
