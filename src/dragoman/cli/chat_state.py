"""The state of a conversation in a few words, for the line above the prompt."""

from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import Phase

_ERRORS = {
    Phase.SYNTAX_ERROR: "the program has mistakes; \\edit changes it",
    Phase.SEMANTIC_ERROR: "the program does not fit; \\edit changes it",
    Phase.DEPENDENCY_ERROR: "the steps do not fit together; \\edit changes it",
}


def state_line(state: SessionState) -> str:
    """What is in hand, and what it waits for; empty before anything was asked."""
    waits = _waits(state)
    if state.program.phase is Phase.NEW and not waits:
        return ""
    return f"{state.program.phase} · {waits}" if waits else str(state.program.phase)


def _waits(state: SessionState) -> str:
    program, question = state.program, state.frames.clarification
    if question is not None and question.waits_for_yes:
        return "yes or no?"
    if program.phase is Phase.UNRESOLVED_REFS and program.resolution is not None:
        waiting, every = program.resolution.current, program.resolution.references
        if waiting is not None:
            at = every.index(waiting) + 1
            return f"name {at} of {len(every)}: {waiting.text}; \\skip leaves it out"
    if question is not None:
        return "a question is open"
    if program.phase is Phase.READY:
        return "\\run runs the program"
    if program.phase is Phase.DONE and program.run_ok is False:
        return "failed; \\run tries again"
    return _ERRORS.get(program.phase, "")
