"""What a model says beside what the embedded planners say: two voices, and what they are sure of together.

A model is fluent when it is wrong, so its word alone is never an answer. What it says is taken where an
embedded planner reads the message so, too, and could not decide alone. Where both are sure and differ, nobody
is. A program that nobody else has read into the message is asked about.
"""

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Program, Statement
from dragoman.contracts.vocabulary import Signal
from dragoman.language.verbs.printer import print_line
from dragoman.planning.contract import (
    CERTAIN,
    LIKELY,
    MAX_OPTIONS,
    Asked,
    Candidate,
    Options,
    PlannerName,
    Proposal,
)
from dragoman.planning.model.occasion import is_sure
from dragoman.planning.model.synthesis import Synthesis
from dragoman.planning.rivals import compare


def agreed(asked: Asked, stands: Proposal, said: Synthesis) -> Proposal | None:
    """What both say together; None where what stands is all there is to say."""
    if said.choice is not None:
        return _picked(asked, stands, said, said.choice)
    if not said.candidates:
        return None
    first = said.candidates[0]
    if first.writes:
        return None if is_sure(stands) else _proposal(asked, stands, said, (first,), "a program that writes")
    same = _same_reading(asked, stands, first) if len(said.candidates) == 1 else None
    if same is not None:
        return _picked(asked, stands, said, same)
    beside = () if stands.refuses is not None else stands.candidates[:1]
    if isinstance(stands.asks, Options):
        beside = stands.candidates
    # What somebody is sure of comes first, and a model's program before readings that nobody is sure of.
    ordered = (*beside, *said.candidates) if is_sure(stands) else (*said.candidates, *beside)
    offered = _once(ordered)[:MAX_OPTIONS]
    rule = "a program that no other planner reads into the message"
    return _proposal(asked, stands, said, offered, rule, asks=Options())


def _once(candidates: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The candidates without those that are written alike."""
    found: dict[str, Candidate] = {}
    for each in candidates:
        found.setdefault(print_line(_plain(each.program)), each)
    return tuple(found.values())


def _picked(asked: Asked, stands: Proposal, said: Synthesis, reading: Candidate) -> Proposal | None:
    """A reading of the embedded planners that the model means, too."""
    if is_sure(stands):
        if reading == stands.candidates[0]:
            return None
        both = (stands.candidates[0], reading)
        return _proposal(asked, stands, said, both, "the model means another reading", asks=Options())
    if stands.refuses is not None:
        rule = "the model means a reading that nobody would have offered"
        return _proposal(asked, stands, said, (reading,), rule, asks=Options())
    others = tuple(each for each in stands.candidates if each != reading)
    if reading != stands.candidates[0] or reading.uncovered:
        rule = "the model means another of the readings that were offered"
        return _proposal(asked, stands, said, (reading, *others), rule, asks=Options())
    # Taken as likely: it is the first that either of two planners has. The second reader still has to agree.
    taken = replace(reading, probability=max(reading.probability, LIKELY))
    rule = "the model means the first of the readings that were offered"
    return _proposal(asked, stands, said, (taken, *others), rule, planner=stands.planner)


def _proposal(
    asked: Asked,
    stands: Proposal,
    said: Synthesis,
    candidates: tuple[Candidate, ...],
    rule: str,
    *,
    asks: Options | None = None,
    planner: str = PlannerName.MODEL,
) -> Proposal:
    """In the place of what stands: so it is surer than that, and never certain."""
    return Proposal(
        planner,
        _signals(asked, stands, candidates[0]),
        (stands.certainty + CERTAIN) / 2,
        candidates,
        asks=asks,
        rule=f"{'take' if asks is None else 'ask'}: {rule}",
        plan=said.plan,
        synthesis=said.story,
    )


def _signals(asked: Asked, stands: Proposal, first: Candidate) -> tuple[Signal, ...]:
    """What the message is to the session, with this program."""
    known = stands.refuses is None and stands.candidates and first.program == stands.candidates[0].program
    if known or (first.request is not None and first in stands.candidates and stands.refuses is None):
        return stands.signals
    root = asked.continuity.root
    if root is None or not first.follows:
        return (Signal.REQUEST, Signal.OPENS_ROOT)
    same = first.program[0].verb.rpartition(".")[0] == root.domain_id
    return (Signal.REQUEST, Signal.SAME_DOMAIN if same else Signal.OTHER_DOMAIN)


def _same_reading(asked: Asked, stands: Proposal, said: Candidate) -> Candidate | None:
    """The reading that a program is: written alike, or the first one, with the same rows to show."""
    readings = [each for each in stands.candidates if not each.writes]
    plain = _plain(said.program)
    for each in readings:
        if _plain(each.program) == plain:
            return each
    # Rows may be the same by chance, so only what would be answered is held against them: whichever of the
    # two is meant, its rows are right. A query of its own is shown to a person before it runs.
    if not readings or stands.refuses is not None or not all(map(asked.catalog.is_of_table, said.program)):
        return None
    first = readings[0]
    compared = compare((said, first), asked.catalog)
    if compared is None:
        return None
    asked.tell(compared.event)
    result = compared.event.results[1]
    return first if result.same and result.rows else None


def _plain(program: Program) -> Program:
    """A program without what says nothing: its symbols, and the order of arguments."""
    return tuple(
        Statement(each.verb, tuple(sorted(map(_unshown, each.arguments), key=lambda one: one.name)))
        for each in program
    )


def _unshown(argument: Argument) -> Argument:
    return Argument(argument.name, argument.value)
