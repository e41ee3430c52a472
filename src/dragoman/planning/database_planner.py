"""The planner over the tables of a database: the readings a message has, and which of them is meant."""

import datetime as dt
from collections.abc import Callable
from enum import StrEnum
from threading import Lock

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.objection import Objection
from dragoman.contracts.program import Program, Statement
from dragoman.contracts.state import ReferenceDate
from dragoman.contracts.vocabulary import Signal
from dragoman.locales.registry import FALLBACK
from dragoman.planning.contract import (
    CERTAIN,
    HARDLY,
    LIKELY,
    MAX_OPTIONS,
    NEAR,
    POSSIBLE,
    UNKNOWN,
    Asked,
    Candidate,
    Options,
    PlannerName,
    Proposal,
    Refusal,
)
from dragoman.planning.data_end import end_before
from dragoman.planning.database.hearing import SURE, is_sure
from dragoman.planning.database.joint import JointPlanner
from dragoman.planning.database.lean import LEANING, lean_of
from dragoman.planning.database.offers import worth_asking
from dragoman.planning.database.sameness import alike
from dragoman.planning.database_candidates import candidates_of, inherited, signals_of
from dragoman.planning.leaning_words import lacks_a_subject
from dragoman.planning.left_out_word import without_word
from dragoman.planning.message_periods import (
    MessagePeriods,
    periods_in,
    reference_date,
    shares_a_time,
)
from dragoman.planning.message_signs import SIGNS, with_signs
from dragoman.planning.new_question import as_announced
from dragoman.planning.rows_in_hand import upon_rows
from dragoman.planning.session_question import readings_in_session
from dragoman.planning.sql.follow_up import leans_on_query
from dragoman.planning.stand_in import with_noun
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.that_name import with_name_in_hand
from dragoman.planning.that_period import with_period_in_hand
from dragoman.planning.trouble_words import left_words, unknown_words
from dragoman.planning.unanswered import may_be_meant, readings_past, readings_past_refusal, refusal_after
from dragoman.planning.unknown_word import is_worth_teaching, near_readings
from dragoman.planning.within_rows import is_about
from dragoman.reading.cues import opinions_in
from dragoman.reading.reading import MentionKind, Reading
from dragoman.session.continuity import Continuity

_STEP = 0.01
_REFUSED = (UNKNOWN + POSSIBLE) / 2
"""A refusal that knows the tables: it names the word that is the trouble, where nobody else knows better."""
_MAYBE = 0.3
_NOTHING = (UNKNOWN + HARDLY) / 2
"""A refusal that has no word to name."""
_EMPTY = "the database has no tables"


class Decision(StrEnum):
    """What becomes of the readings: the best is taken, some are offered, the best is taken although it is not
    sure, or none will do."""

    TAKE = "take"
    ASK = "ask"
    GUESS = "guess"
    REFUSE = "refuse"


