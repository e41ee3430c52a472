"""The planner of words: a sentence that teaches one is understood against the database, and asked about.

It stands before the planners that read questions: "revenue means price times quantity" asks for nothing. What
only may teach ("clients are customers") does so where its meaning is something in the database; otherwise the
message is left to the others.
"""

import datetime as dt
import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from dragoman.contracts.program import Statement
from dragoman.contracts.state import ClarificationState
from dragoman.contracts.taught import TaughtWord
from dragoman.contracts.vocabulary import Signal, TransitionClass
from dragoman.locales.language import Language
from dragoman.locales.registry import every_language, language
from dragoman.locales.script import LATIN, script_of
from dragoman.packs.learned_words import is_same
from dragoman.planning.contract import CERTAIN, Asked, PlannerName, Proposal, Refusal, Teaching
from dragoman.planning.message_periods import placed_periods
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.teaching import (
    Definition,
    asks_for_taught,
    definitions_in,
    forgotten_in,
    listed_in,
    sentences_about_words,
    takes_back_last,
    teaching_words,
)

if TYPE_CHECKING:
    from dragoman.planning.database.joint import JointPlanner
    from dragoman.planning.teaching.definitions import DefinitionReader, Unteachable

_TEACHES: Final = (Signal.TEACH,)


class TeachPlanner:
    """Understands what a message says of words. `planner` is opened when a definition needs it; without one
    there are no tables that a word could be for."""

    name = PlannerName.WORDS

    def __init__(
        self, planner: "Callable[[], JointPlanner] | None", rows: Callable[[Statement], int | None]
    ) -> None:
        """`rows` tells how many rows a statement gives, where that is soon known."""
        self._planner = planner
        self._rows = rows

    def propose(self, asked: Asked) -> Proposal | None:
        if asked.written is not None:
            return None
        pending = asked.continuity.clarification
        waits = pending is not None and pending.teaches is not None
        if not waits and not _may_be_about_words(asked.text, asked.reading.language):
            return None
        spoken = _spoken(asked)
        if pending is not None and pending.teaches is not None:
            instead = self._instead(asked, spoken)
            if instead is not None:
                return instead
            if asked.reading.affirm is not None:
                answer = Teaching(pending.teaches, more=pending.teaches_too, answer=asked.reading.affirm)
                return self._proposal(answer)
        if asks_for_taught(asked.text, spoken):
            return self._proposal(Teaching())
        forgets = _forgotten(asked, pending, spoken)
        if forgets:
            return self._proposal(Teaching(forgets=forgets))
        if pending is not None and pending.teaches is None and pending.waits_for_yes:
            return None
        return self._defined(asked, spoken)

    def _instead(self, asked: Asked, spoken: tuple[Language, ...]) -> Proposal | None:
        """What a word means instead of what is asked about: no, it is this."""
        told = any(
            each.surely or _is_a_word(each.word, spoken) for each in definitions_in(asked.text, spoken)
        )
        return self._defined(asked, spoken) if told else None

    def _all_defined(self, asked: Asked, spoken: tuple[Language, ...]) -> Proposal | None:
        """Every word of a sentence that has several; none of them where one is not understood."""
        listed = listed_in(asked.text, spoken)
        if not listed or self._planner is None:
            return None
        reader = self._reader(self._planner(), spoken[0].code, asked.today)
        words: list[TaughtWord] = []
        for definition in listed:
            if reader.is_known(definition):
                continue
            found = reader.read(replace(definition, surely=True), asked.text)
            if not isinstance(found, TaughtWord):
                sure = all(each.surely for each in listed)
                return self._proposal(Teaching(problem=_refusal(found, definition))) if sure else None
            words += (found, *reader.alike(definition, found))
        clash = any(is_same(one, other) for at, one in enumerate(words) for other in words[:at])
        return self._proposal(Teaching(words[0], more=tuple(words[1:]))) if words and not clash else None

    def _defined(self, asked: Asked, spoken: tuple[Language, ...]) -> Proposal | None:
        listed = self._all_defined(asked, spoken)
        if listed is not None:
            return listed
        for definition in definitions_in(asked.text, spoken):
            if not self._is_teachable(definition, spoken, asked.today):
                continue
            if self._planner is None:
                refused = Teaching(problem=Refusal("teach_no_tables"))
                return self._proposal(refused) if definition.surely else None
            reader = self._reader(self._planner(), spoken[0].code, asked.today)
            found = reader.read(definition, asked.text)
            if isinstance(found, TaughtWord):
                before = next((each for each in asked.catalog.taught if is_same(each, found)), None)
                if before is not None and (before.of, before.means) == (found.of, found.means):
                    before = None
                return self._proposal(Teaching(found, before, reader.alike(definition, found)))
            if definition.surely or (found.code == "teach_named" and reader.names_both(definition)):
                return self._proposal(Teaching(problem=_refusal(found, definition)))
        return None

    def _is_teachable(self, definition: Definition, spoken: tuple[Language, ...], today: dt.date) -> bool:
        """Whether something can be called so. Small words are a part of a name where the sentence can only
        teach, or where what it teaches is calculated."""
        word = definition.word
        if (before := definition.noun or definition.column) and _asks(before, spoken):
            # "In which orders is it" asks.
            return False
        if definition.quoted or _is_a_word(word, spoken):
            return definition.surely or definition.quoted or (len(word) > 1 and not word.isdecimal())
        if len(word.split()) > _LONGEST or _asks(word, spoken):
            return False
        if definition.surely or definition.of_noun:
            return True
        if self._planner is None:
            return False
        return self._reader(self._planner(), spoken[0].code, today).is_computed(definition.meaning)

    def _reader(self, planner: "JointPlanner", code: str, today: dt.date) -> "DefinitionReader":
        # Imported for a definition alone: it brings the planners over tables along.
        from dragoman.planning.teaching.definitions import DefinitionReader

        spoken = language(code)
        return DefinitionReader(
            planner,
            teaching_words(spoken),
            self._rows,
            lambda word: _lemma(word, spoken),
            code,
            lambda text: placed_periods(text, tuple(period_grammar().find(text)), (), today),
        )

    def _proposal(self, teaching: Teaching) -> Proposal:
        return Proposal(self.name, _TEACHES, CERTAIN, teaches=teaching)


