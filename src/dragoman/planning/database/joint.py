"""Two planners over one database, heard together: how sure their readings are, on one scale.

The planner of frames knows the whole schema and reads as analysts talk; the planner of phrases has learned
how questions over one or two tables are worded. Each is wrong where the other is not. What both say is
sure; what only one says is as sure as it has been so far; where both are sure and differ, nobody is.
"""

import datetime as dt
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dragoman.contracts.objection import Objection
from dragoman.contracts.program import Program, Statement
from dragoman.databases.values import ValueIndex
from dragoman.locales.registry import FALLBACK
from dragoman.planning.database.asides import without_asides
from dragoman.planning.database.belief import believed, believed_edit
from dragoman.planning.database.detours import Detours, without_detours
from dragoman.planning.database.doubts import Doubts
from dragoman.planning.database.follow_up_evidence import rival_of
from dragoman.planning.database.hearing import (
    THRESHOLD,
    Heard,
    chances,
    is_nearly_sure,
    is_sure,
    weighed,
)
from dragoman.planning.database.joins import Joins
from dragoman.planning.database.judgement import Framed, Learned
from dragoman.planning.database.lean import lean_of
from dragoman.planning.database.number_spelling import NO_NUMBERS, NumberSpelling
from dragoman.planning.database.offers import Chances, Offer, Second, offers
from dragoman.planning.database.offers import weighed as weighed_offers
from dragoman.planning.database.other_dates import OtherDates, on_other_dates
from dragoman.planning.database.other_steps import holds_others
from dragoman.planning.database.period_shifts import telling_rows
from dragoman.planning.database.planner import QuestionPlanner, Reading
from dragoman.planning.database.sameness import place_of
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.database.told_endings import with_plain_ending
from dragoman.planning.database.told_readings import (
    holds_to_average,
    lead,
    margin,
    told,
    unobjected_first,
)
from dragoman.planning.database.tried_offers import rows_behind
from dragoman.planning.pivot.pivot import Pivot, spans_of, typed, typed_objection
from dragoman.planning.tables.day_spans import DaySpan
from dragoman.planning.tables.lexicon import others_spoken
from dragoman.planning.tables.schema_names import Things
from dragoman.planning.tables.table_planner import TablePlanner
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.teaching.taught_columns import TaughtColumns
from dragoman.reading.periods import Bound, PeriodMention
from dragoman.review.records import NOTHING, Carried, Said
from dragoman.review.review import review
from dragoman.tables.graph import Graph

_LEANS = 0.3
"""So much a message leans that is about the one before: of 600 new questions nine in ten do not at all."""
_FEWEST = 2
_FAR = 3.0


