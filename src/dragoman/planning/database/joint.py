"""Two planners over one database, heard together: how sure their readings are, on one scale.

The planner of frames knows the whole schema and reads as analysts talk; the planner of phrases has learned
how questions over one or two tables are worded. Each is wrong where the other is not. What both say is
sure; what only one says is as sure as it has been so far; where both are sure and differ, nobody is.
"""

import datetime as dt
import math
import re
from collections.abc import Sequence
from functools import cached_property

from msgspec.structs import replace

from dragoman.contracts.objection import Objection
from dragoman.contracts.program import Date, Entry, Map, Program, Statement, Text, Value
from dragoman.contracts.program import Sequence as Sequence_
from dragoman.databases.values import ValueIndex
from dragoman.language.types import parts
from dragoman.planning.database.follow_up import follow_ups
from dragoman.planning.database.lean import lean_of
from dragoman.planning.database.planner import QuestionPlanner, Reading
from dragoman.planning.database.vocabulary import words_in
from dragoman.planning.tables.lexicon import ENGLISH, others_spoken, spoken
from dragoman.planning.tables.planner import TablePlanner, TableReading
from dragoman.planning.tables.spans import DaySpan
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.periods import Bound, PeriodMention
from dragoman.review.records import NOTHING, Carried, Said
from dragoman.review.review import review
from dragoman.tables.graph import Table

SURE = 0.79
"""From this probability on a reading is taken."""
_THRESHOLD = 0.70
"""The probability by the weights below that stands for SURE: measured, not chosen."""
_MOST = 3
_DECAY = 5.0
"""How fast the probability of other readings falls with their distance from the best."""
_LEANING, _DOUBTED = 0.8, 0.6
_HELD = 0.35
_UNSAID = frozenset({"columns", "distinct", "as", "ties", "on"})
"""Arguments in which two programs may differ that mean the same."""

# Of one reading: what speaks for it, and what against. Fitted by logistic regression on first readings
# whose answers are known.
_BIAS, _COVERED, _UNCOVERED, _GUESS, _MARGIN = -0.6, 0.15, -0.25, -0.8, 0.8
_WORTH, _CLEAR, _OBJECTION, _LENGTH, _GATHERED = 2.1, 0.4, -1.1, -1.6, 0.2


