"""Which component stands behind a verb: those of the families, and those that packages offer alone."""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from dragoman._offers import offers
from dragoman.catalog.components import COMPONENTS
from dragoman.contracts.errors import InternalError, StepRefused
from dragoman.databases.families.registry import family, family_that
from dragoman.engine.component import Component, Extractor, Transform, Writer

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def offered(verb: str) -> bool:
    """Whether a component stands behind a verb."""
    return bool(_place_in_family(verb)) or _point(verb) is not None


def component(verb: str) -> Component:
    """The component of a verb. Each family is imported when it is first needed."""
    place = _place_in_family(verb)
    if place:
        return _checked(_loaded(place), verb)
    point = _point(verb)
    if point is None:
        raise StepRefused(
            f"nothing here runs {verb}",
            hint="it is answered in a conversation, or a package that offers it is not installed",
            verb=verb,
        )
    return _checked(point.load(), verb)


def query_extractor(name: str) -> Extractor:
    """What reads the rows of one query from a source of this family. Raises `StepRefused`."""
    place = family(name).query_extractor
    if not place:
        raise StepRefused(f"no pipeline reads a source of the family {name}", hint="ask in a conversation")
    found = _loaded(place)
    if not isinstance(found, Extractor):
        raise InternalError(f"{place} is not an extractor")
    return found


def _place_in_family(verb: str) -> str:
    found = family_that(lambda each: any(own == verb for own, _ in each.components))
    return dict(found.components)[verb] if found is not None else ""


@cache
def _loaded(place: str) -> object:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _point(verb: str) -> "EntryPoint | None":
    return next((point for point in offers(COMPONENTS) if point.name == verb), None)


def _checked(found: object, verb: str) -> Component:
    if not isinstance(found, Extractor | Transform | Writer):
        raise StepRefused(f"what is offered as {verb} is no component", hint="see docs/engine.md", verb=verb)
    return found
