"""What a question over tables may have meant, kept where it was not answered: a follow-up may be about it.

Over a pack nothing is kept: a refusal leaves the slice in hand, and the next follow-up goes on from there.
"""

from typing import Final

from msgspec.structs import replace

from dragoman.answering.context import TurnContext
from dragoman.contracts import events as ev
from dragoman.contracts.state import AttemptReading, AttemptState
from dragoman.planning.choice_planner import ChoicePlanner
from dragoman.planning.contract import MAX_OPTIONS
from dragoman.planning.edit_planner import EditPlanner
from dragoman.planning.packs.planner import PackPlanner

_WITHOUT: Final = frozenset({PackPlanner.name, EditPlanner.name, ChoicePlanner.name})
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
    return (ev.AttemptKept(AttemptState(context.text, readings)),)


def turned_down(context: TurnContext) -> Kept:
    """A no to what was offered: the question is still not answered, and has no reading any more."""
    attempt = context.continuity.attempt
    return () if attempt is None else (ev.AttemptKept(replace(attempt, readings=())),)
