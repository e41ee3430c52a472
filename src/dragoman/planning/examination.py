"""What stands between a planner and an answer: the proposal that won is examined before it is routed.

A planner is eager, and something must object. Three things are asked of what would be answered, whichever
planner it comes from: does it rest on a question that was not answered, does it matter which of the near
readings is meant, and does a second reader object.
What does not pass becomes a closed question, or a refusal. What a person wrote or picked is theirs, and is
not examined.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from dragoman.contracts import events as ev
from dragoman.contracts.objection import Objection
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import Signal
from dragoman.language.verbs.printer import print_line
from dragoman.planning.chooser import choose
from dragoman.planning.contract import (
    CERTAIN,
    LIKELY,
    MAX_OPTIONS,
    NEAR,
    OFFERED,
    Asked,
    Candidate,
    Objector,
    Options,
    Planner,
    PlannerName,
    Proposal,
    Question,
    Refusal,
)
from dragoman.planning.database.lean import lean_of
from dragoman.planning.rivals import compare

_REVIEWED: Final = 2 * MAX_OPTIONS
"""So many readings of a question are reviewed, so that those nobody objects to are offered first."""


class Examined(Record, frozen=True):
    """The proposal as it will be routed, and what was found on the way, for the record."""

    chosen: Proposal
    """As its planner made it."""
    proposal: Proposal
    notes: tuple[ev.SessionEvent, ...] = ()
    passed: bool = False
    """A second reader looked at what will be answered, and has no objection."""


def propose(
    planners: Sequence[Planner],
    asked: Asked,
    objector: Objector | None = None,
    *,
    spares_certain: bool = True,
    last: Planner | None = None,
) -> Examined:
    """What the planners make of a message: the proposal that wins, examined.

    `last` is asked when it is known what becomes of what the others propose, and is told that. What it puts
    in its place is examined in its turn."""
    first = examine(choose(planners, asked), asked, objector, spares_certain=spares_certain)
    if last is None:
        return first
    stands = first.proposal
    proposal = choose((last,), replace(asked, stands=stands))
    if proposal is stands:
        return first
    note = ev.ReadingsWeighed((), proposal.rule)
    examined = examine(proposal, asked, objector, spares_certain=spares_certain)
    return replace(examined, chosen=first.chosen, notes=(*first.notes, note, *examined.notes))


def examine(
    proposal: Proposal, asked: Asked, objector: Objector | None = None, *, spares_certain: bool = True
) -> Examined:
    """Hold a proposal against the message. `spares_certain`: what is certain is not objected to, because
    every word of it is accounted for by what somebody declared."""
    examined = Examined(proposal, proposal)
    if not _is_examined(proposal):
        return examined
    examined = _followed(examined, asked) or _compared(examined, asked)
    if objector is None or (spares_certain and proposal.certainty >= CERTAIN):
        return examined
    if examined.proposal.asks is not None:
        return _reordered(examined, asked, objector)
    return _reviewed(examined, asked, objector)


def _is_examined(proposal: Proposal) -> bool:
    """What is picked or typed by a person is theirs; what is answered although it is not sure says so; what
    writes is shown to a person before anything happens."""
    open_question = proposal.refuses is None and not isinstance(proposal.asks, Question)
    picked = Signal.FITS_CLARIFICATION in proposal.signals
    writes = any(candidate.writes for candidate in proposal.candidates)
    if proposal.planner == PlannerName.KNOWLEDGE:
        # A passage is quoted with its place and its confidence. The second reader knows tables alone.
        return False
    return bool(proposal.candidates) and open_question and proposal.sure and not picked and not writes


def near(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The best reading and those that are worth offering beside it."""
    best = candidates[0]
    others = (
        each for each in candidates[1:] if not each.uncovered and each.probability >= best.probability * NEAR
    )
    return (best, *others)


def _asking(examined: Examined, candidates: Iterable[Candidate], rule: str) -> Examined:
    before = examined.proposal.asks
    options = before if isinstance(before, Options) else Options()
    asks = replace(examined.proposal, candidates=tuple(candidates)[:MAX_OPTIONS], asks=options)
    return _noted(replace(examined, proposal=asks), ev.ReadingsWeighed((), f"ask: {rule}"))


def _with_others(examined: Examined, *first: Candidate) -> list[Candidate]:
    """These readings, and behind them others that are likely enough to be offered."""
    found, least = list(first), examined.proposal.candidates[0].probability * OFFERED
    for each in examined.proposal.candidates:
        if each not in found and not each.uncovered and each.probability >= least:
            found.append(each)
    return found


