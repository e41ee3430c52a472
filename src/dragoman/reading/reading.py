"""What was found in a message, before the session is looked at."""

from enum import StrEnum

from dragoman.contracts.record import Record
from dragoman.contracts.state import EntityRef
from dragoman.contracts.vocabulary import MetaQuestionKind, Signal
from dragoman.reading.periods import PeriodMention


class MentionKind(StrEnum):
    """What a part of a message is. What nothing here names is a word that nothing covers."""

    VERB = "verb"
    ACTION = "action"
    METRIC = "metric"
    ENTITY = "entity"
    OBJECT = "object"
    KIND_WORD = "kind_word"
    PERIOD = "period"
    NUMBER = "number"
    COMPARISON = "comparison"
    SUPERLATIVE = "superlative"
    ORDINAL = "ordinal"
    NEGATION = "negation"
    GROUPING = "grouping"
    SORTING = "sorting"
    ANAPHOR = "anaphor"
    ESCAPE = "escape"
    CHAT = "chat"
    DATA_SCOPE = "data_scope"
    SCOPE_CHOICE = "scope_choice"
    META = "meta"
    RECAP = "recap"
    EXTEND = "extend"
    AFFIRMATION = "affirmation"
    WRITE = "write"
    CARRY = "carry"
    WIDEN = "widen"
    RETURN = "return"
    FILLER = "filler"


class Mention(Record, frozen=True):
    """A part of a message that means something: where it stands, and what it means in one word."""

    kind: MentionKind
    start: int
    end: int
    text: str
    means: str = ""


class Pick(Record, frozen=True):
    """A row chosen by its place: the `place`-th, counted from the end where negative; or by its amount."""

    place: int = 0
    largest: bool | None = None


class ExtendMention(Record, frozen=True):
    """A wish to keep or send a result: as which kind of file, under which name, or into which target."""

    format: str = ""
    path: str = ""
    target: str = ""
    table: str = ""


class Reading(Record, frozen=True):
    """What was found in a message, before the session is looked at."""

    language: str
    verb: str | None = None
    verbs: tuple[str, ...] = ()
    entities: tuple[EntityRef, ...] = ()
    period: PeriodMention | None = None
    periods: int = 0
    dates: tuple[PeriodMention, ...] = ()
    """Every period that was found, by where it stands."""
    phrase: Signal | None = None
    chooses_scope: bool = False
    asks_loaded: bool = False
    """Which periods there are is asked."""
    uncovered: tuple[str, ...] = ()
    objects: tuple[tuple[EntityRef, ...], ...] = ()
    """For each object that was named, all that its name can mean."""
    actions: tuple[str, ...] = ()
    """The verbs that an action word can mean, one for each kind of object."""
    picks: tuple[Pick, ...] = ()
    anaphor: bool = False
    mentions: tuple[Mention, ...] = ()
    """Everything that was found, by where it stands."""
    meta: MetaQuestionKind | None = None
    """What is asked about an answer that was given."""
    compared: tuple[str, ...] = ()
    """The verbs whose answers are held against each other."""
    recap: bool = False
    extend: ExtendMention | None = None
    affirm: bool | None = None
    """A yes or a no, where that is all the message says."""
    wants_write: bool = False
    carries_date: bool = False
    """The date in hand is meant, and said to be."""
    widen: tuple[str, ...] = ()
    """Kinds of entities by which nothing is to be narrowed any more."""
    excluded: tuple[EntityRef, ...] = ()
    """Entities that were named to be rejected."""
    corrections: tuple[tuple[str, str], ...] = ()
    """Slips of spelling: what was written, and what it was read as."""
    same_slice: bool = False
    """Another verb is asked of what the slice in hand is narrowed to."""
    returns: bool = False
    unknown: tuple[str, str] | None = None
    """The kind of an object to look at, and a name that nothing of that kind has."""
    guessed: bool = False
    """A name was found that is only like the words: they may as well mean something else."""
    choice: bool = False
    """It says nothing but a place among what a question offered, which is its one pick."""
    asks: bool = False
    """A word of it asks something: who, what, how."""
    asks_who: bool = False
    """A word of it asks who somebody is."""
    unknown_name: bool = False
    """It says nothing but words that nobody knows, as a name is given."""
    may_order: bool = True
    """A word of it can be one of an order to change data."""
    connections: tuple[str, ...] = ()
    """The databases that are to be asked, where some are named."""
    without: "Reading | None" = None
    """What the message says without the words that nothing covers."""
    others: tuple["Reading", ...] = ()
    """What it says for each word that a slip in it may have been meant to be, where they are several."""

    def entity(self, kind: str) -> EntityRef | None:
        """The one entity of a kind that was named; None when there is none, or more than one."""
        found = [entity for entity in self.entities if entity.kind == kind]
        return found[0] if len(found) == 1 else None

    def of_kind(self, kind: MentionKind) -> tuple[Mention, ...]:
        """The mentions of a kind, by where they stand."""
        return tuple(mention for mention in self.mentions if mention.kind is kind)
