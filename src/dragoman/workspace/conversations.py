"""What a server of many people needs of sessions: actions, forks, pages of results, stages, stopping."""

import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dragoman._version import __version__
from dragoman.contracts import events as ev
from dragoman.contracts.actions import Action, EscapeAction, said
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.errors import DragomanError, EntityIndexMissing, SessionConflict
from dragoman.contracts.limits import ServerSettings
from dragoman.contracts.program import EntityMatch
from dragoman.contracts.state import SessionState
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.viewer import Viewer
from dragoman.guards.labels import accept_key, accept_label
from dragoman.session.codec import decode_events
from dragoman.session.forks import fork
from dragoman.session.journal import Journal
from dragoman.session.log import Listener, Progress
from dragoman.session.results import result_of
from dragoman.session.stores.holder import is_gone
from dragoman.workspace.parts import Parts
from dragoman.workspace.turn_wishes import TurnWishes

if TYPE_CHECKING:
    from dragoman.contracts.verb import VerbSignature
    from dragoman.turn import TurnServices
    from dragoman.workspace.access_tokens import AccessTokens
    from dragoman.workspace.catalog_view import CatalogView
    from dragoman.workspace.result_pages import RowsPage
    from dragoman.workspace.turn_stages import StageTeller, TurnStage

_STOPPING_SECONDS: Final = 20.0
_LOOK_SECONDS: Final = 0.05