_Case = tuple[str, Program, Program, dt.date | None]


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
        taught: TaughtColumns | None = None,
        numbers: NumberSpelling = NO_NUMBERS,
    ) -> None:
        """`probe` tries a statement and tells how many rows it gives, where that is soon known: a reading
        that finds nothing, or everything, is less likely what was meant. Where it does not review, nothing is
        objected to. What it reads has the `taught` columns, and `numbers` where some texts are."""
        self._frames = frames
        self._phrases = phrases
        self.values = values
        self._probe = probe
        self._reviews = reviews
        self._taught = taught
        self._numbers = numbers
        self._doubts = Doubts(frames)
        self._pivot = Pivot(self.schema_words, values)
        self._reviewed: tuple[str, dict[_Case, tuple[Objection, ...]]] = ("", {})

    def hearing(self, text: str, language: str) -> "JointPlanner":
        """Who hears a message: the planner that knows the taught words that it has."""
        return self

    @property
    def graph(self) -> Graph:
        """The tables, and what links them."""
        return self._frames.things.graph

    @property
    def things(self) -> Things:
        """Everything that a word can name."""
        return self._frames.things

    def in_english(self, text: str) -> str:
        """A text of another language in English; empty where there is no way to it."""
        said = self._pivot.rendering(text)
        return said.text if said is not None and not said.unknown else ""

    @property
    def joins(self) -> Joins:
        """The ways between the tables."""
        return self._frames.joins

    @property
    def schema_words(self) -> SchemaWords:
        """What is known of the schema, and what finds its names in messages."""
        return SchemaWords(self._frames.knowledge, self._frames.linker)

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
        """The readings of a message, the surest first. `reference`: the day that periods count from."""
        planned = previous and self._numbers.plain(previous)
        found = self._found(text, planned, spans, periods, today, language, reference)
        found, say = found if self._taught is None else self._taught.without(found), self._numbers.said
        return tuple(replace(each, statement=said) for each in found if (said := say(each.statement)))

    def _found(
        self,
        text: str,
        previous: Statement | None,
        spans: Sequence[DaySpan],
        periods: Sequence[PeriodMention],
        today: dt.date | None,
        language: str,
        reference: dt.date | None,
    ) -> tuple[TableReading, ...]:
        """The readings as the two planners write them, by way of English where another language is spoken."""
        said = self._pivot.rendering(text)
        if said is not None:
            placed = said.placed_periods(periods)
            found = self._readings(said.text, previous, spans_of(placed), placed, today, FALLBACK, reference)
            return tuple(typed(each, said) for each in found)
        if others_spoken(text):
            # The words of analysts are known in English alone, and there is no way to it.
            return self._phrases.readings(text, previous, spans)
        return self._readings(text, previous, spans, periods, today, language, reference)

    def _readings(
        self,
        text: str,
        previous: Statement | None,
        spans: Sequence[DaySpan],
        periods: Sequence[PeriodMention],
        today: dt.date | None,
        language: str,
        reference: dt.date | None,
    ) -> tuple[TableReading, ...]:
        """The readings of an English question."""
        text = self._plain(text)
        heard = self.heard(text, previous, spans, periods, today, language, reference)
        found = judged = self.weighed(text, heard, previous, periods)
        if not found:
            return found
        best, in_hand = found[0], previous if found[0].follow_up else None
        if is_sure(best) and not self._against(text, language, best.statement, in_hand, reference):
            return found
        offered = self.offers(text, heard, previous, language, reference)
        found = weighed_offers(offered, follow_up=previous is not None)
        in_hand = previous if found and found[0].follow_up else None

        def is_clear(statement: Statement) -> bool:
            return not self._against(text, language, statement, in_hand, reference)

        def will_do(statement: Statement) -> bool:
            return is_clear(statement) and self._rows_of(rows_behind(statement), in_hand) != 0

        found = on_other_dates(found, OtherDates(self._frames.knowledge), will_do)
        if previous is None:
            detours = Detours(text, self.things, is_clear)
            return believed(without_detours(found, detours), judged, heard, detours, will_do)
        return believed_edit(text, previous, found, heard, will_do, self._doubts)

    def _plain(self, text: str) -> str:
        return with_plain_ending(without_asides(text, self.things.by_word))

    def own_words(self, text: str) -> str:
        """A message without the words that only open it; every other word in its place."""
        return text if others_spoken(text) else lean_of(text).own

    def is_new(self, text: str, previous: Statement, periods: Sequence[PeriodMention] = ()) -> bool:
        """Whether a message is a question of its own, although something was asked before. It is then read
        as if nothing had been asked."""
        said = self._pivot.rendering(text)
        if said is not None:
            text, periods = said.text, said.placed_periods(periods)
        lean = lean_of(text)
        # A bare "addresses" is about whatever was asked for.
        if (said is None and others_spoken(text)) or lean.words < _FEWEST:
            return False
        from dragoman.planning.database.follow_up import leaning_of

        return leaning_of(lean, self._numbers.plain(previous), self._frames, periods) < _LEANS

    def weighed(
        self,
        text: str,
        heard: Heard,
        previous: Statement | None = None,
        periods: Sequence[PeriodMention] = (),
    ) -> tuple[TableReading, ...]:
        """The readings of both planners, the surest first."""
        joined = weighed(text, heard, previous)
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

        def tried(statement: Statement, follows: bool) -> int | None:
            return self._rows_of(statement, previous if follows else None)

        second = Second(
            against,
            lambda statement: self._doubts.shows_nobody(text, statement),
            tried if self._probe is not None else None,
        )
        likely = Chances(*chances(text, heard, previous))
        return offers(heard.frames, heard.phrases, likely, second, lambda reading: told(text, reading, 0.0))

    def objections(
        self,
        text: str,
        language: str,
        program: Program,
        in_hand: Program = (),
        reference: dt.date | None = None,
    ) -> tuple[Objection, ...]:
        """What a second reader has against a program. `reference`: the day that periods count from."""
        said = self._pivot.rendering(text)
        if said is None:
            return self._objections(text, language, program, in_hand, reference)
        found = self._objections(said.text, FALLBACK, program, in_hand, reference)
        return tuple(typed_objection(each, said) for each in found)

    def _objections(
        self, text: str, language: str, program: Program, in_hand: Program, reference: dt.date | None
    ) -> tuple[Objection, ...]:
        if not self._reviews:
            return ()
        text = self._plain(text)
        # What is weighed here is what is examined later: of one message everything is reviewed once.
        program, in_hand = (tuple(map(self._as_written, each)) for each in (program, in_hand))
        message, known = self._reviewed
        if message != text:
            self._reviewed = _, known = (text, {})
        key = (language, tuple(map(_unbound, program)), in_hand, reference)
        if key not in known:
            known[key] = self._review(text, *key)
        return known[key]

    def _as_written(self, statement: Statement) -> Statement:
        """A statement of a program, as it is reviewed: as its planner wrote it."""
        if self._taught is None:
            return self._numbers.plain(statement)
        return self._taught.as_written(self._numbers.plain(self._taught.as_written(statement)))

    def _review(
        self, text: str, language: str, program: Program, in_hand: Program, reference: dt.date | None
    ) -> tuple[Objection, ...]:
        carried = Carried((Said("the program in hand", program=in_hand),)) if in_hand else NOTHING
        found = review(text, language, program, self.graph, carried, self.values, reference)
        return tuple(
            Objection(each.code.value, (each.words,) if each.words else (), each.text)
            for each in found.objections
            # The second reader knows the schema; what a pack calls a table is a name of it all the same.
            if not each.words or not self._frames.things.is_called(each.words)
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
        # The first question of a process is no follow-up, and need not wait for what reads them.
        from dragoman.planning.database.follow_up import follow_ups

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
        if self._taught is not None:
            phrases = self._taught.meant(text, phrases, lambda each: each.follow_up)
            found = self._taught.meant(text, found, lambda each: each.follows)
        framed, learned = None, None
        if found:

            def against_reading(reading: Reading) -> int:
                in_hand = previous if reading.follows else None
                return self._against(text, language, reading.statement, in_hand, reference)

            found = unobjected_first(found, against_reading)
            best = found[0]
            against = against_reading(best)
            place = place_of(best.statement, [each.statement for each in phrases])
            framed = Framed(best, against, margin(found, _FAR), place, rival=rival_of(found))
        if phrases:
            first = phrases[0]
            in_hand = previous if first.follow_up else None
            against = self._against(text, language, first.statement, in_hand, reference)
            place = place_of(first.statement, [each.statement for each in found])
            learned = Learned(first, against, margin(phrases, first.score), place)
        heard = Heard(found, phrases, framed, learned)

        def with_lead(heard: Heard) -> Heard:
            if heard.framed is None or not is_nearly_sure(*chances(text, heard, previous), previous):
                return heard
            return replace(heard, framed=replace(heard.framed, lead=lead(found, against_reading, _FAR)))

        # What was sure may only be nearly sure once it was tried: all rows are seldom asked for.
        return with_lead(self._tried(text, with_lead(heard), previous))

    def _tried(self, text: str, heard: Heard, previous: Statement | None) -> Heard:
        """The likelier of the two is tried, if it would be taken: what it gives may tell against it."""
        one, other = chances(text, heard, previous)
        if self._probe is None or max(one, other) < THRESHOLD:
            return heard
        if heard.framed is not None and one >= other:
            rows = self._rows_of(heard.framed.reading.statement, previous)
            return replace(heard, framed=replace(heard.framed, rows=rows))
        if heard.learned is not None:
            rows = self._rows_of(heard.learned.reading.statement, previous)
            return replace(heard, learned=replace(heard.learned, rows=rows))
        return heard

    def _rows_of(self, statement: Statement, previous: Statement | None) -> int | None:
        """How many rows a statement gives, where that may tell against it: half of them are above average."""
        rows = None if self._probe is None else telling_rows(self._probe, statement, previous)
        if (rows and holds_to_average(statement)) or holds_others(statement):
            return None
        return rows

    def _against(
        self,
        text: str,
        language: str,
        statement: Statement,
        in_hand: Statement | None,
        reference: dt.date | None,
    ) -> int:
        """How many objections there are to a statement."""
        return len(self._objections(text, language, (statement,), (in_hand,) if in_hand else (), reference))


def _unbound(statement: Statement) -> Statement:
    return replace(statement, binds="") if statement.binds else statement
