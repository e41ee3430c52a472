"""The functions of a package that a piece of work calls, in order, and the rooms on the way to each.

A room is a top-level folder or a top-level module of the package. A change of room is a call, not a return,
from a function in one room to a function in another. Frames of other packages do not count: what a context
manager or a sort calls is called by the nearest function of the package on the stack.
"""

import dis
import gc
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final, TypeVar

Result = TypeVar("Result")

# These have a frame of their own, but nobody calls them by name. Python 3.12 makes no frame for most of them,
# so counting them would make the figures depend on the version of Python.
_PARTS: Final = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>", "<module>"})


@dataclass(frozen=True)
class Call:
    """One call: of which function, and the rooms on the stack from the outermost to its own."""

    module: str
    line: int
    name: str
    rooms: tuple[str, ...]
    changes_room: bool

    @property
    def function(self) -> tuple[str, int]:
        """Where the function is written, which is what it is known by: names occur twice."""
        return self.module, self.line


def traced(package: Path, work: Callable[[], Result]) -> tuple[Result, list[Call]]:
    """Do the work and record its calls, in this thread alone: others (a lease that is renewed) keep their own
    time. Garbage waits until afterwards, because nobody knows when a finalizer would run."""
    tracer = _Tracer(package)
    before = sys.getprofile()
    gc.collect()
    gc.disable()
    sys.setprofile(tracer.notice)
    try:
        result = work()
    finally:
        sys.setprofile(before)
        gc.enable()
    return result, tracer.calls


class _Tracer:
    def __init__(self, package: Path) -> None:
        self.calls: list[Call] = []
        self._prefix = f"{package}/"

    def notice(self, frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event != "call" or not self._is_ours(code) or code.co_name in _PARTS or not _begins(frame):
            return
        above = frame.f_back
        while above is not None and not self._is_ours(above.f_code):
            above = above.f_back
        changes = above is not None and self._room(above.f_code) != self._room(code)
        module = code.co_filename.removeprefix(self._prefix)
        rooms = self._rooms(frame)
        self.calls.append(Call(module, code.co_firstlineno, code.co_qualname, rooms, changes))

    def _rooms(self, frame: FrameType | None) -> tuple[str, ...]:
        """The rooms on the stack, outermost first, one after another in the same room taken together."""
        found: list[str] = []
        while frame is not None:
            if self._is_ours(frame.f_code) and (room := self._room(frame.f_code)) not in found[-1:]:
                found.append(room)
            frame = frame.f_back
        return tuple(reversed(found))

    def _is_ours(self, code: CodeType) -> bool:
        return code.co_filename.startswith(self._prefix)

    def _room(self, code: CodeType) -> str:
        return room_of(code.co_filename.removeprefix(self._prefix))


@cache
def room_of(module: str) -> str:
    """The room of a module, which is named by its path in the package."""
    return module.partition("/")[0].removesuffix(".py")


def _begins(frame: FrameType) -> bool:
    """Whether a function begins here. A generator that goes on after a yield is entered too, but not called:
    its one call is counted when it first runs."""
    return frame.f_lasti <= _first_step(frame.f_code)


@cache
def _first_step(code: CodeType) -> int:
    return next(step.offset for step in dis.get_instructions(code) if step.opname == "RESUME")
