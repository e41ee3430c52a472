"""Waves: which writes go together. All of a wave are staged before any of it is published.

A step that needs a write step waits until that is published; so it, and what hangs on it, are a later wave.
"""

from dragoman.contracts.record import Record
from dragoman.contracts.verb import Effect
from dragoman.engine.order import Order, OrderStep, takes_rows


class Wave(Record, frozen=True):
    """Steps in the order of the manifest, with the ends among them: what nothing takes rows from."""

    steps: tuple[OrderStep, ...]
    ends: tuple[OrderStep, ...]

    def shared(self, order: Order) -> tuple[OrderStep, ...]:
        """What several steps take rows from: it is read once and kept until all have had it."""
        return tuple(
            step for step in self.steps if step.mode is not Effect.WRITE and len(order.consumers(step.id)) > 1
        )


def waves(order: Order) -> tuple[Wave, ...]:
    depth: dict[str, int] = {}
    for step in order.steps:
        below = [depth[need] + (order.step(need).mode is Effect.WRITE) for need in step.needs]
        depth[step.id] = max(below, default=0)
    # A reader belongs to the wave of the first that takes its rows, or they would be kept for nothing; but
    # never before what it waits for itself.
    for step in reversed(order.steps):
        takers = [depth[taker.id] for taker in order.consumers(step.id)]
        if takers and step.mode is not Effect.WRITE:
            depth[step.id] = max(depth[step.id], min(takers))
    return tuple(_wave(order, depth, number) for number in sorted(set(depth.values())))


def _wave(order: Order, depth: dict[str, int], number: int) -> Wave:
    steps = tuple(step for step in order.steps if depth[step.id] == number)
    ends = tuple(step for step in steps if step.mode is Effect.WRITE or not order.consumers(step.id))
    return Wave(steps, ends)


def sources(order: Order, step: OrderStep) -> tuple[OrderStep, ...]:
    """The steps whose rows flow into this one, in the order in which it needs them."""
    if not takes_rows(step):
        return ()
    return tuple(found for need in step.needs if (found := order.step(need)).mode is not Effect.WRITE)


def strands(order: Order) -> tuple[Order, ...]:
    """The parts of an order that hang on nothing of each other, in the order of the manifest."""
    part: dict[str, set[str]] = {}
    for step in order.steps:
        whole = {step.id}.union(*(part[need] for need in step.needs))
        part.update(dict.fromkeys(whole, whole))
    found = {id(whole): whole for whole in (part[step.id] for step in order.steps)}
    return tuple(
        Order(order.name, order.fingerprint, tuple(step for step in order.steps if step.id in whole))
        for whole in found.values()
    )