def _noted(examined: Examined, *notes: ev.SessionEvent) -> Examined:
    return replace(examined, notes=(*examined.notes, *notes))


# Follow-ups on what was not answered.


def _followed(examined: Examined, asked: Asked) -> Examined | None:
    """A follow-up whose antecedent was not answered is never taken for granted: it rests on a reading that
    nobody has confirmed, and on words that nobody has understood. None where it is none.

    Over tables it opens a slice of its own, since there is no answered one that it could go on from."""
    attempt, proposal = asked.continuity.attempt, examined.proposal
    best = proposal.candidates[0]
    # What is asked of a row that was opened, or picks one that was shown, rests on that answer.
    # "And at the Heron?" is about what was asked, whatever it names.
    of_row = best.focus is not None and bool(best.bindings) and not lean_of(asked.text).opens("about", "and")
    answered = (attempt is None and not asked.continuity.offers_readings) or of_row
    # Of the last answer: a pack reads nothing of what a question over tables may have meant, and the tables
    # say so.
    past = asked.continuity.offers_readings and (best.of_slice or best.request is not None)
    if past:
        return None
    # Whatever a planner says of its candidate, a message that opens no slice of its own leans on one.
    if answered or not (best.follows or Signal.OPENS_ROOT not in proposal.signals):
        return None
    if best.request is None:
        proposal = replace(proposal, signals=(Signal.REQUEST, Signal.OPENS_ROOT))
        examined = replace(examined, proposal=proposal)
    if proposal.asks is not None:
        return examined
    rule = "it follows a question that was not answered"
    return _asking(examined, _with_others(examined, *near(proposal.candidates)), rule)


# Rival readings.


def _compared(examined: Examined, asked: Asked) -> Examined:
    """Run the readings near the best, where the planner says that it is worth it."""
    proposal = examined.proposal
    rivals = near(proposal.candidates)[:MAX_OPTIONS]
    if not proposal.rivals or len(rivals) == 1:
        return examined
    compared = compare(rivals, asked.catalog)
    if compared is None:
        return examined
    examined = _noted(examined, compared.event)
    if len(compared.different) > 1:
        rule = f"{len(compared.different)} readings near the best give different results"
        return _asking(examined, compared.different, rule)
    if proposal.asks is not None and compared.agreed:
        taken = replace(examined, proposal=replace(proposal, asks=None))
        return _noted(taken, ev.ReadingsWeighed((), "take: the readings near the best give the same rows"))
    return examined


# The second reader.


def _reviewed(examined: Examined, asked: Asked, objector: Objector) -> Examined:
    """What would be answered, as the second reader sees it. With an objection it is asked about, after what
    nobody objects to; hardly likely and without such another, it is refused by the words that it lacks."""
    best, *others = near(examined.proposal.candidates)
    objections = objector(asked, best)
    examined = _noted(examined, _verdict(best, objections))
    if not objections:
        return replace(examined, passed=True)
    judged = [(each, objector(asked, each)) for each in others[: MAX_OPTIONS - 1]]
    examined = _noted(examined, *(_verdict(each, against) for each, against in judged))
    clear = [each for each, against in judged if not against]
    if best.probability >= LIKELY or clear:
        offered = _with_others(examined, *clear, best)
        return _asking(examined, offered, "the second reader objects to the best reading")
    words = tuple(dict.fromkeys(word for each in objections for word in each.words))
    refusal = Refusal("uncovered_words" if words else "no_reading", words)
    refused = replace(examined.proposal, refuses=refusal)
    note = ev.ReadingsWeighed((), "refuse: the second reader objects to a reading that is not likely")
    return _noted(replace(examined, proposal=refused), note)


def _reordered(examined: Examined, asked: Asked, objector: Objector) -> Examined:
    """The readings of a question, those first that nobody objects to."""
    judged = [(each, objector(asked, each)) for each in examined.proposal.candidates[:_REVIEWED]]
    clear = tuple(each for each, against in judged if not against)
    others = tuple(each for each, against in judged if against)
    proposal = replace(examined.proposal, candidates=(*clear, *others))
    notes = (_verdict(each, against) for each, against in judged)
    return _noted(replace(examined, proposal=proposal), *notes)


def _verdict(candidate: Candidate, objections: tuple[Objection, ...]) -> ev.ReadingReviewed:
    return ev.ReadingReviewed(print_line(candidate.program), objections)
