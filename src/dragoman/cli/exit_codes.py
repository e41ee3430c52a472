"""Exit codes that say what came of a call, for scripts that ask for them: `dragoman --exit-code ask …`.

0 done · 1 failed · 2 wrong usage · 3 an answer is needed · 4 blocked: nothing may be said, shown or written.
Signals and defects keep the codes that they have without it.
"""

import os
from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Final

import click

from dragoman.contracts import errors
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.turn_result import TurnResult
from dragoman.contracts.vocabulary import AnswerMode

OPTION: Final = "--exit-code"
VARIABLE: Final = "DRAGOMAN_EXIT_CODE"
_YES: Final = frozenset({"1", "true", "t", "yes", "y", "on"})
"""What click takes for a yes in the variable of a flag."""
_SPECIAL: Final = 64
"""From here on an exit code is about the process, and not about what was asked."""

_BLOCKED: Final = (
    errors.WritesForbidden,
    errors.PolicyViolation,
    errors.ReadOnlyViolation,
    errors.OperatorForbidden,
    errors.SessionOfAnother,
    errors.RunOfAnother,
)


class ExitCode(IntEnum):
    DONE = 0
    FAILED = 1
    USAGE = 2
    NEEDS_ANSWER = 3
    BLOCKED = 4


def wanted(arguments: Sequence[str]) -> bool:
    """Whether a call asks for these codes: before its command, or for all calls by the variable."""
    for argument in arguments:
        if argument == OPTION:
            return True
        if not argument.startswith("-"):
            break
    return os.environ.get(VARIABLE, "").casefold() in _YES


def of_error(error: DragomanError) -> int:
    if error.exit_code >= _SPECIAL:
        return error.exit_code
    if isinstance(error, _BLOCKED):
        return ExitCode.BLOCKED
    waits = isinstance(error, errors.ConfirmationNeeded)
    return ExitCode.NEEDS_ANSWER if waits else ExitCode.FAILED


def of_turn(result: TurnResult) -> ExitCode:
    match result.answer_mode:
        case AnswerMode.CLARIFICATION_REQUIRED:
            return ExitCode.NEEDS_ANSWER
        case AnswerMode.UNSUPPORTED:
            blocking = {kind.code for kind in _BLOCKED}
            failed = {kind.code for kind in _kinds(DragomanError)} - blocking
            return ExitCode.FAILED if failed & set(result.reason_codes) else ExitCode.BLOCKED
        case AnswerMode.CONFIRMED | AnswerMode.LIMITED | AnswerMode.NONE:
            return ExitCode.DONE


def exit_by(context: click.Context, code: ExitCode) -> None:
    """End the command with a code, where its call asks for these codes."""
    if code and context.find_root().params.get("exit_code"):
        raise click.exceptions.Exit(code)


def _kinds(kind: type[DragomanError]) -> Iterator[type[DragomanError]]:
    for each in kind.__subclasses__():
        yield each
        yield from _kinds(each)
