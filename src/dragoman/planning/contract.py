"""What every planner is asked and what it may answer. Packs and tables are planners, a model is the third.

A planner proposes; it runs nothing and changes nothing. The chooser compares the proposals of all planners on
one scale, `certainty`, and the transition registry is asked only then: what a message is to the session
follows from the proposal that won.
"""

import datetime as dt
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Protocol

import msgspec

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.cancellation import Cancellation
from dragoman.contracts.edits import Edit
from dragoman.contracts.events import SessionEvent
from dragoman.contracts.model import TurnPurse
from dragoman.contracts.model_events import ModelText
from dragoman.contracts.objection import Objection
from dragoman.contracts.program import Binding, EntityMatch, Program
from dragoman.contracts.record import Record
from dragoman.contracts.roles import AnalystPlan
from dragoman.contracts.state import CandidateScope, DateScope, EntityRef, ReferenceDate, SessionState
from dragoman.contracts.taught import TaughtWord
from dragoman.contracts.vocabulary import Signal
from dragoman.reading.hand_written import HandWritten
from dragoman.reading.reading import Reading
from dragoman.session.continuity import Continuity

# The levels are numbers, so that a planner with probabilities can place its proposals between them; they are
# named, so that the order between planners can be read here. What each value must keep: LIKELY is just below
# the probability from which the planner over tables answers (0.79), POSSIBLE just below the one from which it
# offers a choice (0.15).
CERTAIN = 1.0
"""Nothing is left to doubt: the message is a move of its own, or every word of it is accounted for."""

LIKELY = 0.78
"""Likely enough to be taken before anything that is not sure itself."""

POSSIBLE = 0.14
"""Worth saying where nobody has a reading to offer."""

HARDLY = 0.05
"""Worth saying where even a refusal has no word to name: an open question is asked again."""

UNKNOWN = 0.0


MAX_OPTIONS = 4
"""So many readings are offered at most: more are not read."""


NEAR = 0.4
"""So much of the best one's probability others have that rival it."""


OFFERED = 0.08
"""So much of it others have that are offered beside it, once somebody has to be asked."""


class PlannerName(StrEnum):
    """The planners of the house. One from outside has a name of its own."""

    ACTION = "action"
    EDIT = "edit"
    SQL = "sql"
    CHOICE = "choice"
    PIPELINES = "pipelines"
    WORDS = "words"
    RESOLUTION = "resolution"
    WRITES = "writes"
    PACKS = "packs"
    ROWS = "rows"
    TABLES = "tables"
    KNOWLEDGE = "knowledge"
    MODEL = "model"


class Asked(Record, frozen=True, gc=True):
    """What a planner gets: the message, read once, and everything it may lean on."""

    text: str
    reading: Reading
    continuity: Continuity
    state: SessionState
    catalog: Catalog
    today: dt.date
    own: tuple[Signal, ...] = ()
    """What the message says by itself, before the session is looked at."""
    said: str = ""
    """The message as it was sent, with the names of connections in it."""
    written: HandWritten | None = None
    """The message itself, where it is a program."""
    stands: "Proposal | None" = None
    """For who is asked last: what the others propose, as it was examined. It stands where nothing is put in
    its place."""
    cancel: Cancellation | None = None
    """The wish to stop, for who takes long."""
    tell: "Callable[[SessionEvent | ModelText], None]" = lambda event: None
    """Who hears of it while something takes long, and keeps what is to be recorded."""
    purse: TurnPurse = msgspec.field(default_factory=TurnPurse)
    """What models may still use in this turn, whoever asks them."""

    @property
    def in_context(self) -> tuple[AnswerObject, ...]:
        """The answers that follow-ups may speak of, oldest first."""
        answers = self.state.answers
        return tuple(answer for answer in answers.items if answer.turn_index >= answers.context_from)


class Request(Record, frozen=True):
    """A verb of a pack and everything it needs: what a program of one statement is about."""

    verb: CatalogVerb
    organization: EntityRef | None
    dates: DateScope | None
    bindings: tuple[Binding, ...]
    focus: EntityRef | None = None
    """The object it speaks of."""
    narrowed: tuple[EntityRef, ...] = ()
    """What else it is narrowed to."""


class Question(Record, frozen=True):
    """A request that lacks anchors: what is missing, and the closed answers there are to the first.

    `named` is what was said of the first one, where it fits several: the question is which of them."""

    verb: CatalogVerb
    missing: tuple[str, ...]
    candidates: tuple[CandidateScope, ...]
    bindings: tuple[Binding, ...]
    named: str = ""
    total: int = 0
    ambiguous: bool = False
    """Several were named or picked at once, and the question is which of them."""


class Options(Record, frozen=True):
    """Several candidates are close: the question is which of them is meant."""

    person: bool = False
    """Nothing in the message says which: only a person can tell."""


