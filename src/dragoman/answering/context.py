"""What every stage of a turn has before it: the message, the session, the chosen proposal, the phrases."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from dragoman.answering.draft import Draft
from dragoman.answering.effects import Runners
from dragoman.answering.phrases import Phrases
from dragoman.answering.roles.turn_stages import TurnStages
from dragoman.answering.sentences import Wording
from dragoman.answering.weighed import weighed
from dragoman.contracts import events as ev
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.vocabulary import TransitionClass
from dragoman.planning.contract import Asked
from dragoman.planning.examination import Examined
from dragoman.session.routing import Routing

_GOING_ON: Final = frozenset({TransitionClass.T7, TransitionClass.X_SEARCH, TransitionClass.X_SKIP})
"""The classes that go on with the request behind a pending question."""


class TurnContext:
    """One turn, read, planned and routed."""

    def __init__(
        self,
        draft: Draft,
        asked: Asked,
        examined: Examined,
        routing: Routing,
        phrases: Phrases,
        stages: TurnStages,
        *,
        runners: Runners,
        folder: Path | None,
        earlier: Callable[[], Iterable[AnswerObject]],
        cancel: Cancellation | None,
        suggested: Callable[[], tuple[str, ...]],
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
        self.stages = stages
        """What the roles have handed over so far."""
        planned = stages.make_plan(asked, examined.proposal, routing)
        self.plan = planned.plan
        """What is asked and what it needs: the ticket to Retrieve."""
        self.planned = planned
        self.runners = runners
        self.folder = folder
        """Where files may be written; None where nothing says so."""
        self.earlier = earlier
        """The answers of the whole session, read from its records when a recap needs them."""
        self.cancel = cancel
        """The wish to stop, which a signal or another thread may have."""
        self.suggested = suggested
        """Questions that work on the database, found when somebody asks for help."""

    @property
    def entered_as(self) -> TransitionClass:
        """How the request that waits was entered. What leaves a part of it open goes on with it."""
        pending, entry = self.continuity.clarification, self.routing.entry_class
        return pending.resume_target_frame.entry_class if pending and entry in _GOING_ON else entry


def begin(
    draft: Draft,
    asked: Asked,
    examined: Examined,
    routing: Routing,
    phrases: Phrases,
    stages: Callable[[], TurnStages],
    *,
    runners: Runners,
    folder: Path | None,
    earlier: Callable[[], Iterable[AnswerObject]],
    cancel: Cancellation | None,
    suggested: Callable[[], tuple[str, ...]] = tuple,
) -> TurnContext:
    """Note what was read, weighed, examined and routed, for `why`, and go on from there."""
    reporting = runners.reporting(lambda failed: draft.note(ev.OutputValidationFailed(failed)))
    context = TurnContext(
        draft,
        asked,
        examined,
        routing,
        phrases,
        stages(),
        runners=reporting,
        folder=folder,
        earlier=earlier,
        cancel=cancel,
        suggested=suggested,
    )
    draft.note(
        ev.MessageRead(asked.reading.language, asked.own, asked.reading.uncovered),
        *((weighed(examined.chosen, context.wording),) if examined.chosen.rule else ()),
        *examined.notes,
        ev.TurnRouted(routing.entry_class, routing.carryover, routing.reason),
        context.planned,
    )
    return context
