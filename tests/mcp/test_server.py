"""`dragoman mcp` as other agents have it: the official client, real processes, both transports."""

import asyncio
import json
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from pathlib import Path
from typing import Any, Final

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import TextResourceContents

from dragoman import Workspace
from dragoman.contracts.schema import Dialect
from tests.engine.guarded_ground import company
from tests.mcp.clients import command, connected, given, over_http, over_stdio, refused, serving
from tests.orders_shop import COUNT, ENDLESS, EXPORT, make_shop
from tests.server_process import LOOPBACK

pytestmark = pytest.mark.timeout(600)

Connect = Callable[..., AbstractAsyncContextManager[Client]]

TRANSPORTS: Final[dict[str, tuple[Connect, str]]] = {
    "stdio": (over_stdio, "auto"),
    "http": (over_http, "auto"),
    "http, as clients spoke before": (over_http, "legacy"),
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return make_shop(tmp_path)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_every_tool_goes_there_and_back(transport: str, shop: Path) -> None:
    connect, mode = TRANSPORTS[transport]

    async def talk() -> None:
        async with connect(shop, mode=mode) as client:
            session = await hold_conversation(client)
            await handle_programs(client)
            await look_around(client, session)
            await read_resources(client, session)

    asyncio.run(talk())


async def hold_conversation(client: Client) -> str:
    listed = (await client.list_tools()).tools
    assert {tool.name for tool in listed} == {
        *("ask", "resolve", "check", "compile", "run", "discover", "why", "sessions")
    }
    assert all(tool.output_schema and tool.annotations and tool.annotations.read_only_hint for tool in listed)
    stages: list[str] = []

    async def told(progress: float, total: float | None, message: str | None) -> None:
        stages.append(message or "")

    message = {"message": "how many orders are there?"}
    result = await client.call_tool("ask", message, progress_callback=told)
    assert result.structured_content is not None
    turn = result.structured_content["turn"]
    assert (turn["turn"], turn["answer_mode"], turn["rows"]) == (1, "confirmed", [[3]])
    assert {"routed as T1", "running", "read 1 row"} <= set(stages)
    session: str = turn["session_id"]
    after = (await given(client, "ask", message="and with status open?", session=session))["turn"]
    assert (after["transition"], after["rows"]) == ("T2", [[2]])
    rows = (await given(client, "ask", message="show all customers", session=session, max_rows=1))["turn"]
    assert (len(rows["rows"]), rows["complete"], rows["rows_total"]) == (1, False, 2)
    return session


async def handle_programs(client: Client) -> None:
    assert (await given(client, "check", program=COUNT))["ok"]
    wrong = await given(client, "check", program="(orders.count :colour 5)")
    assert not wrong["ok"]
    assert wrong["diagnostics"][0]["line"] == 1
    compiled = await given(client, "compile", program=COUNT)
    assert [step["verb"] for step in compiled["steps"]] == ["orders.count"]
    assert not (await given(client, "compile", program="(orders.count"))["ok"]
    ran = await given(client, "run", program=COUNT)
    assert (ran["ran"], ran["ok"], ran["rows"]["count"]["rows"]) == (True, True, [[3]])
    assert (await given(client, "run", program=COUNT, digest=ran["digest"]))["digest"] == ran["digest"]
    resolved = await given(client, "resolve", program=COUNT)
    assert (resolved["ok"], resolved["references"]) == (True, [])


async def look_around(client: Client, session: str) -> None:
    found = await given(client, "discover")
    assert {table["name"] for table in found["tables"]} == {"customer", "orders"}
    only = await given(client, "discover", connection="@shop", tables=["orders"])
    assert [table["name"] for table in only["tables"]] == ["orders"]
    why = await given(client, "why", session=session, turn=2)
    assert why["turn"]["turn"] == 2
    assert {"turn_opened", "turn_routed", "turn_closed"} <= {event["kind"] for event in why["events"]}
    listed = (await given(client, "sessions"))["sessions"]
    assert [each["session_id"] for each in listed] == [session]


async def read_resources(client: Client, session: str) -> None:
    uris = {str(each.uri) for each in (await client.list_resources()).resources}
    assert {"dragoman://catalog", f"dragoman://sessions/{session}/program"} <= uris
    assert len((await client.list_resource_templates()).resource_templates) == 3
    read = {uri: await _text(client, uri) for uri in uris}
    assert read[f"dragoman://sessions/{session}/program"].startswith("(customer.")
    assert len(json.loads(read[f"dragoman://sessions/{session}"])["turns"]) == 3
    verbs = {verb["name"] for verb in json.loads(read["dragoman://catalog"])["verbs"]}
    assert {"orders.count", "duckdb.writer"} <= verbs
    assert json.loads(await _text(client, "dragoman://catalog/orders.count"))["name"] == "orders.count"
    for missing in ("dragoman://nothing", "dragoman://sessions/nobody", "file:///etc/passwd"):
        with pytest.raises(MCPError):
            await _text(client, missing)


async def _text(client: Client, uri: str) -> str:
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


# Writing.


def test_a_server_that_only_reads_writes_nothing(shop: Path) -> None:
    async def talk() -> None:
        async with over_stdio(shop) as client:
            before = await given(client, "run", program=EXPORT)
            assert (before["ran"], before["writes"]) == (False, ["orders.csv (duckdb.writer)"])
            error = await refused(client, "run", program=EXPORT, digest=before["digest"])
            assert error["code"] == "writes_forbidden"
            waiting = await _asked_to_write(client)
            said = await given(
                client, "ask", message="yes", session=waiting["session"], digest=waiting["digest"]
            )
            assert said["turn"]["answer_mode"] == "unsupported"
            taught = await given(client, "ask", message="goods are orders", session=waiting["session"])
            assert taught["waiting_write"]["digest"]
            error = await refused(client, "ask", message="yes", session=waiting["session"])
            assert error["code"] == "writes_forbidden"

    files = _files(shop)
    asyncio.run(talk())
    assert _files(shop) == files


def test_a_write_needs_exactly_its_digest(shop: Path) -> None:
    async def talk() -> None:
        async with over_stdio(shop, "--allow-writes") as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            annotations = tools["run"].annotations
            assert annotations is not None
            assert not annotations.read_only_hint
            before = await given(client, "run", program=EXPORT)
            assert not before["ran"]
            other = (await given(client, "run", program=EXPORT.replace("orders.csv", "other.csv")))["digest"]
            for digest in (other, "", "0" * 64, before["digest"].upper()):
                error = await refused(client, "run", program=EXPORT, digest=digest)
                assert error["code"] == "digest_needed"
            waiting = await _asked_to_write(client)
            session = waiting["session"]
            for digest in ("0" * 64, before["digest"]):
                said = await given(client, "ask", message="yes", session=session, digest=digest)
                assert said["turn"]["answer_mode"] == "unsupported"
                await given(client, "ask", message="run it", session=session)
            assert not list(shop.glob("*.csv"))
            # What was asked in between has made another question of it, with a digest of its own.
            waiting = await _asked_to_write(client, session)
            written = await given(client, "ask", message="yes", session=session, digest=waiting["digest"])
            assert written["turn"]["answer_mode"] == "confirmed"
            assert [path.suffix for path in shop.glob("*.csv")] == [".csv"]
            done = await given(client, "run", program=EXPORT, digest=before["digest"])
            assert (done["ran"], done["ok"]) == (True, True)

    asyncio.run(talk())
    assert (shop / "orders.csv").read_text("utf-8").count("\n") == 4


def test_a_file_that_appeared_after_the_digest_is_not_replaced(shop: Path) -> None:
    async def talk() -> None:
        async with over_stdio(shop, "--allow-writes") as client:
            before = await given(client, "run", program=EXPORT)
            (shop / "orders.csv").write_text("somebody else's\n")
            error = await refused(client, "run", program=EXPORT, digest=before["digest"])
            assert error["code"] == "digest_needed"

    asyncio.run(talk())
    assert (shop / "orders.csv").read_text() == "somebody else's\n"


async def _asked_to_write(client: Client, session: str | None = None) -> dict[str, Any]:
    asked = await given(
        client, "ask", message="show all customers", **({} if session is None else {"session": session})
    )
    known = asked["turn"]["session_id"]
    waiting = await given(client, "ask", message="save that as csv", session=known)
    assert "duckdb.writer" in waiting["waiting_write"]["program"]
    return {"session": known, "digest": waiting["waiting_write"]["digest"]}


def _files(folder: Path) -> dict[Path, bytes]:
    """What is in the folder, apart from what a workspace keeps of conversations and runs."""
    kept = (path for path in folder.rglob("*") if path.is_file() and ".dragoman" not in path.parts)
    return {path: path.read_bytes() for path in kept}


# What clients may do wrong.


def test_hostile_arguments_are_errors_with_codes(shop: Path) -> None:
    deep = "(" * 50_000
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("ask", {}, "arguments_refused"),
        ("ask", {"message": 5}, "arguments_refused"),
        ("ask", {"message": "hello", "password": "x"}, "arguments_refused"),
        ("ask", {"message": "hello", "max_rows": -1}, "arguments_refused"),
        ("ask", {"message": "hello", "max_rows": True}, "arguments_refused"),
        ("ask", {"message": ""}, "input_empty"),
        ("ask", {"message": "a\x00b"}, "input_control_characters"),
        ("ask", {"message": "x" * 50_000}, "input_too_long"),
        ("ask", {"message": "hello", "session": "../../etc/passwd"}, "session_not_found"),
        ("ask", {"message": "hello", "session": "nobody"}, "session_not_found"),
        ("ask", {"message": "hello", "connection": "@nothing"}, "connection_unknown"),
        ("check", {"program": "x", "notation": "sql"}, "arguments_refused"),
        ("check", {"program": "x", "stage": "../"}, "arguments_refused"),
        ("run", {"program": deep}, "program_refused"),
        ("run", {"program": COUNT, "max_seconds": 0}, "arguments_refused"),
        ("run", {"program": COUNT, "digest": "0" * 65}, "arguments_refused"),
        ("run", {"program": EXPORT.replace("orders.csv", "connections.yaml")}, "target_reserved"),
        ("resolve", {"program": COUNT, "choices": [{"ref_id": "x", "skip": True}]}, "reference_unknown"),
        ("discover", {"connection": "@nothing"}, "connection_unknown"),
        ("why", {"session": "nobody", "turn": 1}, "session_not_found"),
        ("why", {"session": "nobody", "turn": 0}, "arguments_refused"),
        ("sessions", {"offset": 10**30}, "arguments_refused"),
        ("sessions", {"limit": 10**12}, "arguments_refused"),
    ]

    async def talk() -> None:
        async with over_stdio(shop) as client:
            for tool, arguments, code in calls:
                error = await refused(client, tool, **arguments)
                assert error["code"] == code, (tool, str(arguments)[:80])
                assert set(error) == {"code", "message", "hint", "details"}
            with pytest.raises(MCPError):
                await client.call_tool("drop_everything", {})
            assert (await given(client, "ask", message="how many orders are there?"))["turn"]["rows"] == [[3]]

    files = _files(shop)
    asyncio.run(talk())
    assert _files(shop) == files


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_call_that_is_cancelled_stops_and_the_session_goes_on(transport: str, shop: Path) -> None:
    connect, _ = TRANSPORTS[transport]

    async def talk() -> None:
        async with connect(shop) as client:
            session = (await given(client, "ask", message="hello"))["turn"]["session_id"]
            running = asyncio.Event()

            async def told(progress: float, total: float | None, message: str | None) -> None:
                if message == "compiled":
                    running.set()

            arguments = {"message": ENDLESS, "session": session}
            call = asyncio.create_task(client.call_tool("ask", arguments, progress_callback=told))
            await running.wait()
            call.cancel()
            with suppress(asyncio.CancelledError):
                await call
            # The turn slot of the session is free only when the query has ended.
            after = await given(client, "ask", message="how many orders are there?", session=session)
            assert after["turn"]["rows"] == [[3]]

    asyncio.run(talk())


