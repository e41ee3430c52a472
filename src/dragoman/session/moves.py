"""Which move a turn makes: one table from the class of a turn to what it does, beside the registry.

A class has one move. Two depend on what waits: the answer to a question resumes what the question is about,
be it the reference of a program, and a program that writes is not run before a yes.
"""

from collections.abc import Mapping
from typing import Final

from dragoman.contracts.state import ClarificationState
from dragoman.contracts.vocabulary import ClarificationKind, Move, TransitionClass

T = TransitionClass

MOVES: Final[Mapping[TransitionClass, Move]] = {
    T.T0: Move.TALK,
    T.T1: Move.ANSWER,
    T.T2: Move.ANSWER,
    T.T3: Move.ANSWER,
    T.T4: Move.ANSWER,
    T.T5: Move.ANSWER,
    T.T6: Move.ANSWER,
    T.T7: Move.ANSWER,
    T.T8: Move.ABOUT_ANSWER,
    T.T9: Move.RECAP,
    T.T10: Move.LACK,
    T.X_CLEAR: Move.CLEAR,
    T.X_CANCEL: Move.CANCEL,
    T.X_UNDO: Move.UNDO,
    T.X_EDIT: Move.EDIT,
    T.X_HELP: Move.HELP,
    T.X_SKIP: Move.SKIP,
    T.X_CREATE: Move.CREATE,
    T.X_SEARCH: Move.SEARCH,
    T.X_NONE: Move.NONE,
    T.X_EXTEND: Move.EXTEND,
    T.X_RUN: Move.RUN,
    T.X_TEACH: Move.TEACH,
}

RESUMED: Final[Mapping[ClarificationKind, Move]] = {
    ClarificationKind.MISSING_ANCHOR: Move.ANSWER,
    ClarificationKind.AMBIGUOUS: Move.ANSWER,
    ClarificationKind.CONFIRM_READING: Move.ANSWER,
    ClarificationKind.CONFIRM_RUN: Move.CONFIRM,
    ClarificationKind.CONFIRM_TEACH: Move.TEACH,
}
"""What a T7 resumes, by the kind of question it answers."""


def move_of(
    entry: TransitionClass, pending: ClarificationState | None, *, writes: bool, resolving: bool = False
) -> Move:
    """The move of a turn. `writes`: whether the program in hand has a step that writes; `resolving`: whether
    the question is what one of its references means."""
    if entry is T.T7 and resolving:
        return Move.RESOLVE
    if entry is T.T7 and pending is not None:
        return RESUMED[pending.clarification_kind]
    if entry is T.X_RUN and writes:
        return Move.ASK_TO_WRITE
    return MOVES[entry]
