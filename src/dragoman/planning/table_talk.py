"""What a message asks of the tables of a database: the readings there are, and which of them is meant."""

import re
from collections.abc import Callable
from enum import StrEnum
from functools import cached_property
from threading import Lock

from msgspec.structs import replace

from dragoman.catalog.pack_catalog import PackCatalog
from dragoman.catalog.workspace_catalog import WorkspaceCatalog
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.contracts.state import READING, CandidateScope
from dragoman.contracts.vocabulary import Signal
from dragoman.language.verbs.printer import print_program
from dragoman.planning.tables.planner import TablePlanner, TableReading
from dragoman.planning.tables.weighing import weights
from dragoman.reading.cues import opinions_in
from dragoman.reading.reading import Reading
from dragoman.session.continuity import Continuity

MAX_OPTIONS = 5

PLAUSIBLE = 0.15
"""From this probability on, the best reading is worth offering."""

_NEAR = 0.4
"""So much of the best one's probability others have that are offered beside it."""

_EMPTY = "the database has no tables"


class Decision(StrEnum):
    """What becomes of the readings: the best is taken, some are offered, the best is taken although it is not
    sure, or none will do."""

    TAKE = "take"
    ASK = "ask"
    GUESS = "guess"
    REFUSE = "refuse"


class Proposal(Record, frozen=True):
    """The readings of a message, best first, what becomes of them, and the rule that decided."""

    decision: Decision
    readings: tuple[TableReading, ...]
    rule: str
    failure: str = ""
    """The code of what kept the database from being read at all."""
    problem: str = ""

    @property
    def best(self) -> TableReading | None:
        return self.readings[0] if self.readings else None

    @property
    def uncovered(self) -> tuple[str, ...]:
        """The words that not even the best reading accounts for."""
        return self.readings[0].uncovered if self.readings else ()


class TableTalk:
    """Proposes programs over the tables of one database. The planner is made when it is first needed."""

    def __init__(
        self,
        workspace: WorkspaceCatalog,
        planner: Callable[[], TablePlanner],
        *,
        answer_always: bool = False,
    ) -> None:
        self.workspace = workspace
        self._make = planner
        self._made: TablePlanner | None = None
        self._making = Lock()
        self._answer_always = answer_always

    @cached_property
    def planner(self) -> TablePlanner:
        # Making it reads the values of the database: one thread does, the others wait for it. The property
        # alone does not promise that: since Python 3.12 it has no lock.
        with self._making:
            if self._made is None:
                self._made = self._make()
            return self._made

    def propose(self, text: str, continuity: Continuity) -> Proposal:
        try:
            planner = self.planner
        except DragomanError as failure:
            # Without its values most questions would be misread: better to say why there are none.
            rule = f"the database cannot be read: {failure.message}"
            return Proposal(Decision.REFUSE, (), rule, failure.code, failure.message)
        readings = planner.readings(text, self.in_hand(continuity))
        if not readings and not self.tables():
            return Proposal(Decision.REFUSE, (), _EMPTY, "no_tables", _EMPTY)
        # A verb of a pack has the name that a table's would have: it is not the table that would answer.
        known = (r for r in readings if self.knows(r.statement.verb))
        return self._decided(tuple(_with_signs(r, text) for r in known))

    def in_hand(self, continuity: Continuity) -> Statement | None:
        """The statement behind the root slice, where it asks a table."""
        answer = continuity.root_answer
        program = answer.program if answer is not None else ()
        if len(program) != 1 or not self.knows(program[0].verb):
            return None
        return program[0]

    def knows(self, verb: str) -> bool:
        owned = self.workspace.packs.verbs.get(verb)
        return owned is None and self.workspace.tables_for(verb) is not None

    def tables(self) -> list[str]:
        """The tables there are, by the names that verbs have for them."""
        specs = self.workspace.databases.specs
        schemas = [self.workspace.schema(spec) for spec in specs]
        return [table.name for schema in schemas if schema is not None for table in schema.tables]

    def _decided(self, readings: tuple[TableReading, ...]) -> Proposal:
        if not readings:
            return Proposal(Decision.REFUSE, (), "no reading of the message fits the database")
        best, sure = readings[0], weights().confident
        if best.score >= sure and not best.uncovered:
            rule = f"the best reading has {best.score:.2f}, sure from {sure:.2f}"
            return Proposal(Decision.TAKE, readings, rule)
        if self._answer_always:
            return Proposal(Decision.GUESS, readings, "the best reading is answered although it is not sure")
        if best.uncovered:
            words = ", ".join(best.uncovered)
            return Proposal(Decision.REFUSE, readings, f"nothing in the best reading accounts for {words}")
        if best.score < PLAUSIBLE:
            return Proposal(Decision.REFUSE, readings, f"the best reading has only {best.score:.2f}")
        # Every word is accounted for: whoever asked can tell which reading it is.
        near = [r for r in readings if not r.uncovered and r.score >= best.score * _NEAR]
        offered = tuple(near[:MAX_OPTIONS])
        return Proposal(Decision.ASK, offered, f"{len(offered)} readings are near the best, none is sure")