def test_a_server_that_is_killed_in_a_turn_leaves_a_session_that_goes_on(shop: Path) -> None:
    async def cut_off() -> str:
        with serving(shop) as served:
            async with connected(served) as client:
                session: str = (await given(client, "ask", message="hello"))["turn"]["session_id"]
                running = asyncio.Event()

                async def told(progress: float, total: float | None, message: str | None) -> None:
                    running.set()

                arguments = {"message": ENDLESS, "session": session}
                call = asyncio.create_task(client.call_tool("ask", arguments, progress_callback=told))
                await running.wait()
                served.process.send_signal(signal.SIGKILL)
                await asyncio.wait({call})
                assert call.exception() is not None
        return session

    async def go_on(session: str) -> None:
        async with over_stdio(shop) as client:
            after = await given(client, "ask", message="how many orders are there?", session=session)
            assert after["turn"]["rows"] == [[3]]

    session = asyncio.run(cut_off())
    asyncio.run(go_on(session))


@pytest.mark.parametrize(("ending", "code"), [("closed", 0), ("told to stop", 130)])
def test_a_server_on_stdin_ends_when_its_client_leaves_or_a_signal_comes(
    ending: str, code: int, tmp_path: Path
) -> None:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _INITIALIZE}
    pipe = subprocess.PIPE
    with subprocess.Popen(command(tmp_path), stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("this is no message\n" + json.dumps(hello) + "\n")
        process.stdin.flush()
        # Nothing but messages is on stdout, whatever came in.
        answers = [json.loads(process.stdout.readline())]
        if "result" not in answers[0]:
            answers.append(json.loads(process.stdout.readline()))
        assert answers[-1]["result"]["serverInfo"]["name"] == "dragoman"
        if ending == "closed":
            process.stdin.close()
        else:
            process.send_signal(signal.SIGTERM)
        assert process.wait(60) == code
        assert process.stdout.read() == ""


# Over HTTP.


def test_nobody_comes_in_without_the_token_or_from_elsewhere(shop: Path) -> None:
    with serving(shop) as served:
        bearer = f"Bearer {served.token}"
        port = served.address.split(":")[2].split("/")[0]
        assert _status(served.address, {}) == 401
        assert _status(served.address, {"Authorization": "Bearer x"}) == 401
        assert _status(served.address, {"Authorization": served.token}) == 401
        assert _status(served.address, {"Authorization": bearer, "Host": f"evil.example:{port}"}) == 421
        assert _status(served.address, {"Authorization": bearer, "Origin": "http://evil.example"}) == 403
        assert _status(served.address, {"Authorization": bearer}) == 200
        taken = subprocess.run(
            command(shop, "--http", "--port", port, "--json"), capture_output=True, text=True, check=False
        )
        assert (taken.returncode, json.loads(taken.stdout)["error"]["code"]) == (1, "port_taken")
        assert served.address.startswith(f"http://{LOOPBACK}:")
        served.process.send_signal(signal.SIGTERM)
        served.process.wait(30)


def _status(address: str, headers: dict[str, str]) -> int:
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _INITIALIZE}
    request = urllib.request.Request(address, json.dumps(hello).encode(), method="POST")
    wanted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    for name, value in {**wanted, **headers}.items():
        request.add_header(name, value)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


