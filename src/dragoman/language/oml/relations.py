"""What holds between the steps of a pipeline: unique ids, known needs, and nothing that waits for itself."""

from typing import NamedTuple

from dragoman.guards.secrets import redacted
from dragoman.language.document import Extent
from dragoman.language.oml.findings import Findings, listed, nearest

MAX_CYCLES = 20


class StepRelations(NamedTuple):
    """A step's id and the ids it names, each with its place."""

    id: str
    extent: Extent
    needs: tuple[tuple[str, Extent], ...]


def check_relations(steps: list[StepRelations], findings: Findings, *, whole: bool) -> None:
    """`whole` is false where steps could not be read: then an unknown id may be one of theirs."""
    known: dict[str, int] = {}
    for index, step in enumerate(steps):
        if step.id in known:
            message = f"the id {redacted(step.id)} stands twice"
            findings.error("duplicate_symbol", step.extent, message, "give each step an id of its own")
        else:
            known[step.id] = index
    edges: list[tuple[int, ...]] = []
    for step in steps:
        needed: dict[int, None] = {}
        for name, extent in step.needs:
            target = known.get(name)
            if target is None:
                if whole:
                    _say_undefined(name, extent, known, findings)
            elif name == step.id:
                findings.error("self_reference", extent, f"{name} needs itself", "name another step")
            else:
                needed[target] = None
        edges.append(tuple(needed))
    for cycle in cycles(edges)[:MAX_CYCLES]:
        names = [steps[index].id for index in (*cycle, cycle[0])]
        message = f"these steps wait for each other: {' → '.join(names)}"
        extent = steps[min(cycle)].extent
        findings.error("dependency_cycle", extent, message, "let one of them not need the other")


def _say_undefined(name: str, extent: Extent, known: dict[str, int], findings: Findings) -> None:
    bare = name.removeprefix("@")
    if bare != name and bare in known:
        hint = f"write {bare}, without @"
    elif near := nearest(name, known):
        hint = f"did you mean {near}?"
    else:
        hint = f"the steps are: {listed(list(known)[:20])}"
    findings.error("undefined_symbol", extent, f"no step has the id {redacted(name)}", hint)


def cycles(edges: list[tuple[int, ...]]) -> list[list[int]]:
    """One cycle for each knot, its members in the order in which they need each other."""
    stuck = _stuck(edges)
    found: list[list[int]] = []
    seen: set[int] = set()
    for start in sorted(stuck):
        path: dict[int, int] = {}
        index = start
        # Every stuck step needs a stuck one, so the walk ends in a cycle, or in what was already walked.
        while index not in path and index not in seen:
            path[index] = len(path)
            index = next(other for other in edges[index] if other in stuck)
        if index in path:
            found.append([member for member in path if path[member] >= path[index]])
        seen.update(path)
    return found


def _stuck(edges: list[tuple[int, ...]]) -> set[int]:
    """The steps that wait, directly or not, for a cycle."""
    waiting = [len(needed) for needed in edges]
    followers: list[list[int]] = [[] for _ in edges]
    for index, needed in enumerate(edges):
        for other in needed:
            followers[other].append(index)
    ready = [index for index, count in enumerate(waiting) if not count]
    done = 0
    while done < len(ready):
        for follower in followers[ready[done]]:
            waiting[follower] -= 1
            if not waiting[follower]:
                ready.append(follower)
        done += 1
    return set(range(len(edges))) - set(ready)
