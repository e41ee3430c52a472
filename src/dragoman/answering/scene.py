"""What every stage of a turn has before it: the message, the session, the catalog, the words to answer in."""

import datetime as dt

from dragoman.answering.draft import Draft
from dragoman.answering.phrasing import Phrases
from dragoman.answering.wording import Wording
from dragoman.catalog.pack_catalog import PackCatalog
from dragoman.contracts.answer import AnswerObject
from dragoman.planning.hand_written import HandWritten
from dragoman.planning.table_talk import Proposal
from dragoman.reading.reading import Reading
from dragoman.session.continuity import Continuity
from dragoman.session.routing import Routing


class Scene:
    """One turn, read and routed."""

    def __init__(
        self,
        draft: Draft,
        text: str,
        reading: Reading,
        continuity: Continuity,
        routing: Routing,
        catalog: PackCatalog,
        phrases: Phrases,
        today: dt.date,
        program: HandWritten | None = None,
        proposal: Proposal | None = None,
    ) -> None:
        self.draft = draft
        self.text = text
        self.reading = reading
        self.continuity = continuity
        self.routing = routing
        self.catalog = catalog
        self.phrases = phrases
        self.wording = Wording(phrases, catalog)
        self.today = today
        self.program = program
        """The message itself, where it is a program."""
        self.proposal = proposal
        """What the message asks of the tables, where it is not for a pack."""

    @property
    def index(self) -> int:
        """The number of this turn."""
        return self.draft.before.version + 1

    @property
    def in_context(self) -> tuple[AnswerObject, ...]:
        """The answers that follow-ups may speak of, oldest first."""
        answers = self.draft.before.answers
        return tuple(answer for answer in answers.items if answer.turn_index >= answers.context_from)
