"""The planner that hears a message with the taught words that it has, and with no others.

What was taught and is not said changes nothing. What is said is read with its meaning; where no such reading
is sure, what the message means by itself is heard too: it is taken if it says what the word means all the
same, and otherwise it is only offered.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from dragoman.contracts.objection import Objection
from dragoman.contracts.program import Program, Statement, Text
from dragoman.contracts.record import Record
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.databases.values import ValueIndex
from dragoman.language.verbs.printer import print_line
from dragoman.locales.registry import FALLBACK
from dragoman.planning.database.hearing import SURE, is_sure
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.number_spelling import NO_NUMBERS, NumberSpelling
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.planning.pivot.pivot import spans_of
from dragoman.planning.tables.day_spans import DaySpan
from dragoman.planning.tables.lexicon import others_spoken
from dragoman.planning.tables.table_planner import TablePlanner
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.teaching.held_rows import held, share_held, without
from dragoman.planning.teaching.said_words import meaning_of, words_said
from dragoman.planning.teaching.schema_message import Reworded, as_total, counts_rows, reworded
from dragoman.planning.teaching.stated_meaning import bears_out, counts_by_events, has_date
from dragoman.planning.teaching.taught_columns import TaughtColumns
from dragoman.planning.teaching.totals import amounts, averaged, is_ratio, may_be_total, shown_alone, totalled
from dragoman.reading.periods import PeriodMention
from dragoman.tables.verbs import NUMBERS, Word

_OFFERED: Final = SURE - 0.01
"""What a reading without the meaning of a taught word is worth at most: it is never taken."""

_NARROWED: Final = 0.9
"""How sure a message is that says nothing but a taught condition, of rows that were just asked for."""

_TOTALLED: Final = 0.9
"""How sure a message is at most that compares things by the totals of a taught amount."""

_LIKELY: Final = 0.3
"""How likely such a reading has to be among all."""

Words = tuple[TaughtWord, ...]


class _Asked(NamedTuple):
    """What readings are asked for."""

    text: str
    previous: Statement | None
    spans: tuple[DaySpan, ...]
    periods: tuple[PeriodMention, ...]
    today: dt.date | None
    language: str
    reference: dt.date | None


class _Read(Record, frozen=True, gc=True):
    """Who read a statement, in which words, and what it was before it was held to conditions."""

    planner: JointPlanner
    text: str
    statement: Statement


class TaughtJoint(JointPlanner):
    """Plans questions over one database with some taught words, the first of `words`; the second are all
    that were taught. `knowing` gives the planner that knows others."""

    def __init__(
        self,
        frames: QuestionPlanner,
        phrases: TablePlanner,
        values: ValueIndex,
        probe: Callable[[Statement], int | None] | None,
        taught: TaughtColumns,
        words: tuple[Words, Words],
        knowing: Callable[[Words], JointPlanner],
        *,
        reviews: bool = True,
        numbers: NumberSpelling = NO_NUMBERS,
    ) -> None:
        super().__init__(frames, phrases, values, probe, reviews=reviews, taught=taught, numbers=numbers)
        self._known, self._words = words
        self._knowing = knowing
        self._elsewhere: tuple[str, dict[Statement, _Read]] = ("", {})
        """The last message, and its readings that were not read here."""

    def hearing(self, text: str, language: str) -> JointPlanner:
        # Of other languages it is not known which forms of a word are the same.
        if language != FALLBACK or others_spoken(text):
            return self
        said = words_said(text, self._known, self.graph)
        return self if said == self._known else self._knowing(said)

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
        asked = _Asked(text, previous, tuple(spans), tuple(periods), today, language, reference)
        return tuple(map(self._doubted, self._heard(asked)))

    def _heard(self, asked: _Asked) -> tuple[TableReading, ...]:
        self._elsewhere = (asked.text, {})
        totalled = self._as_total(asked)
        compared = self._compared(totalled) if totalled is not None else ()
        if totalled is not None and not (compared and is_sure(compared[0])):
            compared = self._with_others(compared, totalled, _compares_totals)
        if compared and is_sure(compared[0]):
            return compared
        weigh = _offered if compared else self._weighed
        found = (*compared, *map(weigh, super().readings(*asked)))
        if counts_rows(asked.text, self._known):
            found = tuple(each if _counts(each.statement) else _offered(each) for each in found)
        if asked.previous is not None and self._asks_instead(asked):
            found = ()
        if compared or (found and is_sure(found[0])):
            return found
        return self._with_others(found, asked, lambda _: True)

    def _with_others(
        self, found: tuple[TableReading, ...], asked: _Asked, fits: Callable[[Statement], bool]
    ) -> tuple[TableReading, ...]:
        """What is found, or what a message means in words of the schema or by itself: the likelier."""
        for others in (self._in_schema_words, self._by_itself):
            told = [(each, read) for each, read in others(asked) if fits(each.statement)]
            first = told[0][0] if told else None
            if first is not None and (not found or _worth(first) > _worth(found[0])):
                # Two readings may come to the same: the surer one counts.
                best: dict[Statement, tuple[TableReading, _Read]] = {}
                for each, read in told:
                    best.setdefault(_unbound(each.statement), (each, read))
                self._elsewhere[1].update((key, read) for key, (_, read) in best.items())
                own = tuple(each for each, _ in best.values())
                if is_sure(first):
                    return own
                found = (
                    *own,
                    *(each for each in found if _unbound(each.statement) not in self._elsewhere[1]),
                )
        return found

    def _as_total(self, asked: _Asked) -> _Asked | None:
        """A message that compares things by a taught amount, with that amount as a total."""
        said = as_total(asked.text, self._known, amounts(self._frames.knowledge))
        if said is None:
            return None
        periods = said.placed(asked.periods)
        return asked._replace(text=said.text, spans=spans_of(periods), periods=periods)

    def _compared(self, asked: _Asked) -> tuple[TableReading, ...]:
        """The readings that compare the totals of things. That it is totals is given; what is open is which
        things."""
        found = tuple(
            each
            for each in super().readings(*asked)
            if not each.uncovered and _compares_totals(each.statement) and self._means_all(each.statement)
        )
        if not found or found[0].score < _LIKELY:
            return ()
        self._elsewhere[1].update(
            (_unbound(each.statement), _Read(self, asked.text, each.statement)) for each in found
        )
        whole = sum(each.score for each in found)
        return tuple(replace(each, score=min(_TOTALLED, each.score / whole)) for each in found)

    def _weighed(self, reading: TableReading) -> TableReading:
        """A reading that makes something else of a taught word is only offered: sales by region, where sales
        are an amount, does not count the rows of a table of sales."""
        if reading.follow_up or self._means_all(reading.statement):
            return reading
        return _offered(reading)

    def _means_all(self, statement: Statement) -> bool:
        """Whether every taught column, figure and value of a message is in a statement, in one of its
        meanings."""
        words: dict[str, bool] = {}
        for word in self._known:
            if word.kind in (TaughtKind.COLUMN, TaughtKind.FIGURE, TaughtKind.VALUE):
                borne = bears_out(statement, word, self.graph)
                words[word.word] = borne or words.get(word.word, False)
        return all(words.values())

    def _asks_instead(self, asked: _Asked) -> bool:
        """Whether a message asks of rows with one taught condition what was asked of rows with another."""
        said = reworded(asked.text, self._known, self.graph, amounts(self._frames.knowledge))
        if said is None or not said.only_narrows or not said.instead:
            return False
        return self._before(asked.previous, said) != asked.previous

    def _doubted(self, reading: TableReading) -> TableReading:
        """How many copies were brought back in May: the copies, or how often that was; what the taught word
        for a column of numbers asks for in May: each of them, or what they come to. Nobody has said which, so
        it is asked."""
        statement = reading.statement
        named = any(
            word.kind is TaughtKind.TABLE and counts_by_events(statement, word.of) for word in self._known
        )
        ratio = any(is_ratio(word) and word.means in print_line((statement,)) for word in self._known)
        if ratio and statement.verb.endswith(".sum"):
            # Rates of many rows come to nothing; which average of them is meant is for people to say.
            return replace(reading, statement=averaged(statement), score=min(reading.score, _OFFERED))
        if ratio and statement.verb.endswith(".list") and statement.argument(Word.ORDER) is not None:
            # The store with the highest margin, or that of the one row that has it.
            return _offered(reading)
        if named or (self._lists_numbers(statement) and may_be_total(statement)):
            return replace(reading, score=min(reading.score, _OFFERED))
        return reading

    def _lists_numbers(self, statement: Statement) -> bool:
        name = shown_alone(statement).rpartition("/")[2]
        for word in self._known if name else ():
            meaning, table = meaning_of(word), self.graph.by_name.get(word.of)
            column = table.column(name) if table is not None and meaning == Text(name) else None
            if column is not None and column.type in NUMBERS:
                return Word.DURING in {each.name for each in statement.arguments} or has_date(statement)
        return False

    def _in_schema_words(self, asked: _Asked) -> list[tuple[TableReading, _Read]]:
        """The readings of a message whose taught names are put into words of the schema, held to the
        conditions that it has."""
        said = reworded(asked.text, self._known, self.graph, amounts(self._frames.knowledge))
        if said is None or said.left == self._known:
            return []
        reader = self._knowing(said.left)
        found: tuple[TableReading, ...] = ()
        if said.only_narrows:
            before = self._before(asked.previous, said)
            found = () if before is None else (TableReading(before, _NARROWED, follow_up=True),)
        else:
            periods = said.placed(asked.periods)
            found = reader.readings(said.text, asked.previous, spans_of(periods), periods, *asked[4:])
        kept: list[tuple[TableReading, _Read]] = []
        for each in found:
            whole: Statement | None = each.statement
            for word in said.conditions:
                hold = share_held if said.shared else held
                whole = hold(whole, word, self.graph) if whole is not None else None
            whole = whole if whole is None else self._summed(whole)
            if whole is not None and whole != asked.previous:
                read = _Read(reader, said.text, each.statement)
                kept.append((replace(each, statement=whole), read))
        return kept

    def _before(self, previous: Statement | None, said: Reworded) -> Statement | None:
        """The statement that a condition is to hold. And the open ones asks the same of those in place of the
        late ones."""
        if previous is None or not said.instead:
            return previous
        for word in self._words:
            if word.is_condition and word not in self._known:
                previous = without(previous, word)
        return previous

    def _summed(self, statement: Statement) -> Statement:
        """The total of a column that was said by its taught name, where its amounts add up."""
        path = shown_alone(statement)
        for word in self._known if path and may_be_total(statement) else ():
            meaning = meaning_of(word) if word.kind is TaughtKind.COLUMN else None
            name = meaning.value if isinstance(meaning, Text) else ""
            if name and path.rpartition("/")[2] == name and amounts(self._frames.knowledge)(word.of, name):
                return totalled(statement)
        return statement

    def _by_itself(self, asked: _Asked) -> list[tuple[TableReading, _Read]]:
        """What a message means without what was taught."""
        plain = self._knowing(())
        own = [kept for each in plain.readings(*asked) if (kept := self._held(each)) is not None]
        return [(each, _Read(plain, asked.text, each.statement)) for each in own]

    def _held(self, reading: TableReading) -> TableReading | None:
        """What a message means by itself, held to the words that it has. What makes nothing of one of them
        is not meant."""
        lost = {word.casefold() for word in reading.uncovered}
        said = {part for word in self._known for part in word.word.casefold().split()}
        if lost & said:
            return None
        if all(bears_out(reading.statement, word, self.graph) for word in self._known):
            return reading
        return replace(reading, score=min(reading.score, _OFFERED))

    def objections(
        self,
        text: str,
        language: str,
        program: Program,
        in_hand: Program = (),
        reference: dt.date | None = None,
    ) -> tuple[Objection, ...]:
        heard, elsewhere = self._elsewhere
        read = elsewhere.get(_unbound(program[0])) if heard == text and len(program) == 1 else None
        if read is None:
            return super().objections(text, language, program, in_hand, reference)
        if read.statement in in_hand:
            return ()
        found = read.planner.objections(read.text, language, (read.statement,), in_hand, reference)
        if not found or read.text == text or _unbound(read.statement) != _unbound(program[0]):
            return found
        # What says the same in the words of the message may be objected to in none of them.
        own = self._knowing(()).objections(text, language, program, in_hand, reference)
        return found if own else ()


def _counts(statement: Statement) -> bool:
    """Whether rows are counted, and nothing is added up."""
    return not statement.verb.endswith((".sum", ".average", ".min", ".max"))


def _compares_totals(statement: Statement) -> bool:
    """Whether what belongs together is totalled before it is compared."""
    names = {each.name for each in statement.arguments}
    return statement.verb.endswith(".sum") and bool(names & {Word.BY.value, Word.PER.value})


def _offered(reading: TableReading) -> TableReading:
    return replace(reading, score=min(reading.score, _OFFERED))


def _worth(reading: TableReading) -> tuple[bool, float]:
    return not reading.uncovered, reading.score


def _unbound(statement: Statement) -> Statement:
    return replace(statement, binds="") if statement.binds else statement
