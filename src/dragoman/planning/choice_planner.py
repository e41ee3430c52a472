"""The answer to a question which reading is meant: a yes, a place, or the words of what was offered.

It stands before the planners that read words as data: while readings are offered, "the second one" and "yes"
are about them. What picks nothing is left to the others, so a question never traps.
"""

import re
from typing import Final

from dragoman.catalog.verbs import connection_in
from dragoman.contracts.state import CandidateScope
from dragoman.contracts.vocabulary import Signal
from dragoman.language.edits import difference
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.locales.documents import lexicon_of
from dragoman.locales.registry import language
from dragoman.planning.contract import CERTAIN, Asked, Candidate, PlannerName, Proposal, Refusal
from dragoman.planning.leaning_words import only_leans
from dragoman.planning.packs.root_request import request_of

_SIGNS = str.maketrans(".,;:!?", "      ")
_AROUND = " .,;:!?)(\"'“”„«»"
_TELLING: Final = 3
"""Shorter words are in every sentence."""


class ChoicePlanner:
    """Brings back the program that was offered and is picked. Whoever picks it has confirmed it."""

    name = PlannerName.CHOICE

    def propose(self, asked: Asked) -> Proposal | None:
        pending = asked.continuity.clarification
        if pending is None or not asked.continuity.offers_readings or asked.reading.phrase is not None:
            return None
        picked = _picked(asked, pending.candidate_scopes)
        # A place or a yes that fits nothing offered is about the question all the same: "the seventh" after
        # three options would otherwise be read as data.
        if picked is None:
            fitting = Proposal(self.name, (Signal.FITS_CLARIFICATION,), CERTAIN)
            return fitting if _is_choice(asked) else None
        program = read_verbs(Source(picked.key)).statements
        if asked.catalog.writes(each.verb for each in program):
            edits = difference(asked.state.program.ast, program)
            writes = Candidate(program, edits, CERTAIN, writes=True, label=picked.label)
            return Proposal(self.name, (Signal.FITS_CLARIFICATION,), CERTAIN, (writes,))
        request = request_of(program, asked.catalog)
        if isinstance(request, Refusal):
            return Proposal(self.name, (Signal.FITS_CLARIFICATION,), CERTAIN, refuses=request)
        edits = difference(asked.continuity.base, program)
        candidate = Candidate(
            program,
            edits,
            CERTAIN,
            request=request,
            reference_date=picked.reference_date,
            focus=picked.focus,
        )
        return Proposal(self.name, (Signal.FITS_CLARIFICATION,), CERTAIN, (candidate,))


def _is_choice(asked: Asked) -> bool:
    """A place or a yes and nothing else: "the last name of Ann" has a last in it, and picks nothing."""
    return asked.reading.choice or asked.reading.affirm is not None


def _picked(asked: Asked, offered: tuple[CandidateScope, ...]) -> CandidateScope | None:
    text = asked.text.strip(_AROUND).casefold()
    named = _reference(asked, offered) or _of_connection(asked, offered)
    if named is not None:
        return named
    if text.isdecimal():
        return offered[int(text) - 1] if 1 <= int(text) <= len(offered) else None
    if asked.reading.affirm is not None:
        # A yes says which one is meant only where one was offered.
        return offered[0] if asked.reading.affirm and len(offered) == 1 else None
    for pick in asked.reading.picks if asked.reading.choice else ():
        place = pick.place - 1 if pick.place > 0 else len(offered) + pick.place
        if pick.largest is None and 0 <= place < len(offered):
            return offered[place]
    return _named(text, offered, part=not asked.reading.asks) if text else None


def _of_connection(asked: Asked, offered: tuple[CandidateScope, ...]) -> CandidateScope | None:
    """The only one that reads the database that is named, where that is all the message says."""
    if not asked.reading.connections or not only_leans(asked.text, asked.reading.language):
        return None
    named = [asked.catalog.connection_named(name) for name in asked.reading.connections]
    found = []
    for each in offered:
        program = read_verbs(Source(each.key)).statements
        if [asked.catalog.connection_for(one.verb, connection_in(one)) for one in program] == named:
            found.append(each)
    return found[0] if len(found) == 1 else None


def _reference(asked: Asked, offered: tuple[CandidateScope, ...]) -> CandidateScope | None:
    """The first that counts from what the message names: today, or the last date in the data. Where only
    that is asked, "the last date" is no place among the options."""
    counted = [each for each in offered if each.reference_date is not None]
    if not any(each.reference_date.of_data for each in counted if each.reference_date is not None):
        return None
    lexicon = lexicon_of(language(asked.reading.language))
    clock, known = lexicon["dates"]["clock"], lexicon["reference_words"]
    words = asked.text.casefold().translate(_SIGNS).split()
    today = any(clock.get(word) == 0 for word in words)
    data = any(word in known["data"] for word in words)
    said = {*known["data"], *known["beside"], *lexicon["polite"], *clock}
    # With any other word it is a question: how many today?
    if today is data or not said.issuperset(words):
        return None
    return next(
        (each for each in counted if each.reference_date is not None and each.reference_date.of_data is data),
        None,
    )


def _named(text: str, offered: tuple[CandidateScope, ...], *, part: bool) -> CandidateScope | None:
    """The one that is called so. Of several, `part` of the words tells which, unless they ask something; a
    single one is named whole, since a part of it may as well be the beginning of another question."""
    for each in offered:
        if text in (each.label.strip(_AROUND).casefold(), each.key.strip(_AROUND).casefold()):
            return each
    if not part or len(offered) < 2 or len(text) < _TELLING:
        return None
    # A person may repeat words of the sentence, or of the program behind it: whole words, not letters.
    words = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
    of_words = [each for each in offered if words.search(f"{each.label}\n{each.key}".casefold())]
    return of_words[0] if len(of_words) == 1 else None
