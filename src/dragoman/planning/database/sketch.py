"""What a message asks, slot by slot, before its names are looked up: the order of its pieces decides."""

from dataclasses import dataclass, field

from msgspec.structs import replace

from dragoman.planning.database.frame import Aggregate
from dragoman.planning.database.knowledge import Unit
from dragoman.planning.database.segments import Cut, Piece, Segment
from dragoman.planning.database.vocabulary import Adjective
from dragoman.reading.periods import Bound, PeriodMention

AGGREGATES = {"average": Aggregate.AVERAGE, "sum": Aggregate.SUM, "max": Aggregate.MAX, "min": Aggregate.MIN}
_COMPARISONS = ("above", "below", "at-least", "at-most", "between", "exactly")
_EMPTY = frozenset({"fill", "of", "show", "where", "and", "with", "by"})


_DEMANDING = frozenset({"both", "same", "another", "pair", "pairs", "consecutive", "neither", "either", "respectively"})
"""Words that ask for more than a frame can say, whatever else is understood."""


@dataclass(eq=False)
class Slot:
    """A name that is to be looked up, and what it is asked to be."""

    segment: Segment
    role: str
    """shown, counted, measured, grouped, ordered, compared, linked, absent, context, ranked"""
    aggregate: Aggregate | None = None


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
    words: str = ""


@dataclass
class Kept:
    """A value that rows must have, or must not have."""

    segment: Segment
    negative: bool = False
    either: bool = False
    qualifier: Slot | None = None
    preposition: str = ""
    like: str = ""
    listed: bool = False
    """It follows another value after an "and" or a comma."""


@dataclass
class Dated:
    period: PeriodMention
    negative: bool = False
    verbs: tuple[str, ...] = ()
    near: Slot | None = None


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
    words: str = ""


@dataclass
class Sketch:
    shown: list[Slot] = field(default_factory=list)
    counted: list[Slot] = field(default_factory=list)
    counts: bool = False
    measured: list[tuple[Aggregate | None, Slot | None]] = field(default_factory=list)
    """None for the slot: money."""
    groups: list[Slot | str] = field(default_factory=list)
    """A text is a part of a date."""
    compared: list[Compared] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)
    dated: list[Dated] = field(default_factory=list)
    absent: list[Slot] = field(default_factory=list)
    absent_verbs: list[str] = field(default_factory=list)
    missing: list[Slot] = field(default_factory=list)
    linked: list[Slot] = field(default_factory=list)
    context: list[Slot] = field(default_factory=list)
    ranked: list[Ranked] = field(default_factory=list)
    orders: list[tuple[Slot | Aggregate | str, bool | None]] = field(default_factory=list)
    """A slot, an aggregate of what is measured, or `money`."""
    limit: int | None = None
    distinct: bool = False
    share: bool = False
    everything: bool = False
    who: bool = False
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
    maybe: "tuple[int, Slot] | None" = None
    """A number before a name: so many of them, or those whose figure it is."""
    how: list[Adjective] = field(default_factory=list)
    said: tuple[str, ...] = ()
    """The words of the message, in small letters."""
    unit: Unit | None = None
    """The unit that a figure is asked for in."""
    dropped: list[str] = field(default_factory=list)
    """Words that were understood and led to nothing."""
    first: Adjective | None = None
    """What comes first in an order: the oldest, the biggest."""

    def slots(self) -> list[Slot]:
        found = [*self.shown, *self.counted, *(slot for _, slot in self.measured if slot)]
        found += [slot for slot in self.groups if isinstance(slot, Slot)]
        for compared in self.compared:
            found += [slot for slot in (compared.name, compared.after) if slot]
        found += [kept.qualifier for kept in self.kept if kept.qualifier]
        found += [*self.absent, *self.missing, *self.linked, *self.context]
        found += [ranked.name for ranked in self.ranked if ranked.name]
        found += [slot for slot, _ in self.orders if isinstance(slot, Slot)]
        found += [self.maybe[1]] if self.maybe is not None else []
        return list(dict.fromkeys(found))


