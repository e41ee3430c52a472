"""Server-sent events, read from bytes however these are cut.

>>> reader = EventReader()
>>> reader.feed(b"event: greet\\nda")
[]
>>> reader.feed(b"ta: hello\\n\\n")
[ServerEvent(data='hello', event='greet')]
"""

from dragoman.contracts.errors import ModelReplyMalformed
from dragoman.contracts.record import Record

_MARK = b"\xef\xbb\xbf"


class ServerEvent(Record, frozen=True):
    data: str
    event: str = ""


class EventReader:
    """Takes time in proportion to what it is fed. Whoever feeds it bounds how much that is."""

    def __init__(self) -> None:
        self._started = False
        self._head = b""
        self._after_return = False
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._event = b""

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """The events that are whole now. Raises `ModelReplyMalformed` where one is no UTF-8."""
        chunk = self._without_mark(chunk)
        # A line ends with \r, \n or both, and both may come in two chunks.
        if self._after_return and chunk:
            self._after_return = False
            chunk = chunk.removeprefix(b"\n")
        if not chunk:
            return []
        self._after_return = chunk.endswith(b"\r")
        found: list[ServerEvent] = []
        # Of bytes, unlike of texts, only \r and \n end a line.
        for piece in chunk.splitlines(keepends=True):
            line = piece.rstrip(b"\r\n")
            self._line.append(line)
            if len(line) < len(piece):
                whole = b"".join(self._line)
                self._line.clear()
                event = self._take(whole)
                if event is not None:
                    found.append(event)
        return found

    def _without_mark(self, chunk: bytes) -> bytes:
        """A byte order mark may stand at the start; it may come in pieces too."""
        if self._started:
            return chunk
        head = self._head + chunk
        if len(head) < len(_MARK) and _MARK.startswith(head):
            self._head = head
            return b""
        self._started = True
        return head.removeprefix(_MARK)

    def _take(self, line: bytes) -> ServerEvent | None:
        if not line:
            return self._dispatch()
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        # A line that begins with a colon is a comment; other fields are for browsers.
        if name == b"data":
            self._data.append(value)
        elif name == b"event":
            self._event = value
        return None

    def _dispatch(self) -> ServerEvent | None:
        data, event = self._data, self._event
        self._data, self._event = [], b""
        if not data:
            return None
        try:
            return ServerEvent(b"\n".join(data).decode("utf-8"), event.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise ModelReplyMalformed("an event of the stream is no UTF-8") from error
