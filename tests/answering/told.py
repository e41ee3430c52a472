"""A conversation over two tables with a planner that has been told what every message means.

What a planner makes of words is its own and is tested there. Here it is given, and everything else is real:
the session, the compiler, the database.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from dragoman import Workspace
from dragoman.contracts import events as ev
from dragoman.contracts.program import Program
from dragoman.contracts.state import SessionState
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import Signal
from dragoman.language.edits import difference
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.contract import LIKELY, Asked, Candidate, Options, Proposal, Refusal
from dragoman.turn import TurnServices, take_turn

SCRIPT: Final = """
CREATE TABLE town (town_id INTEGER PRIMARY KEY, name TEXT, people INTEGER);
INSERT INTO town VALUES (1, 'Ulm', 126000), (2, 'Bonn', 330000), (3, 'Jena', 111000), (4, 'Thun', NULL);
CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, title TEXT, town_id INTEGER);
INSERT INTO shop VALUES (1, 'Bread', 1), (2, 'Books', 1), (3, 'Bikes', 2);
"""

COUNT: Final = "(town.count)"
SHOPS: Final = "(shop.count)"
MOST: Final = '(town.max :of "people")'
NAMES: Final = '(town.list :columns "name")'
ONCE: Final = '(town.list :columns "name" :distinct true)'


Readings = tuple[tuple[str, float], ...]
"""Programs, each with its probability."""


class Told:
    """A planner that knows what it was told, and refuses everything else."""

    name = "tables"

    def __init__(self) -> None:
        self.known: dict[str, Proposal] = {}
        self.asked: list[Asked] = []

    def propose(self, asked: Asked) -> Proposal | None:
        self.asked.append(asked)
        known = self.known.get(asked.text)
        if known is None:
            return Proposal(self.name, (Signal.UNCOVERED,), 0.03, refuses=Refusal("no_reading"), rule="told")
        return known

    def takes(
        self,
        message: str,
        *readings: tuple[str, float],
        follows: bool = False,
        rivals: bool = False,
        certainty: float = LIKELY + 0.01,
    ) -> None:
        self.known[message] = self._proposal(readings, follows, certainty, rivals=rivals)

    def asks(
        self, message: str, *readings: tuple[str, float], follows: bool = False, rivals: bool = False
    ) -> None:
        proposal = self._proposal(readings, follows, LIKELY - 0.01, rivals=rivals)
        self.known[message] = replace(proposal, asks=Options())

    def refuses(self, message: str, word: str, *readings: tuple[str, float]) -> None:
        proposal = self._proposal(readings, False, 0.07)
        refusal = Refusal("uncovered_words", (word,))
        self.known[message] = replace(proposal, signals=(Signal.UNCOVERED,), refuses=refusal)

    def hide(self, message: str, candidates: tuple[Candidate, ...]) -> None:
        """Propose the same with these candidates."""
        self.known[message] = replace(self.known[message], candidates=candidates)

    def _proposal(
        self, readings: Readings, follows: bool, certainty: float, *, rivals: bool = False
    ) -> Proposal:
        signals = (Signal.REQUEST, Signal.SAME_DOMAIN if follows else Signal.OPENS_ROOT)
        candidates = tuple(
            Candidate(program_of(text), difference((), program_of(text)), probability, follows=follows)
            for text, probability in readings
        )
        return Proposal(self.name, signals, certainty, candidates, rule="told so", rivals=rivals)


class Talk:
    """One session over the two tables."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.planner = Told()
        self.session = workspace.new_session()
        services = workspace._open_services()
        planners = tuple(each for each in services.planners if each.name != Told.name)
        # No second reader either: it would judge messages that mean here whatever they were said to mean.
        self.services: TurnServices = replace(services, planners=(*planners, self.planner), objector=None)

    def say(self, message: str) -> TurnResult:
        return take_turn(self.services, self.session, message)

    @property
    def state(self) -> SessionState:
        return self.workspace.state(self.session)

    @property
    def offered(self) -> list[str]:
        """The verbs of the programs that the pending question offers."""
        pending = self.state.frames.clarification
        assert pending is not None
        return [program_of(each.key)[0].verb for each in pending.candidate_scopes]

    def events(self) -> list[ev.SessionEvent]:
        """The events of the last turn."""
        return self.workspace.turn_events(self.session, self.state.version)


def program_of(text: str) -> Program:
    return tuple(replace(each, binds=each.binds or "found") for each in read_verbs(Source(text)).statements)


def towns(folder: Path) -> Workspace:
    database = folder / "towns.sqlite"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.executescript(SCRIPT)
    return Workspace.open_database(database, folder / "folder")
