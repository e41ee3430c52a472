"""What a local model is sent: chat completions, but for tools. A small model calls none by itself; held to a
schema it writes nothing but the arguments of the one that must be called."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from dragoman.contracts.model import ModelRequest
from dragoman.contracts.model_settings import ProviderSettings, SchemaMode
from dragoman.models.openai import ChatCompletions

URL = "http://localhost/chat/completions"
"""Where a request goes that never leaves this machine, nor reaches any port of it."""


class LocalCompletions(ChatCompletions):
    """The wire of `kind: local`."""

    def url(self, base: str) -> str:
        return URL

    def headers(self, key: str) -> Mapping[str, str]:
        return {}

    def body(
        self, request: ModelRequest, settings: ProviderSettings, model: str, *, limit: int, stream: bool
    ) -> dict[str, Any]:
        wanted = next((tool for tool in request.tools if tool.name == request.must_call), None)
        if wanted is not None and settings.schema is SchemaMode.SCHEMA:
            request = replace(request, response_schema=wanted.parameters, response_name=wanted.name)
        request = replace(request, tools=(), must_call="")
        # Its replies are short: they come in one piece.
        body = super().body(request, settings, model, limit=limit, stream=False)
        return {**body, "cache_prompt": True}
