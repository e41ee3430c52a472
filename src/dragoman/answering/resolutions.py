"""The escape hatches of an open reference: skip it, create it, search for it in another way."""

from dragoman.answering.compilation import compile_text
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.moves import back_to_intent
from dragoman.answering.sentences import written_by
from dragoman.answering.writes import awaiting_yes
from dragoman.contracts import events as ev
from dragoman.contracts.pack import ArgumentKind
from dragoman.contracts.program import Argument, Program, Statement, Text, UnresolvedRef
from dragoman.contracts.vocabulary import AnswerMode, Notation, TransitionClass
from dragoman.language.verbs.printer import print_program
from dragoman.packs.statements import inserted_argument
from dragoman.reading.narrowed_names import open_ref


def skip(context: TurnContext) -> Conclusion:
    """The statement with the reference is left out, and whatever needs it. Of one nothing is left."""
    said = context.phrases.say("skipped", what=f"“{_open_name(context) or _open_kind(context)}”")
    return Conclusion(TransitionClass.X_SKIP, AnswerMode.NONE, said, back_to_intent(context))


def search(context: TurnContext) -> Conclusion:
    """The question stays; another name is asked for."""
    pending = context.before.frames.clarification
    said = context.phrases.say("search_again")
    mode = AnswerMode.CLARIFICATION_REQUIRED if pending is not None else AnswerMode.NONE
    return Conclusion(TransitionClass.X_SEARCH, mode, said)


def create(context: TurnContext) -> Conclusion:
    """The program that makes a new one, with the name that was said. It runs after a yes; what it still needs
    is said, and written by hand."""
    kind, name = _open_kind(context), _open_name(context)
    say = context.phrases.say
    owned = context.catalog.packs.entities.get(kind)
    verb = owned.pack.verbs.get(owned.entity.create) if owned is not None else None
    pending = context.before.frames.clarification
    if owned is None or verb is None:
        mode = AnswerMode.CLARIFICATION_REQUIRED if pending is not None else AnswerMode.NONE
        return Conclusion(TransitionClass.X_CREATE, mode, say("cannot_create"))
    # The argument that becomes the display column is the one that takes the name that was said.
    called = inserted_argument(verb, owned.entity.display, owned.pack.dialect)
    given = (Argument(called, Text(name)),) if called and name else ()
    statement = Statement(owned.entity.create, given, owned.entity.create.replace(".", "-"))
    program: Program = (statement,)
    source = print_program(program)
    compiled = compile_text(source, program, context.catalog)
    events: list[ev.SessionEvent] = [
        ev.CheckpointTaken(),
        ev.IntentCaptured(statement.verb, statement.verb.partition(".")[0], ()),
    ]
    if pending is not None:
        events.append(ev.ClarificationCleared())
    events += [ev.OmlSynthesisStart(), ev.OmlSynthesisComplete(Notation.VERBS, source, program)]
    events += compiled.events
    if not compiled.fault:
        events.append(
            ev.ClarificationAsked(awaiting_yes(statement.verb, TransitionClass.X_CREATE), intent=False)
        )
        said = say("ask_write", what=written_by((statement,)))
        return Conclusion(TransitionClass.X_CREATE, AnswerMode.CLARIFICATION_REQUIRED, said, tuple(events))
    needs = [
        each
        for each, argument in verb.arguments.items()
        if argument.required and argument.kind is not ArgumentKind.NEW_KEY and each != called
    ]
    said = say("create_needs", program=" ".join(source.split()), needs=", ".join(needs))
    return Conclusion(TransitionClass.X_CREATE, AnswerMode.NONE, said, tuple(events))


def _open_ref(context: TurnContext) -> UnresolvedRef | None:
    return open_ref(context.before)


def _open_kind(context: TurnContext) -> str:
    """The type of what is not resolved: by the program, or by the question."""
    ref, pending = _open_ref(context), context.before.frames.clarification
    if ref is not None or pending is None:
        return ref.entity_type if ref is not None else ""
    verb = context.catalog.verb(pending.resume_target_route)
    missing = pending.missing_anchors[0] if pending.missing_anchors else ""
    argument = verb.spec.arguments.get(missing) if verb is not None else None
    return argument.entity if argument is not None else missing


def _open_name(context: TurnContext) -> str:
    ref = _open_ref(context)
    return ref.search_value if ref is not None else ""
