"""How likely a reading is right: what speaks for and against it, weighed.

The weights are learned from questions over many databases whose answers are known, and shipped as data. What
they weigh means the same on every database: nothing in it is the name or the value of one.
"""

import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from dragoman.contracts.decoding import decoded
from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.planning.database.follow_up_evidence import follow_up_marks
from dragoman.planning.database.other_steps import holds_others
from dragoman.planning.database.planner import Reading
from dragoman.planning.database.sameness import columns_shown
from dragoman.planning.tables.table_reading import TableReading

_SURE = 0.79
_FIRM = 0.85
_MOST_WORDS = 20
_FAR = 1.5
_MANY = 100
_TOLD = frozenset(
    {
        *("by", "having", "order", "where", "with", "columns", "distinct", "top", "of"),
        *("also", "during", "on", "share", "that"),
    }
)
"""Arguments with a meaning of their own; all others are columns."""


class Framed(Record, frozen=True, gc=True):
    """The best reading of the planner of frames, and how it compares."""

    reading: Reading
    objections: int
    margin: float
    """How far it is from the next that asks something else."""
    learned_place: int | None
    """Which of the other planner's readings it is, if any."""
    rows: int | None = None
    """How many rows it gives, where it was tried."""
    rival: float = 0.0
    """Of an edit how far it is from the best new question, and the other way round."""
    lead: float = 0.0
    """How far it is from the next that asks something else and that nobody objects to, where that decides."""


class Learned(Record, frozen=True, gc=True):
    """The best reading of the planner of phrases, and how it compares."""

    reading: TableReading
    objections: int
    margin: float
    framed_place: int | None
    rows: int | None = None


class Weights(Record, frozen=True):
    """Of the two planners' best readings: the weight of each kind of evidence."""

    framed: dict[str, float]
    learned: dict[str, float]


class Judgement(Record, frozen=True):
    """What was learned, for questions and for follow-ups."""

    questions: Weights
    follow_ups: Weights
    offered_questions: dict[str, float]
    """What speaks for a reading that is offered because nobody is sure."""
    offered_follow_ups: dict[str, float]


@cache
def judgement() -> Judgement:
    place = files("dragoman.planning.database").joinpath("judgement.json")
    return decoded(place.read_bytes(), Judgement)


def probability(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    """How likely a reading is right by its evidence."""
    sum_ = weights.get("bias", 0.0) + sum(weights.get(name, 0.0) * value for name, value in found.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, sum_))))


def evidence(text: str, framed: Framed | None, learned: Learned | None, *, follows: bool) -> dict[str, float]:
    """All that is known of the best readings of the two planners; `follows`: something was asked before."""
    words = max(1, len(text.split()))
    found = {"words": min(words, _MOST_WORDS) / 10}
    if framed is not None:
        found |= _of_framed(framed, words)
    if learned is not None:
        found |= _of_learned(learned)
    agree = framed is not None and framed.learned_place == 0
    found["agree"] = float(agree)
    found["sure otherwise"] = float(not agree and bool(found.get("learned sure")))
    if agree and framed is not None and learned is not None:
        one, other = framed.reading.statement, learned.reading.statement
        # Who agrees in what is shown too, is right more often than who agrees in the rows alone.
        found["same shown"] = float(columns_shown(one) == columns_shown(other))
        found["agree probability"] = learned.reading.score
    if follows:
        best, rival = (framed.reading, framed.rival) if framed is not None else (None, 0.0)
        found |= follow_up_marks(best, rival, learned.reading if learned is not None else None)
    return found


def _of_framed(framed: Framed, words: int) -> dict[str, float]:
    reading, support = framed.reading, framed.reading.support
    guesses = set(reading.guesses)
    firm = min(support.weakest, support.weakest_value) >= _FIRM
    clean = firm and not reading.uncovered and not guesses and not framed.objections
    found = {
        "framed": 1.0,
        "worth a word": min(_FAR, reading.score / words),
        "uncovered": float(min(3, len(reading.uncovered))),
        "covered": float(not reading.uncovered),
        "guesses": float(len(guesses)),
        "margin": max(-_FAR, min(_FAR, framed.margin)),
        "explicit": float(reading.explicit),
        "gathered": float(reading.frame.gathered),
        "follows": float(reading.follows),
        "clean": float(clean),
        "clean margin": clean * max(0.0, min(_FAR, framed.margin)),
        "learned too": float(framed.learned_place is not None),
        "weakest": support.weakest,
        "usual": support.usual,
        "weakest value": support.weakest_value,
        "exact": float(support.weakest >= 0.95),
        "fit": max(-3.0, min(3.0, support.fit)),
        "fit a name": support.fit / max(1, support.names + support.values),
        "cost": min(3.0, support.cost),
        "names": min(6, support.names) / 3,
        "values": min(4, support.values) / 2,
        "tables": min(5, support.tables) / 2,
        "dropped": float(min(3, support.dropped)),
        "unknown": float(min(3, support.unknown)),
        "pieces a word": min(_MOST_WORDS, support.pieces) / words,
    }
    found |= {f"guess {each}": 1.0 for each in guesses}
    return found | _of_statement("", reading.statement, framed.objections, framed.rows)


def _of_learned(learned: Learned) -> dict[str, float]:
    reading = learned.reading
    found = {
        "learned": 1.0,
        "learned probability": reading.score,
        "learned sure": float(reading.score >= _SURE),
        "learned uncovered": float(min(3, len(reading.uncovered))),
        "learned covered": float(not reading.uncovered),
        "learned margin": learned.margin,
        "learned follows": float(reading.follow_up),
        "framed too": float(learned.framed_place is not None),
        "framed place": (8 if learned.framed_place is None else learned.framed_place) / 4,
    }
    return found | _of_statement("learned ", reading.statement, learned.objections, learned.rows)


def _of_statement(whose: str, statement: Statement, objections: int, rows: int | None) -> dict[str, float]:
    """What a statement is: its verb, its arguments, the objections to it and what it gives."""
    # That rows are put together with others by accident was learned; pairs are asked for in so many words.
    told = [each for each in statement.arguments if not (each.name == "with" and holds_others(statement))]
    names = {each.name if each.name in _TOLD else "column" for each in told}
    found = {
        f"{whose}objections": float(min(3, objections)),
        f"{whose}clear": float(not objections),
        f"{whose}verb {statement.verb.rpartition('.')[2]}": 1.0,
        f"{whose}arguments": len(statement.arguments) / 4,
    }
    if not whose:
        found |= {f"argument {name}": 1.0 for name in names}
    if rows is not None:
        found |= {
            f"{whose}nothing": float(rows == 0),
            f"{whose}one row": float(rows == 1),
            f"{whose}many rows": float(rows > _MANY),
        }
    return found
