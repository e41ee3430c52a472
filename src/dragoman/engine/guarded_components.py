"""Components behind the wall of policies: asked for the same, and given what the viewer may see."""

from contextlib import AbstractContextManager

from dragoman.contracts.flow import CursorValue, FlowColumn, KeyRange
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.component import (
    Component,
    Config,
    Extraction,
    Extractor,
    Staged,
    StepContext,
    Transform,
    Writer,
    Writing,
)
from dragoman.engine.flow import Flow
from dragoman.engine.policy_wall import PolicyWall


def guarded(component: Component, wall: PolicyWall) -> Component:
    """A component held to the policies. A transform sees only what extractors gave."""
    match component:
        case Extractor():
            return GuardedExtractor(component, wall)
        case Writer():
            return GuardedWriter(component, wall)
        case Transform():
            return component


class GuardedExtractor:
    """Reads the visible part of what it is asked for."""

    def __init__(self, inner: Extractor, wall: PolicyWall) -> None:
        self._inner = inner
        self._wall = wall

    @property
    def signature(self) -> VerbSignature:
        return self._inner.signature

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        return self._inner.plan(self._wall.narrowed(config, context), after, bound, context)

    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> AbstractContextManager[Flow]:
        return self._inner.open(self._wall.narrowed(config, context), extraction, part, context)


class GuardedWriter:
    """Writes only tables that the viewer sees whole. What was staged can be taken away in any case."""

    def __init__(self, inner: Writer, wall: PolicyWall) -> None:
        self._inner = inner
        self._wall = wall

    @property
    def signature(self) -> VerbSignature:
        return self._inner.signature

    def prepare(self, config: Config, columns: tuple[FlowColumn, ...], context: StepContext) -> Writing:
        self._wall.refuse_write(config)
        return self._inner.prepare(config, columns, context)

    def cursor(self, config: Config, context: StepContext) -> CursorValue | None:
        self._wall.refuse_write(config)
        return self._inner.cursor(config, context)

    def published(self, config: Config, staged: Staged | None, context: StepContext) -> int | None:
        return self._inner.published(config, staged, context)

    def stage(self, config: Config, writing: Writing, flow: Flow, context: StepContext) -> Staged:
        self._wall.refuse_write(config)
        return self._inner.stage(config, writing, flow, context)

    def publish(
        self,
        config: Config,
        writing: Writing,
        staged: Staged,
        cursor: CursorValue | None,
        context: StepContext,
    ) -> None:
        self._wall.refuse_write(config)
        self._inner.publish(config, writing, staged, cursor, context)

    def discard(self, config: Config, staging: str, context: StepContext) -> None:
        self._inner.discard(config, staging, context)
