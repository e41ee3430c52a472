"""What a provider does with a request: well, badly, or not at all."""

import gzip
import json
import threading
import time
from collections.abc import Callable

from tests.model_server.exchange import EVENTS, JSON, Exchange
from tests.model_server.said import Said, failure_of

Behaviour = Callable[[Exchange], None]


def says(text: str, *, counted: bool = True) -> Behaviour:
    """A whole reply. Uncounted, it does not say how many tokens it took."""
    return lambda exchange: exchange.say(Said(text, counted=counted))


def says_whole(text: str) -> Behaviour:
    """A server that cannot stream answers in one piece, whatever was asked for."""
    return lambda exchange: exchange.whole(json.dumps(exchange.body(Said(text))).encode())


def calls(name: str, arguments: str = "{}", text: str = "") -> Behaviour:
    return lambda exchange: exchange.say(Said(text, ((name, arguments),), "tools"))


def empty() -> Behaviour:
    return lambda exchange: exchange.say(Said())


def cuts(text: str) -> Behaviour:
    """The limit of tokens cuts the reply off."""
    return lambda exchange: exchange.say(Said(text, ended="length"))


def filters(text: str = "I can") -> Behaviour:
    return lambda exchange: exchange.say(Said(text, ended="filter"))


def status(
    code: int, *, retry_after: str = "", message: str = "not now", kind: str = "some_error"
) -> Behaviour:
    def behave(exchange: Exchange) -> None:
        body = failure_of(message, kind, anthropic=exchange.asked.anthropic)
        exchange.whole(json.dumps(body).encode(), code, Retry_After=retry_after)

    return behave


def types(content_type: str, body: bytes = b"<html>a login page</html>") -> Behaviour:
    """Something else than a model answers."""
    return lambda exchange: exchange.whole(body, content_type=content_type)


def stalls() -> Behaviour:
    """No answer at all."""
    return lambda exchange: exchange.hold()


def waits(gate: threading.Event, text: str) -> Behaviour:
    """Slow: an answer when the test says so."""

    def behave(exchange: Exchange) -> None:
        exchange.holds()
        gate.wait(60)
        exchange.say(Said(text))

    return behave


def drips(gap: float = 0.02) -> Behaviour:
    """A byte now and then, for ever: no single wait is long."""

    def behave(exchange: Exchange) -> None:
        if exchange.asked.stream:
            exchange.head(content_type=EVENTS, Transfer_Encoding="chunked")
            drop = b": still here\n\n"
        else:
            exchange.head(Content_Length="100000000")
            drop = b" "
        exchange.holds()
        while True:
            exchange.chunk(drop) if exchange.asked.stream else exchange.send(drop)
            time.sleep(gap)

    return behave


def drips_head(gap: float = 0.02) -> Behaviour:
    """Headers now and then, for ever."""

    def behave(exchange: Exchange) -> None:
        exchange.send(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        exchange.holds()
        while True:
            exchange.send(b"x")
            time.sleep(gap)

    return behave


def disconnects() -> Behaviour:
    """The line is closed without a word."""
    return lambda exchange: None


def disconnects_midway(text: str = "half of a reply that is") -> Behaviour:
    def behave(exchange: Exchange) -> None:
        if exchange.asked.stream:
            exchange.head(content_type=EVENTS, Transfer_Encoding="chunked")
            for event in exchange.events(Said(text))[:-3]:
                exchange.chunk(event)
        else:
            body = json.dumps(exchange.body(Said(text))).encode()
            exchange.head(Content_Length=str(len(body)))
            exchange.send(body[: len(body) // 2])

    return behave


def ends_without_end(text: str = "all of a reply") -> Behaviour:
    """A proper end of the answer, but not of the reply: the last event, or the last brackets, are missing."""

    def behave(exchange: Exchange) -> None:
        if exchange.asked.stream:
            exchange.head(content_type=EVENTS, Transfer_Encoding="chunked")
            for event in exchange.events(Said(text))[:-1]:
                exchange.chunk(event)
            exchange.chunk(b"")
        else:
            exchange.whole(json.dumps(exchange.body(Said(text))).encode()[:-2])

    return behave


def lingers(text: str) -> Behaviour:
    """A whole reply, behind which the line stays open."""

    def behave(exchange: Exchange) -> None:
        if exchange.asked.stream:
            exchange.head(content_type=EVENTS, Transfer_Encoding="chunked")
            for event in exchange.events(Said(text)):
                exchange.chunk(event)
        else:
            exchange.say(Said(text))
        exchange.hold()

    return behave


def huge(megabytes: int = 100) -> Behaviour:
    """One reply, larger than anybody should keep."""

    def behave(exchange: Exchange) -> None:
        first = exchange.events(Said("a"))[0] if exchange.asked.stream else b'{"choices": ['
        exchange.head(content_type=EVENTS if exchange.asked.stream else JSON, Transfer_Encoding="chunked")
        exchange.chunk(first)
        for _ in range(megabytes * 16):
            exchange.chunk(b" " * 65_536)
        exchange.chunk(b"")

    return behave


def breaks_json() -> Behaviour:
    """In a stream one event is no JSON; otherwise the whole body."""

    def behave(exchange: Exchange) -> None:
        if exchange.asked.stream:
            events = exchange.events(Said("some text"))
            body = b"".join([*events[:3], b"data: {'single': quotes}\n\n", *events[3:]])
            exchange.whole(body, content_type=EVENTS)
        else:
            exchange.whole(b"{'single': quotes}")

    return behave


def breaks_events() -> Behaviour:
    """What is called a stream has no events in it."""
    return lambda exchange: exchange.whole(b"\xff\xfe no field: here\n\n\n\n", content_type=EVENTS)


def fails_midway(message: str = "we are overloaded", kind: str = "overloaded_error") -> Behaviour:
    """An error after the head said that all is well."""

    def behave(exchange: Exchange) -> None:
        body = json.dumps(failure_of(message, kind, anthropic=exchange.asked.anthropic))
        if exchange.asked.stream:
            events = exchange.events(Said("some text"))[:4]
            exchange.whole(b"".join([*events, f"data: {body}\n\n".encode()]), content_type=EVENTS)
        else:
            exchange.whole(body.encode())

    return behave


def packs() -> Behaviour:
    """A packed answer, which nobody asked for and which may unpack to any size."""
    return lambda exchange: exchange.whole(gzip.compress(b" " * 1_000_000), Content_Encoding="gzip")


def speaks_no_http() -> Behaviour:
    return lambda exchange: exchange.send(b"220 mail.example.org ESMTP\r\n\r\n")
