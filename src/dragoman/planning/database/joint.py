"""Two planners over one database, heard together: how sure their readings are, on one scale.

The planner of frames knows the whole schema and reads as analysts talk; the planner of phrases has learned
how questions over one or two tables are worded. Each is wrong where the other is not. What both say is
sure; what only one says is as sure as it has been so far; where both are sure and differ, nobody is.
"""

import datetime as dt
import math
import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dragoman.contracts.objection import Objection
from dragoman.contracts.program import Program, Statement
from dragoman.contracts.record import Record
from dragoman.databases.values import ValueIndex
from dragoman.planning.database.doubts import Doubts
from dragoman.planning.database.follow_up import follow_ups, leaning_of
from dragoman.planning.database.follow_up_evidence import rival_of
from dragoman.planning.database.judgement import Framed, Learned, evidence, judgement, probability
from dragoman.planning.database.lean import lean_of
from dragoman.planning.database.offers import Chances, Offer, offers
from dragoman.planning.database.offers import weighed as weighed_offers
from dragoman.planning.database.planner import QuestionPlanner, Reading
from dragoman.planning.database.sameness import alike, columns_shown, place_of, rows_said
from dragoman.planning.tables.day_spans import DaySpan
from dragoman.planning.tables.lexicon import others_spoken
from dragoman.planning.tables.table_planner import TablePlanner
from dragoman.planning.tables.table_reading import TableReading
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.periods import Bound, PeriodMention
from dragoman.review.records import NOTHING, Carried, Said
from dragoman.review.review import review
from dragoman.tables.graph import Graph

SURE = 0.79
"""From this probability on a reading is taken."""
_THRESHOLD = 0.80
"""The probability by the learned weights that stands for SURE: measured, not chosen."""
_LEANS = 0.3
"""How much a message leans, at least, that is about the one before. Nearly all are far from it: of 600 new
questions nine in ten have nothing of it, of 575 follow-ups two in a hundred."""
_FEWEST = 2
_MOST = 6
_DECAY = 5.0
"""How fast the probability of other readings falls with their distance from the best."""
_FAR = 3.0


_Case = tuple[str, Program, Program, dt.date | None]


class Heard(Record, frozen=True, gc=True):
    """The readings of the two planners, and the best of each compared with the others."""

    frames: tuple[Reading, ...]
    phrases: tuple[TableReading, ...]
    framed: Framed | None
    learned: Learned | None


