"""One request over HTTP and its answer: what the status means, how much may come, and what a break means."""

import datetime as dt
import email.utils
import math
from collections.abc import Callable, Iterator
from typing import Any

import httpcore
import httpx
import msgspec

from dragoman.contracts.errors import (
    ModelError,
    ModelOverloaded,
    ModelRefused,
    ModelReplyMalformed,
    ModelReplyTooLarge,
    ModelReplyTruncated,
    ModelTimeout,
    ModelUnreachable,
)
from dragoman.guards.secrets import redacted
from dragoman.models.line import Line
from dragoman.models.transport import chunks_of

JSON = "application/json"
EVENTS = "text/event-stream"

_MOST_ERROR_BYTES = 65_536
_LONGEST_REASON = 300
_LONGEST_WAIT = 86_400.0
_BUSY = frozenset({408, 409, 425, 429})
_SPENT = ("insufficient_quota", "billing", "credit balance")
"""How providers say with the status of a busy server that an account is empty: waiting does not help."""


class Answer:
    """An answer with a status that means success, as it comes."""

    def __init__(self, content_type: str, chunks: Iterator[bytes]) -> None:
        self.content_type = content_type
        self._chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        return self._chunks

    def whole(self) -> bytes:
        return b"".join(self._chunks)


def exchange(
    transport: httpx.BaseTransport,
    request: httpx.Request,
    line: Line,
    read: Callable[[Answer], None],
    *,
    most_bytes: int,
    clean: Callable[[str], str],
) -> None:
    """Send a request and hand its answer to `read`. Raises `ModelError`.

    `clean` takes secrets out of what the provider says about an error.
    """
    begun = False
    try:
        response = transport.handle_request(request)
        begun = True
        try:
            if not response.is_success:
                raise _status_error(response, clean)
            read(Answer(_content_type(response), _limited(response, most_bytes)))
        finally:
            response.close()
    except (
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.TimeoutException,
        httpx.HTTPError,
    ) as error:
        # Stopping ends the socket, and what is read of it then looks like a break.
        line.remaining()
        raise _break(line, error, begun=begun) from error
    finally:
        transport.close()


def _break(line: Line, error: Exception, *, begun: bool) -> ModelError:
    if isinstance(error, httpcore.TimeoutException | httpx.TimeoutException):
        return ModelTimeout("there was no whole reply in time")
    if not line.ended and not isinstance(error, httpcore.NetworkError | httpx.NetworkError):
        return ModelReplyMalformed("the answer is no HTTP")
    if begun:
        return ModelReplyTruncated("the connection broke in the middle of the reply", cause="connection")
    return ModelUnreachable("the connection broke before a reply began")


def _content_type(response: httpx.Response) -> str:
    encoding = response.headers.get("content-encoding", "identity").lower()
    if encoding not in ("identity", ""):
        raise ModelReplyMalformed("the reply is packed, which was not asked for")
    named = str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()
    if named == JSON or (named.startswith("application/") and named.endswith("+json")):
        return JSON
    if named == EVENTS:
        return EVENTS
    shown = redacted(named) if named else "not named"
    raise ModelReplyMalformed(
        f"the type of the reply is {shown}, not {JSON} or {EVENTS}",
        hint="check base_url in dragoman.yaml: another service may answer there",
    )


def _limited(response: httpx.Response, most: int) -> Iterator[bytes]:
    size = 0
    for chunk in chunks_of(response):
        size += len(chunk)
        if size > most:
            raise ModelReplyTooLarge(f"the reply has more than {most:,} bytes", limit=most)
        yield chunk


def _status_error(response: httpx.Response, clean: Callable[[str], str]) -> ModelError:
    status = response.status_code
    kind, reason = _reason(_start(response))
    shown = clean(reason).strip()[:_LONGEST_REASON]
    said = f"it answers with status {status}" + (f": {shown}" if shown else "")
    if status < 400:
        hint = "check base_url in dragoman.yaml: redirections are not followed"
        return ModelRefused(said, hint=hint, status=status)
    spent = any(word in f"{kind} {reason}".lower() for word in _SPENT)
    if (status in _BUSY or status >= 500) and not spent:
        wait = retry_after(response.headers)
        return ModelOverloaded(said, hint="try again in a while", status=status, retry_after=wait)
    return ModelRefused(said, hint=_HINTS.get(status, ""), status=status)


_HINTS = {
    400: "check the settings of the provider in dragoman.yaml against what it says",
    401: "check the variable that holds the key",
    403: "check the variable that holds the key, and what the key may do",
    404: "check base_url and model in dragoman.yaml",
    413: "the question is too long for this model",
}


def _start(response: httpx.Response) -> bytes:
    """As much of an error as may be shown. That its rest does not come does not matter."""
    found = bytearray()
    try:
        for chunk in chunks_of(response):
            found += chunk
            if len(found) >= _MOST_ERROR_BYTES:
                break
    except (httpcore.NetworkError, httpcore.ProtocolError):
        pass
    return bytes(found[:_MOST_ERROR_BYTES])


def _reason(body: bytes) -> tuple[str, str]:
    """Kind and text of an error, as both protocols tell them."""
    try:
        told: Any = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return "", ""
    error = told.get("error") if isinstance(told, dict) else None
    if isinstance(error, dict):
        kinds = [each for name in ("type", "code") if isinstance(each := error.get(name), str)]
        message = error.get("message")
        return " ".join(kinds), message if isinstance(message, str) else ""
    return "", error if isinstance(error, str) else ""


def retry_after(headers: httpx.Headers) -> float | None:
    """The seconds that a provider asks to wait, as a number or as a date; none where it names neither."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return min(milliseconds / 1_000, _LONGEST_WAIT)
    text = headers.get("retry-after", "").strip()
    seconds = _number(text)
    if seconds is None and text:
        try:
            at = email.utils.parsedate_to_datetime(text)
        except (TypeError, ValueError, OverflowError):
            return None
        # A date without a zone is one of Greenwich in HTTP.
        at = at if at.tzinfo is not None else at.replace(tzinfo=dt.UTC)
        seconds = max(0.0, (at - dt.datetime.now(dt.UTC)).total_seconds())
    return None if seconds is None else min(seconds, _LONGEST_WAIT)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
