"""What leaves for a provider: no secret, and no values where none may be sent."""

from collections.abc import Iterable, Mapping
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from dragoman.contracts.connection import SecretText
from dragoman.contracts.model import Message, ModelRequest, Tool
from dragoman.guards.secrets import scrubbed, scrubbed_value

GONE = "…"
_SHORTEST = 8
"""What is shorter is a word that a server of one's own takes for a key, and stands in too many texts."""


class Outgoing:
    """`known` are secrets of this workspace: they are found wherever they stand, whatever they look like."""

    def __init__(self, known: Iterable[SecretText] = ()) -> None:
        texts = {secret.reveal() for secret in known}
        # A secret may be part of another one.
        self._known = sorted((text for text in texts if len(text) >= _SHORTEST), key=len, reverse=True)

    def request(self, request: ModelRequest, *, send_values: bool) -> ModelRequest:
        """The request as it may be sent."""
        return replace(
            request,
            messages=tuple(self._message(message, send_values=send_values) for message in request.messages),
            response_schema=self._schema(request.response_schema) if request.response_schema else None,
            tools=tuple(
                Tool(tool.name, self.text(tool.description), self._schema(tool.parameters))
                for tool in request.tools
            ),
        )

    def text(self, text: str) -> str:
        for secret in self._known:
            text = text.replace(secret, GONE)
        return scrubbed(text)

    def _message(self, message: Message, *, send_values: bool) -> Message:
        both = self.text(message.text)
        if send_values and message.values:
            # Searched together once more: a name at the end of one may tell what the other begins with.
            both = self.text(both + self.text(message.values))
        return replace(
            message,
            text=both,
            values="",
            tool_calls=tuple(
                replace(call, arguments=self._arguments(call.arguments)) for call in message.tool_calls
            ),
        )

    def _arguments(self, arguments: str) -> str:
        """JSON is searched as what it says: an escaped line end hides where a value begins."""
        try:
            value = msgspec.json.decode(arguments)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            return self.text(arguments)
        clean = scrubbed_value(self._without_known(value))
        return arguments if clean == value else msgspec.json.encode(clean).decode()

    def _schema(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        return cast("dict[str, Any]", scrubbed_value(self._without_known(schema)))

    def _without_known(self, value: Any) -> Any:
        match value:
            case Mapping():
                return {key: self._without_known(each) for key, each in value.items()}
            case list() | tuple():
                return [self._without_known(each) for each in value]
            case str():
                return self.text(value)
            case _:
                return value
