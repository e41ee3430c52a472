"""How the rows of a step come to the one that takes them: opened behind it, step by step, as one stream."""

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack

import pyarrow as pa

from dragoman.contracts.errors import StepRefused
from dragoman.contracts.flow import KeyRange
from dragoman.engine.carriers import arrow_schema
from dragoman.engine.component import Extraction, Extractor, StepContext, Transform
from dragoman.engine.flow import Flow
from dragoman.engine.local.plans import Planned, PlannedStep
from dragoman.engine.local.waves import sources
from dragoman.engine.order import Order, OrderStep
from dragoman.engine.run_database import SPOOL, Lane, quoted


class Flows:
    """Opens flows for one job. All of them live on the job's own lane, and end with `stack`."""

    def __init__(
        self,
        order: Order,
        planned: Planned,
        spooled: Mapping[str, str],
        lane: Lane,
        context_of: Callable[[OrderStep, Lane], StepContext],
        begins: Callable[[str], None],
        stack: ExitStack,
    ) -> None:
        self._order = order
        self._planned = planned
        self._spooled = spooled
        self._lane = lane
        self._context_of = context_of
        self._begins = begins
        self._stack = stack

    def into(self, step: OrderStep) -> Flow:
        """Everything that flows into a writer, one source after the other."""
        flows = [self.of(source) for source in sources(self._order, step)]
        return flows[0] if len(flows) == 1 else _joined(flows, self._lane)

    def of(self, step: OrderStep) -> Flow:
        planned = self._planned[step.id]
        if step.id in self._spooled:
            table = f"{SPOOL}.main.{quoted(self._spooled[step.id])}"
            return Flow(planned.columns, relation=f"SELECT * FROM {table}")
        self._begins(step.id)
        context = self._context_of(step, self._lane)
        match planned.component:
            case Extractor():
                return self._extracted(planned, planned.component, context)
            case Transform():
                inputs = {each.id: self.of(each) for each in sources(self._order, step)}
                applied = planned.component.apply(planned.settings, inputs, context)
                return self._stack.enter_context(applied)
            case _:
                raise StepRefused(f"{step.id} gives no rows", hint="it writes")

    def _extracted(self, planned: PlannedStep, component: Extractor, context: StepContext) -> Flow:
        extraction = planned.plan
        assert isinstance(extraction, Extraction)  # noqa: S101

        def opened(part: KeyRange | None) -> AbstractContextManager[Flow]:
            return component.open(planned.settings, extraction, part, context)

        if not extraction.parts:
            return self._stack.enter_context(opened(None))
        first = self._stack.enter_context(opened(extraction.parts[0]))
        rest = extraction.parts[1:]
        # Parts that are SQL on the run's own database become one query. Otherwise each part is a connection,
        # opened when the one before has ended.
        if first.relation is not None:
            return _joined([first, *(self._stack.enter_context(opened(part)) for part in rest)], self._lane)
        schema = arrow_schema(planned.columns)
        batches = _one_after_the_other(first, [functools.partial(opened, part) for part in rest], self._lane)
        reader = pa.RecordBatchReader.from_batches(schema, batches)
        return Flow(planned.columns, reader=reader)


def _joined(flows: list[Flow], lane: Lane) -> Flow:
    """Flows that are alike, as one."""
    parts = [f"({flow.sql(lane)})" for flow in flows]
    return Flow(flows[0].columns, relation=" UNION ALL ".join(parts))


def _one_after_the_other(
    first: Flow, rest: list[Callable[[], AbstractContextManager[Flow]]], lane: Lane
) -> Iterator[pa.RecordBatch]:
    """The batches of parts of which each is opened when the one before has ended."""
    yield from first.batches(lane)
    for opened in rest:
        with opened() as flow:
            yield from flow.batches(lane)
