"""The dependency stage: who needs whom, and an order in which everything can run."""

import heapq
from collections.abc import Iterable, Iterator
from itertools import islice

from dragoman.contracts.program import Diagnostic, Statement, Symbol, Value
from dragoman.contracts.record import Record
from dragoman.language.document import Document, Extent, ValueSpans
from dragoman.language.oml.relations import cycles
from dragoman.language.source import Source
from dragoman.language.types import parts

MAX_LISTED = 20


class Ordered(Record, frozen=True):
    """The statements' indices in the order in which they run, and what each needs, by index."""

    order: tuple[int, ...]
    needs: tuple[tuple[int, ...], ...]


def step_id(statement: Statement, index: int) -> str:
    """What a statement is called in a plan: what it binds, or its place."""
    return statement.binds or f"step-{index + 1}"


def resolve_dependencies(document: Document, source: Source) -> tuple[Ordered | None, list[Diagnostic]]:
    """The order, or everything that stands in its way. Forward references are fine: they are reordered."""
    statements = document.statements
    bound, findings = _bindings(document, source)
    needs: list[tuple[int, ...]] = []
    for index, statement in enumerate(statements):
        needed: dict[int, None] = {}
        for name, extent in _symbols(document, index):
            target = bound.get(name)
            if target is None:
                message = f"nothing binds @{name}"
                findings.append(
                    Diagnostic("undefined_symbol", message, _known(bound), span=source.span(*extent))
                )
            elif target == index:
                message = f"{step_id(statement, index)} needs itself"
                findings.append(
                    Diagnostic("self_reference", message, "name another step", span=source.span(*extent))
                )
            else:
                needed[target] = None
        needs.append(tuple(needed))
    order = _topological(needs)
    if len(order) < len(statements):
        findings += [_cycle(document, source, members) for members in cycles(needs)]
    findings.sort(key=lambda finding: finding.span.start if finding.span else 0)
    return (None if findings else Ordered(tuple(order), tuple(needs))), findings


def _known(bound: Iterable[str]) -> str:
    """Some of what could have been meant. All of it would make a hint as long as the program."""
    names = [f"@{name}" for name in islice(bound, MAX_LISTED + 1)]
    more = ", …" if len(names) > MAX_LISTED else ""
    return f"bound are: {', '.join(names[:MAX_LISTED]) or 'none'}{more}"


def _bindings(document: Document, source: Source) -> tuple[dict[str, int], list[Diagnostic]]:
    bound: dict[str, int] = {}
    findings: list[Diagnostic] = []
    for index, (statement, spans) in enumerate(zip(document.statements, document.spans, strict=True)):
        name = step_id(statement, index)
        if name in bound:
            extent = spans.binds or spans.extent
            message = f"@{name} is bound twice"
            findings.append(
                Diagnostic("duplicate_symbol", message, "rename one of them", span=source.span(*extent))
            )
        else:
            bound[name] = index
    return bound, findings


def _symbols(document: Document, index: int) -> Iterator[tuple[str, Extent]]:
    """Every symbol in the values of a statement, nested ones too, and where it stands."""
    statement, spans = document.statements[index], document.spans[index]
    for argument, argument_spans in zip(statement.arguments, spans.arguments, strict=True):
        yield from _symbols_in(argument.value, argument_spans.value)


def _symbols_in(value: Value, spans: ValueSpans) -> Iterator[tuple[str, Extent]]:
    pending: list[tuple[Value, ValueSpans]] = [(value, spans)]
    while pending:
        each, where = pending.pop()
        if isinstance(each, Symbol):
            yield each.name, where.extent
        inner = parts(each)
        if inner:
            pending.extend(reversed(list(zip(inner, where.items, strict=True))))


def _topological(needs: list[tuple[int, ...]]) -> list[int]:
    """Kahn's order, always taking the earliest statement that can run: the same program, the same order."""
    waiting = [len(needed) for needed in needs]
    followers: list[list[int]] = [[] for _ in needs]
    for index, needed in enumerate(needs):
        for other in needed:
            followers[other].append(index)
    ready = [index for index, count in enumerate(waiting) if count == 0]
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        index = heapq.heappop(ready)
        order.append(index)
        for follower in followers[index]:
            waiting[follower] -= 1
            if waiting[follower] == 0:
                heapq.heappush(ready, follower)
    return order


def _cycle(document: Document, source: Source, members: list[int]) -> Diagnostic:
    """The steps of a cycle, named in the order in which they need each other."""
    names = [f"@{step_id(document.statements[i], i)}" for i in members]
    return Diagnostic(
        "dependency_cycle",
        f"these steps wait for each other: {' → '.join((*names, names[0]))}",
        "let one of them not need the other",
        span=source.span(*document.spans[min(members)].extent),
    )
