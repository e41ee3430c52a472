"""Turns told while they are taken: numbered events, and the rest of them for whoever lost the connection.

A turn belongs to nobody's connection: it goes on when its reader leaves, and is recorded. Who comes back with
the same key and the number of the last event gets what follows it: from the stream itself where it is still
here, otherwise from the record, whichever server took the turn.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Final

from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.errors import (
    DragomanError,
    IdempotencyKeyReused,
    InternalError,
    ResumeImpossible,
    ServerBusy,
    SessionConflict,
)
from dragoman.contracts.record import Record
from dragoman.contracts.turn_result import TurnResult
from dragoman.web.chat_response import Failure
from dragoman.web.door import Door, Identity
from dragoman.web.failures import shape_of
from dragoman.web.stage_view import (
    END,
    Dropped,
    TextTold,
    message,
    missing,
    run_told,
    stage_id,
    stage_message,
)
from dragoman.web.turns import Asked, Wish, response_to, take
from dragoman.workspace.turn_progress import ModelText, Progress, RunEvent
from dragoman.workspace.turn_stages import StageTeller

KEPT_SECONDS: Final = 60.0
"""How long a stream that ended can be gone on with from memory."""

_ID: Final = re.compile(r"(\d{1,9})-(?:(\d{1,6})-([0-9a-f]{8})|end)")


class Heard(Record, frozen=True):
    """The last event that somebody heard."""

    turn: int
    number: int
    digest: str


def heard(last_event: str) -> Heard:
    """What `Last-Event-ID` says. Raises `ResumeImpossible`."""
    found = _ID.fullmatch(last_event)
    if found is None:
        raise ResumeImpossible(
            f"{last_event[:80]!r} is not the id of an event of this server", hint="send it as it was received"
        )
    number, digest = found[2], found[3]
    return Heard(int(found[1]), int(number) if number else 0, digest or "")


class Stream:
    """The messages of one turn, for as many readers as there are."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self._loop = asyncio.get_running_loop()
        self._told = asyncio.Event()
        self.messages: list[bytes] = []
        self.ended = False
        self.error: DragomanError | None = None
        """Why nothing was told at all: the request is answered with it as any other."""

    def tell(self, text: bytes) -> None:
        """From any thread."""
        self._loop.call_soon_threadsafe(self._add, text)

    def fail(self, error: DragomanError) -> None:
        self.error = error
        if self.messages:
            self._add(message("error", Failure(**shape_of(error))))

    def end(self) -> None:
        self.ended = True
        self._wake()

    async def begun(self) -> None:
        """Until there is something to read, or there never will be."""
        while not self.messages and not self.ended:
            await self._told.wait()

    async def read(self, place: int, alive_seconds: float) -> AsyncIterator[bytes]:
        """The messages from a place on, and a sign of life where nothing comes for a while."""
        while True:
            while place < len(self.messages):
                yield self.messages[place]
                place += 1
            if self.ended:
                return
            try:
                async with asyncio.timeout(alive_seconds):
                    await self._told.wait()
            except TimeoutError:
                yield b": alive\n\n"

    def place_after(self, last_event: str) -> int:
        """Where to go on after an event. Raises `ResumeImpossible`."""
        mark = f"id: {last_event}\n".encode()
        for place, text in enumerate(self.messages):
            if text.startswith(mark):
                return place + 1
        raise ResumeImpossible(
            "no such event was told", hint="leave out Last-Event-ID to hear the whole turn"
        )

    def _add(self, text: bytes) -> None:
        self.messages.append(text)
        self._wake()

    def _wake(self) -> None:
        self._told.set()
        self._told = asyncio.Event()