_SIGNS = re.compile(r"[%_<>=*#$^~|\\{}\[\]]+")
"""Signs that mean something to somebody, and are no words."""


def _with_signs(reading: TableReading, text: str) -> TableReading:
    """The reading, with the signs of the message that it does not use among the words left over, and with
    words for an opinion that nothing in the database is called by."""
    signs = dict.fromkeys((*_SIGNS.findall(text), *opinions_in(text)))
    if not signs:
        return reading
    program = print_program((reading.statement,)).casefold()
    known = {word.casefold() for word in reading.uncovered}
    left = tuple(sign for sign in signs if sign not in program and sign not in known)
    return replace(reading, uncovered=(*reading.uncovered, *left)) if left else reading


def table_signals(proposal: Proposal, continuity: Continuity) -> tuple[Signal, ...]:
    """What the best reading means for the session: a question of its own, or a follow-up."""
    best = proposal.best
    if best is None or proposal.decision is Decision.REFUSE:
        return (Signal.UNCOVERED,)
    root = continuity.root
    if root is None or not best.follow_up:
        return (Signal.REQUEST, Signal.OPENS_ROOT)
    same = best.statement.verb.rpartition(".")[0] == root.domain_id
    return (Signal.REQUEST, Signal.SAME_DOMAIN if same else Signal.OTHER_DOMAIN)


_OWN_MOVES = frozenset(
    {
        Signal.ESCAPE_CLEAR,
        Signal.ESCAPE_CANCEL,
        Signal.ESCAPE_UNDO,
        Signal.ESCAPE_HELP,
        Signal.ESCAPE_SKIP,
        Signal.ESCAPE_CREATE,
        Signal.ESCAPE_SEARCH,
        Signal.ESCAPE_NONE,
        Signal.RUN,
        Signal.EXTEND,
        Signal.SCOPE_CHOICE,
    }
)
"""What a message may be, whatever the tables are."""

_TALK = frozenset({Signal.CHAT, Signal.DATA_SCOPE, Signal.WRITE_REQUEST})
"""What a message is when no reading of it is sure."""

_OF_ANSWERS = frozenset({Signal.ABOUT_ANSWER, Signal.RECAP})


def offers_readings(continuity: Continuity) -> bool:
    """Whether the pending question is which of several readings is meant."""
    pending = continuity.clarification
    return pending is not None and pending.missing_anchors == (READING,)


def asks_tables(
    reading: Reading, signals: tuple[Signal, ...], continuity: Continuity, catalog: PackCatalog
) -> bool:
    """Whether a message may be for the tables: it is no move of its own, and no pack understands it whole."""
    if _OWN_MOVES.intersection(signals):
        return False
    if Signal.FITS_CLARIFICATION in signals and (
        reading.affirm is not None or not offers_readings(continuity)
    ):
        return False
    if not catalog.verbs:
        return not (offers_readings(continuity) and _is_choice(reading))
    understood = set(signals) - {Signal.UNCOVERED}
    return not understood or Signal.UNCOVERED in signals


def named_offer(text: str, offered: tuple[CandidateScope, ...]) -> CandidateScope | None:
    """The one offered reading that has these words in it."""
    words = text.strip().rstrip(".)").casefold()
    named = [each for each in offered if words and words in each.label.casefold()]
    return named[0] if len(named) == 1 else None


def _asks_anew(proposal: Proposal, text: str, continuity: Continuity) -> bool:
    """Whether a message that several readings fit is a question of its own, while it was asked which of
    others is meant: nobody has to answer that first."""
    pending = continuity.clarification
    best = proposal.best
    if pending is None or best is None or not offers_readings(continuity):
        return False
    if proposal.decision is not Decision.ASK or best.follow_up:
        return False
    return named_offer(text, pending.candidate_scopes) is None


def prefers_tables(
    proposal: Proposal,
    signals: tuple[Signal, ...],
    continuity: Continuity,
    catalog: PackCatalog,
    text: str = "",
) -> bool:
    """Whether the tables answer, or what else the message may be. Before the first answer none is
    spoken of."""
    if proposal.decision is Decision.TAKE:
        return True
    if Signal.FITS_CLARIFICATION in signals and _asks_anew(proposal, text, continuity):
        return True
    if Signal.FITS_CLARIFICATION in signals or _TALK.intersection(signals):
        return False
    if continuity.last_answer is not None and _OF_ANSWERS.intersection(signals):
        # Without a pack a message that may be asked of the tables is, before it is talk about an answer.
        return not catalog.verbs and proposal.decision in (Decision.GUESS, Decision.ASK)
    if catalog.verbs:
        return proposal.decision is Decision.ASK
    return True


def _is_choice(reading: Reading) -> bool:
    """A place and nothing else: "the last name of Ann" has a last in it, and picks nothing."""
    return bool(reading.picks and not reading.uncovered) or reading.affirm is not None
