"""The page of the server: its examples are sent as they stand, and are answered as it says."""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from tests.web.ground import Server
from tools.checkout import ROOT

PAGE: Final = ROOT / "docs" / "server.md"
_BLOCK: Final = re.compile(r"^```(http|json)\n(.*?)^```$", re.M | re.S)


def examples() -> Iterator[tuple[str, str, Any, Any]]:
    """Each request of the page, with the answer that stands behind it."""
    blocks = _BLOCK.findall(PAGE.read_text("utf-8"))
    for (kind, request), (other, answer) in zip(blocks[::2], blocks[1::2], strict=True):
        assert (kind, other) == ("http", "json")
        first, _, body = request.partition("\n")
        method, _, path = first.partition(" ")
        yield method, path, json.loads(body) if body.strip() else None, json.loads(answer)


def put_in(value: Any, names: dict[str, str]) -> Any:
    """The placeholders of the page as what the answers before gave."""
    text = json.dumps(value)
    for name, meant in names.items():
        text = text.replace(name, meant)
    return json.loads(text)


def misses(wanted: Any, given: Any, path: str = "") -> Iterator[str]:
    """Where an answer is not what the page shows of it."""
    if isinstance(wanted, dict):
        for name, value in wanted.items():
            yield from misses(value, given.get(name), f"{path}.{name}")
    elif wanted != given:
        yield f"{path}: {given!r}, not {wanted!r}"


def test_the_examples_do_what_the_page_says(server: Server) -> None:
    client, names = server.client("page"), dict[str, str]()
    tried = 0
    for method, path, body, wanted in examples():
        given = client.request(method, put_in(path, names), json=put_in(body, names)).json()
        assert list(misses(wanted, given)) == [], (method, path)
        if "session" in given:
            names["SESSION"] = given["session"]["id"]
        for reference in given.get("unresolved_refs") or ():
            names["REF"] = reference["ref_id"]
        if given.get("answer") and given["answer"]["result"]:
            names["RESULT"] = given["answer"]["result"]["result_set"]
        tried += 1
    assert tried == 7


def test_the_page_names_every_route(server: Server) -> None:
    """By the last word of its path."""
    page = PAGE.read_text("utf-8")
    paths = server.stranger().get("/openapi.json").json()["paths"]
    words = {path.rstrip("/").replace("{", "").replace("}", "").rpartition("/")[2] for path in paths}
    places = {"session_id": "ID", "turn": "N", "result_set": "REF", "run_id": "ID", "verb": "NAME"}
    missing = {word for word in words if places.get(word, word) not in page}
    assert not missing


def test_the_page_names_every_setting() -> None:
    from dragoman.contracts.limits import ServerSettings

    page = PAGE.read_text("utf-8")
    defaults = ServerSettings()
    for name in ServerSettings.__struct_fields__:
        assert f"`{name}`" in page or f"`{name}:" in page, name
        value = getattr(defaults, name)
        assert isinstance(value, tuple) or str(value) in page, name


def test_the_page_names_every_state(server: Server) -> None:
    page = PAGE.read_text("utf-8")
    schemas = server.stranger().get("/openapi.json").json()["components"]["schemas"]
    tags = schemas["ChatResponse"]["properties"]["session_state"]["discriminator"]["mapping"]
    assert [tag for tag in tags if f"`{tag}`" not in page] == []
