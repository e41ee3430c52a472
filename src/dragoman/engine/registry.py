"""Which component stands behind a verb: the engine's own, and what other packages offer as entry points."""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Final

from dragoman.catalog.components import COMPONENTS
from dragoman.contracts.errors import StepRefused
from dragoman.engine.component import Component, Extractor, Transform, Writer

_HOME: Final = "dragoman.engine.components"
_OWN: Final = {
    "mysql.extractor": ("mysql", "EXTRACTOR"),
    "mysql.writer": ("mysql", "WRITER"),
    "postgres.extractor": ("postgres", "EXTRACTOR"),
    "postgres.writer": ("postgres", "WRITER"),
    "supabase.extractor": ("supabase", "EXTRACTOR"),
    "supabase.writer": ("supabase", "WRITER"),
    "sqlite.extractor": ("sqlite", "EXTRACTOR"),
    "sqlite.writer": ("sqlite", "WRITER"),
    "duckdb.extractor": ("duckdb", "EXTRACTOR"),
    "duckdb.transform": ("duckdb", "TRANSFORM"),
    "duckdb.writer": ("files", "WRITER"),
    "filesystem.extractor": ("files", "EXTRACTOR"),
}


def offered(verb: str) -> bool:
    """Whether a component stands behind a verb."""
    return verb in _OWN or any(point.name == verb for point in entry_points(group=COMPONENTS))


@cache
def component(verb: str) -> Component:
    """The component of a verb. Each family is imported when it is first needed."""
    if verb in _OWN:
        package, name = _OWN[verb]
        found = getattr(import_module(f"{_HOME}.{package}"), name)
    else:
        points = [point for point in entry_points(group=COMPONENTS) if point.name == verb]
        if not points:
            raise StepRefused(
                f"nothing here runs {verb}",
                hint="it is answered in a conversation, or a package that offers it is not installed",
                verb=verb,
            )
        found = points[0].load()
    if not isinstance(found, Extractor | Transform | Writer):
        raise StepRefused(f"what is offered as {verb} is no component", hint="see docs/engine.md", verb=verb)
    return found