def _may_be_about_words(text: str, code: str) -> bool:
    """Whether a sentence of the message's language, or of one in other letters, fits. Most messages fit none,
    and are let go without asking anybody else."""
    said = " ".join(text.strip(" \t\n.!;?").split())
    codes = (code,) if text.isascii() else tuple(each.code for each in every_language())
    return any(pattern.fullmatch(said) for each in codes for pattern in _sentences(each))


@cache
def _sentences(code: str) -> tuple[re.Pattern[str], ...]:
    return sentences_about_words(language(code))


def _refusal(found: "Unteachable", definition: Definition) -> Refusal:
    return Refusal(found.code, found.words or (definition.word,))


def _forgotten(
    asked: Asked, pending: ClarificationState | None, spoken: tuple[Language, ...]
) -> tuple[TaughtWord, ...]:
    """The words that a message takes back: those it names, or the one that was taught last."""
    known = asked.catalog.taught
    if not known:
        return ()
    name = forgotten_in(asked.text, spoken)
    said = {form for each in spoken for form in _forms(name, each)}
    named = tuple(each for each in known if any(said & _forms(each.word, one) for one in spoken))
    if name and named:
        return named
    if takes_back_last(asked.text, spoken, word=True):
        return known[-1:]
    last = asked.state.turn
    taught_last = last.outcome_class is TransitionClass.X_TEACH and pending is None
    return known[-1:] if taught_last and takes_back_last(asked.text, spoken) else ()


def _forms(word: str, spoken: Language) -> set[str]:
    plain = " ".join(word.casefold().split())
    return {plain, " ".join(_lemma(each, spoken) for each in plain.split())} if plain else set()


def _lemma(word: str, spoken: Language) -> str:
    """A word as a dictionary of its language has it; as it is where it is in other letters."""
    if spoken.normal_forms is None or not spoken.writes(word):
        return word
    return next(iter(spoken.normal_forms(spoken, word.casefold())), word)


def _is_a_word(word: str, spoken: Iterable[Language]) -> bool:
    """Whether something can be called so: a question has small words in the place of the word."""
    words = word.casefold().split()
    for each in spoken:
        small = each.function_words() - teaching_words(each).articles
        if any(part in small for part in words):
            return False
    return len(words) <= _MOST_WORDS


def _asks(word: str, spoken: Iterable[Language]) -> bool:
    """Whether what stands in the place of a word begins a question: which, how many, in how many."""
    first, *rest = word.casefold().split()
    for each in spoken:
        asks = teaching_words(each).asks
        if first in asks or (first in each.function_words() and rest and rest[0] in asks):
            return True
    return False


_MOST_WORDS: Final = 4
_LONGEST: Final = 7


def _spoken(asked: Asked) -> tuple[Language, ...]:
    """The language of the message, and those whose letters it has beside it."""
    first = language(asked.reading.language)
    written = {script_of(letter) for letter in asked.text if letter.isalpha()} - {LATIN}
    others = [each for each in every_language() if each.script in written and each.code != first.code]
    return (*others, first)
