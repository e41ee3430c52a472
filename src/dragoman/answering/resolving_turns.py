"""The escape hatches of an open reference: skip it, create it, search for it in another way."""

from dragoman.answering.draft import Conclusion
from dragoman.answering.scene import Scene
from dragoman.contracts import events as ev
from dragoman.contracts.pack import ArgumentKind
from dragoman.contracts.program import UnresolvedRef
from dragoman.contracts.state import ClarificationState
from dragoman.contracts.vocabulary import AnswerMode, TransitionClass


def skip(scene: Scene) -> Conclusion:
    """The statement with the reference is left out, and whatever needs it: of one statement nothing stays."""
    ref = _open_ref(scene)
    said = scene.phrases.say("skipped", what=f"“{ref.search_value}”" if ref is not None else "–")
    return Conclusion(TransitionClass.X_SKIP, AnswerMode.NONE, said, back_to_intent(scene))


def back_to_intent(scene: Scene) -> tuple[ev.SessionEvent, ...]:
    """The question is dropped; a program that waited for it is no longer in the way."""
    pending = scene.draft.before.frames.clarification
    route = pending.resume_target_route if pending is not None else ""
    events: list[ev.SessionEvent] = [ev.CheckpointTaken()]
    events.append(ev.IntentCaptured(route, route.partition(".")[0], ()))
    if pending is not None:
        events.append(ev.ClarificationCleared())
    return tuple(events)


def search(scene: Scene) -> Conclusion:
    """The question stays; another name is asked for."""
    pending = scene.draft.before.frames.clarification
    said = scene.phrases.say("search_again")
    mode = AnswerMode.CLARIFICATION_REQUIRED if pending is not None else AnswerMode.NONE
    return Conclusion(TransitionClass.X_SEARCH, mode, said)


def create(scene: Scene) -> Conclusion:
    """What making a new one would take. Nothing is made before its verb is run and confirmed."""
    ref = _open_ref(scene)
    say = scene.phrases.say
    owned = scene.catalog.workspace.packs.entities.get(ref.entity_type) if ref is not None else None
    verb = owned.pack.verbs.get(owned.entity.create) if owned is not None else None
    mode = AnswerMode.CLARIFICATION_REQUIRED if _pending(scene) is not None else AnswerMode.NONE
    if owned is None or verb is None or ref is None:
        return Conclusion(TransitionClass.X_CREATE, mode, say("cannot_create"))
    needs = [
        name
        for name, argument in verb.arguments.items()
        if argument.required and argument.kind is not ArgumentKind.NEW_KEY
    ]
    said = say("create_needs", verb=owned.entity.create, needs=", ".join(needs), entity=ref.entity_type)
    return Conclusion(TransitionClass.X_CREATE, mode, said)


def _open_ref(scene: Scene) -> UnresolvedRef | None:
    refs = scene.draft.before.program.unresolved_refs
    return refs[0] if refs else None


def _pending(scene: Scene) -> ClarificationState | None:
    return scene.draft.before.frames.clarification
