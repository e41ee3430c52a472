"""The turns, held with the product itself: a session for each conversation, one workspace for a database."""

import time
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Self

from benchmarks.real_data import AskedTurn, GoldDatabase
from benchmarks.real_match import Rows
from dragoman import Workspace
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.homes import database_home
from dragoman.catalog.lookup import look_up
from dragoman.contracts import events as ev
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.places import PACKS_FOLDER
from dragoman.contracts.record import Record
from dragoman.contracts.state import READING, CandidateScope
from dragoman.contracts.turn_result import ResultRows, TurnResult
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from dragoman.databases.connections import alias_for, parse_database_url
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.session.log import Progress
from dragoman.workspace.packs import Packs

ANSWERED: Final = (AnswerMode.CONFIRMED, AnswerMode.LIMITED)
_ASKED: Final = AnswerMode.CLARIFICATION_REQUIRED


class Verdict(StrEnum):
    """What a turn was worth. Of what cannot be answered, `declined` is the right reply."""

    RIGHT = "right"
    DECLINED = "declined"
    ASKED = "asked"
    REFUSED = "refused"
    WRONG_CONFIRMED = "wrong-confirmed"
    WRONG_LIMITED = "wrong-limited"


class Offered(Record, frozen=True):
    """A reading that was offered, and whether it would have been right."""

    text: str
    program: str
    right: bool


class Outcome(Record, frozen=True):
    """What came of a turn. `certainty` is that of the best reading, where readings were weighed."""

    turn: AskedTurn
    verdict: Verdict
    mode: str
    message: str
    program: str = ""
    options: tuple[Offered, ...] = ()
    certainty: float | None = None
    gold_rows: int | None = None
    our_rows: int | None = None
    cpu: float = 0.0
    """Seconds of CPU until the turn was read, planned and routed."""

    @property
    def is_answered(self) -> bool:
        return self.mode in ANSWERED

    @property
    def offers_right(self) -> bool:
        return any(each.right for each in self.options)


class PlanningClock:
    """Hears how a turn goes on, and measures the CPU from its opening until it is routed."""

    def __init__(self) -> None:
        self._opened = self._routed = 0.0

    def __call__(self, progress: Progress) -> None:
        match progress.event:
            case ev.TurnOpened():
                self._opened = self._routed = time.process_time()
            case ev.TurnRouted():
                self._routed = time.process_time()
            case _:
                pass

    @property
    def seconds(self) -> float:
        return self._routed - self._opened


class AskedDatabase:
    """One database, opened once: the product's workspace on it, and its gold."""

    def __init__(self, path: Path, folder: Path, *, drafted: bool = False, **opening: Any) -> None:
        """`drafted`: with the pack that `pack draft` writes for it, as it is written."""
        self.gold = GoldDatabase(path)
        if drafted:
            install_draft(path, folder)
        self._workspace = Workspace.open_database(path, folder, **opening)
        self._catalog = Catalog(folder)
        self._catalog.load()

    def __enter__(self) -> Self:
        # The first question reads the values of the database: that is opening, not planning.
        self._workspace.ask(self._workspace.new_session(), "?")
        return self

    def __exit__(self, *_: object) -> None:
        self._workspace.close()
        self.gold.close()

    def teach(self, lessons: list[str]) -> None:
        """Say sentences that teach words, with a yes to each that asks for one."""
        session = self._workspace.new_session()
        for lesson in lessons:
            result = self._workspace.ask(session, lesson)
            if result.transition is TransitionClass.X_TEACH and result.answer_mode == _ASKED:
                self._workspace.ask(session, "yes")

    def hold(self, turns: list[AskedTurn]) -> Iterator[Outcome]:
        """The turns of one conversation, each with whatever became of those before it."""
        session = self._workspace.new_session()
        for turn in turns:
            yield self._ask(session, turn)

    def _ask(self, session: str, turn: AskedTurn) -> Outcome:
        read: list[ResultRows] = []
        clock = PlanningClock()
        try:
            result = self._workspace.ask(session, turn.question, listeners=[clock], on_result=read.append)
        except DragomanError as error:
            refused = Verdict.REFUSED if turn.golds else Verdict.DECLINED
            return Outcome(turn, refused, error.code, error.message, cpu=clock.seconds)
        events = self._workspace.turn_events(session, result.turn)
        # Readings that were run to compare them are not handed over; the last result is the answer's.
        rows = (read[-1].rows if read else result.rows) if result.answer_mode in ANSWERED else None
        options = self._options(session, turn) if result.answer_mode == _ASKED else ()
        return Outcome(
            turn,
            self._verdict(turn, result, rows),
            result.answer_mode,
            result.message,
            result.program if rows is not None else "",
            options,
            _certainty(events),
            len(self.gold.rows(turn.golds[0])) if turn.golds else None,
            len(rows) if rows is not None else None,
            clock.seconds,
        )

    def _verdict(self, turn: AskedTurn, result: TurnResult, rows: Rows | None) -> Verdict:
        match result.answer_mode:
            case AnswerMode.CONFIRMED | AnswerMode.LIMITED:
                if turn.golds and rows is not None and self.gold.answers(turn, rows):
                    return Verdict.RIGHT
                confirmed = result.answer_mode is AnswerMode.CONFIRMED
                return Verdict.WRONG_CONFIRMED if confirmed else Verdict.WRONG_LIMITED
            case _ if not turn.golds:
                return Verdict.DECLINED
            case AnswerMode.CLARIFICATION_REQUIRED:
                return Verdict.ASKED
            case AnswerMode.UNSUPPORTED | AnswerMode.NONE:
                return Verdict.REFUSED

    def _options(self, session: str, turn: AskedTurn) -> tuple[Offered, ...]:
        """What the question leaves open, also where it is only put again."""
        pending = self._workspace.state(session).frames.clarification
        return tuple(self._offered(turn, each) for each in pending.candidate_scopes) if pending else ()

    def _offered(self, turn: AskedTurn, candidate: CandidateScope) -> Offered:
        if candidate.anchor != READING:
            return Offered(candidate.label, "", right=False)
        try:
            program = read_verbs(Source(candidate.key)).statements
            right = self.gold.answers(turn, look_up(self._catalog, program[-1]).rows)
        except DragomanError:
            right = False
        return Offered(candidate.label, candidate.key, right)


def install_draft(path: Path, folder: Path) -> None:
    """Put the pack that is drafted for a database where its workspace has its packs."""
    database_home(path, folder)
    (folder / PACKS_FOLDER).mkdir()
    text = Packs(folder).draft(alias_for(parse_database_url(str(path.resolve()), folder)))
    (folder / PACKS_FOLDER / "draft.yaml").write_text(text, "utf-8")


def _certainty(events: list[ev.SessionEvent]) -> float | None:
    weighed = [each.readings for each in events if isinstance(each, ev.ReadingsWeighed) and each.readings]
    return weighed[0][0].score if weighed else None
