"""The official client, connected to `dragoman mcp` in a process of its own, over either transport."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

Mode = Literal["auto", "legacy"]


class Served(NamedTuple):
    """A server over HTTP: where it is, what it wants to hear, and its process."""

    address: str
    token: str
    process: "subprocess.Popen[str]"


def command(folder: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "dragoman.cli", "mcp", "-w", str(folder), *options]


@asynccontextmanager
async def over_stdio(folder: Path, *options: str, mode: Mode = "auto") -> AsyncIterator[Client]:
    program, *arguments = command(folder, *options)
    started = stdio_client(StdioServerParameters(command=program, args=arguments, cwd=folder))
    async with Client(started, mode=mode) as client:
        yield client


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[Served]:
    """A server over HTTP on a free port, until the block ends."""
    call = command(folder, "--http", "--port", "0", "--json", *options)
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True, cwd=folder) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        try:
            yield Served(told["address"], told["token"], process)
        finally:
            process.kill()


@asynccontextmanager
async def connected(served: Served, *, mode: Mode = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {served.token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=None) as http:
        transport = streamable_http_client(served.address, http_client=http)
        async with Client(transport, mode=mode) as client:
            yield client


@asynccontextmanager
async def over_http(folder: Path, *options: str, mode: Mode = "auto") -> AsyncIterator[Client]:
    with serving(folder, *options) as served:
        async with connected(served, mode=mode) as client:
            yield client


async def given(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a call gives. The client has held it against the schema that the tool told."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    # The text is the same, for clients that read nothing else.
    assert json.loads(text_of(result).splitlines()[-1]) == result.structured_content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The error that a call ends in."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.structured_content
    assert isinstance(result.structured_content, dict)
    error: dict[str, Any] = result.structured_content["error"]
    assert f"error [{error['code']}]" in text_of(result)
    return error


def text_of(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))