class Conversations(Parts):
    """The sessions of a folder, as a server of many people uses them."""

    def __init__(self, folder: Path, home: Path | None = None) -> None:
        super().__init__(folder, home)
        self._wishes = TurnWishes(lambda ids: self._journal.store.desk.wished(ids))

    @property
    @abstractmethod
    def _journal(self) -> Journal: ...

    @abstractmethod
    def _held(self, session_id: str) -> Journal: ...

    @abstractmethod
    def _open_services(self) -> "TurnServices": ...

    @property
    def access(self) -> "AccessTokens":
        """Who may use a server over this workspace."""
        from dragoman.workspace.access_tokens import AccessTokens

        return AccessTokens(self._journal.store.desk)

    @property
    def server_settings(self) -> ServerSettings:
        """How much a server over this workspace lets anybody ask of it."""
        from dragoman.catalog.settings import read_settings

        return read_settings(self.folder).server

    def warm(self) -> None:
        """Read what turns need, so that the first person need not wait for it."""
        self._open_services()

    def act(
        self,
        session_id: str,
        action: Action,
        *,
        client_key: str | None = None,
        expected_version: int | None = None,
        wait_seconds: float = 10.0,
        listeners: Sequence[Listener] = (),
        on_result: Callable[[ResultRows], None] | None = None,
        cancel: Cancellation | None = None,
    ) -> TurnResult:
        """Take the turn of an action. Raises `ActionRefused` where the session does not accept it; then there
        is no turn."""
        from dragoman.turn import take_turn
        from dragoman.workspace.accepted_actions import accept_action

        if client_key is not None:
            accept_key(client_key)
        journal, services = self._held(session_id), self._open_services()
        try:
            accept_action(action, journal.state(session_id), services.catalog)
        except DragomanError:
            repeated = self._repeated(journal, session_id, client_key, said(action))
            if repeated is None:
                raise
            return repeated
        return take_turn(
            services,
            session_id,
            said(action),
            client_key=client_key,
            expected_version=expected_version,
            wait_seconds=wait_seconds,
            listeners=listeners,
            on_result=on_result,
            cancel=cancel,
            action=action,
        )

    def _repeated(
        self, journal: Journal, session_id: str, client_key: str | None, message: str
    ) -> TurnResult | None:
        """What the same action gave, where this client has sent it before: the session has moved on since."""
        record = journal.store.desk.turn_of(session_id, client_key) if client_key is not None else None
        events = decode_events(record.events) if record is not None else []
        if record is None or not isinstance(events[0], ev.TurnOpened) or events[0].message != message:
            return None
        return result_of(session_id, events, journal.state_at(session_id, record.version), repeated=True)

    def fork_session(self, session_id: str, turn: int, *, owner: str = "", title: str = "") -> str:
        """A new session that goes on from the state after a turn of another; its id."""
        journal = self._held(session_id)
        opened = ev.SessionOpened(
            at=journal.sources.now().isoformat(timespec="milliseconds"),
            owner=accept_label(owner, "owner"),
            title=accept_label(title, "title") or journal.store.head(session_id).title,
            software=__version__,
            viewer=self._viewer_of(session_id),
        )
        new_id = journal.sources.new_id()
        fork(journal.store, session_id, turn, new_id, opened)
        return new_id

    def opening(self, session_id: str) -> ev.SessionEvent | None:
        """The event that opened a session: whose it is, and where it comes from."""
        return next(iter(self._held(session_id).events(session_id, 0) or ()), None)

    def _viewer_of(self, session_id: str) -> Viewer | None:
        """Whom a session was opened for: a fork of it shows the same to the same."""
        opened = self.opening(session_id)
        return opened.viewer if isinstance(opened, ev.SessionOpened) else None

    def state_after(self, session_id: str, turn: int) -> SessionState:
        """The session as it was after one of its turns."""
        return self._held(session_id).state_at(session_id, turn)

    def available_actions(self, state: SessionState) -> tuple[EscapeAction, ...]:
        """The escape actions that a state accepts."""
        from dragoman.workspace.accepted_actions import available_actions

        return available_actions(state, self._open_services().catalog)

    def can_run(self, state: SessionState) -> bool:
        """Whether the program in hand may be run now."""
        from dragoman.workspace.accepted_actions import can_run

        return can_run(state)

    def question_message(self, state: SessionState, session_id: str) -> str:
        """The message that a pending question goes back to; empty where none waits."""
        if state.frames.clarification is None:
            return ""
        if state.program.open_reference is not None and state.program.resolution is not None:
            return state.program.resolution.message
        journal = self._held(session_id)
        for number in range(state.version, 0, -1):
            events = journal.events(session_id, number) or []
            if any(isinstance(event, ev.ClarificationAsked) for event in events):
                return next((e.message for e in events if isinstance(e, ev.TurnOpened)), "")
        return ""

    def catalog_view(self) -> "CatalogView":
        """What the workspace has, as its viewer may see it."""
        from dragoman.workspace.catalog_view import catalog_view

        return catalog_view(self._open_services().catalog)

    def signature(self, verb: str) -> "VerbSignature | None":
        """What a verb takes and gives; None where there is none of that name."""
        return self._open_services().catalog.signature(verb)

    def entity_matches(self, kind: str, text: str, filters: Mapping[str, str]) -> tuple[EntityMatch, ...]:
        """The entities of a type that a text may mean, as a conversation would find them."""
        from dragoman.entities import entity_matches

        catalog = self._open_services().catalog
        if kind not in catalog.packs.entities:
            raise EntityIndexMissing(
                f"there is no type of entity {kind[:60]!r}", hint="GET /api/catalog lists them"
            )
        return entity_matches(catalog.search(kind, text, filters))

    def rows(
        self,
        session_id: str,
        result_set: str,
        *,
        offset: int = 0,
        limit: int = 100,
        cancel: Cancellation | None = None,
    ) -> "RowsPage":
        """A page of the rows of a result that an answer of the session has. Raises `ResultNotFound`."""
        from dragoman.workspace.result_pages import answer_of, page_of

        answer = answer_of(result_set, self._answers(session_id))
        return page_of(answer, self._open_services().catalog, offset, limit, cancel)

    def whole_result(
        self, session_id: str, result_set: str, *, cancel: Cancellation | None = None
    ) -> ResultRows:
        """Every row of a result, for an export. Raises `ResultNotFound`."""
        from dragoman.workspace.result_pages import all_rows, answer_of

        answer = answer_of(result_set, self._answers(session_id))
        return all_rows(answer, self._open_services().catalog, cancel)

    def _answers(self, session_id: str) -> Iterator[AnswerObject]:
        """The answers at hand from the newest on, and then those of the records."""
        journal = self._held(session_id)
        yield from reversed(journal.state(session_id).answers.items)
        for events, _ in journal.history(session_id):
            yield from (event.answer for event in events if isinstance(event, ev.AnswerGiven))

    def teller(self, session_id: str, turn: int) -> "StageTeller":
        """Numbers the events of a turn while it is taken."""
        from dragoman.workspace.turn_stages import StageTeller

        return StageTeller(self.state_after(session_id, turn - 1))

    def stages(self, session_id: str, turn: int) -> "tuple[TurnStage, ...]":
        """The stages of a turn, from its record. None where there is no such turn yet."""
        from dragoman.workspace.turn_stages import stages_of

        journal = self._held(session_id)
        events = journal.events(session_id, turn) if turn > 0 else None
        return stages_of(journal.state_at(session_id, turn - 1), events) if events else ()

    def stop_turn(self, session_id: str) -> bool:
        """Stop the turn that the session is taking, whichever server takes it, and wait for its end. Whether
        there was one. What it has changed outside by then is on record."""
        journal = self._held(session_id)
        slot = journal.store.head(session_id).slot
        if slot is None or is_gone(slot.holder):
            # Nobody takes it any more: whoever opens the next one settles it.
            return False
        desk = journal.store.desk
        if not self._wishes.stop(slot.turn_id):
            desk.wish(slot.turn_id)
        deadline = time.monotonic() + _STOPPING_SECONDS
        try:
            while (held := journal.store.head(session_id).slot) is not None and held.turn_id == slot.turn_id:
                if time.monotonic() > deadline:
                    raise SessionConflict(
                        f"the turn of session {session_id} has not stopped yet",
                        hint="it stops as soon as its database lets go; ask again",
                        session_id=session_id,
                    )
                time.sleep(_LOOK_SECONDS)
        finally:
            desk.wished((slot.turn_id,))
        return True

    def stop_turns(self) -> None:
        """Stop all turns that are taken here: the server ends."""
        self._wishes.stop_all()

    def stoppable(self, cancel: Cancellation) -> "StopWatch":
        """A listener that lets others stop the turn it hears of, as long as it is entered."""
        return StopWatch(self._wishes, cancel)


class StopWatch:
    """Tells the wishes of a workspace which turn a cancellation is for."""

    def __init__(self, wishes: TurnWishes, cancel: Cancellation) -> None:
        self._watching = wishes.watching(cancel)
        self._begun: Callable[[str], None] | None = None

    def __enter__(self) -> Listener:
        self._begun = self._watching.__enter__()
        return self._heard

    def __exit__(self, *_: object) -> None:
        self._watching.__exit__(None, None, None)

    def _heard(self, progress: Progress) -> None:
        if isinstance(progress.event, ev.TurnOpened) and self._begun is not None:
            self._begun(progress.event.turn_id)
