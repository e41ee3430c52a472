"""X_HELP: what can be done from the very state the session is in. Every phase at rest has its own text."""

from dragoman.answering import resolving
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.failures import last_failure
from dragoman.catalog.resolution_world import create_form
from dragoman.contracts.program import Diagnostic
from dragoman.contracts.state import ClarificationState, ProgramRegion
from dragoman.contracts.vocabulary import AnswerMode, Phase, TransitionClass

_WRONG = {
    Phase.SYNTAX_ERROR: "help_syntax",
    Phase.SEMANTIC_ERROR: "help_semantics",
    Phase.DEPENDENCY_ERROR: "help_dependencies",
}

_TABLES = 20
_QUESTIONS = 3
"""So many tables and questions are named: whoever asks for help wants a start, and no list."""


def offer_help(context: TurnContext) -> Conclusion:
    """What waits is said first: it is what one can do something about."""
    said = _help(context) + _creating(context) + _about_tables(context)
    return Conclusion(TransitionClass.X_HELP, AnswerMode.NONE, said)


def _help(context: TurnContext) -> str:
    program, say = context.before.program, context.phrases.say
    pending = context.before.frames.clarification
    if program.open_reference is not None:
        return _about_reference(context, program)
    if pending is not None:
        return _about_question(context, pending)
    if program.phase in _WRONG:
        return say(_WRONG[program.phase], problem=_problem(program.diagnostics))
    match program.phase:
        case Phase.READY:
            return say("help_edited" if program.edited_by_user else "help_ready")
        case Phase.DONE if program.run_ok is False:
            return say("help_failed", problem=last_failure(context))
        case Phase.DONE if context.catalog.verbs:
            return say("help_done", kind=_kind(context)) + context.wording.abilities()
        case Phase.DONE:
            return say("help_done_tables")
        case Phase.INTENT if context.catalog.verbs:
            return say("help_intent") + context.wording.abilities()
        case Phase.INTENT:
            return say("help_intent")
        case _ if not context.catalog.verbs:
            return say("help_tables")
        case _:
            example = say("for_example", example=context.wording.example())
            return say("help_new", kind=_kind(context)) + context.wording.abilities() + example


def _about_tables(context: TurnContext) -> str:
    """The tables by name, and questions that work on them: where nothing waits for an answer."""
    waits = (
        context.before.frames.clarification is not None or context.before.program.open_reference is not None
    )
    names, say = context.catalog.table_names(), context.phrases.say
    questions = () if waits else context.suggested()[:_QUESTIONS]
    if waits or not names or not questions:
        return ""
    more = len(names) - _TABLES
    listed = ", ".join(names[:_TABLES]) + (say("help_more_tables", n=more) if more > 0 else "")
    examples = "".join(f"\n  {question}" for question in questions)
    return "\n" + say("help_your_tables", tables=listed) + "\n" + say("help_questions") + examples


def _about_reference(context: TurnContext, program: ProgramRegion) -> str:
    say, reference = context.phrases.say, program.open_reference
    question = resolving.question_in_words(context, resolving.resolution_of(program))
    may_create = reference is not None and create_form(context.catalog, reference.ref.entity_type) is not None
    return say("help_reference", question=question, create=say("help_create") if may_create else "")


def _about_question(context: TurnContext, pending: ClarificationState) -> str:
    question = context.wording.pending(pending, context.before.program.ast)
    confirms = pending.waits_for_yes
    return context.phrases.say("help_confirm" if confirms else "help_choice", question=question)


def _problem(diagnostics: tuple[Diagnostic, ...]) -> str:
    """The first thing that is wrong, and what to write instead."""
    if not diagnostics:
        return "?"
    first = diagnostics[0]
    return f"{first.message}; {first.hint}" if first.hint else first.message


def _creating(context: TurnContext) -> str:
    """What the program in hand is made for, where it creates something that a name means."""
    waiting = context.before.program.waiting
    if waiting is None:
        return ""
    names = (r.ref.search_value for r in waiting.resolution.references if r.ref.ref_id == waiting.ref_id)
    return context.phrases.say("help_creating", name=next(names, ""))


def _kind(context: TurnContext) -> str:
    return context.wording.kind(context.catalog.anchor)