class Position(Record, frozen=True):
    """Where in a message something is wrong, as editors count, and what it should perhaps have been."""

    line: int
    column: int
    near: tuple[str, ...] = ()


class Refusal(Record, frozen=True):
    """Nothing will run: why, in a code, and the words it is about. `problem` is the words of a failure.
    `teachable`: everything but the one word was understood, and whoever used it may say what it means."""

    code: str
    words: tuple[str, ...] = ()
    route: str = ""
    problem: str = ""
    position: Position | None = None
    """Where it stands, in a message that is written by a grammar."""
    teachable: bool = False


class Candidate(Record, frozen=True):
    """One program that may be meant: the edits that make it, and how likely it is."""

    program: Program
    edits: tuple[Edit, ...]
    probability: float
    uncovered: tuple[str, ...] = ()
    """Words of the message that nothing in the program accounts for."""
    notes: tuple[str, ...] = ()
    """What each part of the message was taken for, for `why`."""
    bindings: tuple[Binding, ...] = ()
    """The arguments, and where each came from."""
    request: Request | None = None
    """What the program is about, where it asks a verb of a pack."""
    reference_date: ReferenceDate | None = None
    """What a relative period in it counts from; None where it has none."""
    follows: bool = False
    """It leans on what was said before: a pronoun, an ellipsis, a change of the program in hand."""
    of_slice: bool = False
    """It leans on the last answer, past a question that was not answered."""
    writes: bool = False
    """It changes data: it is shown and waits for a yes, so nothing else has to be asked about it."""
    focus: EntityRef | None = None
    """The row of a table that it is about, which is the object in hand then."""
    source: str = ""
    """The result in which that row was found."""
    label: str = ""
    """What it is called among others that are offered; empty where its program is said in words."""
    read_as: str = ""
    """The words that the program itself answers, where others of the message only point at that row."""
    carried: Program = ()
    """What of the program was said by opening that row, or by pointing at rows: it need not be said again."""


class Picked(Record, frozen=True):
    """The entity with this key is what the open reference means, or the one that is named."""

    key: str
    ref_id: str = ""


class Narrowed(Record, frozen=True):
    """Of what was found for the open reference, only these may be meant: the words fit no other."""

    words: tuple[str, ...]
    matches: tuple[EntityMatch, ...]


class Searched(Record, frozen=True):
    """The open reference, or the one that is named, is to be searched for with these words."""

    text: str
    ref_id: str = ""
    filters: Mapping[str, str] = {}


class Teaching(Record, frozen=True):
    """What a message says of words: one to be kept, asked about first, or answered with a yes or a no; some
    to be taken back; or which there are. `problem` is why one cannot be kept."""

    word: TaughtWord | None = None
    before: TaughtWord | None = None
    """What the word has meant until now."""
    more: tuple[TaughtWord, ...] = ()
    """Other words of the same sentence: all are kept, or none."""
    answer: bool | None = None
    forgets: tuple[TaughtWord, ...] = ()
    problem: Refusal | None = None


class Proposal(Record, frozen=True):
    """What one planner makes of a message: candidates, best first, or why there is nothing to run.

    With `asks` or `refuses` nothing is run: `candidates` are then what was weighed. With neither, and without
    candidates, the message is a move of the conversation itself, which `signals` say."""

    planner: str
    signals: tuple[Signal, ...]
    """What the message is to the session, if this proposal wins."""
    certainty: float
    candidates: tuple[Candidate, ...] = ()
    asks: Question | Options | None = None
    refuses: Refusal | None = None
    sure: bool = True
    """False where the best candidate is answered although nobody is sure of it."""
    rule: str = ""
    """The rule that decided, for `why`; empty where nothing was weighed."""
    resolves: Picked | Narrowed | Searched | None = None
    """What the message says of the reference that the session waits for."""
    teaches: Teaching | None = None
    """What the message says of words."""
    instead: bool = False
    """It is taken in the place of a refusal, however sure that is, and of nothing else."""
    rivals: bool = False
    """Candidates near the best are to be run: where all give what the best gives, nobody has to be asked."""
    plan: AnalystPlan | None = None
    """What its planner says is asked and needed, where it says so."""
    writers: Program = ()
    """With `asks`: what writes the rows once the question is answered."""
    keeps: str = ""
    """The file in which the program in hand is to be kept."""
    synthesis: tuple[SessionEvent, ...] = ()
    """How the text of the best candidate was written, where it took more than writing it down."""


Objector = Callable[[Asked, Candidate], tuple[Objection, ...]]
"""A second reader: what it has against a candidate that would be answered; nothing where it has none."""


class Planner(Protocol):
    """Something that proposes programs, as edits of `continuity.base` or of the empty program."""

    @property
    def name(self) -> str: ...

    def propose(self, asked: Asked) -> Proposal | None:
        """What it makes of the message; None where it has nothing to say."""
