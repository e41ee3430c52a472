"""The server: what clients may list, read and call. It is the same for every transport."""

import json
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from mcp_types import Tool as ToolTold

from dragoman._version import __version__
from dragoman.contracts.errors import DragomanError, MemoryLimitExceeded
from dragoman.contracts.record import Record
from dragoman.mcp.arguments import accepted
from dragoman.mcp.call import Call, Calls
from dragoman.mcp.resources import all_resources, read_resource, templates
from dragoman.mcp.results import Asked, schema_of
from dragoman.mcp.tools import TOOLS, Tool
from dragoman.workspace.gated import GatedWorkspace
from dragoman.workspace.guards import scrubbed, scrubbed_value

INSTRUCTIONS = (
    "Dragoman answers questions about databases. Ask in plain words; go on in the same session with "
    "follow-ups. Every answer says how sure it is and has the program that was run. Show a person what would "
    "be written before you say yes to it."
)
_T = TypeVar("_T")
_Context = ServerRequestContext[Any]
_Page = PaginatedRequestParams | None


class Door:
    """A workspace, as clients of the protocol have it."""

    def __init__(self, workspace: GatedWorkspace) -> None:
        self.workspace = workspace
        self.calls = Calls()

    def server(self) -> Server[Any]:
        return Server(
            "dragoman",
            version=__version__,
            title="Dragoman",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )

    async def _list_tools(self, context: _Context, page: _Page) -> ListToolsResult:
        may_write = self.workspace.allow_writes
        return ListToolsResult(tools=[_told(name, tool, may_write) for name, tool in TOOLS.items()])

    async def _call_tool(self, context: _Context, params: CallToolRequestParams) -> CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"there is no tool {params.name[:60]!r}")

        def work(call: Call) -> Record:
            return tool.does(self.workspace, accepted(tool.takes, params.arguments or {}), call)

        try:
            return _answer(await self.calls.run(context, work))
        except DragomanError as error:
            return _failure(error)
        except MemoryError:
            return _failure(MemoryLimitExceeded())

    async def _list_resources(self, context: _Context, page: _Page) -> ListResourcesResult:
        found = await self._read(context, lambda call: all_resources(self.workspace))
        return ListResourcesResult(resources=found)

    async def _list_templates(self, context: _Context, page: _Page) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=templates())

    async def _read_resource(
        self, context: _Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        uri = str(params.uri)
        found = await self._read(context, lambda call: read_resource(self.workspace, uri))
        if found is None:
            raise MCPError(INVALID_PARAMS, f"there is no resource {uri[:200]!r}", {"uri": uri[:200]})
        content = TextResourceContents(uri=uri, mime_type=found.mime_type, text=found.text)
        return ReadResourceResult(contents=[content])

    async def _read(self, context: _Context, work: Callable[[Call], _T]) -> _T:
        """Resources have no results that are errors: an error is one of the protocol."""
        try:
            return await self.calls.run(context, work)
        except DragomanError as error:
            told = _error_object(error)
            raise MCPError(INVALID_PARAMS, f"{told['code']}: {told['message']}", told) from error


def _told(name: str, tool: Tool, may_write: bool) -> ToolTold:
    writes = tool.writes and may_write
    return ToolTold(
        name=name,
        title=tool.title,
        description=tool.says,
        input_schema=tool.takes.model_json_schema(),
        output_schema=schema_of(tool.gives),
        annotations=ToolAnnotations(
            read_only_hint=not writes, destructive_hint=writes, idempotent_hint=False, open_world_hint=False
        ),
    )


def _answer(result: Record) -> CallToolResult:
    """The result as it is, and as text for clients that read nothing else."""
    plain = msgspec.to_builtins(result)
    texts = [json.dumps(plain, ensure_ascii=False)]
    if isinstance(result, Asked):
        texts.insert(0, result.turn.message)
    content = [TextContent(type="text", text=text) for text in texts]
    return CallToolResult(content=list(content), structured_content=plain)


def _failure(error: DragomanError) -> CallToolResult:
    told = _error_object(error)
    said = f"error [{told['code']}]: {told['message']}"
    if told["hint"]:
        said += f"\n  {told['hint']}"
    content = TextContent(type="text", text=said)
    return CallToolResult(content=[content], structured_content={"error": told}, is_error=True)


def _error_object(error: DragomanError) -> dict[str, Any]:
    return {
        "code": error.code,
        "message": scrubbed(error.message),
        "hint": scrubbed(error.hint),
        "details": scrubbed_value(dict(error.details)),
    }
