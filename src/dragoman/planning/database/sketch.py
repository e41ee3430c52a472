"""What a message asks, slot by slot, before its names are looked up."""

from dataclasses import dataclass, field

from dragoman.planning.database.frame import Aggregate
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.database.units import Unit
from dragoman.planning.database.vocabulary import Adjective
from dragoman.planning.tables.words import stem
from dragoman.reading.periods import PeriodMention


@dataclass(eq=False)
class Slot:
    """A name that is to be looked up, and what it is asked to be."""

    segment: Segment
    role: str
    """shown, counted, measured, grouped, ordered, compared, linked, absent, context, ranked"""
    aggregate: Aggregate | None = None
    by_name: bool = False
    """Its name is asked for: the names of the members."""


@dataclass
class Compared:
    """A number or the average that something is compared with."""

    operation: str
    numbers: tuple[float, ...] = ()
    average: bool = False
    unit: Unit | None = None
    money: bool = False
    adjective: Adjective | None = None
    name: Slot | None = None
    counted: bool = False
    spent: bool = False
    aggregate: Aggregate | None = None
    negative: bool = False
    after: Slot | None = None
    """What stands behind the number: it may be what is counted."""
    within: Slot | None = None
    """What stands behind that: 50 units in stock."""
    other: Slot | None = None
    """Another column in place of a number."""
    verb: str = ""
    """The word before the comparison, by its stem: shipped after."""
    late: bool = False
    """Something is compared with the day that was planned for it."""
    words: str = ""
    either: bool = False
    """It is enough that this holds, or what is compared before it."""


@dataclass
class Kept:
    """A value that rows must have, or must not have."""

    segment: Segment
    negative: bool = False
    either: bool = False
    qualifier: Slot | None = None
    preposition: str = ""
    like: str = ""
    average: bool = False
    """It only says of which rows an average is."""
    of: Slot | None = None
    """What is asked of it: the price of the lawn mower."""
    listed: bool = False
    """It follows another value after an "and" or a comma."""


@dataclass
class Held:
    """A text that a column must have inside, or begin or end with. It is not a value of the database."""

    text: str
    operation: str
    column: Slot
    negative: bool = False


@dataclass
class Dated:
    period: PeriodMention
    negative: bool = False
    verbs: tuple[str, ...] = ()
    near: Slot | None = None
    part: str = ""
    parts: tuple[int, ...] = ()
    """Of what comes again: Saturdays, the hours after six."""
    joined: bool = False
    """It follows another period: in 2018 or 2020."""
    either: bool = False
    """An "or" stands before it: from Oslo or since 2020."""


@dataclass
class Ranked:
    """A superlative: which end, of what."""

    descending: bool
    adjective: Adjective | None = None
    name: Slot | None = None
    aggregate: Aggregate | None = None
    counted: bool = False
    money: bool = False
    sold: bool = False
    limit: int | None = None
    common: bool = False
    verb: str = ""
    """What was done most: the most borrowed."""
    between: tuple[Slot, Slot] | None = None
    """The columns whose difference is ranked."""
    lasts: bool = False
    """How long it took is ranked."""
    words: str = ""


@dataclass
class Others:
    """Rows that are held against the others of their own table, and what they have in common."""

    words: str
    shared: Slot | None = None
    part: str = ""
    """Of dates: the year, where the same year is meant."""
    verb: str = ""
    """What was done in that year, by its stem: born."""
    absent: bool = False
    """There is no such other row."""
    rows: Slot | None = None
    """What the others are called: another member."""
    loose: bool = False
    """Nothing says as whom."""
    pairs: bool = False
    named: bool = False
    """The other row is one that is named: who else."""
    apart: Slot | None = None
    """In what they differ: the same name, but a different price."""


