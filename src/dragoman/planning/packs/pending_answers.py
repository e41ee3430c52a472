"""Whether a message answers the pending question of a pack.

A self-contained message never gets here: it drops the question. What fits the question answers it; whatever
else is said is a follow-up of the slice in hand, or leaves the question open.
"""

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.state import READING, ClarificationState
from dragoman.contracts.vocabulary import ResumeFrame
from dragoman.planning.packs.anchors import DATE
from dragoman.reading.reading import Reading
from dragoman.session.continuity import Continuity


def answers(reading: Reading, continuity: Continuity, catalog: Catalog) -> bool:
    """Whether a message without a request fits the pending question: what is asked for is given, or a place
    among the options. A name that nobody knows fits where a name is asked for, and is asked for again."""
    pending = continuity.clarification
    if pending is None or _is_decided_elsewhere(pending):
        return False
    if reading.phrase is not None or reading.chooses_scope or reading.actions:
        return False
    # A question of its own, whatever it names: "what does Alfa Trade do for a living", "who is Alfa Trade".
    if reading.asks_who or (reading.asks and reading.uncovered):
        return False
    wanted = _wanted(pending, catalog)
    if reading.choice or reading.unknown_name:
        return wanted != {DATE}
    of_object = pending.resume_target_frame.frame is ResumeFrame.OBJECT
    if of_object and reading.objects and wanted != {DATE}:
        return True  # An object of another kind does not help, and it is asked again: it was meant to.
    said = _said(reading)
    if said & wanted:
        return True
    # With nothing answered yet there is no slice that a date or an organization could be of: the request that
    # waits is changed by it, and asked about again. Beside words that nobody knows it was said in passing.
    of_request = pending.resume_target_frame.frame is ResumeFrame.ROOT and not reading.uncovered
    return of_request and continuity.root is None and bool(said & _taken(pending, catalog))


def gives_missing(reading: Reading, pending: ClarificationState | None, catalog: Catalog) -> bool:
    """Whether a message gives something that the pending question asks for."""
    if pending is None or catalog.verb(pending.resume_target_route) is None:
        return False
    named = {entity.kind for entity in reading.entities if reading.entity(entity.kind) is not None}
    dated = {DATE} if reading.period is not None else set()
    return bool((named | dated) & _wanted(pending, catalog))


def _is_decided_elsewhere(pending: ClarificationState) -> bool:
    """A yes to a write is decided before, which reading is meant by its own planner."""
    return pending.waits_for_yes or pending.missing_anchors == (READING,)


def _said(reading: Reading) -> set[str]:
    """The kinds of things that a message names."""
    kinds = {entity.kind for entity in reading.entities}
    kinds |= {ref.kind for refs in reading.objects for ref in refs}
    return kinds | {DATE} if reading.periods else kinds


def _wanted(pending: ClarificationState, catalog: Catalog) -> set[str]:
    """The kinds of things that the question asks for."""
    verb = catalog.verb(pending.resume_target_route)
    wanted = set()
    for anchor in pending.missing_anchors:
        argument = verb.spec.arguments.get(anchor) if verb is not None else None
        wanted.add(argument.entity if argument is not None and argument.entity else anchor)
    return wanted


def _taken(pending: ClarificationState, catalog: Catalog) -> set[str]:
    """The kinds of things that the waiting request can be narrowed to."""
    verb = catalog.verb(pending.resume_target_route)
    if verb is None:
        return set()
    return {*verb.takes, *({DATE} if verb.date_use is not None else ())}