class JointPlanner:
    """Plans questions over one database by two planners."""

    def __init__(
        self,
        frames: QuestionPlanner,
        phrases: TablePlanner,
        values: ValueIndex,
        probe: Callable[[Statement], int | None] | None = None,
        *,
        reviews: bool = True,
    ) -> None:
        """`probe` tries a statement and tells how many rows it gives, where that is soon known: a reading
        that finds nothing, or everything, is less likely what was meant. Where it does not review, nothing
        is objected to: what the second reader is worth is measured so."""
        self._frames = frames
        self._phrases = phrases
        self._values = values
        self._probe = probe
        self._reviews = reviews
        self._doubts = Doubts(frames)
        self._reviewed: tuple[str, dict[_Case, tuple[Objection, ...]]] = ("", {})

    @property
    def graph(self) -> Graph:
        """The tables, and what links them."""
        return self._frames.things.graph

    def readings(
        self,
        text: str,
        previous: Statement | None = None,
        spans: Sequence[DaySpan] = (),
        periods: Sequence[PeriodMention] = (),
        today: dt.date | None = None,
        language: str = "en",
        reference: dt.date | None = None,
    ) -> tuple[TableReading, ...]:
        """The readings of a message, the surest first. `reference` is the day that relative periods were
        counted from, where there are any."""
        if others_spoken(text):
            # The words of analysts are known in English alone so far.
            return self._phrases.readings(text, previous, spans)
        heard = self.heard(text, previous, spans, periods, today, language, reference)
        found = self.weighed(text, heard, previous, periods)
        if not found:
            return found
        best, in_hand = found[0], previous if found[0].follow_up else None
        if is_sure(best) and not self._against(text, language, best.statement, in_hand, reference):
            return found
        offered = self.offers(text, heard, previous, language, reference)
        return weighed_offers(offered, follow_up=previous is not None)

    def is_new(self, text: str, previous: Statement, periods: Sequence[PeriodMention] = ()) -> bool:
        """Whether a message is a question of its own, although something was asked before: none of its words
        leans on that. It is then read as if nothing had been asked."""
        lean = lean_of(text)
        # A bare "addresses" is about whatever was asked for.
        if others_spoken(text) or lean.words < _FEWEST:
            return False
        return leaning_of(lean, previous, self._frames, periods) < _LEANS

    def weighed(
        self,
        text: str,
        heard: Heard,
        previous: Statement | None = None,
        periods: Sequence[PeriodMention] = (),
    ) -> tuple[TableReading, ...]:
        """The readings of both planners, the surest first."""
        joined = _weighed(text, heard, previous)
        # "From March" may be within it or since it.
        unclear = any(each.bound in (Bound.FROM, Bound.UNCLEAR) and not each.is_day for each in periods)
        doubted = [self._doubts.doubted(each, text, previous, unclear=unclear) for each in joined]
        return tuple(sorted(doubted, key=lambda each: (bool(each.uncovered), -each.score)))

    def offers(
        self,
        text: str,
        heard: Heard,
        previous: Statement | None = None,
        language: str = "en",
        reference: dt.date | None = None,
    ) -> list[Offer]:
        """The readings that could be offered, with what speaks for each."""

        def against(statement: Statement, follows: bool) -> int:
            return self._against(text, language, statement, previous if follows else None, reference)

        chances = Chances(*_chances(text, heard, previous))
        return offers(
            heard.frames, heard.phrases, chances, against, lambda reading: _told(text, reading, 0.0)
        )

    def objections(
        self,
        text: str,
        language: str,
        program: Program,
        in_hand: Program = (),
        reference: dt.date | None = None,
    ) -> tuple[Objection, ...]:
        """What a second reader has against a program. `reference` is the day that relative periods count
        from, where that is known."""
        if not self._reviews:
            return ()
        # What is weighed here is what is examined later: of one message everything is reviewed once.
        message, known = self._reviewed
        if message != text:
            self._reviewed = _, known = (text, {})
        key = (language, tuple(map(_unbound, program)), in_hand, reference)
        if key not in known:
            known[key] = self._review(text, *key)
        return known[key]

    def _review(
        self, text: str, language: str, program: Program, in_hand: Program, reference: dt.date | None
    ) -> tuple[Objection, ...]:
        carried = carried_from(in_hand) if in_hand else NOTHING
        found = review(text, language, program, self.graph, carried, self._values, reference)
        return tuple(
            Objection(each.code.value, (each.words,) if each.words else (), each.text)
            for each in found.objections
            # The second reader knows the schema; what a pack calls a table is a name of it all the same.
            if not each.words or each.words.casefold() not in self._frames.things.pack_words
        )

    def _read(
        self,
        text: str,
        previous: Statement | None,
        periods: Sequence[PeriodMention],
        today: dt.date | None,
    ) -> tuple[Reading, ...]:
        if previous is None:
            return self._frames.readings(text, periods, today)
        return follow_ups(text, previous, self._frames, periods, today)

    def heard(
        self,
        text: str,
        previous: Statement | None = None,
        spans: Sequence[DaySpan] = (),
        periods: Sequence[PeriodMention] = (),
        today: dt.date | None = None,
        language: str = "en",
        reference: dt.date | None = None,
    ) -> Heard:
        """What each planner makes of a message, side by side."""
        phrases = self._phrases.readings(text, previous, spans)
        found = self._read(text, previous, periods, today)
        framed, learned = None, None
        if found:
            best = found[0]
            in_hand = previous if best.follows else None
            against = self._against(text, language, best.statement, in_hand, reference)
            place = place_of(best.statement, [each.statement for each in phrases])
            framed = Framed(best, against, _margin(found, _FAR), place, rival=rival_of(found))
        if phrases:
            first = phrases[0]
            in_hand = previous if first.follow_up else None
            against = self._against(text, language, first.statement, in_hand, reference)
            place = place_of(first.statement, [each.statement for each in found])
            learned = Learned(first, against, _margin(phrases, first.score), place)
        return self._tried(text, Heard(found, phrases, framed, learned), previous)

    def _tried(self, text: str, heard: Heard, previous: Statement | None) -> Heard:
        """The likelier of the two is tried, if it would be taken: what it gives may tell against it."""
        one, other = _chances(text, heard, previous)
        if self._probe is None or max(one, other) < _THRESHOLD:
            return heard
        if heard.framed is not None and one >= other:
            rows = self._probe(heard.framed.reading.statement)
            return replace(heard, framed=replace(heard.framed, rows=rows))
        if heard.learned is not None:
            rows = self._probe(heard.learned.reading.statement)
            return replace(heard, learned=replace(heard.learned, rows=rows))
        return heard

    def _against(
        self,
        text: str,
        language: str,
        statement: Statement,
        in_hand: Statement | None,
        reference: dt.date | None,
    ) -> int:
        """How many objections there are to a statement."""
        before = () if in_hand is None else (in_hand,)
        return len(self.objections(text, language, (statement,), before, reference))


def _margin(found: Sequence[Reading] | Sequence[TableReading], alone: float) -> float:
    """How far the best reading is from the next that asks something else; `alone` where there is none."""
    best = found[0]
    others = [each.score for each in found if not alike(each.statement, best.statement)]
    return best.score - max(others) if others else alone


