"""What is wrong with brackets that do not fit one another."""

from dragoman.language.verbs.frames import CallFrame, Frame
from dragoman.language.verbs.limits import MAX_DEPTH
from dragoman.language.verbs.oddities import Fault


def unclosed_bracket(text: str, frame: Frame) -> Fault:
    start = frame.start
    message, hint = f"{text[start]} is not closed", f"write {frame.closer} where it ends"
    return Fault("unclosed_bracket", start, start + 1, message, hint)


def unexpected_bracket(bracket: str, frame: Frame, end: int) -> Fault:
    hint = "remove it" if isinstance(frame, CallFrame) else f"write {frame.closer} instead"
    return Fault("unexpected_bracket", end - 1, end, f"no open bracket fits {bracket}", hint)


def too_deep(start: int) -> Fault:
    message = f"more than {MAX_DEPTH} brackets stand in one another here"
    hint = "bind the inner calls with :as @name and refer to them"
    return Fault("too_deep", start, start + 1, message, hint)
