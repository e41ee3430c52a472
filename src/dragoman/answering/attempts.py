"""What a question over tables may have meant, kept where it was not answered: a follow-up may be about it.

Over a pack nothing is kept: a refusal leaves the slice in hand, and the next follow-up goes on from there.
"""

from typing import Final

from msgspec.structs import replace

from dragoman.answering.context import TurnContext
from dragoman.contracts import events as ev
from dragoman.contracts.state import AttemptReading, AttemptState
from dragoman.locales.registry import language
from dragoman.planning.contract import MAX_OPTIONS, PlannerName
from dragoman.planning.database.lean import LEANING, lean_of
from dragoman.reading.cues import counts, says_nothing
from dragoman.reading.tokens import tokens_of

_WITHOUT: Final = frozenset(
    {PlannerName.PACKS, PlannerName.EDIT, PlannerName.CHOICE, PlannerName.WRITES, PlannerName.ROWS}
)
"""Planners whose proposals are no guesses: declared, written or picked by a person."""

Kept = tuple[ev.SessionEvent, ...]


def unanswered(context: TurnContext) -> Kept:
    """The readings of a turn that ends without an answer, beside its words. A message without any reading
    does not take the place of one that had some."""
    proposal, before = context.proposal, context.continuity.attempt
    if proposal.planner in _WITHOUT:
        return ()
    readings = tuple(
        AttemptReading(each.program, each.probability, each.reference_date)
        for each in proposal.candidates[:MAX_OPTIONS]
    )
    if not readings and before is not None:
        return ()
    if before is None and context.continuity.base and _is_about_nothing_here(context):
        return ()
    return (ev.AttemptKept(AttemptState(context.text, readings)),)


def _is_about_nothing_here(context: TurnContext) -> bool:
    """Whether no word of a refused message says anything about the data: "what is the weather like". What
    is said next goes on from the last answer then, and not from that."""
    refusal, lean = context.proposal.refuses, lean_of(context.text)
    if refusal is None or lean.strength >= LEANING or lean.opens("by", "further", "out"):
        # "And the spare ones?", "by size": it was about the data, by what it goes on from.
        return False
    if not refusal.words:
        return not context.proposal.candidates
    code = context.reading.language
    if context.proposal.candidates and any(counts(token.form, code) for token in tokens_of(context.text)):
        # "How many are still open?": of what was found, though small words say it.
        return False
    left = {token.form for word in refusal.words for token in tokens_of(word)}
    small = language(code).function_words()
    return all(
        token.form in left or token.form in small or says_nothing(token.form, code)
        for token in tokens_of(context.text)
    )


def turned_down(context: TurnContext) -> Kept:
    """A no to what was offered: the question is still not answered, and has no reading any more."""
    attempt = context.continuity.attempt
    return () if attempt is None else (ev.AttemptKept(replace(attempt, readings=())),)