class JointPlanner:
    """Plans questions over one database by two planners."""

    def __init__(self, frames: QuestionPlanner, phrases: TablePlanner, values: ValueIndex) -> None:
        self._frames = frames
        self._phrases = phrases
        self._values = values

    def readings(
        self,
        text: str,
        previous: Statement | None = None,
        spans: Sequence[DaySpan] = (),
        periods: Sequence[PeriodMention] = (),
        today: dt.date | None = None,
        language: str = "en",
    ) -> tuple[TableReading, ...]:
        """The readings of a message, the surest first."""
        phrases = self._phrases.readings(text, previous, spans)
        if others_spoken(text):
            # The words of analysts are known in English alone so far.
            return phrases
        found = self._read(text, previous, periods, today)
        explicit = bool(found) and found[0].explicit
        frames = self._weighed(text, language, found, previous)
        joined = self._joined(text, language, frames, phrases, previous, explicit=explicit)
        # "From March" may be within it or since it.
        unclear = any(each.bound in (Bound.FROM, Bound.UNCLEAR) and not each.is_day for each in periods)
        doubted = [self._doubted(each, text, previous, unclear=unclear) for each in joined]
        return tuple(sorted(doubted, key=lambda each: (bool(each.uncovered), -each.score)))

    def _doubted(
        self, reading: TableReading, text: str, previous: Statement | None, *, unclear: bool
    ) -> TableReading:
        """A reading is not sure where the message leans on an answer and the reading does not, or where it
        asks who and nobody is shown."""
        leans = previous is not None and lean_of(text).strength >= _LEANING and not reading.follow_up
        words = text.casefold().split()
        who = bool(words) and words[0] in words_in(spoken(text)).who
        # A name by a word that is only near it is worth a question.
        weak = "guessed: word" in reading.notes
        nobody = who and not self._shows_people(reading.statement)
        if leans or weak or nobody or (unclear and _dated(reading.statement)):
            return replace(reading, score=min(reading.score, _DOUBTED))
        return reading

    def _shows_people(self, statement: Statement) -> bool:
        table = self._frames.things.graph.by_name.get(statement.verb.rpartition(".")[0])
        shown = [each.value for each in statement.arguments if each.name in ("columns", "by")]
        if not shown:
            return table is not None and self._is_people(table)
        texts = [
            item for value in shown for item in (value.items if isinstance(value, Sequence_) else (value,))
        ]
        last = {item.value.split("/")[-1] for item in texts if isinstance(item, Text)}
        return bool(last & self._names_of_people)

    def _is_people(self, table: Table) -> bool:
        knowledge = self._frames.knowledge
        words = set(knowledge.things.table_thing[table.key].words)
        return len(knowledge.labels(table)) > 1 or bool(words & words_in(ENGLISH).people)

    @cached_property
    def _names_of_people(self) -> frozenset[str]:
        """What programs call the columns that name people."""
        tables = [table for table in self._frames.things.graph.tables.values() if self._is_people(table)]
        labels = [label for table in tables for label in self._frames.knowledge.labels(table)]
        return frozenset(label.column.name for label in labels if label.column is not None)

    def objections(
        self, text: str, language: str, program: Program, in_hand: Program = ()
    ) -> tuple[Objection, ...]:
        """What a second reader has against a program."""
        carried = carried_from(in_hand) if in_hand else NOTHING
        found = review(text, language, program, self._frames.things.graph, carried, self._values)
        return tuple(
            Objection(each.code.value, (each.words,) if each.words else (), each.text)
            for each in found.objections
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

    def _weighed(
        self, text: str, language: str, found: Sequence[Reading], previous: Statement | None
    ) -> list[TableReading]:
        """The best readings, each with a probability. Others than the best have a share of its own."""
        if not found:
            return []
        best = found[0]
        others = [each.score for each in found if not alike(each.statement, best.statement)]
        margin = best.score - max(others, default=best.score - 3.0)
        carried = self._carried(previous) if best.follows else NOTHING
        probability = self._probability(text, language, best, margin, carried)
        weighed = []
        for reading in found[:_MOST]:
            share = probability * math.exp(-_DECAY * max(0.0, best.score - reading.score))
            notes = tuple(f"guessed: {guess}" for guess in dict.fromkeys(reading.guesses))
            # A period or a number that found no column is a part of the question that the reading lacks.
            uncovered = (*reading.uncovered, *_lost(text, reading))
            weighed.append(
                TableReading(reading.statement, round(share, 4), uncovered, notes, reading.follows)
            )
        return weighed

    def _carried(self, previous: Statement | None) -> Carried:
        return NOTHING if previous is None else carried_from((previous,))

    def _probability(
        self, text: str, language: str, reading: Reading, margin: float, carried: Carried
    ) -> float:
        objections = self._objections(text, language, reading.statement, carried)
        words = max(1, len(text.split()))
        sum_ = _BIAS + _COVERED * (not reading.uncovered) + _UNCOVERED * min(3, len(reading.uncovered))
        sum_ += _GUESS * len(set(reading.guesses)) + _MARGIN * min(1.5, margin)
        sum_ += _WORTH * min(1.3, reading.score / words) + _CLEAR * (not objections)
        sum_ += _OBJECTION * min(3, objections) + _LENGTH * min(words, 20) / 10
        sum_ += _GATHERED * reading.frame.gathered
        return _scaled(1 / (1 + math.exp(-sum_)))

    def _objections(self, text: str, language: str, statement: Statement, carried: Carried = NOTHING) -> int:
        found = review(text, language, (statement,), self._frames.things.graph, carried, self._values)
        return len(found.objections)

    def _joined(
        self,
        text: str,
        language: str,
        frames: list[TableReading],
        phrases: tuple[TableReading, ...],
        previous: Statement | None,
        *,
        explicit: bool,
    ) -> tuple[TableReading, ...]:
        if not frames:
            return phrases
        if not phrases:
            return tuple(frames)
        learned, best = phrases[0], frames[0]
        if alike(learned.statement, best.statement):
            sure = max(best.score, learned.score, SURE if not best.uncovered else 0.0)
            covered = () if learned.score >= SURE and not learned.uncovered else best.uncovered
            # What is asked for by name is shown alone; otherwise what tells rows apart is shown too.
            first = learned if _lists(learned.statement) and explicit and not best.uncovered else best
            joined = replace(first, score=round(sure, 4), uncovered=covered, follow_up=best.follow_up)
            return (joined, *frames[1:])
        others = [replace(each, score=round(each.score * 0.5, 4)) for each in phrases[:2]]
        if learned.score >= SURE and not learned.uncovered:
            carried = self._carried(previous) if learned.follow_up else NOTHING
            clear = not self._objections(text, language, learned.statement, carried)
            near = [each for each in frames[1:] if alike(each.statement, learned.statement)]
            if clear and near and near[0].score >= _HELD * best.score:
                # The other planner has it too, close behind its best.
                return (replace(learned, score=SURE), *(replace(each, score=0.25) for each in frames))
            doubtful = best.score < SURE or bool(best.uncovered)
            share = (0.7 if doubtful else 0.55) if clear else 0.3
            # Edits of the program in hand are read better from its frame.
            followed = best.follow_up and not doubtful
            others[0] = replace(learned, score=0.3 if followed else share)
            if clear and not doubtful and not followed:
                frames = [replace(each, score=min(each.score, 0.7)) for each in frames]
        merged = sorted((*frames, *others), key=lambda each: (bool(each.uncovered), -each.score))
        return tuple(merged)


def carried_from(in_hand: Program) -> Carried:
    """What the program in hand grants to its edits."""
    return Carried((Said("the program in hand", program=in_hand),))


def alike(one: Statement, other: Statement) -> bool:
    """Whether two statements ask the same of the same rows, whatever of it they show."""
    if one.verb != other.verb:
        return False
    return _said(one) == _said(other)


def _said(statement: Statement) -> dict[str, Value]:
    """The arguments that decide which rows there are. Days between two dates are a period."""
    found: dict[str, Value] = {}
    for argument in statement.arguments:
        if argument.name in _UNSAID:
            continue
        match argument.value:
            case Map(entries=(Entry(key="between", value=Sequence_(items=(Date(), Date())) as days),)):
                found["during"] = days
            case value:
                found[argument.name] = value
    return found


def _dated(statement: Statement) -> bool:
    """Whether a statement speaks of days."""
    values = [argument.value for argument in statement.arguments]
    while values:
        value = values.pop()
        if isinstance(value, Date):
            return True
        values.extend(parts(value))
    return False


_NUMBERS = re.compile(r"\d[\d.,]*")


def _lost(text: str, reading: Reading) -> tuple[str, ...]:
    """The words of a period or a number that found no column."""
    if not {"period", "number"} & set(reading.guesses):
        return ()
    periods = [each.text for each in period_grammar().find(text)] if "period" in reading.guesses else []
    numbers = _NUMBERS.findall(text) if "number" in reading.guesses and not periods else []
    return tuple(periods or numbers or [text])


def _items(value: Value) -> tuple[Value, ...]:
    return value.items if isinstance(value, Sequence_) else (value,)


def _lists(statement: Statement) -> bool:
    return statement.verb.endswith(".list") and any(each.name == "columns" for each in statement.arguments)


def _scaled(probability: float) -> float:
    """A probability with the threshold of this planner put on that of all."""
    if probability >= _THRESHOLD:
        return SURE + (probability - _THRESHOLD) / (1 - _THRESHOLD) * (0.99 - SURE)
    return probability / _THRESHOLD * SURE
