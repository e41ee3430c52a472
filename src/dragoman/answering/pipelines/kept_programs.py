"""The program in hand as a file: asked about first, and written after a yes."""

from msgspec.structs import replace

from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.effects import Effects
from dragoman.answering.write_questions import awaiting_yes
from dragoman.contracts import events as ev
from dragoman.contracts.errors import DragomanError, InternalError
from dragoman.contracts.vocabulary import AnswerMode, EffectOutcome, Notation, TransitionClass
from dragoman.language.front import convert_source
from dragoman.language.source import Source
from dragoman.planning.pipelines.route import ROUTE


def ask_to_keep(context: TurnContext) -> Conclusion:
    """X_EXTEND: whether the program is to be kept in a file."""
    path = context.proposal.keeps
    asks = replace(awaiting_yes(ROUTE, TransitionClass.X_EXTEND), keeps=path)
    said = context.phrases.say("pipeline_ask_keep", path=path)
    events = (ev.CheckpointTaken(), ev.ClarificationAsked(asks, intent=False))
    return Conclusion(TransitionClass.X_EXTEND, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def keep(context: TurnContext, path: str) -> Conclusion:
    """The yes was given: the program is written, in the notation that the name of the file says."""
    program = context.before.program
    wanted = Notation.VERBS if path.endswith(".verbs") else Notation.OML
    text = convert_source(Source(program.source), program.notation, wanted, context.catalog.effects())
    events = (ev.CheckpointTaken(), ev.ClarificationCleared())
    if not isinstance(text, str):
        said = context.phrases.say("pipeline_refused", problem=text[0].message, hint=text[0].hint)
        return Conclusion(TransitionClass.T7, AnswerMode.NONE, said, events)
    save = context.runners.save
    if save is None:
        raise InternalError("a conversation was opened without a folder")
    key = context.draft.new_id()
    context.draft.turn.intend_effect(key, Effects.KEEP, path)
    try:
        save(path, text)
    except DragomanError as error:
        context.draft.turn.effect_done(key, EffectOutcome.UNDONE)
        said = context.phrases.say("pipeline_refused", problem=error.message, hint=error.hint)
        return Conclusion(TransitionClass.T7, AnswerMode.NONE, said, events)
    context.draft.turn.effect_done(key, EffectOutcome.DONE)
    said = context.phrases.say("pipeline_kept", path=path)
    return Conclusion(TransitionClass.T7, AnswerMode.NONE, said, events)
