"""Whether a suggested question works: it is read and planned as in a new session, and its program is run."""

import datetime as dt
import math
import time
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from dragoman.answering.suggestions.candidates import Candidate, Kind, candidates
from dragoman.answering.suggestions.wording import question
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import Found, look_up, workspace_limits
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Program
from dragoman.contracts.record import Record
from dragoman.contracts.state import SessionState
from dragoman.databases.connections import kept_open
from dragoman.planning.contract import Asked, Objector, Planner
from dragoman.planning.database.sameness import alike
from dragoman.planning.examination import propose
from dragoman.reading.message import Reader
from dragoman.session.continuity import resolve

MOST_TRIED: Final = 24
"""So many candidates are asked at most: the work is bounded, and the same on every machine."""
SECONDS: Final = 20.0
"""How long all of it may take, on a large database: what was found until then has to do."""
_MOST_ROWS: Final = 100
"""A table longer than that answers nobody's first question."""
_GROUPED: Final = frozenset({Kind.GROUPS, Kind.MONTHS})
_NOTHING: Final = frozenset({None, 0, "0", ""})


class Suggestion(Record, frozen=True, gc=True):
    """A question that works, and the program that answers it."""

    text: str
    program: Program


class Trial:
    """Asks as a person would: the same reader, planners and second reader, with nothing said before."""

    def __init__(
        self,
        reader: Reader,
        planners: Sequence[Planner],
        catalog: Catalog,
        objector: Objector | None,
        today: dt.date,
    ) -> None:
        self._reader = reader
        self._planners = planners
        self._catalog = catalog
        self._objector = objector
        self._today = today
        self._until = math.inf
        self.tried = 0
        """How many candidates were asked."""

    def suggestions(self, most: int) -> tuple[Suggestion, ...]:
        """At most so many questions that work: one of each kind first, then more."""
        spec = self._catalog.default
        tables = self._catalog.tables_of(spec) if spec is not None else None
        if tables is None:
            return ()
        self._until = time.monotonic() + SECONDS
        # One connection for all of them: opening one may mean loading a file.
        with kept_open():
            return self._working(list(candidates(tables.graph)), most)

    def _working(self, left: list[Candidate], most: int) -> tuple[Suggestion, ...]:
        found = list[Suggestion]()
        while left and len(found) < most and self.tried < MOST_TRIED:
            kinds = set[Kind]()
            for each in tuple(left):
                if time.monotonic() >= self._until:
                    return tuple(found)
                if each.kind in kinds:
                    continue
                left.remove(each)
                self.tried += 1
                if (works := self.passed(each)) is not None and works not in found:
                    kinds.add(each.kind)
                    found.append(works)
                if len(found) == most or self.tried == MOST_TRIED:
                    break
        return tuple(found)

    def passed(self, candidate: Candidate) -> Suggestion | None:
        """The question, where it is read as what it was made from and tells something."""
        text = question(candidate)
        program = self._planned(text) if text else ()
        if len(program) != 1 or not alike(program[0], candidate.statement):
            return None
        usual = workspace_limits(self._catalog)
        left = self._until - time.monotonic()
        limits = replace(usual, seconds=max(0.1, min(usual.seconds, left)))
        try:
            found = look_up(self._catalog, program, limits=limits)
        except DragomanError:
            # What fails is not suggested; whoever asks it gets to hear why.
            return None
        return Suggestion(text, program) if _tells(found, candidate.kind) else None

    def _planned(self, text: str) -> Program:
        """The program that would answer at once; empty where something would be asked or refused."""
        state = SessionState()
        continuity = resolve(state)
        read = self._reader.read_message(text, state, continuity)
        asked = Asked(
            read.text,
            read.reading,
            continuity,
            state,
            self._catalog,
            self._today,
            read.signals,
            text,
            read.written,
        )
        proposal = propose(self._planners, asked, self._objector).proposal
        answers = proposal.refuses is None and proposal.asks is None and proposal.sure
        return proposal.candidates[0].program if answers and proposal.candidates else ()


def _tells(found: Found, kind: Kind) -> bool:
    """Whether an answer would be confirmed and say something."""
    sure = found.checked and not (found.truncated or found.skipped or found.inferred)
    several = 1 < len(found.rows) <= _MOST_ROWS or kind not in _GROUPED
    return sure and several and any(row[-1] not in _NOTHING for row in found.rows)
