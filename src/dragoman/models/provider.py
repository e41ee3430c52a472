"""One provider: a request in, a whole reply or a named error out. Nothing is tried twice here."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import httpx
import msgspec

from dragoman._version import __version__
from dragoman.catalog.model_settings import address_problem
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.connection import SecretText
from dragoman.contracts.errors import ModelError, ModelReplyMalformed, ModelUnusable, VariableMissing
from dragoman.contracts.model import ModelRequest, TokenUsage
from dragoman.contracts.model_settings import ProviderKind, ProviderSettings
from dragoman.contracts.record import Record
from dragoman.databases.connections.variables import filled
from dragoman.models.anthropic import Messages
from dragoman.models.exchange import JSON, Answer, exchange
from dragoman.models.line import Line
from dragoman.models.local.transport import LocalTransports
from dragoman.models.local.weights import SHIPPED, weights_of
from dragoman.models.local.wire import LocalCompletions
from dragoman.models.openai import ChatCompletions
from dragoman.models.outgoing import Outgoing
from dragoman.models.sse import EventReader
from dragoman.models.tokens import estimated_tokens
from dragoman.models.transport import NetworkTransport, Transports
from dragoman.models.wire import ReplyStream, Wire, WireReply, unfinished

WIRES: Final[Mapping[ProviderKind, Wire]] = {
    ProviderKind.OPENAI: ChatCompletions(),
    ProviderKind.ANTHROPIC: Messages(),
    ProviderKind.LOCAL: LocalCompletions(),
}
_LEAST_BYTES: Final = 1_000_000
_BYTES_PER_TOKEN: Final = 1_000
"""A streamed token comes in an event of its own, with names around it."""


class Prepared(Record, frozen=True, gc=True):
    """A request as it will be sent. Its `input_tokens` are estimated."""

    request: ModelRequest
    url: str
    headers: Mapping[str, str]
    body: bytes
    input_tokens: int
    limit: int


class Provider:
    """Threads may share it: what belongs to one request is made for it."""

    def __init__(
        self,
        settings: ProviderSettings,
        environment: Mapping[str, str],
        *,
        send_values: bool,
        known: tuple[SecretText, ...] = (),
        transports: Transports = NetworkTransport,
    ) -> None:
        self.settings = settings
        self.name = settings.name
        self._environment = environment
        self._send_values = settings.send_values if settings.send_values is not None else send_values
        self._known = known
        if settings.kind is ProviderKind.LOCAL and transports is NetworkTransport:
            transports = LocalTransports(self._weights)
        self._transports = transports
        self._wire = WIRES[settings.kind]

    def close(self) -> None:
        """End what runs for it on this machine."""
        if isinstance(self._transports, LocalTransports):
            self._transports.close()

    @property
    def model(self) -> str:
        """The name of the model, with variables where these have no value."""
        try:
            return self._filled(self.settings.model)
        except ModelUnusable:
            return self.settings.model

    def problem(self) -> str:
        """Why no request can be made; empty where one can."""
        try:
            self._filled(self.settings.model)
            self._url()
            self._key()
        except ModelUnusable as error:
            # What has to be installed is said where the providers are listed.
            local = self.settings.kind is ProviderKind.LOCAL
            return f"{error.message}: {error.hint}" if local else error.message
        return ""

    def prepared(self, request: ModelRequest, *, limit: int, stream: bool) -> Prepared:
        """The request without secrets, as the provider's protocol writes it. Raises `ModelUnusable`."""
        key, url, model = self._key(), self._url(), self._filled(self.settings.model)
        clean = self._outgoing(key).request(request, send_values=self._send_values)
        body = msgspec.json.encode(self._wire.body(clean, self.settings, model, limit=limit, stream=stream))
        headers = {
            "Accept": "text/event-stream, application/json" if stream else JSON,
            "Accept-Encoding": "identity",
            "Content-Type": JSON,
            "User-Agent": f"dragoman/{__version__}",
            **self._wire.headers(key),
        }
        return Prepared(clean, url, headers, body, estimated_tokens(body.decode()), limit)

    def ask(
        self,
        prepared: Prepared,
        *,
        deadline: float,
        cancel: Cancellation | None = None,
        on_text: Callable[[str], None] | None = None,
    ) -> WireReply:
        """One request. `deadline` is of `time.monotonic`. Raises `ModelError`."""
        line = Line(deadline)
        said = _Said(on_text)
        found: list[WireReply] = []

        def read(answer: Answer) -> None:
            found.append(self._read(answer, prepared.request, said))

        request = httpx.Request("POST", prepared.url, headers=dict(prepared.headers), content=prepared.body)
        with (cancel or Cancellation()).told_to(line.stop):
            line.remaining()
            try:
                exchange(
                    self._transports(line),
                    request,
                    line,
                    read,
                    most_bytes=_LEAST_BYTES + _BYTES_PER_TOKEN * prepared.limit,
                    clean=self._outgoing(self._key()).text,
                )
            except ModelError as error:
                raise self._named(error, said.tokens) from error
        reply = found[0]
        if reply.usage is not None:
            return reply
        written = reply.text + "".join(call.arguments for call in reply.tool_calls)
        usage = TokenUsage(prepared.input_tokens, estimated_tokens(written), estimated=True)
        return msgspec.structs.replace(reply, usage=usage)

    def _read(self, answer: Answer, request: ModelRequest, said: "_Said") -> WireReply:
        if answer.content_type == JSON:
            # Also where a stream was asked for: not every server can stream.
            reply = self._wire.reply(answer.whole(), request)
            said.say(reply.text)
            return reply
        stream, reader = self._wire.stream(request), EventReader()
        seen = False
        for chunk in answer:
            for event in reader.feed(chunk):
                seen = True
                said.say(stream.take(event))
                if stream.whole:
                    # Some servers keep the line open behind the end.
                    return stream.reply()
        return self._broken_off(stream, seen=seen)

    @staticmethod
    def _broken_off(stream: ReplyStream, *, seen: bool) -> WireReply:
        if not seen:
            raise ModelReplyMalformed("the stream has no events")
        stream.reply()
        raise unfinished()

    def _named(self, error: ModelError, tokens: int) -> ModelError:
        """The error with the name of the provider, and without what should not be shown."""
        clean = self._outgoing(self._key()).text
        details = {**error.details, "provider": self.name, "output_tokens": tokens}
        return type(error)(clean(f"{self.name}: {error.message}"), hint=error.hint, **details)

    def _outgoing(self, key: str) -> Outgoing:
        return Outgoing((*self._known, SecretText(key)))

    def _key(self) -> str:
        key = self._filled(self.settings.key)
        if not all("!" <= character <= "~" for character in key):
            hint = "check the variable that holds the key"
            raise ModelUnusable(f"{self.name}: the key has characters that no key has", hint=hint)
        return key

    def _weights(self) -> Path:
        return weights_of(self._filled(self.settings.model) or SHIPPED, self.name)

    def _url(self) -> str:
        if self.settings.kind is ProviderKind.LOCAL:
            self._weights()
            return self._wire.url("")
        base = self._filled(self.settings.base_url)
        problem = address_problem(base, allow_http=self.settings.allow_http)
        if problem is not None:
            raise ModelUnusable(f"{self.name}: {problem[0]}", hint=problem[1], provider=self.name)
        return self._wire.url(base)

    def _filled(self, text: str) -> str:
        try:
            return filled(text, self._environment, self.name)
        except VariableMissing as error:
            raise ModelUnusable(
                error.message, hint=error.hint, provider=self.name, variable=error.details.get("variable")
            ) from error


class _Said:
    """The text so far, and who hears it."""

    def __init__(self, on_text: Callable[[str], None] | None) -> None:
        self._on_text = on_text
        self.tokens = 0

    def say(self, text: str) -> None:
        if text:
            self.tokens += estimated_tokens(text)
            if self._on_text is not None:
                self._on_text(text)
