"""The page that ./do walk prints: the rooms in the order in which a turn passes them, with counts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from tools.walk_calls import Call

_ROOM: Final = 30
_NAMES: Final = 52
"""The widths of two columns. Functions through which a room was entered are named as far as they fit."""


@dataclass
class Visit:
    """A stay in a room: what was called there, and the rooms that were entered from it."""

    room: str
    calls: list[Call] = field(default_factory=list)
    inner: "list[Visit]" = field(default_factory=list)

    def enter(self, room: str, *, in_order: bool) -> "Visit":
        """The visit that goes on or begins. In order, only the newest visit can go on."""
        candidates = self.inner[-1:] if in_order else self.inner
        found = next((visit for visit in candidates if visit.room == room), None)
        if found is None:
            found = Visit(room)
            self.inner.append(found)
        return found


def visits(calls: Sequence[Call]) -> Visit:
    """The calls as a tree of visits. The corridor (rooms that are one module, such as `turn.py`) shows every
    stage where it comes; a room that is a folder shows each room that it needed once."""
    corridor = {call.module.removesuffix(".py") for call in calls}
    outside = Visit("")
    for call in calls:
        visit, in_order = outside, True
        for room in call.rooms:
            visit = visit.enter(room, in_order=in_order)
            in_order = room in corridor
        visit.calls.append(call)
    return outside


def page(calls: Sequence[Call]) -> str:
    """The figures of the turn, and a line for each visit with those of its own room alone."""
    lines = [_summary(calls), "", _columns("room", "changes", "calls", "functions", "entered through")]
    lines += [_line(visit, depth) for visit, depth in _walk(visits(calls), 0)]
    return "".join(f"{line}\n" for line in lines)


def changes_of_room(calls: Sequence[Call]) -> int:
    """How many of the calls lead from one room into another."""
    return sum(call.changes_room for call in calls)


def switches(calls: Sequence[Call]) -> int:
    """How often a call is in another room than the call before it. A room that is returned to and goes on
    counts here; one that is called again and again from outside does not."""
    return sum(one.rooms[-1] != two.rooms[-1] for one, two in pairwise(calls))


def _summary(calls: Sequence[Call]) -> str:
    functions, modules = {call.function for call in calls}, {call.module for call in calls}
    return (
        f"{changes_of_room(calls)} changes of room, {switches(calls)} switches from call to call,"
        f" {len(calls)} calls, {len(functions)} functions, {len(modules)} modules"
    )


def _walk(visit: Visit, depth: int) -> Iterator[tuple[Visit, int]]:
    for inner in visit.inner:
        yield inner, depth
        yield from _walk(inner, depth + 1)


def _line(visit: Visit, depth: int) -> str:
    functions = len({call.function for call in visit.calls})
    room = f"{'  ' * depth}{visit.room}"
    return _columns(room, changes_of_room(visit.calls), len(visit.calls), functions, _entrances(visit))


def _columns(room: str, changes: int | str, calls: int | str, functions: int | str, names: str) -> str:
    return f"{room:<{_ROOM}}{changes:>7}{calls:>7}{functions:>11}  {names}"


def _entrances(visit: Visit) -> str:
    entered = [call for call in visit.calls if call.changes_room] or visit.calls[:1]
    names = list(dict.fromkeys(call.name.replace("<locals>.", "") for call in entered))
    shown = ", ".join(names)
    while len(shown) > _NAMES and len(names) > 1:
        names.pop()
        shown = f"{', '.join(names)}, …"
    return shown