_INITIALIZE: Final = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@pytest.mark.parametrize("token", ["short", "with blanks in the middle of it", "não-é-ascii-mesmo-nada"])
def test_a_bad_token_is_refused(token: str, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(token)
    call = command(tmp_path, "--http", "--token-file", str(tmp_path / "token"), "--json")
    ran = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (ran.returncode, json.loads(ran.stdout)["error"]["code"]) == (1, "token_refused")
    assert token not in ran.stdout + ran.stderr


def test_without_the_extra_the_command_says_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['mcp'] = None\n")
    ran = subprocess.run(
        command(tmp_path), capture_output=True, text=True, check=False, env={"PYTHONPATH": str(tmp_path)}
    )
    assert ran.returncode == 1
    assert "pip install 'dragoman[mcp]'" in ran.stderr


def test_a_session_of_another_viewer_is_neither_listed_nor_read(
    request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    with company(Dialect.SQLITE, tmp_path, request) as hr:
        with Workspace.open(hr.seen_by("boss")) as workspace:
            session = workspace.new_session(title="of the boss")

        async def talk() -> None:
            async with over_stdio(hr.seen_by("analyst")) as client:
                assert (await given(client, "sessions"))["sessions"] == []
                for tool, more in (("ask", {"message": "hello"}), ("why", {"turn": 1})):
                    error = await refused(client, tool, session=session, **more)
                    assert error["code"] == "session_of_another"
                assert len((await client.list_resources()).resources) == 3
                with pytest.raises(MCPError, match="session_of_another"):
                    await _text(client, f"dragoman://sessions/{session}/program")

        asyncio.run(talk())