class DatabasePlanner:
    """Proposes programs over the tables of one database. What it knows of them is read when first needed."""

    name = PlannerName.TABLES

    def __init__(
        self,
        catalog: Catalog,
        planner: Callable[[], JointPlanner],
        is_outdated: Callable[[], bool] = lambda: False,
        *,
        answer_always: bool = False,
    ) -> None:
        self._catalog = catalog
        self._make, self._is_outdated = planner, is_outdated
        self._made: JointPlanner | None = None
        self._making = Lock()
        self._answer_always = answer_always

    @property
    def planner(self) -> JointPlanner:
        return self._made or self.renewed()

    def renewed(self) -> JointPlanner:
        """The planner for a new message. One thread makes it, and reads values, while the others wait."""
        with self._making:
            if self._made is None or self._is_outdated():
                self._made = self._make()
            return self._made

    def propose(self, asked: Asked) -> Proposal:
        asked = with_period_in_hand(as_announced(asked))
        try:
            planner = self.renewed().hearing(asked.text, asked.reading.language)
        except DragomanError as failure:
            # Without its values most questions would be misread: better to say why there are none.
            rule = f"the database cannot be read: {failure.message}"
            return _refused(rule, Refusal(failure.code, problem=failure.message))
        if leans_on_query(asked, lambda *said: planner.is_new(*said)):
            return _refused("words cannot change a query that was typed", Refusal("sql_not_editable"))
        asked = with_name_in_hand(asked, planner)
        proposal = self._proposed(planner, asked, reference_date(asked))
        relative = any(each.reference_date is not None for each in proposal.candidates)
        known = any(each.reference_date.of_data for each in proposal.candidates if each.reference_date)
        if not relative or known or asked.continuity.reference_date is not None:
            return proposal
        last = self._end(planner, asked, proposal)
        if last is None:
            return proposal
        return self._asked_once(self._proposed(planner, asked, ReferenceDate(last, of_data=True)), proposal)

    def _end(self, planner: JointPlanner, asked: Asked, proposal: Proposal) -> dt.date | None:
        """The last day of the data, where what is asked for begins behind it."""
        return end_before(proposal.candidates[0].program, planner.graph, asked.catalog, asked.today)

    def _asked_once(self, of_data: Proposal, of_today: Proposal) -> Proposal:
        """Which day relative periods count from, asked of the best reading with either."""
        if of_data.refuses is not None:
            return of_today
        if self._answer_always:
            return of_data
        best = of_data.candidates[0]
        # The same question, with the other days.
        same = next(
            (each for each in of_today.candidates if each.program[0].verb == best.program[0].verb), None
        )
        others = [
            each
            for each in (of_data.candidates[1:] if of_data.asks is not None else ())
            if not alike(each.program[0], best.program[0])
        ]
        offered = [best, *(() if same is None or same.program == best.program else (same,)), *others]
        return replace(
            of_data,
            certainty=min(of_data.certainty, LIKELY - _STEP),
            candidates=tuple(offered[:MAX_OPTIONS]),
            asks=Options(person=True),
            rivals=False,
            rule=f"{Decision.ASK}: the data end before the period that is asked for",
        )

    def _proposed(self, planner: JointPlanner, asked: Asked, reference: ReferenceDate) -> Proposal:
        """The proposal with relative periods counted from a day."""
        readings, relative = self._readings(planner, asked, reference)
        if not readings and not self._catalog.table_names():
            return _refused(_EMPTY, Refusal("no_tables", problem=_EMPTY))
        # A verb of a pack has the name that a table's would have: it is not the table that would answer.
        owned = self._catalog.packs.verbs
        signs = dict.fromkeys((*SIGNS.findall(asked.text), *opinions_in(asked.text, asked.reading.language)))
        known = tuple(with_signs(r, signs) for r in readings if r.statement.verb not in owned)
        proposal = self._decided(self._meant(planner, asked, known), asked)
        proposal = self._one_word_short(planner, asked, reference, proposal)
        if relative:
            counted = [
                each if shares_a_time(each.program) else replace(each, reference_date=reference)
                for each in proposal.candidates
            ]
        else:
            counted = [inherited(each, asked.continuity.attempt) for each in proposal.candidates]
        return replace(proposal, candidates=tuple(counted))

    def _meant(
        self, planner: JointPlanner, asked: Asked, found: tuple[TableReading, ...]
    ) -> tuple[TableReading, ...]:
        def about(statement: Statement, table: str) -> bool:
            return is_about(statement, table, planner.joins)

        return may_be_meant(found, asked.continuity, asked.text, asked.reading.language, about)

    def _one_word_short(
        self, planner: JointPlanner, asked: Asked, reference: ReferenceDate, proposal: Proposal
    ) -> Proposal:
        """What may be done about a question that fails by one word: it is near a name, it may be left out, or
        somebody says what it means."""
        refusal = proposal.refuses
        if refusal is None or refusal.code != "uncovered_words" or len(refusal.words) != 1:
            return proposal
        (word,), text = refusal.words, asked.text
        teachable = replace(
            proposal, refuses=replace(refusal, teachable=is_worth_teaching(planner, text, word))
        )
        if asked.continuity.attempt is not None:
            return teachable

        def sure(changed: str) -> TableReading | None:
            readings, _ = self._readings(planner, replace(asked, text=changed), reference)
            best = readings[0] if readings else None
            known = best is not None and best.statement.verb not in self._catalog.packs.verbs
            return best if best is not None and known and is_sure(best) else None

        offered = near_readings(planner.schema_words.knowledge.things, text, word, sure)
        why = f"{word} is near a name"
        if not offered:
            rest = without_word(text, word, asked.reading.language)
            left = sure(rest) if rest is not None else None
            offered = () if left is None else (replace(left, uncovered=(word,)),)
            why = f"nothing in the best reading accounts for {word}"
        if not offered:
            return teachable
        certainty, base = (POSSIBLE + LIKELY) / 2, asked.continuity.in_hand
        signals, candidates = signals_of(offered[0], asked.continuity), candidates_of(offered, base)
        rule = f"{Decision.ASK}: {why}"
        return Proposal(self.name, signals, certainty, candidates, asks=Options(), rule=rule)

    def _readings(
        self, planner: JointPlanner, asked: Asked, reference: ReferenceDate
    ) -> tuple[tuple[TableReading, ...], bool]:
        """The readings, and whether a period in them counts from the reference date."""
        counted: list[bool] = []

        def read(base: Program) -> tuple[TableReading, ...]:
            previous = self._in_hand(base)

            def periods(before: Statement | None) -> MessagePeriods:
                # Alone, a table's question has no year in hand either; what a pack asked for stays in hand.
                return periods_in(asked, base if before == previous else (), reference)

            found, relative = readings_in_session(
                planner,
                asked.text,
                previous,
                periods,
                asked.today,
                asked.reading.language,
                reference.day,
            )
            counted.append(relative)
            return found

        attempt, pending = asked.continuity.attempt, asked.continuity.offers_readings
        if attempt is None:
            found = read(asked.continuity.in_hand)
            found = upon_rows(asked, planner.schema_words.knowledge, found, read)
            found = self._meant(planner, asked, found)
            return with_noun(asked, planner, found, reference), any(counted)

        def will_do(readings: tuple[TableReading, ...]) -> bool:
            return self._decision(readings, asked.text)[0] is not Decision.REFUSE

        base, lean = asked.continuity.base, lean_of(asked.text)
        if pending:
            points = lean.pronoun is not None
            found = readings_past(attempt, base, read, will_do, pending=True, points=points)
        else:
            found = readings_past_refusal(attempt, base, read, will_do, lean)
        return found, any(counted)

    def objections(self, asked: Asked, candidate: Candidate) -> tuple[Objection, ...]:
        """What the second reader has against a candidate. It judges programs over tables, whoever wrote them;
        what a follow-up carries from the program in hand counts as asked for."""
        if candidate.request is not None or self._in_hand(candidate.program) is None:
            return ()
        if candidate.focus is not None and not candidate.read_as:
            # The schema alone accounts for every word: there is nothing that was read.
            return ()
        planner = self.planner.hearing(asked.text, asked.reading.language)
        asked = with_name_in_hand(with_period_in_hand(as_announced(asked)), planner)
        carried = _carried(asked.continuity, candidate) if candidate.follows else ()
        carried, text = candidate.carried or carried, asked.text
        if candidate.focus is not None:
            # What keeps the program to the row in hand was said by opening it, or by pointing at it.
            carried, text = candidate.carried, candidate.read_as or text
        day = None if candidate.reference_date is None else candidate.reference_date.day
        return planner.objections(text, asked.reading.language, candidate.program, carried, day)

    def _in_hand(self, base: Program) -> Statement | None:
        """The statement behind the slice in hand, where it asks a table."""
        if len(base) != 1 or base[0].verb in self._catalog.packs.verbs:
            return None
        return base[0] if self._catalog.tables_for(base[0].verb) is not None else None

    def _decided(self, readings: tuple[TableReading, ...], asked: Asked) -> Proposal:
        decision, offered, rule = self._decision(readings, asked.text)
        likely = decision is Decision.ASK
        if decision is Decision.TAKE and not offered[0].follow_up and _is_only_a_name(asked.reading):
            decision, rule = Decision.ASK, "a name alone does not say what is asked about it"
            offered = offered[:MAX_OPTIONS]
        if decision is Decision.TAKE and self._leans_on_nothing(offered[0], asked):
            decision, rule = Decision.ASK, "the message goes on from something, and nothing was spoken of"
            offered = offered[:1]
        if decision is Decision.REFUSE:
            words, candidates = left_words(offered), candidates_of(offered, ())
            named = words or unknown_words(self, asked, candidates)
            follows = asked.continuity.attempt is not None and _leans(offered, asked.text)
            plain = Refusal("uncovered_words" if named else "no_reading", named)
            refusal = refusal_after(asked.continuity) if follows and not words else plain
            refused = replace(_refused(rule, refusal), candidates=candidates)
            if offered and offered[0].follow_up and not words and offered[0].score >= _MAYBE:
                # "And paid": more likely a change of the program than talk about its answer.
                return replace(refused, certainty=POSSIBLE + _STEP)
            return refused if words or follows else replace(refused, certainty=_NOTHING)
        best, continuity = offered[0], asked.continuity
        base = continuity.base if best.of_slice else continuity.in_hand
        certainty = {
            # Kept apart from the others by construction: whatever is taken beats talk, whatever is only
            # offered does not.
            Decision.TAKE: max(best.score, LIKELY + _STEP),
            Decision.ASK: min(max(best.score, POSSIBLE + _STEP), LIKELY - _STEP),
            Decision.GUESS: LIKELY - _STEP,
        }[decision]
        return Proposal(
            self.name,
            signals_of(best, asked.continuity),
            min(certainty, CERTAIN - _STEP),
            candidates_of(offered, base),
            asks=Options(person=not likely) if decision is Decision.ASK else None,
            sure=decision is not Decision.GUESS,
            rule=f"{decision}: {rule}",
            # Near readings that are sure together: where they give the same, nobody has to be asked.
            rivals=decision is not Decision.GUESS
            and not best.uncovered
            and sum(r.score for r in offered if not r.uncovered and r.score >= best.score * NEAR) >= SURE,
        )

    def _leans_on_nothing(self, best: TableReading, asked: Asked) -> bool:
        """Whether a reading of its own is all there is to a message that goes on from something."""
        if best.follow_up or asked.continuity.in_hand:
            return False
        planner, said = self.planner.hearing(asked.text, asked.reading.language), asked.text
        # Tables are named in English where another language has a way to it.
        english = planner.in_english(said)
        if english:
            return lacks_a_subject(english, FALLBACK, planner.schema_words)
        return lacks_a_subject(said, asked.reading.language, planner.schema_words)

    def _decision(
        self, readings: tuple[TableReading, ...], text: str
    ) -> tuple[Decision, tuple[TableReading, ...], str]:
        if not readings:
            return Decision.REFUSE, (), "no reading of the message fits the database"
        best, sure = readings[0], SURE
        if is_sure(best):
            return Decision.TAKE, readings, f"the best reading has {best.score:.2f}, sure from {sure:.2f}"
        # For measuring what the best reading would have been worth. The answer says that it is not sure.
        if self._answer_always:
            return Decision.GUESS, readings, "the best reading is answered although it is not sure"
        offered = worth_asking(text, readings)
        if offered:
            return Decision.ASK, offered, f"{len(offered)} readings are likely, none is sure"
        if best.uncovered:
            words = ", ".join(best.uncovered)
            return Decision.REFUSE, readings, f"nothing in the best reading accounts for {words}"
        return Decision.REFUSE, readings, f"the best reading has only {best.score:.2f}"


_NAMES = frozenset({MentionKind.ENTITY, MentionKind.OBJECT})


def _is_only_a_name(reading: Reading) -> bool:
    """Whether a message is the name of something that a pack knows, and nothing else."""
    kinds = {each.kind for each in reading.mentions}
    return bool(kinds) and kinds <= _NAMES and not reading.uncovered


def _leans(readings: tuple[TableReading, ...], text: str) -> bool:
    """Whether a message is about the one before it: by its best reading, or by its words."""
    return readings[0].follow_up if readings else lean_of(text).strength >= LEANING


def _carried(continuity: Continuity, candidate: Candidate) -> Program:
    """What a follow-up may have taken over: of a question that was not answered, any of its readings."""
    attempt = continuity.attempt
    if candidate.of_slice:
        return continuity.base
    if attempt is None or not attempt.readings:
        return continuity.in_hand
    return tuple(statement for each in attempt.readings for statement in each.program)


def _refused(rule: str, refusal: Refusal) -> Proposal:
    signals, told = (Signal.UNCOVERED,), f"{Decision.REFUSE}: {rule}"
    return Proposal(DatabasePlanner.name, signals, _REFUSED, refuses=refusal, rule=told)