class Sketcher:
    """Reads the pieces of a cut from left to right."""

    def __init__(self, cut: Cut) -> None:
        self.segments = [s for s in cut.segments if not (s.piece is Piece.MARK and s.text not in ",;")]
        self.sketch = Sketch(score=cut.score, said=tuple(s.text.casefold() for s in cut.segments))
        self.at = 0
        self.negative = False
        self.counting = False
        self.aggregates: list[Aggregate] = []
        self.comparison: Segment | None = None
        self.ordering = False
        self.grouping = False
        self.ranking: Ranked | None = None
        self.filtering = False
        self.last: Slot | None = None
        self.last_at = -9
        self.preposition = ""
        self.either = False
        self.like = ""

    def read(self) -> Sketch:
        while self.at < len(self.segments):
            segment = self.segments[self.at]
            self.at += 1
            getattr(self, f"_{segment.piece.value}")(segment)
        self._finish()
        return self.sketch

    def _peek(self, skip: frozenset[str] = frozenset({"fill", "of"})) -> Segment | None:
        for segment in self.segments[self.at :]:
            if segment.piece is Piece.CUE and segment.kinds <= skip:
                continue
            if segment.piece is Piece.MARK:
                return None
            return segment
        return None

    def _previous(self) -> Segment | None:
        return self.segments[self.at - 2] if self.at >= 2 else None

    def _before(self) -> Segment | None:
        """The piece before this one, articles and the like left out."""
        for segment in reversed(self.segments[: self.at - 1]):
            if not (segment.piece is Piece.CUE and segment.kinds == {"fill"}):
                return segment
        return None

    def _slot(self, segment: Segment, role: str, aggregate: Aggregate | None = None) -> Slot:
        slot = Slot(segment, role, aggregate)
        self.last, self.last_at = slot, self.at
        return slot

    # Cues

    def _cue(self, segment: Segment) -> None:
        kinds = segment.kinds
        sketch = self.sketch
        if "not" in kinds or "missing" in kinds:
            self._not(segment)
        elif "limit" in kinds and (self._numbered() or (kinds & {"most", "least"} and segment.adjective is None and segment.cue != "least" and segment.text in ("top", "first", "last", "bottom", "best", "worst"))):
            self._limit(segment)
        elif kinds & {"most", "least", "common", "rare"}:
            self._rank(segment)
        elif "count" in kinds:
            self._count(segment)
        elif kinds & set(AGGREGATES):
            self._aggregate(segment)
        elif "group" in kinds:
            self.grouping = True
            self.filtering = False
        elif "order" in kinds:
            self.ordering = True
        elif kinds & {"ascending", "descending"}:
            self._direction("descending" in kinds)
            if "alphabet" in segment.text:
                sketch.alphabetical = True
        elif kinds & set(_COMPARISONS):
            self.comparison = segment
            self._compare(segment)
        elif kinds & {"or-more", "or-less"}:
            before = self._previous()
            if before is not None and before.piece is Piece.PERIOD and sketch.dated:
                bound = Bound.SINCE if "or-more" in kinds else Bound.UNTIL
                sketch.dated[-1].period = replace(sketch.dated[-1].period, bound=bound)
            elif sketch.compared:
                sketch.compared[-1].operation = "at-least" if "or-more" in kinds else "at-most"
        elif kinds & {"contains", "starts", "ends"}:
            self.like = next(kind for kind in ("contains", "starts", "ends") if kind in kinds)
        elif "distinct" in kinds:
            sketch.distinct = True
        elif "everything" in kinds:
            sketch.everything = True
        elif "by" in kinds:
            self._by(segment)
        elif "or" in kinds:
            self.either = True
        elif "where" in kinds and sketch.shown:
            self.filtering = True
        elif "with" in kinds:
            self.preposition = "with"
            if sketch.shown or sketch.counted or sketch.ranked:
                self.filtering = True
        elif "of" in kinds:
            self.preposition = segment.text
            sketch.prepositions.append(segment.text)
        elif "and" in kinds:
            pass

    def _numbered(self) -> bool:
        after = self._peek()
        return after is not None and after.piece is Piece.NUMBER

    def _limit(self, segment: Segment) -> None:
        after = self._peek()
        low = segment.text
        descending = low not in ("bottom", "worst", "first", "last") or low == "last"
        ranked = Ranked(descending, words=low)
        if after is not None and after.piece is Piece.NUMBER and after.number is not None:
            self.sketch.limit = int(after.number)
            self.at = self.segments.index(after) + 1
        elif low in ("top", "best", "worst", "bottom") and self.sketch.limit is None:
            ranked.limit = 1 if low in ("best", "worst") else 10
        if low in ("first", "last"):
            ranked.adjective = Adjective(words=("date", "time", "year"), least=low == "first")
        if low in ("best", "worst", "top", "bottom"):
            ranked.adjective = segment.adjective
        self.ranking = ranked
        self.sketch.ranked.append(ranked)

    def _rank(self, segment: Segment) -> None:
        if self._first_follows():
            self._ordered_first(segment)
            return
        kinds = segment.kinds
        descending = bool(kinds & {"most", "common"})
        adjective = segment.adjective
        ranked = Ranked(descending, adjective, words=segment.text, common=bool(kinds & {"common", "rare"}))
        if "number of" in segment.text or "amount of" in segment.text:
            ranked.counted = True
        before = self._previous()
        if before is not None and before.piece is Piece.NUMBER and before.number is not None and not self._used(before):
            self.sketch.limit = int(before.number)
        self.sketch.ranked.append(ranked)
        self.ranking = ranked

    def _first_follows(self) -> bool:
        """ "First", "on top", "at the top", or the other end: "to newest"."""
        rest = [segment.text.casefold() for segment in self.segments[self.at : self.at + 4]]
        for length, phrase in ((1, "first"), (2, "on top"), (3, "at the top"), (2, "at top"), (2, "come first")):
            if " ".join(rest[:length]) == phrase:
                self._skipped = length
                return True
        if rest[:1] == ["to"] and self.at + 1 < len(self.segments):
            end = self.segments[self.at + 1]
            if end.kinds & {"most", "least"}:
                self._skipped = 2
                return True
        named = self.segments[self.at] if self.at < len(self.segments) else None
        if named is not None and named.piece is Piece.NAME and rest[1:2] == ["first"]:
            self._skipped = 2
            self.sketch.orders.append((Slot(named, "ordered"), None))
            return True
        return False

    _skipped = 0

    def _ordered_first(self, segment: Segment) -> None:
        """ "Oldest first" sorts, by what was named or by what the adjective speaks of."""
        self.at += self._skipped
        descending = bool(segment.kinds & {"most", "common"})
        orders = self.sketch.orders
        if orders and orders[-1][1] is None:
            orders[-1] = (orders[-1][0], descending)
            self.sketch.first = segment.adjective
        else:
            self.sketch.ranked.append(Ranked(descending, segment.adjective, words="first", limit=0))

    def _used(self, segment: Segment) -> bool:
        return any(segment.text in compared.words for compared in self.sketch.compared)

    def _count(self, segment: Segment) -> None:
        if self.ranking is not None and self.ranking.name is None and self.at - 2 >= 0:
            self.ranking.counted = True
            self.counting = True
            return
        if self.aggregates:
            # "The average number of seats": seats are numbers already.
            return
        self.counting = True
        if not self.ordering:
            self.sketch.counts = True

    def _aggregate(self, segment: Segment) -> None:
        aggregate = next(AGGREGATES[kind] for kind in AGGREGATES if kind in segment.kinds)
        if aggregate is Aggregate.AVERAGE and self.comparison is not None:
            compared = Compared(self._operation(self.comparison), average=True, adjective=self.comparison.adjective, words=segment.text)
            if self.last is not None and self.last.role in ("compared", "shown", "context") and self.comparison.adjective is None:
                compared.name = self.last
            self.sketch.compared.append(compared)
            self.comparison = None
            self.aggregates = []
            # What follows names the thing or the column that the average is of.
            after = self._peek()
            if after is not None and after.piece is Piece.NAME:
                self.at = self.segments.index(after) + 1
                slot = self._slot(after, "compared")
                follow = self._peek()
                compared.name = slot
                if follow is not None and follow.piece is Piece.NAME and self.segments.index(follow) == self.at:
                    self.at += 1
                    compared.name = self._slot(follow, "compared")
                    self.sketch.context.append(slot)
            return
        if self.ranking is not None and self.ranking.name is None and self.ranking.adjective is not None or (
            self.ranking is not None and self.ranking.name is None and self._after_rank()
        ):
            self.ranking.aggregate = aggregate
            self.ranking.adjective = None
            return
        self.aggregates.append(aggregate)

    def _after_rank(self) -> bool:
        before = self._previous()
        return before is not None and before.piece is Piece.CUE and bool(before.kinds & {"most", "least", "limit"})

    def _direction(self, descending: bool) -> None:
        orders = self.sketch.orders
        if orders and orders[-1][1] is None:
            orders[-1] = (orders[-1][0], descending)
        else:
            self.ordering = True
            self.sketch.orders.append(("direction", descending))

    def _operation(self, segment: Segment) -> str:
        return next(kind for kind in _COMPARISONS if kind in segment.kinds)

    def _compare(self, segment: Segment) -> None:
        """A comparison takes the number behind it, or the average."""
        after = self._peek(frozenset({"fill", "of", "show"}))
        if after is None:
            return
        operation = self._operation(segment)
        if after.piece is Piece.NUMBER and after.number is not None:
            self.at = self.segments.index(after) + 1
            numbers = [after.number]
            unit, money = after.unit, after.money
            if operation == "between":
                rest = self._peek(frozenset({"fill", "of", "and"}))
                if rest is not None and rest.piece is Piece.NUMBER and rest.number is not None:
                    self.at = self.segments.index(rest) + 1
                    numbers.append(rest.number)
                    unit, money = unit or rest.unit, money or rest.money
            self._number_compared("equal" if operation == "exactly" else operation, tuple(numbers), unit, money, segment)

    def _number_compared(
        self, operation: str, numbers: tuple[float, ...], unit: Unit | None, money: bool, segment: Segment | None
    ) -> None:
        compared = Compared(
            operation, numbers, unit=unit, money=money, adjective=segment.adjective if segment else None, negative=self.negative
        )
        self.negative = False
        compared.words = " ".join(f"{number:g}" for number in numbers)
        near = self.last if self.last is not None and self.last_at >= self.at - 5 else None
        if self.counting:
            compared.counted = True
        if self.aggregates:
            compared.aggregate = self.aggregates.pop()
        after = self._peek()
        if after is not None and after.piece is Piece.NAME:
            slot = Slot(after, "compared")
            compared.after = slot
            self.at = self.segments.index(after) + 1
            self.last, self.last_at = slot, self.at
        if near is not None and compared.adjective is None:
            compared.name = near
        self.comparison = None
        self.counting = False
        self.sketch.compared.append(compared)

    def _not(self, segment: Segment) -> None:
        if "missing" in segment.kinds and self.last is not None:
            if self.last not in self.sketch.missing:
                self.sketch.missing.append(self.last)
            return
        self.negative = True

    def _by(self, segment: Segment) -> None:
        after = self._peek()
        if after is None:
            return
        if after.piece is Piece.VALUE:
            self.preposition = "by"
            return
        if self.ordering:
            return
        before = self._previous()
        done = before is not None and (
            before.piece in (Piece.SOLD, Piece.VERB)
            or (before.piece is Piece.NAME and before.text.casefold().endswith("ed"))
        )
        if done and after.piece is Piece.NAME:
            # "Bought by customers in the USA": who did it, not what rows are gathered by.
            self.filtering = True
            return
        waits = self.ranking is not None and self.ranking.name is not None and self.sketch.limit is not None
        if after.piece is Piece.CUE and (after.kinds & set(AGGREGATES) or "count" in after.kinds):
            self.ordering = True
            return
        ranked = self.sketch.ranked[-1] if self.sketch.ranked else None
        graded = ranked is not None and (ranked.common or ranked.adjective is None or ranked.adjective.plain)
        if waits or (after.piece in (Piece.MONEY, Piece.SOLD)) or (graded and after.piece is Piece.NAME and not self.sketch.groups):
            self.ordering = True
            return
        self.grouping = True

    # Pieces

    def _name(self, segment: Segment) -> None:
        sketch = self.sketch
        before = self._before()
        beside = (
            before is not None
            and before.piece is Piece.NAME
            and self.last is not None
            and before.end == segment.start
        )
        ranking = self.ranking
        if self.negative and not self._value_follows():
            self.negative = False
            sketch.absent.append(self._slot(segment, "absent"))
            return
        if self.ordering:
            aggregate = self.aggregates.pop() if self.aggregates else None
            if self.counting:
                aggregate, self.counting = Aggregate.COUNT, False
            slot = self._slot(segment, "ordered", aggregate)
            if sketch.orders and sketch.orders[-1][0] == "direction":
                sketch.orders[-1] = (slot, sketch.orders[-1][1])
            else:
                sketch.orders.append((slot, None))
            self.ordering = self._listed_on()
            return
        if ranking is not None and ranking.name is None:
            role = "counted" if ranking.counted else "ranked"
            ranking.name = self._slot(segment, role, ranking.aggregate)
            self.counting = False
            self.ranking = ranking if sketch.limit is not None else None
            return
        if self.grouping:
            if self._name_follows():
                sketch.context.append(self._slot(segment, "context"))
                return
            sketch.groups.append(self._slot(segment, "grouped"))
            self.grouping = self._listed_on()
            return
        if self.counting:
            self.counting = False
            sketch.counted.append(self._slot(segment, "counted"))
            self.counting = False
            return
        if self.aggregates:
            follow = self._peek()
            nearer = follow is not None and follow.piece is Piece.NAME and self.segments.index(follow) == self.at
            if nearer:
                # "average invoice total": the thing, then the column of it.
                sketch.context.append(self._slot(segment, "context"))
                return
            if self.preposition == "of" and before is not None and "of" in before.kinds and sketch.measured:
                sketch.context.append(self._slot(segment, "context"))
                return
            slot = self._slot(segment, "measured")
            sketch.measured.extend((aggregate, slot) for aggregate in self.aggregates)
            self.aggregates = [] if not self._listed_on() else self.aggregates
            return
        if self._takes_number(segment):
            return
        if beside and before is not None and self.last is not None and before.end == segment.start and self.last.role in ("shown", "counted", "measured", "context"):
            # Two names in a row: "customer names", "invoice totals".
            role = self.last.role
            if role == "shown":
                sketch.shown.append(self._slot(segment, "shown"))
                return
            sketch.context.append(self._slot(segment, "context"))
            return
        if self.filtering:
            if self.preposition == "with" and before is not None and "with" in before.kinds:
                sketch.linked.append(self._slot(segment, "linked"))
            else:
                sketch.linked.append(self._slot(segment, "linked"))
            return
        if before is not None and "of" in before.kinds and (sketch.shown or sketch.counted or sketch.measured):
            sketch.context.append(self._slot(segment, "context"))
            return
        if sketch.shown and not self._listing(before) and not beside:
            sketch.context.append(self._slot(segment, "context"))
            return
        if sketch.counted or sketch.measured or (sketch.ranked and not self._listing(before)):
            sketch.context.append(self._slot(segment, "context"))
            return
        sketch.shown.append(self._slot(segment, "shown"))

    def _value_follows(self) -> bool:
        """Whether a "not" before a verb speaks of the value behind it: did not leave from Newark."""
        after = self._peek(frozenset({"fill", "of", "by", "with"}))
        return after is not None and after.piece is Piece.VALUE

    def _name_follows(self) -> bool:
        """Whether the next word is a name too: of two names in a row the last is meant."""
        after = self.segments[self.at] if self.at < len(self.segments) else None
        return after is not None and after.piece is Piece.NAME

    def _listing(self, before: Segment | None) -> bool:
        return before is not None and (before.text in (",",) or "and" in before.kinds)

    def _listed_on(self) -> bool:
        """Whether a list goes on: a comma or an "and" and then another name."""
        if self.at + 1 >= len(self.segments):
            return False
        first, second = self.segments[self.at], self.segments[self.at + 1]
        joins = first.text == "," or (first.piece is Piece.CUE and "and" in first.kinds)
        return joins and second.piece in (Piece.NAME, Piece.PART)

    def _takes_number(self, segment: Segment) -> bool:
        """A name directly before a number, or before a comparison with one."""
        after = self.segments[self.at] if self.at < len(self.segments) else None
        if after is None:
            return False
        if after.piece is Piece.NUMBER and after.number is not None and after.unit is None and self.sketch.limit is None:
            self.at += 1
            slot = self._slot(segment, "compared")
            self.sketch.compared.append(Compared("equal", (after.number,), name=slot, words=after.text, money=after.money))
            return True
        return False

    def _value(self, segment: Segment) -> None:
        before = self._previous()
        qualifier = None
        if before is not None and before.piece is Piece.NAME and before.end >= segment.start - 1:
            qualifier = self.last
        elif before is not None and before.piece is Piece.CUE and self.last is not None and self.at >= 3:
            named = self.segments[self.at - 3]
            verb = named.piece is Piece.NAME and named.text.casefold().endswith("ed") and "by" in before.kinds
            if (verb or self.like) and named is self.last.segment:
                # "Composed by X", "whose name contains X": the column is said.
                qualifier = self.last
                if verb and self.last in self.sketch.shown and len(self.sketch.shown) > 1:
                    self.sketch.shown.remove(self.last)
        if self.like and qualifier is None and self.last is not None:
            qualifier = self.last
        if self.comparison is not None and qualifier is None:
            self.comparison = None
        kept = Kept(segment, self.negative, self.either, qualifier, self.preposition, self.like)
        if before is not None and (before.text == "," or "and" in before.kinds) and self.at >= 3:
            kept.listed = self.segments[self.at - 3].piece is Piece.VALUE
        if before is not None and before.piece is not Piece.VALUE:
            self.either = False
        self.like = ""
        # "not A or B" rejects both.
        self.sketch.kept.append(kept)
        follow = self.segments[self.at] if self.at < len(self.segments) else None
        if not (follow is not None and (follow.kinds & {"or", "and"} or follow.text == ",")):
            self.negative = False
        if self.grouping:
            self.grouping = False

    def _number(self, segment: Segment) -> None:
        assert segment.number is not None
        after = self._peek()
        near = self.segments[self.at] if self.at < len(self.segments) else None
        if near is not None and near.kinds & {"or-more", "or-less"}:
            self.at += 1
            operation = "at-least" if "or-more" in near.kinds else "at-most"
            self._number_compared(operation, (segment.number,), segment.unit, segment.money, None)
            return
        if near is not None and near.kinds & {"most", "least", "common", "rare"}:
            self.sketch.limit = int(segment.number)
            return
        if self.ranking is not None and self.sketch.limit is None and segment.unit is None and after is not None and after.piece is Piece.NAME:
            self.sketch.limit = int(segment.number)
            return
        before = self._previous()
        if after is not None and after.piece is Piece.NAME and segment.unit is None and segment.number == int(segment.number):
            if segment.number == 1 and segment.stem == "one":
                return
            if self.filtering or self.preposition == "with":
                self._number_compared("equal", (segment.number,), segment.unit, segment.money, None)
                return
            slot = Slot(after, "compared")
            self.sketch.maybe = (int(segment.number), slot)
            self.at = self.segments.index(after) + 1
            self.last, self.last_at = slot, self.at
            return
        if segment.stem == "one":
            return
        verbs = {"cost", "costs", "priced", "is", "was", "are"}
        self._number_compared("equal", (segment.number,), segment.unit, segment.money, None)

    def _period(self, segment: Segment) -> None:
        assert segment.period is not None
        near = self.last if self.last is not None and self.last_at >= self.at - 2 else None
        self.sketch.dated.append(Dated(segment.period, self.negative, tuple(self.sketch.verbs), near))
        self.negative = False
        self.comparison = None

    def _part(self, segment: Segment) -> None:
        if self.grouping or self.ordering:
            self.sketch.groups.append(segment.part)
            self.grouping = self._listed_on()
            self.ordering = False
            return
        if segment.text.casefold().endswith("ly") and segment.text.casefold() not in ("july",):
            self.sketch.groups.append(segment.part)
            return
        if self.ranking is not None and self.ranking.name is None:
            self.sketch.groups.append(segment.part)
            return
        if segment.names:
            self._name(segment)
            return
        before = self._previous()
        if before is not None and before.text.casefold() in ("which", "what", "in which", "in what"):
            self.sketch.groups.append(segment.part)
            return
        self.sketch.parts_said.append(segment.part)

    def _money(self, segment: Segment) -> None:
        sketch = self.sketch
        sketch.verbs.append(segment.stem)
        if self.negative:
            self.negative = False
            sketch.absent_verbs.append(segment.stem)
            return
        if self.ordering:
            sketch.orders.append(("money", None))
            self.ordering = False
            self.aggregates = []
            return
        if self.ranking is not None and self.ranking.name is None:
            self.ranking.money = True
            self.ranking = None
            return
        if self.comparison is not None:
            return
        if self.aggregates and not sketch.measured:
            sketch.measured.append((self.aggregates.pop(), None))
            return
        if segment.text.casefold() in ("made", "make", "makes", "paid", "pay", "spent", "spend", "earn", "earned", "earns", "sell", "billed"):
            # A verb: "how much did we make", "customers who spent more than 45".
            sketch.spent = True
            self.last = None
            return
        aggregate = self.aggregates.pop() if self.aggregates else None
        sketch.measured.append((aggregate, None))
        self.counting = False

    def _sold(self, segment: Segment) -> None:
        sketch = self.sketch
        sketch.verbs.append(segment.stem)
        if self.negative:
            self.negative = False
            sketch.absent_verbs.append(segment.stem)
            return
        if self.ordering or (self.ranking is not None and self.ranking.name is None):
            sketch.orders.append(("sold", None))
            self.ordering = False
            return
        sketch.sold = True

    def _share(self, segment: Segment) -> None:
        self.sketch.share = True

    def _who(self, segment: Segment) -> None:
        if self.at <= 2 and not self.sketch.shown and not self.sketch.counted:
            self.sketch.who = True
        else:
            self.filtering = True

    def _how(self, segment: Segment) -> None:
        if segment.adjective is not None:
            self.sketch.how.append(segment.adjective)

    def _unit(self, segment: Segment) -> None:
        self.sketch.unit = segment.unit

    def _when(self, segment: Segment) -> None:
        self.sketch.when = True

    def _where(self, segment: Segment) -> None:
        if self.at <= 2 and not self.sketch.shown:
            self.sketch.place = True
        else:
            self.filtering = True

    def _verb(self, segment: Segment) -> None:
        self.sketch.verbs.append(segment.stem)
        if self.negative:
            self.negative = False
            self.sketch.absent_verbs.append(segment.stem)

    def _mark(self, segment: Segment) -> None:
        return

    def _unknown(self, segment: Segment) -> None:
        self.sketch.uncovered.append(segment.text)

    def _finish(self) -> None:
        sketch = self.sketch
        # What was said and found nothing to speak of is as good as a word that nothing covers.
        for waits, word in (
            (self.negative, "not"),
            (self.grouping, "by"),
            (self.comparison is not None, self.comparison.text if self.comparison else ""),
            (bool(self.like), self.like),
        ):
            if waits:
                sketch.dropped.append(word)
        for segment in self.segments:
            if segment.text.casefold() in _DEMANDING:
                sketch.dropped.append(segment.text)
        if self.aggregates and not sketch.measured:
            # "What does a bottle cost on average": what was shown is measured.
            slot = sketch.shown.pop() if sketch.shown else None
            if slot is not None:
                slot.role = "measured"
            for aggregate in self.aggregates:
                sketch.measured.append((aggregate, slot))
        if self.counting and not sketch.counted and not sketch.ranked:
            sketch.counts = True