@dataclass
class Sketch:
    shown: list[Slot] = field(default_factory=list)
    counted: list[Slot] = field(default_factory=list)
    counts: bool = False
    counted_value: Kept | None = None
    """What is counted by what it is: how many girls have a bicycle."""
    measured: list[tuple[Aggregate | None, Slot | None]] = field(default_factory=list)
    """None for the slot: money."""
    groups: list[Slot | str] = field(default_factory=list)
    """A text is a part of a date."""
    per: bool = False
    """Rows are gathered: "per" never sorts."""
    each: list[Slot] = field(default_factory=list)
    """Those of the groups that are said with "each": where no figure is asked for, they are shown."""
    compared: list[Compared] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    dated: list[Dated] = field(default_factory=list)
    absent: list[Slot] = field(default_factory=list)
    absent_verbs: list[str] = field(default_factory=list)
    missing: list[Slot] = field(default_factory=list)
    linked: list[Slot] = field(default_factory=list)
    context: list[Slot] = field(default_factory=list)
    ranked: list[Ranked] = field(default_factory=list)
    orders: list[tuple[Slot | Aggregate | str, bool | None]] = field(default_factory=list)
    """A slot, an aggregate of what is measured, or `money`."""
    ranks: bool = False
    """An order is asked for as a rank: from the greatest down."""
    limit: int | None = None
    only_names: bool = False
    """Rows are asked for by their names, and nothing beside."""
    distinct: bool = False
    share: bool = False
    part_from: int | None = None
    """The first word that says what the part of a share is."""
    rated: Kept | None = None
    """The value that a rate is the share of: the pass rate."""
    versus: bool = False
    """A figure of each of the values is asked for."""
    divided: bool = False
    """An average of numbers: of how many there are for each of something."""
    amount: bool = False
    """How much is asked, not how many."""
    everything: bool = False
    current: str = ""
    """The word that asks for what holds now."""
    who: bool = False
    who_too: bool = False
    """Behind what is ranked or shown: and who did it."""
    when: bool = False
    place: bool = False
    sold: bool = False
    spent: bool = False
    verbs: list[str] = field(default_factory=list)
    prepositions: list[str] = field(default_factory=list)
    uncovered: list[str] = field(default_factory=list)
    score: float = 0.0
    parts_said: list[str] = field(default_factory=list)
    alphabetical: bool = False
    maybe: tuple[int, Slot] | None = None
    """A number before a name: so many of them, or those whose figure it is."""
    how: list[Adjective] = field(default_factory=list)
    said: tuple[str, ...] = ()
    """The words of the message, in small letters."""
    pieces: tuple[Segment, ...] = ()
    """All pieces of the message in their order."""
    lasts: bool = False
    """How long something takes is asked for, or compared."""
    durations: list[Aggregate] = field(default_factory=list)
    """The figures of how long something takes."""
    timed: bool = False
    """The time that was spent is asked for."""
    delays: bool = False
    """How long after the day that was planned: its delay."""
    unit: Unit | None = None
    """The unit that a figure is asked for in."""
    dropped: list[str] = field(default_factory=list)
    """Words that were understood and led to nothing."""
    same: Slot | None = None
    """What rows have in common with the one that is named: the same town as."""
    others: Others | None = None
    together: bool = False
    """Rows are asked for that are linked with the one that is named."""
    first: Adjective | None = None
    """What comes first in an order: the oldest, the biggest."""
    figure_too: bool = False
    """Beside what is chosen by a figure the figure itself is asked for: and how many."""

    told_from: int | None = None
    """Where a further sentence says what is to be shown: "Which rooms are free? Give me the floor"."""
    names_told: bool = False
    """That sentence asks for the names."""

    @property
    def whole(self) -> bool:
        """A whole sentence: which, what are, list, who. It says itself what it wants to see; a mere noun with
        its conditions leaves that to us."""
        begins = True
        for piece in self.pieces:
            if piece.piece is Piece.MARK:
                begins = True
            elif begins and (piece.piece in (Piece.WHO, Piece.WHEN, Piece.WHERE) or "show" in piece.kinds):
                return piece.text.casefold().endswith(("'s", "whats")) is False
            elif piece.kinds != {"fill"} and not piece.kinds & {"of", "by"}:
                begins = False
        return False

    def said_stems(self) -> list[str]:
        return [stem(word) for text in self.said for word in text.split()]

    def slots(self) -> list[Slot]:
        found = [*self.shown, *self.counted, *(slot for _, slot in self.measured if slot)]
        found += [slot for slot in self.groups if isinstance(slot, Slot)]
        for compared in self.compared:
            compares = (compared.name, compared.after, compared.within, compared.other)
            found += [slot for slot in compares if slot]
        found += [kept.qualifier for kept in self.kept if kept.qualifier]
        found += [held.column for held in self.held]
        found += [*self.absent, *self.missing, *self.linked, *self.context]
        found += [ranked.name for ranked in self.ranked if ranked.name]
        found += [slot for ranked in self.ranked for slot in ranked.between or ()]
        found += [slot for slot, _ in self.orders if isinstance(slot, Slot)]
        found += [self.maybe[1]] if self.maybe is not None else []
        found += [self.same] if self.same is not None else []
        found += (
            [each for each in (self.others.shared, self.others.apart, self.others.rows) if each]
            if self.others
            else []
        )
        return list(dict.fromkeys(found))