def _chances(text: str, heard: Heard, previous: Statement | None) -> tuple[float, float]:
    """How likely the best reading of each planner is right."""
    marks = evidence(text, heard.framed, heard.learned, follows=previous is not None)
    weights = judgement().questions if previous is None else judgement().follow_ups
    one = probability(weights.framed, marks) if heard.framed is not None else 0.0
    other = probability(weights.learned, marks) if heard.learned is not None else 0.0
    if other > one and _forgets(heard):
        return other, one
    return one, other


def _forgets(heard: Heard) -> bool:
    """Whether the learned reading is the framed one without some of its conditions: words that the one
    accounts for, the other has dropped."""
    if heard.framed is None or heard.learned is None:
        return False
    full, short = heard.framed.reading, heard.learned.reading.statement
    if full.uncovered or heard.framed.objections or full.statement.verb != short.verb:
        return False
    more, less = rows_said(full.statement), rows_said(short)
    return len(less) < len(more) and all(more.get(name) == value for name, value in less.items())


def _weighed(text: str, heard: Heard, previous: Statement | None) -> list[TableReading]:
    """The readings of both planners, each with a probability. What both say is said once."""
    framed, learned = heard.framed, heard.learned
    one, other = _chances(text, heard, previous)
    agree = framed is not None and framed.learned_place == 0
    if agree:
        one = other = max(one, other)
    # Only one reading is meant: what is left by the likelier planner is all that others can have.
    left = 1.0 - max(one, other)
    frames = _shared(text, heard.frames, one if one >= other else min(one, left), left)
    share = other if other > one else min(other, left)
    phrases = [
        replace(each, score=round(_scaled(min(share, left) * 0.5 if place else share), 4))
        for place, each in enumerate(heard.phrases[:2])
    ]
    if framed is None or learned is None or not agree:
        return [*frames, *phrases]
    best = frames[0]
    covered = () if learned.reading.score >= SURE and not learned.reading.uncovered else best.uncovered
    # What is asked for by name is shown alone, unless only that is objected to; otherwise what tells rows
    # apart is shown too.
    shorter = _is_shorter(learned.reading, framed.reading) and not best.uncovered
    alone = shorter and learned.objections <= framed.objections
    # Of the same rows that is shown which nobody objects to.
    cleared = bool(framed.objections) and not learned.objections
    chosen = learned.reading if alone or cleared else best
    joined = replace(chosen, score=best.score, uncovered=covered, follow_up=best.follow_up)
    return [joined, *frames[1:], *phrases[1:]]


def _unbound(statement: Statement) -> Statement:
    return replace(statement, binds="") if statement.binds else statement


def carried_from(in_hand: Program) -> Carried:
    """What the program in hand grants to its edits."""
    return Carried((Said("the program in hand", program=in_hand),))


def _shared(text: str, found: Sequence[Reading], best: float, left: float) -> list[TableReading]:
    """The best readings of the planner of frames. Others than the first have a share of its probability, as
    far as it is left."""
    weighed = []
    for reading in found[:_MOST]:
        share = best
        if reading is not found[0]:
            share = min(left, best * math.exp(-_DECAY * max(0.0, found[0].score - reading.score)))
        weighed.append(_told(text, reading, round(_scaled(share), 4)))
    return weighed


def _told(text: str, reading: Reading, score: float) -> TableReading:
    """A reading of the planner of frames as one of the joint planner."""
    notes = tuple(f"guessed: {guess}" for guess in dict.fromkeys(reading.guesses))
    # A period or a number that found no column is a part of the question that the reading lacks.
    uncovered = (*reading.uncovered, *_lost(text, reading))
    return TableReading(reading.statement, score, uncovered, notes, reading.follows)


def is_sure(reading: TableReading) -> bool:
    """Whether a reading may be taken without asking."""
    return reading.score >= SURE and not reading.uncovered


_NUMBERS = re.compile(r"\d[\d.,]*")


def _lost(text: str, reading: Reading) -> tuple[str, ...]:
    """The words of a period or a number that found no column."""
    if not {"period", "number"} & set(reading.guesses):
        return ()
    periods = [each.text for each in period_grammar().find(text)] if "period" in reading.guesses else []
    numbers = _NUMBERS.findall(text) if "number" in reading.guesses and not periods else []
    return tuple(periods or numbers or [text])


def _is_shorter(learned: TableReading, framed: Reading) -> bool:
    """Whether a reading shows only some of what another does, where columns were asked for by name; or the
    same, in an order that does not end with what was asked for: which of equals comes first is settled."""
    shown, others = columns_shown(learned.statement), columns_shown(framed.statement)
    lists = learned.statement.verb.endswith(".list")
    if shown == others and not lists:
        return any(each.name == "order" for each in learned.statement.arguments)
    return framed.explicit and bool(shown) and (lists or shown < others)


def _scaled(probability: float) -> float:
    """A probability with the threshold of this planner put on that of all."""
    if probability >= _THRESHOLD:
        return SURE + (probability - _THRESHOLD) / (1 - _THRESHOLD) * (0.99 - SURE)
    return probability / _THRESHOLD * SURE
