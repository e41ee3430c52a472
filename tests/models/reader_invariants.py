"""What holds of the readers of replies, whatever they are given."""

from dragoman.contracts.errors import ModelError
from dragoman.contracts.model import EndReason
from dragoman.contracts.model_settings import ProviderKind
from dragoman.models.provider import WIRES
from dragoman.models.sse import EventReader
from dragoman.models.wire import WireReply
from tests.models.ground import REQUEST


def read_stream(kind: ProviderKind, data: bytes) -> WireReply:
    """As a provider does it. Raises `ModelError`."""
    stream, said = WIRES[kind].stream(REQUEST), ""
    for event in EventReader().feed(data):
        said += stream.take(event)
        if stream.whole:
            break
    reply = stream.reply()
    assert stream.whole, "a stream that did not end gives no reply"
    assert said == reply.text, "what was told is what the reply says"
    return reply


def check_stream(kind: ProviderKind, data: bytes) -> None:
    try:
        check(read_stream(kind, data))
    except ModelError:
        return


def check_reply(kind: ProviderKind, data: bytes) -> None:
    try:
        check(WIRES[kind].reply(data, REQUEST))
    except ModelError:
        return


def check(reply: WireReply) -> None:
    assert reply.text.strip() or reply.tool_calls, "an empty reply is an error"
    assert (reply.ended is EndReason.TOOL_CALLS) == bool(reply.tool_calls)
    assert all(call.name and call.id for call in reply.tool_calls)
    if reply.usage is not None:
        assert reply.usage.input >= 0
        assert reply.usage.output >= 0
