"""What became of a message for a pipeline, in the lines of the requests file."""

from dragoman import Workspace
from dragoman.contracts.state import READING
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import ClarificationKind, TransitionClass
from dragoman.language.parameters import head_of
from dragoman.language.verbs.printer import print_line


def told(workspace: Workspace, session: str, result: TurnResult) -> tuple[str, ...]:
    state = workspace.state(session)
    if result.transition is TransitionClass.T10:
        return (f"! {result.reason_codes[0]}",)
    pending = state.frames.clarification
    if pending is not None and pending.missing_anchors == (READING,):
        return tuple(f"? {each.label}" for each in pending.candidate_scopes)
    if pending is None or pending.clarification_kind is not ClarificationKind.CONFIRM_RUN:
        return (f"- {result.transition} {result.message}",)
    if pending.keeps:
        return (f"keep {pending.keeps}",)
    program = state.program.ast
    head = head_of(program)
    steps = program if head is None else program[1:]
    name = () if head is None else (print_line((head,)),)
    return (*name, *(print_line((step,)) for step in steps))
