"""The moves of a resolution: an answer to it, and its escape hatches: skip, create, search in another way."""

from functools import partial

from dragoman.answering import answers, resolving
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.moves import back_to_intent
from dragoman.answering.resolving import Events, Settled
from dragoman.answering.roles.road import by_roles
from dragoman.answering.waiting import give_up
from dragoman.answering.write_forms import begin_form
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.catalog.resolution_world import CatalogWorld
from dragoman.contracts import events as ev
from dragoman.contracts.program import Binding, Text
from dragoman.contracts.resolution import Reference
from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import AnswerMode, Origin, TransitionClass
from dragoman.entities import name_resolution
from dragoman.entities.name_resolution import Resolution
from dragoman.packs.installed import OwnedEntity
from dragoman.packs.statements import inserted_argument
from dragoman.planning.contract import Narrowed, Picked, Searched
from dragoman.planning.packs.write_form import Form

T = TransitionClass


def resume(context: TurnContext) -> Conclusion:
    """T7: what the message says of the current reference. Settled, the program is checked again; narrowed or
    searched for anew, it is asked which; what fits nothing leaves the question."""
    reference = context.continuity.resolving
    before = resolving.resolution_of(context.before.program)
    if reference is None:
        return _asked_again(context, before)
    world, ref_id = CatalogWorld(context.catalog), reference.ref.ref_id
    match context.proposal.resolves:
        case Picked(key=key, ref_id=named):
            ref_id = named or ref_id
            return _settled(context, name_resolution.pick(world, before, ref_id, key), ref_id)
        case Narrowed(words=words, matches=matches):
            return _searched(context, name_resolution.narrow(before, ref_id, words, matches), ref_id)
        case Searched(text=text, ref_id=named, filters=filters):
            ref_id = named or ref_id
            text = text or before.reference(ref_id).text
            after = name_resolution.search(world, before, ref_id, text, filters)
            found = resolving.offered(after.reference(ref_id))
            # Whoever looks for a name that one has, and one alone, means that one.
            if not after.reference(ref_id).is_settled and len(found) == 1:
                after = name_resolution.pick(world, after, ref_id, found[0].entity_id)
            if after.reference(ref_id).is_settled:
                return _settled(context, after, ref_id)
            return _searched(context, after, ref_id)
        case None:
            return _asked_again(context, before)


def skip(context: TurnContext) -> Conclusion:
    """The statement with the reference is left out, and whatever needs it; the next reference is asked about.
    With nothing left, what is meant is asked for anew."""
    reference, waiting = context.before.program.open_reference, context.before.program.waiting
    if reference is None and waiting is not None:
        # What is skipped is the new one: the name that waits for it is asked about again.
        return give_up(context, waiting)
    if reference is None:
        said = context.phrases.say("skipped", what=f"“{_open_kind(context.before, context.catalog)}”")
        return Conclusion(T.X_SKIP, AnswerMode.NONE, said, back_to_intent(context))
    before = resolving.resolution_of(context.before.program)
    ref_id = reference.ref.ref_id
    after = name_resolution.skip(CatalogWorld(context.catalog), before, ref_id)
    return _settled(context, after, ref_id)


def search(context: TurnContext) -> Conclusion:
    """What was searched for is cleared: the next message says what is."""
    say = context.phrases.say
    reference = context.before.program.open_reference
    if reference is None:
        pending = context.before.frames.clarification
        mode = AnswerMode.CLARIFICATION_REQUIRED if pending is not None else AnswerMode.NONE
        return Conclusion(T.X_SEARCH, mode, say("search_again"))
    before = resolving.resolution_of(context.before.program)
    ref_id = reference.ref.ref_id
    return _searched(context, name_resolution.search_anew(before, ref_id), ref_id)


def create(context: TurnContext) -> Conclusion:
    """The form of the verb that makes a new one, with the name that was said: what it still needs is asked
    for, and it runs after a yes. The resolution waits behind it."""
    reference = context.before.program.open_reference
    name = (reference.text or reference.ref.search_value) if reference is not None else ""
    maker = maker_of(context.before, context.catalog)
    if maker is None:
        pending = context.before.frames.clarification
        mode = AnswerMode.CLARIFICATION_REQUIRED if pending is not None else AnswerMode.NONE
        return Conclusion(T.X_CREATE, mode, context.phrases.say("cannot_create"))
    owned, verb = maker
    # The argument that becomes the display column is the one that takes the name that was said.
    called = inserted_argument(verb.spec, owned.entity.display, owned.pack.dialect)
    given = (Binding(called, Text(name), Origin.PROGRAM),) if called and name else ()
    waits = suspended(reference, verb.signature.name)
    return begin_form(context, Form(verb, given), T.X_CREATE, waits)


def maker_of(state: SessionState, catalog: Catalog) -> tuple[OwnedEntity, CatalogVerb] | None:
    """What is asked about, and the verb that makes a new one of it, where there is one."""
    reference = state.program.open_reference
    kind = reference.ref.entity_type if reference is not None else _open_kind(state, catalog)
    owned = catalog.packs.entities.get(kind)
    verb = catalog.changes.get(owned.entity.create) if owned is not None else None
    return None if owned is None or verb is None else (owned, verb)


def suspended(reference: Reference | None, verb: str) -> tuple[ev.SessionEvent, ...]:
    """The resolution waits while `verb` makes what the reference means. Another request drops it."""
    return (ev.ResolutionSuspended(reference.ref.ref_id, verb),) if reference is not None else ()


def _settled(context: TurnContext, after: Resolution, ref_id: str) -> Conclusion:
    events: Events = [ev.CheckpointTaken(), *resolving.settled_events(context, after, ref_id)]
    edited = context.before.program.edited_by_user
    went_on = resolving.go_on(context, after, events, context.routing.entry_class, edited=edited)
    return run_settled(context, went_on) if isinstance(went_on, Settled) else went_on


def run_settled(context: TurnContext, settled: Settled) -> Conclusion:
    """A read that the conversation wrote, with every name settled, is run at once."""
    look = partial(answers.looked_up, context, settled.program, settled.request, settled.left_out)
    return by_roles(context, context.plan, look)


def _searched(context: TurnContext, after: Resolution, ref_id: str) -> Conclusion:
    events: Events = [ev.CheckpointTaken(), ev.RefSearched(after.reference(ref_id))]
    return resolving.asked(context, after, events, context.routing.entry_class)


def _asked_again(context: TurnContext, resolution: Resolution) -> Conclusion:
    again = resolving.asked(context, resolution, [ev.CheckpointTaken()], context.routing.entry_class)
    said = context.phrases.say("did_not_understand", question=again.message)
    return Conclusion(again.outcome, again.answer_mode, said, again.events)


def _open_kind(state: SessionState, catalog: Catalog) -> str:
    """The type of what the question is about, where no reference is open."""
    pending = state.frames.clarification
    if pending is None:
        return ""
    verb = catalog.verb(pending.resume_target_route)
    missing = pending.missing_anchors[0] if pending.missing_anchors else ""
    argument = verb.spec.arguments.get(missing) if verb is not None else None
    return argument.entity if argument is not None else missing
