"""What two planners say of one message, side by side: how likely the best reading of each is, and all of them
on one scale."""

import math
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.planning.database.judgement import Framed, Learned, evidence, judgement, probability
from dragoman.planning.database.planner import Reading
from dragoman.planning.database.told_readings import forgets, is_shorter, told
from dragoman.planning.tables.table_reading import TableReading

SURE = 0.79
"""From this probability on a reading is taken."""
THRESHOLD = 0.80
"""The probability by the learned weights that stands for SURE: measured, not chosen."""
_LEAST = 0.5
"""What an edit that nothing speaks against must be worth, at least, to be taken all the same."""
_APART = 0.6
LIKELY = 0.65
"""What a question that nothing speaks against must be worth, at least, to be taken all the same."""
LEAD = 0.5
"""How far a question must be from the next reading that nobody objects to."""
_AHEAD = 0.3
"""How far an edit must be from the next reading that nobody objects to."""
_FAR_AHEAD = 1.0
"""How far it must be where a name is only nearly exact."""
_NEARLY = 0.7
_POINTS = 0.7
"""How much a message must lean on what is in hand to be an edit, whatever the weights say."""
_EXACT = frozenset({"unit"})
"""Guesses that are none: hours are so many minutes, whatever else is meant."""
_MOST = 6
_DECAY = 5.0
"""How fast the probability of other readings falls with their distance from the best."""


class Heard(Record, frozen=True, gc=True):
    """The readings of the two planners, and the best of each compared with the others."""

    frames: tuple[Reading, ...]
    phrases: tuple[TableReading, ...]
    framed: Framed | None
    learned: Learned | None


def chances(text: str, heard: Heard, previous: Statement | None) -> tuple[float, float]:
    """How likely the best reading of each planner is right."""
    marks = evidence(text, heard.framed, heard.learned, follows=previous is not None)
    weights = judgement().questions if previous is None else judgement().follow_ups
    one = probability(weights.framed, marks) if heard.framed is not None else 0.0
    other = probability(weights.learned, marks) if heard.learned is not None else 0.0
    if other > one and forgets(heard.framed, heard.learned):
        return other, one
    if previous is not None and _LEAST <= one < THRESHOLD and _is_plain_edit(marks):
        return THRESHOLD, min(other, 1 - THRESHOLD)
    if heard.framed is not None and is_nearly_sure(one, other, previous):
        ahead = _leads(heard.framed, marks) if previous is None else _leads_as_edit(heard.framed, marks)
        if ahead:
            return THRESHOLD, min(other, 1 - THRESHOLD)
    return one, other


def is_nearly_sure(one: float, other: float, previous: Statement | None) -> bool:
    """Whether a message has a reading that is likely, but not likely enough to be taken: what else could be
    meant decides then."""
    least = LIKELY if previous is None else _LEAST
    return least <= one < THRESHOLD and one >= other


def _leads(framed: Framed, marks: Mapping[str, float]) -> bool:
    """Whether nothing speaks against a reading, and something against all others that are near it. The
    weights were learned without looking at what the second reader has against the others."""
    # Rows that are shown once for each of others are seldom what is asked for.
    repeated = framed.reading.statement.argument("with") is not None
    return _is_clear(framed, marks) and not repeated and framed.lead >= LEAD


def _leads_as_edit(framed: Framed, marks: Mapping[str, float]) -> bool:
    """Whether a message that leans on what is in hand changes it, names everything exactly or nearly so, and
    something speaks against all other readings that are near."""
    leans = framed.reading.follows and marks.get("leans", 0.0) >= _POINTS
    ahead = _AHEAD if marks.get("exact") else _FAR_AHEAD
    named = marks.get("weakest", 0.0) >= _NEARLY
    return leans and named and _is_clear(framed, marks) and framed.lead >= ahead


def _is_clear(framed: Framed, marks: Mapping[str, float]) -> bool:
    """Whether nothing speaks against a reading: nobody objects, no word is left, nothing was guessed, and the
    other planner is sure of nothing else."""
    reading = framed.reading
    clear = not framed.objections and not reading.uncovered and not marks.get("sure otherwise")
    return clear and set(reading.guesses) <= _EXACT


def _is_plain_edit(marks: Mapping[str, float]) -> bool:
    """Whether a message that points back changes what was asked and nothing speaks against it: every name is
    exact, no word is left, nobody objects, nothing else is near, and the other planner knows nothing better.
    The weights have hardly seen such edits where the other planner has none."""
    plain = marks.get("clean") and marks.get("exact") and marks.get("follows")
    # What only seems to lean may be a question of its own.
    apart = marks.get("margin", 0.0) >= _APART and marks.get("leans", 0.0) >= 1.0
    return bool(plain) and apart and not marks.get("sure otherwise")


def weighed(text: str, heard: Heard, previous: Statement | None) -> list[TableReading]:
    """The readings of both planners, each with a probability. What both say is said once."""
    framed, learned = heard.framed, heard.learned
    one, other = chances(text, heard, previous)
    agree = framed is not None and framed.learned_place == 0
    if agree:
        one = other = max(one, other)
    # Only one reading is meant: what is left by the likelier planner is all that others can have.
    left = 1.0 - max(one, other)
    frames = _shared(text, heard.frames, one if one >= other else min(one, left), left)
    share = other if other > one else min(other, left)
    phrases = [
        replace(each, score=round(scaled(min(share, left) * 0.5 if place else share), 4))
        for place, each in enumerate(heard.phrases[:2])
    ]
    if framed is None or learned is None or not agree:
        return [*frames, *phrases]
    best = frames[0]
    covered = () if learned.reading.score >= SURE and not learned.reading.uncovered else best.uncovered
    # What is asked for by name is shown alone, unless only that is objected to; otherwise what tells rows
    # apart is shown too.
    shorter = is_shorter(learned.reading, framed.reading) and not best.uncovered
    alone = shorter and learned.objections <= framed.objections
    # Of the same rows that is shown which nobody objects to.
    cleared = bool(framed.objections) and not learned.objections
    chosen = learned.reading if alone or cleared else best
    joined = replace(chosen, score=best.score, uncovered=covered, follow_up=best.follow_up)
    return [joined, *frames[1:], *phrases[1:]]


def _shared(text: str, found: Sequence[Reading], best: float, left: float) -> list[TableReading]:
    """The best readings of the planner of frames. Others than the first have a share of its probability, as
    far as it is left."""
    shares = []
    for reading in found[:_MOST]:
        share = best
        if reading is not found[0]:
            share = min(left, best * math.exp(-_DECAY * max(0.0, found[0].score - reading.score)))
        shares.append(told(text, reading, round(scaled(share), 4)))
    return shares


def is_sure(reading: TableReading) -> bool:
    """Whether a reading may be taken without asking."""
    return reading.score >= SURE and not reading.uncovered


def scaled(probability: float) -> float:
    """A probability with the threshold of the weights put on that of all."""
    if probability >= THRESHOLD:
        return SURE + (probability - THRESHOLD) / (1 - THRESHOLD) * (0.99 - SURE)
    return probability / THRESHOLD * SURE
