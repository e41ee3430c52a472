"""What every stage of a turn has before it: the message, the session, the chosen proposal, the phrases."""

from collections.abc import Callable, Iterable
from pathlib import Path

from dragoman.answering.draft import Draft
from dragoman.answering.effects import Runners
from dragoman.answering.phrases import Phrases
from dragoman.answering.sentences import Wording
from dragoman.answering.weighed import weighed
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.planning.contract import Asked
from dragoman.planning.examination import Examined
from dragoman.session.routing import Routing


class TurnContext:
    """One turn, read, planned and routed."""

    def __init__(
        self,
        draft: Draft,
        asked: Asked,
        examined: Examined,
        routing: Routing,
        phrases: Phrases,
        *,
        runners: Runners,
        folder: Path | None,
        earlier: Callable[[], Iterable[AnswerObject]],
    ) -> None:
        # Plain attributes: every stage asks for them, and most ask for several.
        self.draft = draft
        self.before = draft.before
        """The state that the turn found."""
        self.index = draft.before.version + 1
        """The number of this turn."""
        self.asked = asked
        self.text = asked.text
        self.reading = asked.reading
        self.continuity = asked.continuity
        self.catalog = asked.catalog
        self.written = asked.written
        """The message itself, where it is a program."""
        self.proposal = examined.proposal
        self.passed_review = examined.passed
        self.routing = routing
        self.phrases = phrases
        self.wording = Wording(phrases, asked.catalog)
        self.runners = runners
        self.folder = folder
        """Where files may be written; None where nothing says so."""
        self.earlier = earlier
        """The answers of the whole session, read from its records when a recap needs them."""


def begin(
    draft: Draft,
    asked: Asked,
    examined: Examined,
    routing: Routing,
    phrases: Phrases,
    *,
    runners: Runners,
    folder: Path | None,
    earlier: Callable[[], Iterable[AnswerObject]],
) -> TurnContext:
    """Note what was read, weighed, examined and routed, for `why`, and go on from there."""
    context = TurnContext(
        draft, asked, examined, routing, phrases, runners=runners, folder=folder, earlier=earlier
    )
    draft.note(
        ev.MessageRead(asked.reading.language, asked.own, asked.reading.uncovered),
        *((weighed(examined.chosen, context.wording),) if examined.chosen.rule else ()),
        *examined.notes,
        ev.TurnRouted(routing.entry_class, routing.carryover, routing.reason),
    )
    return context
