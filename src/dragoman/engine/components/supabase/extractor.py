"""Rows of a Supabase project."""

from collections.abc import Iterator
from contextlib import contextmanager

from dragoman.contracts.flow import CursorValue, KeyRange
from dragoman.contracts.verb import VerbSignature
from dragoman.engine.component import Config, Extraction, StepContext
from dragoman.engine.components.postgres.extractor import PostgresExtractor
from dragoman.engine.components.supabase.project import rest_target
from dragoman.engine.flow import Flow


class SupabaseExtractor:
    def __init__(self) -> None:
        self._postgres = PostgresExtractor("supabase.extractor")

    @property
    def signature(self) -> VerbSignature:
        return self._postgres.signature

    def plan(
        self, config: Config, after: CursorValue | None, bound: CursorValue | None, context: StepContext
    ) -> Extraction:
        target = rest_target(config, context)
        if target is None:
            return self._postgres.plan(config, after, bound, context)
        from dragoman.engine.components.supabase.rest_extraction import plan_over_rest

        return plan_over_rest(config, after, bound, target, context)

    @contextmanager
    def open(
        self, config: Config, extraction: Extraction, part: KeyRange | None, context: StepContext
    ) -> Iterator[Flow]:
        target = rest_target(config, context)
        if target is None:
            with self._postgres.open(config, extraction, part, context) as flow:
                yield flow
            return
        from dragoman.engine.components.supabase.rest_extraction import open_over_rest

        with open_over_rest(extraction, target, context) as flow:
            yield flow
