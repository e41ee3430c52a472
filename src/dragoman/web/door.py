"""What all requests of one worker share: the workspace, its limits, who is known, what runs."""

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from dragoman.contracts.errors import ServerBusy
from dragoman.contracts.limits import ServerSettings
from dragoman.contracts.record import Record
from dragoman.web.failures import session_not_found
from dragoman.workspace import SessionHead, Workspace
from dragoman.workspace.access_tokens import TokenKind

_T = TypeVar("_T")

_KNOWN_SECONDS: Final = 1.0
"""How long a token that was found is not looked up again. A revoked one ends after that."""
_MOST_KNOWN: Final = 10_000
_READERS: Final = 16
_PORTERS: Final = 16


class Identity(Record, frozen=True):
    """Whoever sent a request."""

    owner: str
    token_id: str
    by_cookie: bool = False


class Door:
    def __init__(self, workspace: Workspace, settings: ServerSettings) -> None:
        self.workspace = workspace
        self.settings = settings
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self._begun = 0
        self.streams_open = 0
        self.in_flight = 0
        self.started = time.time()
        self._readers = ThreadPoolExecutor(_READERS, "read")
        self._porters = ThreadPoolExecutor(_PORTERS, "porter")
        self._turns = ThreadPoolExecutor(settings.turns_at_once, "turn")
        self._known: OrderedDict[tuple[str, bool], tuple[float, Identity]] = OrderedDict()

    async def identify(self, token: str, *, by_cookie: bool) -> Identity:
        """Who a token stands for. Raises `Unauthorized`."""
        now = time.monotonic()
        seen = self._known.get((token, by_cookie))
        if seen is not None and now - seen[0] < _KNOWN_SECONDS:
            return seen[1]
        kind = TokenKind.COOKIE if by_cookie else TokenKind.BEARER
        found = await self.look(self.workspace.access.owner_of, token, (kind,))
        identity = Identity(found.owner, found.id, by_cookie)
        self._known[token, by_cookie] = (now, identity)
        while len(self._known) > _MOST_KNOWN:
            self._known.popitem(last=False)
        return identity

    def own(self, identity: Identity, session_id: str) -> SessionHead:
        """The session, if it is theirs. To anybody else there is none of that id."""
        head = self.workspace.session(session_id)
        if head.owner != identity.owner:
            raise session_not_found(session_id)
        return head

    async def read(self, work: Callable[..., _T], *arguments: object) -> _T:
        """Do what waits for a store or a database beside the event loop."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, work, *arguments)

    async def look(self, work: Callable[..., _T], *arguments: object) -> _T:
        """Do what asks the store for a record or two. It has threads of its own: however many reads wait for
        slow databases, people are still let in, and can stop what they have begun."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._porters, work, *arguments)

    async def turn(self, work: Callable[[], _T]) -> _T:
        """Take a turn, in the order in which they come. Raises `ServerBusy` where too many wait."""
        if self.turns_waiting >= self.settings.turns_waiting:
            raise ServerBusy(
                f"{self.turns_waiting} turns wait already, as many as may", hint="try again in a moment"
            )
        self._begun += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._turns, work)
        finally:
            self._begun -= 1

    @property
    def turns_running(self) -> int:
        return min(self._begun, self.settings.turns_at_once)

    @property
    def turns_waiting(self) -> int:
        return self._begun - self.turns_running

    def close(self) -> None:
        """End it. Turns that are still being taken are stopped, as if somebody had asked for that."""
        self._turns.shutdown(wait=False, cancel_futures=True)
        self._readers.shutdown(wait=False, cancel_futures=True)
        self._porters.shutdown(wait=False, cancel_futures=True)
        self.workspace.stop_turns()
        self._turns.shutdown()
        self._readers.shutdown()
        self._porters.shutdown()
