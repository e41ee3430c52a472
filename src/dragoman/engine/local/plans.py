"""The plans of steps: each is asked what it will do, before any row moves."""

import dataclasses
from collections.abc import Callable, Mapping

from dragoman.contracts.errors import ColumnRefused, ManifestRefused, StepRefused
from dragoman.contracts.flow import CursorValue, FlowColumn
from dragoman.contracts.verb import Effect
from dragoman.engine.component import (
    Component,
    Extraction,
    Extractor,
    StepContext,
    Transform,
    Transformation,
    Writer,
    Writing,
)
from dragoman.engine.local.waves import Wave, sources
from dragoman.engine.order import Order, OrderStep
from dragoman.engine.registry import offered

Plan = Extraction | Transformation | Writing

MOST_PARTS = 16


@dataclasses.dataclass(frozen=True)
class PlannedStep:
    """A step with its component, its settings and its plan. `columns` are what it gives, or what it takes."""

    step: OrderStep
    component: Component
    settings: Mapping[str, object]
    plan: Plan
    columns: tuple[FlowColumn, ...]


Planned = dict[str, PlannedStep]


def plan_step(
    order: Order,
    step: OrderStep,
    planned: Planned,
    component: Callable[[str], Component],
    bound: CursorValue | None,
    context: StepContext,
) -> PlannedStep:
    """Ask a step what it will do; `planned` is what those before it will. `bound` is how far an earlier try
    of the run was to read."""
    found, settings = component(step.component), step.settings
    # A manifest may come from a file that somebody edited. That a step reads is what the dry run and the
    # question before a write rely on.
    if kind_of(found) is not step.mode:
        raise ManifestRefused(
            f"{step.id} is said to {step.mode.value}, and {step.component} does not",
            hint="make the manifest again: dragoman compile FILE",
        )
    match found:
        case Extractor():
            after = _after(order, step, component, context) if settings.get("cursor") else None
            extraction = found.plan(settings, after, bound, context)
            if len(extraction.parts) > MOST_PARTS:
                raise StepRefused(
                    f"{step.id} would be read in {len(extraction.parts)} parts at once",
                    hint=f"ask for at most {MOST_PARTS} partitions: each is a connection",
                )
            return PlannedStep(step, found, settings, extraction, _checked(step, extraction.columns))
        case Transform():
            inputs = {each.id: planned[each.id].columns for each in sources(order, step)}
            made = found.reshape(settings, inputs, context)
            return PlannedStep(step, found, settings, made, _checked(step, made.columns))
        case Writer():
            columns = _merged(step, {each.id: planned[each.id].columns for each in sources(order, step)})
            return PlannedStep(step, found, settings, found.prepare(settings, columns, context), columns)


def kept_steps(order: Order, wave: Wave, planned: Planned) -> tuple[OrderStep, ...]:
    """What is read to its end before any writer of a wave begins: rows that several take, and rows out of
    what one of the writers could not write to meanwhile."""
    plans = [planned[step.id].plan for step in wave.ends]
    written = {plan.holds for plan in plans if isinstance(plan, Writing) and plan.holds}
    shared = wave.shared(order)
    return tuple(
        step
        for step in wave.steps
        if step in shared
        or (
            isinstance(plan := planned[step.id].plan, Extraction)
            and plan.holds in written
            and order.consumers(step.id)
        )
    )


def kind_of(component: Component) -> Effect:
    """What a component does, by what it can be asked."""
    match component:
        case Extractor():
            return Effect.READ
        case Transform():
            return Effect.TRANSFORM
        case Writer():
            return Effect.WRITE


def refuse_without_rows(order: Order) -> None:
    """A writer to which nothing flows. It is told before the writers that it waits for have written."""
    for step in order.steps:
        if step.mode is Effect.WRITE and not sources(order, step):
            raise _nothing_flows(step)


def _nothing_flows(step: OrderStep) -> StepRefused:
    if not offered(step.component):
        return StepRefused(
            f"{step.id} is {step.component}, a write verb of a pack, and pipelines do not run these yet",
            hint="dragoman entities create runs those that make something new",
        )
    return StepRefused(
        f"{step.id} writes, and nothing that it needs gives rows", hint="name an extractor in its needs"
    )


def _merged(step: OrderStep, inputs: Mapping[str, tuple[FlowColumn, ...]]) -> tuple[FlowColumn, ...]:
    """What a writer takes: the rows of all it needs, one after the other, if they are alike."""
    if not inputs:
        raise _nothing_flows(step)
    (first, columns), *others = inputs.items()
    shape = [(c.name, c.type, c.precision, c.scale, c.bits, c.signed) for c in columns]
    for name, other in others:
        if [(c.name, c.type, c.precision, c.scale, c.bits, c.signed) for c in other] != shape:
            raise StepRefused(
                f"{step.id} takes the rows of {first} and of {name}, and their columns are not the same",
                hint="bring them together with duckdb.transform",
            )
    return columns


def _checked(step: OrderStep, columns: tuple[FlowColumn, ...]) -> tuple[FlowColumn, ...]:
    """Columns that can be told apart, also where upper and lower case are one."""
    seen: set[str] = set()
    for column in columns:
        # Some targets fold the case of column names: two that differ in nothing else would become one there,
        # with the values of either.
        if column.name.casefold() in seen:
            raise ColumnRefused(
                f"{step.id} gives two columns named {column.name!r}",
                hint="give one of them another name in the query: AS …",
                column=column.name,
            )
        seen.add(column.name.casefold())
    if not columns:
        raise StepRefused(f"{step.id} gives no columns", hint="name at least one")
    return columns


def _after(
    order: Order, step: OrderStep, component: Callable[[str], Component], context: StepContext
) -> CursorValue | None:
    """How far the one target of an incremental extraction has got."""
    ends = writers_of(order, step)
    # The cursor is committed in the target, with the rows. Two targets would have two cursors, and after a
    # crash they may differ.
    if len(ends) != 1:
        raise StepRefused(
            f"{step.id} reads only what is new, and {len(ends)} writers would have to remember what is",
            hint="an extractor with a cursor feeds exactly one writer",
        )
    writer = component(ends[0].component)
    if not isinstance(writer, Writer):
        raise StepRefused(f"{ends[0].id} is no writer", hint="see docs/engine.md")
    return writer.cursor(ends[0].settings, dataclasses.replace(context, step=ends[0].id))


def writers_of(order: Order, step: OrderStep) -> tuple[OrderStep, ...]:
    """The writers that the rows of a step reach."""
    found: dict[str, OrderStep] = {}
    for taker in order.consumers(step.id):
        if taker.mode is Effect.WRITE:
            found[taker.id] = taker
        else:
            found.update({each.id: each for each in writers_of(order, taker)})
    return tuple(found.values())
