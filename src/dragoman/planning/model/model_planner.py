"""The planner that asks a language model. It is asked last, and hears what the embedded planners propose.

It proposes like any planner: programs, which the second reader and every guard judge as anybody's. It is
never certain, and a failing model leaves the turn as it would be without one.
"""

from collections.abc import Callable, Sequence

from dragoman.contracts.errors import DragomanError
from dragoman.contracts.report import Recovery
from dragoman.contracts.vocabulary import ModelOutcome
from dragoman.planning.contract import Asked, PlannerName, Proposal
from dragoman.planning.database_planner import DatabasePlanner
from dragoman.planning.model.access import ModelAccess
from dragoman.planning.model.agreement import agreed
from dragoman.planning.model.catalog_slice import CatalogSlice, SlicedDatabase, slice_of
from dragoman.planning.model.occasion import is_asked
from dragoman.planning.model.prompt import Prompt, prompt, readings_of
from dragoman.planning.model.relevance import relevance
from dragoman.planning.model.settings import PlannerSettings
from dragoman.planning.model.synthesis import Synthesis, Synthesizer

Databases = Callable[[Asked], Sequence[tuple[str, DatabasePlanner]]]
"""The databases that a message may be about, each with what programs call it where there are several."""

_IN_VAIN = frozenset({ModelOutcome.FAILED, ModelOutcome.REFUSED, ModelOutcome.EMPTY})


class ModelPlanner:
    """Asks a model where the settings want it."""

    name = PlannerName.MODEL

    def __init__(
        self,
        access: ModelAccess,
        databases: Databases = lambda asked: (),
        settings: PlannerSettings | None = None,
    ) -> None:
        self._access = access
        self._databases = databases
        self._settings = settings or PlannerSettings()

    def propose(self, asked: Asked) -> Proposal | None:
        stands = asked.stands
        if stands is None or not is_asked(asked, stands, self._settings):
            return None
        question = self._prompt(asked, stands)
        seconds = self._settings.turn_seconds
        said = Synthesizer(self._access, asked, question, seconds).run()
        if said.outcome in _IN_VAIN:
            self._stands_alone(asked, stands, said)
            return None
        proposal = agreed(asked, stands, said)
        if proposal is None and len(said.story) > 1:
            self._tell(asked, said)
        return proposal

    def _prompt(self, asked: Asked, stands: Proposal) -> Prompt:
        programs = [asked.continuity.in_hand, *(each.program for each in readings_of(stands))]
        sliced: list[SlicedDatabase] = []
        for connection, database in self._databases(asked):
            try:
                sliced.append(SlicedDatabase(connection, relevance(database, asked, programs)))
            except DragomanError:
                # One that cannot be read is nothing to write programs over.
                continue
        choose = self._settings.choose
        told = CatalogSlice() if choose else slice_of(sliced, asked, self._settings.catalog_tokens)
        values = [value for each in sliced for value in each.relevance.values]
        return prompt(asked, stands, told, values, choose=choose)

    def _stands_alone(self, asked: Asked, stands: Proposal, said: Synthesis) -> None:
        """Nothing came of it: the embedded planners have the last word, if they have one. Who stopped it
        needs neither."""
        if asked.cancel is not None and asked.cancel.cancelled:
            return
        stays = stands.refuses is None and bool(stands.candidates)
        self._access.recovered(Recovery.REASSIGNMENT if stays else Recovery.FAILURE)
        self._tell(asked, said)

    @staticmethod
    def _tell(asked: Asked, said: Synthesis) -> None:
        """Log what was written in vain."""
        for event in said.story if len(said.story) > 1 else ():
            asked.tell(event)
