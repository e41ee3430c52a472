"""What every stage of a turn has before it: the message, the session, the chosen proposal, the phrases."""

import datetime as dt
from collections.abc import Callable, Iterable
from pathlib import Path

from dragoman.answering.draft import Draft
from dragoman.answering.effects import Runners
from dragoman.answering.phrasing import Phrases
from dragoman.answering.wording import Wording
from dragoman.catalog.catalog import Catalog
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.state import SessionState
from dragoman.planning.contract import Asked, Proposal
from dragoman.reading.hand_written import HandWritten
from dragoman.reading.reading import Reading
from dragoman.session.continuity import Continuity
from dragoman.session.routing import Routing


class TurnContext:
    """One turn, read, planned and routed."""

    def __init__(
        self,
        draft: Draft,
        asked: Asked,
        proposal: Proposal,
        routing: Routing,
        phrases: Phrases,
        *,
        runners: Runners,
        folder: Path | None,
        earlier: Callable[[], Iterable[AnswerObject]],
    ) -> None:
        self.draft = draft
        self.asked = asked
        self.proposal = proposal
        self.routing = routing
        self.phrases = phrases
        self.wording = Wording(phrases, asked.catalog)
        self.runners = runners
        self.folder = folder
        """Where files may be written; None where nothing says so."""
        self.earlier = earlier
        """The answers of the whole session, read from its records when a recap needs them."""

    @property
    def text(self) -> str:
        return self.asked.text

    @property
    def reading(self) -> Reading:
        """The message as the winning planner reads it where it is said."""
        return self.proposal.reading or self.asked.reading

    @property
    def continuity(self) -> Continuity:
        return self.asked.continuity

    @property
    def catalog(self) -> Catalog:
        return self.asked.catalog

    @property
    def today(self) -> dt.date:
        return self.asked.today

    @property
    def written(self) -> HandWritten | None:
        """The message itself, where it is a program."""
        return self.asked.written

    @property
    def before(self) -> SessionState:
        """The state that the turn found."""
        return self.draft.before

    @property
    def index(self) -> int:
        """The number of this turn."""
        return self.before.version + 1
