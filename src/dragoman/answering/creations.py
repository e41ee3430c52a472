"""Something new, made for a reference that waits: bound to it when it is there; a no leads back to it."""

from msgspec.structs import replace

from dragoman.answering import moves, resolutions, resolving, writes
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.effects import Written
from dragoman.answering.resolving import Events, Settled
from dragoman.answering.waiting import give_up, waiting_resolution
from dragoman.answering.write_forms import ask_argument, await_yes
from dragoman.catalog.resolution_world import CatalogWorld
from dragoman.contracts import events as ev
from dragoman.contracts.resolution import WaitingResolution
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass
from dragoman.entities import name_resolution
from dragoman.entities.name_resolution import Creation, Resolution
from dragoman.planning.contract import Question


def confirm(context: TurnContext) -> Conclusion:
    """The answer to the question whether to write; behind something new for a reference, that goes on. What
    is to be otherwise in it is asked about again."""
    proposal, waiting = context.proposal, context.before.program.waiting
    if isinstance(proposal.asks, Question):
        return ask_argument(context, proposal.asks)
    if proposal.candidates:
        return await_yes(context, proposal.candidates[0])
    if waiting is None:
        return writes.confirm(context)
    if not context.reading.affirm:
        return give_up(context, waiting)

    def go_on(events: tuple[ev.SessionEvent, ...], said: str, written: Written) -> Conclusion:
        return made(context, waiting, written, events, said)

    return writes.confirm(context, go_on)


def none_of_these(context: TurnContext) -> Conclusion:
    """X_NONE: what is offered is dropped; of something new for a reference, that it is made."""
    waiting = context.before.program.waiting
    return moves.none_of_these(context) if waiting is None else give_up(context, waiting)


def made(
    context: TurnContext,
    waiting: WaitingResolution,
    written: Written,
    events: tuple[ev.SessionEvent, ...],
    said: str,
) -> Conclusion:
    """It is there and has its key: the reference means it, and the program that waited goes on.

    `events` and `said` are those of the write, behind which this stands in the same turn."""
    context.catalog.forget_names()
    world = CatalogWorld(context.catalog)
    waits = waiting_resolution(waiting)
    reference = waits.reference(waiting.ref_id)
    # The form was filled by the conversation: of the creation only its end is left.
    form = Resolution("", waiting.notation)
    begun = Resolution(
        waits.source,
        waits.notation,
        waits.references,
        waits.left_out,
        waits.moot,
        creation=Creation(waiting.ref_id, reference.ref.entity_type, waiting.verb, form),
    )
    after = name_resolution.created(world, begun, written.key)
    gone_on: Events = [
        *events,
        ev.ResolutionResumed(),
        *resolving.settled_events(context, after, waiting.ref_id),
    ]
    went_on = resolving.go_on(
        context, after, gone_on, TransitionClass.T7, edited=waiting.edited_by_user, before=f"{said} "
    )
    if not isinstance(went_on, Settled):
        return went_on
    ended = resolutions.run_settled(context, went_on)
    if ended.outcome is not TransitionClass.T10:
        whole = replace(ended, message=f"{said} {ended.message}")
        return replace(whole, events=_with_evidence(context, ended.events, events, written))
    # What was made stays made: a boundary would take back the record of it, and ask for the yes again.
    runs = [each for each in context.draft.events if isinstance(each, ev.RunStarted | ev.RunFinished)]
    last = runs[-1] if runs else None
    failed: Events = (
        [ev.RunFinished(last.run_id, ok=False, rows=0)] if isinstance(last, ev.RunStarted) else []
    )
    kept = (*failed, ev.ClarificationCleared())
    return Conclusion(TransitionClass.T7, AnswerMode.NONE, f"{said} {ended.message}", kept)


def _with_evidence(
    context: TurnContext,
    ended: tuple[ev.SessionEvent, ...],
    write: tuple[ev.SessionEvent, ...],
    written: Written,
) -> tuple[ev.SessionEvent, ...]:
    """The answer rests on what was made as well: its record says what, and by which run."""
    run_id = next(each.run_id for each in write if isinstance(each, ev.RunStarted))
    added = writes.evidence_of(context, context.before.program.ast, run_id, written)
    return tuple(
        replace(each, answer=replace(each.answer, evidence=(*each.answer.evidence, *added)))
        if isinstance(each, ev.AnswerGiven)
        else each
        for each in ended
    )
