"""Readings to choose from, where nobody is sure: how likely each of them is what is meant.

The best readings of both planners are weighed one by one, by weights that were learned for this alone. A
reading that leaves a word out may be offered, because whoever asked sees what it says; it is never taken.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace

from dragoman.contracts.program import Statement
from dragoman.contracts.record import Record
from dragoman.planning.contract import MAX_OPTIONS, NEAR, OFFERED
from dragoman.planning.database.follow_up_evidence import shown_by, width_of
from dragoman.planning.database.judgement import judgement, probability
from dragoman.planning.database.planner import Reading
from dragoman.planning.database.sameness import alike
from dragoman.planning.database.tried_offers import Tried, marks_of_trying
from dragoman.planning.database.vocabulary import english
from dragoman.planning.tables.lexicon import others_spoken
from dragoman.planning.tables.table_reading import TableReading
from dragoman.planning.tables.words import tokens_of

ASKED, _FOLLOWED = 0.54, 0.65
"""So likely one of the readings is what is meant, where somebody is asked: else a refusal says more. Of a
change of what was asked before it is known less well how likely it is."""
OTHERS = 0.2
"""So much of their probability others beside the best add: where nothing fits well, many fit badly."""
PLAUSIBLE = 0.15
_HARDLY = 0.3
MOST = 0.78
"""What is offered is not sure."""

_FRAMES, _PHRASES = 8, 4
_FAR = 3.0
_MOST_TOLD = 3


class Offer(Record, frozen=True, gc=True):
    """A reading that could be offered, and what speaks for it."""

    reading: TableReading
    evidence: dict[str, float]


class Chances(Record, frozen=True):
    """How likely the best reading of each planner is right."""

    framed: float
    learned: float


class Second(Record, frozen=True, gc=True):
    """What is asked of every reading once it is there."""

    objections: Callable[[Statement, bool], int]
    """How many objections there are to a statement that follows what was asked before, or does not."""
    shows_nobody: Callable[[Statement], bool]
    tried: Tried | None = None


def offers(
    frames: Sequence[Reading],
    phrases: Sequence[TableReading],
    chances: Chances,
    second: "Second",
    shown: Callable[[Reading], TableReading],
) -> list[Offer]:
    """The readings of both planners, each once."""
    places = {each.statement: place for place, each in enumerate(phrases[:_PHRASES])}
    found = []
    for place, framed in enumerate(frames[:_FRAMES]):
        learned = places.pop(framed.statement, None)
        reading = shown(framed)
        marks = _of_frame(framed, place, frames[0].score, chances.framed)
        marks |= _of_phrase(phrases[learned], learned, chances.learned) if learned is not None else {}
        found.append(Offer(reading, marks))
    found += [Offer(phrases[at], _of_phrase(phrases[at], at, chances.learned)) for at in places.values()]
    reviewed = [_compared(_reviewed(each, second), found[0]) for each in found]
    return _tried(reviewed, second.tried)


def _of_frame(reading: Reading, place: int, best: float, chance: float) -> dict[str, float]:
    support = reading.support
    return {
        "framed": 1.0,
        f"framed {min(place, _MOST_TOLD)}": 1.0,
        "framed gap": min(_FAR, best - reading.score),
        "framed chance": chance,
        "framed first chance": chance * (place == 0),
        "guesses": float(len(set(reading.guesses))),
        "weakest": support.weakest,
        "weakest value": support.weakest_value,
        "fit a name": support.fit / max(1, support.names + support.values),
        "cost": min(_FAR, support.cost),
        "dropped": float(min(_MOST_TOLD, support.dropped)),
        "unknown": float(min(_MOST_TOLD, support.unknown)),
        "tables": min(5, support.tables) / 2,
        "nameless": float(not support.names + support.values),
    }


def _of_phrase(reading: TableReading, place: int, chance: float) -> dict[str, float]:
    return {
        "learned": 1.0,
        f"learned {min(place, _MOST_TOLD)}": 1.0,
        "learned probability": reading.score,
        "learned chance": chance,
        "learned first chance": chance * (place == 0),
    }


def _reviewed(offer: Offer, second: Second) -> Offer:
    against = second.objections(offer.reading.statement, offer.reading.follow_up)
    left = len(offer.reading.uncovered)
    both = "framed" in offer.evidence and "learned" in offer.evidence
    marks = {
        "objections": float(min(_MOST_TOLD, against)),
        "clear": float(not against),
        "uncovered": float(min(_MOST_TOLD, left)),
        "covered": float(not left),
        "both": float(both),
        "nobody": float(second.shows_nobody(offer.reading.statement)),
        f"verb {offer.reading.statement.verb.rpartition('.')[2]}": 1.0,
        "arguments": len(offer.reading.statement.arguments) / 4,
    }
    return replace(offer, evidence=offer.evidence | marks)


def _compared(offer: Offer, first: Offer) -> Offer:
    """What an offer shows, and whether it is more than what the first one shows."""
    statement, follows = offer.reading.statement, float(offer.reading.follow_up)
    ours, theirs = shown_by(statement), shown_by(first.reading.statement)
    whose = "framed" if "framed" in offer.evidence else "learned"
    marks = {
        "follows": follows,
        f"{whose} follows": follows,
        "width": width_of(statement) / 3,
        "shows more": float(theirs < ours),
        "shows less": float(ours < theirs),
        "distinct": float(any(each.name == "distinct" for each in statement.arguments)),
    }
    return replace(offer, evidence=offer.evidence | marks)


def _tried(found: list[Offer], tried: Tried | None) -> list[Offer]:
    """The readings with what trying them tells, as far as they can be offered at all."""
    likely = [each for each in found if _is_likely(each)] if tried is not None else []
    if tried is None or not likely:
        return found
    marks = marks_of_trying([(each.reading.statement, each.reading.follow_up) for each in likely], tried)
    told = {id(each): more for each, more in zip(likely, marks, strict=True)}
    first = next((each for each in likely if told[id(each)].get("nothing") == 0.0), None)
    if first is not None:
        chance = max(first.evidence.get(f"{whose} chance", 0.0) for whose in ("framed", "learned"))
        told[id(first)] |= {"first found": 1.0, "first found chance": chance}
    return [replace(each, evidence=each.evidence | told.get(id(each), {})) for each in found]


def _is_likely(offer: Offer) -> bool:
    return offer.evidence["objections"] <= 1 and len(offer.reading.uncovered) <= 1


def weighed(found: Sequence[Offer], *, follow_up: bool) -> tuple[TableReading, ...]:
    """The readings with how likely they are, the likeliest first. None of them is sure."""
    weights = judgement().offered_follow_ups if follow_up else judgement().offered_questions
    scored = [replace(each.reading, score=round(_worth(each, weights), 4)) for each in found]
    return _once(sorted(scored, key=lambda each: -each.score))


def _worth(offer: Offer, weights: Mapping[str, float]) -> float:
    # Who is asked for is shown, or something else is meant; so it is where a word is left and no other names
    # anything in the database.
    nameless = offer.evidence.get("nameless") and offer.reading.uncovered
    most = _HARDLY if offer.evidence.get("nobody") or nameless else MOST
    return min(most, probability(weights, offer.evidence))


def _once(readings: Sequence[TableReading]) -> tuple[TableReading, ...]:
    """The readings without those that ask and show what a likelier one does: nobody can choose between two
    ways to say one thing."""
    kept: list[TableReading] = []
    for each in readings:
        if not any(_is_same(each, other) for other in kept):
            kept.append(each)
    return tuple(kept)


def _is_same(one: TableReading, other: TableReading) -> bool:
    mine, yours = one.statement, other.statement
    return (
        one.uncovered == other.uncovered
        and alike(mine, yours)
        and shown_by(mine) == shown_by(yours)
        and _is_distinct(mine) == _is_distinct(yours)
    )


def _is_distinct(statement: Statement) -> bool:
    return any(argument.name == "distinct" for argument in statement.arguments)


def worth_asking(text: str, readings: Sequence[TableReading]) -> tuple[TableReading, ...]:
    """The readings to ask about: the likeliest ones, where one of them is likely enough what is meant."""
    once = {each.statement: each for each in reversed(readings)}
    asked = [each for each in readings if each is once[each.statement] and _is_offered(text, each)]
    likely = _apart(each for each in asked if each.score >= asked[0].score * OFFERED)[:MAX_OPTIONS]
    # Of other languages only the planner of phrases has readings, and it knows less how likely they are.
    follows = bool(likely) and likely[0].follow_up
    least = PLAUSIBLE if others_spoken(text) else _FOLLOWED if follows else ASKED
    return tuple(likely) if _chance(likely) >= least else ()


def _apart(readings: Iterable[TableReading]) -> list[TableReading]:
    """The readings, those that ask for other rows than the likelier ones first: what only differs in what is
    shown must not push out what was meant. The one nearest to the best stays: together they may be sure."""
    first: list[TableReading] = []
    alike_to: list[TableReading] = []
    for each in readings:
        same = any(alike(each.statement, other.statement) for other in first)
        backs = same and len(first) == 1 and each.score >= first[0].score * NEAR
        (alike_to if same and not backs else first).append(each)
    kept = {id(each) for each in [*first, *alike_to][:MAX_OPTIONS]}
    return [each for each in sorted([*first, *alike_to], key=lambda each: -each.score) if id(each) in kept]


def _chance(readings: Sequence[TableReading]) -> float:
    """How likely one of the readings is what is meant."""
    return sum(each.score * (OTHERS if place else 1.0) for place, each in enumerate(readings))


def _is_offered(text: str, reading: TableReading) -> bool:
    """Whether a reading can be offered. One word may be left over, if it is neither what is asked for ("how
    many passengers") nor a name ("in London") nor what is said of things ("are cancelled")."""
    if not reading.uncovered:
        return True
    if len(reading.uncovered) > 1 or others_spoken(text):
        return False
    left = [token.low for token in tokens_of(reading.uncovered[0])]
    said = [token.low for token in tokens_of(text)]
    if not left or left[0] not in said:
        return False
    before = said[: said.index(left[0])]
    words = english()
    return not any(
        _ends_with(before, phrase) for phrase in (*words.asked_for, *words.prepositions, *words.auxiliary)
    )


def _ends_with(words: Sequence[str], phrase: str) -> bool:
    tail = phrase.split()
    return list(words[-len(tail) :]) == tail