class Streams:
    """The streams of one worker."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._by_key: dict[tuple[str, str], Stream] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(
        self, identity: Identity, session_id: str, asked: Asked, wish: Wish
    ) -> AsyncIterator[bytes]:
        """The events of a turn; one that another request has begun is gone on with. Raises what the turn
        raises, as long as nothing is told."""
        door = self._door
        await door.read(door.own, identity, session_id)
        last = wish.last_event
        if last is not None and wish.key is None:
            raise ResumeImpossible(
                "without its Idempotency-Key nobody knows which turn is meant",
                hint="send the key that the turn was begun with",
            )
        after = heard(last) if last is not None else None
        stream = self._by_key.get((session_id, wish.key)) if wish.key is not None else None
        place = 0
        if stream is not None and stream.asked != asked:
            raise IdempotencyKeyReused(
                f"the key {wish.key!r} was used for another message of this session",
                hint="send every new message with a key of its own",
            )
        if stream is not None:
            place = stream.place_after(last) if last is not None else 0
        else:
            stream = self._begin(session_id, asked, wish, after)
        await stream.begun()
        if stream.error is not None and not stream.messages:
            raise stream.error
        return self._counted(stream, place)

    async def _counted(self, stream: Stream, place: int) -> AsyncIterator[bytes]:
        door = self._door
        door.streams_open += 1
        try:
            async for text in stream.read(place, door.settings.keep_alive_seconds):
                yield text
        finally:
            door.streams_open -= 1

    def _begin(self, session_id: str, asked: Asked, wish: Wish, after: Heard | None) -> Stream:
        if self._door.streams_open >= self._door.settings.streams:
            raise ServerBusy("as many streams are open as may be", hint="try again in a moment")
        stream = Stream(asked)
        if wish.key is not None:
            self._by_key[session_id, wish.key] = stream
        task = asyncio.create_task(self._take(stream, session_id, asked, wish, after))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return stream

    async def _take(
        self, stream: Stream, session_id: str, asked: Asked, wish: Wish, after: Heard | None
    ) -> None:
        telling = Telling(self._door, stream, session_id, asked, wish, after)
        whole = False
        try:
            await self._door.turn(telling.take)
            whole = True
        except DragomanError as error:
            # What the turn raised once something was told is told itself; the rest is an answer like any.
            stream.error = error
        finally:
            if not whole and stream.error is None:
                # What nobody expected goes on to the log; whoever reads has to hear that it is over.
                stream.fail(InternalError("a defect of Dragoman", hint="the log of the server says where"))
            stream.end()
            if wish.key is not None:
                key = (session_id, wish.key)
                asyncio.get_running_loop().call_later(
                    KEPT_SECONDS if stream.error is None else 0, self._by_key.pop, key, None
                )


class Telling:
    """One turn in its thread, telling its stages."""

    def __init__(
        self, door: Door, stream: Stream, session_id: str, asked: Asked, wish: Wish, after: Heard | None
    ) -> None:
        self._door = door
        self._stream = stream
        self._session_id = session_id
        self._asked = asked
        self._wish = wish
        self._after = after
        self._teller: StageTeller | None = None

    def take(self) -> None:
        try:
            result = self._taken(self._wish)
        except DragomanError as error:
            if self._teller is None:
                raise
            self._drop([stage.number for stage in self._teller.told], error.code)
            self._stream.tell(message("error", Failure(**shape_of(error))))
            return
        self._conclude(result)

    def _taken(self, wish: Wish) -> TurnResult:
        try:
            return take(self._door, self._session_id, self._asked, wish, (self._hear,))
        except SessionConflict:
            # The turn that was heard of was interrupted, and its end on record is why the session is further
            # than the sender expects. Nobody else has changed anything.
            if self._after is None or wish.expected != self._after.turn - 1 or not self._was_abandoned():
                raise
            return take(
                self._door,
                self._session_id,
                self._asked,
                replace(wish, expected=self._after.turn),
                (self._hear,),
            )

    def _was_abandoned(self) -> bool:
        workspace, turn = self._door.workspace, self._after.turn if self._after is not None else 0
        if workspace.session(self._session_id).version != turn:
            return False
        return isinstance(workspace.turn_events(self._session_id, turn)[-1], ev.TurnAbandoned)

    def _hear(self, progress: Progress) -> None:
        if isinstance(progress.event, ModelText):
            self._stream.tell(message("text", _text_told(progress.event)))
            return
        if isinstance(progress.event, RunEvent):
            # It stands in the record of the run, not in that of the turn: nobody needs to hear it again.
            told = run_told(progress.event)
            if told is not None:
                self._stream.tell(message("run", told))
            return
        if self._teller is None:
            if self._after is not None:
                # It is taken again: what was heard of it the first time is not so.
                numbers = list(range(1, self._after.number + 1))
                self._tell_dropped(self._after.turn, numbers, "interrupted")
            self._teller = self._door.workspace.teller(self._session_id, progress.turn)
        self._stream.tell(stage_message(self._teller.hear(progress.event)))

    def _conclude(self, result: TurnResult) -> None:
        recorded = self._door.workspace.stages(self._session_id, result.turn)
        if self._teller is not None:
            self._drop(missing(self._teller.told, recorded), "taken_back")
        else:
            # The turn was taken before: it is told from its record, from where the reader left.
            ids = [stage_id(stage) for stage in recorded]
            last = self._wish.last_event
            place = ids.index(last) + 1 if last in ids else 0
            after = self._after
            if after is not None and after.turn == result.turn and not after.number:
                # They have heard the end already.
                return
            if after is not None and not place:
                self._tell_dropped(after.turn, list(range(1, after.number + 1)), "taken_back")
            for stage in recorded[place:]:
                self._stream.tell(stage_message(stage))
        response = response_to(self._door, self._session_id, result)
        self._stream.tell(message("response", response, f"{result.turn}-{END}"))

    def _drop(self, numbers: list[int], reason: str) -> None:
        if numbers and self._teller is not None:
            self._tell_dropped(self._teller.told[0].turn, numbers, reason)

    def _tell_dropped(self, turn: int, numbers: list[int], reason: str) -> None:
        if numbers:
            self._stream.tell(message("dropped", Dropped(turn=turn, numbers=numbers, reason=reason)))


def _text_told(text: ModelText) -> TextTold:
    return TextTold(attempt=text.attempt, text=text.text)
