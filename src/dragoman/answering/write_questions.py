"""The question before a write: what is written, which files it replaces, and what a yes to it agrees to."""

from typing import Final

from dragoman.answering.boundaries import boundary
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.write_target import written_by
from dragoman.catalog.catalog import Catalog
from dragoman.contracts import events as ev
from dragoman.contracts.errors import StepRefused
from dragoman.contracts.program import Program
from dragoman.contracts.state import CandidateScope, ClarificationState, SuspendedTarget
from dragoman.contracts.vocabulary import AnswerMode, ClarificationKind, ResumeFrame, TransitionClass
from dragoman.language.catalog import text_of

CONFIRM: Final = "confirm"


def awaiting_yes(verb: str, entry: TransitionClass, replaced: tuple[str, ...] = ()) -> ClarificationState:
    """The question whether to write, with its two answers. The files that it says are replaced stand behind
    the anchor: a yes agrees to these, and to no others."""
    return ClarificationState(
        clarification_kind=ClarificationKind.CONFIRM_RUN,
        missing_anchors=(CONFIRM, *replaced),
        candidate_scopes=(CandidateScope(CONFIRM, "yes", "yes"), CandidateScope(CONFIRM, "no", "no")),
        resume_target_route=verb,
        resume_target_frame=SuspendedTarget(ResumeFrame.PROGRAM, entry),
    )


def agreed_files(context: TurnContext) -> tuple[str, ...]:
    """The files that the pending question says are replaced."""
    pending = context.continuity.clarification
    return pending.missing_anchors[1:] if pending is not None else ()


def replaced_by(program: Program, context: TurnContext) -> tuple[str, ...]:
    """The files that a program would replace though no run made them. Raises `StepRefused` of one that no run
    may write."""
    paths = [
        path for each in program if _writes(each.verb, context.catalog) and (path := text_of(each, "path"))
    ]
    asks = context.runners.replaced
    return asks(paths) if asks is not None and paths else ()


def is_writing(program: Program, catalog: Catalog) -> bool:
    """Whether a program has a step that writes."""
    return catalog.writes(each.verb for each in program)


def ask_to_write(context: TurnContext) -> Conclusion:
    """X_RUN on a program that writes: the yes is asked for."""
    program = context.before.program.ast
    verb = program[-1].verb
    try:
        replaced = replaced_by(program, context)
    except StepRefused as refused:
        said = context.phrases.say("no_writer", what=written_by(program), problem=refused.message)
        return boundary(context, refused.code, said, route=verb, source=context.before.program.source)
    asked = ev.ClarificationAsked(awaiting_yes(verb, TransitionClass.X_RUN, replaced), intent=False)
    said = context.wording.write_question(program, replaced)
    events = (ev.CheckpointTaken(), asked)
    return Conclusion(TransitionClass.X_RUN, AnswerMode.CLARIFICATION_REQUIRED, said, events)


def _writes(verb: str, catalog: Catalog) -> bool:
    return catalog.writes((verb,))
